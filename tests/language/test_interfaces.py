"""Files that disagree about the types of a Cilk procedure are not linked, in whatever form they declare it; files that
agree are."""

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("test")

THREAD = "thread f(cont int k, int n) { send_argument(k, -n); }\n"
PROCEDURE = "struct s { int a; };\ncilk int f(int n) { return -n; }\ncilk int g(struct s *p) { return p->a; }\n"
USE = "cilk int main(void) { long x; x = spawn f(2); sync; return x != -2; }\n"
BY_THREAD = """\
cilk long f(int n);
thread t(cont int k, long x) { send_argument(k, (int)x); }
thread main(cont int k, int argc, char *argv[]) { cont long x; spawn_next t(k, ?x); spawn f(x, 2); }
"""
EXPORTED = "#include <cilk.h>\nextern long EXPORT(f)(CilkContext *, int);\nlong use(CilkContext *c) { return EXPORT(f)(c, 2); }\n"
SPAWNS = "int child(int n) { return -n; }\nint f(int n) { int x = cilk_spawn child(n); cilk_sync; return x; }\n"
STRUCTS = "struct s { int a; };\nint child(struct s n) { return -n.a; }\nint f(struct s n) { int x = cilk_spawn child(n); cilk_sync; return x; }\n"
CALLS = "int main(void) { return f(2) != -2; }\n"
SPAWNING = "int main(void) { int x = cilk_spawn f(2); cilk_sync; return x != -2; }\n"
# The two files, and what the message must name; None where they agree.
PAIRS = {
    "thread-result": (("a.cilk1", THREAD), ("b.cilk", "cilk unsigned f(int);\n" + USE), "unsigned int f(int)"),
    "thread-agrees": (("a.cilk1", THREAD), ("b.cilk", "cilk int f(int);\n" + USE), None),
    "result": (("a.cilk", PROCEDURE), ("b.cilk", "cilk long f(int);\n" + USE), "long f(int)"),
    "parameter": (("a.cilk", PROCEDURE), ("b.cilk", "cilk int f(long);\n" + USE), "int f(long)"),
    "count": (
        ("a.cilk", PROCEDURE),
        ("b.cilk", "cilk int f(int, int);\n" + USE.replace("f(2)", "f(2, 3)")),
        "int f(int, int)",
    ),
    "by-thread": (("a.cilk", PROCEDURE), ("b.cilk1", BY_THREAD), "long f(int)"),
    "agree": (("a.cilk", PROCEDURE), ("b.cilk", "cilk int f(const int);\n" + USE), None),
    "not-used": (("a.cilk", PROCEDURE), ("b.cilk", "cilk int f(int);\ncilk long g(int);\n" + USE), None),
    "open-agree": (("a.c", SPAWNS), ("b.c", "int f(int), puts(const char *);\n" + SPAWNING), None),
    "open-result": (("a.c", SPAWNS), ("b.c", "long f(int);\n" + SPAWNING), "long f(int)"),
    "open-parameter": (("a.c", SPAWNS), ("b.c", "int f(double);\n" + CALLS), "int f(double)"),
    "open-variadic": (("a.c", SPAWNS), ("b.c", "int f(int, ...);\n" + CALLS), "int f(int, ...)"),
    "open-old-style": (("a.c", SPAWNS), ("b.c", "int f();\n" + CALLS), None),
    "open-old-style-result": (("a.c", SPAWNS), ("b.c", "long f();\n" + CALLS), "long f()"),
    "open-incomplete": (
        ("a.c", STRUCTS),
        ("b.c", "struct s;\nint f(struct s);\nint main(void) { return f == 0; }\n"),
        None,
    ),
    "open-incomplete-other": (
        ("a.c", STRUCTS),
        ("b.c", "struct s;\nint f(long, struct s);\nint main(void) { return f == 0; }\n"),
        "int f(long, struct s)",
    ),
    # Neither defines it, and it need not be a procedure.
    "open-uses": (
        ("a.c", "int getppid(void);\nint one(void) { return getppid(); }\n" + SPAWNS),
        ("b.c", "int f(int);\nlong getppid(void);\nlong two(void) { return getppid(); }\n" + SPAWNING),
        None,
    ),
    "enumeration": (
        ("a.cilk", "enum e { A, B };\ncilk int f(enum e n) { return -(int)n; }\n"),
        ("b.cilk", "cilk int f(unsigned);\n" + USE),
        None,
    ),
    # A C function that does not spawn is linked as by C.
    "open-in-c": (("a.c", "long f(long n) { return -n; }\n"), ("b.c", "int f(int);\n" + SPAWNING), None),
    "export": (("a.cilk", PROCEDURE + USE), ("b.c", EXPORTED), "long f(int)"),
}


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_pair(name, tmp_path):
    first, second, says = PAIRS[name]
    for file, text in (first, second):
        (tmp_path / file).write_text(text)
        words = ["-fopencilk"] if name.startswith("open") else []
        assert command([CILKC, *words, "-c", "-w", file, "-o", file[0] + ".o"], cwd=tmp_path).status == 0
    result = command([CILKC, *words, "a.o", "b.o", "-o", "p"], cwd=tmp_path)
    if says is None:
        assert result.status == 0, str(result)
        assert command([tmp_path / "p"]).status == 0
        return
    assert (
        result.status == 1 and "these files disagree about the types of 'f'" in result.err and says in result.err
    ), str(result)
    assert (
        first[0] + ":" in result.err and second[0] + ":" in result.err and "a.o" in result.err and "b.o" in result.err
    ), str(result)
