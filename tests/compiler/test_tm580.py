"""--spawn=indolent and --spawn=sedative (MIT/LCS/TM-580): programs print what their elision prints, tests are where the
memo has them, and `cilkc bench --tm580`."""

import re

import pytest

from conftest import CILKC, EXPERIMENTAL, ROOT, command, compiled, program_of
from test_run import runs_like_its_reference

pytestmark = pytest.mark.tier("test")

PROGRAMS = [
    "tests/run/" + name
    for name in ("abort-in-inlet.cilk", "abort-nested.cilk", "control-goto.cilk", "control-nested-loops.cilk",
                 "control-switch.cilk", "control-leaf-prefix.cilk", "future-of-another.cilk", "future-in-loop.cilk",
                 "inlet-argument-types.cilk", "inlet-early-return-and-locals.cilk", "c-main-nested-export.cilk")
] + ["samples/" + name for name in ("fib.cilk", "cilksort.cilk", "queens.cilk", "inlets.cilk")]


@pytest.mark.sample(3, "test", 2)
@pytest.mark.parametrize("spawn", EXPERIMENTAL)
@pytest.mark.parametrize("path", PROGRAMS)
def test_equals_elision(path, spawn, tmp_path):
    path = ROOT / path
    program = program_of(path, "-O2", "--spawn=" + spawn)
    settings = [["--nproc", "2"], ["--nproc", "4"]]
    if path.parent.name == "run":
        settings += [["--nproc", "1", "--force-steal", "always"]]
    for options in settings:
        runs_like_its_reference(path, program, options, tmp_path)


@pytest.mark.parametrize("spawn, before, after", [("indolent", 2, 2), ("sedative", 0, 2), ("lazy", 1, 2)])
def test_tests_are_where_the_memo_has_them(spawn, before, after, tmp_path):
    """Figures 7 and 8: before and after each spawn; only after it. In a loop, too."""
    (tmp_path / "t.cilk").write_text(
        "cilk int g(int);\ncilk int f(int n) { int x, y; x = spawn g(n); y = spawn g(n + 1); sync; return x + y; }\n"
        "cilk void h(int n) { int i, x, y; for (i = 0; i < n; i++) { x = spawn f(i); y = spawn f(x + y); } sync; }\n"
    )
    ir = compiled([CILKC, "-O0", "-S", "-emit-llvm", "--spawn=" + spawn, "t.cilk", "-o", "-"], cwd=tmp_path).out
    for name in ("f", "h"):
        body = ir[ir.index("@%s.fast(" % name):]
        body = body[:body.index("\n}")]
        asked = re.findall(r"call i32 @cilk_rt_release\(i32 (\d)\)", body)
        assert sorted(asked) == ["0"] * before + ["1"] * after, body


@pytest.mark.parametrize("spawn", EXPERIMENTAL)
def test_no_worker_becomes_coarse(spawn):
    """Closures are made for a thief that waits, and for no other reason: lazy's coarse mode is not the memo's."""
    result = command(
        [program_of(ROOT / "samples/fib.cilk", "-O2", "--spawn=" + spawn), "--nproc", "4", "--stats", "6", "24"]
    )
    assert not re.search(r"^\s*Rel. coarse.*[1-9]", result.err, re.M), result.err


def test_objects_of_different_strategies_do_not_link(tmp_path):
    for name, spawn in (("a", "lazy"), ("b", "sedative")):
        (tmp_path / (name + ".cilk")).write_text(
            "cilk int %s(int n) { return n; }\n" % ("main" if name == "a" else "other")
        )
        compiled([CILKC, "-c", "--spawn=" + spawn, name + ".cilk"], cwd=tmp_path)
    result = command([CILKC, "a.o", "b.o", "-o", "p"], cwd=tmp_path)
    assert result.status == 1 and "different spawn strategies" in result.err


@pytest.mark.tier("all")
def test_the_benchmark_writes_its_tables(tmp_path):
    page = tmp_path / "docs" / "tm580.md"
    page.parent.mkdir()
    page.write_text("# Closures\n\nThis was written by hand.\n\n## Tables 1 and 2\n\nOld figures.\n")
    words = [CILKC, "bench", "--tm580", "--tiny", "-o", tmp_path, "--publish", page.parent]
    result = command(words, timeout=300)
    assert result.status == 0, str(result)
    text = (tmp_path / "tm580.md").read_text()
    assert page.read_text() == "# Closures\n\nThis was written by hand.\n\n" + text.partition("\n\n")[2]
    page.write_text("# Closures\n")
    result = command([*words, "--again"])
    assert result.status == 1 and "has no heading `## Tables 1 and 2'" in result.err, str(result)
    assert page.read_text() == "# Closures\n"
    rows = re.findall(r"^\| cilkc -O(\d) \| (.*) \|$", text, re.M)
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert len(re.findall(r"^\| (?:gcc|clang\S*) -O\d \|", text, re.M)) == 6
    assert re.search(r"^\| tree \| 8 \| 1 ms \|", text, re.M)
    # where matplotlib is
    assert ("](tm580-starvation.png)" in text) == (tmp_path / "tm580-starvation.png").exists()
