"""--sched=replay and --sched=pct (docs/schedulers.md): one seed, one order; a run that ends badly says how it is
repeated."""

import itertools
import re
import shlex

import pytest

from conftest import CILKC, STRATEGIES, TESTS, command, compiled, maker

pytestmark = pytest.mark.tier("check")

LEAVES = [64 * i for i in range(1, 41)]                     # what order.cilk's children return


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    make = maker(tmp_path_factory.mktemp("replay"))
    return lambda strategy, *flags, name="order": make(name, strategy, *flags)


def orders(result, workers):
    """The children in the order of their inlets; each delivered once, on a worker that exists."""
    assert result.status == 0 and result.err == "", str(result)
    found = [divmod(int(word), 100) for word in result.out.split()]
    assert sorted(number for number, _ in found) == LEAVES and {worker for _, worker in found} <= set(
        range(workers)
    ), str(result)
    return [number for number, _ in found]


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,mode,workers,flags", list(itertools.product(STRATEGIES, ("replay", "pct"), (1, 2, 4, 16, 64), ((),)))
                         + list(itertools.product(STRATEGIES, ("replay", "pct"), (2, 4), (("-cilk-debug",),))))
def test_one_seed_is_one_order(program, strategy, mode, workers, flags):
    """Output, statistics of every worker, and the clock of the replay are equal."""
    for seed in (1, 2, 3):
        words = [program(strategy, *flags), "--sched=%s:%d:%d" % (mode, seed, workers), "--stats", "6"]
        runs = [command(words) for _ in range(2)]
        assert (
            len({run.out for run in runs}) == 1 and len({run.err for run in runs}) == 1 and runs[0].status == 0
        ), "\n".join(map(str, runs))
        assert "Wall-clock running time on %d processor" % workers in runs[0].err


@pytest.mark.parametrize("strategy,mode", itertools.product(STRATEGIES, ("replay:%d:4", "pct:%d:4:6:4000")))
def test_another_seed_is_another_order(program, strategy, mode):
    found = {tuple(orders(command([program(strategy), "--sched=" + mode % seed]), 4)) for seed in range(12)}
    assert len(found) > 3 and any(list(order) != LEAVES for order in found), found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_depth_is_how_often_the_running_worker_is_demoted(program, strategy):
    """Without such steps two workers have two orders, by their priorities; with some, many, and after the last step
    any."""
    found = [
        len({command([program(strategy), "--sched=pct:%d:2:%d:%d" % (seed, depth, steps)]).out for seed in range(16)})
        for depth, steps in ((1, 1000000), (16, 20000), (1, 10))
    ]  # it makes more than 10,000
    assert found[0] <= 2 and found[1] > 8 and found[2] > 8, found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_program_whose_end_another_worker_brings_ends_under_pct(tmp_path, strategy):
    """Priorities are not fair: an endless search with the highest would go on for ever, were it not for what comes
    after the last step."""
    compiled([CILKC, "build", "-DDEPTH=16", "--spawn=" + strategy, TESTS / "scheduler" / "endless-search.cilk", "-o",
              tmp_path / "p"])
    for seed in (1, 2, 3):
        result = command([tmp_path / "p", "--sched=pct:%d:3:3:500" % seed])
        assert result.status == 0 and "began" not in result.out, str(result)


HELD = """
#include <cilk.h>
#include <stdio.h>
Cilk_lockvar l;
static int sum;
cilk void nothing(void) {}
cilk void add(int depth)
{
  if (depth) {
    spawn add(depth - 1);
    spawn add(depth - 1);
    sync;
    return;
  }
  Cilk_lock(l);
  int before = sum;
  spawn nothing();
  sum = before + 1;
  Cilk_unlock(l);
  sync;
}
cilk int main(void) { Cilk_lock_init(l); spawn add(4); sync; printf("%d\\n", sum); return 0; }
"""


@pytest.mark.tier("test")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_worker_that_waits_for_a_lock_passes_its_turn(strategy, tmp_path):
    """Its holder stopped at a spawn: it has the lock, and not the turn."""
    (tmp_path / "p.cilk").write_text(HELD)
    compiled([CILKC, "--spawn=" + strategy, tmp_path / "p.cilk", "-o", tmp_path / "p"])
    for spec in ("replay:1:4", "replay:2:4", "pct:1:4:6:100"):
        result = command([tmp_path / "p", "--sched=" + spec], timeout=60)
        assert (result.status, result.out, result.err) == (0, "16\n", ""), str(result)


def test_one_worker_keeps_the_elisions_order(program):
    assert orders(command([program("lazy"), "--sched=replay:5:1"]), 1) == LEAVES


@pytest.mark.parametrize("scheduler", ["steal", "central", "lastvictim"])
def test_under_each_scheduler(program, scheduler):
    for seed in (1, 2):
        words = [program("eager"), "--sched=" + scheduler, "--sched=replay:%d:3" % seed]
        assert orders(command(words), 3) == orders(command(words), 3)


@pytest.mark.sample(3)
@pytest.mark.parametrize("how,status", [("assert", 1), ("abort", -6), ("fault", -11), ("exit", 7), ("return", 9)])
@pytest.mark.parametrize("options", [["--sched=replay:3:4"], ["--sched", "replay", "--nproc", "3"], ["--sched=pct", "--nproc", "4", "--sched=central", "--"]], ids=" ".join)
def test_a_failure_says_how_it_is_repeated(program, how, status, options):
    """The command that is printed, given to a shell, ends in the same way with the same output."""
    failed = None
    for _ in range(40):                                     # a seed of its own each time, where none is given
        failed = command([program("eager")] + options + [how, "two words"])
        if failed.status:
            break
    assert failed.status == status, str(failed)
    lines = re.findall(r"^to repeat this run: (.*)$", failed.err, re.M)
    assert len(lines) == 1 and re.search(r"--sched=(replay:\d+:\d+|pct:\d+:\d+:\d+:\d+) ", lines[0]), str(failed)
    again = command(shlex.split(lines[0]))
    assert (again.status, again.out) == (failed.status, failed.out), str(again)


@pytest.mark.parametrize("spec,message", [
    ("replay:-1", "negative number"), ("replay:1:0", "number too small"), ("replay:1:65", "number too large"),
    ("replay:1:2:3", "too many numbers"), ("replay:", "not a number"), ("pct:1:2:0", "number too small"), ("pct:1:2:17", "number too large"),
    ("pct:1:2:3:4:5", "too many numbers"), ("replay:99999999999999999999999999", "number too large"), ("replays", "there is no scheduler 'replays'"),
    ("replays", "did you mean replay?"), ("centarl", "did you mean central?"), ("recrod:x", "did you mean record:FILE?"),
])
def test_errors(program, spec, message):
    result = command([program("lazy"), "--sched=" + spec])
    assert result.status == 1 and result.out == "" and message in result.err, str(result)


def test_too_many_workers(program):
    result = command([program("lazy"), "--sched=replay:1", "--nproc", "65"])
    assert result.status == 1 and "more than 64 workers" in result.err, str(result)


CLOCKS = """
#include <cilk-sched.h>
#include <stdio.h>
#include <time.h>
static unsigned long long system_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}
cilk int main(void)
{
    unsigned long long before = system_clock(), now = Cilk_now(), after = system_clock();
    printf("%llu\\n%d\\n", now, before <= now && now <= after);
    return 0;
}
"""


def test_the_clock_of_schedulers_is_the_systems_or_that_of_the_replay(tmp_path):
    (tmp_path / "clocks.cilk").write_text(CLOCKS)
    program = tmp_path / "clocks"
    compiled([CILKC, tmp_path / "clocks.cilk", "-o", program])
    runs = [command([program, *words]) for words in ([], ["--sched=replay:1"], ["--sched=replay:1"])]
    assert all(run.status == 0 for run in runs), "\n".join(map(str, runs))
    (_, real), (now, _), (again, _) = (run.out.split() for run in runs)
    assert real == "1" and now == again, "\n".join(map(str, runs))
