"""Every Cilk program of tests/run and samples/: parallel runs must print what the elision prints.

Each is built with both spawn strategies and run at --nproc 1, 2 and 4, those of tests/run with forced steals, too.  The reference is the program's
elision, compiled by gcc; where there is none (C programs that call Cilk, threads of Cilk-1), NAME.expected beside the test, of samples in tests/samples.
"""

import functools

import pytest

from conftest import CILKC, ROOT, STRATEGIES, TESTS, Notes, command, compiled, files, no_internal_error

PROGRAMS = files("tests/run/*.cilk", "tests/run/*.cilk1", "samples/*.cilk", "samples/*.cilk1")


@functools.lru_cache(maxsize=None)
def reference(path, folder):
    """(exit status, stdout) that the program must give."""
    notes = Notes(path)
    golden = path.with_suffix(".expected") if path.parent.name == "run" else TESTS / "samples" / (path.stem + ".expected")
    if golden.exists():
        return notes.exit or 0, golden.read_text()
    text = folder / "elision.c"
    program = folder / "elision"
    compiled([CILKC, "elide", "--standalone", path, "-o", text])
    compiled(["gcc", "-std=gnu17", "-O1", "-w", text, "-o", program, "-lm", "-lpthread"])
    result = command([program] + notes.args, stdin=notes.stdin, cwd=folder)
    return (notes.exit if notes.exit is not None else result.status), result.out


@pytest.fixture(scope="session")
def elisions(tmp_path_factory):
    """One folder for each program's elision: it is compiled once, for both strategies."""
    made = {}

    def folder(path):
        if path not in made:
            made[path] = tmp_path_factory.mktemp("elision")
        return made[path]
    return folder


@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("path", PROGRAMS)
def test_equals_elision(path, spawn, tmp_path, elisions):
    notes = Notes(path)
    notes.need()
    program = tmp_path / "program"
    also = [path.parent / name for name in notes.also]
    built = command([CILKC, "-O2", "--spawn=" + spawn, path] + also + notes.flags + ["-o", program], timeout=300)
    no_internal_error(built)
    assert built.status == 0, str(built)
    status, out = reference(path, elisions(path))
    runs = [["--nproc", "1"], ["--nproc", "2"], ["--nproc", "4"]]
    if path.parent.name == "run":                       # steals where chance would hardly bring one
        runs += [["--nproc", "1", "--force-steal", "always"], ["--nproc", "2", "--force-steal", "random"]]
    for options in runs:
        what = "%s, %s" % (spawn, " ".join(options))
        result = command([program] + options + notes.args, stdin=notes.stdin, cwd=tmp_path)
        assert result.status == status, "%s: expected exit status %d\n%s" % (what, status, result)
        if not notes.nondet:
            assert result.out == out, "%s: output differs from the elision's:\n%s\n%s" % (what, out, result)


@pytest.mark.parametrize("level", ["-O0", "-O3"])
@pytest.mark.parametrize("path", files("tests/run/*.cilk", "tests/run/*.cilk1"))
def test_other_levels(path, level, tmp_path, elisions):
    notes = Notes(path)
    notes.need()
    program = tmp_path / "program"
    also = [path.parent / name for name in notes.also]
    compiled([CILKC, level, "-g", path] + also + notes.flags + ["-o", program])
    status, out = reference(path, elisions(path))
    result = command([program, "--nproc", "2"] + notes.args, stdin=notes.stdin, cwd=tmp_path)
    assert result.status == status, str(result)
    if not notes.nondet:
        assert result.out == out, "output differs from the elision's:\n%s\n%s" % (out, result)


def test_there_are_samples():
    assert len(list((ROOT / "samples").glob("*.cilk"))) >= 6
