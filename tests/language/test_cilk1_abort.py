"""A procedure of Cilk-5 aborts while a thread of Cilk-1 is between it and its grandchildren. The order of events is
forced. An aborted procedure delivers nothing.

Two children are out: `first`, and a thread whose grandchild is a procedure. Each waits, for a while, until the other
has come as far as the case wants it: the grandchild runs when `first` returns and its inlet aborts, and it goes on,
and spawns more, only after that. Programs say on stderr whether it was so. (The worker that spawned a thread waits for
it, so one worker alone never gets there.)
"""

import re

import pytest

from conftest import CILKC, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

PROGRAM = r"""
#include <stdio.h>
#include <unistd.h>

enum { NOTHING, GRANDCHILD_RUNS, ABORTED };
static int stage, forced;
static int wait_for(int what)
{
    int i;
    for (i = 0; i < 3000 && __atomic_load_n(&stage, __ATOMIC_SEQ_CST) < what; i++)
        usleep(1000);
    return i < 3000;
}
static void reached(int what)
{
    if (what == NOTHING || what > __atomic_load_n(&stage, __ATOMIC_SEQ_CST))
        __atomic_store_n(&stage, what, __ATOMIC_SEQ_CST);
}

cilk int many(int n)
{
    int x, y;
    if (n < 2)
        return n;
    x = spawn many(n - 1);
    y = spawn many(n - 2);
    sync;
    return x + y;
}
cilk int grandchild(int n)
{
    int x;
    reached(GRANDCHILD_RUNS);
    if (wait_for(ABORTED))
        forced++;
    x = spawn many(n);
    sync;
    return x;
}
thread more(cont int k, int n, int x) { spawn many(k, n + x - x); }
thread between(cont int k, int n)
{
    cont int x;
    spawn_next more(k, n, ?x);
    spawn grandchild(x, n);
}

cilk void nothing(void) { }
cilk int first(int n)
{
    int i;
    for (i = 0; i < 3000 && __atomic_load_n(&stage, __ATOMIC_SEQ_CST) < GRANDCHILD_RUNS; i++) {
        usleep(1000);
        spawn nothing();                /* where the parent can be released */
        sync;
    }
    return n;
}
cilk int parent(int n)
{
    int value = 0, late = 0, over = 0, after = 0;
    inlet void in(int r, int from)
    {
        if (from == 1)
            late += over;
        else if (from == 0) {
            value = r;
            over = __atomic_load_n(&stage, __ATOMIC_SEQ_CST) >= GRANDCHILD_RUNS;   /* else the thread is not out yet */
            abort;
            reached(ABORTED);
        } else if (from == 2)
            after = r;
    }
    in(spawn first(n), 0);
    in(spawn between(15), 1);
    sync;
    in(spawn between(10), 2);           /* what is spawned later is not aborted */
    sync;
    return late ? -1 : value + after;
}
cilk int main(void)
{
    int x, i, wrong = 0;
    for (i = 0; i < ROUNDS; i++) {
        reached(NOTHING);
        x = spawn parent(i);
        sync;
        wrong += x != i + 55;
    }
    fprintf(stderr, "forced %d of %d\n", forced - ROUNDS, ROUNDS);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
"""


@pytest.fixture(scope="module", params=STRATEGIES)
def program(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("abort")
    (folder / "p.cilk1").write_text(PROGRAM)
    compiled([CILKC, "-O2", "-Wall", "-DROUNDS=20", "--spawn=" + request.param, "p.cilk1", "-o", "p"], cwd=folder)
    compiled(
        [CILKC, "-O1", "-g", "-Wall", "-DROUNDS=5", "-fsanitize=thread", "--spawn=" + request.param, "p.cilk1", "-o",
         "tsan"],
        cwd=folder,
    )
    return folder


def run(words):
    result = command(words, timeout=300)
    assert (result.status, result.out) == (0, "0 wrong\n"), str(result)
    return int(re.search(r"^forced (-?\d+) of", result.err, re.M)[1]), result


@pytest.mark.parametrize("nproc", (2, 4))
def test_an_abort_over_a_thread_lets_nothing_through(program, nproc):
    forced, result = run([program / "p", "--nproc", nproc])
    assert forced > 0, "the abort never came while the grandchild ran: %s" % result


@pytest.mark.parametrize("nproc", (2, 4))
def test_it_is_free_of_races(program, nproc):
    _, result = run([program / "tsan", "--nproc", nproc])
    assert "ThreadSanitizer" not in result.err, str(result)


def test_one_worker(program):
    """Nothing waits there: the first child is back before the second one begins. (Without the time that each would wait
    in vain.)"""
    source = (program / "p.cilk1").read_text().replace("i < 3000", "i < 3")
    (program / "one.cilk1").write_text(source)
    compiled([CILKC, "-O2", "-DROUNDS=3", "one.cilk1", "-o", "one"], cwd=program)
    for force in ("off", "random", "always"):
        result = command([program / "one", "--nproc", 1, "--force-steal", force])
        assert (result.status, result.out) == (0, "0 wrong\n"), str(result)
