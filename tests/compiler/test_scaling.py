"""Very long procedures and texts: they compile in memory and code proportional to their length, and do what the short
ones do.

No clocks. What is counted is the assembly text and the memory at most resident, each beyond that of an empty unit.
"""

import sys

import pytest

from conftest import BUILD, CILKC, STRATEGIES, TESTS, UNDER_ASAN, compiled, module_of

pytestmark = pytest.mark.tier("check")

constructs = module_of(TESTS / "scaling" / "constructs.py")
H, lines = constructs.H, constructs.lines
CONSTRUCTS = {
    **{name: constructs.CILK[name] for name in ("spawn-receivers", "spawn-op", "spawn-sync", "inlets", "spawn-ifs", "procedures")},
    "live": lambda n: H
    + "cilk int f(int s) { int r = 0;\n"
    + lines(n, "int v@ = s + @;")
    + lines(n, "r += spawn h(v@);")
    + "sync;\n"
    + lines(n, "r += v@;")
    + "return r; }\n",
}


# A process begins with the memory that its parent had when it was started, so a small process starts it.
STARTER = "import os, sys; p = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); _, s, u = os.wait4(p, 0); print(u.ru_maxrss); sys.exit(s != 0)"


def measure(text, level, spawn, folder):
    source, out = folder / "long.cilk", folder / "long.s"
    source.write_text(text)
    started = compiled(
        [sys.executable, "-I", "-S", "-c", STARTER, BUILD / "cilkc1", level, "--spawn=" + spawn, "--emit=asm", "-w",
         source, "-o", out]
    )
    return out.stat().st_size, int(started.out)


@pytest.mark.sample(4, "test", 4)
@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_code_and_memory_grow_with_the_length(construct, spawn, tmp_path):
    base = measure("", "-O0", spawn, tmp_path)
    make = CONSTRUCTS[construct]
    small, large = (measure(make(n), "-O0", spawn, tmp_path) for n in (300, 1200))
    for what in 0, 1:
        assert large[what] - base[what] <= 4.5 * (small[what] - base[what]) + 2000


@pytest.mark.skipif(UNDER_ASAN, reason="AddressSanitizer keeps freed memory")
def test_very_many_spawns_compile_with_optimisation(tmp_path):
    size, memory = measure(CONSTRUCTS["spawn-receivers"](1000), "-O2", "lazy", tmp_path)
    assert memory < 200_000


@pytest.mark.tier("all")
@pytest.mark.skipif(UNDER_ASAN, reason="AddressSanitizer keeps freed memory")
def test_the_tree_is_freed_before_the_passes_run(tmp_path):
    functions = lines(8000, "int f@(int a, int b) { int c = a * @ + b; if (c > 3) c = c - b; return c + a * b - @; }")
    _, memory = measure(functions, "-O1", "lazy", tmp_path)
    assert memory < 200_000


LADDERS = {
    "else-if": lambda n: "int f(int x) {\n" + lines(n, "if (x == @) return @ * 7; else ") + "return 0; }\n",
    "switch": lambda n: "int f(int x) { switch (x) {\n" + lines(n, "case @: return @ * 7;") + "} return 0; }\n",
}


@pytest.mark.parametrize("ladder", LADDERS)
def test_a_ladder_of_very_many_arms_is_not_optimised(ladder, tmp_path):
    """Passes of LLVM take the square of the arms' number: a minute for 8,000 of them (codegen/shim/passes.cpp)."""
    source = tmp_path / "ladder.c"
    for arms in 100, 8000:
        source.write_text(LADDERS[ladder](arms))
        text = compiled([BUILD / "cilkc1", "-O2", "--emit=ir", "-w", source, "-o", "-"]).out
        assert ("optnone" in text) == (arms == 8000)


def program(n):
    """All forms of spawns, in one procedure with some hundred of them."""
    forms = [
        "v@ = spawn fib(s + @ % 5);",
        "v@ = 3; add(spawn fib(s + @ % 7), @);",
        "v@ = 1; acc += spawn fib(@ % 9);",
        "v@ = 4; a[@] = spawn fib(@ % 6);",
        "v@ = 5; d += spawn half(@ % 9); sync;",
        "v@ = 6; { int j; for (j = 0; j < 3; j++) sh += spawn fib(j + @ % 4); }",
        "v@ = 7; if (s > @ % 3) spawn nothing(@ % 6); else sync;",
    ]
    body = "".join(forms[i % len(forms)].replace("@", str(i)) + "\n" for i in range(n))
    return (
        "#include <stdio.h>\n"
        "cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }\n"
        "cilk double half(int n) { int k; k = spawn fib(n); sync; return k / 2.0; }\n"
        "cilk void nothing(int n) { int k; k = spawn fib(n); sync; }\n"
        f"cilk long big(int s) {{ long t = 0; double d = 0; long long acc = 0; short sh = 0; int a[{n}] = {{0}};\n"
        "inlet void add(int r, int k) { t += r * k; }\n"
        + lines(n, "int v@;")
        + body
        + "sync; t += acc + (long)(2 * d) + sh;\n"
        + lines(n, "t = t * 3 + v@ + a[@];")
        + "return t; }\n"
        "cilk int main(int argc, char **argv) { long r = 0, x; int i;\n"
        'for (i = 0; i < 10; i += i < 4 ? 1 : 4) { x = spawn big(i); sync; r = r * 7 + x; } printf("%ld\\n", r); return 0; }\n'
    )


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_a_large_procedure_computes_what_its_elision_does(spawn, tmp_path):
    (tmp_path / "long.cilk").write_text(program(300))
    compiled([CILKC, "build", "-w", "--serial", "-O0", "long.cilk", "-o", "serial"], cwd=tmp_path)
    compiled([CILKC, "build", "-w", "-O2", "--spawn=" + spawn, "long.cilk", "-o", "parallel"], cwd=tmp_path)
    expected = compiled([tmp_path / "serial"]).out
    for workers in 1, 2, 4:
        for force in [], ["--force-steal", "always"], ["--force-steal", "random"]:
            assert compiled([tmp_path / "parallel", "--nproc", workers, *force]).out == expected


@pytest.mark.sample(2)
@pytest.mark.parametrize("spawn", STRATEGIES)
def test_values_that_live_through_very_many_blocks_are_saved(spawn, tmp_path):
    """So many variables through so many blocks that not all of them are followed to the end (frontend/flow/live.cpp): a
    frame that is stolen has all its values. They were followed twice, and the second time counted on from the
    first."""
    text = (
        "#include <stdio.h>\n"
        + H
        + "cilk int f(int s) { int r = 0, q = s;\n"
        + lines(1650, "int v@ = s + @;")
        + "r += spawn h(s);\n"
    )
    text += (
        lines(6000, "if (s > @ % 50) q += @ % 13;")
        + "sync; r += q;\n"
        + lines(1650, "r = (r * 3 + v@) % 1000003;")
        + "return r; }\n"
    )
    text += "cilk int main(void) { int x; x = spawn f(9); sync; printf(\"%d\\n\", x); return 0; }\n"
    (tmp_path / "many.cilk").write_text(text)
    compiled([CILKC, "-O0", "-w", "--spawn=" + spawn, "many.cilk", "-o", "many"], cwd=tmp_path)
    (tmp_path / "elision.c").write_text(text.replace("cilk ", "").replace("spawn ", "").replace("sync;", ""))
    compiled(["gcc", "-w", "elision.c", "-o", "elision"], cwd=tmp_path)
    expected = compiled([tmp_path / "elision"]).out
    for options in (["--nproc", "1"], ["--nproc", "1", "--force-steal", "always"], ["--nproc", "2"], ["--nproc", "4"]):
        assert compiled([tmp_path / "many", *options]).out == expected, options


# What a large procedure may hold: results of all kinds, also unused ones; aggregates as arguments and values; inlets
# that abort or ask SYNCHED; syncs and returns below other statements; loops and branches with spawns; and main itself.
MIXED = """#include <stdio.h>
#include <string.h>
typedef struct { int a; double b; char c[20]; } S;
cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
cilk S make(int n) { S s; int k; memset(&s, 0, sizeof s); k = spawn fib(n); sync; s.a = k; s.b = k / 4.0; s.c[3] = (char)n; return s; }
cilk int count(S s, long double d) { int k; k = spawn fib(s.a); sync; return k + (int)d + s.c[3]; }
cilk void idle(int n) { int k; k = spawn fib(n); sync; }
cilk void bump(int *p, int n) { int k; k = spawn fib(n); sync; *p += k; }
cilk S big(S first, int n, double scale) {
  int hits = 0, order = 0, marks[40] = {0}, i = 0, k = 0; char small = 0; double d = 1; S s, t; const int *seven = &n; long asked = 0;
  inlet void found(int r, int at) { marks[at] = r; hits++; if (SYNCHED) asked++; }
  inlet void whole(S r) { t.a += r.a; order += r.a; }
  inlet void stop(int r) { if (r == 5) { k = 1; abort; } }
  s = first; t = first;
@BODY@
  if (n == 3) { sync; return t; }
  sync;
  s.a += hits + order + (int)d + small + k + *seven;
  for (i = 0; i < 40; i++) s.a = s.a * 3 + marks[i];
  s.b += t.b * scale;
  return s;
}
cilk int main(int argc, char **argv) {
  S a, b; int r = 0, n;
  memset(&a, 0, sizeof a); a.a = 4;
  for (n = 0; n < 6; n++) { b = spawn big(a, n, 0.5); sync; r = r * 5 + b.a + (int)b.b + b.c[3]; }
@MAIN@
  sync; printf("%d %d %d\\n", r, a.a, a.c[3]); return 0;
}
"""
STATEMENTS = [
    "found(spawn fib(@ % 7 + 1), @ % 40);",
    "spawn idle(@ % 5);",
    "whole(spawn make(@ % 6));",
    "sync;",
    "s = spawn make(@ % 4 + n); sync; t = s;",
    "sync; small += spawn count(t, 2.5L + @);",
    "d += spawn fib(@ % 8);",
    "{ int q = @; q++; spawn bump(&i, q % 5); sync; d += q; }",
    "if (n > @ % 6) { k += spawn fib(@ % 4); sync; } else order += @;",
    "for (i = 0; i < 3; i++) { found(spawn fib(i), i); } sync;",
    "sync; if (n == 5 && @ > 50) { stop(spawn fib(5)); stop(spawn fib(20)); sync; }",
    "if (n == 4 && @ > 60) { sync; spawn idle(3); return t; }",
    "int w@ = @ + n;",
    "d += @ + n;",
]


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_a_large_procedure_with_everything_in_it(spawn, tmp_path):
    body = "".join("  " + STATEMENTS[i * 5 % len(STATEMENTS)].replace("@", str(i)) + "\n" for i in range(90))
    main = "".join(f"  a = spawn make({i % 7}); sync; r += spawn fib({i % 6});\n" for i in range(30))
    (tmp_path / "mixed.cilk").write_text(MIXED.replace("@BODY@", body).replace("@MAIN@", main))
    compiled([CILKC, "build", "-w", "--serial", "-O0", "mixed.cilk", "-o", "serial"], cwd=tmp_path)
    expected = compiled([tmp_path / "serial"]).out
    for level in ["-O0", "-g"], ["-O2"]:
        compiled(
            [CILKC, "build", "-w", *level, "-flarge-procedures=2", "--spawn=" + spawn, "mixed.cilk", "-o", "parallel"],
            cwd=tmp_path,
        )
        for workers in 1, 2, 4:
            for force in [], ["--force-steal", "always"], ["--force-steal", "random"]:
                assert compiled([tmp_path / "parallel", "--nproc", workers, *force]).out == expected


def test_an_array_much_larger_than_its_text(tmp_path):
    source = "char *keep(char *); int f(void) { char s[1u << 30] = \"x\"; return *keep(s); }\n"
    _, memory = measure(source, "-O0", "lazy", tmp_path)
    assert memory < 200_000
