"""`cilkc race`: compiles a program for the race detector, runs it, and tells what was found.

The program runs serially with the detector in it (rt/race), which writes a line of JSON for each race into a file. A second run is made when the program asked SYNCHED
while children were out: the first one answers 1, as a serial run does, the second 0. The races of both are one report, the same on every run.
"""

import json
import os
import signal
import sys

from cilkc_driver import options as opts
from cilkc_driver import tools
from cilkc_driver.tools import Stop

from . import instrumented, progress, race_text

FOUND, FAILED = 1, 2


def main(words, settings):
    """settings: the command's own options by name. The exit status: 0 no races, 1 races, 2 the program (or its compilation) failed."""
    return instrumented.session(lambda temp: detect(words, settings, temp), FAILED)


def detect(words, settings, temp):
    flags, arguments = instrumented.split(words)
    options = instrumented.check(flags, "cilkc race")
    if options.target or options.lto:
        raise Stop("cilkc race runs the program's serial form on this machine: --target and -flto do not go with it")
    if not any(flag.startswith("-W") for flag in flags):
        flags = ["-w"] + flags      # the static warnings of races are a part of what is found
    program = temp.file(os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program")
    if not instrumented.build(flags, program, ["-cilk-tool=race", "-DCILK_RACE=1"]):
        return FAILED
    synched = settings["synched"]
    runs = Runs(program, arguments, temp, settings["json"])
    report = runs.run(synched != "false")
    if synched == "both" and report.synched_asked and not report.failed:
        report.add(runs.run(False, quiet=True))
    report.settle()
    report.unseen = unseen(options)
    text = json.dumps(report.data()) + "\n"
    if settings["report"]:
        instrumented.write_file(settings["report"], text)
    if settings["json"]:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        race_text.show(report)
    if report.unseen:
        tools.message("note", "compiled without the detector: %s; what is done to memory there is not seen" % ", ".join(report.unseen))
    if report.failed:
        tools.message("error", "the program %s; races on the way to that are told, others may be there" % report.failed)
        return FAILED
    return FOUND if report.races else 0


def unseen(options):
    """The inputs that tell the detector nothing: objects and archives that were compiled otherwise, and what another compiler compiles."""
    names = []
    for item in options.inputs:
        if item.language == "link":
            try:
                with open(item.name, "rb") as file:
                    if b"cilk_race_" not in file.read():
                        names.append(item.name)
            except OSError:
                pass
        elif item.language not in opts.OURS or (options.other_cc and item.language == "c"):
            names.append(item.name)
    return names


class Runs:
    def __init__(self, program, arguments, temp, output_aside):
        self.program, self.arguments, self.temp = program, arguments, temp
        self.output_aside = output_aside        # stdout is for the report: what the program prints goes to stderr
        self.input = instrumented.Input()
        self.progress = progress.Progress("cilkc race", [1])

    def run(self, synched, quiet=False):
        path = self.temp.file("races.%d" % synched)
        nowhere = os.open(os.devnull, os.O_WRONLY) if quiet else None
        environment = {"CILK_RACE_REPORT": path, "CILK_RACE_SYNCHED": "01"[synched]}
        if quiet:
            self.progress.more(1)
        try:
            with self.progress.step("SYNCHED is 0" if quiet else "running", progress.program_is_quiet(not quiet, self.output_aside)):
                status = instrumented.execute(self.program, self.arguments, environment, self.input.open(self.temp),
                                              stdout=nowhere if quiet else 2 if self.output_aside else None, stderr=nowhere)
        finally:
            if nowhere is not None:
                os.close(nowhere)
        return Report(path, status)


class Report:
    """What runs found. A race is a dictionary as the detector writes it (rt/race/report.c)."""

    def __init__(self, path, status):
        self.races = []
        self.memory = self.found = 0
        self.synched_asked = False
        self.unseen = []
        ended = False
        try:
            with open(path, encoding="utf-8", errors="replace") as file, instrumented.reading(path):
                for line in file:
                    try:
                        row = json.loads(line)
                    except ValueError:
                        continue            # the program was killed while it wrote
                    if not isinstance(row, dict):
                        raise ValueError("no race: %s" % line.strip()[:40])
                    if "end" in row:
                        ended = True
                        self.synched_asked, self.found, self.memory = row["synched"], row["found"], row["memory"]
                    else:
                        self.races.append(row)
        except OSError:
            pass
        self.failed = None
        if status > 128 and not ended:
            try:
                self.failed = "was ended by " + signal.Signals(status - 128).name
            except ValueError:
                self.failed = "ended with status %d" % status
        elif status:
            self.failed = "ended with status %d" % status
        elif not ended:
            self.failed = "ended without the detector's knowledge"

    def add(self, other):
        self.races += other.races
        self.failed = self.failed or (other.failed and other.failed + " in the second run, where SYNCHED is 0")

    def settle(self):
        """Each pair of lines and object once: where there are several accesses in them, the pair that writes most."""
        kept = {}
        for race in self.races:
            key = (tuple(sorted((a["file"], a["line"], a["procedure"]) for a in (race["first"], race["second"]))), object_name(race))
            writes = (race["first"]["kind"] == "write") + (race["second"]["kind"] == "write")
            if key not in kept or writes > kept[key][0]:
                if key in kept:
                    kept[key][1].clear()
                    kept[key][1].update(race)
                    kept[key] = (writes, kept[key][1])
                else:
                    kept[key] = (writes, dict(race))
        self.races = [race for _, race in kept.values()]
        for race in self.races:
            race["hint"] = hint(race)

    def data(self):
        def access(a):
            return {"file": a["file"], "line": a["line"], "column": a["column"], "kind": a["kind"], "procedure": a["procedure"], "text": a["text"],
                    "delivery": a["delivery"], "path": [place(p) for p in a["path"]]}

        def place(p):
            return {"file": p["file"], "line": p["line"], "column": p["column"], "procedure": p["procedure"], "text": p["text"]}

        races = []
        for race in self.races:
            row = {"object": object_name(race), "kind": race["object"]["kind"], "offset": race["object"]["offset"],
                   "accesses": [access(race["first"]), access(race["second"])], "hint": race["hint"]}
            for name in ("spawn", "sibling"):
                if name in race:
                    row[name] = place(race[name])
            for name in ("file", "line"):
                if name in race["object"]:
                    row["object_" + name] = race["object"][name]
            if "allocated" in race["object"]:
                row["allocated"] = place(race["object"]["allocated"])
            races.append(row)
        more = {name: value for name, value in (("failed", self.failed), ("unseen", self.unseen)) if value}
        return dict({"races": races}, **more)


def object_name(race):
    o = race["object"]
    if "name" in o:
        return o["name"]
    if "allocated" in o:
        return "heap block from %s:%d" % (o["allocated"]["file"], o["allocated"]["line"])
    return race["second"]["text"] or "memory"


def hint(race):
    """What to write instead."""
    first, second, spawn = race["first"], race["second"], race.get("spawn")
    if not spawn:
        return ""
    if first["delivery"] or second["delivery"]:
        giver = race["spawn"] if first["delivery"] else race.get("sibling", race["spawn"])
        return "the result of the spawn at line %d arrives while others use %s: `sync;` first, or let the children return what they do to it" % (giver["line"], object_name(race))
    later = race.get("sibling")
    if not later:
        return "`sync;` between the spawn at line %d and line %d" % (spawn["line"], second["line"])
    if (later["file"], later["line"], later["column"]) == (spawn["file"], spawn["line"], spawn["column"]):
        return "give each child its own %s, or let the children return their parts and add them up in `x += spawn ...` or an inlet" % object_name(race)
    return "`sync;` before the spawn at line %d; or let the children return their parts, to be put together in `x += spawn ...` or an inlet" % later["line"]
