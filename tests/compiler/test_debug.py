"""-g as gdb sees it: breakpoints by name are after the prologue, arguments and locals have their values, in C and in
both strategies' clones."""

import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, TESTS, command, compiled, need

pytestmark = pytest.mark.tier("check")

CILK = """#include <stdio.h>
cilk int fib(int n)
{
  int x, y;
  if (n < 2)
    return n;
  x = spawn fib(n - 1);
  y = spawn fib(n - 2);
  sync;
  return x + y;
}
cilk int main(void) { int r; r = spawn fib(5); sync; printf("%d\\n", r); return 0; }
"""
C = """int twice(int n, const char *text)
{
  int x = n * 2;
  return x + (text[0] == 'h');
}
int main(void) { return twice(21, "hi") != 43; }
"""

def gdb(program, *commands):
    need("gdb")
    words = ["gdb", "-nx", "-batch"]
    for c in commands:
        words += ["-ex", c]
    return command(words + [program]).out


def test_c(tmp_path):
    (tmp_path / "t.c").write_text(C)
    compiled([CILKC, "-O0", "-g", tmp_path / "t.c", "-o", tmp_path / "t"])
    out = gdb(tmp_path / "t", "break twice", "run", "info args", "next", "info locals")
    assert "n = 21" in out and '"hi"' in out and "x = 42" in out, out


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_clones(spawn, tmp_path):
    (tmp_path / "t.cilk").write_text(CILK)
    compiled([CILKC, "-O0", "-g", "--spawn=" + spawn, tmp_path / "t.cilk", "-o", tmp_path / "t"])
    out = gdb(tmp_path / "t", "break fib", "run --nproc 1", "info args", "disable 1", "tbreak t.cilk:10", "continue",
              "info locals", "bt 1")
    assert "n = 5" in out and "fib (n=2)" in out and "x = 1" in out and "y = 0" in out, out


def test_types_named_by_a_typedef(tmp_path):
    """A record or enumeration without a tag is shown under its typedef's name, by whatever path it is reached."""
    (tmp_path / "t.c").write_text(
        "typedef struct { int x, y; } point;\ntypedef enum { RED, GREEN } colour;\n"
        "point where(colour c) { point p = {c, 2}; return p; }\nint main(void) { return where(RED).x; }\n"
    )
    compiled([CILKC, "-O0", "-g", tmp_path / "t.c", "-o", tmp_path / "t"])
    out = gdb(tmp_path / "t", "whatis where", "break where", "run", "whatis c", "whatis p", "print c")
    assert "type = point (colour)" in out and "type = colour" in out and "type = point\n" in out and "RED" in out, out


STOLEN = """#include <stdio.h>
cilk int id(int x) { return x; }
cilk int work(int n, int unused)
{
  int x = 0, y = 0, local = n * 100, table[3] = { n, n + 1, n + 2 };
  inlet void add(int r) { local += r; }
  x = spawn id(n);
  {
    int inner = n + 7;
    y = spawn id(inner);
    add(spawn id(table[1]));
    sync;
    printf("%d\\n", inner);
  }
  local += x;
  return local + y;
}
cilk int main(void) { int r; r = spawn work(4, 9); sync; printf("%d\\n", r); return 0; }
"""


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_slow_clones(spawn, tmp_path):
    """Where a procedure goes on after a steal, arguments and locals have their values: those restored, those in the
    closure, those no longer live."""
    (tmp_path / "t.cilk").write_text(STOLEN)
    compiled([CILKC, "-O0", "-g", "--spawn=" + spawn, tmp_path / "t.cilk", "-o", tmp_path / "t"])
    out = gdb(tmp_path / "t", "break t.cilk:13", "break t.cilk:16", "run --nproc 1 --force-steal always", "info args",
              "info locals", "continue", "info locals", "bt 2", "info symbol $pc")
    assert "work[slow]" in out or "work.slow" in out, out
    for shown in ("n = 4", "unused = 9", "x = 4", "y = 11", "local = 405", "local = 409", "inner = 11",
                  "table = {4, 5, 6}"):
        assert shown in out, "%s not in %s" % (shown, out)
    assert "optimized out" not in out, out


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_calls_in_what_the_compiler_makes_have_a_place(strategy):
    """LLVM takes a call between two functions with debug information only where it has a place; what calls the body of
    a thread has no line of the user's."""
    result = command(
        [CILKC, "-g", "-O0", "--spawn=" + strategy, "-S", "-emit-llvm", TESTS / "cilk1" / "knapsack.cilk1", "-o", "-"]
    )
    calls = re.findall(r"^ *(?:musttail |tail )?call \w+ void @\"?[^(]*thread\.body.*$", result.out, re.M)
    assert result.status == 0 and len(calls) > 2, str(result)
    assert all("!dbg" in call for call in calls), [call for call in calls if "!dbg" not in call]


def test_the_debugger_finds_the_runtimes_sources(tmp_path):
    """They were compiled below another name, the same on every machine."""
    result = command(
        [CILKC, "debug", "--batch", "-ex", "list rt/core/base/module.c:1,2", ROOT / "samples" / "fib.cilk"],
        cwd=tmp_path,
        timeout=300,
    )
    assert "module.c - the images of a process" in result.out, str(result)


def test_arrays_of_variable_size(tmp_path):
    """Their bounds are the hidden variables that hold the sizes: in functions, and in each clone of a procedure."""
    (tmp_path / "t.cilk").write_text(
        "#include <stdio.h>\n"
        "void look(int *p) { printf(\"%d\\n\", p[0]); }\n"
        "int plain(int n) { int a[n], b[2][n + 1]; a[0] = 7; a[n - 1] = 9; b[1][n] = 5; look(a);\n"
        "  return a[0] + b[1][n]; }\n"
        "cilk int one(int n) { return n; }\n"
        "cilk int proc(int n) { int c[n], x; for (int i = 0; i < n; i++) c[i] = i + 10; x = spawn one(n); sync; look(c);\n"
        "  return x + c[0]; }\n"
        "cilk int main(void) { int x; x = spawn proc(4); sync; return plain(3) + x == 0; }\n")
    compiled([CILKC, "-O0", "-g", tmp_path / "t.cilk", "-o", tmp_path / "t"])
    out = gdb(tmp_path / "t", "set args --nproc 1", "break look", "run", "up", "print c", "print sizeof(c)", "continue", "up",
              "ptype a", "print a[2]", "print sizeof(a)", "print sizeof(b)", "print b[1][3]")
    assert "= {10, 11, 12, 13}" in out and "$2 = 16" in out and "type = int [3]" in out, out
    assert "$3 = 9" in out and "$4 = 12" in out and "$5 = 32" in out and "$6 = 5" in out, out
