"""`cilkc profile`: builds the program in its serial form with units counted (--cilk-count), and runs it up to four
times, which are the same run.

The first finds work and span, and which child was the longest at each sync. The second knows with that where the
critical path goes, and counts there what each line, spawn and procedure has of it. The third and fourth ask what
would be if the heaviest lines were free, or twice as fast, or their loops parallel. What the runs write is
rt/tools/profile's report; the output of the program is shown once.
"""

import contextlib
import os
import signal
import time

from cilkc_driver import console, processes
from cilkc_driver.console import Stop

from . import flame, instrumented, profile_model, profile_text, profile_threads, progress, simulate, sweep, sync_check

FILES = {".svg": "svg", ".html": "html", ".htm": "html", ".json": "json_file", ".csv": "csv_file"}
COUNTED = 5         # lines of which it is asked what-if
CHANGES = (("free", 0), ("twice as fast", 1))       # and what a unit of theirs then counts, in half units
NO_SYNC = 3                                         # in the place of half units (rt/tools/profile/profile.h)
PARALLEL = profile_model.PARALLEL
LIMIT, LEAST_LIMIT = 10, 5      # the fourth run may take so many times as long as the third, or so many seconds


def main(words, settings):
    """settings: the command's own options by name. The exit status."""
    return instrumented.session(lambda temp: Session(words, settings, temp).run(), instrumented.NOT_RUN)


class Session:
    def __init__(self, words, settings, temp):
        self.flags, self.arguments = instrumented.split(words)
        self.settings, self.temp = settings, temp
        self.machine = settings["json"] or settings["csv"]      # stdout is for a program to read
        self.input = instrumented.Input()
        self.decisions = temp.file("decisions")
        self.progress = progress.Progress("cilkc profile", [1, 1, 1.5, 2] if settings["what_if"] else [1, 1])

    def run(self):
        options = instrumented.check(self.flags, "cilkc profile")
        if options.target or options.sanitize or options.lto:
            raise Stop(
                "cilkc profile runs the program's serial form on this machine: --target, -fsanitize and -flto cannot be used with it"
            )
        for kind, file in instrumented.outputs(self.settings["output"], FILES).items():
            self.settings[kind] = self.settings[kind] or file if kind in ("svg", "html") else file
        instrumented.writable(self.settings[kind] for kind in ("svg", "html", "sweep_svg"))
        if profile_threads.has_threads(options):
            return profile_threads.run(self)
        name = os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program"
        self.program = self.temp.file(name)
        if not instrumented.build(self.flags, self.program, ["-cilk-tool=profile"]):
            return instrumented.NOT_RUN
        first, status = self.measure({}, "counting", shown=True)
        if first is None:
            return instrumented.nothing(self.settings, status)
        second = None
        with instrumented.reading("profile"):
            lost = first["lost"]
        if not lost:
            second, ended = self.measure({"CILK_PROFILE_KNOWS": "1"}, "following the critical path")
            if second is None and ended == 128 + signal.SIGINT:
                return ended
        with instrumented.reading("profile"):
            profile = profile_model.Profile(first, second, self.settings["nproc"] or processes.processors())
        if self.settings["root"] and not profile.begin_at(self.settings["root"]):
            known = ", ".join(sorted({c.procedure for c in profile.procedures}))
            raise Stop("--root %s: no such procedure ran; %s"
                       % (self.settings["root"], "there are " + known if known else "none did"), instrumented.NOT_RUN)
        if not profile.same:
            console.message(
                "warning",
                "a second run of the program differs from the first: the share of each line in the span is unknown"
                if second is not None or not lost
                else "the program spawns too often to keep its critical path: the share of each line in the span is unknown",
            )
        elif self.settings["what_if"]:
            self.ask_what_if(profile)
        if profile.slower:
            rows = simulate.simulate(self.program, self.arguments, profile, [profile.processors], self.input,
                                      self.temp)
            profile.simulated = rows[0][1] if rows else None
        self.swept = None
        if self.settings["sweep"]:
            self.swept = sweep.measure(self.flags, self.arguments, profile.processors, profile, self.input, self.temp,
                                       self.program)
        self.show(profile, name)
        return status

    def measure(self, environment, what, shown=False, program=None, limit=None):
        """One run: (report or None, exit status)."""
        report = self.temp.file("report")
        if os.path.exists(report):
            os.unlink(report)
        environment = dict(environment, CILK_PROFILE_REPORT=report, CILK_PROFILE_DECISIONS=self.decisions,
                           CILK_PROFILE_BURDEN=str(self.settings["burden"]))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        begin = time.monotonic()
        try:
            out = (2 if self.machine else None) if shown else nowhere
            with (
                self.progress.step(what, progress.program_is_quiet(shown, self.machine)),
                progress.serial_run("cilkc profile") if shown else contextlib.nullcontext(),
            ):
                status = instrumented.execute(program or self.program, self.arguments, environment,
                                              self.input.open(self.temp), out, None if shown else nowhere, limit)
        finally:
            os.close(nowhere)
        self.seconds = time.monotonic() - begin
        return instrumented.read_report(report, status), status

    def ask_what_if(self, profile):
        """The third run, for lines; and the fourth, of a program that also reports the loops around the heaviest
        lines, which takes its time: not for ever."""
        places = []
        for line in profile.lines:
            if line.on_span and (line.file, line.line) not in places:
                places.append((line.file, line.line))
        places = places[:COUNTED]
        if not places:
            return
        usual = self.seconds
        asked = [(file, line, kind, keeps) for file, line in places for kind, keeps in CHANGES]
        # A sync that procedures come to again and again, after the same spawn; or one between two spawns.
        instances = {(c.file, c.procedure): c.instances for c in profile.procedures}
        again = [c for c in profile.children if c.syncs >= 2 * max(1, instances.get((c.file, c.procedure), 1))]
        again += [c for c in profile.between() if c not in again]
        asked += [(c.file, c.line, profile_model.NO_SYNC, NO_SYNC)
                  for c in sorted(again, key=lambda c: -c.length)[:COUNTED]]
        changes = "\n".join("%d %d %s" % (keeps, line, file) for file, line, _, keeps in asked)
        profile.what_if = self.measure_changes(profile, [(file, line, kind) for file, line, kind, _ in asked], changes)
        program = self.temp.file("loops")
        if instrumented.build(["-w", *self.flags], program,
                              ["-cilk-tool=profile"] + ["-cilk-loop=%d" % line for _, line in places]):
            profile.what_if += self.measure_changes(profile, None, "", program, max(LEAST_LIMIT, LIMIT * usual))
        if profile.early_syncs():
            sync_check.check(profile.early_syncs(), self, max(LEAST_LIMIT, LIMIT * usual))

    def measure_changes(self, profile, places, changes, program=None, limit=None):
        """What-ifs of one run. places: (file, line, kind) of each change; None: they are the loops."""
        what = "what if, for loops" if places is None else "what if, for lines"
        report, _ = self.measure({"CILK_PROFILE_KNOWS": "1", "CILK_PROFILE_CHANGES": changes}, what, program=program,
                                 limit=limit)
        if report is None or (report["span"], report["work"]) != (profile.span, profile.work):
            return []
        if places is None:
            places = [(file, line, PARALLEL) for file, line, _, _ in report["loops"]]
        return [profile_model.WhatIf(file, line, kind, work / 2, span / 2)
                for (file, line, kind), (work, span) in zip(places, report["changes"])]

    def show(self, profile, name):
        profile_text.show(profile, self.settings, self.swept)
        title = "%s%s" % (name, "".join(" " + word for word in self.arguments))
        for kind, text in (("json_file", profile_text.json_of),
                           ("csv_file", lambda profile, _: profile_text.as_csv(profile))):
            if self.settings.get(kind):
                instrumented.write_file(self.settings[kind], text(profile, self.swept))
        if self.settings["svg"]:
            instrumented.write_file(self.settings["svg"], flame.svg(profile, title))
        if self.settings["html"]:
            instrumented.write_file(self.settings["html"],
                                    flame.html(profile, title, sweep.svg(self.swept) if self.swept else None))
        if self.settings["sweep_svg"]:
            instrumented.write_file(self.settings["sweep_svg"], sweep.svg(self.swept))
