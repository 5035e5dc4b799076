"""The tutorial: the folders of docs/tutorial, each with a text (step.md), a program to change (starter.cilk), its
solution, and a specification of `cilkc grade`, by which a program is checked.
"""

import os
import re
import tempfile

from cilkc_driver import answers
from grade import checks, spec
from grade.workshop import Failed, Workshop, provide
from markdown_it import MarkdownIt

FILE = "step.md"


def folder():
    return os.path.join(answers.documents(), "docs", "tutorial")


def names():
    """In the order of their numbers; none where the manual is not installed."""
    try:
        found = [entry.name for entry in os.scandir(folder()) if os.path.exists(os.path.join(entry.path, FILE))]
    except OSError:
        return []
    return sorted(found, key=lambda name: int(name.partition("-")[0]))


def text_of(*names):
    with open(os.path.join(folder(), *names), encoding="utf-8") as file:
        return file.read()


def steps():
    """What the page shows of each."""
    reader, made = MarkdownIt("commonmark", {"html": True}).enable("table"), []
    for name in names():
        text = text_of(name, FILE)
        html = re.sub(r"</?a\b[^>]*>", "", reader.render(text))         # other pages are not here
        made.append({"name": name, "title": text.partition("\n")[0].lstrip("# "), "text": html,
                     "starter": text_of(name, "starter.cilk"), "solution": text_of(name, "solution.cilk")})
    return made


def check(name, text, cell):
    """[{name, good, text, detail}] of the checks of a step. `cell` runs what belongs to them."""
    asked = spec.read(os.path.join(folder(), name, "SPEC.toml"), checks.KINDS)
    provide({part for one in asked.checks for part in one.parts})
    with tempfile.TemporaryDirectory(prefix="cilkc-play-") as place:
        os.chmod(place, 0o711)
        program = os.path.join(place, asked.submission[0])
        with open(program, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.mkdir(os.path.join(place, "work"), 0o711)
        try:
            work = Workshop(asked, cell, name, program, os.path.join(place, "work"))
            verdicts = [(one.name, one.verdict(work)) for one in asked.checks]
        except Failed as failed:
            verdicts = [("compile", checks.Verdict(0.0, failed.text, failed.output))]
    return [{"name": name, "good": verdict.credit == 1, "text": verdict.text, "detail": verdict.detail}
            for name, verdict in verdicts]
