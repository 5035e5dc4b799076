"""docs/pools.md: what other pools of threads cannot do, a test for each line.

The programs are in OpenCilk's spelling. A plain C function that calls a spawning one through a pointer waits on its
own stack: where a pool runs other tasks meanwhile, a stack has parts of several of them. These programs report it,
or hang.
"""

import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, built, command

pytestmark = pytest.mark.tier("check")

WAITS = r"""#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 300 };
static _Thread_local int inside;
static int strangers, deepest;
static long total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work(int n) {
    if (n < 2) return n;
    int x = cilk_spawn work(n - 1);
    int y = work(n - 2);
    cilk_sync;
    return x + y;
}
static int (*volatile opaque)(int) = work;
static __attribute__((noinline)) void waits(int i) {   /* a C function: it does not spawn, and nothing here shows that it calls one that does */
    int depth = ++inside;
    if (depth > 1) __atomic_fetch_add(&strangers, 1, __ATOMIC_RELAXED);
    for (int d = __atomic_load_n(&deepest, __ATOMIC_RELAXED); d < depth; d = __atomic_load_n(&deepest, __ATOMIC_RELAXED))
        __atomic_store_n(&deepest, depth, __ATOMIC_RELAXED);
    int n = opaque(10 + i % 4);
    __atomic_fetch_add(&total, n, __ATOMIC_RELAXED);
    inside--;
}
static __attribute__((noinline)) void waits_locked(int i) {
    pthread_mutex_lock(&lock);
    total += opaque(10 + i % 4);                        /* a sync in there, with the lock held */
    pthread_mutex_unlock(&lock);
}
int main(int argc, char **argv) {
    void (*volatile f)(int) = atoi(argv[1]) ? waits_locked : waits;
    #pragma cilk grainsize 1
    cilk_for (int i = 0; i < N; i++) f(i);
    printf("strangers %d, deepest %d, total %ld\n", strangers, deepest, total);
    return 0;
}
"""
TOTAL = sum((55, 89, 144, 233)) * 75
SETTINGS = [("2", ""), ("4", ""), ("8", ""), ("2", "--force-steal always"), ("4", "--force-steal random")]


def waiting(spawn, tmp_path, locked):
    (tmp_path / "waits.c").write_text(WAITS)
    program = built([CILKC, "-fopencilk", "-O2", "--spawn=" + spawn, tmp_path / "waits.c"])
    for workers, options in SETTINGS:
        result = command([program, locked], env={"CILK_NWORKERS": workers, "CILK_OPTIONS": options}, timeout=300)
        assert result.status == 0, str(result)
        yield result.out.strip()


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_no_strangers_task_on_a_waiting_stack(spawn, tmp_path):
    """No iteration begins on a stack where another one waits. So a stack is as deep as in the serial program."""
    for out in waiting(spawn, tmp_path, 0):
        assert out == "strangers 0, deepest 1, total %d" % TOTAL


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_no_deadlock_of_a_lock_held_over_a_sync(spawn, tmp_path):
    """A worker that waits with the lock runs nothing that wants it."""
    for out in waiting(spawn, tmp_path, 1):
        assert out == "strangers 0, deepest 0, total %d" % TOTAL


DEEP = r"""#include <stdio.h>
static int (*volatile opaque)(int);
static int level(int n) {
    if (n == 0) return 0;
    int x = cilk_spawn opaque(0);
    int y = opaque(n - 1);
    cilk_sync;
    return x + y + 1;
}
int main(void) {
    opaque = level;
    long sum = 0;
    for (int i = 0; i < 20; i++) sum += level(500);
    printf("%ld\n", sum);
    return 0;
}
"""


def test_no_overflow_of_a_waiting_stack(tmp_path):
    """500 waits in each other, 20 times: each stack has the depth of one chain at most, and 1.5 MB are enough, as on
    one worker."""
    (tmp_path / "deep.c").write_text(DEEP)
    program = built([CILKC, "-fopencilk", "-O2", tmp_path / "deep.c"])
    for workers, options in SETTINGS:
        result = command(
            [program],
            env={"CILK_NWORKERS": workers, "CILK_OPTIONS": "--pthread-stacksize 1500000 " + options},
            timeout=300,
        )
        assert (result.status, result.out) == (0, "10000\n"), str(result)


FORKS = r"""#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}
int main(void) {
    int before = fib(20), status = 1;
    pid_t child = fork();
    if (child == 0) {
        int again = fib(22);
        long squares = 0;
        int v[100];
        cilk_for (int i = 0; i < 100; i++) v[i] = i * i;
        for (int i = 0; i < 100; i++) squares += v[i];
        _exit(again == 17711 && squares == 328350 ? 0 : 2);
    }
    int beside = fib(21);
    waitpid(child, &status, 0);
    printf("%d %d %d %d\n", before, beside, status, fib(19));
    return 0;
}
"""


def test_safe_after_fork(tmp_path):
    """The parent has run in parallel; its child runs in parallel, too, beside the parent."""
    (tmp_path / "forks.c").write_text(FORKS)
    program = built([CILKC, "-fopencilk", "-O2", tmp_path / "forks.c"])
    for workers, options in SETTINGS:
        result = command([program], env={"CILK_NWORKERS": workers, "CILK_OPTIONS": options}, timeout=300)
        assert (result.status, result.out) == (0, "6765 10946 0 4181\n"), str(result)


def test_the_page_names_tests():
    """Each line of the table names a test that exists."""
    rows = [line for line in (ROOT / "docs" / "pools.md").read_text().splitlines() if line.startswith("|")][2:]
    assert len(rows) >= 6
    for row in rows:
        module, test = re.findall(r"`tests/(\w+/test_\w+\.py)::(test_\w+)`", row)[0]
        assert re.search(r"^def %s\(" % test, (ROOT / "tests" / module).read_text(), re.M), row
