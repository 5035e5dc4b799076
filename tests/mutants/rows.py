"""The tables of mutants, *.mut: which mechanism each row takes out, where, and what notices it.

    == rt/core/steal/steal.c                           the file of the rows below, from the root of the tree

    no-claim: E does not rise above the claimed entry
      in cilk_steal: `e > place ? e : place + 1` becomes `e > place ? e : place`
      model the.weak no-claim                     a mutation of a model (rt/model) that takes out the same
      dies in a_pop_during_a_steal                a scenario of tests/rt/steps, or MODULE.py::TEST

A row is its name, the mechanism, and lines that are indented by two blanks; more blanks continue a line. An edit is
``drop `TOKENS` `` or ``` `TOKENS` becomes `TOKENS` ```, in a function or `in the file`; several edits are made one after
the other. places.py says how tokens are found. The other fields: `survives: REASON` in place of `dies in` where no test
can or need fail; `by luck` if the test fails only where threads meet, so that it is tried several times; `builds TARGET`
if more than the library of the file's room is made with it.
"""

import re
from pathlib import Path

from places import Source

HERE = Path(__file__).parent
COMPILER = ("codegen/", "frontend/")
DRIVER = ("driver/", "stdlib/")            # what the command reads
EDIT = re.compile(r"in (?:(\w+)|the file): (?:drop `([^`]+)`|`([^`]+)` becomes `([^`]*)`)", re.S)


class Mutant:
    def __init__(self, path, name, mechanism):
        self.path, self.id, self.mechanism = path, name, mechanism
        self.edits, self.killers, self.models, self.builds = [], [], [], []
        self.luck, self.survives = False, None

    @property
    def compiler(self):
        return self.path.startswith(COMPILER)

    @property
    def driver(self):
        return self.path.startswith(DRIVER)

    def targets(self, root):
        """What make builds; None: the runtime."""
        if self.builds or self.compiler:
            return self.builds or ["build/cilkc1"]
        if self.driver:
            return None
        wing, room = self.path.split("/")[1:3]
        own = room == "dist" or wing == "tools" and room != "report"
        return ["build/lib/libcilk%s.a" % room] if own else None

    def field(self, line):
        word, _, rest = line.partition(" ")
        edit = EDIT.fullmatch(line)
        if edit:
            self.edits.append((edit[1], edit[2] or edit[3], edit[4] or ""))
        elif line.startswith("dies in "):
            self.killers.append(line[len("dies in "):])
        elif line.startswith("survives: "):
            self.survives = line[len("survives: "):]
        elif line == "by luck":
            self.luck = True
        elif word in ("model", "builds"):
            (self.models if word == "model" else self.builds).append(rest)
        else:
            raise ValueError("%s: not a field: %s" % (self.id, line))

    def applied(self, text):
        for function, old, new in self.edits:
            begin, end = Source(self.path, text).find(function, old)
            text = text[:begin] + new + text[end:]
        return text


def read(path):
    """The rows of a table."""
    mutants, source = [], None
    text = re.sub(r"^#.*\n", "", path.read_text(), flags=re.M)
    for line in re.sub(r"\n {3,}", " ", text).splitlines():
        if line.startswith("== "):
            source = line[3:].strip()
        elif line.startswith("  "):
            mutants[-1].field(line.strip())
        elif line.strip():
            name, _, mechanism = line.partition(": ")
            mutants.append(Mutant(source, name, mechanism))
    return mutants


def table():
    return [mutant for path in sorted(HERE.glob("*.mut")) for mutant in read(path)]
