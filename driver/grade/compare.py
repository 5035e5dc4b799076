"""Two outputs compared, and what differs in one line. What a submission printed is untrusted: it is shown without
control characters."""

import re

WAYS = ("lines", "exact", "words", "numbers")       # the first is the default
SHOWN = 100


def visible(data, most=2000):
    """Bytes as text that no terminal obeys."""
    text = data[:most].decode("utf-8", "replace")
    return "".join(c if c == "\n" or c.isprintable() else "\\x%02x" % ord(c) if ord(c) < 256 else "?" for c in text)


def quoted(line):
    text = visible(line, SHOWN + 1)
    return "'%s%s'" % (text[:SHOWN], "..." if len(text) > SHOWN else "")


class Comparison:
    def __init__(self, row):
        self.way, self.tolerance, self.ignore = (row.get("compare", WAYS[0]), row.get("tolerance", 1e-6),
                                                 row.get("ignore"))

    def pieces(self, data):
        """What is compared one by one."""
        if self.ignore:
            data = b"\n".join(line for line in data.split(b"\n") if not self.ignore.search(line))
        if self.way == "exact":
            return data.split(b"\n")
        if self.way == "lines":
            lines = [line.rstrip() for line in data.split(b"\n")]
            while lines and not lines[-1]:
                lines.pop()
            return lines
        return data.split()

    def same(self, wanted, got):
        if wanted == got:
            return True
        if self.way != "numbers":
            return False
        try:
            a, b = float(wanted), float(got)
        except ValueError:
            return False
        return abs(a - b) <= self.tolerance * max(1.0, abs(a), abs(b))

    def difference(self, wanted, got, hidden=False):
        """None, or where they differ first; hidden: without what is expected."""
        a, b = self.pieces(wanted), self.pieces(got)
        unit = "line" if self.way in ("exact", "lines") else "word"
        for number, (one, other) in enumerate(zip(a, b), 1):
            if not self.same(one, other):
                if hidden:
                    return "%s %d of the output is wrong" % (unit, number)
                return "%s %d of the output is %s, and should be %s" % (unit, number, quoted(other), quoted(one))
        if len(a) == len(b):
            return None
        if len(b) < len(a):
            return "the output has %d %ss, and should have %d%s" % (
                len(b), unit, len(a), "" if hidden else "; %s is missing" % quoted(a[len(b)])
            )
        return "the output has %d %ss, and should have %d; the first too many is %s" % (
            len(b),
            unit,
            len(a),
            quoted(b[len(a)]),
        )


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()
