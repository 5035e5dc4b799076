"""Do the files of a program agree about the types of Cilk procedures? Their names are linked without types, so a linker
does not see it.

Objects carry a line of text for each procedure that they define or use (codegen/module/interfaces.cpp). Those of C
compilers, and old ones, carry none and are not compared. What a file in OpenCilk's spelling uses may be any C function:
it is compared where the definition has a line.
"""

import os
import re

from . import disk

LINE = re.compile(rb"cilkc-type\t([^\t\n\0]+)\t([^\t\n\0]*)\t([^\t\n\0]*)\t([012])\t([^\t\n\0]*)\t(\d+)\n")


def records(path):
    """[(procedure, what must be equal, as it was written, kind, file, line)] of an object or
    archive."""
    data = disk.bytes_of(path)
    return LINE.findall(data) if b"cilkc-type\t" in data else []


def agree(a, b):
    """Declarations without a prototype say nothing about parameters, and those of an incomplete struct nothing about
    its size."""
    if any(key.endswith(b"?)") and not key.endswith(b"/?)") for key in (a, b)):
        return a.partition(b"(")[0] == b.partition(b"(")[0]
    if b"/?" in a or b"/?" in b:
        a, b = (re.sub(rb"/(?:\d+|\?)", b"", text) for text in (a, b))
    return a == b


def disagreements(files):
    """Messages, one for each procedure that two files know differently. files: [(path, name that the user knows)]."""
    known = {}
    for path, shown in files:
        for name, key, text, kind, place, line in records(path):
            known.setdefault(name, {}).setdefault(key, []).append(
                (kind != b"1", place, line, text, os.fsencode(shown), kind)
            )
    lines = []
    for name, keys in sorted(known.items()):
        if all(used for found in keys.values() for used, *_ in found):                  # no definition
            keys = {key: [r for r in found if r[-1] != b"2"] for key, found in keys.items()}
            keys = {key: found for key, found in keys.items() if found}
            if not keys:
                continue
        first = min(keys, key=lambda key: min(keys[key]))        # a definition, if there is one
        others = [key for key in keys if not agree(first, key)]
        if not others:
            continue
        lines.append(b"cilkc: error: these files disagree about the types of '%s':" % name)
        for key in [first, *others]:
            declared, place, line, text, shown, _ = min(keys[key])
            lines.append(b"  %s:%s: %s%s (in %s)" % (place, line, text, b"" if declared else b", defined here", shown))
    return lines
