"""OpenCilk's spelling: each program of tests/opencilk prints what its elision prints, compiled by gcc with <cilk/cilk_stub.h> before it.

It runs with both spawn strategies, with 1, 2 and 4 workers and with forced steals. argv is the program's own, so options come by CILK_OPTIONS.
"""

import pytest

from conftest import CILKC, ROOT, STRATEGIES, Notes, built, command, files
from tiers import crossed

pytestmark = pytest.mark.tier("check")
HERE = ROOT / "tests" / "opencilk"
PROGRAMS = files("tests/opencilk/*.c")
STUB = ROOT / "stdlib" / "cilk" / "cilk_stub.h"
SETTINGS = [("1", ""), ("2", ""), ("4", ""), ("1", "--force-steal always"), ("2", "--force-steal random"),
            ("4", "--force-steal random"), ("8", "--sched=replay:5"), ("3", "--sched=pct:2")]


def elision(path):
    return built(["gcc", "-std=gnu17", "-O1", "-w", "-include", STUB, "-idirafter", ROOT / "stdlib", path, *Notes(path).flags, "-lm"])


def run(program, workers, options="", **environment):
    return command([program], env=dict(environment, CILK_NWORKERS=workers, CILK_OPTIONS=options))


@pytest.mark.parametrize("path, spawn", crossed(PROGRAMS, STRATEGIES))
def test_equals_elision(path, spawn):
    expected = command([elision(path)])
    assert expected.status == 0, str(expected)
    program = built([CILKC, "-fopencilk", "-O2", "--spawn=" + spawn, path, *Notes(path).flags, "-lm"])
    for workers, options in SETTINGS:
        result = run(program, workers, options)
        assert (result.status, result.out, result.err) == (0, expected.out, ""), str(result)


@pytest.mark.parametrize("path, level", crossed(PROGRAMS, ["-O0", "-O3"], "test", "all"))
def test_other_levels(path, level):
    program = built([CILKC, "-fopencilk", level, "-g", path, *Notes(path).flags, "-lm"])
    result = run(program, "2", "--force-steal random")
    assert (result.status, result.out, result.err) == (0, command([elision(path)]).out, ""), str(result)


@pytest.mark.parametrize("path", PROGRAMS)
def test_the_serial_form(path):
    program = built([CILKC, "-fopencilk", "--serial", "-O1", path, *Notes(path).flags, "-lm"])
    assert command([program]).out == command([elision(path)]).out
