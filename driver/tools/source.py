"""The user's text, for what is shown beside places in it."""

import os

from cilkc_driver import home

TEXTS: "dict[str, list[str]]" = {}       # of the files that were read


def lines(name):
    if name not in TEXTS:
        try:
            with open(name, encoding="utf-8", errors="replace") as file:
                TEXTS[name] = file.read().split("\n")
        except OSError:
            TEXTS[name] = []
    return TEXTS[name]


def place(name, line):
    """As it is shown: a header of cilkc's own as it is included, a file below the current folder from there."""
    ours = home.stdlib_dir() + os.sep
    here = os.getcwd() + os.sep
    if name.startswith(here) and not name.startswith(ours):
        name = name[len(here):]
    return "<%s>:%d" % (name[len(ours):], line) if name.startswith(ours) else "%s:%d" % (name, line)


def places(rows):
    """The same of rows, each with its file, line and column. With the column where another row is elsewhere in the
    line."""
    columns: "dict[tuple[str, int], set[int]]" = {}
    for row in rows:
        columns.setdefault((row.file, row.line), set()).add(row.column)
    return [
        place(row.file, row.line) + (":%d" % row.column if len(columns[row.file, row.line]) > 1 else "")
        if row.file
        else ""
        for row in rows
    ]


def context(name, line, around=1):
    """[(number, text)] of a line and its neighbours; nothing where the file cannot be read."""
    if not name or not line:
        return []
    text = lines(name)
    return [(n, printable(text[n - 1].expandtabs(4).rstrip())) for n in range(line - around, line + around + 1)
            if 0 < n <= len(text)]


def printable(text, most=160):
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= most else text[:most - 1] + "…"


def html(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
