"""`--serial`: one worker, Cilk's options as a parallel program takes them, weak procedures; what runs is main as plain C."""

import pytest

from conftest import CILKC, command, compiled


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
    for words in (["a", "b"], ["--nproc", "4", "a", "b"], ["-nproc", "2", "--stats", "0", "--seed", "3", "--", "a", "b"]):
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
    assert command([serial("""\
#include <stdio.h>
extern cilk int perhaps(int) __attribute__((weak));
__attribute__((weak)) cilk int usual(int x) { return x + 100; }
cilk int main(void) { int r = 0; if (perhaps) { r = spawn perhaps(1); } sync; r += spawn usual(1); sync; printf("%d\\n", r); return 0; }
""")]).out == "101\n"
    assert command([serial("""\
#include <stdio.h>
extern cilk int perhaps(int) __attribute__((weak));
__attribute__((weak)) cilk int usual(int x) { return x + 100; }
cilk int main(void) { int r = 0; if (perhaps) { r = spawn perhaps(1); } sync; r += spawn usual(1); sync; printf("%d\\n", r); return 0; }
""", "cilk int perhaps(int x) { return x * 1000; }\ncilk int usual(int x) { return x + 5; }\n")]).out == "1006\n"
