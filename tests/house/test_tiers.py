"""Tiers and the cache of built programs (tiers.py, built.py): what is selected, what is counted, when an entry may be
used again."""

import os
import re
import sys
import types

import pytest

import built
import tiers
from conftest import MODULES, ROOT, TESTS, command, program_of

pytestmark = pytest.mark.tier("check")
MODULE = """import pytest
pytestmark = pytest.mark.tier("check")
def test_first(): pass
@pytest.mark.tier("test")
def test_second(): pass
@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.tier("all"))])
def test_third(n): pass
@pytest.mark.sample(8)
@pytest.mark.parametrize("n", range(64))
def test_fourth(n): pass
@pytest.mark.sample(8, "test", 4)
@pytest.mark.parametrize("n", range(64))
def test_fifth(n): pass
@pytest.mark.sample(8, "all")
@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.tier("all")), 2])
def test_sixth(n): pass
"""


def names(folder, text, *options):
    """The tests of a module with that text that pytest runs with our conftest, and the Result."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_module.py").write_text(text)
    path = os.pathsep.join([str(TESTS), str(ROOT)])
    result = command(
        [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "-v", "test_module.py", *options],
        cwd=folder,
        env={"PYTHONPATH": path, "CILKC_TEST_BUILT": "1", "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return re.findall(r"::(test_\S+) PASSED", result.out), result


def test_every_module_has_a_tier():
    without = [
        path.name
        for path in MODULES.values()
        if not re.search(r'^pytestmark = .*mark\.tier\("(check|test|all)"\)\]?$', path.read_text(), re.M)
    ]
    assert not without, "\n".join(tiers.NO_TIER % name for name in without)


def test_a_module_without_a_tier_fails(tmp_path):
    passed, result = names(tmp_path, MODULE.replace("pytestmark", "nothing"))
    assert (
        "test_first" not in passed and result.status == 1 and 'pytestmark = pytest.mark.tier("check")' in result.out
    ), str(result)


def test_a_tier_has_the_tiers_before_it(tmp_path):
    check, test, all_ = (set(names(tmp_path, MODULE, "--tier=" + name)[0]) for name in tiers.TIERS)
    assert {"test_first", "test_third[1]", "test_sixth[2]"} <= check < test < all_
    assert "test_second" in test - check and len(all_) == 6 + 2 * 64
    counts = {
        function: [sum(name.startswith(function) for name in tier) for tier in (check, test, all_)]
        for function in ("test_third", "test_fourth", "test_fifth")
    }
    assert counts["test_third"] == [1, 1, 2] and counts["test_fourth"][1:] == [64, 64] and counts["test_fifth"][2] == 64
    assert 1 <= counts["test_fourth"][0] <= 24 and 1 <= counts["test_fifth"][0] <= 24 < counts["test_fifth"][1] + 8 < 56
    by_name, result = names(tmp_path, MODULE, "--tier=check", "-k", "second")
    assert by_name == [] and "1 tests of later tiers are left out" in result.out, str(result)
    result = command([sys.executable, "-m", "pytest", "tests", "--tier=nightly"], cwd=ROOT)
    assert result.status == 4 and "nightly" in result.err


def test_tests_that_wait_begin_first(tmp_path):
    passed = names(tmp_path, MODULE.replace("def test_third", "@pytest.mark.waits\ndef test_third"))[0]
    assert passed[:2] == ["test_third[1]", "test_first"]


def test_no_test_begins_once_the_time_is_over(monkeypatch):
    tiers.stop_after(None)
    tiers.stop_after(10**6)
    monkeypatch.setattr(tiers, "BEGAN", tiers.BEGAN - 10**6)
    with pytest.raises(pytest.skip.Exception):
        tiers.stop_after(10**6)


def test_what_a_mutant_counts_on_stays_in_a_tier():
    """Names of tests with the beginning of their parameters, and scenarios."""
    assert tiers.kills("test_other_levels[tests/run/result-of-a-leaf-in-place.cilk--O3]")
    assert tiers.kills("test_scenario[steal-a_pop_during_a_steal-debug]")
    assert not tiers.kills("test_scenario[steal-a_pop-debug]") and not tiers.kills("test_fifth[1]")


def test_a_tier_that_outgrows_its_budget_fails(monkeypatch):
    said = []
    terminal = types.SimpleNamespace(write_line=said.append, section=said.append, stats={})
    config = types.SimpleNamespace(getoption=lambda name: "check" if name == "--tier" else False, args=[str(TESTS)],
                                   option=types.SimpleNamespace(keyword="", markexpr="", maxfail=0))
    monkeypatch.setattr(
        tiers, "TALLY", types.SimpleNamespace(tests=[], shared={"one": 2}, processes=98, left_out=0, total=lambda: 100)
    )
    monkeypatch.setattr(tiers, "BUDGETS", {"check": 100, "test": 200})
    assert not tiers.report(terminal, config)
    monkeypatch.setattr(tiers, "BUDGETS", {"check": 99, "test": 200})
    assert tiers.report(terminal, config) and "started 100 processes, its budget is 99" in said[-1]
    config.args = [str(MODULES["test_run.py"])]
    assert not tiers.report(terminal, config)               # only a part of it was run


def test_processes_are_counted(tmp_path):
    before = tiers.TALLY.processes
    command(["true"])
    command(["true"])
    assert tiers.TALLY.processes == before + 2


def test_a_program_is_built_once(tmp_path, monkeypatch):
    """Until its text, a header of it, or a word of the command changes; what cannot be compiled leaves nothing."""
    monkeypatch.setenv("CILKC_TEST_CACHE", str(tmp_path))
    monkeypatch.setattr(tiers.TALLY, "shared", {})
    source, header = tmp_path / "p.cilk", tmp_path / "p.h"
    header.write_text("#define N 3\n")
    source.write_text('#include "p.h"\ncilk int main(void) { return N; }\n')
    first = program_of(source, "-O0")
    before = tiers.TALLY.processes
    assert program_of(source, "-O0") == first and tiers.TALLY.processes == before and len(tiers.TALLY.shared) == 1
    assert command([first]).status == 3
    header.write_text("#define N 4\n")
    second = program_of(source, "-O0")
    assert second != first and command([second]).status == 4
    assert program_of(source, "-O1") not in (first, second)
    entries = sorted(path.name for path in tmp_path.iterdir())
    header.write_text("#error no\n")
    with pytest.raises(AssertionError, match="#error"):
        program_of(source, "-O0")
    assert [name for name in sorted(path.name for path in tmp_path.iterdir()) if not name.endswith(".lock")] == entries


def test_the_toolchain_is_what_programs_are_made_with(tmp_path):
    """A byte of the compiler or of an archive makes another one."""
    (tmp_path / "lib").mkdir()
    seen = set()
    for compiler, archive in (("a", "b"), ("c", "b"), ("c", "d"), ("c", "d")):
        (tmp_path / "cilkc1").write_text(compiler)
        (tmp_path / "lib" / "libcilkrt.a").write_text(archive)
        seen.add(built.toolchain(tmp_path))
    assert len(seen) == 3
