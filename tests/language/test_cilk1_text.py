"""Cilk-1 as text: threads in plain C (`elide`, `emit --stage closures`), and procedures of Cilk-5 as threads
(`emit --stage threads`).

What gcc makes of the elision is held against the parallel program: its output, and how many threads and closures
there were, which no machine changes. Golden texts: tests/elide/*.cilk1 with .expected.c for closures,
tests/as_threads/*.cilk with .expected.cilk1 for threads.
"""

import os
import re

import pytest

from conftest import CILKC, ROOT, Notes, command, compiled, files

pytestmark = pytest.mark.tier("check")

STRICT = ["-std=gnu17", "-Wall", "-Wextra", "-Werror"]
# gcc 12 has no _BitInt
THREADS = [p for p in files("samples/*.cilk1", "tests/run/cilk1-*.cilk1") if p.id != "tests/run/cilk1-wide-integers.cilk1"]


def elided(path, folder, *flags):
    text, program = folder / "elision.c", folder / "elision"
    compiled([CILKC, "elide", path, "-o", text])
    compiled(["gcc", "-O2", *flags, text, "-o", program, "-lm"])
    return program


def counted(program, *words):
    """Threads, and the most closures at any time."""
    result = command([program, *words], env=dict(os.environ, CILK_STATS="1"))
    found = re.search(r"^threads (\d+), closures at most (\d+)$", result.err, re.M)
    assert found, str(result)
    return int(found[1]), int(found[2]), result


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", THREADS)
def test_elision_is_the_program(path, tmp_path):
    """Without our headers, without a warning; the same output, threads and closures as the program on one worker."""
    notes = Notes(path)
    threads, closures, result = counted(
        elided(path, tmp_path, *(STRICT if path.parent.name == "samples" else ["-std=gnu17"])), *notes.args
    )
    # optimised, it has no more closures than somebody would see
    compiled([CILKC, "-O0", path, "-o", tmp_path / "parallel", "-lm"])
    parallel = command([tmp_path / "parallel", "--nproc", "1", "--stats", "6"] + notes.args)
    assert (parallel.status, parallel.out) == (result.status, result.out)
    said = [int(re.search(r"^ *%s +(\d+)" % word, parallel.err, re.M)[1]) for word in ("Threads", "Closures")]
    # their procedures have closures of their own, and are not threads in C
    if path.stem not in ("cilk1-both", "cilk1-procedure-without-result", "cilk1-sends-out-of-a-nested-call"):
        assert [threads, closures] == said


@pytest.mark.parametrize("sample, words, threads", [
    ("fib", ["33", "fib"], 17108660), ("knary", ["10", "5", "2", "0"], 5859374), ("knary", ["10", "4", "1", "0"], 873812), ("ray", ["500", "500"], 424475)])
def test_elision_has_the_papers_numbers(sample, words, threads, tmp_path):
    assert counted(elided(ROOT / "samples" / ("cilk1-%s.cilk1" % sample), tmp_path), *words)[0] == threads


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", THREADS)
def test_serial_form_is_the_program(path, tmp_path):
    """--serial: threads on one worker, everything else as plain calls."""
    notes = Notes(path)
    compiled([CILKC, "-O1", "--serial", path, "-o", tmp_path / "serial", "-lm"])
    compiled([CILKC, "-O1", path, "-o", tmp_path / "parallel", "-lm"])
    serial = command([tmp_path / "serial", "--nproc", "4"] + notes.args)
    parallel = command([tmp_path / "parallel", "--nproc", "2"] + notes.args)
    assert (serial.status, serial.out) == (parallel.status, parallel.out), str(serial)


def test_files_elided_one_by_one(tmp_path):
    """One scheduler for both; names of closures and threads agree."""
    (tmp_path / "fib.cilk1h").write_text("thread sum(cont int k, int x, int y);\nthread fib(cont int k, int n);\n")
    (tmp_path / "fib.cilk1").write_text("""\
#include "fib.cilk1h"
thread fib(cont int k, int n)
{
    if (n < 2)
        send_argument(k, n);
    else {
        cont int x, y;
        spawn_next sum(k, ?x, ?y);
        spawn fib(x, n - 1);
        spawn fib(y, n - 2);
    }
}
""")
    (tmp_path / "main.cilk1").write_text("""\
#include <stdio.h>
#include "fib.cilk1h"
thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
thread main(cont int k, int argc, char *argv[])
{
    cont int x;
    int twice = argc > 5 && argv[0] ? 0 : 2;
    spawn_next sum(k, ?x, twice);
    tail_call fib(x, 10);
}
""")
    for name in ("fib", "main"):
        compiled([CILKC, "elide", name + ".cilk1", "-o", name + ".c"], cwd=tmp_path)
        compiled(["gcc"] + STRICT + ["-c", name + ".c"], cwd=tmp_path)
    compiled(["gcc", "fib.o", "main.o", "-o", "program"], cwd=tmp_path)
    threads, _, result = counted(tmp_path / "program")
    assert result.status == 57
    # 177 fib and 88 sum below fib(10), main, sum, and the receiver of the result
    assert threads == 268


def test_continuations_everywhere(tmp_path):
    """In structs, arrays, globals, sizes and casts; effects in both arguments of send_argument; placement."""
    (tmp_path / "p.cilk1").write_text("""\
#include <stdio.h>
typedef unsigned long ulong;
struct node { cont int back; cont(char *) text[2]; int n; };
static cont ulong kept;
cont int static second;
thread all(cont int k, int a, char *b, char *c, ulong d, int e)
{
    printf("%d %s %s %lu %d %d\\n", a, b, c, d, e, (int)(sizeof(cont int) == sizeof kept));
    send_argument(k, 0);
}
thread fill(struct node at, cont int row[2])
{
    int i = 0;
    cont int copy[2] = {row[0], row[1]};
    send_argument(at.text[i++], i == 1 ? "first" : "wrong");
    send_argument(at.text[1], "second");
    send_argument(copy[at.n], at.n);
    send_argument(kept, -1);
    if (at.n) send_argument(second, 7); else ;
}
static cont int row[2];
thread start(cont int k)
{
    struct node at = { .n = 1 };
    spawn_next all(k, ?row[at.n], ?at.text[0], ?at.text[1], ?kept, ?second) @ 3;
    spawn fill(at, row) @ at.n++;
}
cilk int main(void) { int r; r = spawn start(); sync; return r; }
""")
    result = command([elided(tmp_path / "p.cilk1", tmp_path, "-std=gnu17", "-Wall")])
    assert (result.status, result.out) == (0, "1 first second 18446744073709551615 7 1\n"), str(result)
    for level in ("-O0", "-O2"):
        built = command([CILKC, level, "-w", tmp_path / "p.cilk1", "-o", tmp_path / "prog"])
        assert built.status == 0, str(built)
        for nproc in ("1", "2", "4"):
            result = command([tmp_path / "prog", "--nproc", nproc])
            assert (result.status, result.out) == (0, "1 first second 18446744073709551615 7 1\n"), str(result)


DEEP = """#include <stdio.h>
thread add(cont long k, long x, long y) { send_argument(k, x + y); }
thread leaf(cont long k) { send_argument(k, 1); }
thread deep(cont long k, int n)
{
  if (n == 0)
    send_argument(k, 0);
  else {
    cont long x, y;
    spawn_next add(k, ?x, ?y);
    spawn deep(x, n - 1);
    spawn leaf(y);
  }
}
cilk int main(void)
{
  long r;
  r = spawn deep(300000);
  sync;
  printf("%ld\\n", r);
  return 0;
}
"""


def test_threads_that_call_threads_end_before_the_stack_does(tmp_path):
    """A spawn with all arguments is a call, as long as there is room; the rest waits in closures."""
    (tmp_path / "p.cilk1").write_text(DEEP)
    compiled([CILKC, "-O2", "p.cilk1", "-o", "p"], cwd=tmp_path)
    for depth in ("2000", "100000"):
        result = command(["./p", "--nproc", "1", "--stack", depth], cwd=tmp_path)
        assert result.status == 0 and result.out == "300000\n", str(result)


def test_a_thread_that_is_called_last_leaves_room_on_the_stack(tmp_path):
    """The last spawn is the call. The stack would hold some ten thousand of them."""
    turned = DEEP.replace("    spawn deep(x, n - 1);\n    spawn leaf(y);\n", "    spawn leaf(y);\n    spawn deep(x, n - 1);\n")
    assert turned != DEEP
    (tmp_path / "p.cilk1").write_text(turned)
    compiled([CILKC, "-O2", "p.cilk1", "-o", "p"], cwd=tmp_path)
    result = command(["./p", "--nproc", "1", "--pthread-stacksize", "1048576"], cwd=tmp_path)
    assert result.status == 0 and result.out == "300000\n", str(result)


def test_lost_result_is_reported(tmp_path):
    (tmp_path / "p.cilk1").write_text("thread never(cont int k, int n) { if (n) send_argument(k, n); }\n"
                                      "cilk int main(void) { int r; r = spawn never(0); sync; return r; }\n")
    result = command([elided(tmp_path / "p.cilk1", tmp_path, "-w")])
    assert result.status < 0 and "never cannot go on" in result.err, str(result)


def test_words_in_macros(tmp_path):
    (tmp_path / "p.cilk1").write_text(
        "#define CHILD(k) spawn f(k)\nthread f(cont int k) { send_argument(k, 1); }\nthread g(cont int k) { CHILD(k); }\n"
    )
    result = command([CILKC, "elide", "p.cilk1"], cwd=tmp_path)
    assert (
        result.status == 1 and "p.cilk1:3:" in result.err and "[thread-elision]" in result.err and not result.out
    ), str(result)


def test_the_tool_that_knows_no_threads_says_so(tmp_path):
    result = command([CILKC, "memory", ROOT / "samples" / "cilk1-fib.cilk1", "--", "5"], cwd=tmp_path)
    assert (
        result.status != 0
        and "[thread-tool]" in result.err
        and "note: " in result.err
        and "Traceback" not in result.err
    ), str(result)
    # A mark is a bound of every schedule, or it is not printed: the page says why there is none.
    assert "no worker below it" in command([CILKC, "explain", "thread-tool"]).out.replace("\n", " ")


def test_main_by_its_other_name(tmp_path):
    """`thread cilk_main` is the program's main, in C as well."""
    (tmp_path / "p.cilk1").write_text(
        "thread cilk_main(cont int k, int argc, char *argv[]) { send_argument(k, argc + 6); }\n"
    )
    assert command([elided(tmp_path / "p.cilk1", tmp_path, "-w")]).status == 7


# ---- emit --stage closures ----

@pytest.mark.parametrize("path", files("tests/elide/*.cilk1"))
def test_closures_golden(path, rewrite, tmp_path):
    shown = compiled([CILKC, "emit", "--stage", "closures", path]).out
    golden = path.with_suffix(".expected.c")
    if rewrite:
        golden.write_text(shown)
    assert shown == golden.read_text()
    compiled(["gcc"] + STRICT + ["-c", golden, "-o", tmp_path / "closures.o"])


def test_closures_link_with_a_scheduler(tmp_path):
    """The elision is the same text with the scheduler in front."""
    sample = ROOT / "samples" / "cilk1-fib.cilk1"
    compiled([CILKC, "emit", "--stage", "closures", sample, "-o", tmp_path / "fib.c"])
    (tmp_path / "other.cilk1").write_text("thread f(cont int k) { send_argument(k, 1); }\n")
    compiled([CILKC, "elide", "other.cilk1", "-o", "scheduler.c"], cwd=tmp_path)
    compiled(["gcc", "-O1", "fib.c", "scheduler.c", "-o", "fib"], cwd=tmp_path)
    assert command([tmp_path / "fib", "15"]).out == "fib(15) = 610\n"


# ---- emit --stage threads ----

def as_threads(path, folder):
    text = folder / (path.stem + ".cilk1")
    compiled([CILKC, "emit", "--stage", "threads", "-I", path.parent, path, "-o", text])
    return text


@pytest.mark.sample(6, "test", 2)
@pytest.mark.parametrize("path", files("samples/*.cilk"))
def test_samples_as_threads(path, tmp_path):
    """The program of threads is Cilk-1 and prints the same. Only what aborts, and what there are pointers to, stays a
    procedure."""
    notes = Notes(path)
    text = as_threads(path, tmp_path)
    assert re.search(r"^(static )?thread ", text.read_text(), re.M)
    left = re.findall(r"/\* A procedure of Cilk-5 still: (.*)\. \*/", text.read_text())
    futures = {"it touches a future", "it has a future"}
    assert (
        set(left) <= {"it aborts its children", "there are pointers to it"} | futures and len(set(left) - futures) <= 1
    ), left
    compiled([CILKC, "-O1", path, "-o", tmp_path / "procedures", "-lm"])
    first = command([tmp_path / "procedures", "--nproc", "1"] + notes.args, stdin=notes.stdin)
    built = compiled([CILKC, "-O1", text, "-o", tmp_path / "threads", "-lm"])
    assert "[-Wcont" not in built.err and "[-Wthread" not in built.err, str(built)
    for nproc in ("1", "2", "4"):
        result = command([tmp_path / "threads", "--nproc", nproc] + notes.args, stdin=notes.stdin)
        assert result.status == first.status and (result.out == first.out or notes.nondet), str(result)


@pytest.mark.parametrize("path", files("tests/as_threads/*.cilk"))
def test_threads_golden(path, rewrite):
    shown = compiled([CILKC, "emit", "--stage", "threads", path]).out
    golden = path.with_suffix(".expected.cilk1")
    if rewrite:
        golden.write_text(shown)
    assert shown == golden.read_text()


PROGRAM = """\
#include <stdio.h>
static int log_[64], logged;
cilk int id(int n) { return n; }
cilk void note(int n) { log_[logged++] = n; }
%s
cilk int main(void) { int r = -1; r = spawn test(5); sync; printf("%%d\\n", r); return 0; }
"""


@pytest.mark.parametrize("name, body", [
    ("loops", "int s = 0, i, x; for (i = 0; i < n; i++) { if (i == 3) continue; x = spawn id(i); sync; s = s * 10 + x; if (s > 1000) break; } return s;"),
    ("nested-loops", "int s = 0, i, j; for (i = 0; i < n; i++) { j = 0; do { int x = 0; x = spawn id(i * j); sync; if (x == 6) break; s += x; "
         "} while (++j < n); s *= 3; } return s;"),
    ("while-continue", "int s = 0, x; while (n-- > 0) { x = spawn id(n); sync; if (x % 2) continue; s += x + 1; } return s;"),
    ("switch", "int s = 0, i, x = 0; for (i = 0; i < n; i++) switch (i) { case 1: x = spawn id(10); sync; s += x; case 2: s += 100; break; "
         "default: x = spawn id(i); sync; s += x; } return s;"),
    ("array", "int a[8], i, s = 0; for (i = 0; i < 8; i++) a[i] = spawn id(i * n); sync; for (i = 0; i < 8; i++) s += a[i]; return s;"),
    ("operators", "int s = 1; s += spawn id(n); s *= spawn id(3); s -= spawn id(2); sync; return s;"),
    ("inlet", "int s = 0; inlet void add(int x, int y) { int t = x * y; if (t < 0) return; s = s * 10 + t; } add(spawn id(1), 1); "
         "add(spawn id(2), 2); sync; add(spawn id(n), 1); sync; return s;"),
    ("implicit-sync", "int x = 7; x = spawn id(n); return 3;"),
    ("shadows", "int x = 1; { int x; x = spawn id(n); sync; n = x; } { double x = 2.5; sync; n += x; } return n * 10 + x;"),
    ("void-child", "spawn note(1); spawn note(2); sync; return log_[0] + log_[1] + logged;"),
    ("receiver-modified", "int a[3] = {0, 0, 0}, i = 0; a[i] = spawn id(4); i = 2; a[i] = spawn id(5); sync; return a[0] * 100 + a[1] * 10 + a[2];"),
    ("arguments-change", "int x, y; x = spawn id(n++); y = spawn id(n++); sync; return x * 100 + y * 10 + n;"),
    ("struct-initialiser", "struct { int a, b; } *q = 0; int p[] = {1, 2, 3}; const char *t = __func__; int x; x = spawn id(p[2]); sync; return x + (q != 0) + t[0];"),
    ("conversion", "double d; char c; d = spawn id(n); c = spawn id(300); sync; return d * 2.5 + c;"),
    ("names", "int k = 1, f = 2, go = 3, next = 4, out = 5, value = 6; k = spawn id(f); out += spawn id(go); sync; return k + out + next + value;"),
    ("synched", "int x; x = spawn id(n); sync; if (SYNCHED) x++; return x;"),
    ("statement-expression", "int x; x = spawn id(({ int n_ = n; n_ + 1; })); sync; return ({ int t = x; t * 2; });"),
])
@pytest.mark.sample(2)
def test_constructs_as_threads(name, body, tmp_path):
    """Each way in which control and values go around a sync; every procedure becomes threads."""
    path = tmp_path / (name + ".cilk")
    path.write_text(PROGRAM % ("cilk int test(int n) { %s }" % body))
    text = as_threads(path, tmp_path)
    if name != "struct-initialiser":                  # which declares a type
        assert not re.search(r"\bsync;|\bcilk\b", text.read_text())
    compiled([CILKC, "--serial", "-w", path, "-o", tmp_path / "serial"])
    expected = command([tmp_path / "serial"])
    assert expected.status == 0
    compiled([CILKC, "-w", text, "-o", tmp_path / "threads"])
    for nproc in ("1", "4"):
        result = command([tmp_path / "threads", "--nproc", nproc])
        assert (result.status, result.out) == (0, expected.out), "%s\n%s" % (text.read_text(), result)


def test_a_thread_for_each_entry_point(tmp_path):
    """The beginning, and each sync."""
    path = tmp_path / "p.cilk"
    path.write_text(
        "cilk int id(int n) { return n; }\n"
        "cilk int test(int n) { int x, y; x = spawn id(n); sync; y = spawn id(x); sync; x = spawn id(y); y = spawn id(x); sync; return x + y; }\n"
    )
    text = as_threads(path, tmp_path).read_text()
    assert re.findall(r"^(?:static )?thread (\w+)\(.*\)$", text, re.M) == ["id", "test", "test_1", "test_2", "test_3"]


def test_declared_by_a_macro(tmp_path):
    (tmp_path / "p.cilk").write_text("#define DECLARE cilk int f(int n)\nDECLARE;\ncilk int f(int n) { return n; }\n")
    result = command([CILKC, "emit", "--stage", "threads", "p.cilk"], cwd=tmp_path)
    assert result.status == 1 and "[thread-elision]" in result.err and "p.cilk:2:" in result.err, str(result)


# ---- several objects ----

HEADER = "struct node { int n; };\nthread fib(cont long k, struct node at);\n"
PARTS = {
    "fib.cilk1": """\
#include "fib.cilk1h"
static thread sum(cont long k, long x, long y) { send_argument(k, x + y); }
thread fib(cont long k, struct node at)
{
    if (at.n < 2)
        send_argument(k, at.n);
    else {
        cont long x, y;
        struct node less = {at.n - 2};
        spawn_next sum(k, ?x, ?y);
        at.n--;
        spawn fib(x, at);
        tail_call fib(y, less);
    }
}
""",
    "more.cilk1": """\
#include "fib.cilk1h"
cilk long half(long n);
thread both(cont long k, long x, long y) { send_argument(k, x * 1000 + y); }
thread more(cont long k, int n)
{
    struct node at = {n};
    cont long x, y;
    spawn_next both(k, ?x, ?y);
    spawn half(x, n);
    spawn fib(y, at);
}
""",
    "half.cilk": "cilk long more(int n);\ncilk long half(long n) { return n / 2; }\n"
    "cilk long twice(int n) { long a, b; a = spawn more(n); b = spawn more(n + 1); sync; return a + b; }\n",
    "main.c": """\
#include <stdio.h>
#include <cilk.h>
extern long EXPORT(more)(CilkContext *, int);
extern long EXPORT(twice)(CilkContext *, int);
int main(int argc, char *argv[])
{
    CilkContext *context = Cilk_init(&argc, argv);
    printf("%ld %ld\\n", EXPORT(more)(context, 20), EXPORT(twice)(context, 10));
    Cilk_terminate(context);
    return 0;
}
""",
}


def write_parts(folder):
    (folder / "fib.cilk1h").write_text(HEADER)
    for name, text in PARTS.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("flags", [[], ["-flto"], ["-g", "-O0"], ["-cilk-debug"]], ids=lambda f: "".join(f) or "plain")
def test_objects_of_three_languages(flags, tmp_path):
    write_parts(tmp_path)
    for name in PARTS:
        compiled([CILKC, "-c", *flags, name], cwd=tmp_path)
    compiled([CILKC, *flags] + [name.rpartition(".")[0] + ".o" for name in PARTS] + ["-o", "program"], cwd=tmp_path)
    for nproc in ("1", "2", "4"):
        assert command([tmp_path / "program", "--nproc", nproc]).out == "16765 10144\n"


def test_elisions_of_three_languages(tmp_path):
    """The same files, each in C."""
    write_parts(tmp_path)
    for name in PARTS:
        if not name.endswith(".c"):
            compiled([CILKC, "elide", "--standalone", name, "-o", name.replace(".", "-") + ".c"], cwd=tmp_path)
    (tmp_path / "driver.c").write_text(
        '#include <stdio.h>\nlong more(int), twice(int);\nint main(void) { printf("%ld %ld\\n", more(20), twice(10)); return 0; }\n'
    )
    compiled(["gcc", "-Wall", "fib-cilk1.c", "more-cilk1.c", "half-cilk.c", "driver.c", "-o", "program"], cwd=tmp_path)
    assert command([tmp_path / "program"]).out == "16765 10144\n"


def test_files_that_disagree_about_a_thread(tmp_path):
    """Not linked; the message names both files with their declarations."""
    write_parts(tmp_path)
    text = (tmp_path / "more.cilk1").read_text()
    (tmp_path / "more.cilk1").write_text(text.replace(
        '#include "fib.cilk1h"', "struct node { int n; };\nthread fib(cont long k, struct node at, int extra);"
    ).replace("fib(y, at)", "fib(y, at, 1)"))
    for name in PARTS:
        compiled([CILKC, "-c", name], cwd=tmp_path)
    result = command([CILKC] + [name.rpartition(".")[0] + ".o" for name in PARTS] + ["-o", "program"], cwd=tmp_path)
    assert result.status == 1 and not (tmp_path / "program").exists(), str(result)
    assert result.err.splitlines() == [
        "cilkc: error: these files disagree about the parameters of thread 'fib':",
        "  fib.o: thread fib(cont long, struct node)",
        "  more.o: thread fib(cont long, struct node, int)",
    ]


def test_thread_without_a_definition(tmp_path):
    (tmp_path / "p.cilk1").write_text("thread lost(cont int k, int n);\nthread f(cont int k) { spawn lost(k, 1); }\n"
                                      "cilk int main(void) { int x; x = spawn f(); sync; return x; }\n")
    result = command([CILKC, "p.cilk1", "-o", "p"], cwd=tmp_path)
    assert (
        result.status == 1
        and "thread 'lost(cont int, int)' is not defined" in result.err
        and "p.cilk1" in result.err
        and "undefined" not in result.err
    ), str(result)
