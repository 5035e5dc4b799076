"""Reducers: views are made where strands are parted, and joined in the order of the elision (rt/views, PROTOCOLS.md, section 17).

`views/trees.cilk` makes random trees, whose reducers are all sensitive to order. Steals are forced by seeded schedules, which let another worker go on at any pop or test.
"""

import itertools
import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, TESTS, built, command, elision_of

pytestmark = pytest.mark.tier("check")

TREES, HEADERS = TESTS / "views" / "trees.cilk", TESTS / "views" / "headers.cilk"


def expected(*args):
    result = command([elision_of(TREES, "-idirafter", str(ROOT / "stdlib"), str(TESTS / "views" / "elision.c")), *args])
    assert result.status == 0 and "made 0" in result.err, str(result)
    return result.out


def made(program, words, args):
    """How many views a run made, which prints what the elision prints."""
    result = command([program, *words, *args])
    assert result.status == 0 and result.out == expected(*args), str(result)
    return int(re.search(r"made (\d+)", result.err).group(1))


def trees(strategy, *flags):
    return built([CILKC, "--spawn=" + strategy, "-O2", *flags, TREES])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("mode", ["replay", "pct"])
def test_views_are_joined_in_the_order_of_the_elision(strategy, mode):
    total = 0
    for seed, workers, reducers in itertools.product((1, 2, 3, 4), (2, 4), (1, 9, 2000)):
        total += made(trees(strategy), ["--sched=%s:%d:%d" % (mode, seed, workers)], [seed, 9, reducers])
    assert total > 1000, total


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_hundred_thousand_views(strategy):
    assert made(trees(strategy), ["--sched=replay:5:16"], [5, 17, 2000]) > 100000


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_worker_makes_no_views(strategy):
    """No strand is parted where nothing is stolen. With forced steals the child has returned before its parent goes on, so its views are there."""
    for force in ("never", "random", "always"):
        assert made(trees(strategy), ["--nproc", 1, "--force-steal", force], [6, 9, 9]) == 0
    for workers in (2, 4):
        made(trees(strategy), ["--nproc", workers], [7, 14, 50])
        made(trees(strategy), ["--nproc", workers, "--force-steal", "random"], [7, 9, 50])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_checks_of_the_debug_build(strategy):
    for seed in (1, 2):
        made(trees(strategy, "-cilk-debug"), ["--sched=replay:%d:4" % seed], [seed, 8, 9])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_replay_makes_the_same_views(strategy, tmp_path):
    program, args = trees(strategy), [6, 11, 50]
    for _ in range(2):
        first = command([program, "--nproc", 4, "--sched=record:r", *args], cwd=tmp_path)
        again = command([program, "--sched=replay:r:2", *args], cwd=tmp_path)
        assert (first.status, first.out) == (0, expected(*args)) and (again.status, again.out, again.err) == (0, first.out, first.err), str(again)


INSIDE = """
#include <cilk/hyperobject_base.h>
#include <stdio.h>
#include <stdlib.h>

static long a, b, begun;

static void reduce(void *l, void *r) { *(long *)l += *(long *)r; *CILK_VIEW(b, 0, 0) += REDUCE; }
static void identity(void *v) { *(long *)v = *CILK_VIEW(b, 0, 0) + 1; }

cilk void child(void) { while (!__atomic_load_n(&begun, __ATOMIC_SEQ_CST)) ; }

cilk int main(void) {
  spawn child();
  *CILK_VIEW(a, IDENTITY, reduce) += 1;      /* on the thief */
  __atomic_store_n(&begun, 1, __ATOMIC_SEQ_CST);
  sync;
  return 0;
}
"""


@pytest.mark.parametrize("words", ["-DREDUCE=1 -DIDENTITY=0", "-DREDUCE=0 -DIDENTITY=identity"], ids=["reduce", "identity"])
def test_a_lookup_inside_of_reduce_or_identity_is_an_error(words, tmp_path):
    (tmp_path / "t.cilk").write_text(INSIDE)
    result = command([built([CILKC, *words.split(), "--spawn=eager", tmp_path / "t.cilk"]), "--nproc", 2])
    assert result.status == 1 and "fatal error: a reducer was used inside of an identity or reduce function" in result.err, str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_headers_of_reducers(strategy):
    """All of <cilk/...>, and Cilk Plus' macros: what gcc's build of the elision prints, which has no runtime."""
    wanted = command([elision_of(HEADERS, "-idirafter", str(ROOT / "stdlib"))])
    assert wanted.status == 0 and wanted.out.count("\n") > 50, str(wanted)
    program = built([CILKC, "--spawn=" + strategy, "-O2", HEADERS])
    for words in ["--nproc 1", "--nproc 4", *("--sched=replay:%d:%d" % (seed, workers) for seed in (1, 2, 3, 4) for workers in (2, 16))]:
        result = command([program, *words.split()])
        assert (result.status, result.out, result.err) == (0, wanted.out, ""), str(result)
