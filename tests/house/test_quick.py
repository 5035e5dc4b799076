"""`make quick`: which tests it chooses for which changed files, and what counts as changed."""

import subprocess

import pytest

import quick
from conftest import ROOT

pytestmark = pytest.mark.tier("check")


@pytest.mark.parametrize("path, modules, cases", [
    ("tests/race/future-chain.cilk", "", "race:future-chain"),
    ("tests/run/fib.expected", "", "run:fib"),
    ("tests/c/several/two.gcc.c", "", "c:several"),
    ("tests/rt/steps/abort.c", "", "steps:abort"),
    ("tests/sched/wrong/late.c", "", "sched_test:late explore:late"),
    ("tests/rt/steps/stage.h", "steps", ""),
    ("tests/mutants/rt-steal.mut", "mutants", ""),
    ("tests/house/test_tiers.py", "tiers", ""),
    ("tests/conftest.py", "tiers", ""),
    ("rt/core/steal/steal.c", "steps rt scheduler source guards layers", ""),
    ("frontend/sema/c/decl/typedef.cpp", "errors check c source guards layers", ""),
    ("docs/book/3-steals.md", "book docs english", ""),
    ("Makefile", "setup parts", ""),
    (".ci/run", "", ""),
])
def test_what_a_file_is_tested_by(path, modules, cases):
    assert quick.choose([path]) == (modules.split(), [tuple(case.split(":")) for case in cases.split()])


def test_each_file_is_in_a_room_whose_modules_exist():
    """A new room needs a row in ROOMS."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    without = {path.rpartition("/")[0] for path in files if path and quick.room(quick.Path(path)) is None}
    assert not without, without
    assert {name for names in quick.ROOMS.values() for name in names.split()} <= set(quick.MODULES)


def test_what_has_changed(tmp_path):
    """The working tree beside HEAD, or else the commits of a branch; nothing in a tree as it was."""
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    git("init", "-q", "-b", "main")
    (tmp_path / "a.c").write_text("int a;\n")
    git("add", "a.c")
    git("commit", "-qm", "a")
    assert quick.changed(tmp_path) == []
    (tmp_path / "b.c").write_text("int b;\n")
    assert quick.changed(tmp_path) == ["b.c"]
    git("checkout", "-qb", "branch")
    git("add", "b.c")
    git("commit", "-qm", "b")
    assert quick.changed(tmp_path) == ["b.c"]
    (tmp_path / "a.c").write_text("int c;\n")
    assert quick.changed(tmp_path) == ["a.c"]


def test_nothing_has_changed(monkeypatch, capsys):
    monkeypatch.setattr(quick, "changed", list)
    assert quick.main() == 0 and capsys.readouterr().out == "quick: nothing has changed\n"


def test_one_changed_program_is_one_case(monkeypatch):
    runs = []

    def note(modules, seconds, *words):
        runs.append((modules, *words))
        return 0

    monkeypatch.setattr(quick, "changed", lambda: ["tests/race/loops.cilk", "rt/core/base/spin.h"])
    monkeypatch.setattr(quick, "run", note)
    monkeypatch.setattr(quick.sys, "argv", ["quick.py"])
    assert quick.main() == 0
    assert runs[0] == (["race"], "--tier=all", "-k", "test_race.py and loops")
    assert runs[1][0] == ["rt", "edges", "source", "guards", "layers"] and runs[1][1] == "--tier=check"
