"""--sched=record:FILE and --sched=replay:FILE (docs/schedulers.md): a real run is written down, and repeated at any
number of processors.

`make test` tries a few random programs; CILKC_REPLAYS=1000 tries that many, CILKC_REPLAYS=200:300 those from 200 up
to 300.
"""

import itertools
import os
import re
import shlex
import subprocess
import sys

import pytest

from conftest import CILKC, EXPERIMENTAL, FIB, ROOT, STRATEGIES, TESTS, command, compiled, maker, module_of

pytestmark = pytest.mark.tier("check")

generate = module_of(TESTS / "stress" / "generate.py")
PLACES = (1, 2, 4, 8)


def seeds():
    low, _, high = os.environ.get("CILKC_REPLAYS", "1:7").rpartition(":")
    return range(int(low or 1), int(high) + 1 if not low else int(high))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("record"))


def record(program, file, *words):
    return command([program, "--nproc", 4, "--sched=record:%s" % file, *words], timeout=300)


def replay(program, file, *words, places=None):
    return command([program, "--sched=replay:%s" % file + (":%d" % places if places else ""), *words], timeout=300)


@pytest.mark.parametrize("strategy,flags", itertools.product(STRATEGIES, ((), ("-cilk-debug",))))
def test_any_number_of_processors_repeats_a_run(program, strategy, flags, tmp_path):
    """Inlets in their order, on the same workers; the order of the lock's owners; where SYNCHED held; how far aborted
    procedures went."""
    outputs = set()
    for k in range(40):                                     # on a busy machine several runs may be one and the same
        run = record(program("recorded", strategy, *flags), tmp_path / "r", 9)
        assert run.status == 0 and run.err == "", str(run)
        outputs.add(run.out)
        for places in PLACES if k < 2 else ():
            again = replay(program("recorded", strategy, *flags), tmp_path / "r", 9, places=places)
            assert (again.status, again.out, again.err) == (0, run.out, ""), "%d places\n%s" % (places, again)
        if k >= 1 and len(outputs) > 1:
            break
    assert len(outputs) > 1, "real runs are not one and the same"


def test_a_program_whose_parent_ignores_what_becomes_of_children(program, tmp_path):
    """The process that passes its output on has no parent to wait for it then."""
    ignore = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", ignore, program("recorded", "eager"), "--nproc", 2]
    run = command([*words, "--sched=record:%s" % (tmp_path / "r"), 7], timeout=60)
    assert run.status == 0 and run.out and run.err == "", str(run)
    again = replay(program("recorded", "eager"), tmp_path / "r", 7)
    assert (again.status, again.out, again.err) == (0, run.out, ""), str(again)


def test_nproc_says_how_many_run_at_a_time(program, tmp_path):
    run = record(program("recorded", "eager"), tmp_path / "r", 7)
    for nproc in (1, 3):
        again = command([program("recorded", "eager"), "--nproc", nproc, "--sched=replay:%s" % (tmp_path / "r"), 7])
        assert again.out == run.out and again.status == 0, str(again)


LOCK = """#include <cilk.h>
static Cilk_lockvar lock;
cilk int main(int n, char **words) { *(int *)&lock = words[1][0] - '1'; Cilk_unlock(lock); return n - 2; }
"""


def test_values_that_a_lock_may_have(tmp_path):
    """In a recorded run a lock has its holder. Other runs, and other workers than there are, leave no such values."""
    (tmp_path / "p.cilk").write_text(LOCK)
    compiled([CILKC, "-w", "-cilk-debug", "p.cilk", "-o", "p"], cwd=tmp_path)
    for options, most in (([], 1), (["--sched=record:r"], 3)):
        for value in range(-1, 6):
            words = ["./p", "--nproc", 2, *options, "--", value + 1]
            expected = "" if 0 < value <= most else "is released" if value == 0 else "was not initialised"
            result = command(words, cwd=tmp_path)
            assert expected in result.err and bool(expected) == bool(result.status), "%d\n%s" % (value, result)


LEAVES = FIB + "cilk int main(void) { int x; x = spawn fib(9); sync; return x != 34; }\n"


def test_optimisation_takes_tests_from_a_lazy_program(tmp_path):
    """So each of two groups of builds repeats the files of its own group."""
    (tmp_path / "p.cilk").write_text(LEAVES)
    groups = ("-O0", "-O1", "-cilk-explore"), ("-O2", "-O3")
    for flag in (flag for group in groups for flag in group):
        compiled([CILKC, "-w", "--spawn=lazy", flag, "p.cilk", "-o", "p" + flag], cwd=tmp_path)
    for group in groups:
        options = ["--sched=replay:1:2", "--sched=record:r"]
        assert command(["./p" + group[0], *options], cwd=tmp_path).status == 0
        for flag in groups[0] + groups[1]:
            run = command(["./p" + flag, "--sched=replay:r"], cwd=tmp_path)
            assert run.status == (0 if flag in group else 120), "%s, recorded by %s\n%s" % (flag, group[0], run)
            assert (flag in group) != ("does not do what was recorded" in run.err), str(run)


@pytest.mark.parametrize("strategy,flags", itertools.product(STRATEGIES, ((), ("-cilk-debug",))))
def test_computations_that_are_cancelled(program, strategy, flags, tmp_path):
    """Deadlines come at the same place."""
    for _ in range(2):
        run = record(program("started", strategy, *flags), tmp_path / "r", 3)
        assert (run.status, run.out, run.err) == (0, "done\n", ""), str(run)
        for places in PLACES:
            again = replay(program("started", strategy, *flags), tmp_path / "r", 3, places=places)
            assert (again.status, again.out, again.err) == (0, "done\n", ""), str(again)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_deadlines_that_come_as_computations_end(program, strategy, tmp_path):
    """The thread that rings has the alarms and wants a step. A worker that ends a computation has a step and wants the
    alarms. Each waited for the other."""
    built = program("deadlines", strategy)
    for nproc in (1, 2, 4):
        for _ in range(3):
            run = command([built, "--nproc", nproc, "--sched=record:r"], cwd=tmp_path, timeout=300)
            assert (run.status, run.err) == (0, ""), str(run)
        again = command([built, "--sched=replay:r"], cwd=tmp_path, timeout=300)
        assert (again.status, again.err) == (0, ""), str(again)


WAITING = """#include <cilk-start.h>
#include <stdio.h>
#include <unistd.h>
static int started, said;
static void await(int *n, int value) { while (__atomic_load_n(n, __ATOMIC_SEQ_CST) < value) usleep(1000); }
static void one_more(int *n) { __atomic_fetch_add(n, 1, __ATOMIC_SEQ_CST); }
cilk void say(int n) { await(&started, 5); printf("%d\\n", n); one_more(&said); }
extern void EXPORT(say)(CilkContext *const, int);
cilk int main(void)
{
  Cilk_computation *c[5];
  for (int i = 0; i < 5; i++) {
    c[i] = Cilk_start(say, i);
    one_more(&started);
  }
  await(&said, 5);
  for (int i = 0; i < 5; i++)
    Cilk_wait(c[i], NULL);
  return 0;
}
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_of_several_that_are_ready_the_same_one_is_taken(strategy, tmp_path):
    """The other worker takes the oldest computation that this worker has started and that stays in C code. To take the
    latest one would do for most programs."""
    (tmp_path / "p.cilk").write_text(WAITING)
    compiled([CILKC, "--spawn=" + strategy, "p.cilk", "-o", "p"], cwd=tmp_path)
    run = command(["./p", "--nproc", 2, "--sched=record:r"], cwd=tmp_path, timeout=300)
    assert run.status == 0 and run.err == "" and run.out.split() == list("01234"), str(run)
    for places in (2, 4):
        again = command(["./p", "--sched=replay:r:%d" % places], cwd=tmp_path, timeout=300)
        assert (again.status, again.out, again.err) == (0, run.out, ""), "%d places\n%s" % (places, again)


# `taker` waits for what another worker does after the touch.
TOUCHES = """
#include <stdio.h>
static volatile int stolen, go;
cilk int one(void) { while (!stolen) {} return 41; }
cilk int taker(future int *p) { int a = touch *p; while (!go) {} return a; }
cilk int setter(void) { go = 1; return 1; }
cilk int main(void)
{
  int x, y;
  future int f = spawn one();
  stolen = 1;
  int r = touch f;
  x = spawn taker(&f);
  y = spawn setter();
  sync;
  printf("%d\\n", r + x + y);
  return 0;
}
"""


def test_a_step_ends_with_the_touch(tmp_path):
    """The next step of another worker comes after it, and not after all that follows the touch."""
    (tmp_path / "p.cilk").write_text(TOUCHES)
    compiled([CILKC, "--spawn=eager", "p.cilk", "-o", "p"], cwd=tmp_path)
    for words in (["--nproc", 2, "--sched=record:r"], ["--sched=replay:r"], ["--sched=replay:r:4"]):
        run = command(["./p", *words], cwd=tmp_path, timeout=60)
        assert (run.status, run.out, run.err) == (0, "83\n", ""), str(run)


@pytest.mark.parametrize("strategy", EXPERIMENTAL)
def test_strategies_for_comparison_are_repeated(strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(generate.program(1, loud=True))
    compiled([CILKC, "-w", "--spawn=" + strategy, "p.cilk", "-o", "p"], cwd=tmp_path)
    run = command(["./p", "--nproc", 4, "--sched=record:r"], cwd=tmp_path, timeout=300)
    again = command(["./p", "--sched=replay:r"], cwd=tmp_path, timeout=300)
    assert run.status == 0 and (again.status, again.out, again.err) == (0, run.out, ""), str(again)
    record = (tmp_path / "r").read_bytes()
    (tmp_path / "r").write_bytes(record[:15] + b"\x04" + record[16:])
    assert "it is damaged" in command(["./p", "--sched=replay:r"], cwd=tmp_path).err


def test_files_have_the_numbers_that_they_have_without_a_record(tmp_path):
    """In the program, and in what it starts: there a pipe of the recording would stay open as long as that runs."""
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
cilk int main(void)
{
    int next = dup(0);
    printf("%d\\n", next);
    fflush(stdout);
    close(next);
    return system("ls /proc/self/fd");
}
""")
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    for words in (["--nproc", 2], ["--nproc", 2, "--sched=record:r"], ["--sched=replay:r"]):
        run = command(["./p", *words], cwd=tmp_path)
        assert (run.status, run.out.split(), run.err) == (0, list("30123"), ""), str(run)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_delivery_waits_for_its_parents_worker(program, strategy, tmp_path):
    """A child's result came while its parent was at a later spawn. In the replays the parent gets there late."""
    # a third of the records would do without: each delivery waited in the queue
    for _ in range(8):
        run = record(program("stopped", strategy), tmp_path / "r", "12")
        assert run.status == 0 and run.err == "", str(run)
        for places in (1, 4):
            words = [program("stopped", strategy), "--sched=replay:%s:%d" % (tmp_path / "r", places), "12"]
            again = command(words, timeout=300, env={"PARENT_IS_LATE": "1"})
            assert (again.status, again.out, again.err) == (0, run.out, ""), "%d places\n%s" % (places, again)


@pytest.mark.parametrize("seed", seeds())
def test_random_programs(seed, tmp_path):
    strategy = STRATEGIES[seed % len(STRATEGIES)]
    (tmp_path / "p.cilk").write_text(generate.program(seed, loud=True))
    compiled([CILKC, "-w", "-O%d" % (seed // 2 % 3), "--spawn=" + strategy, "p.cilk", "-o", "p"], cwd=tmp_path)
    run = command(["./p", "--nproc", 4, "--sched=record:r"], cwd=tmp_path, timeout=300)
    assert run.status == 0 and run.err == "", "%d\n%s" % (seed, run)
    for places in PLACES:
        again = command(["./p", "--sched=replay:r:%d" % places], cwd=tmp_path, timeout=300)
        assert (again.status, again.out, again.err) == (0, run.out, ""), "%d at %d\n%s" % (seed, places, again)


@pytest.mark.parametrize("how,status", [("assert", 1), ("fault", -11), ("exit", 7), ("cilk-exit", 8)])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_bad_end_is_repeated(program, strategy, how, status, tmp_path):
    run = record(program("recorded", strategy), tmp_path / "the file", 7, how)
    assert run.status == status, str(run)
    lines = re.findall(r"^to repeat this run: (.*)$", run.err, re.M)
    assert len(lines) == (how != "exit"), str(run)          # exit(3) is the program's own affair
    for places in PLACES:
        words = (
            shlex.split(lines[0])
            if lines and places == 4
            else [program("recorded", strategy), "--sched=replay:%s:%d" % (tmp_path / "the file", places), "7", how]
        )
        again = command(words, timeout=300)
        assert (again.status, again.out) == (run.status, run.out), str(again)


OUTCOME_BYTES = 23


def outcome_at(record):
    """Where the file says how the run ended (rt/extensions/replay/outcome.h): after the program's arguments."""
    return 20 + int.from_bytes(record[16:20], "little")


def without_outcome(record):
    at = outcome_at(record)
    return record[:at] + bytes(OUTCOME_BYTES) + record[at + OUTCOME_BYTES:]


def step_ends(record):
    """Where steps end in the file (rt/extensions/replay/record.h): kind, worker, a number, observations, 0. A run that
    is killed leaves whole ones and zeroes."""
    def after_number(at):
        while record[at] >= 128:
            at += 1
        return at + 1
    at, ends = outcome_at(record) + OUTCOME_BYTES, []
    while record[at]:
        at = after_number(at + 2)
        while record[at]:
            for _ in range({1: 3, 2: 2, 3: 1, 4: 2}[record[at]]):
                at = after_number(at + 1) - 1
            at += 1
        at += 1
        ends.append(at)
    return ends


def test_a_run_that_was_killed_is_repeated_up_to_there(program, tmp_path):
    for _ in range(20):                                     # how many steps there are depends on how much was stolen
        run = record(program("recorded", "eager"), tmp_path / "r", 7, "kill")
        assert run.status == -9, str(run)
        bytes_ = (tmp_path / "r").read_bytes()
        ends = step_ends(bytes_)
        if len(ends) > 10:
            break
    again = replay(program("recorded", "eager"), tmp_path / "r", 7, "kill", places=1)
    assert (again.status, again.out) == (-9, run.out), str(again)
    (tmp_path / "shorter").write_bytes(bytes_[:ends[len(ends) // 2]] + b"\0" * 4096)
    again = replay(program("recorded", "eager"), tmp_path / "shorter", 7, "kill", places=2)
    assert again.status == 1 and "the run that was recorded was cut short" in again.err, str(again)


def test_a_run_that_was_cut_short_at_its_end(program, tmp_path):
    """Some workers have left the computation before the replay ends."""
    for _ in range(20):
        run = record(program("recorded", "eager"), tmp_path / "r", 8)
        whole = without_outcome((tmp_path / "r").read_bytes())
        ends = step_ends(whole[:-9] + b"\0" * 9)            # in place of its end and sum
        if len(ends) > 60:
            break
    assert run.status == 0 and len(ends) > 60, str(run)
    for steps in range(len(ends) - 4, len(ends)):
        (tmp_path / "part").write_bytes(whole[:ends[steps - 1]] + b"\0" * 4096)
        words = [program("recorded", "eager"), "--sched=replay:%s:1" % (tmp_path / "part"), 8]
        again = command(words, timeout=15)                  # nothing waits for its patience to end, which is 20 s
        assert again.status == 1 and "ends here, after %d steps" % steps in again.err, str(again)


@pytest.mark.tier("all")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_run_that_was_cut_short_anywhere(program, strategy, tmp_path):
    """Some workers made no further step in what is left of the record. They do not run ahead of those that did, and do
    not stop where they met nothing yet."""
    ends = []
    for _ in range(20):
        run = record(program("recorded", strategy), tmp_path / "r", 8)
        whole = without_outcome((tmp_path / "r").read_bytes())
        ends = step_ends(whole[:-9] + b"\0" * 9)            # in place of its end and sum
        if len(ends) > 60:
            break
    assert run.status == 0 and len(ends) > 60, str(run)
    every = len(ends) // 20
    for n, k in enumerate(range(1, len(ends) - 1, every)):
        (tmp_path / "part").write_bytes(whole[:ends[k]] + b"\0" * 4096)
        for places in PLACES if n % 5 == 0 else (1,):
            again = replay(program("recorded", strategy), tmp_path / "part", 8, places=places)
            assert (
                again.status == 1
                and "ends here, after %d steps: the run that was recorded was cut short" % (k + 1) in again.err
            ), "%d places\n%s" % (places, again)


@pytest.mark.tier("test")
def test_a_worker_that_made_no_further_step_does_not_meet_what_came_later(program, tmp_path):
    """A seed decides each run, so it is the same whenever this runs."""
    for seed in range(12, 17):
        words = ["--sched=replay:%d:4" % seed, "--sched=record:r", 6]
        assert command([program("recorded", "eager"), *words], cwd=tmp_path).status == 0
        whole = without_outcome((tmp_path / "r").read_bytes())
        ends = step_ends(whole[:-9] + b"\0" * 9)
        assert len(ends) > 60
        for k in range(seed % 3 + 1, len(ends) - 1, 3):
            (tmp_path / "part").write_bytes(whole[:ends[k]] + b"\0" * 4096)
            again = replay(program("recorded", "eager"), tmp_path / "part", 6, places=1)
            assert again.status == 1 and "ends here, after %d steps" % (k + 1) in again.err, "seed %d: %s" % (seed, again)


def test_files_that_are_none(program, tmp_path):
    good = b""
    for _ in range(20):                                      # how much is written depends on how much was stolen
        run = record(program("recorded", "eager"), tmp_path / "r", 7)
        good = max(good, (tmp_path / "r").read_bytes(), key=len)
        if len(good) > 300:
            break
    assert run.status == 0 and len(good) > 300
    cases = [(good[:n], "truncated") for n in (15, 19, len(good) // 3, len(good) // 2, len(good) - 1)]
    cases += [
        (b"", "empty"),
        (b"\x7fELF", "not a record of --sched=record"),
        (b"cilk record 9\n" + good[14:], "another version"),
        (good[:-1] + bytes([good[-1] ^ 1]), "damaged"),
        (good + b"x", "damaged"),
        (good[:14] + b"\x00" + good[15:], "damaged"),
    ]
    # a byte that is another one: found out by the sum, at the latest
    for k in range(40, len(good), len(good) // 25):
        cases.append((good[:k] + bytes([good[k] ^ 0x55]) + good[k + 1:], ""))
    for bytes_, message in cases:
        (tmp_path / "bad").write_bytes(bytes_)
        result = replay(program("recorded", "eager"), tmp_path / "bad", 7)
        assert result.status == 1 and result.out == "" and "cannot replay" in result.err and message in result.err, (
            "%s\n%s" % (message, result)
        )


@pytest.mark.parametrize("options,message", [
    (["--sched=record:"], "the name of a file is missing"),
    (["--sched=record:/nowhere/r"], "cannot write the record /nowhere/r: No such file"),
    (["--sched=record:."], "cannot write the record .: Is a directory"),
    (["--sched=replay:none"], "cannot replay none: No such file"),
    (["--sched=replay:/"], "cannot replay /: Is a directory"),
    (["--sched=replay:r:0"], "number too small"),
    (["--sched=replay:r", "--sched=central"], "works only with the scheduler steal"),
    (["--sched=record:q", "--sched=replay:r"], "recorded or replayed, not both"),
    (["--sched=replay:r", "--sched=pct:3"], "either the file or a seed or list"),
    (["--sched=replay:r", "--sched=turns:4:1=0"], "either the file or a seed or list"),
    (["--sched=record:q", "--force-steal", "always"], "--force-steal"),
    (["--sched=record:q", "--nproc", "65"], "more than 64 workers"),
])
def test_options_that_do_not_go_together(program, options, message, tmp_path):
    record(program("recorded", "lazy"), tmp_path / "r", 5)
    result = command([program("recorded", "lazy")] + options + [5], cwd=tmp_path)
    assert result.status == 1 and result.out == "" and message in result.err, str(result)
    assert "to repeat this run" not in result.err, str(result)       # none has begun, and there is no record


def test_a_pipe_is_no_record(program, tmp_path):
    """It is refused although no process ever writes to it."""
    os.mkfifo(tmp_path / "pipe")
    for words in (["--sched=replay:pipe"], ["--sched=replay:pipe:1"], ["--sched=record:pipe"]):
        result = command([program("recorded", "lazy"), *words, 5], cwd=tmp_path, timeout=60)
        assert result.status == 1 and result.out == "" and "pipe: " in result.err, str(result)


def test_a_second_context_is_refused_without_a_command_to_repeat_it(tmp_path):
    """The same words would be refused again."""
    (tmp_path / "m.c").write_text(
        "#include <cilk.h>\n#include <stddef.h>\nint main(int argc, char **argv) {\n"
        '  char *words[] = { argv[0], "--sched=record:r", NULL }, *again[] = { argv[0], "--sched=record:r", NULL };\n'
        "  int n = 2, m = 2; (void)argc;\n  CilkContext *a = Cilk_init(&n, words), *b = Cilk_init(&m, again);\n"
        "  return a && b ? 7 : 8; }\n"
    )
    (tmp_path / "f.cilk").write_text("cilk void f(void) {}\n")
    compiled([CILKC, "m.c", "f.cilk", "-o", "p"], cwd=tmp_path)
    result = command(["./p"], cwd=tmp_path, timeout=60)
    assert result.status == 1 and "only one can be recorded or replayed" in result.err, str(result)
    assert "to repeat this run" not in result.err, str(result)


@pytest.mark.parametrize("name", ["run:1", "12:30:45", "-x:0"])
def test_the_number_at_the_end_of_a_name_is_no_number_of_places(program, name, tmp_path):
    """The command that repeats a run names this file, and not the part of its name before the colon."""
    built = program("recorded", "lazy")
    run = command([built, "--nproc", 2, "--sched=record:" + name, 7, "assert"], cwd=tmp_path)
    assert run.status == 1 and (tmp_path / name).exists(), str(run)
    (repeats,) = re.findall(r"^to repeat this run: (.*)$", run.err, re.M)
    again = command(shlex.split(repeats), cwd=tmp_path)
    assert (again.status, again.out) == (run.status, run.out) and "cannot replay" not in again.err, str(again)


def test_another_program(program, tmp_path):
    """Other arguments, another strategy, other code: each is reported, and nothing hangs."""
    record(program("recorded", "eager"), tmp_path / "r", 7)
    result = replay(program("recorded", "eager"), tmp_path / "r", 8)
    assert result.status == 1 and "the program had other arguments when it was recorded: 7" in result.err, str(result)
    result = replay(program("recorded", "lazy"), tmp_path / "r", 7)
    assert result.status == 1 and "it was recorded with --spawn=eager" in result.err, str(result)
    for places in (1, 2, 4):
        result = replay(program("order", "eager"), tmp_path / "r", 7, places=places)
        assert (
            result.status == PARTED
            and "does not do what was recorded" in result.err
            and "`cilkc race`" in result.err
        ), str(result)


PARTED = 120
PARTS = {
    "stdout": "its stdout differs",
    "stderr": "its stderr differs",
    "write": "its stdout differs",
    "process": "its stdout differs",
    "exit": "it ends with status 7, not status 0, and its stdout differs",
    "status": "it ends with status 3, not status 4;",
    "abort": "it ends with status 1, not signal 6, and its stdout and its stderr differ",
    "fault": "it ends with status 1, not signal 11",
    "aborts": "it ends with signal 6, not status 0, and its stdout differs",
    "wait": "",
}


@pytest.mark.parametrize("how", PARTS)
def test_a_replay_that_parts_from_its_record(program, how, tmp_path):
    """By its status or by what it writes, whatever writes it. Where nothing differs nothing is reported."""
    built = program("ends", "lazy")
    run = command([built, "--nproc", 2, "--sched=record:r", how], cwd=tmp_path)
    again = command([built, "--sched=replay:r", how], cwd=tmp_path)
    assert (again.status, again.out) == (run.status, run.out) and again.err.startswith(
        "value one" if how == "stderr" else ""
    ), "%s\n%s" % (run, again)
    assert "differs from its record" not in again.err and (how != "wait" or again.out == "0 children\nend\n"), str(again)
    other = command([built, "--sched=replay:r", how], cwd=tmp_path, env={"OTHER": "1"})
    if not PARTS[how]:
        assert (other.status, other.out, other.err) == (run.status, run.out, run.err), str(other)
        return
    assert other.err.count("differs from its record r: " + PARTS[how]) == 1 and "`cilkc race`" in other.err, str(other)
    assert other.status == (-6 if how == "aborts" else PARTED), str(other)


def test_what_goes_to_one_place_keeps_its_order(program, tmp_path):
    built = program("ends", "lazy")
    for other, status in ((None, 0), ("1", PARTED)):
        for mode in [["--sched=replay:r"]] if other else [["--nproc", "2", "--sched=record:r"], ["--sched=replay:r"]]:
            done = subprocess.run(
                [built, *mode, "stderr"],
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=300,
                env=dict(os.environ, **({"OTHER": other} if other else {})),
            )
            assert done.returncode == status and done.stdout.startswith(
                "value two\nend\n" if other else "value one\nend\n"
            ), done.stdout
            assert ("its output differs" in done.stdout) == bool(other), done.stdout


def test_threads_of_cilk_1(tmp_path):
    compiled([CILKC, "-O2", ROOT / "samples" / "cilk1-fib.cilk1", "-o", tmp_path / "fib"])
    result = command([tmp_path / "fib", "--sched=record:%s" % (tmp_path / "r"), 10])
    assert result.status == 1 and "this program has threads of Cilk-1" in result.err, str(result)
    assert "to repeat this run" not in result.err and os.listdir(tmp_path) == ["fib"], str(result)


def test_a_replay_that_is_refused_is_not_to_be_repeated(tmp_path):
    """The command that it would print is the one that was refused."""
    compiled([CILKC, "-O1", ROOT / "samples/fib.cilk", "-o", "fib"], cwd=tmp_path)
    assert command(["./fib", "--sched=record:r", "--nproc", "2", "10"], cwd=tmp_path).status == 0
    result = command(["./fib", "--sched=replay:r", "11"], cwd=tmp_path)
    assert result.status == 1 and "had other arguments" in result.err and "to repeat this run" not in result.err, str(
        result
    )
