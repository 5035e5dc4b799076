"""--sanitize=undefined: every kind of undefined behaviour is reported with file, line and column, and nothing that is
defined."""

import re

import pytest

from conftest import CILKC, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

# One statement a case, with what the report says. `zero`, `minus`, `forty`, `max` are variables of these values.
CASES = [
    ("int r = max + 1; use(r);", "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"),
    ("int r = -max - 2; use(r);", "signed integer overflow: -2147483647 - 2 cannot be"),
    (
        "long r = 9223372036854775807 * (long)forty; use(r != 0);",
        "signed integer overflow: 9223372036854775807 * 40 cannot be represented in type 'long'",
    ),
    ("int r = -max - 1; r = -r; use(r);", "negation of -2147483648 cannot be represented"),
    ("int r = max; r++; use(r);", "signed integer overflow: 2147483647 + 1"),
    ("int r = -max - 1; r--; use(r);", "signed integer overflow: -2147483648 - 1"),
    ("max += 5; use(max);", "signed integer overflow: 2147483647 + 5"),
    ("int r = -max - 1; r = r % minus; use(r);", "division of -2147483648 by -1 cannot be represented"),
    ("use(1 << forty);", "shift exponent 40 is too large for 32-bit type 'int'"),
    ("use(1 >> minus);", "shift exponent -1 is negative"),
    ("use(minus << 3);", "left shift of negative value -1"),
    ("use(max << 1);", "left shift of 2147483647 by 1 places cannot be represented"),
    ("use(fixed[forty / 10]);", "index 4 out of bounds for type 'int[4]'"),
    ("fixed[minus] = 1;", "index -1 out of bounds"),
    ("int r[forty]; r[0] = 0; use(r[forty + 1]);", "index 41 out of bounds"),
    ("int *p = null; null = p ? p : fixed; use(*(zero ? fixed : p + zero));", "load of null pointer of type 'int'"),
    ("*null = 3;", "store to null pointer of type 'int'"),
    ("use(nowhere->b);", "member access within null pointer of type 'struct pair'"),
    ("use(*(int *)(bytes + 1));", "load of misaligned address"),
    ("int r[zero]; use(sizeof r != 0);", "variable length array bound evaluates to non-positive value 0"),
    ("memset(&flag, 9, 1); use(flag);", "load of value 9, which is not a valid value for type"),
    ("use(__builtin_clz(zero));", "passing zero to"),
    ("use(__builtin_ctzll(zero));", "passing zero to"),
    ("needs(null);", "null pointer passed as argument 1, which is declared to never be null"),
    ("memcpy(bytes, null, zero + 1);", "null pointer passed as argument 2"),
    ("use(gives(null) != 0);", "null pointer returned from function declared to never return null"),
    (
        "char *p = bytes; p += 0x7fffffffffffffff; use(p != 0); p = p + 0x7fffffffffffffff; p += 0x7fffffffffffffff; use(p != 0);",
        "pointer",
    ),
]
# Ends the program or it would go on in undefined ways.
FATAL = [
    ("if (zero == 0) __builtin_unreachable();", "execution reached an unreachable program point"),
    ("use(7 / zero);", "division by zero"),
]
DEFINED = """
  unsigned u = 0; u -= 1; u <<= 31; use(u == 0x80000000u);
  unsigned char c = 255; c++; short s = 32767; s++; use(c + s);
  int *end = &fixed[4]; use(end - fixed); int *other = fixed + 4; use(other != end);
  char *nothing = 0; nothing += zero; use(nothing == 0);
  struct tail { int n; char text[1]; } *t = (void *)(bytes); t->text[5] = 'x'; use(t->text[5]);
  use(1 << 30); use(max >> 31); use((int)2147483647.0); use(-max / minus); __int128 big = (__int128)max * max; use(big != 0);
  _Bool yes = max; use(yes); use(__builtin_clz(1)); double d = max; use(d > 0); memcpy(bytes, fixed, 16);
"""


def program(text):
    return """#include <string.h>
struct pair { int a, b; } *nowhere;
int zero, minus = -1, forty = 40, max = 2147483647, fixed[4], *null;
char bytes[64] __attribute__((aligned(8)));
_Bool flag;
volatile int sink;
static void use(int x) { sink = x; }
__attribute__((noinline, nonnull)) static void needs(int *p) { (void)p; }
__attribute__((noinline, returns_nonnull)) static int *gives(int *p) { return p; }
%s""" % text


def reports(result):
    return re.findall(r"^(.*?):(\d+):(\d+): runtime error: (.*)$", result.err, re.M)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_each_kind_is_reported(level, tmp_path):
    lines = ["case %d: { %s break; }" % (i, text) for i, (text, _) in enumerate(CASES + FATAL)]
    (tmp_path / "u.c").write_text(program(
        "int main(int argc, char **argv) { switch (argv[1][0] * 10 + argv[1][1] - '0' * 11) {\n"
        + "\n".join(lines)
        + "\n} return 0; }\n"
    ))
    compiled([CILKC, level, "-w", "--sanitize=undefined", "u.c", "-o", "u"], cwd=tmp_path)
    first = program("").count("\n") + 1
    for i, (text, message) in enumerate(CASES + FATAL):
        result = command([tmp_path / "u", "%02d" % i], cwd=tmp_path)
        found = reports(result)
        assert found and any(message in said for _, _, _, said in found), "%s\n%s" % (text, result)
        file, line, column, _ = found[-1]
        assert file == "u.c" and int(line) in (first + 1 + i, first - 1) and int(column) > 1, "%s\n%s" % (text, result)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_is_defined_is_not_reported(level, tmp_path):
    (tmp_path / "d.c").write_text(program("int main(void) {%s return 0; }" % DEFINED))
    compiled([CILKC, level, "-w", "-fsanitize=undefined,float-cast-overflow", "d.c", "-o", "d"], cwd=tmp_path)
    result = command([tmp_path / "d"])
    assert result.status == 0 and result.err == "", str(result)


CILK = """#include <stdio.h>
int limit = 2147483647, table[3];
inlet_free
cilk int add(int a, int n)
{
  int x = 0, y = 0;
  if (n == 0) return a + 1;
  x = spawn add(a, n - 1);
  y = spawn add(1, 0);
  sync;
  return x + y * 0 + table[n * 0];
}
cilk int main(void) { int r; r = spawn add(limit, 3); sync; printf("%d\\n", r); return 0; }
""".replace("inlet_free\n", "")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kinds", ["undefined", "address,undefined"])
def test_procedures(strategy, kinds, tmp_path):
    """In fast and slow clones alike."""
    (tmp_path / "p.cilk").write_text(CILK)
    compiled([CILKC, "-O1", "--spawn=" + strategy, "-fsanitize=" + kinds, "p.cilk", "-o", "p"], cwd=tmp_path)
    for options in (["--nproc", "1"], ["--nproc", "2"], ["--nproc", "2", "--force-steal", "always"]):
        result = command([tmp_path / "p"] + options)
        assert result.status == 0 and result.out == "-2147483648\n", str(result)
        assert any(
            f.endswith("p.cilk") and line == "6" and "2147483647 + 1" in said for f, line, _, said in reports(result)
        ), str(result)


def test_choice_of_checks_and_what_follows(tmp_path):
    (tmp_path / "c.c").write_text(program("int main(void) {\n use(max + 1);\n use(1 << forty);\n return 5; }\n"))
    def run(*flags):
        compiled([CILKC, "-w", *flags, "c.c", "-o", "c"], cwd=tmp_path)
        result = command([tmp_path / "c"])
        return [said.split(":")[0].split(" ")[0] for _, _, _, said in reports(result)], result.status
    assert run("-fsanitize=undefined") == (["signed", "shift"], 5)
    assert run("-fsanitize=shift") == (["shift"], 5)
    assert run("-fsanitize=undefined", "-fno-sanitize=shift") == (["signed"], 5)
    assert run("-fsanitize=undefined", "-fno-sanitize=undefined") == ([], 5)
    found, status = run("-fsanitize=undefined", "-fno-sanitize-recover=all")
    assert found == ["signed"] and status not in (0, 5)
    found, status = run(
        "-fsanitize=undefined", "-fno-sanitize-recover=undefined", "-fsanitize-recover=signed-integer-overflow"
    )
    assert found == ["signed", "shift"] and status not in (0, 5)
    found, status = run("-fsanitize=undefined", "-fsanitize-trap=undefined")
    assert found == [] and status < 0
    refused = command([CILKC, "-fsanitize=overflows", "c.c"], cwd=tmp_path)
    assert refused.status == 2 and "signed-integer-overflow" in refused.err


def test_functions_can_be_left_out(tmp_path):
    (tmp_path / "n.c").write_text(program("""
__attribute__((no_sanitize("undefined"))) static void all(void) { use(max + 1); use(1 << forty); }
__attribute__((no_sanitize("signed-integer-overflow"))) static void one(void) { use(max + 1); use(1 << forty); }
int main(void) { all(); one(); return 0; }
"""))
    compiled([CILKC, "-w", "-fsanitize=undefined", "n.c", "-o", "n"], cwd=tmp_path)
    assert ["shift" in said for _, _, _, said in reports(command([tmp_path / "n"]))] == [True]


@pytest.mark.parametrize("strategy", ["eager"])
def test_a_store_through_null_stops_an_optimized_program(strategy, tmp_path):
    """Where the optimizer proves that all ways lead to undefined behaviour, the program does not run past it."""
    (tmp_path / "z.cilk").write_text("""
cilk int put(int *p) { *p = 1; return 3; }
cilk int main(void) { int x; x = spawn put((int *)0); sync; return x - 3; }
""")
    compiled([CILKC, "-O2", "-w", "--spawn=" + strategy, "z.cilk", "-o", "z"], cwd=tmp_path)
    assert command([tmp_path / "z", "--nproc", "1"]).status != 0
