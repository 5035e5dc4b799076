"""`cilkc prove`: exports the trees of the files, analyses them, looks for an input where something is not proved."""

import json
import os
import sys
import time

from cilkc_driver import compile as compiler
from cilkc_driver import options as opts
from cilkc_driver.console import Stop
from tools import instrumented, progress

from . import detect, forms, prover, repair, report, solver, witness

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
    form = forms.of(settings["output"])
    flags = [word for word in words if word not in names]
    trees = Trees(flags, temp)
    texts = [trees.of(name) for name in names]
    if None in texts:
        return USAGE
    steps = Steps()
    end = time.monotonic() + settings["timeout"]
    result = proof(texts, end, steps)
    found = edit = None
    if not result.proved and settings["inputs"]:
        found = witness.witness(detect.Detector(words, temp), result.analysis, result.procedures, steps.tell)
    if not result.proved and settings["fix"]:

        def again(changed):
            made = [trees.of(name, changed[name]) for name in names]
            return proof(made, end, steps) if None not in made else None

        def span(changed):
            return repair.span([*flags, *[word for name in names for word in trees.copy(name, changed[name])]])

        edit = repair.repair(result, names, again, span, steps.tell)
    steps.end()
    data = report.document(result, found, names)
    if settings["fix"]:
        data["fix"] = edit
    if settings["output"]:
        instrumented.write_file(settings["output"], form(data), USAGE)
    sys.stdout.write(json.dumps(data) + "\n" if settings["json"] else report.text(data))
    sys.stdout.flush()
    return report.STATUS[data["verdict"]]


def proof(texts, end, steps):
    solver.deadline = end
    try:
        return prover.prove(texts, steps.tell)
    finally:
        solver.deadline = None


class Trees:
    """Exported trees of files."""

    def __init__(self, flags, temp):
        self.flags, self.temp, self.number = flags, temp, 0

    def of(self, name, text=None):
        """The document, or None where the file has errors. text: in place of what is in the file."""
        self.number += 1
        made = self.temp.file("tree.%d.json" % self.number)
        words = [name] if text is None else self.copy(name, text)
        if compiler.stage("export", [*self.flags, *words], made, []) != 0:
            return None
        with open(made, encoding="utf-8") as file:
            return file.read()


    def copy(self, name, text):
        """Words that compile a changed file."""
        self.number += 1
        source = self.temp.file("changed.%d%s" % (self.number, os.path.splitext(name)[1]))
        with open(source, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write('#line 1 "%s"\n' % name.replace("\\", "\\\\").replace('"', '\\"') + text)
        return ["-w", repair.include_flag(name), source]


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
