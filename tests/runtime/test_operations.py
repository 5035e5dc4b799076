"""Every scheduler with every operation of computations: start and wait, cancel, nested schedulers, forks by workers and
by other threads, calls from C, engines, aborts (sched/operations.cilk).

CILKC_TIMES=200 repeats each operation so often in one process. `make soak-schedulers TIMES=200` does that beside
busy processes.
"""

import itertools
import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT, STRATEGIES, command, maker

pytestmark = pytest.mark.tier("test")

SCHEDULERS = re.findall(r"^CILK_SCHED\((\w+)\)", (ROOT / "rt" / "extensions" / "sched" / "sched.def").read_text(), re.M)
SOURCE = (ROOT / "tests" / "sched" / "operations.cilk").read_text()
OPERATIONS = ("start", "cancel", "with", "fork", "fork-in", "calls", "engine", "abort")
TIMES = int(os.environ.get("CILKC_TIMES", "1"))
BUSY = int(os.environ.get("CILKC_BUSY", "0"))                # processes that keep the machine busy meanwhile
HANG = 300 + 10 * TIMES                                     # seconds; an operation takes some milliseconds


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("operations"))


@pytest.fixture(scope="module", autouse=True)
def load():
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    yield
    for process in busy:
        process.kill()
        process.wait()


def test_all_are_tried():
    assert len(SCHEDULERS) >= 6
    assert set(OPERATIONS) == set(re.findall(r'\{ "([\w-]+)", \w+ \}', SOURCE))
    named = re.search(r"schedulers\[\] = \{(.*?)\}", SOURCE).group(1)
    assert {name.partition(":")[0] for name in re.findall(r'"([^"]+)"', named)} == set(SCHEDULERS)


@pytest.mark.parametrize("scheduler,strategy", itertools.product(SCHEDULERS, STRATEGIES))
def test_operations(program, scheduler, strategy):
    """Operations and numbers of workers by turns; all of them where each is repeated."""
    turn = SCHEDULERS.index(scheduler) + STRATEGIES.index(strategy)
    for i, operation in enumerate(OPERATIONS):
        for workers in (1, 2, 4) if TIMES > 1 else ((1, 2, 4)[(turn + i) % 3],):
            slice_ = ":100us" if scheduler in ("roundrobin", "proportional") else ""
            words = [program("operations", strategy), "--nproc", workers, "--sched=" + scheduler + slice_, operation,
                     TIMES]
            result = command(words, timeout=HANG)
            assert result.status == 0 and result.out == operation + ": right\n" and result.err == "", str(result)


@pytest.mark.parametrize("seed,strategy", itertools.product(range(1, 5), STRATEGIES))
def test_forks_where_accesses_are_turns(program, seed, strategy):
    """The child gave the turn to a worker that only its parent has, or met a closure's lock that such a worker held."""
    words = [program("operations", strategy, "-cilk-debug"), "--sched=replay:%d:4" % seed, "--force-steal", "random"]
    result = command(words + ["fork-in", 1], timeout=HANG)
    assert result.status == 0 and result.out == "fork-in: right\n" and result.err == "", str(result)
