"""Quick fixes for the commonest mistakes with Cilk's words: what the compiler's advice says, as edits.

Input: one message of the compiler, by its code, and the text and index that it is about. Output: a title and edits, or
nothing where the text has not the form that the fix is for: a fix that may change more than the mistake is none.
"""

import re

from .code import Code
from .index import DECLARES, DEFINES

HOISTED = ("spawn-in-return", "spawn-in-operand", "spawn-in-argument", "spawn-in-condition", "spawn-in-expression")


class Fixer:
    def __init__(self, one, caret, text, index):
        """caret: the message's place, as the compiler's JSON has it."""
        self.one, self.index, self.code = one, index, Code(text)
        self.at = self.place(caret)
        self.begin, self.listed = self.code.statement(self.at)

    def place(self, caret):
        return self.code.offset(caret["line"], caret.get("byte-column") or caret["column"] or 1)

    def edits(self):
        """(title, [(start, end, text)]), or None."""
        make = FIXES.get(self.one.get("code"))
        return make(self) if make else None

    def named(self):
        """The first name that the message has in quotes."""
        for text in (self.one["message"], *(note["message"] for note in self.one["children"])):
            found = re.search(r"'(\w+)'", text)
            if found:
                return found[1]
        return None

    def symbol(self, name, *kinds):
        return next((one for one in self.index.symbols if one.name == name and one.kind in kinds), None)

    def fresh_name(self):
        taken = {symbol.name for symbol in self.index.symbols} | set(re.findall(r"\w+", self.code.plain))
        return next(name for name in ("result", *("result%d" % n for n in range(2, 1000))) if name not in taken)

    def result_type(self, name):
        found = self.symbol(name, "procedure")
        return re.sub(r"^cilk |\s*\(.*", "", found.type) if found else "int"

    def before(self, words, title):
        """A statement before the one of the message."""
        if not self.listed:
            return None
        return title, [(self.begin, self.begin, words + self.separator())]

    def separator(self):
        line = self.code.text.rfind("\n", 0, self.begin) + 1
        alone = not self.code.text[line:self.begin].strip()
        return "\n" + self.code.indent(self.begin) if alone else " "

    # ---- one for each mistake
    def wait(self):
        return self.before("sync;", "Write `sync;` before this statement")

    def declare(self):
        """`cilk` before the definition and all declarations of the function."""
        name = self.named()
        found = self.symbol(name, "function")
        edits = []
        for use in self.index.uses_of(found) if found else ():
            if use[6] in (DECLARES, DEFINES):
                if use[0] not in self.index.mine:
                    return None
                begin, _ = self.code.statement(self.code.offset(use[1], use[2]))
                while self.code.plain[begin:begin + 1] == "#":       # a directive is no part of it
                    line = self.code.plain.find("\n", begin) + 1
                    begin = line + len(self.code.plain[line:]) - len(self.code.plain[line:].lstrip())
                edits.append((begin, begin, "cilk "))
        return ("Make '%s' a Cilk procedure" % name, sorted(set(edits))) if edits else None

    def split(self):
        """`int x = spawn f(n);`: a declaration, and a statement."""
        found = re.match(r"((?:[\w*]+\s+|\*)+)(\w+)(\s*=\s*)$", self.code.plain[self.begin:self.at])
        if not found or not self.listed:
            return None
        end = self.begin + found.end(2)
        return ("Declare '%s' first, then spawn" % found[2],
                [(end, self.at, ";%s%s = " % (self.separator(), found[2]))])

    def hoist(self):
        """A spawn inside of an expression: before the statement, with a variable and a sync."""
        plain = self.code.plain
        spawn = plain.find("spawn", self.at if plain.startswith("spawn", self.at) else self.begin)
        found = re.match(r"spawn\s+(\w+)\s*\(", plain[spawn:]) if spawn >= 0 else None
        head = re.match(r"(?:if|switch)\s*\(", plain[self.begin:])      # its condition comes first; its body may not
        inside = head and spawn < (self.code.closing(self.begin + head.end() - 1) or 0)
        if not found or not (self.listed or inside):
            return None
        close = self.code.closing(spawn + found.end() - 1)
        if close is None or re.search(r"&&|\|\||\?", plain[self.begin:spawn]):     # it may not be evaluated at all
            return None
        name = self.fresh_name()
        words = ["%s %s;" % (self.result_type(found[1]), name),
                 "%s = %s;" % (name, self.code.text[spawn:close + 1]), "sync;"]
        return ("Spawn '%s' in a statement of its own, and wait for it" % found[1],
                [(self.begin, self.begin, "".join(word + self.separator() for word in words)), (spawn, close + 1, name)])

    def receive(self):
        spawn = self.code.plain.find("spawn", self.begin)
        found = re.match(r"spawn\s+(\w+)\s*\(", self.code.plain[spawn:])
        if not found or spawn != self.begin or not self.listed:
            return None
        name = self.fresh_name()
        return ("Receive the result in '%s'" % name,
                [(spawn, spawn, "%s %s;%s%s = " % (self.result_type(found[1]), name, self.separator(), name))])

    def spawn(self):
        """`x = f(n);` as a spawn that is waited for, which means the same."""
        name = self.named()
        found = re.match(r"((?:[^=;(){}]+=\s*)?)%s\s*\(" % re.escape(name or " "), self.code.plain[self.begin:])
        if not found or not self.listed or re.match(r"(?:\w+[\s*]+)+\w+\s*=", found[1]):
            return None
        close = self.code.closing(self.begin + found.end() - 1)
        end = re.match(r"\s*;", self.code.plain[close + 1:]) if close is not None else None
        if not end:
            return None
        call, end = self.begin + found.end(1), close + 1 + end.end()
        return "Spawn '%s', and wait for it" % name, [(call, call, "spawn "), (end, end, self.separator() + "sync;")]

    def call(self):
        """A C function is called."""
        found = re.compile(r"spawn\s+").match(self.code.plain, self.code.plain.rfind("spawn", 0, self.at + 5))
        return ("Call it without spawn", [(found.start(), found.end(), "")]) if found else None

    def statement_for_call(self):
        word = self.one["code"].split("-")[0]
        found = re.compile(r"%s(\s*\(\s*\))" % word).match(self.code.plain, self.at)
        return ("Write the statement `%s;`" % word, [(found.start(1), found.end(1), "")]) if found else None

    def lock(self):
        """A variable that children change: between the first lock of the file and its unlocking."""
        declared = re.findall(r"\bCilk_lockvar\s+(\w+)", self.code.plain)
        locks = [one.name for one in self.index.symbols if one.kind == "variable" and one.name in declared
                 and not one.is_local]
        notes = [place["caret"] for note in self.one["children"] if note["message"].startswith("here")
                 for place in note["locations"] if place.get("caret")]
        if not locks or not notes:
            return None
        begin, listed = self.code.statement(self.place(notes[0]))
        end = self.code.plain.find(";", begin) + 1
        if not listed or not end or "{" in self.code.plain[begin:end] or "spawn" in self.code.plain[begin:end]:
            return None
        return ("Hold '%s' around it" % locks[0], [(begin, begin, "Cilk_lock(%s); " % locks[0]),
                                                   (end, end, " Cilk_unlock(%s);" % locks[0])])


FIXES = {"receiver-read": Fixer.wait, "spawn-outside-procedure": Fixer.declare, "sync-outside-procedure": Fixer.declare,
         "abort-outside-procedure": Fixer.declare, "synched-outside-procedure": Fixer.declare,
         "inlet-outside-procedure": Fixer.declare, "spawn-non-procedure": Fixer.call,
         "spawn-in-initializer": Fixer.split, "spawn-without-receiver": Fixer.receive,
         "call-without-spawn": Fixer.spawn, "sync-call": Fixer.statement_for_call,
         "abort-call": Fixer.statement_for_call, "parallel-updates": Fixer.lock,
         **{code: Fixer.hoist for code in HOISTED}}


def of_message(one, text, index):
    """[title, [[line, character, end line, end character, text]]] of a message about this text, or None."""
    carets = [place["caret"] for place in one["locations"] if place.get("caret", {}).get("file")]
    if not carets or one.get("code") not in FIXES:
        return None
    fixer = Fixer(one, carets[0], text, index)
    made = fixer.edits()
    if made is None:
        return None
    edits = []
    for start, end, words in made[1]:
        where = fixer.code.range(start, end)
        edits.append([where.start.line, where.start.character, where.end.line, where.end.character, words])
    return [made[0], edits]
