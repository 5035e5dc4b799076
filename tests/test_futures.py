"""Futures (docs/language.md): what a touch costs where nobody steals, that it waits for one child, programs that touch too early, replays."""

import itertools
import re

import pytest

from conftest import CILKC, STRATEGIES, TESTS, command

NOT_YET = """
cilk int f(int n) { return n; }
cilk int g(future int *p) { return touch *p; }
cilk int main(void)
{
    future int a, b;
    int r;
    r = spawn g(&b);
    sync;
    a = spawn f(r);
    return touch a;
}
"""
OWN = """
cilk int fib(int n)
{
    if (n < 2)
        return n;
    future int a = spawn fib(n - 1);
    future int b = spawn fib(n - 2);
    return touch a + touch b;
}
"""
WITH_SYNC = """
cilk int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
    a = spawn fib(n - 1);
    b = spawn fib(n - 2);
    sync;
    return a + b;
}
"""
OTHERS = "cilk int g(future int *p, int *q) { int a = touch *p; *q = a; return a; }\n"
# The second child ends only when the touch of the first has come back, on another worker.
ONE_LINK = """
#include <stdio.h>
static volatile int go;
cilk int endless(void) { while (!go) ; return 1; }
cilk int some(int n) { volatile int i; for (i = 0; i < 20000000; i++) ; return n; }
cilk int main(void)
{
    int slow;
    future int f = spawn some(41);
    slow = spawn endless();
    int r = touch f;
    go = 1;
    sync;
    printf("%d\\n", r + slow);
    return 0;
}
"""


@pytest.fixture
def made(tmp_path):
    def make(text, *flags, name="p"):
        (tmp_path / (name + ".cilk")).write_text(text)
        built = command([CILKC, "-O2", *flags, tmp_path / (name + ".cilk"), "-o", tmp_path / name])
        assert built.status == 0 and built.err == "", str(built)
        return tmp_path / name
    return make


def fast_clone(ir, name):
    return re.search(r"^define[^\n]*@%s\.fast\(.*?^}" % name, ir, re.M | re.S).group(0)


MAIN = """
#include <stdio.h>
#include <stdlib.h>
%s
cilk int main(int argc, char **argv)
{
    int r;
    r = spawn fib(argc > 1 ? atoi(argv[1]) : 0);
    sync;
    printf("%%d\\n", r);
    return 0;
}
"""


def instructions(program, *words):
    done = command(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *words], timeout=120)
    return int(re.search(r"Collected : (\d+)", done.err).group(1))


@pytest.mark.parametrize("strategy,most", [("lazy", 2.2), ("eager", 1.4)])
def test_futures_of_ones_own_cost_what_spawns_cost(made, strategy, most):
    """fib with two futures against fib with two receivers, one worker: instructions of fib(20) beyond fib(14)."""
    costs = []
    for name, text in (("with", OWN), ("without", WITH_SYNC)):
        program = made(MAIN % text, "--spawn=" + strategy, name=name)
        costs.append(instructions(program, "--nproc", 1, 20) - instructions(program, "--nproc", 1, 14))
    assert costs[0] < most * costs[1], costs


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_touch_of_ones_own_calls_nothing(strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(OWN)
    shown = command([CILKC, "emit", "--stage", "ir", "-O2", "--spawn=" + strategy, tmp_path / "p.cilk"])
    text = fast_clone(shown.out, "fib")
    assert len(re.findall("@cilk_rt_touch", text)) == len(re.findall(r"@cilk_rt_touch_empty\([^\n]*\n\s*unreachable", text)), text


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_touch_of_anothers_is_a_load_and_a_branch(strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(OTHERS)
    shown = command([CILKC, "emit", "--stage", "ir", "-O2", "--spawn=" + strategy, tmp_path / "p.cilk"])
    text = fast_clone(shown.out, "g")
    first = re.split(r"\n\n|^[\w.]+:.*$", text, maxsplit=2, flags=re.M)
    entry = text.split("br i1", 1)[0]
    assert re.search(r"load atomic i64, ptr %\S+ acquire", entry) and "call" not in re.sub(r"call [^\n]*@llvm\.\S+", "", entry), first


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (3, 4)))
def test_a_touch_waits_for_one_child(made, strategy, nproc):
    result = command([made(ONE_LINK, "--spawn=" + strategy), "--nproc", nproc], timeout=60)
    assert (result.status, result.out, result.err) == (0, "42\n", ""), str(result)


@pytest.mark.parametrize("strategy,flags", itertools.product(STRATEGIES, ((), ("-cilk-debug",))))
def test_a_touch_of_nothing_ends_the_program(made, strategy, flags):
    result = command([made(NOT_YET, "--spawn=" + strategy, *flags), "--nproc", 1], timeout=60)
    assert result.status not in (0, -11) and "touch of a future into which nothing was spawned" in result.err, str(result)


def programs():
    return [path.stem for path in sorted((TESTS / "run").glob("future-*.cilk")) if path.stem != "future-names"]


@pytest.mark.parametrize("name,strategy", itertools.product(programs(), STRATEGIES))
def test_orders_that_are_forced(name, strategy, tmp_path):
    """Every seed is an order of its own, with frames stolen everywhere, in the build that checks itself; a real run is repeated."""
    built = command([CILKC, "-O1", "-cilk-debug", "--spawn=" + strategy, TESTS / "run" / (name + ".cilk"), "-o", tmp_path / "p"])
    assert built.status == 0, str(built)
    right = command([tmp_path / "p", "--nproc", "1"])
    assert right.status == 0 and right.err == "", str(right)
    for words in [["--sched=replay:%d:4" % seed] for seed in range(4)] + [["--sched=pct:%d:3" % seed] for seed in range(2)] \
            + [["--nproc", "3", "--force-steal", "random", "--seed", str(seed)] for seed in range(2)]:
        run = command([tmp_path / "p", *words], timeout=120)
        assert (run.status, run.out, run.err) == (0, right.out, ""), str(run)
    run = command([tmp_path / "p", "--nproc", "3", "--sched=record:r"], cwd=tmp_path, timeout=120)
    assert (run.status, run.out, run.err) == (0, right.out, ""), str(run)
    for places in (1, 3):
        run = command([tmp_path / "p", "--sched=replay:r:%d" % places], cwd=tmp_path, timeout=120)
        assert (run.status, run.out, run.err) == (0, right.out, ""), str(run)
