"""`cilkc trace`: builds the program with -cilk-trace, runs it in parallel as it is, and shows what each worker did.

The runtime writes its events while the program runs (rt/core/observe/trace.h); what is there is shown, however the
program ended.
"""

import json
import os
import resource
import sys

from cilkc_driver import console
from cilkc_driver.console import Stop

from . import instrumented, progress, trace_model, trace_page, trace_perfetto, trace_text

LIMIT = 50          # MB of a file


def main(words, settings):
    """settings: the command's own options by name. The exit status."""
    return instrumented.session(lambda temp: Session(words, settings, temp).run(), instrumented.NOT_RUN)


def processor_time():
    """Seconds that programs had the processors, which were run and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Session:
    def __init__(self, words, settings, temp):
        self.flags, self.arguments = instrumented.split(words)
        self.settings, self.temp = settings, temp
        self.progress = progress.Progress("cilkc trace", [1, 1, 1])

    def run(self):
        options = instrumented.check(self.flags, "cilkc trace")
        if options.target or options.serial:
            raise Stop(
                "cilkc trace runs the program in parallel on this machine: --target and --serial cannot be used with it",
                instrumented.NOT_RUN,
            )
        name = os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program"
        page, perfetto = self.files(name)
        instrumented.writable((page, perfetto))
        program, raw = self.temp.file(name), self.temp.file("events")
        if not instrumented.build(self.flags, program, ["-cilk-trace"]):
            return instrumented.NOT_RUN
        environment = {"CILK_TRACE": raw}
        if self.settings["nproc"]:
            environment["CILK_NPROC"] = str(self.settings["nproc"])
        before = processor_time()
        with self.progress.step("running", progress.program_is_quiet(True, self.settings["json"])):
            status = instrumented.execute(program, self.arguments, environment, instrumented.Input().open(self.temp),
                                          2 if self.settings["json"] else None)
        with self.progress.step("reading the events"):
            trace = self.read(raw)
        if trace is None or not any(w.counts for w in trace.workers):
            console.message("error", instrumented.how_it_ended(status) + ": nothing was traced" if status
                            else "nothing was traced: the program ended before a Cilk procedure ran")
            return status
        trace.processor = processor_time() - before
        with self.progress.step("drawing"):
            self.write(trace, name, page, perfetto)
        self.report(trace, status, page, perfetto)
        return status

    def files(self, name):
        """(the page, the Perfetto file): which are made, by what -o, --html and --perfetto say."""
        output, page, perfetto = self.settings["output"], self.settings["html"], self.settings["perfetto"]
        if output is None:
            return page or (None if perfetto else name + ".trace.html"), perfetto
        kind = os.path.splitext(output)[1].lower()
        if kind in (".html", ".htm"):
            if page:
                raise Stop("-o %s and --html %s: only one page can be written" % (output, page), instrumented.NOT_RUN)
            return output, perfetto
        if kind == ".json" and not perfetto:
            return page, output
        raise Stop("%s: the name says what is made: .html is a page, .json is for Perfetto" % output,
                   instrumented.NOT_RUN)

    @staticmethod
    def read(raw):
        try:
            with open(raw, encoding="utf-8", errors="replace") as file, instrumented.reading(raw):
                return trace_model.read(file)
        except FileNotFoundError:
            return None

    def write(self, trace, name, page, perfetto):
        limit = int(self.settings["limit"] * 1000000)
        if page:
            text, trace.kept[page] = trace_page.make(trace, name, " ".join([name] + self.arguments), limit)
            instrumented.write_file(page, text)
        if perfetto:
            text, trace.kept[perfetto] = trace_perfetto.make(trace, name, limit)
            instrumented.write_file(perfetto, text)

    def report(self, trace, status, page, perfetto):
        for file, kept in trace.kept.items():
            if trace_text.thinned(file, kept):
                console.message("note", trace_text.thinned(file, kept))
        if trace.lost:
            console.message(
                "note", "%d events came faster than they could be kept, or after three million others: they are missing"
                % trace.lost
            )
        if status > 128 or not trace.complete:
            console.message("note", "the program ended early: the trace shows what was written until then")
        if trace_text.crowded(trace):
            console.message("note", trace_text.crowded(trace))
        if self.settings["json"]:
            json.dump(dict(trace_text.as_json(trace), status=status, html=page, perfetto=perfetto,
                           thinned={file: {n: {"kept": k, "of": a} for n, (k, a) in kept.items() if k < a}
                                    for file, kept in trace.kept.items()}), sys.stdout, indent=1)
            print()
            return
        trace_text.table(trace)
        print()
        for file, what in ((page, "open it in a browser"), (perfetto, "open it in Perfetto or chrome://tracing")):
            if file:
                print("%s: %s" % (file, what))
