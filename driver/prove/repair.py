"""A `sync;` that cures what was found: tried at the accesses that meet, latest first, since a later one costs less
parallelism; the changed program is proved before it is offered."""

import os

MOST = 8  # places that are tried


def places(procedures):
    """(file, line) of statements beside which a child is still running: a sync before them would wait for it."""
    found = {}
    for procedure in procedures:
        for conflict in procedure.conflicts:
            line = conflict.other if isinstance(conflict.other, int) else conflict.other.line
            if procedure.function is not None and line:
                found[procedure.function.declaration.file, line] = True
    return sorted(found, key=lambda place: (place[0] or "", -place[1]))[:MOST]


def stands_alone(lines, number):
    """Does a statement begin at this line (from 0) that is no part of another one?"""
    before = next((line.strip() for line in reversed(lines[:number]) if line.strip()), "")
    return before.endswith((";", "{", "}", "*/")) and not lines[number].strip().startswith(("}", "else", "while", "#"))


def changed(text, line):
    """The text with a sync before the line, or None where that would change more."""
    lines = text.split("\n")
    if not 0 < line <= len(lines) or not stands_alone(lines, line - 1):
        return None
    old = lines[line - 1]
    indent = old[: len(old) - len(old.lstrip())]
    return "\n".join([*lines[: line - 1], indent + "sync;", *lines[line - 1 :]])


def repair(result, names, prove, tell):
    """{file, line, insert} of an edit after which all is proved, or None. prove(names) gives the Result for files in
    place of the program's own."""
    for file, line in places(result.procedures):
        if file not in names:
            continue
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            text = changed(opened.read(), line)
        if text is None:
            continue
        tell("a sync before line %d" % line)
        made = prove(file, text)
        if made is not None and made.proved:
            return {"file": file, "line": line, "insert": "sync;"}
    return None


def include_flag(name):
    """Headers that are beside the file are found for its copy, too."""
    return "-iquote" + os.path.abspath(os.path.dirname(name) or ".")
