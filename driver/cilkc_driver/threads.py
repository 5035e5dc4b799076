"""What the linker says when objects disagree about the parameters of a thread of Cilk-1, in the user's words.

The symbols of a thread have its parameters' types in their names: `fib.thread(cont int, int)`. So a unit that
declares it otherwise refers to an undefined symbol. The objects are looked at only after a link has failed.
"""

import os
import re

from . import disk

SYMBOL = rb"([A-Za-z_$][\w$]*)\.thread(?:\.body)?\(([^\0`'\"\n]*)\)"
MISSING = re.compile(rb"undefined (?:reference to [`'\"]?|symbol: )" + SYMBOL)
BESIDE = re.compile(rb"relocation against [`'\"]?" + SYMBOL + rb"|DT_TEXTREL")      # other messages about it
NAMES = re.compile(rb"(?<![\w$.])" + SYMBOL + rb"\0")


def mentioned(name):
    """The threads that an object or archive names: {thread: set of parameters}."""
    found = {}
    for thread, types in NAMES.findall(disk.bytes_of(name)):
        found.setdefault(thread, set()).add(types)
    return found


def explain(messages, files):
    """The linker's messages with those about threads replaced. files: [(path, name that the user knows)]."""
    missing = sorted(set(MISSING.findall(messages)))
    if not missing:
        return messages
    facts = [(os.fsencode(shown), mentioned(path)) for path, shown in files]
    lines = []
    for thread in sorted({name for name, _ in missing}):
        known = [(shown, types) for shown, found in facts for types in sorted(found.get(thread, ()))]
        if len({types for _, types in known}) > 1:
            lines.append(b"cilkc: error: these files disagree about the parameters of thread '%s':" % thread)
            lines += [b"  %s: thread %s(%s)" % (shown, thread, types) for shown, types in known]
        else:
            lines.append(b"cilkc: error: thread '%s(%s)' is not defined in any file that is linked"
                         % (thread, missing[[n for n, _ in missing].index(thread)][1]))
            lines += [b"  %s: spawns it" % shown for shown, _ in known]
    rest = [line for line in messages.splitlines(True) if not MISSING.search(line) and not BESIDE.search(line)]
    if all(b"ld returned" in line or b"in function" in line or not line.strip() for line in rest):
        rest = []
    return b"\n".join(lines) + b"\n" + b"".join(rest)
