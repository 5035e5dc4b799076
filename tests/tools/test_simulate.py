"""`cilkc simulate` of Cilk-5: the recorded dag, played on virtual processors, has the work and the span of the dag, and
takes the time of a greedy schedule."""

import json

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("check")

DRIVER = ROOT / "driver"
PROGRAMS = {
    "fib": (ROOT / "samples" / "fib.cilk", ["17"]),
    "calls": (None, []),
    "folded": (None, []),
    "called": (None, []),
}
CALLS = r"""
#include <stdio.h>
#include <stdlib.h>
static long work(long n) { volatile long i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
cilk long leaf(long n) { return work(n) & 7; }
cilk long middle(long n)
{
    long a, b;
    a = spawn leaf(3 * n);
    b = spawn leaf(n);
    work(2 * n);
    sync;
    work(n);
    return a + b;
}
cilk int main(void)
{
    long i, a[5], sum = 0, one = 0;
    for (i = 0; i < 5; i++)
        a[i] = spawn middle(100);         /* equal steps */
    sync;
    for (i = 0; i < 4; i++) {             /* equal blocks */
        one = spawn leaf(50);
        sync;
        sum += one;
    }
    one = spawn leaf(700);                /* one that nothing is parallel to */
    sync;
    sync;
    work(30);
    printf("%ld\n", sum + a[0] + one);
    return 0;
}
"""
FOLDED = r"""
#include <stdio.h>
static long work(long n) { volatile long i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
cilk long leaf(long n) { return work(n % 97) & 7; }
cilk int main(void)
{
    long i, sum = 0;
    for (i = 0; i < 900; i++)             /* more different children than the record has room for */
        sum += spawn leaf(i * i);
    sync;
    printf("%ld\n", sum);
    return 0;
}
"""

CALLED = r"""
#include <stdlib.h>
static long work(long n) { volatile long i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
cilk long leaf(long n) { return work(n) & 7; }
cilk int compared(const int *x, const int *y)
{
    long a, b;
    a = spawn leaf(*x);
    b = spawn leaf(*y);
    sync;
    return *x - *y + 0 * (int)(a + b);
}
static int compare(const void *x, const void *y) { return EXPORT(compared)(0, x, y); }
cilk int main(void)
{
    int i, a[100];
    for (i = 0; i < 100; i++) a[i] = 71 * i % 101;
    qsort(a, 100, sizeof *a, compare);    /* C calls more different instances than the record has room for */
    for (i = 1; i < 100; i++) if (a[i - 1] > a[i]) return 1;
    return 0;
}
"""


def source(name, folder):
    file, arguments = PROGRAMS[name]
    if file is None:
        file = folder / (name + ".cilk")
        file.write_text({"calls": CALLS, "folded": FOLDED, "called": CALLED}[name])
    return file, arguments


def answer(result):
    assert result.status == 0, str(result)
    return json.loads(result.out)


def simulated(numbers, file, arguments, *options):
    found = answer(command(
        [CILKC, "simulate", "--json", "--nproc", ",".join(map(str, numbers)), *options, file, "--", *arguments],
        timeout=300,
    ))
    assert [line["P"] for line in found] == list(numbers)
    return {line["P"]: line for line in found}


@pytest.mark.parametrize("name", PROGRAMS)
def test_work_and_span_are_those_of_the_dag(name, tmp_path):
    file, arguments = source(name, tmp_path)
    dag = answer(command([CILKC, "dag", "--json", file, "--", *arguments], timeout=300, cwd=tmp_path))
    found = simulated((1, 2, 64), file, arguments)
    for line in found.values():
        assert line["T1"] == dag["work"] and line["unit"] == "units"
        # Children that are folded are the longest first, so with their inlets the path may be a little shorter.
        assert line["Tinf"] == dag["span"]
        assert line["played_Tinf"] == dag["span"] or (
            name == "folded" and dag["span"] * 0.5 <= line["played_Tinf"] <= dag["span"]
        )
    assert found[1]["TP"] == dag["work"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_time_is_that_of_a_greedy_schedule(name, tmp_path):
    """T_P is at least T_1/P and T_inf; with steals that cost nearly nothing it is not far above T_1/P + T_inf (section
    6)."""
    file, arguments = source(name, tmp_path)
    found = simulated((1, 2, 8, 256), file, arguments, "--costs", "steal=1,send=0")
    one = found[1]["space"]
    for p, line in found.items():
        assert max(line["T1"] / p, line["Tinf"]) <= line["TP"] <= line["T1"] / p + 1.5 * line["Tinf"]
        assert line["total_space"] <= one * p
        assert line["threads"] == found[1]["threads"] and line["steals"] <= line["requests"]


TIMED = r"""
#include <stdio.h>
#include <timing.cilkh>
static long work(long n) { volatile long i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
cilk long leaf(long n) { return work(n) & 7; }
cilk long two(long n) { long a, b; a = spawn leaf(n); b = spawn leaf(n); sync; return a + b; }
cilk int main(void)
{
    struct section timed;
    long r;
    work(5000);
    section_begins(timed);
    r = spawn two(3000);
    sync;
    section_ends(timed);
    printf("%ld\\n", r);
    return 0;
}
"""


def test_a_part_of_a_program_is_played(tmp_path):
    """--root has the figures of the dag with that root, the timed section those of the profile; stdout is JSON
    alone."""
    (tmp_path / "p.cilk").write_text(TIMED)

    def run(tool, *words):
        result = command([CILKC, tool, "--json", *words, "p.cilk"], cwd=tmp_path)
        assert result.status == 0, str(result)
        return json.loads(result.out)

    (whole,), (part,) = run("simulate", "-P", "2"), run("simulate", "-P", "2", "--root", "two", "--costs", "steal=1")
    dag, profile = run("dag", "--root", "two"), run("profile", "--no-what-if")
    assert (part["T1"], part["Tinf"], part["played_Tinf"]) == (dag["work"], dag["span"], dag["span"])
    assert part["Tinf"] <= part["TP"] < 0.6 * part["T1"] < 0.6 * whole["T1"]
    assert whole["section"] == {key: profile["section"][key] for key in ("work", "span")}
    wrong = command([CILKC, "simulate", "--root", "none", "p.cilk"], cwd=tmp_path)
    assert wrong.status == 125 and "--root none: no such procedure is in the dag; it has leaf, main, two" in wrong.err
    threads = command([CILKC, "simulate", "--root", "f", ROOT / "samples/cilk1-fib.cilk1"], cwd=tmp_path)
    assert threads.status == 125 and "--root is for procedures of Cilk-5" in threads.err, str(threads)


def test_many_processors(tmp_path):
    file, arguments = source("fib", tmp_path)
    line = simulated((4096,), file, arguments)[4096]
    assert line["steals"] > 0


def test_the_fit_finds_the_constants_again(monkeypatch):
    monkeypatch.syspath_prepend(str(DRIVER))
    from tools import simulate as tool
    lines = [{"P": p, "T1": 1000.0, "Tinf": t, "TP": 0.9 * 1000 / p + 1.6 * t} for p in (1, 8, 32, 256) for t in (1, 5)]
    assert tool.fit(lines) == pytest.approx((0.9, 1.6))
    assert tool.fit(lines[:2]) is None


def test_the_bound_on_space_is_checked(monkeypatch):
    monkeypatch.syspath_prepend(str(DRIVER))
    from tools import simulate as tool
    lines = [{"P": 1, "space": 5, "total_space": 5}, {"P": 8, "space": 5, "total_space": 40}]
    assert (
        tool.bounded(lines) == "\nS_P <= S_1 P in all of these runs (S_1 = 5 closures)"
        and tool.bounded(lines[:1]) == tool.bounded(lines[1:]) == ""
    )
    lines[1]["total_space"] = 41
    assert tool.bounded(lines) == "\nS_P <= S_1 P does not hold on 8 processors: 41 closures, S_1 = 5"


def test_a_program_that_fails_is_reported(tmp_path):
    file = tmp_path / "bad.cilk"
    file.write_text("#include <stdlib.h>\ncilk int main(void) { abort(); return 0; }\n")
    result = command([CILKC, "simulate", "-P", "8", file], timeout=300)
    assert result.status != 0 and "Traceback" not in result.err, str(result)


LONG = r"""
#include <stdio.h>
static long work(long n) { volatile long i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
thread last(cont long k, long x) { work(300); send_argument(k, x); }
thread first(cont long k)
{
    cont long x;
    work(1000);
    spawn_next last(k, ?x);
    send_argument(x, 1);
    work(200);                            /* nothing waits for that */
}
thread main(cont int k, int argc, char *argv[])
{
    cont long x;
    spawn_next end(k, ?x);
    spawn first(x);
}
"""


def test_what_a_thread_did_before_it_sends_is_on_the_path(tmp_path):
    """Counted lengths: a send in the middle of a thread comes after what was done before it, not at the thread's begin,
    nor at its end."""
    file = tmp_path / "long.cilk1"
    file.write_text(
        LONG.replace("thread main", "thread end(cont int k, long x) { send_argument(k, (int)x - 1); }\n\nthread main")
    )
    found = simulated((1, 8), file, [], "--counted")
    assert found[1]["T1"] > 1.1 * found[1]["Tinf"] > 1.1 * 5 * 1300
    assert found[8]["Tinf"] == found[1]["Tinf"]


def test_no_run_is_shorter_than_inlets_in_turn_or_one_lock():
    """The player knows neither: what is shown is bounded by the span, with inlets one after the other, and by the
    largest lock's work."""
    for name, least in (("inlets-in-turn", "span"), ("one-lock", "lock")):
        path = ROOT / "tests" / "profile" / (name + ".cilk")
        dag = json.loads(command([CILKC, "dag", "--json", path], timeout=300).out)
        rows = json.loads(command([CILKC, "simulate", "--json", "-P", "1,64", path], timeout=300).out)
        assert dag[least] > 0.7 * dag["work"] and rows[1]["TP"] >= dag[least] and rows[1]["Tinf"] >= dag[least], name
        assert rows[0]["T1"] / rows[1]["TP"] < 1.4, name


# What excludes each other, in closed form: n children do u, and then d alone. On P processors that takes the lock's
# whole time, n d after the first u, or each processor's share.
WORK = "static volatile long sink;\nstatic void work(long n) { for (long i = 0; i < n; i++) sink = i; }\n"
LOCKS = (
    "#include <cilk-lib.cilkh>\nstatic Cilk_lockvar a, b, own[N];\n"
    + WORK
    + "static cilk void leaf(void) { work(D); }\n"
    + """
static cilk void child(int i) { (void)i; %s }
cilk int main(void)
{
    Cilk_lock_init(a);
    Cilk_lock_init(b);
    for (int i = 0; i < N; i++) Cilk_lock_init(own[i]);
    for (int i = 0; i < N; i++) spawn child(i);
    sync;
    return 0;
}
"""
)
ONE = LOCKS % "work(U); Cilk_lock(a); work(D); Cilk_unlock(a);"
BOTH = LOCKS % "Cilk_lock(a); work(D); Cilk_unlock(a); Cilk_lock(b); work(D); Cilk_unlock(b);"
INNER = LOCKS % "Cilk_lock(own[i]); work(D); Cilk_lock(a); work(D); Cilk_unlock(a); work(D); Cilk_unlock(own[i]);"
OVER = LOCKS % "work(U); Cilk_lock(a); spawn leaf(); spawn leaf(); sync; Cilk_unlock(a);"
INLETS = WORK + """
static cilk int child(void) { work(U); return 1; }
cilk int main(void)
{
    int s = 0;
    inlet void take(int x) { for (long i = 0; i < D; i++) sink = i; s += x; }
    for (int i = 0; i < N; i++) take(spawn child());
    sync;
    return s != N;
}
"""
UNIT = 4012                 # of work(1000)


@pytest.mark.parametrize("text, u, d, n, times", [
    (ONE, 3, 1, 16, {1: 64, 4: 3 + 16, 16: 3 + 16}),            # four processors come again just in time
    (ONE, 1, 3, 8, {1: 32, 2: 1 + 24, 64: 1 + 24}),
    (ONE, 7, 1, 16, {1: 128, 4: 7 + 3 * 8 + 4, 16: 7 + 16}),     # by four: the first three go on for the last one's wait
    (BOTH, 0, 1, 16, {1: 32, 16: 16 + 1}),                      # a pipeline
    (INNER, 0, 1, 8, {1: 24, 8: 1 + 8 + 1}),
    (OVER, 1, 1, 8, {1: 24, 64: 1 + 8}),
    (INLETS, 3, 1, 16, {1: 64, 4: 3 + 16, 16: 3 + 16}),
    (INLETS, 1, 3, 8, {1: 32, 8: 1 + 24}),
], ids=["lock-one-in-four", "lock-three-in-four", "lock-one-in-eight", "two-locks", "nested-locks", "lock-over-children", "inlets-one-in-four", "inlets-three-in-four"])
def test_locks_and_inlets_take_the_time_of_their_formula(tmp_path, text, u, d, n, times):
    file = tmp_path / "p.cilk"
    file.write_text(text)
    found = simulated(
        tuple(times), file, [], "-DU=%d" % (1000 * u), "-DD=%d" % (1000 * d), "-DN=%d" % n, "--costs", "steal=1,send=0"
    )
    for p, time in times.items():
        assert found[p]["TP"] == pytest.approx(time * UNIT, rel=0.02), (p, found[p])
    assert len({line["threads"] for line in found.values()}) == 1


MIXED = WORK + """
#include <stdio.h>
cilk int leaf(int n) { work(1000); return n; }
cilk int many(int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = spawn leaf(i); sync; return n + a[7]; }
cilk int uneven(int n) { int a, b; a = spawn leaf(1); work(3000); b = n; sync; return a + b; }
thread sum(cont int k, int x, int y) { work(2000); send_argument(k, x + y); }
thread inner(cont int k, int n) { work(1000); send_argument(k, n); }
cilk int calls(int n) { int r; r = spawn inner(n); sync; return r; }
thread top(cont int k) { cont int x, y; spawn_next sum(k, ?x, ?y); spawn many(x, 1); %s }
thread end(cont int k, int x) { printf("%%d\\n", x); send_argument(k, 0); }
thread main(cont int k, int argc, char *argv[]) { cont int x; spawn_next end(k, ?x); spawn top(x); }
"""


@pytest.mark.parametrize("other, printed, times", [
    # two procedures of eight strands; then two units of the sum
    ("spawn many(y, 2);", "17", {1: 18, 4: 6, 16: 3.2}),
    ("spawn calls(y, 5);", "13", {1: 11, 16: 3.2}),              # its thread is part of the procedure
    ("send_argument(y, 0);", "8", {1: 10, 2: 6, 8: 3.2}),
    # one long child of three units beside one of one unit: the span is exact, though the work is not a multiple of it
    ("spawn uneven(y, 3);", "12", {1: 14, 16: 5.2}),
], ids=["two-procedures", "procedure-with-a-thread", "one-procedure", "uneven"])
def test_procedures_that_threads_call_are_played_by_work_and_span(tmp_path, other, printed, times):
    file = tmp_path / "p.cilk1"
    file.write_text(MIXED % other)
    result = command(
        [CILKC, "simulate", "--counted", "--json", "-P", ",".join(map(str, times)), "--costs", "steal=1,send=0", file],
        timeout=300,
    )
    assert result.err.startswith(printed + "\n"), str(result)
    found = {line["P"]: line for line in answer(result)}
    for p, time in times.items():
        assert found[p]["T1"] == found[1]["T1"] == found[1]["TP"]
        assert found[p]["TP"] == pytest.approx(time * UNIT, rel=0.16), (p, found[p])
    assert len({line["threads"] for line in found.values()}) == 1
    text = command([CILKC, "simulate", "--counted", "-P", "1", file], timeout=300)
    assert "are played as strands with their work and span" in text.out + text.err, str(text)


@pytest.mark.parametrize("text,threads,longest", [
    # step(20) .. step(0); and one that takes the result, as in each program here
    ("""thread step(cont int k, int n, int sum)
        { cont int x; if (!n) send_argument(k, sum); else { spawn_next step(k, n - 1, ?x); send_argument(x, sum + n); } }
        cilk int main(void) { int r; r = spawn step(20, 0); sync; return r != 210; }""", 22, 22),
    # 2 F(8) - 1 = 41 of fib(7) and 20 sums; 7 down to fib(1), 6 sums up
    ("""thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
        thread fib(cont int k, int n) { cont int x, y; if (n < 2) send_argument(k, n); else
        { spawn_next sum(k, ?x, ?y); spawn fib(x, n - 1); spawn fib(y, n - 2); } }
        cilk int main(void) { int r; r = spawn fib(7); sync; return r != 13; }""", 62, 14),
], ids=["chain", "fib"])
def test_the_cost_of_a_thread_is_on_the_path_through_it(tmp_path, text, threads, longest):
    file = tmp_path / "p.cilk1"
    file.write_text(text)
    costs = "steal=1,send=0,thread=100000000"
    result = command([CILKC, "simulate", "--counted", "--json", "-P", "1,4,256", "--costs", costs, file], timeout=300)
    for line in answer(result):
        t1, path, time = (round(line[key] / 1e8, 2) for key in ("T1", "Tinf", "TP"))
        assert (line["threads"], t1, path) == (threads, threads, longest), line
        assert time >= path and time >= t1 / line["P"] and time <= t1 / line["P"] + path, line


def test_procedures_that_call_threads_are_reported_as_no_part(tmp_path):
    """Each call of a thread is a computation of its own, and the procedures between them are not played."""
    file = tmp_path / "p.cilk1"
    file.write_text("""#include <stdio.h>
thread leaf(cont long k, int n) { send_argument(k, n); }
cilk long tree(int n)
{
    long a, b;
    if (n < 2) { a = spawn leaf(n); sync; return a; }
    a = spawn tree(n - 1);
    b = spawn tree(n - 2);
    sync;
    return a + b;
}
cilk int main(void) { long a; a = spawn tree(7); sync; printf("%ld\\n", a); return 0; }
""")
    result = command([CILKC, "simulate", "-P", "1,8", file], timeout=300)
    assert "\nThese are the sums of 21 computations of threads, one after the other" in result.out + result.err


def test_programs_in_opencilks_spelling_are_simulated(tmp_path):
    """A waited call is a future's child and a touch, which waits for nothing else."""
    file = tmp_path / "p.c"
    file.write_text("#include <cilk/cilk.h>\n" + WORK + """
void part(int n)
{
    if (n == 1) { work(1000); return; }
    cilk_spawn part(n / 2);
    part(n / 2);
    work(1000);
    cilk_sync;
}
int main(void)
{
    part(8);
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < 16; i++) work(1000);
    return 0;
}
""")
    found = simulated((1, 8), file, [], "-fopencilk", "--costs", "steal=1,send=0")
    assert [found[p]["TP"] for p in (1, 8)] == pytest.approx([(15 + 16) * UNIT, (4 + 4) * UNIT], rel=0.05)


TWO = r"""
#include <stdio.h>
static long work(long n) { volatile long i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
thread leaf(cont long k, long n) { send_argument(k, work(n) & 7); }
thread sum(cont int k, long a, long b) { printf("%ld\n", a + b); send_argument(k, 0); }
thread main(cont int k)
{
    cont long x, y;
    spawn_next sum(k, ?x, ?y);
    spawn leaf(x, 10000);
    spawn leaf(y, 10000);
}
"""


def test_a_network_costs_what_its_messages_take(tmp_path):
    """Two processors, each a rank, and two equal leaves: one is stolen, which takes two messages, and its value is the
    last one that comes, which takes one. The thief's attempts in vain take two messages, so it may begin one attempt
    later. Each request and each answer has 48 bytes, the closure 32 more (a continuation of 24, and a number), the
    value 8."""
    (tmp_path / "two.cilk1").write_text(TWO)

    def run(costs, p=2):
        return simulated((p,), tmp_path / "two.cilk1", [], "--counted", "--costs", "steal=10,send=0" + costs)[p]

    base = run("")["TP"]
    for latency, kb in ((0, 0), (1000, 0), (7000, 0), (500, 1000), (0, 2000)):
        line = run(",rank=1,latency=%d,kb=%d" % (latency, kb))
        assert (line["far_steals"], line["far_sends"]) == (1, 1)
        closure = line["far_bytes"] - 96 * line["far_requests"] - 56
        assert closure == 32
        least = base + 3 * latency + (96 + closure + 56) * kb // 1000
        assert least - 3 <= line["TP"] <= least + 10 + 2 * latency + 96 * kb // 1000, (latency, kb, line)
    one = run(",rank=2,latency=9000,kb=900")
    assert (one["TP"], one["far_requests"], one["far_bytes"]) == (base, 0, 0)
    assert run(",rank=1,latency=9000", 1)["TP"] == run("", 1)["TP"] == run("", 1)["T1"]


def test_ranks_of_several_processors_ask_their_own_first(tmp_path):
    """The same work and the same threads; a network that costs nothing changes little, and one that costs much is used
    little where ranks are large."""
    file, arguments = ROOT / "tests" / "dist" / "queens.cilk1", ["9", "4"]
    options = ("--counted", "--costs")
    plain = simulated((16,), file, arguments, *options, "steal=100,send=0")[16]
    found = {
        rank: simulated((16,), file, arguments, *options, "steal=100,send=0,latency=3000,rank=%d" % rank)[16]
        for rank in (1, 3, 8)
    }
    free = simulated((16,), file, arguments, *options, "steal=100,send=0,rank=1")[16]
    assert abs(free["TP"] / plain["TP"] - 1) < 0.25
    for line in (free, *found.values()):
        assert (line["T1"], line["Tinf"], line["threads"]) == (plain["T1"], plain["Tinf"], plain["threads"])
        assert line["far_steals"] <= line["steals"] and line["far_steals"] <= line["far_requests"]
    assert found[1]["far_steals"] == found[1]["steals"]
    assert found[8]["far_steals"] < min(found[3]["far_steals"], found[1]["far_steals"])
    assert plain["TP"] < found[8]["TP"] < found[1]["TP"]


@pytest.mark.parametrize("numbers", ["0", "8,", "2,4097", "1-8", "+3", "\u0663"])
def test_impossible_numbers_of_processors(numbers, tmp_path):
    result = command([CILKC, "simulate", "--nproc", numbers, "p.cilk"], cwd=tmp_path)
    assert result.status == 125 and "expected numbers of processors from 1 to 4096" in result.err, str(result)
    assert result.out == "" and "Traceback" not in result.err


def test_a_long_block_of_unlike_children_keeps_the_work_of_its_inlets(tmp_path):
    """The recorder folds so many steps. The schedule of one processor takes all work of the dag."""
    (tmp_path / "many.cilk").write_text("""static volatile int spent;
static cilk int child(int n) { for (int i = 0; i < n; i++) { } return n; }
cilk int main(void) {
  int sum = 0;
  inlet void add(int n) { for (int i = 0; i < 50 + n % 7; i++) spent++; sum += n; }
  for (int i = 0; i < 5000; i++) add(spawn child(i % 977));
  sync;
  return 0;
}
""")
    dag = json.loads(command([CILKC, "dag", "--json", "many.cilk"], cwd=tmp_path).out)
    (row,) = json.loads(command([CILKC, "simulate", "--json", "-P", "1", "many.cilk"], cwd=tmp_path).out)
    assert row["T1"] == row["TP"] == dag["work"] > 5000 * 50
