"""A record of a parallel run becomes a list of switches: `--sched=turns:P` follows `--sched=replay:FILE`, the log is a
list, and the list repeats the steps of the record. `cilkc explore --from` searches near it.

The record is what a run in parallel has written, so it is the authority on what the list has to repeat.
"""

import itertools
import json
import os

import pytest

from conftest import CILKC, STRATEGIES, TESTS, command, compiled, maker, module_of
from tiers import tier

pytestmark = pytest.mark.tier("check")

generate = module_of(TESTS / "stress" / "generate.py")
EXPLORE = ("-w", "-cilk-explore")
SEARCH = (CILKC, "explore", "--no-page", "-w", "--time", "600", "--timeout", "600")
OUTCOME_BYTES = 23
NUMBERS = {1: 3, 2: 2, 3: 1, 4: 2}      # of each kind of observation
TOOK, COUNT, ABORT = 1, 4, 9            # of rt/extensions/replay/record.h, rt/core/data/step.h


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("explore-record"))


def steps(file):
    """Kind and answer, worker, count and observations of each step. How far others had come at an abort is a bound."""
    record = file.read_bytes()

    def number(at):
        value = shift = 0
        while True:
            value |= (record[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if record[at - 1] < 128:
                return value, at

    at, made = 20 + int.from_bytes(record[16:20], "little") + OUTCOME_BYTES, []
    while record[at] not in (0, 31):
        kind, worker = record[at], record[at + 1]
        pops, at = number(at + 2)
        seen = []
        while record[at]:
            tag, values = record[at], []
            at += 1
            for _ in range(NUMBERS[tag]):
                value, at = number(at)
                values.append(value)
            if tag != COUNT:
                seen.append((tag, *values))
        at += 1
        made.append((kind, worker, pops, seen))
    return made


def thefts(made):
    return sum(1 for _, _, _, seen in made for s in seen if s[0] == TOOK and s[2])


def runs(words, options, folder, *arguments, **env):
    """In OpenCilk's programs main has all the words."""
    if isinstance(words, dict):
        env["CILK_OPTIONS"] = " ".join(options)
        return command([words["program"], *arguments], cwd=folder, env=env, timeout=300)
    return command([words, *options, *arguments], cwd=folder, env=env, timeout=300)


def listed(log):
    return ",".join("=".join(line.split()[1:]) for line in log.read_text().splitlines() if line.startswith("switch"))


def repeats(built, nproc, folder, *arguments, status=0):
    """r is a record. The run that follows it, and the list that this run has left, take its steps."""
    recorded = steps(folder / "r")
    turns = "--sched=turns:%d" % nproc
    followed = runs(built, [turns, "--sched=replay:r"], folder, *arguments, CILK_EXPLORE="log")
    assert followed.status == status, str(followed)
    (folder / "list").write_text(listed(folder / "log"))
    again = runs(built, [turns + ":@list", "--sched=record:again"], folder, *arguments)
    assert (again.status, again.out) == (status, followed.out), str(again)
    made = steps(folder / "again")
    for n, (one, other) in enumerate(zip(recorded, made)):
        assert one == other, "step %d" % n
    assert len(made) == len(recorded)
    return followed


def parallel(built, nproc, folder, *arguments, status=0):
    """Some run with thefts, in r: on a busy machine there are runs without."""
    for _ in range(20):
        run = runs(built, ["--nproc", str(nproc), "--sched=record:r"], folder, *arguments)
        assert run.status == status, str(run)
        if thefts(steps(folder / "r")) > 3:
            break
    return run


@pytest.mark.parametrize("name,argument", [("recorded", "8"), ("stopped", "7")])
@pytest.mark.parametrize("nproc,strategy", itertools.product((2, 4), STRATEGIES))
def test_the_list_of_a_record_repeats_it(program, name, argument, nproc, strategy, tmp_path):
    """Thefts, inlets, SYNCHED, aborts, the owners of a lock."""
    built = program(name, strategy, *EXPLORE)
    for _ in range(2):
        run = parallel(built, nproc, tmp_path, argument)
        assert repeats(built, nproc, tmp_path, argument).out == run.out


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_pops_before_an_abort_stay_before_it(program, strategy, tmp_path):
    """At these nothing happened. After the abort something does."""
    built = program("recorded", strategy, *EXPLORE)
    aborted = 0
    for _ in range(12):
        run = parallel(built, 4, tmp_path, "9")
        aborted += any(kind & 31 == ABORT for kind, _, _, _ in steps(tmp_path / "r"))
        assert repeats(built, 4, tmp_path, "9").out == run.out
        if aborted == 3:
            break
    assert aborted


MERGES = """#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
static int merges;
struct text { int n; char is[4000]; };
static void empty(void *t) { ((struct text *)t)->n = 0; }
static void join(void *left, void *right)
{
  struct text *l = left, *r = right;
  memcpy(l->is + l->n, r->is, (size_t)r->n);
  l->n += r->n;
  if (l->n < 3999) l->is[l->n++] = '|';
  __atomic_fetch_add(&merges, 1, __ATOMIC_RELAXED);
}
static struct text cilk_reducer(empty, join) all;
static void tree(int depth, int number)
{
  if (!depth) {
    for (volatile int i = 0; i < 500; i++)
      ;
    all.is[all.n++] = (char)('a' + number % 26);
    return;
  }
  cilk_spawn tree(depth - 1, 2 * number);
  tree(depth - 1, 2 * number + 1);
}
int main(void)
{
  tree(8, 1);
  printf("%d %.*s\\n", merges, all.n, all.is);
  return 0;
}
"""


@pytest.mark.parametrize("nproc,strategy", itertools.product((2, 4), STRATEGIES))
def test_views_are_merged_in_the_same_places(nproc, strategy, tmp_path):
    (tmp_path / "p.c").write_text(MERGES)
    compiled([CILKC, "-fopencilk", *EXPLORE, "--spawn=" + strategy, "p.c", "-o", "p"], cwd=tmp_path)
    run = parallel({"program": "./p"}, nproc, tmp_path)
    assert repeats({"program": "./p"}, nproc, tmp_path).out == run.out


# Each procedure has no point from the unlock to the end of its spawn, unless PASS is one.
LAST = """#include <cilk.h>
#include <sched.h>
#include <stdio.h>
static Cilk_lockvar lock;
static int n;
static void note(int by) { Cilk_lock(lock); n = 3 * n + by; Cilk_unlock(lock); }
cilk void nest(int depth)
{
  if (depth)
    spawn nest(depth - 1);
  note(depth);
  PASS;
  sync;
}
cilk int main(void)
{
  Cilk_lock_init(lock);
  spawn nest(3);
  note(4);
  sync;
  printf("%d\\n", n);
  return 0;
}
"""


def test_a_theft_after_the_last_point_before_a_pop(tmp_path):
    """One program is stopped there and recorded. The other makes the same steps without the point, as runs in parallel
    do. Its list has the theft there."""
    (tmp_path / "p.cilk").write_text(LAST)
    for name, passes in (("stopped", "sched_yield()"), ("p", "(void)0")):
        words = [CILKC, *EXPLORE, "--spawn=eager", "-DPASS=" + passes, "p.cilk", "-o", name]
        compiled(words, cwd=tmp_path)
    options = ["--sched=turns:2", "--sched=record:r"]
    runs("./stopped", options, tmp_path, CILK_EXPLORE="log", CILK_EXPLORE_POINTS="1-1000")
    points = [line.split("\t")[1] for line in (tmp_path / "log").read_text().splitlines() if "\tyield\t" in line]
    assert len(points) == 4, points
    for point in points:
        stopped = ["--sched=turns:2:%s=1" % point, "--sched=record:r"]
        run = runs("./stopped", stopped, tmp_path)
        assert run.status == 0 and thefts(steps(tmp_path / "r")), str(run)
        assert repeats("./p", 2, tmp_path).out == run.out


@pytest.mark.parametrize("seed", range(1, 5))
def test_random_programs(seed, tmp_path):
    strategy = STRATEGIES[seed % len(STRATEGIES)]
    (tmp_path / "p.cilk").write_text(generate.program(seed, loud=True))
    compiled([CILKC, *EXPLORE, "--spawn=" + strategy, "p.cilk", "-o", "p"], cwd=tmp_path)
    for nproc in (2, 4):
        run = runs("./p", ["--nproc", str(nproc), "--sched=record:r"], tmp_path)
        assert run.status == 0 and repeats("./p", nproc, tmp_path).out == run.out, str(run)


# With these seeds a wait for a lock has to go to its holder; a delivery has to come before its parent is pushed again; a
# look for work takes a fiber that was aborted, and finds nothing else.
@pytest.mark.parametrize("number,strategy,seeds", [(4, "eager", (3, 5, 6, 12, 15)), (2, "lazy", (2, 13, 15))])
def test_random_programs_under_seeds(number, strategy, seeds, tmp_path):
    (tmp_path / "p.cilk").write_text(generate.program(number, loud=True))
    compiled([CILKC, *EXPLORE, "--spawn=" + strategy, "p.cilk", "-o", "p"], cwd=tmp_path)
    for seed in seeds:
        run = runs("./p", ["--sched=replay:%d:4" % seed, "--sched=record:r"], tmp_path)
        assert run.status == 0 and repeats("./p", 4, tmp_path).out == run.out, "seed %d\n%s" % (seed, run)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_run_that_was_killed_is_repeated(program, strategy, tmp_path):
    built = program("recorded", strategy, *EXPLORE)
    run = parallel(built, 2, tmp_path, "7", "kill", status=-9)
    assert repeats(built, 2, tmp_path, "7", "kill", status=-9).out == run.out


@pytest.mark.parametrize("schedule", ("replay:7:4", "pct:7:4:3:3000", "turns:3:40=1,90=2,91=0"))
def test_every_governed_run_can_be_recorded(program, schedule, tmp_path):
    """The record repeats it in parallel, and its log is a list of the same steps."""
    built = program("recorded", "eager", *EXPLORE)
    run = runs(built, ["--sched=" + schedule, "--sched=record:r"], tmp_path, "7", CILK_EXPLORE="log")
    again = runs(built, ["--sched=replay:r"], tmp_path, "7")
    assert (run.status, again.status, again.out) == (0, 0, run.out) and thefts(steps(tmp_path / "r")), str(again)
    assert repeats(built, int(schedule.split(":")[schedule[0] != "t" and 2 or 1]), tmp_path, "7").out == run.out


def explored(folder, *options):
    words = [*SEARCH, "--json", *options, TESTS / "sched" / "pattern.cilk"]
    return command(words, cwd=folder, timeout=600)


@pytest.mark.parametrize("nproc,strategy,rounds", [
    pytest.param(2, "eager", 5, marks=tier("test")), pytest.param(2, "lazy", 14, marks=tier("all")),
    pytest.param(4, "eager", 14, marks=tier("all")), pytest.param(4, "lazy", 14, marks=tier("all"))
])
def test_a_mistake_near_a_record_is_found(program, nproc, strategy, rounds, tmp_path):
    """The race comes only after so many inlets in one order, which the record has."""
    rounds = "-DROUNDS=%d" % rounds
    built = program("pattern", strategy, *EXPLORE, rounds)
    run = runs(built, ["--nproc", str(nproc), "--sched=record:r"], tmp_path, FORCE="1")
    assert (run.status, run.out) == (0, "7\n"), str(run)
    result = explored(tmp_path, "--spawn=" + strategy, rounds, "--from", "r")
    assert result.status == 1, str(result)
    found = json.loads(result.out)
    assert found["kind"] == "output" and found["output"] in ("3\n", "4\n") and found["workers"] <= nproc, found
    words = found["command"].split()
    assert words[0] == "cilkc" and words[-1].startswith("--sched=record:"), found
    again = command([CILKC, *words[1:]], cwd=tmp_path, timeout=300)
    assert again.out == found["output"], str(again)


@pytest.mark.tier("all")
def test_without_the_record_it_is_not_found(tmp_path):
    result = explored(tmp_path, "--schedules", "200")
    assert result.status == 0 and not json.loads(result.out)["found"], str(result)


LONG = """#include <stdio.h>
cilk int one(int n) { return n; }
cilk int main(void) {
  int s = 0, a, b;
  for (int i = 0; i < 300; i++) { a = spawn one(i); b = spawn one(1); sync; s += a + b; }
  printf("%d\\n", s);
  return 0;
}
"""


def test_a_list_too_long_for_an_option_is_read_from_a_file(tmp_path):
    (tmp_path / "p.cilk").write_text(LONG)
    compiled([CILKC, *EXPLORE, "--spawn=eager", "p.cilk", "-o", "p"], cwd=tmp_path)
    run = command(["./p", "--sched=replay:3:4", "--sched=record:r"], cwd=tmp_path)
    log = str(tmp_path / "log")
    assert command(["./p", "--sched=turns:4", "--sched=replay:r"], cwd=tmp_path, env={"CILK_EXPLORE": log}).out == run.out
    assert (tmp_path / "log").read_text().count("switch ") > 280, "too short a list for this test"
    result = command([*SEARCH, "--json", "--schedules", "3", "--from", "r", "p.cilk"], cwd=tmp_path, timeout=600)
    assert result.status == 0 and json.loads(result.out)["schedules"] == 3, str(result)


def test_files_that_cannot_be_followed(program, tmp_path):
    """Each with a sentence, and no run hangs."""
    built = program("pattern", "eager", *EXPLORE)
    assert runs(built, ["--nproc", "2", "--sched=record:r"], tmp_path, FORCE="1").status == 0
    good = (tmp_path / "r").read_bytes()
    for bytes_, message in (
        (b"", "not a record"),
        (b"\x7fELF" + bytes(40), "not a record"),
        (good[:14] + b"\x00" + good[15:], "not a record"),
        (good[:14] + b"\x03" + good[15:], "damaged"),
        (good[:15] + b"\x04" + good[16:], "not a record"),
        (good[:15] + b"\x03" + good[16:], "damaged"),      # its strategy is in the checksum
        (good[:-1] + bytes([good[-1] ^ 1]), "damaged"),
    ):
        (tmp_path / "bad").write_bytes(bytes_)
        result = explored(tmp_path, "--from", "bad")
        assert result.status == 2 and result.out == "" and message in result.err, "%s\n%s" % (message, result)
    result = explored(tmp_path, "--from", "none")
    assert result.status == 2 and "--from none: No such file" in result.err, str(result)
    other = program("recorded", "eager", *EXPLORE)
    result = runs(other, ["--sched=turns:3", "--sched=replay:r"], tmp_path)
    assert result.status == 1 and "it has 2 workers, --sched=turns has 3" in result.err, str(result)
    result = runs(other, ["--sched=turns:2", "--sched=replay:r"], tmp_path)
    assert result.status == 1 and "does not do what was recorded" in result.err, str(result)
    words = [*SEARCH, "--from", "r", TESTS / "sched" / "recorded.cilk"]
    result = command(words, cwd=tmp_path, timeout=600)
    assert result.status == 2 and "does not do what was recorded" in result.err, str(result)
    result = explored(tmp_path, "--spawn=lazy", "--from", "r")
    assert result.status == 2 and "it was recorded with --spawn=eager" in result.err, str(result)
    assert sorted(os.listdir(tmp_path)) == ["bad", "r"]
