"""Reducers: views are made where strands part, and joined in the order of the elision (rt/extensions/views,
PROTOCOLS.md, section 17).

`views/trees.cilk` makes random trees, whose reducers are all sensitive to order. Steals are forced by seeded
schedules, which let another worker go on at any pop or test.
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
    for seed, workers, reducers in itertools.product((1, 2), (2, 4), (1, 9, 2000)):
        total += made(trees(strategy), ["--sched=%s:%d:%d" % (mode, seed, workers)], [seed, 9, reducers])
    assert total > 1000, total


@pytest.mark.sample(2)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_hundred_thousand_views(strategy):
    assert made(trees(strategy), ["--sched=replay:5:16"], [5, 17, 2000]) > 100000


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_worker_makes_no_views(strategy):
    """No strand is parted where nothing is stolen. With forced steals the child has returned before its parent goes on,
    so its views are there."""
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
        assert (first.status, first.out) == (0, expected(*args)) and (again.status, again.out, again.err) == (
            0,
            first.out,
            first.err,
        ), str(again)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_reducers_in_procedures(strategy):
    """Reducers as receivers, in inlets, in blocks and through pointers, by the words of Cilk-5."""
    source = TESTS / "views" / "procedures.cilk"
    wanted = command([elision_of(source)])
    assert wanted.status == 0 and wanted.out.startswith("144 "), str(wanted)
    program = built([CILKC, "--spawn=" + strategy, "-O2", "-Werror", source])
    for words in [
        "--nproc 1",
        "--nproc 4",
        "--nproc 2 --force-steal random",
        *("--sched=%s:%d:4" % (mode, seed) for mode in ("replay", "pct") for seed in (1, 2, 3)),
    ]:
        result = command([program, *words.split()])
        assert (result.status, result.out, result.err) == (0, wanted.out, ""), str(result)


MILLION = r"""
#include <stdio.h>
#include <stdlib.h>

/* A sequence by its length and hash: the order of its parts shows. */
typedef struct { unsigned long hash, power; } word;
static long made, reduced;
static void none(void *v) { *(word *)v = (word){ 0, 1 }; __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED); }
static void join(void *l, void *r) {
  word *a = l, *b = r;
  *a = (word){ a->hash * b->power + b->hash, a->power * b->power };
  __atomic_fetch_add(&reduced, 1, __ATOMIC_RELAXED);
}
enum { N = 4096 };
static word cilk_reducer(none, join) words[N];
static void add(unsigned long k) {
  for (int i = 0; i < N; i++) words[i] = (word){ words[i].hash * 1000003 + k + (unsigned)i, words[i].power * 1000003 };
}
static void tree(unsigned long k, int depth) {
  add(k);
  if (depth == 0) return;
  cilk_spawn tree(2 * k, depth - 1);
  add(k + 5);
  cilk_spawn tree(2 * k + 1, depth - 1);
  add(k + 7);
  cilk_sync;
  add(k + 9);
}
int main(int argc, char **argv) {
  for (int i = 0; i < N; i++) words[i] = (word){ 0, 1 };
  tree(1, atoi(argv[argc - 1]));
  for (int i = 0; i < N; i++) printf("%lx ", words[i].hash);
  fprintf(stderr, "made %ld reduced %ld\n", made, reduced);
  return 0;
}
"""


@pytest.mark.tier("all")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_million_views_of_forced_steals(strategy, tmp_path):
    """Each stolen continuation makes 4096 views; they come together in serial order."""
    (tmp_path / "million.c").write_text(MILLION)
    words = ["-O2", tmp_path / "million.c", "-include", ROOT / "stdlib" / "cilk" / "cilk_stub.h"]
    expected = command([built(["gcc", *words]), 14]).out
    program = built([CILKC, "-fopencilk", "-O2", "--spawn=" + strategy, tmp_path / "million.c"])
    result = command([program, 14], env={"CILK_OPTIONS": "--sched=replay:7:16"}, timeout=600)
    made, reduced = map(int, re.search(r"made (\d+) reduced (\d+)", result.err).groups())
    assert result.status == 0 and result.out == expected and made == reduced and made >= 1000000, str(result)


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
    assert (
        result.status == 1 and "fatal error: a reducer was used inside an identity or reduce function" in result.err
    ), str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_headers_of_reducers(strategy):
    """All of <cilk/...>, and Cilk Plus' macros: what gcc's build of the elision prints, which has no runtime."""
    wanted = command([elision_of(HEADERS, "-idirafter", str(ROOT / "stdlib"))])
    assert wanted.status == 0 and wanted.out.count("\n") > 50, str(wanted)
    program = built([CILKC, "--spawn=" + strategy, "-O2", HEADERS])
    for words in [
        "--nproc 1",
        "--nproc 4",
        *("--sched=replay:%d:%d" % (seed, workers) for seed in (1, 2) for workers in (2, 16)),
    ]:
        result = command([program, *words.split()])
        assert (result.status, result.out, result.err) == (0, wanted.out, ""), str(result)


TWICE = TESTS / "views" / "twice.c"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_lookup_of_a_view_gives_the_view(strategy):
    """The macros `cilk_list_view(&l)` and their like are right for objects and for reducers, whose `&l` is a view."""
    stub = ["-idirafter", ROOT / "stdlib", "-include", ROOT / "stdlib/cilk/cilk_stub.h", "-DCILK_ELISION"]
    wanted = command([built(["gcc", "-O1", *stub, TWICE, "-lm"])])
    assert wanted.status == 0 and wanted.out.count("\n") > 25, str(wanted)
    program = built([CILKC, "-fopencilk", "--spawn=" + strategy, "-O2", TWICE])
    for words in ["--nproc 1", *("--sched=replay:%d:%d" % (seed, workers) for seed in (1, 2) for workers in (2, 16))]:
        result = command([program], env={"CILK_OPTIONS": words})
        assert (result.status, result.out, result.err) == (0, wanted.out, ""), str(result)
