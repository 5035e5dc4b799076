"""CILK_FAULT injects what it says into checked programs, as often as it says, and refuses what it does not understand;
under all of it results are right.

The long form is `make soak` (tests/soak/run.py)."""

import json
import os
import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled, module_of

pytestmark = pytest.mark.tier("check")

soak = module_of(ROOT / "tests" / "soak" / "run.py")
CLASSES = re.findall(r'^CILK_FAULT_CLASS\(\w+, *"(\w+)"', (ROOT / "rt" / "core" / "base" / "fault.def").read_text(), re.M)
POINTS = re.findall(r'^CILK_FAULT_CLASS\(\w+, *"(\w+)", *POINT', (ROOT / "rt" / "core" / "base" / "fault.def").read_text(), re.M)
assert len(CLASSES) >= 11 and len(POINTS) >= 4


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Checked programs by (sample, strategy)."""
    folder = tmp_path_factory.mktemp("faults")
    made = {}

    def make(sample, strategy, flags=("-cilk-debug",)):
        key = sample, strategy, flags
        if key not in made:
            made[key] = folder / ("%s-%s%s" % (sample, strategy, "".join(flags)))
            compiled(
                [CILKC, "-O1", "--spawn=" + strategy]
                + list(flags)
                + [ROOT / "samples" / (sample + ".cilk"), "-o", made[key]]
            )
        return made[key]
    return make


def counts(path):
    """{class: (places, faults)} of the log."""
    return {name: (int(places), int(struck)) for name, places, struck in map(str.split, path.read_text().splitlines())}


def run(program, spec, *words, log=None):
    return command([program] + list(words), env={"CILK_FAULT": spec + (",log=%s" % log if log else "")}, timeout=300)


# What gives each class many places.
MANY = {
    "delay": "delay:1/50",
    "yield": "yield:1/20",
    "signal": "signal:1/50",
    "stall": "stall:1/2000",
    "steal": "steal:1/4",
    "release": "release:1/4",
    "malloc": "malloc:after=1000000",
    "mmap": "mmap:1/3",
    "thread": "thread:after=4",
    "membarrier": "membarrier:1/2,steal:1/50",
    "futex": "futex:1/2",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", CLASSES)
def test_results_are_right(programs, name, strategy, tmp_path):
    for sample, words, expected in (("fib", ["19"], "fib(19) = 4181\n"), ("inlets", ["3000"], None)):
        program = programs(sample, strategy)
        want = expected if expected else command([program, "--nproc", "1"] + words).out
        for nproc in (1, 4):
            result = run(program, MANY[name] + ",seed=%d" % nproc, "--nproc", nproc, *words)
            assert result.status == 0 and (result.out == want or want.partition("=")[0] in result.out), str(result)


@pytest.mark.parametrize("name", POINTS + ["steal", "mmap", "futex"])
def test_faults_are_injected(programs, name, tmp_path):
    """As often as asked: half of all places are between a third and two thirds of them. Stalls are asked for less
    often, since each takes a while."""
    log = tmp_path / "log"
    when = "1/500" if name == "stall" else "1/2"
    for _ in range(20):                      # a run may end before anybody sleeps
        log.unlink(missing_ok=True)
        result = run(programs("fib", "eager"), "%s:%s,seed=3" % (name, when), "--nproc", "4", "17", log=log)
        assert result.status == 0, str(result)
        places, struck = counts(log)[name]
        if places >= 4:
            break
    assert places >= 4 and struck > 0, (places, struck)
    if places > 400 and when == "1/2":
        assert places / 3 < struck < places * 2 / 3, (places, struck)


def test_releases_are_injected(programs, tmp_path):
    result = run(programs("fib", "lazy"), "release:1/2", "--nproc", "2", "--stats", "6", "12", log=tmp_path / "log")
    places, struck = counts(tmp_path / "log")["release"]
    assert struck > 10 and re.search(r"^ *Releases ", result.err, re.M), str(result)


@pytest.mark.parametrize("spec,places,struck", [("thread:after=4", 4, 0), ("mmap:at=2", 9, 1), ("mmap:every=3", 11, 3)])
def test_which_places(programs, spec, places, struck, tmp_path):
    """Four workers have four threads, four stacks, four deques; what is refused is asked for again, in half the
    size."""
    result = run(programs("hello", "eager"), spec, "--nproc", "4", log=tmp_path / "log")
    assert result.status == 0 and counts(tmp_path / "log") == {spec.partition(":")[0]: (places, struck)}, str(result)


def test_a_seed_repeats_its_decisions(programs, tmp_path):
    """On one worker nothing else decides: the same places, the same faults."""
    seen = set()
    for n in range(3):
        log = tmp_path / ("log%d" % n)
        assert run(programs("fib", "eager"), "steal:1/3,seed=11", "--nproc", "1", "14", log=log).status == 0
        seen.add(log.read_text())
    assert len(seen) == 1
    log = tmp_path / "other"
    run(programs("fib", "eager"), "steal:1/3,seed=12", "--nproc", "1", "14", log=log)
    assert log.read_text() not in seen


@pytest.mark.parametrize("name", ["malloc", "mmap", "thread"])
def test_what_the_system_refuses_ends_with_one_message(programs, name):
    """At every place where it can: a right result, or status 1, one line on stderr, and nothing half done."""
    program = programs("hello", "lazy")
    right = command([program, "--nproc", "3"]).out
    refused = 0
    for n in range(1, 40):
        result = run(
            program,
            "%s:%s=%d" % (name, "after" if name == "mmap" else "at", n - 1 if name == "mmap" else n),
            "--nproc",
            "3",
        )
        if result.status == 1:
            assert soak.REFUSED.match(result.err) and len(result.err.splitlines()) == 1, str(result)
            refused += 1
        else:
            assert (result.status, result.out) == (0, right), str(result)
    assert refused >= 3


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one worker by default")
@pytest.mark.parametrize("words,env,workers", [
    ([], {}, 1), (["--nproc", "0"], {}, 1), ([], {"CILK_NPROC": "2"}, None), (["--nproc", "2"], {}, None)
])
def test_a_program_goes_on_with_the_threads_that_it_gets(programs, words, env, workers):
    """If it has not asked for so many. The second thread is refused; of a second try none is."""
    program = programs("hello", "lazy")
    result = command([program, "--stats", "json"] + words, env=dict(env, CILK_FAULT="thread:at=2"))
    if workers:
        assert (result.status, result.out) == (0, command([program, "--nproc", "1"]).out), str(result)
        assert json.loads(result.err.splitlines()[-1])["workers"] == workers, str(result)
    else:
        assert result.status == 1 and "cannot create worker 1: " in result.err, str(result)


def test_without_a_thread_that_watches_the_time(programs):
    result = run(programs("hello", "lazy"), "thread:at=2", "--nproc", "1", "--sched=roundrobin")
    assert result.status == 1 and soak.REFUSED.match(result.err) and "watches the time" in result.err, str(result)


@pytest.mark.parametrize("spec,message", [
    ("dely:1/2", "dely:1/2: no such class of faults; there are " + ", ".join(CLASSES)),
    ("delay:often", "delay:often: how often? N/M, at=N, after=N or every=N"),
    ("delay:1/2:3", "delay:1/2:3: how often? N/M, at=N, after=N or every=N"),
    ("delay:3/2", "delay:3/2: not a probability"),
    ("delay:0/0", "delay:0/0: not a probability"),
    ("malloc:after=", "malloc:after=: not a number of places"),
    ("malloc:at=-1", "malloc:at=-1: not a number of places"),
    ("malloc:at=0", "malloc:at=0: not a number of places"),
    ("malloc:at=99999999999999999999", "malloc:at=99999999999999999999: not a number of places"),
    ("seed=x", "seed=x: not a number"),
    ("log=", "log=: no name of a file"),
    ("delay:1/2,,yield:1/2", ": neither CLASS:WHEN, seed=N nor log=FILE"),
    ("chaos", "chaos: neither CLASS:WHEN, seed=N nor log=FILE"),
])
def test_bad_specifications(programs, spec, message):
    result = run(programs("hello", "lazy"), spec)
    assert (result.status, result.out, result.err) == (
        1,
        "",
        "CILK_FAULT: %s\nFailed parsing command line\n" % message,
    ), str(result)


def test_only_the_checked_runtime_injects_faults(programs):
    result = run(programs("hello", "lazy", ()), "delay:1/2")
    assert result.status == 1 and result.err.startswith(
        "CILK_FAULT: faults are injected into programs compiled with -cilk-debug only\n"
    ), str(result)


@pytest.mark.tier("test")
def test_the_soak_keeps_a_log(tmp_path, monkeypatch):
    """A short one; and what a failure looks like: a program that prints something else is reported with the command
    that shows it."""
    monkeypatch.setattr(soak, "PLACE", soak.BUILD / "soak-test")
    log = tmp_path / "log.jsonl"
    options = soak.argparse.Namespace(
        hours=3 / 3600, seed=5, jobs=1, only=["none", "mmap"], log=str(log), variety=10**6, goal=None
    )
    assert soak.Soak(options).go() == 0
    rows = [soak.json.loads(line) for line in log.read_text().splitlines()]
    assert rows and {row["outcome"] for row in rows} <= {"right", "refused"}
    monkeypatch.setattr(soak.Programs, "right", lambda self, program: (0, "something else\n"))
    options.only = ["none"]
    assert soak.Soak(options).go() > 0
    row = soak.json.loads(log.read_text().splitlines()[-1])
    assert row["outcome"] in ("wrong", "crash") and "./cilkc" in row["command"]
    again = command(["sh", "-c", row["command"]], cwd=ROOT)
    assert row["out"] and again.out.endswith(row["out"]), str(again)    # the log has the end of long outputs
