"""tests/stress: random Cilk programs (generate.py) at several numbers of workers and forced-steal modes.

`make test` tries a few seeds; CILKC_STRESS=5000 tries that many, CILKC_STRESS=200:900 those from 200 up to 900.
"""

import os

import pytest

from conftest import CILKC, STRATEGIES, TESTS, command, compiled, module_of, no_internal_error

pytestmark = pytest.mark.tier("check")

generate = module_of(TESTS / "stress" / "generate.py")


def seeds():
    low, _, high = os.environ.get("CILKC_STRESS", "1:13").rpartition(":")
    return range(int(low or 1), int(high) + 1 if not low else int(high))


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", seeds())
def test_equals_elision(seed, tmp_path):
    source, elision = tmp_path / "program.cilk", tmp_path / "elision.c"
    source.write_text(generate.program(seed))
    elision.write_text(generate.program(seed, elision=True))
    compiled(["gcc", "-w", "-O1", elision, "-o", tmp_path / "elision"])
    expected = command([tmp_path / "elision"])
    assert expected.status == 0
    for spawn in STRATEGIES:
        program = tmp_path / spawn
        level = "-O%d" % (seed % 4)
        built = command([CILKC, level, "--spawn=" + spawn, source, "-o", program], timeout=300)
        no_internal_error(built)
        assert built.status == 0, str(built)
        for nproc in (1, 2, 4):
            for force in ("never", "random", "always"):
                result = command([program, "--nproc", nproc, "--seed", seed, "--force-steal", force])
                what = "generate.py %d, --spawn=%s %s --nproc %d --force-steal %s" % (seed, spawn, level, nproc, force)
                assert result.status == 0, "%s\n%s" % (what, result)
                assert result.out == expected.out, "%s: not the elision's output\n%s" % (what, result)
