"""Places in sources, by function and tokens, and rows of mutants that name them.

How it works: a source is cut into tokens; blanks, line ends and comments are none. A row names a function and some of
its tokens, which occur there once, and says whether they are dropped or become others. Neither a formatter nor another
comment changes what a row means. A row whose mechanism has moved or gone is an error that names it.
"""

import re
from bisect import bisect_left
from functools import cached_property
from pathlib import Path

NUMBER = r"\.?\d(?:[eEpP][+-]|[\w.'])*"
SIGNS = r"->\*?|\+\+|--|<<=|>>=|<=>|\.\.\.|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||::|##|[^\s\w]"
C_TOKEN = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/"                                   # comments, which are skipped
    r"|((?:u8|[uUL])?\"(?:\\.|[^\"\\\n])*\"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])*'|\w*[A-Za-z_]\w*|%s|%s)" % (NUMBER, SIGNS),
    re.S,
)
PY_TOKEN = re.compile(
    r"#[^\n]*"
    r"|([rbfRBF]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|\w*[A-Za-z_]\w*|%s|//=?|\*\*=?|:=|%s)" % (NUMBER, SIGNS),
    re.S,
)


class Source:
    """A file's text and its tokens."""

    def __init__(self, path, text):
        self.path, self.text = Path(path), text
        self.python = self.path.suffix == ".py"
        self.tokens = tokens_of(text, self.python)
        self.words = [word for _, _, word in self.tokens]

    def bodies(self, function):
        """The ranges of tokens that are a function's: from its name to its end."""
        return self._bodies_of_python(function) if self.python else self._bodies_of_c(function)

    def _bodies_of_python(self, function):
        starts = [start for start, _, _ in self.tokens]
        for found in re.finditer(r"^([ \t]*)(?:async )?def %s\b" % re.escape(function), self.text, re.M):
            end = re.compile(r"^(?=[^\s#])(?!\))" if not found[1] else r"^(?=\s{0,%d}[^\s#)])" % len(found[1]), re.M)
            after = end.search(self.text, self.text.index("\n", found.end()) + 1)
            yield bisect_left(starts, found.start()), bisect_left(starts, after.start() if after else len(self.text))

    def _bodies_of_c(self, function):
        for at, word in enumerate(self.words[:-1]):
            if word == function and self.words[at + 1] == "(" and self.level[at] == 0:
                brace = self._brace_after(self.closing(at + 1, "(", ")"))
                if brace is not None:
                    yield at, self.closing(brace, "{", "}")

    def closing(self, at, opens, closes):
        """The index after the sign that closes the one at `at`."""
        depth = 0
        for i in range(at, len(self.words)):
            depth += (self.words[i] == opens) - (self.words[i] == closes)
            if depth == 0:
                return i + 1
        return len(self.words)

    def _brace_after(self, at):
        """The brace that begins a body after a parameter list; None after a call, a declaration or a macro's use."""
        for i in range(at, min(at + 60, len(self.words))):
            if self.words[i] == "{":
                return i
            if self.words[i] in (";", "=", "}", "#"):
                return None
        return None

    @cached_property
    def level(self):
        """How many braces are open at each token. Those of namespaces and of types do not count: functions are there."""
        levels, open_braces, begin = [], [], 0
        for i, word in enumerate(self.words):
            levels.append(sum(open_braces))
            if word == "{":
                open_braces.append(not TRANSPARENT & set(self.words[begin:i]) or "(" in self.words[begin:i])
            elif word == "}" and open_braces:
                open_braces.pop()
            if word in "{};":
                begin = i + 1
        return levels

    def enclosing(self, token):
        """The name of the function that has this token; None outside of all."""
        best = None
        for i in range(token, 0, -1):
            name = self.words[i - 1]
            if self.python:
                if name == "def" and any(begin <= token < end for begin, end in self.bodies(self.words[i])):
                    return self.words[i]
            elif self.words[i] == "(" and self.level[i - 1] == 0 and re.fullmatch(r"[A-Za-z_]\w*", name):
                if any(begin <= token < end for begin, end in self.bodies(name)):
                    best = name                # the outermost: another may be an attribute or an initialiser
                elif best:
                    return best
        return best

    def find(self, function, code):
        """Where these tokens begin and end in the text. They occur once in the function, or in the whole file."""
        wanted = [word for _, _, word in tokens_of(code, self.python)]
        ranges = list(self.bodies(function)) if function else [(0, len(self.words))]
        if not ranges:
            raise LookupError("%s has no function %s" % (self.path, function))
        places = {
            at
            for begin, end in ranges
            for at in range(begin, end - len(wanted) + 1)
            if self.words[at] == wanted[0] and self.words[at:at + len(wanted)] == wanted
        }
        if len(places) != 1:
            where = "%s of %s" % (function, self.path) if function else self.path
            raise LookupError("`%s` occurs %d times in %s" % (code, len(places), where))
        at = places.pop()
        return self.tokens[at][0], self.tokens[at + len(wanted) - 1][1]


TRANSPARENT = {"namespace", "class", "struct", "union", "enum", "extern"}


def tokens_of(text, python):
    """(begin, end, word) of each token."""
    expression = PY_TOKEN if python else C_TOKEN
    return [(found.start(1), found.end(1), found[1]) for found in expression.finditer(text) if found[1] is not None]

