"""Threads of Cilk-1 by themselves: programs with threads written by hand in C (tests/rt/cilk1), linked with each
flavour of the runtime."""

import functools
import itertools
import json
import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled
from test_rt import link, run

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "rt" / "cilk1"
FORCE = ("off", "always", "random", "never")
POST = ("sender", "owner")
ARGS = {"fib": ["15", "20"], "knary": ["5", "4", "2", "10"], "tangle": ["8", "10"], "mixed": ["17", "5"]}


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, flavour, *options) is the path of that executable; each is linked once."""
    folder = tmp_path_factory.mktemp("cilk1")

    @functools.lru_cache(None)
    def make(name, flavour="", *options):
        return link(HERE / (name + ".c"), folder / ("%s%s%s" % (name, flavour, "".join(options))), flavour, *options)

    return make


def row(report, name):
    """The last number of a row of --stats: the total."""
    found = re.search(r"^ *%s .*?(\d+)$" % name, report, re.M)
    return int(found.group(1)) if found else 0


@pytest.mark.sample(4)
@pytest.mark.parametrize("name, fast, force", itertools.product(ARGS, (True, False), FORCE))
def test_right_result(program, name, fast, force):
    built = program(name, "", *(["-DFAST"] if fast else []))
    for nproc, post in itertools.product((1, 2, 4), POST):
        run([built, "--nproc", nproc, "--force-steal", force, "--post", post, *ARGS[name]])


@pytest.mark.sample(4)
@pytest.mark.parametrize("flavour, name", itertools.product(("-debug", "-asan", "-tsan"), ARGS))
def test_right_result_in_checked_builds(program, flavour, name):
    for nproc, force, post in itertools.product((1, 2, 4), ("off", "random"), POST):
        run([program(name, flavour), "--nproc", nproc, "--force-steal", force, "--post", post, *ARGS[name]])


@pytest.mark.parametrize("nproc", (1, 2, 4))
def test_threads_are_counted_as_the_paper_counts_them(program, nproc):
    assert row(run([program("fib"), "--nproc", nproc, "--stats", "2", "33"]).err, "Threads") == 17108660


@pytest.mark.parametrize("nproc", (1, 2, 4))
@pytest.mark.parametrize("shape", (("7", "5", "2"), ("8", "3", "0"), ("7", "4", "3")))
def test_threads_of_knary_are_those_of_the_formula(program, shape, nproc):
    result = run([program("knary"), "--nproc", nproc, "--stats", "2", *shape, "10"])
    assert row(result.err, "Threads") == int(re.search(r"threads: (\d+)", result.out).group(1))


@pytest.mark.parametrize("how, says", (
    ("twice", "dead continuation: argument 3 (y) of a call of join (tests/rt/cilk1/wrong.c:15)"),
    ("late", "dead continuation: argument 3 (y) of a call of join"),
    ("null", "continuation that refers to nothing"),
    ("unsent", "but its result was not sent\n  join (tests/rt/cilk1/wrong.c:15) still waits for argument 3 (y)")))
def test_what_is_wrong_with_a_continuation_is_reported(program, how, says):
    for nproc in (1, 2):
        result = command([program("wrong", "-debug"), "--nproc", nproc, how])
        assert result.status == 1 and says in result.err.replace(str(HERE), "tests/rt/cilk1"), str(result)


def test_a_missing_send_is_reported_in_every_build(program):
    result = command([program("wrong"), "--nproc", "2", "unsent"])
    assert result.status == 1 and "its result was not sent" in result.err, str(result)


# ---- the simulator ----

def simulate(built, folder, numbers, *words):
    """{P: what was written of it}"""
    file = folder / "simulation"
    file.unlink(missing_ok=True)
    run([built, "--simulate", ",".join(map(str, numbers)), *words], env={"CILK_SIMULATION": str(file)})
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["P"] for line in lines] == list(numbers)
    return {line["P"]: line for line in lines}


@pytest.mark.parametrize("name", sorted(set(ARGS) - {"mixed"}))
@pytest.mark.parametrize("post", POST)
def test_simulated_programs_give_the_right_result(program, tmp_path, name, post):
    found = simulate(
        program(name), tmp_path, (1, 2, 8, 64) + ((4096,) if name == "fib" else ()), "--post", post, *ARGS[name]
    )
    assert len({line["threads"] for line in found.values()}) == 1


def test_a_closure_that_a_simulated_processor_steals_is_alive_there_alone(program):
    """A debug build counts at the end what is left."""
    run([program("fib", "-debug"), "--simulate", "1,2,8", *ARGS["fib"]])


HOPS = """#include <stdio.h>
thread hop(cont int k, int n) { if (n) spawn hop(k, n - 1) @ n - 1; else send_argument(k, 7); }
cilk int main(void) { int r; r = spawn hop(30); sync; printf("%d\\n", r); return 0; }
"""
PLACED = """#include <stdio.h>
thread add(cont int k, int x, int y) { send_argument(k, x + y); }
thread fib(cont int k, int n)
{
  if (n < 2)
    send_argument(k, n);
  else {
    cont int x, y;
    spawn_next add(k, ?x, ?y);
    spawn fib(x, n - 1) @ n;
    spawn fib(y, n - 2) @ n + 1;
  }
}
cilk int main(void) { int r; r = spawn fib(12); sync; printf("%d\\n", r); return r != 144; }
"""


@pytest.mark.parametrize("post", POST)
def test_a_placed_thread_runs_on_its_simulated_processor(tmp_path, post):
    """Each hop is to the processor before; a steal in between may save or add one. No processor has more closures than all together, but for the two that are
    there before the first thread. A debug build counts at the end what is left."""
    for name, text in ("hops", HOPS), ("placed", PLACED):
        (tmp_path / (name + ".cilk1")).write_text(text)
        compiled([CILKC, "-O1", "-cilk-debug", name + ".cilk1", "-o", name], cwd=tmp_path)
    found = simulate(tmp_path / "hops", tmp_path, (1, 2, 3, 8), "--post", post)
    hops = {1: 0, 2: 30, 3: 30, 8: 30}
    assert all(abs(line["sends"] - hops[p]) <= line["steals"] for p, line in found.items()), found
    found = simulate(tmp_path / "placed", tmp_path, (1, 2, 3, 8), "--post", post)
    assert all(line["space"] <= line["total_space"] + 2 for line in found.values()), found


@pytest.mark.parametrize("post", POST)
def test_two_simulated_processors_have_the_closures_that_are_placed_there(tmp_path, post):
    """Half of the children are placed on each. So both together have nearly twice what one has: 1.7 times, and 1.2 times
    if closures are counted where they were made."""
    (tmp_path / "placed.cilk1").write_text(PLACED)
    compiled([CILKC, "-O1", "placed.cilk1", "-o", "placed"], cwd=tmp_path)
    found = [simulate(tmp_path / "placed", tmp_path, (2,), "--post", post, "--seed", str(k))[2] for k in range(20)]
    assert sum(line["total_space"] for line in found) >= 1.5 * sum(line["space"] for line in found), found


def test_a_simulation_of_procedures_of_cilk_5_needs_units(program):
    """Their parallelism is not seen, so the speedups would be wrong."""
    result = command([program("mixed"), "--simulate", "1,2", *ARGS["mixed"]])
    assert result.status == 1 and "is a procedure of Cilk-5" in result.err and result.out == "", str(result)


@pytest.mark.parametrize("numbers,why", [("8,x", "not a number"), ("8,", "not a number"), ("8,0", "number too small")])
def test_no_number_of_processors_is_simulated_before_all_are_read(program, numbers, why):
    result = command([program("fib"), "--simulate", numbers, *ARGS["fib"]])
    wanted = ["Bad option argument for -simulate: " + why, "Failed parsing command line"]
    assert (result.status, result.out, result.err.splitlines()[:2]) == (1, "", wanted), str(result)


def test_two_idle_processors_do_not_take_a_thread_from_each_other(program, tmp_path):
    """A chain of threads that costs more to steal than to run: each is run, in the end, by somebody."""
    for seed in range(6):
        simulate(
            program("knary"), tmp_path, (2,), "--simulate-costs", "steal=1", "--seed", str(seed), "4", "5", "4", "5000"
        )


def test_space_is_bounded_in_every_simulated_run(program, tmp_path):
    """S_P <= S_1 P, and a processor does not need more because there are more of them (section 6)."""
    for name, words in (("fib", ["18"]), ("knary", ["7", "4", "1", "10"])):
        found = simulate(program(name), tmp_path, (1, 2, 8, 32, 256), *words)
        one = found[1]["space"]
        assert all(line["total_space"] <= one * p and line["space"] <= 2 * one for p, line in found.items()), found


def test_simulated_time_is_work_on_one_and_bounded_by_the_model(program, tmp_path):
    """Lengths are those of this run, whatever the machine did to them: T_1 = work, T_P >= T_1/P, and T_P >= T_inf. To
    the nanosecond: what spawns the first thread is part of all of them, however short the threads."""
    for words in (("6", "4", "1", "2000"), ("3", "2", "1", "0")):
        found = simulate(program("knary"), tmp_path, (1, 4, 32), *words)
        assert found[1]["TP"] == pytest.approx(found[1]["T1"], rel=1e-7)
        for p, line in found.items():
            assert (
                line["TP"] >= (1 - 1e-7) * line["T1"] / p
                and line["TP"] >= (1 - 1e-7) * line["Tinf"]
                and line["Tinf"] <= line["T1"]
            )


CHAIN = """\
#include <stdio.h>
#include <stdlib.h>
thread bit(cont int k, int n) { send_argument(k, n & 1); }
thread leaf(cont int k, int n) { spawn bit(k, n); }
thread both(cont int k, int a, int b) { send_argument(k, a + b); }
thread chain(cont int k, int n)
{
  if (n == 0) {
    send_argument(k, 0);
  } else {
    cont int x, y;
    spawn_next both(k, ?x, ?y);
    spawn leaf(x, n) @ 1;
    spawn chain(y, n - 1);
  }
}
cilk int main(int argc, char **argv) { int r; r = spawn chain(atoi(argv[1])); sync; printf("%d\\n", r); return 0; }
"""


@pytest.mark.parametrize("nproc", ["1", "2", "4"])
def test_deep_levels_are_no_longer_way_than_others(tmp_path, nproc):
    """Each leaf alone in a pool, at its own level. The program takes a second. If a worker walked over all empty levels
    after each leaf, the program would take minutes, which counts as no end."""
    (tmp_path / "chain.cilk1").write_text(CHAIN)
    compiled([CILKC, "-O0", "chain.cilk1", "-o", "chain"], cwd=tmp_path)
    result = command(["./chain", "--nproc", nproc, "1000000"], cwd=tmp_path)
    assert result.status == 0 and result.out == "500000\n", str(result)


# `placed` sends its result before other workers have its messages. `called` sends its result before the procedure ends
# that it has called; another worker goes on with that procedure.
EARLY = """\
#include <stdio.h>

static int marks, stolen;

thread mark(int n) { __atomic_fetch_add(&marks, n, __ATOMIC_SEQ_CST); }

thread placed(cont int k)
{
    for (int i = 1; i < 8; i++)
        spawn mark(1) @ i;
    send_argument(k, 7);
}

cilk void wait_for_thief(void)
{
    for (int i = 0; i < 1000000 && !__atomic_load_n(&stolen, __ATOMIC_SEQ_CST); i++)
        ;
}

cilk int long_procedure(void)
{
    spawn wait_for_thief();
    __atomic_store_n(&stolen, 1, __ATOMIC_SEQ_CST);
    for (volatile int i = 0; i < 300000; i++)
        ;
    sync;
    return 7;
}

thread called(cont int k)
{
    cont int n;
    spawn_next mark(?n);
    spawn long_procedure(n);
    send_argument(k, 7);
}

cilk int main(void)
{
    int right = 0, n;
    for (int i = 0; i < 200; i++) {
        marks = 0;
        n = spawn placed();
        sync;
        right += marks == n;
    }
    for (int i = 0; i < 20; i++) {
        marks = stolen = 0;
        n = spawn called();
        sync;
        right += marks == n;
    }
    printf("%d\\n", right);
    return 0;
}
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_computation_with_a_result_waits_for_messages_and_procedures(tmp_path, strategy):
    (tmp_path / "early.cilk1").write_text(EARLY)
    compiled([CILKC, "-O2", "--spawn=" + strategy, "early.cilk1", "-o", "early"], cwd=tmp_path)
    for nproc, force in itertools.product((1, 2, 4), ("off", "random")):
        result = command(["./early", "--nproc", nproc, "--force-steal", force], cwd=tmp_path)
        assert result.status == 0 and result.out == "220\n", str(result)


# `keeps` holds a worker; `waits` releases the worker, and goes on until another worker has run the only thread.
# Either it was public and is taken back, or a thief runs it.
SHOWN = """\
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
static int ran, busy, go, begun, stolen;
static _Thread_local int waiting;
static void until(int *n)
{
    while (!__atomic_load_n(n, __ATOMIC_ACQUIRE))
        sched_yield();
}
thread sum(cont int k, int a, int b) { send_argument(k, a + b); }
thread elsewhere(cont int k)
{
    if (waiting)                                /* it was called from `waits` */
        _exit(3);
    __atomic_store_n(&ran, 1, __ATOMIC_RELEASE);
    send_argument(k, 1);
}
thread keeps(cont int k)
{
    __atomic_store_n(&busy, 1, __ATOMIC_RELEASE);
    until(&go);
    send_argument(k, 2);
}
thread waits(cont int k)
{
    cont int x, y;
    spawn_next sum(k, ?x, ?y);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    waiting = 1;
    spawn elsewhere(x);
    until(&ran);
    waiting = 0;
    send_argument(y, 3);
}
thread first(cont int k)
{
    cont int x, y;
    spawn_next sum(k, ?x, ?y);
    spawn keeps(x);
    until(&busy);
    spawn waits(y);
    if (stolen)
        until(&begun);
}
cilk int main(int argc, char **argv)
{
    int r;
    stolen = argc > 1;
    alarm(100);
    r = spawn first();
    sync;
    printf("%d\\n", r);
    return 0;
}
"""


def test_a_thread_is_shown_while_another_one_goes_on(tmp_path):
    """The closure that is posted next becomes public without a request. Its target needs no message, since the target
    was shared before."""
    (tmp_path / "shown.cilk1").write_text(SHOWN)
    assert command([ROOT / "cilkc", "-O2", "shown.cilk1", "-o", "shown"], cwd=tmp_path).status == 0
    for words in 3 * [["2"], ["3", "stolen"]]:
        result = command(["./shown", "--stats", "3", "--nproc", *words], cwd=tmp_path)
        assert result.status == 0 and result.out == "6\n" and row(result.err, "Messages") == 0, str(result)


def test_the_command_simulates(tmp_path):
    words = [ROOT / "cilkc", "simulate", "-P", "1,8", "-DFAST", "-I%s" % ROOT, "-w", HERE / "knary.c", "--", "5", "4",
             "1", "10"]
    result = run([*words[:2], "--json", *words[2:]], timeout=300)
    lines = json.loads(result.out[result.out.index("["):])
    assert [line["P"] for line in lines] == [1, 8] and lines[0]["threads"] == lines[1]["threads"]
    assert re.search(r"^T_1/P \+ T_inf +\S+ +\S+$", run(words, timeout=300).out, re.M)
