"""What the runtime promises about scheduling, by counts: how late a result may be, what an abort leaves running, how
often pops ask the runtime."""

import itertools
import re

import pytest

from conftest import STRATEGIES, command, maker

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("scheduler"), "scheduler")


def counter(result, name):
    """The total in the row of that name of --stats."""
    rows = re.findall(r"^ *%s +(.*)$" % re.escape(name), result.err, re.M)
    return int(rows[-1].split()[-1]) if rows else 0


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,nproc,flags", itertools.product(STRATEGIES, (1, 2, 3, 4, 8), ((), ("-cilk-debug",))))
def test_an_endless_search_ends(program, strategy, nproc, flags):
    for seed in range(6):
        result = command([program("endless-search", strategy, *flags), "--nproc", nproc, "--seed", seed])
        assert result.status == 0 and result.out == "1\n" * 4, str(result)


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy,nproc,force", itertools.product(STRATEGIES, (2, 4, 8), ("random", "always")))
def test_an_abort_stops_what_runs(program, strategy, nproc, force):
    for seed in range(3):
        result = command(
            [program("endless-search", strategy, "-DDEPTH=10"), "--nproc", nproc, "--seed", seed, "--force-steal",
             force]
        )
        assert result.status == 0 and result.out == "1\n" * 4, str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_loop_of_leaves_seldom_asks_the_runtime(program, strategy):
    for nproc in (1, 2, 4):
        result = command([program("loop-of-leaves", strategy), "--nproc", nproc, "--stats", "6"])
        assert result.status == 0 and result.out == "500000\n", str(result)
        assert counter(result, "Exceptions") < 50000, str(result)


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (2, 64, 256)))
def test_one_worker_looks_for_work_however_many_sleep(program, strategy, nproc):
    """In a serial phase one of them wakes up, every millisecond at most after the first few times; the others sleep."""
    result = command([program("idle-workers", strategy), "--nproc", nproc, "--stats", "6", "serial", "300"])
    assert result.status == 0, str(result)
    wall = re.search(r"running time on .* = ([0-9.]+) (ms|s)$", result.err, re.M)
    milliseconds = float(wall[1]) * {"ms": 1.0, "s": 1000.0}[wall[2]]
    assert counter(result, "Woken") <= 3, str(result)
    assert 0 < counter(result, "Sleeps") < milliseconds + 50, str(result)
    assert counter(result, "Attempts") < 20000, str(result)


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (4, 64, 256)))
def test_what_can_be_stolen_wakes_few_workers(program, strategy, nproc):
    """A hundred times two short children after a phase with nothing to do: a few wake-ups each, not as many as there
    are workers."""
    result = command([program("idle-workers", strategy), "--nproc", nproc, "--stats", "6", "spawns", "100"])
    assert result.status == 0 and result.out == "200\n", str(result)
    assert counter(result, "Woken") < 1500, str(result)


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (2, 3, 64)))
def test_work_is_taken_after_everybody_has_gone_to_sleep(program, strategy, nproc):
    result = command([program("idle-workers", strategy), "--nproc", nproc, "pairs", "200"])
    assert result.status == 0 and result.out == "400\n", str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_all_workers_take_part_if_they_have_to(program, strategy):
    """Children that wait for each other need as many workers, though the machine may have fewer processors."""
    result = command([program("idle-workers", strategy), "--nproc", "24", "all", "24"])
    assert result.status == 0 and result.out == "24\n", str(result)
