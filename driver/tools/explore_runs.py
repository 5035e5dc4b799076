"""Runs of a program under one schedule each, and what went wrong in them, for `cilkc explore`.

A schedule is a list of switches, (point, worker), or the numbers of a seed; the runtime (rt/extensions/replay/points.h)
writes down which list a seed was. The run on one worker is the reference: it is what the elision does.
"""

import ctypes
import os
import re
import signal
import time

from cilkc_driver import console, processes

from . import instrumented

NO_RANDOM_ADDRESSES = 0x0040000     # linux/personality.h
KEPT = 1 << 20                      # bytes of output that are compared, and shown
KEPT_LINES = {"point", "step", "deque", "event", "scope", "global", "vars", "type", "mem", "block", "free", "out"}
RUNTIME = re.compile(r"^Cilk runtime system: (.* overflow .*)|^(?:\d+|global): fatal error: (.*)|^fatal error: (.*)"
                     r"|^.*runtime error: (.*)|^.*ERROR: (AddressSanitizer.*)", re.M)
FAULT = re.compile(r"^Cilk runtime system: (.*)\.$", re.M)

# What goes wrong: kind -> a sentence. Two failures are one when their kinds are.
KINDS = {"output": "the output differs", "status": "the exit status differs",
         "crash": "the program is killed by a signal", "report": "the runtime reports an error",
         "deadlock": "no worker can go on", "endless": "the program does not end",
         "late": "the program still ran when its time was over"}


class Schedule:
    """What follows --sched=. switches: None where a seed or a record decides. file: that of a run whose steps have an
    order, 'record:FILE' or 'replay:FILE'. asks: what is tried next depends on the points of its run."""

    def __init__(self, workers, switches=None, spec=None, file=None, asks=False):
        self.workers, self.switches, self.file, self.asks = workers, switches, file, asks
        self.spec = spec or "turns:%d%s" % (workers, ":" + ",".join("%d=%d" % s for s in switches) if switches else "")

    def words(self, spec=None, file=None):
        return ["--sched=" + s for s in (spec or self.spec, file or self.file) if s]


class Outcome:
    def __init__(self):
        self.status, self.out, self.err, self.points, self.how = 0, b"", "", 0, ""
        self.late = 0.0                         # seconds after which it was killed
        self.scheduled = False                  # the runtime has read the schedule
        self.switches, self.lines = [], []      # lines: of points and events, split

    def failure(self, reference):
        """(kind, sentence), or None where it went as the reference did. reference: None for the reference itself."""
        if self.how == "stuck":
            return (
                "deadlock",
                "no worker can go on: each waits for another one, in a loop or for a lock that is never released",
            )
        if self.how == "limit":
            return "endless", "the program does not end: after %d points it still runs" % self.points
        if self.late:
            return "late", "%s, after %g s: a longer --timeout shows whether it ends" % (KINDS["late"], self.late)
        said = RUNTIME.search(self.err)
        if said and self.status not in (0, 128 + signal.SIGKILL) and not (reference and RUNTIME.search(reference.err)):
            return "report", "the runtime reports: %s" % next(filter(None, said.groups()))
        if self.status > 128 and (reference is None or self.status != reference.status):
            fault = FAULT.search(self.err)
            return "crash", "the program is killed by %s%s" % (
                signal_name(self.status - 128), ": " + fault[1] if fault else ""
            )
        if reference is None:
            return None
        if self.status != reference.status:
            return "status", "the exit status is %d, on one worker it is %d" % (self.status, reference.status)
        if self.out != reference.out:
            return "output", difference(reference.out, self.out)
        return None


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number


def difference(wanted, got):
    """A sentence on the first line of the output that differs."""
    before, after = wanted.decode(errors="replace").split("\n"), got.decode(errors="replace").split("\n")
    for number, (a, b) in enumerate(zip(before, after), 1):
        if a != b:
            return "line %d of the output is '%s', on one worker it is '%s'" % (number, shortened(b), shortened(a))
    return "the output has %d lines, on one worker it has %d" % (len(after) - 1, len(before) - 1)


def shortened(text, most=60):
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= most else text[:most - 1] + "…"


class Runs:
    """The program with its arguments and its input."""

    def __init__(self, program, arguments, temp, timeout, ignored):
        self.program, self.arguments, self.temp, self.timeout = program, arguments, temp, timeout
        self.ignored = [re.compile(text) for text in ignored]
        self.input, self.limit, self.count, self.longest = instrumented.Input(), None, 0, 0.0
        self.log, self.out, self.err = temp.file("explore.log"), temp.file("explore.out"), temp.file("explore.err")
        self.list = temp.file("explore.list")
        self.by_environment = False     # OpenCilk's main takes no options of ours
        # what depends on addresses is the same each time, where the kernel allows it
        ctypes.CDLL(None).personality(NO_RANDOM_ADDRESSES)

    def run(self, schedule, full="", program=None):
        """full: 'A-B,...': these points in full."""
        if processes.reader_gone():
            raise console.Stop("the reader of the output has gone")    # what the runs find would reach no reader
        file = "record:" + self.temp.file("explore.rec") if (schedule.file or "").startswith("record:") else None
        options = schedule.words(None, file)
        if len(options[0]) > 2000 and schedule.switches:
            with open(self.list, "w", encoding="ascii") as listed:
                listed.write(",".join("%d=%d" % s for s in schedule.switches))
            options = schedule.words("turns:%d:@%s" % (schedule.workers, self.list), file)
        environment = {"CILK_EXPLORE": self.log, "CILK_EXPLORE_POINTS": full,
                       "CILK_EXPLORE_LIMIT": str(self.limit) if self.limit else ""}
        outcome, begun = Outcome(), time.monotonic()
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            stdin = self.input.open(self.temp)
            if self.by_environment:
                environment["CILK_OPTIONS"] = " ".join(options)
            words = self.arguments if self.by_environment else [*options, "--", *self.arguments]
            outcome.status = instrumented.execute(program or self.program, words, environment, stdin, out.fileno(),
                                                  err.fileno(), self.timeout, many=True)
        taken = time.monotonic() - begun
        self.count += 1
        self.longest = max(self.longest, taken)
        if outcome.status == 128 + signal.SIGKILL and taken >= self.timeout:
            outcome.late = self.timeout
        outcome.out = self.compared(read(self.out))
        outcome.err = read(self.err).decode(errors="replace")
        self.read_log(outcome)
        return outcome

    def compared(self, text):
        if not self.ignored:
            return text
        return b"\n".join(line for line in text.split(b"\n")
                          if not any(p.search(line.decode(errors="replace")) for p in self.ignored))

    def read_log(self, outcome):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                lines = file.read().split("\n")
            os.unlink(self.log)
        except OSError:
            return
        for line in lines:
            words = line.split("\t") if "\t" in line else line.split()
            if not words:
                continue
            if words[0] == "points" and len(words) == 2 and words[1].isdigit():
                outcome.scheduled = True
                outcome.points = int(words[1])
            elif words[0] == "switch" and len(words) == 3:
                outcome.switches.append((int(words[1]), int(words[2])))
                outcome.lines.append(words)
            elif words[0] == "end" and len(words) == 2:
                outcome.how = words[1]
            elif words[0] in KEPT_LINES:
                outcome.lines.append(words)


def read(name):
    with open(name, "rb") as file:
        return file.read(KEPT)
