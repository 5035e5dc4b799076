"""`cilkc memory`: how much memory may the program need on p workers, over all schedules, and which lines allocate it?

The program is built in its serial form with its allocations counted (--cilk-memory, rt/tools/memory) and run once: that
gives the high-water marks. Then it is built in parallel and run on as many workers as this machine has processors
for, to say what it really had. What it prints is shown once.
"""

import contextlib
import json
import os
import re
import sys

from cilkc_driver import home, processes
from cilkc_driver.console import Stop

from . import instrumented, memory_draw, memory_page, memory_text, progress

WORKERS = "1,2,4,8,16"
MOST_WORKERS, MOST_QUESTIONS = 1024, 16         # rt/tools/memory/memory.h has the same
SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def main(words, settings):
    """settings: the command's own options by name. The exit status."""
    return instrumented.session(lambda temp: Session(words, settings, temp).run(), instrumented.NOT_RUN)


FILES = {".svg": "svg", ".html": "html", ".htm": "html", ".json": "json"}       # what -o makes


def workers_of(text):
    """Numbers of workers: 1,2,8 or 1-4."""
    found = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,5})(?:-(\d{1,5}))?\s*", part)
        low, high = (int(match.group(1)), int(match.group(2) or match.group(1))) if match else (0, 0)
        if not 1 <= low <= high <= MOST_WORKERS:
            raise Stop(
                "--nproc %s: expected numbers of workers from 1 to %d: 1,2,8 or 1-4" % (text, MOST_WORKERS), 2
            )
        found.update(range(low, min(high, low + MOST_QUESTIONS) + 1))
    if len(found) > MOST_QUESTIONS:
        raise Stop("--nproc %s: at most %d numbers of workers" % (text, MOST_QUESTIONS), 2)
    return sorted(found)


def bytes_of(text):
    match = re.fullmatch(r"(\d{1,15})\s*([KMGT]?)(?:i?B)?", text, re.I)
    if not match or not 0 < int(match.group(1)) * SIZES[match.group(2).upper()] < 1 << 50:
        raise Stop("--threshold %s: expected a number of bytes, such as 64K, 10M or 2G" % text, 2)
    return int(match.group(1)) * SIZES[match.group(2).upper()]


class Session:
    def __init__(self, words, settings, temp):
        self.flags, self.arguments = instrumented.split(words)
        self.settings, self.temp = settings, temp
        self.input = instrumented.Input()
        self.progress = progress.Progress("cilkc memory", [1, 1])

    def run(self):
        options = instrumented.check(self.flags, "cilkc memory")
        if options.target or options.sanitize or options.lto or options.serial:
            raise Stop(
                "cilkc memory runs the program on this machine in forms of its own: --target, --serial, -fsanitize and -flto cannot be used with it",
                instrumented.NOT_RUN,
            )
        wanted = instrumented.outputs(self.settings["output"], FILES)
        pictures = [(self.settings["svg"] or wanted.get("svg"), memory_draw.svg),
                    (self.settings["html"] or wanted.get("html"), memory_page.make),
                    (wanted.get("json"), lambda memory, _: json.dumps(memory_text.as_json(memory), indent=1) + "\n")]
        instrumented.writable(file for file, _ in pictures)
        self.workers = workers_of(self.settings["nproc"])
        self.threshold = bytes_of(self.settings["threshold"]) if self.settings["threshold"] else 0
        name = os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program"
        program = self.temp.file(name)
        if not instrumented.build(self.flags, program, ["-cilk-tool=memory", "-DCILK_MEMORY=1"]):
            return instrumented.NOT_RUN
        environment = {"CILK_MEMORY_WORKERS": ",".join(map(str, self.workers)),
                       "CILK_MEMORY_THRESHOLD": str(self.threshold)}
        report, status = self.measure(program, environment, shown=True)
        if report is None:
            return instrumented.nothing(self.settings, status)
        with instrumented.reading("memory"):
            memory = Memory(report)
            if memory.has_both:
                alone, _ = self.measure(program,
                                        dict(environment, CILK_MEMORY_HEAP_ALONE="1", CILK_MEMORY_THRESHOLD="0"),
                                        what="the heap alone")
                memory.take_heap(alone)
        if self.settings["measure"]:
            self.measure_heap(name, memory)
        for file, drawn in pictures:
            if file:
                instrumented.write_file(file, drawn(memory, " ".join([name] + self.arguments)))
        if self.settings["json"]:
            json.dump(memory_text.as_json(memory), sys.stdout, indent=1)
            print()
        else:
            memory_text.show(memory, self.settings["top"])
        return status

    def measure(self, program, environment, shown=False, what="running"):
        """One run: (report or None, exit status)."""
        made = self.temp.file("report")
        if os.path.exists(made):
            os.unlink(made)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            out = (2 if self.settings["json"] else None) if shown else nowhere
            with (
                self.progress.step(what, progress.program_is_quiet(shown, self.settings["json"])),
                progress.serial_run("cilkc memory") if shown else contextlib.nullcontext(),
            ):
                status = instrumented.execute(program, self.arguments, dict(environment, CILK_MEMORY_REPORT=made),
                                              self.input.open(self.temp), out, None if shown else nowhere)
        finally:
            os.close(nowhere)
        return instrumented.read_report(made, status), status

    def measure_heap(self, name, memory):
        """What the parallel program's heap has, on as many workers as there are processors for."""
        program = self.temp.file(name + ".parallel")
        if not instrumented.build(["-w", *self.flags, home.library("libcilkmemory.a")], program, ["-cilk-memory"]):
            return
        counts = [p for p in self.workers if p <= processes.processors()]
        self.progress.more(*[0.2] * len(counts))
        for p in self.workers:
            if p in counts:
                report, _ = self.measure(program, {"CILK_NPROC": str(p)}, what="measuring the heap on %d workers" % p)
                if report is not None:
                    memory.measured[p] = report["heap"]


class Group:
    """What allocates: a line, or the closures of a procedure."""

    def __init__(self, row):
        self.kind = row[0]
        self.file, self.line, self.column, self.procedure, self.what, self.blocks, self.bytes = "", 0, 0, "", "", 0, 0
        if self.kind == "site":
            self.file, self.line, self.column, self.procedure, self.what, self.blocks, self.bytes = row[1:8]
            self.what = self.what or "a call by address"
        elif self.kind == "procedure":
            self.file, self.line, self.procedure, size, self.blocks = row[1:6]
            self.bytes, self.what = size * self.blocks, "closures"
        else:
            self.what = "other lines"


class Memory:
    def __init__(self, report):
        self.status, self.instances, self.spawns, self.threshold = (
            report["status"],
            report["instances"],
            report["spawns"],
            report["threshold"],
        )
        self.groups = [Group(row) for row in report["groups"]]
        self.marks = [tuple(pair) for pair in report["marks"]]
        self.serial, self.left = report["serial"], report["left"]
        self.answers = dict(report["answers"])
        self.waiting = report["waiting"]        # instances that may wait for futures of others
        self.open = report["open"]              # numbers of workers for which these are too many to be followed
        self.measured: "dict[int, int]" = {}
        # the heap's own marks, by workers, and that of the serial run
        self.heaps = {p: self.heap(row) for p, row in self.marks}
        self.serial_heap = self.heap(self.serial)

    @property
    def has_both(self):
        """Are there closures, and a heap? Else one run has the marks of both."""
        return len({g.kind == "procedure" for g in self.groups}) == 2

    def take_heap(self, report):
        """report: that of a run which counts no closures; None: it failed, and nothing is known."""
        self.heaps = {p: row[0] for p, row in report["marks"]} if report else {}
        self.serial_heap = report["serial"][0] if report else None

    def heap(self, row):
        """Bytes of a state that are no closures."""
        return sum(bytes_ for bytes_, g in zip(row[1:], self.groups) if g.kind != "procedure")

    def parts(self, row):
        """[(bytes, group)], the largest first."""
        return sorted(((bytes_, g) for bytes_, g in zip(row[1:], self.groups) if bytes_),
                      key=lambda part: (-part[0], part[1].file, part[1].line, part[1].column))
