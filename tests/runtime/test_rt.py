"""The runtime by itself: programs with clones written by hand in C (tests/rt), linked with each flavour of the
runtime."""

import functools
import itertools
import random
import re
import shutil

import pytest

from conftest import BUILD, CILKC, FIB, ROOT, RT_INCLUDES, command, compiled

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "rt"
FLAGS = {"": ["-O2"], "-debug": ["-O1"],
         "-tsan": ["-O1", "-fsanitize=thread"], "-asan": ["-O1", "-fsanitize=address,undefined"]}
STRATEGIES = ("eager", "lazy")
ARGS = {"fib": ["15", "20"], "tree": ["4", "4"], "search": ["5", "20"]}


def link(source, out, flavour, *options):
    """A program with clones or threads written by hand, with this flavour of the runtime."""
    archive = BUILD / "lib" / ("libcilkrt%s.a" % flavour)
    if not archive.exists():
        pytest.fail("%s is not built" % archive.name)
    words = ["cc", "-std=gnu17", "-g", "-Wall", "-Wextra", "-I%s" % ROOT, "-pthread", *FLAGS[flavour], *options]
    done = command((["ccache"] if shutil.which("ccache") else []) + words + ["-c", source, "-o", str(out) + ".o"])
    assert done.status == 0 and done.err == "", str(done)
    done = command(["cc", "-pthread", *FLAGS[flavour], str(out) + ".o", archive, "-o", out])
    assert done.status == 0, str(done)
    return out


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, strategy, flavour) is the path of that executable; each is linked once."""
    folder = tmp_path_factory.mktemp("rt")

    @functools.lru_cache(None)
    def make(name, strategy, flavour=""):
        options = ["-DLAZY"] if strategy == "lazy" else []
        return link(HERE / (name + ".c"), folder / ("%s-%s%s" % (name, strategy, flavour)), flavour, *options)

    return make


def run(words, **more):
    result = command(words, **more)
    assert result.status == 0, str(result)
    assert "WARNING: ThreadSanitizer" not in result.err and "runtime error" not in result.err, str(result)
    return result


@pytest.mark.sample(4)
@pytest.mark.parametrize("name,strategy,force", itertools.product(ARGS, STRATEGIES, ("off", "always", "random", "never")))
def test_right_result(program, name, strategy, force):
    for seed, nproc in enumerate((1, 2, 4, 8), 1):
        run([program(name, strategy), "--nproc", nproc, "--seed", seed, "--force-steal", force] + ARGS[name])


@pytest.mark.sample(4)
@pytest.mark.parametrize("flavour,name,strategy", itertools.product(("-debug", "-asan", "-tsan"), ARGS, STRATEGIES))
def test_right_result_in_checked_builds(program, flavour, name, strategy):
    for nproc, force in ((1, "random"), (2, "off"), (4, "random")):
        run([program(name, strategy, flavour), "--nproc", nproc, "--seed", "3", "--force-steal", force] + ARGS[name])


@pytest.mark.sample(6, "all")
@pytest.mark.slow
@pytest.mark.parametrize("name,strategy", itertools.product(ARGS, STRATEGIES))
def test_many_random_runs(program, name, strategy):
    choose = random.Random(1998)
    for _ in range(40):
        run([program(name, strategy), "--nproc", choose.choice((2, 3, 4, 8)), "--seed", choose.randrange(10 ** 9),
             "--force-steal", choose.choice(("off", "off", "always", "random"))] + ARGS[name])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_memory_is_flat_when_searches_are_aborted(program, strategy):
    run([program("search", strategy), "--nproc", "4", "4", "1000"])


@pytest.mark.parametrize("strategy,flavour", itertools.product(STRATEGIES, ("", "-tsan", "-asan")))
def test_several_contexts(program, strategy, flavour):
    run([program("contexts", strategy, flavour), "5"])


@pytest.mark.parametrize("strategy,nproc", itertools.product(STRATEGIES, (1, 2, 64)))
def test_no_call_from_c_is_lost_while_workers_go_to_sleep(program, strategy, nproc):
    run([program("calls", strategy), "--nproc", nproc, "20000"])


@pytest.mark.parametrize("flavour", ("", "-tsan"))
def test_private_variables_of_worker_0_are_the_callers(program, flavour):
    run([program("private", "eager", flavour), "--nproc", "2"])


def test_a_forked_child_waits_for_a_holder_of_its_own_and_reports_a_lost_one(tmp_path):
    """A preempted holder was taken for a lost one after some milliseconds."""
    path = link(HERE / "forked_lock.c", tmp_path / "forked", "", *RT_INCLUDES)
    assert run([path, "held"]).out == "taken\n"
    lost = command([path, "lost"])
    assert lost.status == 1 and "was held by another worker when this process was forked" in lost.err, str(lost)


def test_a_child_that_is_forked_while_its_parent_ends_ends_too(tmp_path):
    """Without a context nothing watched forks, and the child waited for a thread of its parent."""
    path = link(HERE / "forked_end.c", tmp_path / "forked", "", *RT_INCLUDES)
    done = run([path])
    assert done.out == "1\n" and done.err == "global: fatal error: the child ends\n", str(done)


@pytest.mark.parametrize("strategy,leaves", itertools.product(STRATEGIES, (["2", "100"], ["16", "20"], ["16", "20", "100000"])))
def test_long_leaves_are_balanced(program, strategy, leaves):
    """Two long children, or a loop over a few long leaves, also after a fine-grained phase: each of two workers does
    its half, to one leaf in eight."""
    assert min(float(run([program("coarse", strategy), "--nproc", "2"] + leaves).out) for _ in range(5)) <= 1.25


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_without_membarrier(program, strategy):
    for _ in range(3):
        run([program("tree", strategy), "--nproc", "4", "4", "10"], env={"CILK_NO_MEMBARRIER": "1"})


def test_a_signal_to_the_victim_takes_the_place_of_membarrier(program):
    """Steals from fast clones need the fence; a thief whose victim does not answer retreats, and that is the
    exception."""
    count = {"Steals": 0, "Fences": 0}
    # on a busy machine a short run may go without a steal; a row of zeros is not printed
    for _ in range(30):
        err = run(
            [program("fib", "eager"), "--nproc", "2", "--stats", "6", "32", "5"], env={"CILK_NO_MEMBARRIER": "1"}
        ).err
        for name in count:
            row = re.search(r"^ *%s .* (\d+)$" % name, err, re.M)
            count[name] += int(row[1]) if row else 0
        if all(count.values()):
            return
    assert all(count.values()), err


# ---- start-up, options

def startup(program, *words, strategy="eager", **more):
    return command([program("startup", strategy)] + list(words), **more)


def test_status_of_main_and_arguments(program):
    result = startup(program, "--nproc", "2", "-seed", "5", "args", "--nproc", "--stats", "1")
    assert (result.status, result.out) == (7, "args\n--nproc\n--stats\n1\n")


def test_two_dashes_end_the_options(program):
    result = startup(program, "--nproc", "2", "--", "args", "--", "-x")
    assert (result.status, result.out) == (7, "args\n--\n-x\n")


def test_the_first_foreign_word_ends_the_options(program):
    result = startup(program, "--nproc", "2", "args", "-n", "5", "--stats", "6")
    assert result.out == "args\n-n\n5\n--stats\n6\n" and result.err == ""


@pytest.mark.parametrize("words,message", [
    (["--nproc"], "Bad option argument for -nproc: argument missing"),
    (["--nproc", "-3"], "Bad option argument for -nproc: non-positive number of processors"),
    (["--nproc", "x"], "Bad option argument for -nproc: not a number"),
    (["-nproc", "99999999999999999999"], "Bad option argument for -nproc: number too large (at most 1024)"),
    (["--nproc", "1025"], "Bad option argument for -nproc: number too large (at most 1024)"),
    (["--pthread-stacksize", "17179869185g"], "Bad option argument for -pthread-stacksize: number too large (at most 70368744177664)"),
    (["--sched=replay:1:65"], "Bad option argument for -sched=replay:SEED:P: number too large (at most 64)"),
    (["--pthread-stacksize", "5q"], "Bad option argument for -pthread-stacksize: not a number"),
    (["--force-steal", "sometimes"], "Bad option argument for -force-steal: must be never, always, random or off"),
])
def test_wrong_options(program, words, message):
    result = startup(program, *words)
    assert result.status == 1
    assert result.err == message + "\nFailed parsing command line\n"


def test_help_and_version(program):
    result = startup(program, "--help")
    assert result.status == 0 and result.err.startswith("Cilk options:\n     --nproc <n> : ")
    result = startup(program, "-version")
    assert result.status == 0 and "compilation options: none" in result.err


def test_number_of_workers(program):
    assert startup(program, "--nproc", "3", "self").out == "3\n"
    assert startup(program, "self", env={"CILK_NPROC": "5"}).out == "5\n"
    assert startup(program, "--nproc", "2", "self", env={"CILK_NPROC": "5"}).out == "2\n"
    assert int(startup(program, "self").out) >= 1
    assert startup(program, "self", env={"CILK_NPROC": "x"}).status == 1


def test_forced_steals_by_the_environment(program):
    result = run([program("fib", "eager"), "--nproc", "1", "--stats", "2", "10"], env={"CILK_FORCE": "always"})
    assert re.search(r"^ +Steals +[1-9]", result.err, re.M), str(result)
    assert startup(program, "self", env={"CILK_FORCE": "x"}).status == 1


def test_pinning(program):
    assert startup(program, "--pin-proc", "1", "--nproc", "2", "self").out == "2\n"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_cilk_exit_ends_the_computation_with_its_status(program, strategy):
    for nproc in ("1", "2", "4"):
        for what in ("exit", "nested-exit"):
            result = startup(program, "--nproc", nproc, "--stats", "1", what, "9", strategy=strategy)
            assert result.status == 9, str(result)
            assert "RUNTIME SYSTEM STATISTICS" in result.err


def test_exit_of_the_c_library(program):
    assert startup(program, "--nproc", "2", "libc-exit", "5").status == 5


def test_die_and_assert(program):
    result = startup(program, "die")
    assert (result.status, result.err) == (1, "fatal error: enough\n")
    result = startup(program, "assert")
    assert result.status == 1 and result.err.startswith("fatal error: Assertion failed: 1 == 2 line 3 file f.cilk\n")


def test_deep_recursion(program):
    for strategy in STRATEGIES:
        assert startup(program, "--nproc", "2", "chain", "1000000", strategy=strategy).status == 0


def test_overflow_of_a_stack_is_named(program):
    result = startup(program, "--nproc", "1", "recurse")
    assert result.status == 1 and result.err.startswith("Cilk runtime system: stack overflow in worker 0"), str(result)
    result = startup(program, "--nproc", "1", "--stack", "1000", "chain", "100000")
    assert result.status == 1 and result.err.startswith("Cilk runtime system: ready deque overflow in worker 0"), str(
        result
    )


def test_other_crashes_stay_crashes(program):
    result = startup(program, "--nproc", "2", "crash")
    assert result.status in (-11, 139) and result.err.startswith(
        "Cilk runtime system: a null pointer is followed in worker "
    ), str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_idle_workers_sleep(program, strategy):
    """One second of serial work at two workers: the other looks for work a few thousand times; one that does not sleep
    does so a million times. (The processor time it takes is measured by bench/micro.py.)"""
    result = startup(program, "--nproc", "2", "--stats", "6", "idle", strategy=strategy)
    attempts = int(re.search(r"^ *Attempts .* (\d+)$", result.err, re.M)[1])
    assert 0 < attempts < 20000, result.err


def test_statistics(program):
    result = run([program("fib", "eager"), "--nproc", "2", "--stats", "6", "25", "5"])
    assert re.search(
        r"^\nRUNTIME SYSTEM STATISTICS:\n\nWall-clock running time on 2 processors = [0-9.]+ (us|ms|s)\n", result.err
    )
    assert re.search(r"^           PN        0        1     Total$", result.err, re.M)
    assert "SUMMARY OF TIME SPENT BY EACH PROCESSOR" in result.err
    searches = {
        kind: re.search(r"^%s SEARCH FOR WORK = [0-9.]+ (us|ms|s)$" % kind, result.err, re.M)
        for kind in ("AVERAGE", "MEDIAN")
    }
    assert all(bool(found) == ("Found work" in result.err) for found in searches.values()), result.err
    result = run([program("fib", "eager"), "--nproc", "1", "--stats", "1", "10"])
    assert "on 1 processor = " in result.err and "PN" not in result.err


CALLS = """\
#pragma lang -C
#include <stdlib.h>
#include <cilk.h>
#pragma lang +Cilk
""" + FIB + """\
extern int EXPORT(fib)(CilkContext *const context, int n);
#pragma lang -C
int main(int argc, char **argv)
{
    CilkContext *context = Cilk_init(&argc, argv);
    int i;
    for (i = 1; i < argc; i++)
        EXPORT(fib)(context, atoi(argv[i]));
    Cilk_terminate(context);
    return 0;
}
"""


def test_statistics_are_of_the_last_computation(tmp_path):
    """The same as if there had been no other; and a worker that takes no part in it counts nothing."""
    (tmp_path / "calls.cilk").write_text(CALLS)
    compiled([CILKC, "-O2", "calls.cilk", "-o", "calls"], cwd=tmp_path)

    def steals(*words):
        found = re.search(r"^ *Steals .*?(\d+)$", run([tmp_path / "calls", "--stats", "6", *words]).err, re.M)
        return int(found.group(1)) if found else 0
    alone = steals("--nproc", "1", "--force-steal", "always", "12")
    assert alone > 0 and steals("--nproc", "1", "--force-steal", "always", "15", "12") == alone
    # With four on this machine's processors some take no part in the last one, and what they counted before is not its.
    assert any(steals("--nproc", "4", "34") > 0 for _ in range(20))
    assert all(steals("--nproc", "4", "34", "1") == 0 for _ in range(5))


# What a machine says of its nodes; pairs; what the runtime makes of it. 10: the same node, 20: not known.
NODES = {
    "one": ("has_cpu=0;online=0;node0/distance=10;", (), "0"),
    "none": ("", (0, 0, 0, 1), "0 10 20"),
    "four": (
        "has_cpu=0-3;online=0-3;node0/distance=10 11 12 13;node1/distance=11 10 14 15;"
        "node2/distance=12 14 10 16;node3/distance=13 15 16 10;",
        (0, 3, 1, 2, 3, 1, 2, 2),
        "4 13 14 15 10",
    ),
    # Node 1 has memory only, node 2 is not there: the columns are those that are online.
    "gaps": (
        "has_cpu=0,3-4;online=0-1,3-4;node0/distance=10 11 12 13;node3/distance=12 17 10 16;node4/distance=13 18 16 10;",
        (0, 4, 3, 1, 4, 3, 0, 2),
        "5 13 17 16 20",
    ),
    "far": ("has_cpu=0-1;online=0-1;node0/distance=10 255;node1/distance=256 10;", (0, 1, 1, 0), "2 255 20"),
    # More than there is room for: the distances to the last are not kept, nor anywhere else.
    "many": (
        "has_cpu=1-64;online=1-64;node1/distance=%s;" % " ".join(str(100 + i) for i in range(64)),
        (1, 1, 1, 63, 1, 64, 2, 0, 64, 1),
        "65 100 162 20 20 20",
    ),
}


@pytest.mark.parametrize("name", NODES)
def test_memory_nodes_of_a_machine(tmp_path, name):
    files, pairs, expected = NODES[name]
    words = ["cc", "-std=gnu17", *RT_INCLUDES, "-pthread"]
    compiled([*words, HERE / "nodes.c", BUILD / "rt" / "release" / "core" / "steal" / "node.c.o", "-Wl,--wrap=fopen",
              "-o", tmp_path / "nodes"])
    assert run([tmp_path / "nodes", files, *map(str, pairs)]).out == expected + "\n"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_memory_nodes_order_the_victims(program, strategy):
    """Every steal between two workers on nodes of their own is a far one; on one node none is."""
    def far(nproc, nodes):
        err = run(
            [program("fib", strategy), "--nproc", nproc, "--stats", "2", "32", "5"], env={"CILK_NODES": nodes}
        ).err
        count = {
            name: int(found.group(1)) if (found := re.search(r"^\s*%s\s.*?(\d+)$" % name, err, re.M)) else 0
            for name in ("Steals", "Steals/Far")
        }
        return count["Steals"], count["Steals/Far"]
    assert far("4", "1")[1] == 0 and far("4", "")[1] == 0
    for _ in range(20):
        steals, distant = far("2", "2")
        assert distant == steals
        if steals:
            break
    else:
        pytest.skip("no steal happened: the machine is busy")
    steals, distant = far("4", "2")
    assert distant <= steals


@pytest.mark.parametrize("name", ["CILK_NODES", "CILK_PROCESSORS"])
@pytest.mark.parametrize("value, why", [("two", "not a number"), ("2x", "not a number"), ("-1", "negative number"), ("99999999999", "number too large (at most ")])
def test_variables_with_bad_values_are_errors(program, name, value, why):
    result = command([program("fib", STRATEGIES[0]), "--nproc", "2", "10"], env={name: value})
    assert (
        result.status == 1
        and result.out == ""
        and "Bad value of %s: %s" % (name, why) in result.err
        and "\nFailed parsing" in result.err
    ), str(result)


def test_objects_that_disagree_do_not_link(tmp_path):
    for strategy in STRATEGIES:
        (tmp_path / (strategy + ".c")).write_text(
            "extern const char cilk_spawn_%s; const char *%s(void) { return &cilk_spawn_%s; }\n"
            % (strategy, strategy, strategy)
        )
    (tmp_path / "main.c").write_text(
        "const char *eager(void), *lazy(void); int main(void) { return eager() == lazy(); }\n"
    )
    result = command(
        ["cc", "eager.c", "lazy.c", "main.c", BUILD / "lib" / "libcilkrt.a", "-pthread", "-o", "x"], cwd=tmp_path
    )
    assert result.status != 0 and "cilk_error_objects_disagree_on_spawn" in result.err
    (tmp_path / "main.c").write_text("extern const char cilk_debug_on; int main(void) { return cilk_debug_on; }\n")
    result = command(["cc", "main.c", BUILD / "lib" / "libcilkrt.a", "-pthread", "-o", "x"], cwd=tmp_path)
    assert result.status != 0 and "cilk_debug_on" in result.err
