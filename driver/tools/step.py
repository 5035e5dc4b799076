"""`cilkc step`: one run of a program on a page, step by step, with the values of its variables (step_story.py,
step_values.py, step_page.py), in a terminal (step_tui.py), or on a page that asks for other runs (play/steps.py).

The program is built with -cilk-step, which has the points of -cilk-explore, and run once under --sched=turns or
--sched=replay: one worker at a time. With --from a recorded run is repeated.
"""

import os
import re
import sys

from cilkc_driver.console import Stop

from . import explore, instrumented, step_page, step_story
from .explore_runs import Runs, Schedule

NOT_RUN = 125
TRIES = 4               # switches by which a worker is given something to do
LIMIT = re.compile(r"^.*CILK_EXPLORE_LIMIT allows\.?\n?", re.M)     # the runtime's words, which name no option of ours
FLAGS = ["-cilk-step", "-g", "-cilk-trace", "-ftrivial-auto-var-init=pattern"]


def main(words, settings):
    return instrumented.session(lambda temp: run(words, settings, temp), NOT_RUN)


def run(words, settings, temp):
    page = settings["output"]
    if page and not page.endswith((".html", ".htm")):
        raise Stop("-o %s: the page's name ends in .html" % page)
    if settings["tui"]:
        from . import step_tui
        step_tui.check()
    stepping = Stepping(words, settings, temp)
    if settings["tui"]:
        return step_tui.run(stepping)
    page = page or stepping.name + ".step.html"
    instrumented.writable([page])
    shown = stepping.first()
    if shown is None:
        return NOT_RUN
    instrumented.write_file(page, shown.page())
    sys.stdout.write(shown.facts["output"])
    sys.stdout.flush()
    sys.stderr.write(shown.facts["stderr"])
    points = explore.many(shown.facts["points"], "point")
    for text in (shown.facts["what"], shown.why(), "%s: shows %s%s" % (
            page, points, ", after which the run was ended" if shown.ended else "")):
        if text:
            sys.stderr.write("cilkc step: %s\n" % text)
    return 0 if shown.ended else shown.outcome.status


class Stepping:
    """A program that is run as often as it is asked for, each time by a schedule."""

    def __init__(self, words, settings, temp):
        if sum(settings[name] is not None for name in ("schedule", "seed", "record")) > 1:
            raise Stop("only one of --schedule, --seed and --from can be given")
        self.settings, self.temp = settings, temp
        self.flags, self.arguments = instrumented.split(words)
        options = instrumented.check(self.flags, "cilkc step")
        if options.target or options.serial:
            raise Stop("cilkc step runs the program in parallel on this machine: --target and --serial cannot be used with it")
        self.files = [item.name for item in options.inputs]
        self.name = os.path.basename(self.files[0]).rpartition(".")[0] or "program"
        self.record = explore.Record(settings["record"]) if settings["record"] else None
        self.mode = FLAGS + ([] if any(w.startswith("--spawn") for w in self.flags) else
                             ["--spawn=" + (self.record.spawning if self.record else "eager")])
        self.full = "1-%d" % settings["steps"]
        self.runs: "Runs"

    def first(self):
        """The run that the options ask for; None where the program does not compile."""
        schedule = chosen(self.settings, self.record)
        program = self.temp.file(self.name)
        if not instrumented.build(self.flags, program, self.mode):
            return None
        self.runs = runs = Runs(program, self.arguments, self.temp, self.settings["timeout"], ())
        runs.limit = self.settings["steps"]
        outcome = runs.run(schedule, self.full)
        if not outcome.scheduled:
            runs.by_environment = True
            outcome = runs.run(schedule, self.full)
        if not outcome.scheduled:
            sys.stderr.write(outcome.err)
            raise Stop(instrumented.how_it_ended(outcome.status) + ": nothing was recorded" if outcome.status
                       else "the program ended before a Cilk procedure ran")
        if not (self.record or self.settings["schedule"] or self.settings["seed"] is not None):
            schedule, outcome = shared(runs, schedule, outcome, self.full)
        return Shown(self, schedule, outcome)

    def by(self, switches):
        """The run by this list. The steps of a record have numbers, too, which those of its repetition keep."""
        workers = self.record.workers if self.record else self.settings["workers"]
        schedule = Schedule(workers, switches, file="record:%s.rec" % self.name if self.record else None)
        return Shown(self, schedule, self.runs.run(schedule, self.full))


class Shown:
    """One run: its story, and the facts beside it."""

    def __init__(self, stepping, schedule, outcome):
        self.stepping, self.outcome, runs = stepping, outcome, stepping.runs
        self.story = story = step_story.Story(outcome, schedule.workers)
        self.switches = outcome.switches if schedule.switches is None else schedule.switches
        mode = stepping.mode
        repeat, gdb = (explore.command_line(c, runs, ["-cilk-explore"] + mode[1:2] + mode[4:] + stepping.flags, schedule,
                                            stepping.arguments) for c in ("run", "debug"))
        self.ended = outcome.how == "limit"
        failure = None if self.ended else outcome.failure(None)
        if failure and failure[0] == "deadlock" and story.deadlock():
            failure = "deadlock", "no worker can go on: " + story.deadlock()
        self.facts = {"found": False, "page_title": "step by step", "what": failure[1] if failure else "", "command": repeat,
                      "debug": gdb, "steals": story.steals, "points": min(outcome.points, runs.limit),
                      "output": outcome.out.decode(errors="replace"),
                      "stderr": LIMIT.sub("", explore.REPEAT.sub("", outcome.err))[:4000]}

    def why(self):
        return "" if self.facts["what"] else self.story.why(False)

    def page(self, **more):
        """more: further facts."""
        return step_page.make(self.story, self.stepping.name, {**self.facts, **more}, self.stepping.files)

    def choose(self, number, worker):
        """The list by which this worker goes on after this point; before it nothing changes."""
        before = [switch for switch in self.switches if switch[0] < number]
        return before + [(number, worker)]


def shared(runs, schedule, outcome, full):
    """A schedule by which each worker gets something to do: where a child begins, the next worker goes on, and steals
    what is left of the parent."""
    for worker in range(1, schedule.workers):
        for _ in range(TRIES):
            last = schedule.switches[-1][0] if schedule.switches else 1
            points = [w for w in outcome.lines if w[0] == "point" and w[3] == "begin"]
            begins = [int(w[1]) for w in points if int(w[1]) > last]
            if not begins or any(w[2] == str(worker) for w in points):
                break
            schedule = Schedule(schedule.workers, schedule.switches + [(begins[0], worker)])
            outcome = runs.run(schedule, full)
    return schedule, outcome


def chosen(settings, record):
    workers = record.workers if record else settings["workers"]
    if record:
        return Schedule(workers, file="replay:%s:%d" % (os.path.abspath(record.name), workers))
    if settings["seed"] is not None:
        return Schedule(workers, spec="replay:%d:%d" % (settings["seed"], workers))
    return Schedule(workers, switches(settings["schedule"] or "", workers))


def switches(text, workers):
    try:
        made = [tuple(int(n) for n in item.split("=")) for item in text.split(",") if item]
        if any(len(s) != 2 or not 0 <= s[1] < workers for s in made) or [s[0] for s in made] != sorted(s[0] for s in made):
            raise ValueError
    except ValueError:
        raise Stop("--schedule %s: a list is POINT=WORKER,..., with rising points and workers below %d"
                   % (text, workers)) from None
    return made
