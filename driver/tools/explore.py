"""`cilkc explore`: runs a program under many schedules until one makes it fail, shrinks this schedule, and shows it
(explore_search.py, step_page.py).

The program is built with -cilk-explore, where another worker may go on before each access to shared memory, and with
-cilk-debug. One worker runs at a time, as the schedule says, so a failing schedule fails again.
"""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import time
from typing import Any

from cilkc_driver import home
from cilkc_driver.flags import STRATEGIES
from cilkc_driver.console import Stop

from . import explore_all, explore_search, instrumented, step_page, step_story
from .explore_runs import KINDS, Runs, Schedule

NOTHING, FOUND, FAILED = 0, 1, 2
IN_FULL = 20000            # points of a run that are read in full, for places and for the page
AROUND = 300            # of a longer run: so many before and after each switch
LIMIT_FACTOR, LIMIT_LEAST = 40, 100000
SLOWER = 20             # a run may take so many times as long as that on one worker
MANY_POINTS = 1000000
REPEAT = re.compile("^to repeat this run: .*\n?", re.M)
PLAIN_EVERY = 10.0      # seconds between lines where there is no terminal


def main(words, settings):
    """settings: the command's own options by name. The exit status: 0 nothing was found, 1 something was, 2 wrong use,
    or the program does not compile."""
    return instrumented.session(lambda temp: Exploration(words, settings, temp).run(), FAILED)


class Exploration:
    def __init__(self, words, settings, temp):
        self.flags, self.arguments = instrumented.split(words)
        self.settings, self.temp = settings, temp
        options = instrumented.check(self.flags, "cilkc explore")
        if options.target or options.serial or options.trace:
            raise Stop(
                "cilkc explore runs the program in parallel on this machine: --target, --serial and -cilk-trace cannot be used with it"
            )
        self.files = [item.name for item in options.inputs]
        self.name = os.path.basename(self.files[0]).rpartition(".")[0] or "program"
        if settings["all"] and settings["record"]:
            raise Stop("--all and --from exclude each other")
        settings["schedules"] = settings["schedules"] or (10**7 if settings["all"] else 1000)
        self.page = None if settings["no_page"] else settings["output"] or self.name + ".explore.html"
        if self.page and not self.page.endswith((".html", ".htm")):
            raise Stop("-o %s: the page's name ends in .html" % self.page)
        instrumented.writable([self.page])
        self.record = Record(settings["record"]) if settings["record"] else None
        spawning = self.record.spawning if self.record else "eager"
        self.mode = ["-cilk-explore", "-g"] + (
            [] if any(w.startswith("--spawn") for w in self.flags) else ["--spawn=" + spawning]
        )
        self.checked = [] if options.sanitizers or options.checks else ["-cilk-debug"]
        for pattern in settings["ignore"]:
            try:
                re.compile(pattern)
            except re.error as error:
                raise Stop("--ignore %s: %s" % (pattern, error))
        self.every: Any = None
        self.begun = self.spoken = time.monotonic()
        self.tried, self.found_after, self.shrinking = 0, 0, ""

    def run(self):
        program = self.temp.file(self.name)
        if not instrumented.build(self.flags, program, self.mode + self.checked):
            return FAILED
        self.runs = Runs(program, self.arguments, self.temp, self.settings["timeout"], self.settings["ignore"])
        alone = Schedule(1)
        self.reference = self.runs.run(alone)
        if not self.reference.scheduled:
            self.runs.by_environment = True
            self.reference = self.runs.run(alone)
        if not self.reference.scheduled:
            raise Stop(instrumented.how_it_ended(self.reference.status) + ": nothing was explored"
                       if self.reference.status else "the program ended before a Cilk procedure ran")
        if self.reference.late:
            raise Stop("on one worker the program did not end in %g s: take a smaller input, or a longer --timeout"
                       % self.runs.timeout)
        self.runs.timeout = max(self.runs.timeout, SLOWER * self.runs.longest)
        failure = self.reference.failure(None)
        if failure:
            return self.report(alone, failure, [])
        self.runs.limit = self.reference.points * LIMIT_FACTOR + LIMIT_LEAST
        quiet = Schedule(2)
        first, again = self.runs.run(quiet, "1-%d" % IN_FULL), self.runs.run(quiet)
        if first.out != again.out or first.status != again.status:
            raise Stop(
                "two runs of one schedule differ: the program depends on time, on input or on chance; --ignore REGEX leaves lines of output out"
            )
        failure = first.failure(self.reference)
        if failure:
            return self.report(quiet, failure, [])
        places = explore_search.Places(first)
        if self.record:
            return self.from_record(self.record)
        if self.settings["all"]:
            self.every = explore_all.Every(explore_all.Relation(self.trees()), IN_FULL)
            return self.search(places, self.every.schedules(places))
        return self.search(places, explore_search.schedules(places, self.settings["seed"]))

    def trees(self):
        """The typed trees of the program's files."""
        made = []
        for name in self.files:
            flags = [word for word in self.flags if word not in self.files]
            words = [os.path.join(home.HOME, "cilkc"), "emit", "--stage", "tree", "--json", "-w", *flags, name]
            made.append(instrumented.run_command(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).stdout)
        return made

    def from_record(self, record):
        """The list that repeats the record, then lists that are near."""
        file = "replay:%s:%d" % (os.path.abspath(record.name), record.workers)     # the name may end in :1
        outcome = self.runs.run(Schedule(record.workers, file=file))
        refused = re.search("^.*(?:cannot replay|does not do what was recorded).*", outcome.err, re.M)
        if refused or not outcome.scheduled:
            raise Stop(refused.group(0) if refused else "%s: the run that it repeats has no points" % record.name)
        repeated = Schedule(record.workers, outcome.switches, file="record:%s.rec" % self.name)
        places = explore_search.Places(self.runs.run(repeated, "1-%d" % IN_FULL))
        return self.search(places, explore_search.neighbours(repeated, places, self.settings["seed"]))

    def search(self, places, schedules):
        unshrunk = None
        for number, schedule in enumerate(self.allowed(schedules), 1):
            outcome = self.runs.run(schedule, "1-%d" % IN_FULL if schedule.asks else "")
            if schedule.asks:
                places.seen = outcome
            self.tried = number
            self.progress()
            failure = outcome.failure(self.reference)
            if not failure:
                continue
            self.found_after = number
            switches = schedule.switches if schedule.switches is not None else outcome.switches
            self.shrinking = ", shrinks one that failed"
            shrinker = explore_search.Shrinker(self.runs, self.reference, failure[0], self.progress, schedule.file)
            small = shrinker.shrink(schedule.workers, switches)
            self.shrinking = ""
            if small:
                made = Schedule(small[0], small[1], file=schedule.file)
                return self.report(made, self.runs.run(made).failure(self.reference), switches)
            unshrunk = unshrunk or (schedule, failure)       # its list is not all that it was: another one may be
        self.clear()
        if unshrunk:
            return self.report(unshrunk[0], unshrunk[1], [])
        return self.nothing(places)

    def allowed(self, schedules):
        for schedule in itertools.islice(schedules, self.settings["schedules"]):
            if time.monotonic() - self.begun > self.settings["time"]:
                return
            yield schedule

    # ---- what is printed ----

    def progress(self):
        now = time.monotonic()
        of = "" if self.every else " of %d" % self.settings["schedules"]
        text = "cilkc explore: %d%s schedules, %d s%s" % (self.tried, of, now - self.begun, self.shrinking)
        if os.isatty(2):
            if now - self.begun > 0.5:
                sys.stderr.write("\r\033[K" + text)
                sys.stderr.flush()
        elif now - self.spoken > PLAIN_EVERY:
            self.spoken = now
            sys.stderr.write(text + "\n")
            sys.stderr.flush()

    @staticmethod
    def clear():
        if os.isatty(2):
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def command(self, command, mode, schedule):
        return command_line(command, self.runs, mode + self.flags, schedule, self.arguments)

    def nothing(self, places):
        tried, seconds = self.tried, time.monotonic() - self.begun
        if self.every:
            return self.nothing_of_all(seconds)
        if self.settings["json"]:
            print(json.dumps({"found": False, "schedules": tried, "points": places.points, "places": len(places.sites),
                              "one_switch": [places.alone, len(places.singles())], "seconds": round(seconds, 1),
                              "seed": self.settings["seed"]}, indent=1))
            return NOTHING
        print("nothing was found in %d schedules of %d points each (seed %d, %.0f s)"
              % (tried, places.points, self.settings["seed"], seconds))
        if not self.record:
            print("one switch was tried at %d of %d points: at the first, the last and the middle one of each place"
                  % (places.alone, len(places.singles())))
        if tried < self.settings["schedules"]:
            print("the time of %g s was over after %d of %d schedules" % (self.settings["time"], tried, self.settings["schedules"]))
        if places.points > MANY_POINTS:
            print("a smaller input has fewer points, and more of its schedules are tried")
        print("this proves nothing: other schedules exist. `cilkc race` judges all schedules of this input in one run")
        return NOTHING

    def nothing_of_all(self, seconds):
        every = self.every
        if self.settings["json"]:
            print(json.dumps({"found": False, "all": every.complete, "classes": every.classes, "left": every.left,
                              "schedules": self.tried, "waits": every.waiting, "seconds": round(seconds, 1)}, indent=1))
            return NOTHING
        if every.complete:
            print("all %d classes of schedules of this input on two workers: none fails (%d runs, %.0f s)"
                  % (every.classes, self.tried, seconds))
        else:
            why = (
                "a run has more than %d points" % IN_FULL
                if every.too_long
                else "calls in which a worker waits for another one have orders of their own"
                if every.sleeps
                else "at least %d more are left" % every.left
            )
            print("%d classes of schedules on two workers: none fails, but %s (%d runs, %.0f s)"
                  % (every.classes, why, self.tried, seconds))
        if every.waiting:
            print("a loop that came back to the same places %d times was taken for one that waits" % explore_all.REPEATS)
        return NOTHING

    def report(self, schedule, failure, before):
        """before: the switches of the schedule that was found."""
        self.clear()
        shown = self.in_full(schedule, failure)
        story = step_story.Story(shown, schedule.workers)
        repeat, gdb = (self.command(c, m, schedule)
                       for c, m in (("run", self.mode + self.checked), ("debug", self.mode)))
        named = story.deadlock() if failure[0] == "deadlock" else ""
        what = "%s: %s" % (KINDS["deadlock"], named) if named else failure[1]
        facts = {
            "found": True,
            "page_title": "a failing schedule",
            "why": story.why(True),
            "kind": failure[0],
            "what": what,
            "schedules": self.found_after,
            "workers": schedule.workers,
            "switches": schedule.switches,
            "schedule": schedule.spec,
            "file": schedule.file,
            "steals": story.steals,
            "shrunk_from": len(before) if schedule.switches is not None else None,
            "command": repeat,
            "debug": gdb,
            "points": shown.points,
            "seed": self.settings["seed"],
            "page": self.page,
            "output": shown.out.decode(errors="replace")[:4000],
            "expected": self.reference.out.decode(errors="replace")[:4000],
            "stderr": REPEAT.sub("", shown.err)[:4000],     # the program that it names is gone
        }
        if self.page:
            instrumented.write_file(self.page, step_page.make(story, self.name, facts, self.files))
        if self.settings["json"]:
            print(json.dumps(facts, indent=1))
            return FOUND
        print("found: %s" % what)
        if facts["why"] and not named:
            print("  " + facts["why"])
        if schedule.workers == 1:
            print("  on one worker: no schedule is needed, %s" % KINDS[failure[0]])
        elif schedule.switches is None:
            print("  in schedule %d, which could not be shrunk; %d steals" % (self.found_after, story.steals))
        else:
            print("  with %s and %s (schedule %d%s)"
                  % (many(len(schedule.switches), "switch", "switches"), many(story.steals, "steal"), self.found_after,
                     ", shrunk from %d switches" % len(before) if len(before) > len(schedule.switches) else ""))
            for line in story.switches():
                print("  " + line)
        print("to repeat it:  " + repeat)
        print("in gdb:        " + gdb)
        if self.page:
            print("%s: shows it step by step" % self.page)
        return FOUND

    def in_full(self, schedule, failure):
        """The run once more, in the flavour that has events, with its points in full."""
        program = self.temp.file(self.name + ".events")
        values = ["-cilk-step", "-ftrivial-auto-var-init=pattern", "-cilk-trace"] + self.mode[1:]
        if self.checked and not instrumented.build(self.flags + ["-w"], program, values):
            raise Stop("the program does not compile with -cilk-step")
        ranges = "1-%d" % IN_FULL
        if schedule.switches and schedule.switches[-1][0] > IN_FULL // 2:
            ranges = ",".join("%d-%d" % r for r in merged(schedule.switches))
        outcome = self.runs.run(schedule, ranges, program if self.checked else None)
        if (
            self.checked
            and failure[0] not in ("report",)
            and (outcome.failure(self.reference) or ("",))[0] != failure[0]
        ):
            outcome = self.runs.run(schedule, ranges)       # the checks make the difference: without the events
        return outcome


def command_line(command, runs, flags, schedule, arguments):
    words = ["cilkc", command] + flags + ["--"]
    if runs.by_environment:
        options = shlex.quote(" ".join(schedule.words()))
        return "CILK_OPTIONS=%s %s" % (options, " ".join(shlex.quote(word) for word in words + arguments))
    return " ".join(shlex.quote(word)
                    for word in words + schedule.words() + (["--"] + arguments if arguments else []))


class Record:
    """What the driver needs to know of a file of --sched=record (replay/record.h). The program reads the rest."""

    def __init__(self, name):
        self.name = name
        try:
            with open(name, "rb") as file:
                head = file.read(16)
        except OSError as error:
            raise Stop("--from %s: %s" % (name, error.strerror))
        if len(head) < 16 or not head.startswith(b"cilk record ") or not 1 <= head[14] <= 64 or head[15] >= len(STRATEGIES):
            raise Stop("--from %s: it is not a record of --sched=record" % name)
        self.workers, self.spawning = head[14], STRATEGIES[head[15]]


def merged(switches):
    """Ranges of points around the switches, and the begin."""
    made = [[1, AROUND]]
    for point, _ in switches:
        low, high = max(1, point - AROUND), point + AROUND
        if low <= made[-1][1] + 1:
            made[-1][1] = max(made[-1][1], high)
        else:
            made.append([low, high])
    return [tuple(r) for r in made]


def many(n, one, more=None):
    return "%d %s" % (n, one if n == 1 else more or one + "s")
