"""A text as characters, without what is in its comments and literals: where statements, calls and blocks begin and end.

What is here works on texts that do not compile, so it knows brackets and semicolons and nothing of the language.
"""

import re

from lsprotocol import types

from .positions import prefix, units

BLANK = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PAIRS = {")": "(", "]": "[", "}": "{"}


def without_comments(text, literals=True):
    """The same text with blanks for comments, and for literals, in the same places."""
    return BLANK.sub(lambda match: re.sub(r"[^\n]", " ", match[0]) if literals or match[0][0] == "/" else match[0], text)


class Code:
    def __init__(self, text):
        """text: a positions.Text."""
        self.lines = text.lines
        self.text = "\n".join(text.lines)
        self.plain = without_comments(self.text)
        self.starts = [0]
        for line in text.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def offset(self, line, column):
        """The offset of a line and a byte column, both from 1, as the compiler counts."""
        if not 0 < line < len(self.starts):
            return len(self.text)
        before = self.lines[line - 1].encode("utf-8", "replace")[:max(column - 1, 0)]
        return self.starts[line - 1] + len(before.decode("utf-8", "replace"))

    def offset_of(self, position):
        """The offset of a position of the protocol."""
        if position.line >= len(self.lines):
            return len(self.text)
        return self.starts[position.line] + len(prefix(self.lines[position.line], position.character))

    def position(self, offset):
        line = self.text.count("\n", 0, offset)
        return types.Position(line, units(self.text[self.starts[line]:offset]))

    def range(self, start, end):
        return types.Range(self.position(start), self.position(end))

    def indent(self, offset):
        """The blanks that begin the line of a place."""
        start = self.text.rfind("\n", 0, offset) + 1
        return self.text[start:len(self.text) - len(self.text[start:].lstrip(" \t"))]

    def statement(self, offset):
        """(begin, is it one of a list of statements?) of the one around a place. The body of an `if` without braces is
        none of a list."""
        begin, depth = 0, 0
        for at in range(offset):
            one = self.plain[at]
            depth = 0 if one in "{}" else depth + {"(": 1, ")": -1}.get(one, 0)
            if depth <= 0 and one in ";{}":         # those in the head of a for are in brackets
                begin = at + 1
        begin += len(self.plain[begin:]) - len(self.plain[begin:].lstrip())
        words = self.plain[begin:offset]
        return begin, not re.match(r"(?:else|if|while|for|switch|do|case|default)\b|\w+\s*:", words)

    def closing(self, opening):
        """The place of the bracket that ends the one here; None where it is missing."""
        depth = 0
        for at in range(opening, len(self.plain)):
            one = self.plain[at]
            if one in "([{":
                depth += 1
            elif one in ")]}":
                depth -= 1
                if depth == 0:
                    return at
        return None

    def call(self, offset):
        """(name, number of the argument) of the innermost call whose arguments hold a place; None outside of one."""
        depth, commas, at = 0, 0, offset - 1
        while at >= 0:
            one = self.plain[at]
            if one in ")]}":
                depth += 1
            elif one in "([{":
                if depth == 0:
                    name = re.search(r"(\w+)\s*$", self.plain[:at]) if one == "(" else None
                    if one == "{":
                        return None
                    if name and not name[1][0].isdigit():
                        return name[1], commas
                    commas = 0
                else:
                    depth -= 1
            elif one == ";" and depth == 0:
                return None
            elif one == "," and depth == 0:
                commas += 1
            at -= 1
        return None

    def comment_above(self, line):
        """The comment that ends on the line before a declaration, or behind it on its line; without its marks."""
        here = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        plain = without_comments(here, literals=False)
        found = []
        at = line - 2
        if at >= 0 and self.lines[at].strip().endswith("*/") and not self.plain.split("\n")[at].strip():
            while at >= 0:
                found.insert(0, self.lines[at])
                if "/*" in self.lines[at]:
                    break
                at -= 1
        else:
            while at >= 0 and self.lines[at].lstrip().startswith("//"):
                found.insert(0, self.lines[at])
                at -= 1
        behind = here[len(plain.rstrip()):].strip()
        if not found and behind.startswith(("//", "/*")):
            found = [behind]
        words = [re.sub(r"^\s*(?:/\*+<?|//+[!<]?|\*(?!/))? ?|\s*\*+/\s*$", "", one) for one in found]
        return "\n".join(words).strip()
