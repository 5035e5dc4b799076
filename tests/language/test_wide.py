"""_BitInts of more than 128 bits (tests/wide): what programs print, and calls between halves of two compilers, against
clang."""

import pytest

from conftest import CILKC, TESTS, command, compiled

pytestmark = pytest.mark.tier("test")

CLANG = "clang-19"
FLAGS = ["-std=c23", "-w"]
# The oracle takes minutes for 4,096 bits with optimisation.
WIDTHS = [
    ("200", "137", "4", "-O0"),
    ("200", "137", "4", "-O2"),
    ("256", "129", "4", "-O2"),
    pytest.param("4096", "1000", "1", "-O0", marks=pytest.mark.tier("all")),
]


def printed(compiler, source, words, folder):
    program = folder / "program"
    compiled([compiler, *FLAGS, *words, TESTS / "wide" / source, "-o", program])
    result = command([program], cwd=folder)
    assert result.status == 0, str(result)
    return result.out


def same(source, words, folder):
    ours, theirs = (printed(compiler, source, words, folder).splitlines() for compiler in (CILKC, CLANG))
    for i, (one, other) in enumerate(zip(ours, theirs)):
        assert one == other, "line %d: %s, clang's %s" % (i + 1, one, other)
    assert len(ours) == len(theirs)


@pytest.mark.parametrize("width, narrower, rounds, level", WIDTHS)
def test_arithmetic(width, narrower, rounds, level, tmp_path):
    same("arithmetic.c", [level, "-DW=" + width, "-DV=" + narrower, "-DSEED=7", "-DROUNDS=" + rounds], tmp_path)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_floats(level, tmp_path):
    same("floats.c", [level, "-DW=200"], tmp_path)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_halves(level, tmp_path):
    said = set()
    for one in (CILKC, CLANG):
        compiled([one, *FLAGS, level, "-DCALLEE", "-c", TESTS / "wide" / "halves.c", "-o", tmp_path / "a.o"])
        for other in (CILKC, CLANG):
            compiled([other, *FLAGS, level, "-c", TESTS / "wide" / "halves.c", "-o", tmp_path / "b.o"])
            compiled(["gcc", tmp_path / "a.o", tmp_path / "b.o", "-o", tmp_path / "both"])
            said.add(command([tmp_path / "both"]).out)
    assert len(said) == 1 and "" not in said, said


def test_atomic_objects(tmp_path):
    """Objects are read, written, exchanged and updated as a whole. There are no fetch-and-op functions for them: an
    error says so."""
    text = """#include <stdatomic.h>
typedef _BitInt(256) T;
_Atomic(T) x;
int main(void) {
  x = (T)1 << 200;
  x += 5;
  x++;
  T old = x, other = 9;
  int bad = old != ((T)1 << 200) + 6 || !atomic_compare_exchange_strong(&x, &old, other) || atomic_load(&x) != 9;
  atomic_store(&x, (T)77);
  bad += atomic_exchange(&x, (T)3) != 77 || x != 3;
%s  return bad;
}
"""
    (tmp_path / "good.c").write_text(text % "")
    compiled([CILKC, *FLAGS, "good.c", "-o", "good", "-latomic"], cwd=tmp_path)
    assert command([tmp_path / "good"]).status == 0
    for line in ("atomic_fetch_add(&x, (T)3);\n", "__sync_fetch_and_add((T *)&x, 3);\n"):
        (tmp_path / "bad.c").write_text(text % line)
        result = command([CILKC, *FLAGS, "-c", "bad.c"], cwd=tmp_path)
        assert result.status == 1 and "has all the bits of its memory" in result.err, str(result)


def test_sanitizer_lets_them_pass(tmp_path):
    """Its library aborts on values of more than 128 bits: the checks of narrower ones stay."""
    (tmp_path / "over.c").write_text("""#include <stdio.h>
int main(int argc, char **argv) {
  _BitInt(300) most = (_BitInt(300))(~(unsigned _BitInt(300))0 >> 1);
  most += argc;
  most /= argc;
  int low = (int)(most << argc >> 2), high = 0x7fffffff;
  high += argc;
  puts(high < 0 && (low == 0 || low) ? "done" : "no");
  return 0;
}
""")
    compiled([CILKC, *FLAGS, "-fsanitize=undefined", "over.c", "-o", "over"], cwd=tmp_path)
    result = command([tmp_path / "over"])
    assert result.out == "done\n" and "over.c:7:" in result.err and result.err.count("runtime error") == 1, str(result)
