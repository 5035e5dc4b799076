"""Edits that cure what was found, each proved before it is offered: an update that becomes atomic, a range that ends
one element earlier, a `sync;` before the second access. Those that keep most parallelism come first, and where the
program runs, the span that the profiler measures decides. Where no edit cures all, one that leaves less to decide is
kept, and the search goes on from there.
"""

import difflib
import json
import os
import re
import subprocess
from typing import Any

from cilkc_driver import home

MOST = 12  # edits that are tried, in all
CLEARLY = 0.9
ROUNDS = 3  # edits that are made together
LIMIT = 30  # seconds of the profiler
UPDATE = re.compile(r"^(\s*)(?:([\w\[\]. >()*+-]+?)\s*(\+|-)=\s*([^=;]+)|([\w\[\]. >()*-]+?)(\+\+|--)|(\+\+|--)([\w\[\].]+));\s*$")
HEAD = re.compile(r"\b(?:for|while)\b.*<=")


class Edit:
    """In a file: {line: its new text}, which may be several lines."""

    def __init__(self, file, lines, what):
        self.file, self.lines, self.what = file, lines, what

    def applied(self, text):
        return "\n".join(self.lines.get(number, line) for number, line in enumerate(text.split("\n"), 1))


def candidates(result, texts):
    """Edits, the best ones first; each once."""
    found = {}
    for make in (atomic, shorter, synced):
        for procedure in result.procedures:
            for conflict in procedure.conflicts:
                for edit in make(procedure, conflict, texts):
                    found.setdefault((edit.file, *sorted(edit.lines.items())), edit)
    return list(found.values())


def accesses(conflict, texts):
    for section in (conflict.first, conflict.second):
        file = section.function.declaration.file if section is not None else None
        if file in texts:
            yield section, file, texts[file].split("\n")


def atomic(procedure, conflict, texts):
    """Both accesses are additions."""
    sides = list(accesses(conflict, texts))
    if len(sides) < 2 or not all(section.update == "+" for section, _, _ in sides):
        return
    lines, files = {}, set()
    for section, file, text in sides:
        match = UPDATE.match(text[section.line - 1])
        if match is None or not whole_number(section):
            return
        indent, target = match[1], match[2] or match[5] or match[8]
        minus = "-" in (match[3] or match[6] or match[7])
        value = "%s(%s)" % ("-" if minus else "", match[4]) if match[4] and minus else match[4] or "-1"[not minus :]
        lines[section.line] = "%s__atomic_fetch_add(&%s, %s, __ATOMIC_RELAXED);" % (indent, target, value)
        files.add(file)
    if len(files) == 1:
        yield Edit(files.pop(), lines, "the addition is atomic")


def whole_number(section):
    return section.family is None or section.family.startswith("integer")


def shorter(procedure, conflict, texts):
    """A loop around an access ends one round earlier."""
    for section, file, text in accesses(conflict, texts):
        for number in range(section.line, max(0, section.line - 4), -1):
            if HEAD.search(text[number - 1]):
                yield Edit(file, {number: text[number - 1].replace("<=", "<", 1)}, "the range ends one earlier")
                break


def synced(procedure, conflict, texts):
    """A sync before the second access, or what leads to it."""
    line = conflict.other if isinstance(conflict.other, int) else conflict.other.line
    file = procedure.function.declaration.file if procedure.function is not None else None
    if file in texts and line:
        text = texts[file].split("\n")
        if stands_alone(text, line - 1):
            old = text[line - 1]
            yield Edit(file, {line: old[: len(old) - len(old.lstrip())] + "sync;\n" + old}, "it waits for the children")


def stands_alone(lines, number):
    """Does a statement begin at this line (from 0) that is no part of another one?"""
    before = next((line.strip() for line in reversed(lines[:number]) if line.strip()), "")
    return before.endswith((";", "{", "}", "*/")) and not lines[number].strip().startswith(("}", "else", "while", "#"))


class Repair:
    """prove(texts): the Result for these texts {file: text}, or None. measure(texts): the span, or None."""

    def __init__(self, texts, prove, measure, tell):
        self.texts, self.prove, self.measure, self.tell, self.tried = texts, prove, measure, tell, 0

    def run(self, result):
        """{"edits": [..], "span": number or None} of edits after which all is proved, or None."""
        texts, edits, left = self.texts, [], number_of(result)
        for _ in range(ROUNDS):
            cures: list = []
            best: Any = None
            for edit in candidates(result, texts):
                if self.tried >= MOST:
                    break
                self.tried += 1
                self.tell("line %d: %s" % (min(edit.lines), edit.what))
                changed = {**texts, edit.file: edit.applied(texts[edit.file])}
                made = self.prove(changed)
                if made is None:
                    continue
                if made.proved:
                    cures.append((edit, changed))
                elif number_of(made) < (best[0] if best else left):
                    best = number_of(made), edit, changed, made
            if cures:
                return self.chosen(edits, cures)
            if best is None:
                return None
            left, edit, texts, result = best
            edits.append(edit.what)
        return None

    def chosen(self, edits, cures):
        """The first cure, unless another one has a span that is clearly smaller."""
        spans = [self.measure(changed) if len(cures) > 1 else None for _, changed in cures]
        index = 0
        for number, span in enumerate(spans):
            if span is not None and span < CLEARLY * (spans[index] or 0):
                index = number
        edit, changed = cures[index]
        return {
            "what": [*edits, edit.what],
            "span": spans[index],
            "edits": [row for file in sorted(self.texts) for row in changes(file, self.texts[file], changed[file])],
        }


def number_of(result):
    return sum(len(procedure.conflicts) for procedure in result.procedures)


def changes(file, old, new):
    """[{file, line, remove: lines, insert: lines}], by the lines of the file as it is."""
    before, after = old.split("\n"), new.split("\n")
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield {"file": file, "line": a + 1, "remove": before[a:b], "insert": after[c:d]}


def repair(result, names, prove, measure, tell):
    texts = {}
    for name in names:
        with open(name, encoding="utf-8", errors="surrogateescape") as opened:
            texts[name] = opened.read()
    return Repair(texts, prove, measure, tell).run(result)


def span(words):
    """What `cilkc profile` measures of a run without arguments, or None."""
    command = [os.path.join(home.HOME, "cilkc"), "profile", "--json", "-w", *words]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, text=True)
        return json.loads(done.stdout)["span"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None


def include_flag(name):
    """Headers that are beside the file are found for its copy, too."""
    return "-iquote" + os.path.abspath(os.path.dirname(name) or ".")
