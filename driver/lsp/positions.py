"""Positions: the compiler counts lines and bytes from 1, the protocol counts lines and UTF-16 units from 0."""

import os

from lsprotocol import types


class Text:
    """The lines of one file."""

    def __init__(self, text):
        self.lines = text.split("\n")

    @classmethod
    def of_file(cls, name):
        try:
            if os.path.isfile(name):        # from a pipe nothing may ever come
                with open(name, encoding="utf-8", errors="surrogateescape") as file:
                    return cls(file.read())
        except OSError:
            pass
        return cls("")

    def line(self, number):
        return self.lines[number] if 0 <= number < len(self.lines) else ""

    def position(self, line, column):
        """The protocol's position for a line and a byte column from 1."""
        text = self.line(line - 1)
        before = column - 1
        if not text.isascii():
            before = units(text.encode("utf-8", "replace")[:before].decode("utf-8", "replace"))
        return types.Position(max(line - 1, 0), max(before, 0))

    def range(self, place):
        """The protocol's range for [.., line, column, end line, end column]."""
        line, column, end_line, end_column = place[-4:]
        return types.Range(self.position(line, column), self.position(end_line, end_column))

    def byte_place(self, position):
        """(line, byte column) from 1."""
        text = self.line(position.line)
        return position.line + 1, len(prefix(text, position.character).encode("utf-8", "replace")) + 1

    def before(self, position):
        """The line up to a position."""
        return prefix(self.line(position.line), position.character)

    def word(self, position):
        """The identifier around a position, or an empty string."""
        text = self.line(position.line)
        at = len(prefix(text, position.character))
        start, end = at, at
        while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        return text[start:end]


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def prefix(text, count):
    """The first `count` UTF-16 units of a line."""
    if text.isascii():
        return text[:count]
    return text.encode("utf-16-le", "surrogatepass")[:2 * count].decode("utf-16-le", "surrogatepass")
