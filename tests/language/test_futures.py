"""Futures (docs/language.md): what a touch costs without a steal, that it waits for one child, programs that touch
too early, replays."""

import itertools
import re

import pytest

from conftest import CILKC, FIB, STRATEGIES, TESTS, command
from tiers import chosen

pytestmark = pytest.mark.tier("check")

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
OTHERS = "cilk int g(future int *p, int *q) { int a = touch *p; *q = a; return a; }\n"
# The second child ends only when the touch of the first has come back, on another worker.
ONE_LINK = """
#include <stdio.h>
static volatile int go;
cilk int endless(void) { while (!go) {} return 1; }
cilk int some(int n) { volatile int i; for (i = 0; i < 20000000; i++) {} return n; }
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
        built = command([CILKC, "-O2", "-Wno-busy-wait", *flags, tmp_path / (name + ".cilk"), "-o", tmp_path / name])
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
    done = command(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *words], timeout=300)
    return int(re.search(r"Collected : (\d+)", done.err).group(1))


@pytest.mark.sample(2)
@pytest.mark.parametrize("strategy,most", [("lazy", 2.2), ("eager", 1.4)])
def test_futures_of_ones_own_cost_what_spawns_cost(made, strategy, most):
    """fib with two futures against fib with two receivers, one worker: instructions of fib(20) beyond fib(14)."""
    costs = []
    for name, text in (("with", OWN), ("without", FIB)):
        program = made(MAIN % text, "--spawn=" + strategy, name=name)
        costs.append(instructions(program, "--nproc", 1, 20) - instructions(program, "--nproc", 1, 14))
    assert costs[0] < most * costs[1], costs


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_touch_of_ones_own_calls_nothing(strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(OWN)
    shown = command([CILKC, "emit", "--stage", "ir", "-O2", "--spawn=" + strategy, tmp_path / "p.cilk"])
    text = fast_clone(shown.out, "fib")
    assert len(re.findall("@cilk_rt_touch", text)) == len(
        re.findall(r"@cilk_rt_touch_empty\([^\n]*\n\s*unreachable", text)
    ), text


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_touch_of_anothers_is_a_load_and_a_branch(strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(OTHERS)
    shown = command([CILKC, "emit", "--stage", "ir", "-O2", "--spawn=" + strategy, tmp_path / "p.cilk"])
    text = fast_clone(shown.out, "g")
    first = re.split(r"\n\n|^[\w.]+:.*$", text, maxsplit=2, flags=re.M)
    entry = text.split("br i1", 1)[0]
    assert re.search(r"load atomic i64, ptr %\S+ acquire", entry) and "call" not in re.sub(
        r"call [^\n]*@llvm\.\S+", "", entry
    ), first


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (3, 4)))
def test_a_touch_waits_for_one_child(made, strategy, nproc):
    result = command([made(ONE_LINK, "--spawn=" + strategy), "--nproc", nproc], timeout=300)
    assert (result.status, result.out, result.err) == (0, "42\n", ""), str(result)


@pytest.mark.parametrize("strategy,flags", itertools.product(STRATEGIES, ((), ("-cilk-debug",))))
def test_a_touch_of_nothing_ends_the_program(made, strategy, flags):
    result = command([made(NOT_YET, "--spawn=" + strategy, *flags), "--nproc", 1], timeout=300)
    assert result.status not in (0, -11) and "touch of a future into which nothing was spawned" in result.err, str(
        result
    )


def programs():
    return [path.stem for path in sorted((TESTS / "run").glob("future-*.cilk")) if path.stem != "future-names"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("name,strategy", itertools.product(programs(), STRATEGIES))
def test_orders_that_are_forced(name, strategy, tmp_path):
    """Every seed is an order of its own, with frames stolen everywhere, in the build that checks itself; a real run is
    repeated."""
    built = command(
        [CILKC, "-O1", "-cilk-debug", "--spawn=" + strategy, TESTS / "run" / (name + ".cilk"), "-o", tmp_path / "p"]
    )
    assert built.status == 0, str(built)
    right = command([tmp_path / "p", "--nproc", "1"])
    assert right.status == 0 and right.err == "", str(right)
    for words in (
        [["--sched=replay:%d:4" % seed] for seed in range(4)]
        + [["--sched=pct:%d:3" % seed] for seed in range(2)]
        + [["--nproc", "3", "--force-steal", "random", "--seed", str(seed)] for seed in range(2)]
    ):
        run = command([tmp_path / "p", *words], timeout=300)
        assert (run.status, run.out, run.err) == (0, right.out, ""), str(run)
    run = command([tmp_path / "p", "--nproc", "3", "--sched=record:r"], cwd=tmp_path, timeout=300)
    assert (run.status, run.out, run.err) == (0, right.out, ""), str(run)
    for places in (1, 3):
        run = command([tmp_path / "p", "--sched=replay:r:%d" % places], cwd=tmp_path, timeout=300)
        assert (run.status, run.out, run.err) == (0, right.out, ""), str(run)



# ---- what waits for ever ----

ITSELF = """
cilk int below(future int *p, int n)
{
    int x;
    if (n == 0)
        return touch *p;
    x = spawn below(p, n - 1);
    sync;
    return x;
}
cilk int main(void)
{
    future int f = spawn below(&f, 3);
    return touch f;
}
"""
EACH_OTHER = """
static volatile int both;
cilk int a(future int *p) { while (!both) {} return touch *p; }
cilk int circle(void)
{
    future int one, two;
    one = spawn a(&two);
    two = spawn a(&one);
    both = 1;
    sync;
    return 0;
}
cilk int main(void)
{
    int r;
    r = spawn circle();
    sync;
    return r;
}
"""
# The child is ready when the call from C touches: on one worker only what waits for the call can run it.
THROUGH_C = """
#include <cilk.h>
#include <stdio.h>
cilk int g(int n)
{
    int x;
    if (n < 2)
        return n;
    x = spawn g(n - 1);
    sync;
    return x + 1;
}
cilk int inner(future int *p, int n)
{
    future int own = spawn g(n);
    return touch *p * 2 + touch own;
}
static int through_c(future int *p, int n) { return EXPORT(inner)(NULL, p, n); }
cilk int outer(int n)
{
    future int f = spawn g(n);
    int r = through_c(&f, n);
    return r + touch f;
}
cilk int main(void)
{
    int i, r;
    for (i = 0; i < 20; i++) {
        r = spawn outer(i);
        sync;
        printf("%d\\n", r);
    }
    return 0;
}
"""
# A computation in a circle can be cancelled by any thread: it is, by its deadline.
CANCELLED = """
#include <cilk-start.h>
#include <stdio.h>
cilk int a(future int *p) { return touch *p; }
cilk int circle(int n)
{
    future int one = spawn a(&one);
    return touch one + n;
}
cilk int main(void)
{
    for (int i = 0; i < 3; i++) {
        Cilk_computation *m = Cilk_start(circle, i);
        Cilk_cancel_after(m, 20000000);
        printf("%d\\n", Cilk_wait(m, NULL));
    }
    return 0;
}
"""
ANYWHERE = [
    ["--nproc", "1"],
    ["--nproc", "2"],
    ["--nproc", "4"],
    ["--nproc", "2", "--force-steal", "always"],
    ["--nproc", "2", "--force-steal", "never"],
    ["--nproc", "2", "--sched=central"],
    ["--nproc", "2", "--sched=roundrobin"],
    ["--nproc", "2", "--sched=gang"],
    ["--sched=replay:1:2"],
    ["--sched=pct:1:2"],
    ["--nproc", "2", "--sched=record:r"],
]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_procedure_that_waits_for_itself_ends_the_program(made, strategy, tmp_path):
    program = made(ITSELF, "--spawn=" + strategy)
    for words in ANYWHERE:
        result = command([program, *words], timeout=300, cwd=tmp_path)
        assert result.status == 1 and "nothing can go on" in result.err, str(result)
        assert re.search(r"main at the touch in \S*p.cilk:14\b", result.err) and re.search(
            r"below at the touch in \S*p.cilk:6\b", result.err
        ), str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_circle_of_touches_ends_the_program(made, strategy):
    program = made(EACH_OTHER, "--spawn=" + strategy)
    for words in (["--nproc", "3"], ["--nproc", "4", "--sched=central"]):
        result = command([program, *words], timeout=300)
        assert result.status == 1 and len(re.findall(r"a at the touch in \S*p.cilk:3\b", result.err)) == 2, str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_call_from_c_touches_what_is_ready_below_it(made, strategy):
    program = made(THROUGH_C, "--spawn=" + strategy, "-cilk-debug")
    want = command([program, "--nproc", "1"])
    assert want.status == 0 and want.out.split("\n")[:4] == ["0", "4", "8", "12"], str(want)
    for words in ([], ["--force-steal", "always"]):
        for scheduler in ("steal", "central", "roundrobin", "levels"):
            nproc = chosen(scheduler + "".join(words), ("1", "2"))
            result = command([program, "--nproc", nproc, "--sched=" + scheduler, *words], timeout=300)
            assert (result.status, result.out, result.err) == (0, want.out, ""), str(result)


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (1, 2, 4)))
def test_a_circle_that_may_be_cancelled_goes_on(made, strategy, nproc):
    """It is reported once; the deadline's thread wakes what waits."""
    result = command([made(CANCELLED, "--spawn=" + strategy), "--nproc", nproc], timeout=300)
    assert (result.status, result.out) == (0, "0\n0\n0\n") and result.err.count("nothing goes on here") == 1, str(
        result
    )


# Its root has returned: the process ends when the deadline has cancelled it.
NO_WAITER = CANCELLED[:CANCELLED.index("    for (")] + """    Cilk_cancel_after(Cilk_start(circle, 1), 300000000);
    return 0;
}
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_circle_without_a_waiter_is_reported(made, strategy):
    program = made(NO_WAITER, "--spawn=" + strategy)
    for nproc in (1, 2):
        result = command([program, "--nproc", nproc], timeout=300)
        assert (result.status, result.out) == (0, "") and result.err.count("nothing goes on here") == 1, str(result)


# `below` waits, in a call from C, for the future that it is to fill; an earlier call has returned.
CIRCLE_THROUGH_C = """
#include <stddef.h>
cilk int wait_for(future int *p) { return touch *p; }
int through_c(future int *p) { return EXPORT(wait_for)(NULL, p); }
cilk int seven(void) { return 7; }
cilk int below(future int *p) { return through_c(p); }
cilk int main(void)
{
    future int early = spawn seven();
    if (through_c(&early) != 7)
        return 2;
    future int late = spawn below(&late);
    return touch late;
}
"""


@pytest.mark.parametrize("strategy,waits", itertools.product(STRATEGIES, ("through_c(p)", "touch *p")))
def test_a_circle_through_c_ends_the_program(made, strategy, waits):
    program = made(CIRCLE_THROUGH_C.replace("through_c(p); }", waits + "; }"), "--spawn=" + strategy)
    for words in (
        ["--nproc", "1"],
        ["--nproc", "2"],
        ["--nproc", "4"],
        ["--nproc", "2", "--force-steal", "never"],
        ["--sched=replay:1:2"],
    ):
        result = command([program, *words], timeout=300)
        assert result.status == 1 and "nothing can go on" in result.err and "at the touch in" in result.err, str(result)


# The worker that waited for the first call has come back from its computation before the second one begins.
LATER_CALL = """
#include <cilk.h>
cilk int wait_for(future int *p) { return touch *p; }
cilk int seven(void) { return 7; }
cilk int early(void)
{
    future int f = spawn seven();
    return touch f;
}
cilk int late(void)
{
    future int f = spawn wait_for(&f);
    return touch f;
}
int main(int argc, char **argv)
{
    CilkContext *cx = Cilk_init(&argc, argv);
    for (int i = 0; i < 3; i++)
        if (EXPORT(early)(cx) != 7)
            return 2;
    return EXPORT(late)(cx);
}
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_circle_in_a_later_call_from_c_ends_the_program(made, strategy):
    result = command([made(LATER_CALL, "--spawn=" + strategy), "--nproc", "2"], timeout=300)
    assert result.status == 1 and "nothing can go on" in result.err, str(result)


TWO_CONTEXTS = """
#include <cilk.h>
#include <stdio.h>
static volatile int waits;
cilk int leaf(int n) { return n; }
cilk int late(int n)
{
    while (!waits) {
        int x;
        x = spawn leaf(n);
        sync;
    }
    for (volatile int i = 0; i < 3000000; i++) ;
    return n;
}
cilk int there(future int *p)
{
    waits = 1;
    return touch *p * 2;
}
static CilkContext *other;
static int call(future int *p) { return EXPORT(there)(other, p); }
cilk int here(int n)
{
    future int f = spawn late(n);
    int r = call(&f);
    return r + touch f;
}
int main(int argc, char **argv)
{
    int one = 1;
    CilkContext *cx = Cilk_init(&argc, argv);
    other = Cilk_init(&one, argv);
    for (int i = 0; i < 5; i++) {
        waits = 0;
        printf("%d\\n", EXPORT(here)(cx, i));
    }
    Cilk_terminate(other);
    Cilk_terminate(cx);
    return 0;
}
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_another_contexts_procedure_waits(made, strategy):
    program = made(TWO_CONTEXTS, "--spawn=" + strategy)
    for words in (["--nproc", "2"], ["--nproc", "4"]):
        result = command([program, *words], timeout=300, env={"CILK_NPROC": "2"})
        assert (result.status, result.out, result.err) == (0, "0\n3\n6\n9\n12\n", ""), str(result)
