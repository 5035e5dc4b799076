"""Every Cilk program of tests/run and samples/: parallel runs must print what the elision prints.

Each is built with both spawn strategies and run at --nproc 1, 2 and 4, those of tests/run with forced steals.
The reference is the program's elision, compiled by gcc; where there is none (C programs that call Cilk, threads of
Cilk-1), NAME.expected beside the test, of samples in tests/samples.
"""

import pytest

from conftest import ROOT, STRATEGIES, Notes, command, files, program_of, reference
from tiers import crossed

pytestmark = pytest.mark.tier("check")
PROGRAMS = files("tests/run/*.cilk", "tests/run/*.cilk1", "samples/*.cilk", "samples/*.cilk1")


def runs_like_its_reference(path, program, options, folder):
    """The program with these options of the runtime has the status and the output of its reference."""
    notes = Notes(path)
    status, out = reference(path)
    result = command([program] + options + notes.args, stdin=notes.stdin, cwd=folder)
    assert result.status == status, "expected exit status %d\n%s" % (status, result)
    if not notes.nondet:
        assert result.out == out, "output differs from the elision's:\n%s\n%s" % (out, result)


def settings(path):
    """Numbers of workers; for tests of one feature with steals where chance would hardly bring one."""
    forced = [["--nproc", "1", "--force-steal", "always"], ["--nproc", "2", "--force-steal", "random"]]
    return [["--nproc", "1"], ["--nproc", "4"]] + (forced if path.parent.name == "run" else [["--nproc", "2"]])


@pytest.mark.sample(4)
@pytest.mark.parametrize("path, spawn", crossed(PROGRAMS, STRATEGIES, one_in=16))
def test_equals_elision(path, spawn, tmp_path):
    program = program_of(path, "-O2", "--spawn=" + spawn)
    for options in settings(path):
        runs_like_its_reference(path, program, options, tmp_path)


@pytest.mark.sample(8, "all")
@pytest.mark.parametrize("path, level", crossed(files("tests/run/*.cilk", "tests/run/*.cilk1"), ["-O0", "-O3"], "test", "all"))
def test_other_levels(path, level, tmp_path):
    runs_like_its_reference(path, program_of(path, level, "-g"), ["--nproc", "2"], tmp_path)


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", files("samples/*.cilk", "samples/*.cilk1"))
def test_a_sample_says_how_it_is_used(path):
    """samples/README.md: -h lists the sizes, and arguments that make no sense are an error of their own."""
    program = program_of(path, "-O2", "--spawn=" + STRATEGIES[0])
    asked, wrong = command([program, "-h"]), command([program, "nonsense"])
    assert "usage: " in asked.out + asked.err, str(asked)
    assert (wrong.status, wrong.out) == (2, "") and wrong.err, str(wrong)


def test_there_are_samples():
    assert len(list((ROOT / "samples").glob("*.cilk"))) >= 6
