"""__attribute__((weak)) on Cilk procedures: definitions merge, a strong one wins, and an undefined declaration is 0;
with each strategy, at link time and with -flto."""

import pytest

from conftest import CILKC, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

# Each procedure distinguishes the two definitions, and spawns itself: the copies that are inlined must not be those of
# the wrong definition.
CALLER = """\
#include <stdio.h>
extern cilk int absent(int) __attribute__((weak));
extern cilk int there(int) __attribute__((weak));
__attribute__((weak)) cilk int depth(int n) { int x; if (n < 1) return 0; x = spawn depth(n - 1); sync; return x + 1; }
cilk int leaf(int) __attribute__((weak));
cilk int leaf(int n) { if (n < 100) return n; n += spawn leaf(n - 1); sync; return n; }
#pragma weak late
cilk int late(int n) { int x = 0; x += spawn leaf(n); sync; return x; }
cilk int own(int n) { int x, y; x = spawn depth(n); y = spawn leaf(n); sync; return x * 10000 + y; }
cilk int main(void)
{
  int a, b, c = -1;
  cilk int (*pointer)(int) = depth;
  if (absent) { a = spawn absent(1); sync; printf("no: %d\\n", a); }
  if (there != 0) { c = spawn there(3); }
  a = spawn own(5);
  b = spawn late(6);
  sync;
  printf("%d %d %d %d ", a, b, c, absent == 0);
  a = spawn pointer(2);
  sync;
  printf("%d\\n", a);
  return 0;
}
"""
OTHER = """\
cilk int there(int n) { return n + 30; }
WEAK cilk int depth(int n) { int x; if (n < 1) return 1000; x = spawn depth(n - 1); sync; return x + 2; }
WEAK cilk int leaf(int n) { int x = 0; if (n < 1) return 500; x += spawn leaf(n - 1); sync; return x; }
WEAK cilk int late(int n) { return 2 * n; }
cilk int theirs(int n) { int x; x = spawn depth(n); sync; return x; }
"""
ALONE = "50005 6 -1 1 2\n"
STRONG = "10100500 12 33 1 1004\n"
FIRST = "50005 6 33 1 2\n"


@pytest.fixture(params=STRATEGIES)
def program(request, tmp_path):
    def build(sources, *flags):
        words = [CILKC, "--spawn=" + request.param, *flags]
        for name, text in sources:
            (tmp_path / name).write_text(text)
            words.append(tmp_path / name)
        compiled(words + ["-o", tmp_path / "program"])
        return [
            command([tmp_path / "program"] + options)
            for options in (["--nproc", 1], ["--nproc", 2], ["--nproc", 4], ["--nproc", 2, "--force-steal", "always"])
        ]

    return build


def agree(results, out):
    for result in results:
        assert (result.status, result.out) == (0, out), str(result)


@pytest.mark.sample(3)
@pytest.mark.parametrize("flags", [["-O0"], ["-O2"], ["-O2", "-flto"], ["-O2", "-fPIC"]], ids=" ".join)
def test_definitions_merge(program, flags):
    strong, weak = OTHER.replace("WEAK ", ""), OTHER.replace("WEAK ", "__attribute__((weak)) ")
    agree(program([("caller.cilk", CALLER)], *flags), ALONE)
    agree(program([("caller.cilk", CALLER), ("other.cilk", strong)], *flags), STRONG)
    agree(program([("other.cilk", strong), ("caller.cilk", CALLER)], *flags), STRONG)
    agree(program([("caller.cilk", CALLER), ("other.cilk", weak)], *flags), FIRST)
    agree(program([("other.cilk", weak), ("caller.cilk", CALLER)], *flags), STRONG)


@pytest.mark.parametrize("flags", [[], ["-flto"]], ids=" ".join)
def test_weak_main(program, flags):
    """main's root, by which the runtime finds it, is as weak as main."""
    main = "#include <stdio.h>\n%s cilk int main(void) { puts(\"%s\"); return 0; }\n"
    agree(
        program(
            [("weak.cilk", main % ("__attribute__((weak))", "weak")), ("strong.cilk", main % ("", "strong"))], *flags
        ),
        "strong\n",
    )


@pytest.mark.parametrize("serial", [[], ["--serial"]], ids=["parallel", "serial"])
def test_two_strong_definitions_under_lto(serial, tmp_path):
    """multiply-defined: the linker's error, by the procedure's name and with both files."""
    for name in ("one", "two"):
        (tmp_path / (name + ".cilk")).write_text(
            "int object = 1;\ncilk int twice(int x) { return 2 * x; }\ncilk int only_%s(void) { return 1; }\n" % name
        )
    (tmp_path / "main.cilk").write_text("cilk int main(void) { return 0; }\n")
    result = command([CILKC, "-flto", *serial, "main.cilk", "one.cilk", "two.cilk", "-o", "program"], cwd=tmp_path)
    assert result.status == 1 and not (tmp_path / "program").exists(), str(result)
    lines = [line for line in result.err.splitlines() if "error:" in line]
    assert len(lines) == 2 and all(
        "one.cilk" in line and "two.cilk" in line and "[multiply-defined]" in line for line in lines
    ), str(result)
    assert "'twice'" in result.err and "'object'" in result.err, str(result)
