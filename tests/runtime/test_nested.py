"""Schedulers inside of schedulers (Cilk_with of <cilk-start.h>): results, cancelling through all of them, workers by
provision."""

import itertools
import os
import re
import shutil

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled, in_all_forms, maker
from test_sched import OWN

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "sched"
ROUNDS = os.environ.get("CILK_NESTED_ROUNDS", "60")        # the long run: 10000


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("nested"), "sched", HERE / "favourite.c")


@pytest.mark.sample(8, "test", 2)
@pytest.mark.parametrize("strategy,workers,scheduler,flags", itertools.product(STRATEGIES, (1, 2, 4), ("roundrobin:200us", "steal"), ((), ("-cilk-debug",))))
def test_gang_in_steal_in_another(program, strategy, workers, scheduler, flags):
    """nested.cilk checks itself: results, ends, what goes on running, memory; the checked build counts closures that
    are left over."""
    result = command(
        [program("nested", strategy, *flags), "--sched=" + scheduler, "--nproc", workers, ROUNDS, "8"], timeout=600
    )
    assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)


@pytest.mark.sample(12, "test", 3)
@pytest.mark.parametrize("strategy,outer,inner", itertools.product(STRATEGIES, ("steal", "central", "proportional:50us", "gang"), OWN + ["favourite"]))
def test_each_in_each(program, strategy, outer, inner):
    result = command([program("nested", strategy), "--sched=" + outer, "--nproc", 3, 8, 3, inner])
    assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)


@pytest.mark.parametrize("strategy,outer", itertools.product(STRATEGIES, ("steal", "roundrobin:20us")))
def test_in_replays(program, strategy, outer):
    for seed in (1, 2, 3):
        words = [program("nested", strategy), "--sched=" + outer, "--sched=replay:%d:3" % seed, "--stats", "6", "3",
                 "2"]
        result, again = command(words), command(words)
        assert result.status == 0 and result.out == "done\n" and result.err == again.err, str(result)


@pytest.mark.sample(8, "test", 3)
@pytest.mark.parametrize("strategy,scheduler,given", itertools.product(STRATEGIES, ("steal", "gang", "levels", "roundrobin:50us"), ((1, 3), (2, 2), (1, 1, 2))))
def test_workers_by_provision(program, strategy, scheduler, given):
    """No computation ever has more than it was given. In a replay all of them come to what they were given."""
    words = [program("provision", strategy), "--sched=steal"]
    result = command(words + ["--nproc", "4", scheduler] + list(given))
    assert result.status == 0 and all(int(had) <= may for had, may in zip(result.out.split(), given)), str(result)
    result = command(words + ["--nproc", "1", scheduler] + list(given))
    assert result.status == 0 and result.out.split() == ["1"] * len(given), str(result)


def most_inside(words, computation, env):
    """The most workers that were inside of the computation at a time, of 5 runs; of more where they were not all."""
    most = 0
    for k in range(60):
        result = command(words, env=env)
        assert result.status == 0, str(result)
        most = max(most, int(result.out.split()[computation]))
        if k >= 4 and most >= 3:
            break
    return most


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_all_that_was_given_is_used(program, strategy):
    words = [program("provision", strategy), "--nproc", "8", "steal", "1", "3"]
    assert most_inside(words, 1, {"CILK_PROCESSORS": "64"}) == 3


@pytest.mark.sample(8, "test", 2)
@pytest.mark.parametrize("strategy,scheduler", itertools.product(STRATEGIES, OWN))
def test_a_worker_that_has_left_comes_back_for_work(program, strategy, scheduler):
    """Pushes are silent while no worker of the team looks for work: idle workers of the team around it see them."""
    words = [program("provision", strategy), "--nproc", "8", scheduler, "3"]
    assert most_inside(words, 0, {"CILK_PROCESSORS": "64", "START_IS_LATE": "1"}) == 3


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,inner", itertools.product(STRATEGIES, ("steal", "central", "gang", "roundrobin:1ms")))
def test_an_outer_slice_ends_what_runs_inside(program, strategy, inner):
    """On one worker: what never ends inside of another scheduler is preempted by the outer one."""
    result = command(
        [program("cases", strategy), "--sched=roundrobin:50us", "--nproc", 1, "outer", 200, inner], timeout=300
    )
    assert result.status == 0 and result.out == "0\n" and result.err == "", str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_slice_has_its_own_length(program, strategy):
    """The clock ticks for the shortest; inside, two computations change places when their own slice is over. The clock
    of a replay counts steps."""
    words = [program("cases", strategy), "--sched=roundrobin:20us", "--sched=replay:1:1", "slices", 6000]
    long, short = (int(command(words + [inner]).out) for inner in ("roundrobin:200us", "roundrobin:20us"))
    assert 2 < long < short / 4, (long, short)


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (1, 2, 4)))
def test_the_barrier_of_a_gang(program, strategy, workers):
    result = command([program("barrier", strategy), "--nproc", workers, "gang", "20"])
    assert result.status == 0 and result.out == "0\n", str(result)


@pytest.mark.parametrize("strategy,workers,barrier", itertools.product(STRATEGIES, (2, 4), (0, 1)))
def test_a_child_of_a_worker_in_a_nested_scheduler(program, strategy, workers, barrier):
    """Another worker is in a seat there when the process is forked, and is not in the child: the child ends as the
    parent does."""
    result = command([program("lingers", strategy, "-cilk-debug"), "--nproc", workers, barrier])
    assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)


def test_errors(tmp_path, program):
    nested = program("nested", "lazy")
    for name, message in (
        ("fair", "Cilk_with: there is no scheduler 'fair', but "),
        ("steal:7", "Cilk_with: scheduler 'steal': it takes no options"),
    ):
        result = command([nested, "1", "1", name])
        assert result.status != 0 and message in result.err and result.out == "", str(result)


def test_an_order_of_a_whole_program_is_not_suggested_for_a_nested_scheduler(program):
    """A replay is of all workers."""
    result = command([program("nested", "lazy"), "1", "1", "replai"])
    assert result.status != 0 and "there is no scheduler 'replai', but " in result.err and "replay" not in result.err


def test_the_elision(tmp_path):
    in_all_forms("""#include <cilk-start.h>
#include <stdio.h>
cilk int seven(void) { return 7; }
extern int EXPORT(seven)(CilkContext *const);
cilk int main(void)
{
  int r = 0;
  Cilk_computation *c = Cilk_with("gang", 2, seven);
  int ended = Cilk_wait(c, &r);
  printf("%d %d\\n", ended, r);
  return 0;
}
""", "1 7\n", tmp_path)


def test_the_papers_table(tmp_path):
    result = command(
        [ROOT / "cilkc", "bench", "--table-schedulers", "--quick", "--workers", "2", "-o", tmp_path], timeout=600
    )
    assert result.status == 0, str(result)
    names = [line.split("|")[1].strip() for line in result.out.splitlines() if line.startswith("| ")]
    assert names == ["program", "raytracer", "barnes", "cilksort", "bitonic", "fib", "workers", "1", "2", "4",
                     "8"], str(result)
    assert (tmp_path / "schedulers.json").exists() and "1.066" in (tmp_path / "schedulers.md").read_text()


OUTSTANDING = """#include <cilk-start.h>
#include <stdio.h>
#include <stdlib.h>
cilk int one(int n) { return n; }
extern int EXPORT(one)(CilkContext *const, int);
cilk int main(int argc, char **argv)
{
  int n = atoi(argv[2]), kind = atoi(argv[3]), sum = 0, r;
  Cilk_computation **c = malloc(n * sizeof *c);
  for (int i = 0; i < n; i++)
    c[i] = kind == 1 ? Cilk_start(one, 1) : kind == 2 ? Cilk_engine(argv[1], 1, one, 1) : Cilk_with(argv[1], i % 3, one, 1);
  for (int i = 0; kind == 3 && i < n; i++)
    Cilk_cancel_after(c[i], 1000000000000 + i);
  for (int i = kind == 4 ? n : 0; i < n; i++)
    sum += Cilk_wait(c[i], &r);
  printf("%d\\n", sum);
  return 0;
}
"""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts the instructions")
@pytest.mark.sample(7, "test", 2)
@pytest.mark.parametrize("kind,scheduler", [("0", "gang"), ("0", "steal"), ("1", "steal"), ("2", "steal"), ("3", "roundrobin:100ms"), ("4", "steal")])
def test_ten_thousand_outstanding_ones_cost_what_each_costs(tmp_path, kind, scheduler):
    """Nested schedulers, computations, engines, deadlines, and computations without a wait: four times as many take at
    most 4.5 times the instructions."""
    (tmp_path / "p.cilk").write_text(OUTSTANDING)
    compiled([CILKC, "-O1", "p.cilk", "-o", "p"], cwd=tmp_path)
    count = {}
    for n in 1, 1000, 4000, 10000:
        done = command(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./p", "--nproc", "1", scheduler, n,
             kind],
            cwd=tmp_path,
            timeout=300,
        )
        assert done.status == 0 and done.out == "%d\n" % (0 if kind == "4" else n), str(done)
        count[n] = int(re.search(r"Collected : (\d+)", done.err)[1])
    small, middle, large = (count[n] - count[1] for n in (1000, 4000, 10000))
    assert middle < 4.5 * small and large < 11 * small, count
