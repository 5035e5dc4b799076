"""Engines (Cilk_engine of <cilk-start.h>): computations that run while they have fuel, and then only. engines.cilk
checks itself."""

import itertools
import os

import pytest

from conftest import CILKC, STRATEGIES, command, in_all_forms, maker
from test_sched import OWN

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("engines"))


HANG = 300                                                  # seconds; it takes a fraction of one


def done(words, **env):
    result = command(words, timeout=HANG, env=env)
    assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)


@pytest.mark.sample(12)
@pytest.mark.parametrize("strategy,workers,inside,flags", itertools.product(STRATEGIES, (1, 2, 4), OWN, ((), ("-cilk-debug",))))
def test_engines_run_on_their_fuel(program, strategy, workers, inside, flags):
    """The checked build counts closures that are left over."""
    done([program("engines", strategy, *flags), "--nproc", workers, inside, 2, 22])


@pytest.mark.sample(6)
@pytest.mark.parametrize("strategy,outer", itertools.product(STRATEGIES, ("central", "gang", "roundrobin:50us", "proportional:50us")))
def test_engines_in_each_scheduler(program, strategy, outer):
    done([program("engines", strategy), "--sched=" + outer, "--nproc", 2, "steal", 2, 22])


@pytest.mark.parametrize("strategy,forced", itertools.product(STRATEGIES, ("always", "random")))
def test_engines_whose_pieces_are_all_stolen(program, strategy, forced):
    done([program("engines", strategy), "--force-steal", forced, "--nproc", 2, "steal", 2, 12])


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,policy", itertools.product(STRATEGIES, ("replay", "pct")))
def test_the_same_each_time_in_a_replay(program, strategy, policy):
    for seed in range(1, 9):
        words = [program("engines", strategy, "-cilk-debug"), "--sched=%s:%d:%d" % (policy, seed, 1 + seed % 3),
                 "--stats", "6", "steal", 1, 8]
        result, again = command(words, timeout=HANG), command(words, timeout=HANG)
        assert result.status == 0 and result.out == "done\n" and result.err == again.err, str(result)


@pytest.mark.sample(12)
@pytest.mark.parametrize("strategy,workers,inside,flags", itertools.product(STRATEGIES, (1, 2, 4), OWN, ((), ("-cilk-debug",))))
def test_engines_that_wait_keep_to_their_fuel(program, strategy, workers, inside, flags):
    done([program("waits", strategy, *flags), "--nproc", workers, inside, 1, 12])


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,outer", itertools.product(STRATEGIES, ("central", "gang", "roundrobin:50us", "proportional:50us")))
def test_engines_that_wait_in_each_scheduler(program, strategy, outer):
    done([program("waits", strategy), "--sched=" + outer, "--nproc", 2, "steal", 1, 12])


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,outer", itertools.product(STRATEGIES, ("central", "gang", "roundrobin:50us", "proportional:50us")))
def test_engines_that_wait_where_no_worker_steals(program, strategy, outer):
    """These schedulers give fibers to any worker even then."""
    done([program("waits", strategy), "--sched=" + outer, "--force-steal", "never", "--nproc", 4, "steal", 1, 9])


@pytest.mark.parametrize("strategy,forced", itertools.product(STRATEGIES, ("always", "random", "never")))
def test_engines_that_wait_and_whose_pieces_are_all_stolen(program, strategy, forced):
    done([program("waits", strategy), "--force-steal", forced, "--nproc", 2, "steal", 1, 9])


@pytest.mark.parametrize("strategy,policy", itertools.product(STRATEGIES, ("replay", "pct")))
def test_engines_that_wait_in_a_replay(program, strategy, policy):
    for seed in range(1, 4):
        done([program("waits", strategy, "-cilk-debug"), "--sched=%s:%d:%d" % (policy, seed, 1 + seed % 3), "steal", 1,
              7])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_engines_that_wait_under_asan(program, strategy):
    done([program("waits", strategy, "-fsanitize=address"), "--nproc", 2, "steal", 1, 9])


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,fault", itertools.product(STRATEGIES, ("yield:1/10", "delay:1/3")))
def test_a_driver_is_called_while_it_enters_a_seat(program, strategy, fault):
    """Its wait is at an end while the worker's fields are already those of the seat's stack. The threads lose time at
    shared accesses, so the two meet."""
    for workers, rounds in ((1, 60), (2, 200)):
        done([program("called", strategy, "-cilk-debug"), "--nproc", workers, rounds], CILK_FAULT=fault + ",seed=1")


SMALL = """#include <cilk-start.h>
#include <stdio.h>
cilk int seven(int n) { int x; if (!n) return 7; x = spawn seven(n - 1); sync; return x; }
extern int EXPORT(seven)(CilkContext *const, int);
cilk int main(void)
{
  int r = 0, what;
  Cilk_computation *c = Cilk_engine("gang", 2, seven, 5);
  while ((what = Cilk_engine_run(c, 1000000, &r)) == CILK_ENGINE_STOPPED)
    ;
  printf("%d %d\\n", what, r);
  return 0;
}
"""


def test_the_serial_forms_run_them_to_their_ends(tmp_path):
    in_all_forms(SMALL, "1 7\n", tmp_path)
    raced = command([CILKC, "race", "p.cilk"], cwd=tmp_path)
    assert raced.status == 0 and "1 7\n" in raced.out, str(raced)


def test_a_record_runs_them_to_their_ends(tmp_path):
    (tmp_path / "p.cilk").write_text(SMALL)
    assert command([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path).status == 0
    for words in (["--sched=record:r", "--nproc", "2"], ["--sched=replay:r"], ["--sched=replay:r:1"]):
        result = command(["./p"] + words, cwd=tmp_path)
        assert result.status == 0 and result.out == "1 7\n", str(result)


def test_what_is_no_engine_is_refused(tmp_path):
    (tmp_path / "p.cilk").write_text(SMALL.replace('Cilk_engine("gang", 2, seven, 5)', "Cilk_start(seven, 5)"))
    assert command([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path).status == 0
    result = command(["./p"], cwd=tmp_path)
    assert result.status != 0 and "Cilk_engine_run needs an engine made by Cilk_engine" in result.err, str(result)


@pytest.mark.parametrize("strategy,workers,inside,kind", itertools.product(STRATEGIES, (2, 4), ("steal", "gang"), ("engine", "with")))
def test_workers_come_to_procedures_that_wait_for_each_other(program, strategy, workers, inside, kind):
    """A worker that sat down in an engine stayed the watcher, so no sleeping worker looked for what was pushed there."""
    result = command([program("meetings", strategy), "--nproc", workers, kind, inside, workers], timeout=HANG)
    assert result.out == "%d of %d met\n" % (workers, workers), str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_worker_finds_its_way_back_to_a_stack_that_it_has_set_aside(program, strategy):
    """It slept for ever once it had been called back in vain, unless it was the watcher."""
    busy = min(len(os.sched_getaffinity(0)), 16)
    for _ in range(4):
        result = command([program("due", strategy), "--nproc", 2 * busy + 6, busy], timeout=60)
        assert result.out == "4 finished\n", str(result)


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (2, 4)))
def test_a_worker_that_rests_comes_back_to_a_stack_that_it_has_set_aside(program, strategy, workers):
    result = command([program("rests", strategy), "--nproc", workers, "--elastic", workers], timeout=HANG)
    assert result.status == 0 and result.out == "8\n" and result.err == "", str(result)
