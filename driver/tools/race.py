"""`cilkc race`: compiles a program for the race detector, runs it, and reports what was found (race_report.py,
race_text.py).

The program runs serially with the detector in it (rt/tools/race), which writes a line of JSON for each race into a
file. A second run is made when the program asked SYNCHED while children were out: the first one answers 1, as a serial
run does, the second 0. The races of both are one report, the same on every run. With --nproc N a run on N workers comes
first (race_parallel.py); the serial run follows only where the first gives no answer.
"""

import json
import os
import subprocess
import sys

from cilkc_driver import options as opts
from cilkc_driver import console, home
from cilkc_driver.console import Stop

from . import instrumented, progress, race_page, race_parallel, race_sarif, race_text
from .race_report import Report

FOUND, FAILED = 1, 2        # and 3: both


def main(words, settings):
    """settings: the command's own options by name. The exit status: 0 nothing found, 1 something, 2 the program (or its
    compilation) failed, 3 both."""
    return instrumented.session(lambda temp: detect(words, settings, temp), FAILED)


def detect(words, settings, temp):
    flags, arguments = instrumented.split(words)
    options = instrumented.check(flags, "cilkc race")
    if options.target or options.lto:
        raise Stop("cilkc race runs the program's serial form on this machine: --target and -flto cannot be used with it")
    files = outputs(settings)
    instrumented.writable((name for name, _ in files), FAILED)
    program = temp.file(os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program")
    runs = Runs(program, arguments, temp, settings)
    report, warn = None, []
    if (settings["nproc"] or 1) > 1 and race_parallel.possible(flags):
        if not instrumented.build(flags, program, ["-cilk-tool=strands", "-DCILK_RACE=1"]):
            return FAILED
        report, warn = race_parallel.look(runs, settings["nproc"]), ["-w"]
    if not report:
        if not instrumented.build(flags + warn, program, ["-cilk-tool=race", "-DCILK_RACE=1"]):
            return FAILED
        synched = settings["synched"]
        report = runs.run(synched != "false")
        if synched == "both" and report.synched_asked and not report.failed:
            report.add(runs.run(False, quiet=True))
    report.settle()
    report.unseen = unseen(options)
    if settings["prove"] and not report.races and not report.failed:
        report.proof = proof(flags)
    text = json.dumps(report.data()) + "\n"
    for name, kind in files:
        instrumented.write_file(name, text if kind == "json" else FORMS[kind].text(report))
    if settings["json"]:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        race_text.show(report)
    for kind, message in race_text.caveats(report.data()):
        console.message(kind, message)
    return (FOUND if report.races else 0) | (FAILED if report.failed else 0)


PROOF_LIMIT = 10        # seconds


def proof(flags):
    """What `cilkc prove` says of the same files, or None."""
    words = ["prove", "--json", "--no-inputs", "--timeout", str(PROOF_LIMIT), "-w", *flags]
    done = instrumented.run_command([os.path.join(home.HOME, "cilkc"), *words], stdin=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE)
    try:
        return json.loads(done.stdout)
    except ValueError:
        lines = [line for line in done.stderr.split("\n") if "error:" in line]
        console.message("warning", "cilkc prove: " + (lines or ["it ended with status %d" % done.returncode])[0])
        return None


FORMS = {"html": race_page, "sarif": race_sarif}


def outputs(settings):
    """(file, form) of what is written."""
    files = [(settings[option], kind) for option, kind in (("report", "json"), ("html", "html"), ("sarif", "sarif"))
             if settings[option]]
    if settings["output"]:
        kind = settings["output"].rpartition(".")[2]
        if kind not in ("json", *FORMS):
            raise Stop("-o %s: a name that ends in .html, .sarif or .json" % settings["output"])
        files.append((settings["output"], kind))
    return files


C_LIBRARY = {"c", "m", "pthread", "rt", "dl", "util", "cilkrts", "opencilk-pedigrees"}


def unseen(options):
    """The inputs that report nothing to the detector: objects, archives and libraries that were compiled otherwise,
    and what another compiler compiles."""
    names = []
    for item in options.inputs:
        if item.language == "link":
            if os.path.exists(item.name) and not reports(item.name):
                names.append(item.name)
        elif item.language not in opts.OURS or (options.other_cc and item.language == "c"):
            names.append(item.name)
    words = [word for word in options.link if isinstance(word, str)]
    folders = [word[2:] for word in words if word.startswith("-L")]
    for word in words:
        if word.startswith("-l") and word[2:] not in C_LIBRARY:
            files = [os.path.join(folder, "lib" + word[2:] + end) for folder in folders for end in (".so", ".a")]
            if not any(map(reports, files)):
                names.append(word)
    return list(dict.fromkeys(names))


def reports(file):
    try:
        with open(file, "rb") as opened:
            return b"cilk_race_" in opened.read()
    except OSError:
        return False


class Runs:
    def __init__(self, program, arguments, temp, settings):
        self.program, self.arguments, self.temp, self.order = program, arguments, temp, settings["order"]
        self.no_locks = []
        self.output_aside = settings["json"]    # stdout is for the report: what the program prints goes to stderr
        self.input = instrumented.Input()
        self.progress = progress.Progress("cilkc race", [1])

    def run(self, synched, quiet=False):
        """Runs it again while it turns out that atomic operations which were taken for locks are none."""
        report = self.run_once(synched, quiet)
        while report.no_locks and not set(report.no_locks) <= set(self.no_locks):
            self.no_locks += report.no_locks
            report = self.run_once(synched, quiet=True)
        return report

    def run_once(self, synched, quiet):
        path = self.temp.file("races.%d.%d" % (synched, len(self.no_locks)))
        nowhere = os.open(os.devnull, os.O_WRONLY) if quiet else None
        environment = {"CILK_RACE_REPORT": path, "CILK_RACE_SYNCHED": "01"[synched],
                       "CILK_RACE_NO_LOCKS": "\n".join(self.no_locks)}
        if quiet:
            self.progress.more(1)
        try:
            with (
                self.progress.step("running" if synched else "SYNCHED is 0",
                                   progress.program_is_quiet(not quiet, self.output_aside)),
                progress.serial_run("cilkc race")
            ):
                status = instrumented.execute(self.program, self.arguments, environment, self.input.open(self.temp),
                                              stdout=nowhere if quiet else 2 if self.output_aside else None,
                                              stderr=nowhere)
        finally:
            if nowhere is not None:
                os.close(nowhere)
        return Report(path, status, self.order)
