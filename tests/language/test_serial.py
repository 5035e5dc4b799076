"""`--serial`: one worker, Cilk's options as a parallel program takes them, weak procedures; what runs is main as plain
C."""

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("check")


@pytest.fixture
def serial(tmp_path):
    """serial(text, ...) compiles the texts with --serial and returns the program."""
    def build(*texts, flags=()):
        names = []
        for i, text in enumerate(texts):
            names.append(tmp_path / ("part%d.cilk" % i))
            names[-1].write_text(text)
        compiled([CILKC, "--serial", "-Wall", *flags, *names, "-o", tmp_path / "program"])
        return tmp_path / "program"
    return build


WORKERS = """\
#include <stdio.h>
static int histogram[1];
cilk int f(void) { histogram[Self] += Cilk_active_size; return Self; }
cilk int main(void) {
    int a, b;
    a = spawn f(); b = spawn f();
    sync;
    printf("%d %d %d %d %d %d\\n", a, b, histogram[0], Self, Cilk_active_size, (int)(Cilk_user_work + Cilk_user_critical_path));
    return 0;
}
"""


@pytest.mark.parametrize("flags", [["-O0"], ["-O2"], ["-O2", "-cilk-span"]], ids=" ".join)
def test_the_only_worker_is_number_0(serial, flags):
    assert command([serial(WORKERS, flags=flags)]).out == "0 0 2 0 1 0\n"


ARGUMENTS = """\
#include <stdio.h>
cilk int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("%s;", argv[i]);
    printf("%d\\n", argv[argc] == NULL);
    return 7;
}
"""


def test_options_are_taken(serial):
    program = serial(ARGUMENTS)
    for words in (
        ["a", "b"],
        ["--nproc", "4", "a", "b"],
        ["-nproc", "2", "--stats", "0", "--seed", "3", "--", "a", "b"],
    ):
        result = command([program, *words])
        assert (result.status, result.out) == (7, "a;b;1\n"), str(result)
    assert command([program, "--", "--nproc", "x"]).out == "--nproc;x;1\n"
    wrong = command([program, "--nproc", "x", "a"])
    assert wrong.status == 1 and "nproc" in wrong.err and not wrong.out, str(wrong)
    assert command([program, "--help"]).status == 0


@pytest.mark.parametrize("head,end,status", [("cilk void main(void)", "", 0), ("cilk int main(argc, argv) int argc; char **argv;", "return argc;", 1),
                                             ("cilk int cilk_main(int argc, char *argv[])", "return argc + 1;", 2)])
def test_kinds_of_main(serial, head, end, status):
    result = command([serial("#include <stdio.h>\n%s { printf(\"here\\n\"); %s }\n" % (head, end))])
    assert (result.status, result.out) == (status, "here\n"), str(result)


def test_weak_procedures(serial):
    assert (
        command(
            [
                serial("""\
#include <stdio.h>
extern cilk int perhaps(int) __attribute__((weak));
__attribute__((weak)) cilk int usual(int x) { return x + 100; }
cilk int main(void) { int r = 0; if (perhaps) { r = spawn perhaps(1); } sync; r += spawn usual(1); sync; printf("%d\\n", r); return 0; }
""")
            ]
        ).out
        == "101\n"
    )
    assert (
        command(
            [
                serial(
                    """\
#include <stdio.h>
extern cilk int perhaps(int) __attribute__((weak));
__attribute__((weak)) cilk int usual(int x) { return x + 100; }
cilk int main(void) { int r = 0; if (perhaps) { r = spawn perhaps(1); } sync; r += spawn usual(1); sync; printf("%d\\n", r); return 0; }
""",
                    "cilk int perhaps(int x) { return x * 1000; }\ncilk int usual(int x) { return x + 5; }\n",
                )
            ]
        ).out
        == "1006\n"
    )


STARTED = """\
#include <cilk.h>
#include <cilk-start.h>
#include <stdio.h>
struct wide { long a[5]; };
static int ended;
extern int EXPORT(twice)(CilkContext *const, int);
extern struct wide EXPORT(many)(CilkContext *const, long);
extern void EXPORT(none)(CilkContext *const, int *);
cilk int twice(int n) {
    if (n > 1) {
        Cilk_computation *c = Cilk_start(twice, n / 2);
        int r;
        Cilk_wait(c, &r);
        return r + twice_of(n - n / 2);
    }
    return 2 * n;
}
cilk struct wide many(long n) { struct wide w = {{n, n + 1, n + 2, n + 3, n + 4}}; return w; }
cilk void none(int *p) { ++*p; }
static void end(void *p) { ended += *(int *)p; }
cilk int main(void) {
    int x = 0, r = 0, one = 1;
    struct wide w;
    Cilk_computation *a = Cilk_start(twice, 10), *b = Cilk_with("gang", 1, many, 3), *c = Cilk_start(none, &x);
    Cilk_cancel(a);
    Cilk_cancel_after(a, 1);
    Cilk_set_share(b, 3);
    Cilk_on_end(c, end, &one);
    if (!Cilk_wait(b, &w) || !Cilk_wait(c, 0) || !Cilk_wait(a, &r)) return 1;
    printf("%d %ld %d %d\\n", r, w.a[4], x, ended);
    return 0;
}
""".replace("cilk int twice", "static int twice_of(int n) { return 2 * n; }\ncilk int twice", 1)


@pytest.mark.parametrize("flags", [["-O0"], ["-O2"]], ids=" ".join)
def test_started_computations_have_run_when_they_were_started(serial, flags):
    assert command([serial(STARTED, flags=flags)]).out == "20 7 1 1\n"


@pytest.mark.parametrize("tool", ["race", "profile", "memory"])
def test_tools_of_the_serial_form_run_started_computations(tool, tmp_path):
    (tmp_path / "p.cilk").write_text(STARTED)
    result = command([CILKC, tool, "--json", *(["--no-measure"] if tool == "memory" else []), "p.cilk"], cwd=tmp_path)
    assert result.status == 0 and "20 7 1 1\n" in result.err, str(result)
