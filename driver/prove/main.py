"""`cilkc prove`: exports the trees of the files, analyses them, looks for an input where something is not proved."""

import json
import sys
import time

from cilkc_driver import compile as compiler
from cilkc_driver import options as opts
from cilkc_driver.console import Stop
from tools import instrumented, progress

from . import detect, prover, report, solver, witness

USAGE = 2
MISSING = "cilkc prove needs z3's module for Python: pip install z3-solver==%s, or Debian's python3-z3"


def main(words, settings):
    return instrumented.session(lambda temp: run(list(words), settings, temp), USAGE)


def run(words, settings, temp):
    options = opts.parse(words)
    names = [item.name for item in options.inputs]
    if not names:
        raise Stop("missing argument 'FILE'", USAGE)
    if solver.z3 is None:
        raise Stop(MISSING % solver.PINNED, USAGE)
    texts = []
    for number, name in enumerate(names):
        made = temp.file("tree.%d.json" % number)
        flags = [word for word in words if word not in names]
        if compiler.stage("export", flags + [name], made, []) != 0:
            return USAGE
        with open(made, encoding="utf-8") as file:
            texts.append(file.read())
    steps = Steps()
    solver.deadline = time.monotonic() + settings["timeout"]
    result = prover.prove(texts, steps.tell)
    solver.deadline = None
    found = None
    if not result.proved and settings["inputs"]:
        detector = detect.Detector(words, temp)
        found = witness.witness(detector, result.analysis, result.procedures, steps.tell)
    steps.end()
    data = report.document(result, found, names)
    if settings["output"]:
        instrumented.write_file(settings["output"], json.dumps(data, indent=1) + "\n", USAGE)
    sys.stdout.write(json.dumps(data) + "\n" if settings["json"] else report.text(data))
    sys.stdout.flush()
    return report.STATUS[data["verdict"]]


class Steps:
    """One step of the progress at a time."""

    def __init__(self):
        self.progress, self.open = progress.Progress("cilkc prove", [1]), None

    def tell(self, text):
        self.end()
        self.open = self.progress.step(text)
        self.open.__enter__()
        self.progress.more(1)

    def end(self):
        if self.open is not None:
            self.open.__exit__(None, None, None)
            self.open = None
