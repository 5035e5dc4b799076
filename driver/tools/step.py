"""`cilkc step`: one run of a program on a page, step by step, with the values of its variables (step_story.py,
step_values.py, step_page.py).

The program is built with -cilk-step, which has the points of -cilk-explore, and run once under --sched=turns or
--sched=replay: one worker at a time. With --from a recorded run is repeated.
"""

import os
import sys

from cilkc_driver.console import Stop

from . import explore, instrumented, step_page, step_story
from .explore_runs import Runs, Schedule

NOT_RUN = 125
TRIES = 4               # switches by which a worker is given something to do
FLAGS = ["-cilk-step", "-g", "-cilk-trace", "-ftrivial-auto-var-init=pattern"]


def main(words, settings):
    return instrumented.session(lambda temp: run(words, settings, temp), NOT_RUN)


def run(words, settings, temp):
    if sum(settings[name] is not None for name in ("schedule", "seed", "record")) > 1:
        raise Stop("only one of --schedule, --seed and --from can be given")
    flags, arguments = instrumented.split(words)
    options = instrumented.check(flags, "cilkc step")
    if options.target or options.serial:
        raise Stop("cilkc step runs the program in parallel on this machine: --target and --serial cannot be used with it")
    files = [item.name for item in options.inputs]
    name = os.path.basename(files[0]).rpartition(".")[0] or "program"
    page = settings["output"] or name + ".step.html"
    if not page.endswith((".html", ".htm")):
        raise Stop("-o %s: the page's name ends in .html" % page)
    instrumented.writable([page])
    record = explore.Record(settings["record"]) if settings["record"] else None
    mode = FLAGS + ([] if any(w.startswith("--spawn") for w in flags) else
                    ["--spawn=" + (record.spawning if record else "eager")])
    program = temp.file(name)
    if not instrumented.build(flags, program, mode):
        return NOT_RUN
    runs = Runs(program, arguments, temp, settings["timeout"], ())
    schedule = chosen(settings, record)
    full = "1-%d" % settings["steps"]
    outcome = runs.run(schedule, full)
    if not outcome.scheduled:
        runs.by_environment = True
        outcome = runs.run(schedule, full)
    if not outcome.scheduled:
        sys.stderr.write(outcome.err)
        raise Stop(instrumented.how_it_ended(outcome.status) + ": nothing was recorded" if outcome.status
                   else "the program ended before a Cilk procedure ran")
    if not (record or settings["schedule"] or settings["seed"] is not None):
        schedule, outcome = shared(runs, schedule, outcome, full)
    story = step_story.Story(outcome, schedule.workers)
    repeat, gdb = (explore.command_line(c, runs, ["-cilk-explore"] + mode[1:2] + mode[4:] + flags, schedule, arguments)
                   for c in ("run", "debug"))
    failure = outcome.failure(None)
    if failure and failure[0] == "deadlock" and story.deadlock():
        failure = "deadlock", "no worker can go on: " + story.deadlock()
    facts = {"found": False, "page_title": "step by step", "what": failure[1] if failure else "", "command": repeat,
             "debug": gdb, "steals": story.steals, "points": outcome.points,
             "output": outcome.out.decode(errors="replace"), "stderr": explore.REPEAT.sub("", outcome.err)[:4000]}
    instrumented.write_file(page, step_page.make(story, name, facts, files))
    sys.stdout.write(facts["output"])
    sys.stdout.flush()
    sys.stderr.write(facts["stderr"])
    shown = "" if outcome.points <= settings["steps"] else "the first %d of " % settings["steps"]
    for text in (facts["what"], "" if failure else story.why(False),
                 "%s: shows %s%s" % (page, shown, explore.many(outcome.points, "point"))):
        if text:
            sys.stderr.write("cilkc step: %s\n" % text)
    return outcome.status


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
    try:
        switches = [tuple(int(n) for n in item.split("=")) for item in (settings["schedule"] or "").split(",") if item]
        if any(len(s) != 2 or not 0 <= s[1] < workers for s in switches) or [s[0] for s in switches] != sorted(
                s[0] for s in switches):
            raise ValueError
    except ValueError:
        raise Stop("--schedule %s: a list is POINT=WORKER,..., with rising points and workers below %d"
                   % (settings["schedule"], workers)) from None
    return Schedule(workers, switches)
