"""The index of a file, with the questions that an editor has: which symbol is here, where is it used, what is
visible."""

import os
import re

READ, DECLARES, DEFINES, WRITES, SPAWNS = range(5)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
EMPTY = {"symbols": [], "uses": [], "spawns": [], "parallel": [], "library": [], "files": []}


class Symbol:
    def __init__(self, number, row, files):
        self.number, self.kind, self.name, self.type = number, row["kind"], row["name"], row["type"]
        self.at, self.all, self.visible = row["at"], row.get("all"), row.get("visible")
        self.file = files[self.at[0]] if self.at else None
        self.parent, self.record, self.value = row.get("parent"), row.get("record"), row.get("value")

    @property
    def is_local(self):
        return bool(self.visible)

    def declaration(self, types=None):
        """As C writes it."""
        kind, name, written = self.kind, self.name, types or self.type
        if kind in ("struct", "union", "enum"):
            return "%s %s" % (kind, name or written) if not name else written
        if kind == "enumerator":
            return name + (" = %s" % self.value if self.value is not None else "")
        if kind == "label":
            return name + ":"
        made = with_name(written, name)
        return "typedef " + made if kind == "typedef" else made


def with_name(written, name):
    """`int (int)` and `f`: `int f(int)`."""
    if written.endswith(")"):
        depth = 0
        for at in range(len(written) - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(written[at], 0)
            if depth == 0 and "(*)" in written[:at]:        # of a function, and not of one of its parameters
                break
            if depth == 0:
                return join(written[:at].rstrip(), name) + written[at:]
    if "(*)" in written:
        return written.replace("(*)", "(*%s)" % name, 1)
    if "[" in written:
        at = written.index("[")
        return join(written[:at], name) + written[at:]
    return join(written, name)


def join(left, name):
    return left + ("" if left.endswith("*") else " ") + name


class Index:
    def __init__(self, path, made):
        made = made or EMPTY
        self.path, self.files = path, made["files"]
        self.symbols = [Symbol(i, row, made["files"]) for i, row in enumerate(made["symbols"])]
        here = os.path.realpath(path)
        self.mine = {i for i, file in enumerate(made["files"]) if os.path.realpath(file) == here}
        self.uses = made["uses"]
        self.own_uses = [use for use in made["uses"] if use[0] in self.mine]
        self.spawns, self.library = made["spawns"], made["library"]
        self.parallel = [row for row in made["parallel"] if row[0] in self.mine]

    def use_at(self, line, column):
        """The use whose name holds a place, or ends there."""
        for use in self.own_uses:
            if use[1] == line and use[2] <= column <= use[4]:
                return use
        return None

    def symbol_at(self, line, column):
        use = self.use_at(line, column)
        return self.symbols[use[5]] if use else None

    def uses_of(self, symbol):
        return [use for use in self.uses if use[5] == symbol.number]

    def members(self, number):
        """Those of a record, members of anonymous members included."""
        found = []
        for symbol in self.symbols:
            if symbol.parent == number:
                if symbol.kind == "field":
                    found.append(symbol)
                elif symbol.kind in ("struct", "union") and not symbol.name:
                    found += self.members(symbol.number)
        return found

    def visible_at(self, line, column):
        """Symbols that a name may mean at a place, the innermost first."""
        found = []
        for symbol in self.symbols:
            if (
                not symbol.name
                or not IDENTIFIER.fullmatch(symbol.name)
                or symbol.kind in ("field", "struct", "union", "enum", "label")
            ):
                continue
            if symbol.visible:
                _, first, column1, last, column2 = symbol.visible
                if symbol.visible[0] not in self.mine or not (first, column1) <= (line, column) <= (last, column2):
                    continue
                found.append(((first, column1), symbol))
            else:
                found.append(((0, 0), symbol))
        return [symbol for _, symbol in sorted(found, key=lambda pair: pair[0], reverse=True)]

    def record_of(self, words):
        """The record that a type names, as the compiler writes it in messages."""
        words = re.sub(r"^(const|volatile) ", "", words)
        for symbol in self.symbols:
            if symbol.kind in ("struct", "union") and symbol.type == words:
                return symbol.number
        return None

    def shown_type(self, symbol):
        """The type, in which a record without a tag has its typedef name."""
        if "<anonymous>" in symbol.type and symbol.record is not None and symbol.type.count("<anonymous>") == 1:
            return re.sub(r"(struct|union) <anonymous>", self.symbols[symbol.record].type, symbol.type)
        return symbol.type

    def spawn_text(self, number, text):
        """`fib(n - 1)`; OpenCilk's spawns have the whole statement as their place."""
        row = self.spawns[number]
        words, keyword, call = row["text"], row["keyword"], row["call"]
        if keyword and call and keyword[1] == call[1] and (keyword[1], keyword[2]) > (call[1], call[2]):
            line = text.line(keyword[3] - 1).encode("utf-8", "replace")
            words = line[keyword[4] - 1:].decode("utf-8", "replace").strip().rstrip(";")
        return words or "a child"


def same(one, other):
    """Are two symbols of two files one thing?"""
    if one.name != other.name or one.is_local or other.is_local:
        return False
    if one.at and other.at and one.file == other.file and one.at[1:] == other.at[1:]:
        return True
    outside = ("function", "procedure", "thread", "variable")
    return one.kind in outside and other.kind in outside
