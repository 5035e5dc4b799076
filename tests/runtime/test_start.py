"""Computations of their own (<cilk-start.h>): results, fair shares, cancelling. What is a matter of time is tried in a
replay, whose clock counts steps."""

import itertools
import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled, maker

pytestmark = pytest.mark.tier("check")

SCHEDULERS = ["steal", "central", "lastvictim", "roundrobin", "roundrobin:50us", "proportional:50us"]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("start"))


def counts(result):
    assert result.status == 0 and result.err == "", str(result)
    return [int(word) for word in result.out.split()]


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (1, 2)))
def test_round_robin_is_fair(program, strategy, workers):
    """Eight computations; slices of a fortieth of the time that each has."""
    found = counts(command(
        [program("fair", strategy), "--sched=roundrobin:20us", "--sched=replay:1:%d" % workers, "6"] + ["1"] * 8
    ))
    mean = sum(found) / 8
    assert mean > 500 and all(abs(n - mean) < 0.05 * mean for n in found), found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_lone_computation_is_not_interrupted(tmp_path, strategy):
    """At the end of a slice no computation enters the runtime if no other one waits. Code whose rare branches were
    never taken is faster."""
    compiled([CILKC, "-O2", "--spawn=" + strategy, ROOT / "samples/fib.cilk", "-o", "fib"], cwd=tmp_path)
    result = command([tmp_path / "fib", "--nproc", "1", "--sched=roundrobin:50us", "--stats", "6", "34"])
    assert (
        result.status == 0
        and "STATISTICS" in result.err
        and not re.search(r"^ *(Ex/Other|Exceptions|Releases?) ", result.err, re.M)
    ), str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_proportional_goes_by_weight(program, strategy):
    weights = [1, 2, 3, 4, 10]
    found = counts(
        command([program("fair", strategy), "--sched=proportional:10us", "--sched=replay:1:1", "25"] + weights)
    )
    whole = sum(found) / sum(weights)
    assert whole > 100 and all(abs(n - w * whole) < 0.12 * w * whole for n, w in zip(found, weights)), found


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (1, 2, 4)))
def test_inlets_belong_to_their_procedures_computation(program, strategy, workers):
    for forced in ("never", "always"):
        result = command([program("inlets", strategy), "--nproc", workers, "--force-steal", forced, 10])
        assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_is_saved_up(program, strategy):
    """A computation that comes later gets its share from then on, and nothing for the time before."""
    most = 300
    found = counts(
        command([program("cases", strategy), "--sched=proportional:10us", "--sched=replay:1:1", "saved", most])
    )
    assert most / 2 < found[0] < most * 2, found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_without_slices_the_first_keep_the_workers(program, strategy):
    """So what makes it fair is the preemption."""
    found = counts(command([program("fair", strategy), "--sched=replay:1:1", "6"] + ["1"] * 8))
    assert sum(n > 0 for n in found) < 8, found


@pytest.mark.sample(6, "test", 3)
@pytest.mark.parametrize("scheduler,strategy,workers,flags", itertools.product(SCHEDULERS, STRATEGIES, (1, 2, 4), ((), ("-cilk-debug",))))
def test_results_and_cancelling(program, scheduler, strategy, workers, flags):
    """started.cilk checks itself; the checked build counts closures that are left over."""
    result = command(
        [program("started", strategy, *flags), "--sched=" + scheduler, "--nproc", workers, "8"]
        + ["slices"] * ("us" in scheduler or "round" in scheduler)
    )
    assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy,workers,scheduler", itertools.product(STRATEGIES, (1, 2, 4), ("steal", "roundrobin:50us")))
def test_a_cancelled_computation_starts_nothing(program, strategy, workers, scheduler):
    """What it still starts, before it notices, is cancelled, too."""
    words = [program("cases", strategy), "--sched=" + scheduler, "--nproc", workers, "stubborn"]
    assert counts(command(words)) == [0]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_waiting_worker_leaves_what_it_runs(program, strategy):
    """The worker that waits runs a computation without end, and leaves that at its next pop when it has what it waits
    for."""
    assert counts(command([program("cases", strategy), "--nproc", 2, "leaves"])) == [7]


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (1, 2)))
def test_a_cleanup_after_the_end(program, strategy, workers):
    assert counts(
        command([program("cases", strategy), "--sched=roundrobin:50us", "--nproc", workers, "cleanup"])
    ) == [11]


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (1, 2)))
def test_deadlines_of_what_is_over(program, strategy, workers):
    assert counts(command([program("cases", strategy), "--nproc", workers, "deadlines", "200"])) == [201]


@pytest.mark.parametrize("strategy,scheduler", itertools.product(STRATEGIES, ("steal", "roundrobin:20us")))
def test_in_replays(program, strategy, scheduler):
    for seed in (1, 2, 3):
        words = [program("started", strategy), "--sched=" + scheduler, "--sched=replay:%d:3" % seed, "--stats", "6",
                 "2"] + ["slices"] * ("round" in scheduler)
        result, again = command(words), command(words)
        assert result.status == 0 and result.out == "done\n" and result.err == again.err, str(result)


def test_the_elision(tmp_path):
    """It calls what is started; nothing is cancelled."""
    (tmp_path / "p.cilk").write_text("""#include <cilk-start.h>
#include <stdio.h>
cilk int twice(int n) { return 2 * n; }
extern int EXPORT(twice)(CilkContext *const, int);
cilk int main(void)
{
  int r = 0, whole;
  Cilk_computation *c = Cilk_start(twice, 21);
  whole = Cilk_wait(c, &r);
  printf("%d %d\\n", whole, r);
  return 0;
}
""")
    compiled([CILKC, "elide", "p.cilk", "-o", "p.c"], cwd=tmp_path)
    compiled(["gcc", "-std=gnu17", "-I%s" % (ROOT / "stdlib"), "p.c", "-o", "elision"], cwd=tmp_path)
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    assert command([tmp_path / "elision"]).out == command([tmp_path / "p"]).out == "1 42\n"


@pytest.mark.parametrize("spec", ["roundrobin:5", "roundrobin:1us", "proportional:ms", "roundrobin:-1ms", "roundrobin:2000s", "roundrobin:10 ms"])
def test_slices_that_are_none(program, spec):
    result = command([program("started", "lazy"), "--sched=" + spec])
    assert result.status == 1 and "a time is a number and a unit" in result.err, str(result)
