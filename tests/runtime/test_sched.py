"""Schedulers (docs/schedulers.md): Cilk programs give the elision's output under each of the runtime's schedulers and
under one of the tests' own; --sched reports what is wrong.

A program reaches its scheduler through nine functions. So a few programs, one for each feature of the runtime, are
tried under each scheduler; the tier `all` tries every program of tests/run and samples/.
"""

import itertools
import json
import re
import subprocess

import pytest

from conftest import CILKC, ROOT, STRATEGIES, Notes, built, command, compiled, program_of
from test_run import PROGRAMS, runs_like_its_reference, settings
from tiers import chosen, tier

pytestmark = pytest.mark.tier("check")
HERE = ROOT / "tests" / "sched"
OWN = re.findall(r"^CILK_SCHED\((\w+)\)", (ROOT / "rt/extensions/sched/sched.def").read_text(), re.M)
USERS = "favourite"
assert "steal" in OWN
CHECKED = ["abort-nested", "cilk1-placed", "future-in-loop", "inlet-recursive-minimax"]
FEATURES = (
    CHECKED
    + """
    abort-in-inlet c-main-nested-export c-main-two-contexts cilk1-abort cilk1-both cilk1_cleanups deep-recursion fib future-abort future-beside-leaves
    inlet-several library-abort-and-sync-functions library-locks main-cilk-exit main-falls-off-when-stolen many-children opassign-many-children par-sort
    storage-cilk-alloca stress-random-tree sync-anywhere synched-where-certain""".split()
)
assert set(FEATURES) <= {parameter.values[0].stem for parameter in PROGRAMS}


@pytest.fixture(autouse=True)
def crowd(monkeypatch):
    """More workers awake than there are processors, as in test_run."""
    monkeypatch.setenv("CILK_PROCESSORS", "64")


def tier_of_program(name, spawn):
    if spawn != chosen(name, STRATEGIES):
        return "all"
    if name in CHECKED:
        return "check"
    return "test" if name in FEATURES and chosen(name + spawn, range(5)) == 0 else "all"


@pytest.mark.parametrize("path, spawn", [pytest.param(path, spawn, id="%s-%s" % (parameter.id, spawn), marks=tier(tier_of_program(path.stem, spawn)))
                                         for parameter in PROGRAMS for path in parameter.values for spawn in STRATEGIES])
def test_programs_under_each_scheduler(path, spawn, tmp_path):
    """The program is linked with a scheduler from outside the runtime, so that all of them can be asked for."""
    notes = Notes(path)
    notes.need()
    program = built([
        CILKC,
        "-O2",
        "--spawn=" + spawn,
        path,
        HERE / (USERS + ".c"),
        *(path.parent / name for name in notes.also),
        *notes.flags,
    ])
    for spec in (["--sched=replay:1:4"], ["--sched=central", "--sched=pct:5:3"]) if path.parent.name == "run" else ():
        runs_like_its_reference(path, program, spec, tmp_path)
    for scheduler in [name for name in OWN if name != "steal"] + [USERS]:
        for options in settings(path)[1:]:                  # on one worker without steals no scheduler is asked much
            runs_like_its_reference(path, program, ["--sched=" + scheduler] + options, tmp_path)


@pytest.fixture(scope="module")
def fib(tmp_path_factory):
    """samples/fib.cilk with a scheduler of its own, built outside the tree."""
    folder = tmp_path_factory.mktemp("outside")
    for path in (ROOT / "samples/fib.cilk", HERE / (USERS + ".c")):
        (folder / path.name).write_text(path.read_text())
    compiled([CILKC, "build", "fib.cilk", USERS + ".c", "-O2", "-Wall", "-Wextra", "-o", "fib"], cwd=folder)
    return folder / "fib"


def test_the_list_names_them_all(fib):
    """The message about an unknown name lists the same ones."""
    result = command([fib, "--sched=list"])
    names = [line.split()[0] for line in result.out.splitlines()]
    assert result.status == 0 and set(OWN + [USERS, "replay", "pct", "turns", "record:FILE"]) == set(names), str(result)
    result = command([fib, "--sched=fair"])
    assert result.status == 1 and result.err.splitlines()[0].endswith(
        "there is no scheduler 'fair', but " + ", ".join(names)
    ), str(result)


def test_a_list_that_is_lost_is_an_error(fib):
    with open("/dev/full", "wb") as full:
        made = subprocess.run([fib, "--sched=list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (made.returncode, made.stderr) == (1, "--sched=list: standard output: No space left on device\n")


@pytest.mark.parametrize("words", [["--sched=" + USERS], ["--sched", USERS + ":1"], ["-sched=central"], ["-sched", "lastvictim"]])
def test_a_scheduler_is_chosen(fib, words):
    result = command([fib] + words + ["--nproc", "2", "20"])
    assert result.status == 0 and "6765" in result.out and "fatal" not in result.err, str(result)


@pytest.mark.parametrize("words, message", [
    (["--sched=fair"], "there is no scheduler 'fair', but favourite, "),
    (["--sched=fair:7"], "there is no scheduler 'fair', but "),
    (["--sched="], "there is no scheduler '', but "),
    (["--sched=stea"], "there is no scheduler 'stea', but "),
    (["--sched=stel"], "; did you mean steal?"),
    (["--sched=steal:7"], "scheduler 'steal': it takes no options"),
    (["--sched=central:7"], "scheduler 'central': it takes no options"),
    (["--sched"], "argument missing"),
])
def test_errors_of_the_option(fib, words, message):
    result = command([fib] + words)
    assert (
        result.status == 1
        and result.out == ""
        and "Bad option argument for -sched: " in result.err
        and message in result.err
    ), str(result)


def test_a_name_with_three_wrong_letters_is_not_guessed(fib):
    two, three = (command([fib, "--sched=" + word]).err for word in ("cenzzal", "cenzzzl"))
    assert "; did you mean central?" in two and "there is no scheduler 'cenzzzl', but favourite, " in three, two + three
    assert "did you mean" not in three, three


def test_the_worked_example_is_the_one_of_the_manual():
    """docs/schedulers.md shows tests/sched/favourite.c, which is not longer than it says."""
    text = (HERE / (USERS + ".c")).read_text()
    shown = re.findall(r"^```c\n(.*?)^```", (ROOT / "docs/schedulers.md").read_text(), re.M | re.S)
    assert text in shown and len(text.splitlines()) <= 40


def test_schedulers_of_the_runtime_use_the_interface_only():
    inside = set((ROOT / "rt" / "extensions" / "sched").glob("*.c")) - {ROOT / "rt/extensions/sched/table.c"}
    for path in [*sorted(inside), ROOT / "rt/core/fibers/default_scheduler.c"]:
        assert re.findall(r'^#include "', path.read_text(), re.M) == [], path.name


def test_an_older_interface_is_refused(tmp_path):
    (tmp_path / "old.c").write_text(
        '#include <cilk-sched.h>\nstatic const Cilk_scheduler old = { CILK_SCHED_VERSION - 1, "old" };\nCILK_SCHEDULER(old)\n'
    )
    compiled([CILKC, ROOT / "samples/fib.cilk", "old.c", "-o", "fib"], cwd=tmp_path)
    result = command([tmp_path / "fib", "10"])
    assert result.status == 1 and re.search(
        r"scheduler 'old' was made for version (\d+) of <cilk-sched.h>, this runtime has version (\d+)", result.err
    ), str(result)


def test_the_name_of_a_scheduler_is_a_string_of_json(tmp_path):
    """Whatever characters it has."""
    name = 'an "odd"\tone\x7f'
    (tmp_path / "odd.c").write_text(
        "#include <cilk-sched.h>\nstatic const Cilk_scheduler odd = { CILK_SCHED_VERSION, %s };\nCILK_SCHEDULER(odd)\n"
        % '"an \\"odd\\"\\tone\\x7f"'
    )
    compiled([CILKC, ROOT / "samples/fib.cilk", "odd.c", "-o", "fib"], cwd=tmp_path)
    result = command([tmp_path / "fib", "--sched", name, "--stats", "json", "10"])
    line = next(line for line in result.err.splitlines() if line.startswith("{"))
    assert result.status == 0 and name in json.loads(line).values(), str(result)


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (1, 2, 4)))
def test_earliest_deadline_first(tmp_path, strategy, workers):
    """Deadlines are there when a scheduler gets a computation: so on one worker computations end in the order of their
    deadlines, and of one deadline as they were started."""
    compiled(
        [CILKC, "-O2", "--spawn=" + strategy, HERE / "edf.cilk", HERE / "edf.c", "-cilk-debug", "-Wall", "-Wextra",
         "-o", "edf"],
        cwd=tmp_path,
    )
    for words in (["--sched=edf"], ["--sched=edf:1s"], ["--sched=edf", "--sched=replay:7:%d" % workers]):
        result = command([tmp_path / "edf"] + words + ["--nproc", workers] * (len(words) == 1))
        assert result.status == 0 and result.err == "", str(result)
        if workers == 1:
            assert result.out == "6 1 4 5 2 7 0 3\n9 8\n", str(result)


def test_attributes_without_a_size_are_refused(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <cilk-start.h>
cilk int one(void) { return 1; }
extern int EXPORT(one)(CilkContext *const);
cilk int main(int argc, char **argv)
{
  struct { Cilk_attributes a; long more; } later = { { .size = sizeof later }, argc - 1 };
  Cilk_attributes none = { .weight = 3 };
  Cilk_computation *c = Cilk_start_with(argc > 2 ? &none : &later.a, one);
  return !Cilk_wait(c, 0);
}
""")
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    assert command([tmp_path / "p"]).status == 0  # of a later version, and 0
    for words, message in (
        (["1"], "does not know all of its attributes"),
        (["1", "2"], "CILK_ATTRIBUTES(.weight = 2, ...) sets it"),
    ):
        result = command([tmp_path / "p"] + words)
        assert result.status == 1 and message in result.err, str(result)


@pytest.mark.parametrize("nodes", (1, 2, 3))
def test_where_vprocs_run(tmp_path, monkeypatch, nodes):
    monkeypatch.setenv("CILK_NODES", str(nodes))
    compiled([CILKC, "-O2", ROOT / "samples/fib.cilk", HERE / "near.c", "-Wall", "-Wextra", "-o", "fib"], cwd=tmp_path)
    for workers in (1, 2, 4):
        result = command([tmp_path / "fib", "--sched=near:%d" % nodes, "--nproc", workers, "20"])
        assert result.status == 0 and "6765" in result.out, str(result)


BACK = """#include <cilk.h>
#include <cilk-blocking.h>
#include <cilk-sched.h>
#include <cilk-start.h>
#include <stdio.h>
static int backs, leaves;
static void back(void *self, Cilk_vproc *vp) { backs++; }
static void leave(void *self, Cilk_vproc *vp) { leaves++; }
static const Cilk_scheduler counts = { .version = CILK_SCHED_VERSION, .name = "counts", .leave = leave, .back = back };
CILK_SCHEDULER(counts)
cilk int seven(void) { return 7; }
extern int EXPORT(seven)(CilkContext *const);
static int call(void) { return EXPORT(seven)(NULL); }
cilk int main(void)
{
  int r = 0;
  Cilk_computation *c = Cilk_start(seven);
  Cilk_wait(c, &r);
  printf("%d %d %d,", r, backs, leaves);
  r = call();
  printf(" %d %d %d,", r, backs, leaves);
  Cilk_blocking { r++; }
  printf(" %d %d %d\\n", r, backs, leaves);
  return 0;
}
"""


def test_a_scheduler_learns_which_procedure_goes_on(tmp_path):
    """After a wait for a computation, a call from C, and a system call. The spare workers of the last rest, and leave,
    too: so one worker, and no thief runs."""
    (tmp_path / "p.cilk").write_text(BACK)
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    result = command(["./p", "--sched=counts", "--nproc", "1"], cwd=tmp_path)
    assert result.status == 0 and [row.split()[:2] for row in result.out.split(",")] == [
        ["7", "1"],
        ["7", "2"],
        ["8", "3"],
    ], str(result)


@pytest.mark.parametrize("strategy,workers", itertools.product(STRATEGIES, (3, 4)))
def test_a_gang_does_not_wait_for_what_waits_for_its_next_step(strategy, workers):
    """In C code: directly, and in a computation inside the gang, under another scheduler and under another gang."""
    result = command([program_of(HERE / "arrives.cilk", "-O2", "--spawn=" + strategy), "--sched=gang", "--nproc", workers], timeout=60)
    assert result.status == 0 and result.out == 3 * "4 4 4 4\n" and result.err == "", str(result)
