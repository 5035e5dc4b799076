"""Schedulers (docs/schedulers.md): every Cilk program of tests/run and samples/ gives the elision's output under each of the runtime's schedulers and under one
of its own; --sched says what is wrong."""

import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, Notes, command, compiled, no_internal_error
from test_run import PROGRAMS, elisions, reference       # noqa: F401  (elisions is a fixture)

HERE = ROOT / "tests" / "sched"
OWN = re.findall(r"^CILK_SCHED\((\w+)\)", (ROOT / "rt/sched/sched.def").read_text(), re.M)
USERS = "favourite"
assert "steal" in OWN


@pytest.fixture(autouse=True)
def crowd(monkeypatch):
    """More workers awake than there are processors, as in test_run."""
    monkeypatch.setenv("CILK_PROCESSORS", "64")


@pytest.mark.slow
@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("path", PROGRAMS)
def test_programs_under_each_scheduler(path, spawn, tmp_path, elisions):       # noqa: F811
    """The program is linked with a scheduler from outside the runtime, so that all of them can be asked for."""
    notes = Notes(path)
    notes.need()
    program = tmp_path / "program"
    also = [path.parent / name for name in notes.also]
    built = command([CILKC, "-O2", "--spawn=" + spawn, path, HERE / (USERS + ".c")] + also + notes.flags + ["-o", program], timeout=300)
    no_internal_error(built)
    assert built.status == 0, str(built)
    status, out = reference(path, elisions(path))
    runs = [["--nproc", "1"], ["--nproc", "2"], ["--nproc", "4"]]
    if path.parent.name == "run":
        runs += [["--nproc", "1", "--force-steal", "always"], ["--nproc", "2", "--force-steal", "random"]]
    for spec in (["--sched=replay:1:4"], ["--sched=central", "--sched=pct:5:3"]) if path.parent.name == "run" else ():
        result = command([program] + spec + notes.args, stdin=notes.stdin, cwd=tmp_path)
        assert result.status == status and (notes.nondet or result.out == out), str(result)
    for scheduler in [name for name in OWN if name != "steal"] + [USERS]:
        for options in runs:
            what = "%s, --sched=%s %s" % (spawn, scheduler, " ".join(options))
            result = command([program, "--sched=" + scheduler] + options + notes.args, stdin=notes.stdin, cwd=tmp_path)
            assert result.status == status, "%s: expected exit status %d\n%s" % (what, status, result)
            if not notes.nondet:
                assert result.out == out, "%s: output differs from the elision's:\n%s\n%s" % (what, out, result)


@pytest.fixture(scope="module")
def fib(tmp_path_factory):
    """samples/fib.cilk with a scheduler of its own, built outside the tree."""
    folder = tmp_path_factory.mktemp("outside")
    for path in (ROOT / "samples/fib.cilk", HERE / (USERS + ".c")):
        (folder / path.name).write_text(path.read_text())
    compiled([CILKC, "build", "fib.cilk", USERS + ".c", "-O2", "-Wall", "-Wextra", "-o", "fib"], cwd=folder)
    return folder / "fib"


def test_the_list_names_them_all(fib):
    """A name that there is not is told the same ones."""
    result = command([fib, "--sched=list"])
    names = [line.split()[0] for line in result.out.splitlines()]
    assert result.status == 0 and set(OWN + [USERS, "replay", "pct", "record:FILE"]) == set(names), str(result)
    result = command([fib, "--sched=fair"])
    assert result.status == 1 and result.err.splitlines()[0].endswith("there is no scheduler 'fair', but " + ", ".join(names)), str(result)


@pytest.mark.parametrize("words", [["--sched=" + USERS], ["--sched", USERS + ":1"], ["-sched=central"], ["-sched", "lastvictim"]])
def test_a_scheduler_is_chosen(fib, words):
    result = command([fib] + words + ["--nproc", "2", "20"])
    assert result.status == 0 and "6765" in result.out and "fatal" not in result.err, str(result)


@pytest.mark.parametrize("words, message", [
    (["--sched=fair"], "there is no scheduler 'fair', but favourite, "),
    (["--sched=fair:7"], "there is no scheduler 'fair', but "),
    (["--sched="], "there is no scheduler '', but "),
    (["--sched=stea"], "there is no scheduler 'stea', but "),
    (["--sched=steal:7"], "scheduler 'steal': it takes no options"),
    (["--sched=central:7"], "scheduler 'central': it takes no options"),
    (["--sched"], "argument missing"),
])
def test_errors_of_the_option(fib, words, message):
    result = command([fib] + words)
    assert result.status == 1 and result.out == "" and "Bad option argument for -sched: " in result.err and message in result.err, str(result)


def test_the_worked_example_is_the_one_of_the_manual():
    """docs/schedulers.md shows tests/sched/favourite.c, which is not longer than it says."""
    text = (HERE / (USERS + ".c")).read_text()
    shown = re.findall(r"^```c\n(.*?)^```", (ROOT / "docs/schedulers.md").read_text(), re.M | re.S)
    assert text in shown and len(text.splitlines()) <= 40


def test_schedulers_of_the_runtime_use_the_interface_only():
    for path in sorted((ROOT / "rt" / "sched").glob("*.c")):
        assert re.findall(r'^#include "', path.read_text(), re.M) == [], path.name


def test_an_older_interface_is_refused(tmp_path):
    (tmp_path / "old.c").write_text("#include <cilk-sched.h>\nstatic const Cilk_scheduler old = { CILK_SCHED_VERSION - 1, \"old\" };\nCILK_SCHEDULER(old)\n")
    compiled([CILKC, ROOT / "samples/fib.cilk", "old.c", "-o", "fib"], cwd=tmp_path)
    result = command([tmp_path / "fib", "10"])
    assert result.status == 1 and re.search(r"scheduler 'old' was made for version (\d+) of <cilk-sched.h>, this runtime has version (\d+)", result.err), str(result)
