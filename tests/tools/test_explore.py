"""`cilkc explore` finds each known mistake within its budget, shrinks it to a few switches, and repeats it by the
printed command. `cilkc explore` finds nothing in right programs."""

import json
import os
import random
import re
import shlex
import subprocess
import types

import pytest

from conftest import CILKC, PATIENCE, ROOT, RUN_TIMEOUT, STRATEGIES, TESTS, command, compiled
from pages import shown
from tools import explore as exploration
from tools import explore_all
from tools import step_story
from tools.explore_runs import Outcome, Runs, Schedule
from tools.explore_search import SHRINK_RUNS, Shrinker

pytestmark = pytest.mark.tier("check")

HERE = TESTS / "explore"
WRONG = sorted((HERE / "wrong").iterdir())
RIGHT = sorted((HERE / "right").iterdir())
MOST = 1000             # schedules
FEW = 8                 # switches of a shrunk schedule


def comment(path, word):
    found = re.search(r"^// %s: (.*)" % word, path.read_text(), re.M)
    return found.group(1).split() if found else []


def explore(path, folder, *options, status):
    result = command(
        [CILKC, "explore", "--json", *options, *(comment(path, "FLAGS") or ["-w"]), path], cwd=folder, timeout=300
    )
    assert result.status == status and "Traceback" not in result.err, str(result)
    return json.loads(result.out)


def repeated(printed, folder):
    words = shlex.split(printed)
    assert words[0] == "cilkc"
    return command([CILKC, *words[1:]], cwd=folder, timeout=300)


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_known_mistakes_are_found(path, tmp_path):
    found = explore(path, tmp_path, "--no-page", status=1)
    assert found["kind"] in comment(path, "FOUND") and found["schedules"] <= MOST, found
    assert found["workers"] == 1 or len(found["switches"]) <= FEW, found


def test_there_are_thirty():
    assert len(WRONG) >= 30


@pytest.mark.parametrize("name,said", [
    ("lock-order", "worker 0 holds `left` (line 9) and waits on line 11 for `right`; "
                   "worker 1 holds `right` (line 18) and waits on line 20 for `left`"),
    ("mutex-order", "worker 0 holds `fork_of[me]` (line 9) and waits on line 10 for `fork_of[1 - me]`; "
                    "worker 1 holds `fork_of[me]` (line 9) and waits on line 10 for `fork_of[1 - me]`"),
    ("forgotten-unlock", "worker 0 waits on line 22 for `lock`, which it acquired on line 9"),
], ids=lambda value: value if " " not in value else "")
def test_a_deadlock_names_the_locks_and_their_holders(name, said, tmp_path):
    found = explore(HERE / "wrong" / (name + ".cilk"), tmp_path, "--no-page", status=1)
    assert found["what"] == "no worker can go on: " + said and "to repeat this run" not in found["stderr"], found


def steps(*points):
    """A story of these: worker, kind, line, text, memory; or the fields of an event."""
    lines, number = [], 0
    for point in points:
        if len(point) == 5:
            number += 1
            worker, kind, line, text, memory = point
            lines.append(["point", str(number), str(worker), kind, "p.cilk", "f", str(line), "1", memory, text])
        else:
            lines.append(["event", *point])
    return step_story.Story(types.SimpleNamespace(lines=lines), 2)


def test_what_a_worker_has_done_is_not_what_it_is_about_to_do():
    story = steps(
        (0, "read", 3, "n", "0x8"), (0, "write", 3, "n", "0x8"), (1, "read", 4, "n", "0x8"), (1, "write", 4, "n", "0x8"),
        (1, "read", 5, "m", "0x10"), (0, "read", 6, "n", "0x8"),
    )
    assert [step.note for step in story.steps] == [
        "", "", "worker 0 is stopped at point 2, where it is about to write n, line 3",
        "worker 0 is stopped at point 2, where it is about to write n, line 3", "",
        "worker 1 was here before, at point 4: it wrote n, line 4",
    ]
    assert story.steps[1].sentence() == "worker 0 is about to write n, line 3 of f"


def test_a_return_to_a_stolen_frame_says_whose():
    story = steps(
        (0, "spawn", 3, "spawn child(n - 1)", "(nil)"), (0, "begin", 9, "child", "(nil)"),
        ("1", "steal", "0xc0", "0x0", "p.cilk", "f", "3"), ("1", "run", "0xc0", "(nil)", "p.cilk", "f", "3"),
        (1, "read", 4, "n", "0x8"), (0, "return", 0, "", "(nil)"),
    )
    assert story.steps[-1].returns == "the return of child(n - 1) to f, which worker 1 has stolen"


def test_a_frame_that_is_detached_and_stolen_is_one(tmp_path):
    story = steps(
        (0, "spawn", 3, "spawn child(1)", "(nil)"), (0, "begin", 9, "child", "(nil)"),
        ("1", "detach", "0xc0", "0x0", "p.cilk", "f", "3"), ("1", "steal", "0xc0", "0x0", "p.cilk", "f", "3"),
        ("1", "run", "0xc0", "(nil)", "p.cilk", "f", "3"), (1, "read", 4, "n", "0x8"), (0, "return", 0, "", "(nil)"),
    )
    assert story.steals == 1 and [s["name"] for s in story.instances] == ["f", "child"]
    assert story.steps[-1].returns == "the return of child(1) to f, which worker 1 has stolen"


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_right_programs_are_left_alone(path, tmp_path):
    found = explore(path, tmp_path, "--schedules", "60", "--seed", "3", status=0)
    assert not found["found"] and found["schedules"] == 60 and not list(tmp_path.glob("*.html"))
    tried, points = found["one_switch"]
    assert 0 < tried == min(points, 25), found              # every fourth schedule, and twice as many of the first 40


# ---- every schedule

# What each prints, by hand: all that any order of its steps leads to.
OUTCOMES = {
    "order": {"0", "1", "2"},
    "plain": {"1", "2", "3"},
    "results": {"1", "5"},
    "inlets": {"5", "7"},
    "updates": {"3", "4", "7"},
    "futures": {"10", "13"},
    "locks": {"5", "7"},
    "synched": {"0 1", "1 1"},
}
EVERY = {
    "order": """static int x;
cilk void a(void) { x = 1; x = 2; }
cilk int main(void) { int y; spawn a(); y = x; sync; printf("%d\\n", y); return 0; }
""",
    "plain": """static int x, y, seen;
cilk void a(void) { x = 1; if (y) seen |= 1; }
cilk int main(void) { spawn a(); y = 1; if (x) seen |= 2; sync; printf("%d\\n", seen); return 0; }
""",
    "results": """cilk int a(int k) { return k; }
cilk int main(void) { int x = 5, y; x = spawn a(1); y = x; sync; printf("%d\\n", y); return 0; }
""",
    "inlets": """cilk int a(int k) { return k; }
cilk int main(void)
{
    int s = 0;
    inlet void in(int k) { s = s * 3 + k; }
    in(spawn a(1));
    in(spawn a(2));
    sync;
    printf("%d\\n", s);
    return 0;
}
""",
    "updates": """static int total;
cilk void add(int n) { total += n; }
cilk int main(void) { spawn add(3); spawn add(4); sync; printf("%d\\n", total); return 0; }
""",
    "futures": """static int x;
cilk int make(void) { x = 3; return 1; }
cilk int main(void) { future int f = spawn make(); int s = x; s += 10 * touch f; printf("%d\\n", s); return 0; }
""",
    "locks": """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int last;
cilk void put(int k) { pthread_mutex_lock(&m); fflush(stdin); last = last * 3 + k; pthread_mutex_unlock(&m); }
cilk int main(void) { spawn put(1); spawn put(2); sync; printf("%d\\n", last); return 0; }
""",
    "synched": """static int c;
cilk void leaf(void) { c++; }
cilk int main(void) { int k = 0; spawn leaf(); if (!SYNCHED) k = 1; sync; printf("%d %d\\n", k, c); return 0; }
""",
}


class Brute(explore_all.Every):
    """Every choice of a worker at every point."""

    def asleep_after(self, number, steps):
        return set()

    def race(self, steps):
        for node in self.nodes:
            node.wanted.add(1 - node.chosen)


def results(runs, every):
    """(what each schedule does, how many there were)"""
    places, found, number = types.SimpleNamespace(seen=None), set(), 0
    for schedule in every.schedules(places):
        number += 1
        places.seen = runs.run(schedule, "1-1000")
        found.add((places.seen.status, places.seen.out))
    assert every.complete
    return found, number


@pytest.fixture
def programs(request, tmp_path):
    """(runs of the program of that name, what is known of its steps)"""
    (tmp_path / "p.cilk").write_text("#include <stdio.h>\n" + EVERY[request.param])
    compiled([CILKC, "-w", "-cilk-explore", "--spawn=eager", "p.cilk", "-o", "p"], cwd=tmp_path)
    tree = command([CILKC, "emit", "--stage", "tree", "--json", "-w", "p.cilk"], cwd=tmp_path).out
    temp = types.SimpleNamespace(file=lambda name: str(tmp_path / name))
    return Runs(str(tmp_path / "p"), [], temp, 60, []), explore_all.Relation([tree])


@pytest.mark.sample(1, "test", 1)
@pytest.mark.parametrize("programs, name", [(name, name) for name in EVERY], indirect=["programs"], ids=EVERY)
def test_one_schedule_of_each_class_finds_every_outcome(programs, name):
    runs, relation = programs
    few, _ = results(runs, explore_all.Every(relation, 1000))
    assert few == {(0, f"{outcome}\n".encode()) for outcome in OUTCOMES[name]}


@pytest.mark.tier("all")                # locks: tens of thousands of schedules
@pytest.mark.parametrize("programs", EVERY, indirect=True)
def test_one_schedule_of_each_class_is_as_good_as_all(programs):
    runs, relation = programs
    few, number = results(runs, explore_all.Every(relation, 1000))
    every, all_ = results(runs, Brute(relation, 1000))
    assert few == every and len(few) > 1 and number < all_


def test_all_makes_no_claim_where_a_worker_waits_for_another_one(tmp_path):
    found = explore(HERE / "right" / "condition-variable.cilk", tmp_path, "--all", status=0)
    assert found["schedules"] > 20 and not found["all"], found


def test_all_says_what_is_covered(tmp_path):
    path = HERE / "right" / "spins.cilk"
    found = explore(path, tmp_path, "--all", status=0)
    assert found["all"] and found["waits"] and 1 < found["classes"] <= found["schedules"]
    result = command([CILKC, "explore", "--all", "--schedules", "3", "-w", path], cwd=tmp_path, timeout=300)
    assert result.status == 0 and re.search(r"none fails, but at least \d+ more are left", result.out), str(result)
    assert command([CILKC, "explore", "--all", "--from", "x.rec", "-w", path]).status == 2


@pytest.mark.sample(2, "all")
@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_all_finds_known_mistakes(path, tmp_path):
    """Or says that it has not run all classes. On two workers a mistake that needs more of them is none."""
    words = [CILKC, "explore", "--json", "--no-page", "--all", "--time", "60", *(comment(path, "FLAGS") or ["-w"]), path]
    result = command(words, cwd=tmp_path, timeout=300)
    found = json.loads(result.out)
    assert found["found"] or not found["all"] or comment(path, "WORKERS"), found


def test_a_long_loop_of_stores_does_not_wait(tmp_path):
    path = tmp_path / "p.cilk"
    path.write_text("static int last; cilk int main(void) { for (int i = 0; i < 5100000; i++) last = i; return 0; }\n")
    found = explore(path, tmp_path, "--schedules", "1", status=0)
    assert not found["found"], found


def test_no_run_begins_after_the_reader_of_the_output_has_gone(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    path = str(HERE / "right" / "sum-by-inlet.cilk")
    words = [str(CILKC), "explore", "--schedules", "10000000", "--time", "1000000", "-w", path]
    try:
        ended = subprocess.run(
            words, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=min(RUN_TIMEOUT, PATIENCE)
        )
    finally:
        os.close(writing)
    assert ended.returncode == 2 and ended.stderr == "cilkc: error: the reader of the output has gone\n", ended.stderr
    assert not list(tmp_path.iterdir())


def test_the_printed_command_repeats_it(tmp_path):
    path = HERE / "wrong" / "racing-sum.cilk"
    found = explore(path, tmp_path, "--no-page", status=1)
    runs = [repeated(found["command"], tmp_path) for _ in range(2)]
    assert all(run.out == found["output"] != found["expected"] for run in runs), "\n".join(map(str, runs))
    gdb = repeated(found["debug"].replace("cilkc debug", "cilkc debug --batch -ex run"), tmp_path)
    assert found["output"] in gdb.out, str(gdb)


def test_the_points_that_are_asked_for_are_listed(tmp_path):
    path, log = HERE / "wrong" / "lock-order.cilk", tmp_path / "log"
    compiled([CILKC, "-w", "-cilk-explore", "-cilk-debug", "--spawn=eager", path, "-o", tmp_path / "p"])
    asked = {"CILK_EXPLORE": str(log), "CILK_EXPLORE_POINTS": "2-4,7-7"}
    result = command([tmp_path / "p", "--sched=turns:2"], env=asked)
    assert result.status == 0 and re.findall(r"^point\t(\d+)\t", log.read_text(), re.M) == list("2347"), str(result)


def test_a_failed_attempt_is_no_progress(tmp_path):
    """The other worker has the turn long before the run takes longer than it should."""
    compiled(
        [CILKC, "-w", "-cilk-explore", "--spawn=eager", HERE / "right" / "spin-lock.cilk", "-o", "p"], cwd=tmp_path
    )
    most, limits = 0, {"CILK_EXPLORE": str(tmp_path / "log"), "CILK_EXPLORE_LIMIT": "20000"}
    for point in range(1, 30):
        result = command(["./p", "--sched=turns:2:%d=1" % point], cwd=tmp_path, env=limits)
        assert result.status == 0 and result.out == "3\n", str(result)
        most = max(most, int((tmp_path / "log").read_text()[7:32]))
    assert 1000 < most < 2500, most             # a worker tried in vain, once


# Closures come and go, and what sched_yield passes has no place in the source.
YIELDS = """#include <sched.h>
cilk int leaf(int n) { sched_yield(); return n; }
cilk int tree(int n)
{
  int x, y = 0;
  if (n < 1)
    x = spawn leaf(1);
  else {
    x = spawn tree(n - 1);
    y = spawn tree(n - 2);
  }
  sync;
  return x + y;
}
cilk int main(void) { int x; x = spawn tree(8); sync; return x != 55; }
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_points_without_a_closure_name_none(strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(YIELDS)
    compiled([CILKC, "-w", "-cilk-explore", "--spawn=" + strategy, "p.cilk", "-o", "p"], cwd=tmp_path)
    for seed in range(1, 6):
        asked = {"CILK_EXPLORE": str(tmp_path / "log"), "CILK_EXPLORE_POINTS": "1-100000"}
        result = command(["./p", "--sched=replay:%d:3" % seed], cwd=tmp_path, env=asked)
        assert result.status == 0, str(result)
        named = {
            (kind, procedure)
            for kind, procedure in re.findall(r"^point\t\d+\t\d+\t(\w+)\t[^\t]*\t(\w*)\t", (tmp_path / "log").read_text(), re.M)
            if kind in ("yield", "return")
        }
        assert named <= {("yield", ""), ("return", ""), ("return", "tree"), ("return", "main")}, named


def test_a_point_without_a_line_is_described():
    outcome = types.SimpleNamespace(lines=[
        ["point", "7", "0", "write", "p.cilk", "add", "3", "1", "0x8", "total = 1"],
        ["point", "8", "1", "return", "", "", "0", "0", "(nil)", ""],
        ["point", "9", "0", "yield", "", "", "0", "0", "(nil)", ""],
    ])
    story = step_story.Story(outcome, 2)
    assert story.switches() == [
        "7: worker 1 goes on with the return to a stolen frame; worker 0 is at line 3",
        "8: worker 0 goes on with code outside of procedures; worker 1 is at the return to a stolen frame",
    ]
    assert [step.sentence() for step in story.steps[1:]] == [
        "worker 1 is at the return to a stolen frame",
        "worker 0 is at code outside of procedures",
    ]


# The other workers find nothing, so in all they wait more often than explore allows between two points.
IDLE = """#include <stdio.h>
static int n;
cilk void step(void) { n++; }
cilk int main(void) { for (int i = 0; i < 5000; i++) { spawn step(); sync; } printf("%d\\n", n); return 0; }
"""


@pytest.mark.parametrize("schedule", ("replay:1:16", "pct:1:16"))
def test_waits_are_counted_from_the_last_point(schedule, tmp_path):
    (tmp_path / "idle.cilk").write_text(IDLE)
    compiled([CILKC, "-w", "-cilk-explore", "-cilk-debug", "--spawn=eager", "idle.cilk", "-o", "idle"], cwd=tmp_path)
    result = command(["./idle", "--sched=" + schedule], cwd=tmp_path, env={"CILK_EXPLORE": str(tmp_path / "log")})
    assert result.status == 0 and result.out == "5000\n", str(result)


def test_no_switch_of_a_shrunk_schedule_can_be_left_out(tmp_path):
    path = HERE / "wrong" / "lost-update-in-lock.cilk"
    found = explore(path, tmp_path, "--no-page", status=1)
    assert found["switches"]
    for left_out in range(len(found["switches"])):
        kept = [switch for i, switch in enumerate(found["switches"]) if i != left_out]
        spec = "turns:%d%s" % (found["workers"], ":" + ",".join("%d=%d" % tuple(s) for s in kept) if kept else "")
        run = repeated(found["command"].replace(found["schedule"], spec), tmp_path)
        assert run.out == found["expected"], str(run)


class Programs:
    """Stands for the runs of a program that fails with `kind` when these points pass the turn, on this many workers or
    more."""

    def __init__(self, needed, kind, least=2):
        self.needed, self.kind, self.least, self.count = needed, kind, least, 0

    def run(self, schedule):
        self.count += 1
        self.fails = (
            any(set(one) <= {point for point, _ in schedule.switches} for one in self.needed)
            and schedule.workers >= self.least
        )
        return self

    def failure(self, _reference):
        return (self.kind, "") if self.fails else None


@pytest.mark.parametrize("seed", range(20))
def test_shrinking_leaves_what_is_needed(seed):
    """No switch that could go alone, no worker too many, no more runs than are allowed; and a failure of another kind
    is none."""
    chance = random.Random(seed)
    points = sorted(chance.sample(range(10000), 60))
    needed = [chance.sample(points, chance.randint(1, 4)) for _ in range(chance.randint(1, 2))]
    least = chance.choice((2, 3))
    programs = Programs(needed, "output", least)
    switches = [(point, chance.randint(0, 3)) for point in points]
    workers, kept = Shrinker(programs, None, "output", lambda: None).shrink(4, switches)
    assert (
        [point for point, _ in kept] in [sorted(one) for one in needed]
        and workers == least
        and all(worker < workers for _, worker in kept)
    )
    assert programs.count <= SHRINK_RUNS
    assert Shrinker(Programs(needed, "crash"), None, "output", lambda: None).shrink(4, switches) is None
    endless = Programs([points], "output")
    Shrinker(endless, None, "output", lambda: None).shrink(4, [(point, 1) for point in range(1000)])
    assert endless.count <= SHRINK_RUNS


class Shifting(Programs):
    """Where a switch is another one after an odd number of those before it were taken out."""

    def __init__(self, whole, needed):
        super().__init__([needed], "output")
        self.whole = [point for point, _ in whole]

    def run(self, schedule):
        super().run(schedule)
        kept = [point for point, _ in schedule.switches]
        self.fails = self.fails and all(
            (self.whole.index(point) - kept.index(point)) % 2 == 0 for point in self.needed[0]
        )
        return self


def test_what_comes_last_is_taken_out_first():
    """It changes no point before it. From the begin, 20 such lists take 4100 runs, and keep 790 switches."""
    runs = kept = 0
    for seed in range(20):
        chance = random.Random(seed)
        whole = [(point, chance.randint(0, 1)) for point in sorted(chance.sample(range(10000), 120))]
        programs = Shifting(whole, sorted(chance.sample([point for point, _ in whole], 3)))
        kept += len(Shrinker(programs, None, "output", lambda: None).shrink(2, whole)[1])
        runs += programs.count
    assert runs < 2500 and kept < 700, (runs, kept)


def test_one_seed_is_one_search(tmp_path):
    path = HERE / "wrong" / "check-then-act.cilk"
    assert len({json.dumps(explore(path, tmp_path, "--no-page", "--seed", "7", status=1)) for _ in range(2)}) == 1


def test_the_page_works_alone(tmp_path):
    explore(HERE / "wrong" / "lock-order.cilk", tmp_path, "-o", "p.html", status=1)
    text = shown(tmp_path / "p.html")
    assert "no worker can go on" in text and 'data-step="' in text and "steals main" in text
    assert text.count('class="instance"') >= 2 and text.count('class="ran"') >= 2
    assert "point 2 (step 2 of" in shown(tmp_path / "p.html", "#step=2")


def test_what_differs_by_itself_is_refused_or_left_out(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "#include <stdio.h>\n#include <time.h>\ncilk int main(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);\n"
        '  printf("time %ld%09ld\\n", (long)t.tv_sec, t.tv_nsec); return 0; }\n'
    )
    result = command([CILKC, "explore", "p.cilk"], cwd=tmp_path)
    assert result.status == 2 and "two runs of one schedule differ" in result.err, str(result)
    result = command([CILKC, "explore", "--ignore", "^time", "--schedules", "5", "p.cilk"], cwd=tmp_path)
    assert result.status == 0 and "nothing was found in 5 schedules" in result.out and "proves nothing" in result.out, str(
        result
    )


def test_a_program_that_makes_too_many_steps_is_endless(tmp_path):
    """Where a switch makes it go on for ever without any wait."""
    (tmp_path / "p.cilk").write_text(
        "static int stop; static volatile unsigned n, m;\ncilk void ends(void) { stop = 1; }\n"
        "cilk void goes_on(void) { int seen = stop; while (!seen) { n++; m++; } }\n"
        "cilk int main(void) { spawn ends(); spawn goes_on(); sync; return 0; }\n"
    )
    result = command(
        [CILKC, "explore", "-w", "--json", "--no-page", "--timeout", "20", "p.cilk"], cwd=tmp_path, timeout=300
    )
    assert result.status == 1 and "points it still runs" in result.out, str(result)


@pytest.mark.parametrize("how,kind", [("limit", "endless"), ("", "late")])
def test_a_program_whose_time_is_over_may_still_end(how, kind):
    """Only its steps show that it does not end. A busy machine makes each run longer."""
    outcome = Outcome()
    outcome.status, outcome.points, outcome.how, outcome.late = 137, 9, how, 20.0
    found, sentence = outcome.failure(Outcome())
    assert found == kind and ("does not end" in sentence) == (kind == "endless")
    assert ("after 20 s: a longer --timeout" in sentence) == (kind == "late"), sentence


def test_a_run_that_is_killed_at_its_end_is_late(tmp_path):
    (tmp_path / "p").write_text("#!/bin/sh\nexec sleep 1000\n")
    (tmp_path / "p").chmod(0o755)
    temp = types.SimpleNamespace(file=lambda name: str(tmp_path / name))
    outcome = Runs(str(tmp_path / "p"), [], temp, 0.2, []).run(Schedule(2))
    assert outcome.failure(Outcome())[0] == "late"
    (tmp_path / "p").write_text("#!/bin/sh\nkill -KILL $$\n")
    outcome = Runs(str(tmp_path / "p"), [], temp, 600, []).run(Schedule(2))
    assert outcome.failure(Outcome())[0] == "crash"             # long before


def test_a_run_may_take_longer_than_that_of_one_worker(tmp_path, monkeypatch):
    """Workers that take turns are slower."""
    limits = []

    class Slow(Runs):
        def run(self, schedule, *more):
            limits.append((schedule.workers, self.timeout))
            outcome = super().run(schedule, *more)
            self.longest = 3000.0
            return outcome

    (tmp_path / "p.cilk").write_text("cilk int main(void) { return 0; }\n")
    monkeypatch.setattr(exploration, "Runs", Slow)
    settings = {"timeout": 600, "ignore": [], "no_page": True, "schedules": 1, "seed": 1, "output": None, "json": False}
    settings |= {"time": 600, "record": None, "all": False}
    assert exploration.main([str(tmp_path / "p.cilk")], settings) == 0
    assert limits[0] == (1, 600) and all(limit > 3000 for _, limit in limits[1:]) and len(limits) > 2, limits


def test_a_long_program_is_no_finding(tmp_path):
    (tmp_path / "p.cilk").write_text("cilk int main(void) { volatile long n = 0; for (;;) n++; return 0; }\n")
    result = command([CILKC, "explore", "--timeout", "0.5", "p.cilk"], cwd=tmp_path)
    assert result.status == 2 and "smaller input" in result.err and os.listdir(tmp_path) == ["p.cilk"], str(result)


@pytest.mark.parametrize("text,message", [("turns:0", "too small"), ("turns:2:5", "POINT=WORKER"), ("turns:2:5=2", "below 2"), ("turns:2:5=1,", "POINT=WORKER"),
                                          ("turns:2:9=1,5=0", "rising"), ("turns:2:@/nowhere", "cannot read"), ("turns:x", "not a number")])
def test_bad_lists_are_refused(tmp_path_factory, text, message):
    program = tmp_path_factory.getbasetemp() / "empty-program"
    if not program.exists():
        (program.with_suffix(".cilk")).write_text("cilk int main(void) { return 0; }\n")
        assert command([CILKC, "build", program.with_suffix(".cilk"), "-o", program]).status == 0
    result = command([program, "--sched=" + text])
    assert result.status not in (0, 139) and message in result.err, str(result)


def test_a_pipe_is_no_list(tmp_path):
    """No process ever writes to it."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "p.cilk").write_text("cilk int main(void) { return 0; }\n")
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    for name, why in (("pipe", "Invalid argument"), (".", "Is a directory")):
        result = command(["./p", "--sched=turns:2:@" + name], cwd=tmp_path, timeout=60)
        assert result.status == 1 and "cannot read %s: %s\n" % (name, why) in result.err, str(result)
        assert "to repeat this run" not in result.err, str(result)
    (tmp_path / "list").write_text("")
    assert command(["./p", "--sched=turns:2:@list"], cwd=tmp_path).status == 0
    result = command(["./p", "--sched=turns:2"], env={"CILK_EXPLORE": str(tmp_path)}, cwd=tmp_path)
    assert result.status == 1 and result.err.splitlines() == [
        "global: fatal error: cannot write %s: Is a directory" % tmp_path
    ], str(result)


def test_samples_are_right():
    """A list without switches is the order of one worker, whatever the number of workers."""
    result = command([CILKC, "run", "-cilk-explore", ROOT / "samples" / "fib.cilk", "--", "--sched=turns:4", "12"])
    assert result.status == 0 and "144" in result.out, str(result)
