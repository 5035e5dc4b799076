"""Mutants drawn by chance: what no table names, a seed finds.

How it works: `spans` looks for places in a function's tokens and says what becomes of them: a call or an operand of
`&&` is dropped, a test is negated or never true, a comparison is off by one. The seed draws some of all these changes.
Changes that no test can see are not among them: hints and checks (UNSEEN), what happens when memory runs out, and
memory orders, of which x86 shows next to nothing (the models judge them: `make weak`). run.py compiles and tries each
mutant as it does a row of the tables. A drawn mutant has no killers of its own. Those of the rows of its file are tried
first, then those of its room, since tests that notice one mechanism of a file mostly notice its neighbours. Then come
the modules that `make quick` runs for a change of this room: first the tests of `make check`, then those of `make test`.
"""

import random

import quick
from rows import HERE, Mutant, table
from places import Source

ROOT = HERE.parents[1]
MOST_KILLERS = 40
UNSEEN = {"cilk_pause", "cilk_check", "cilk_assert_own", "cilk_assert_locked", "cilk_assert_worker_locked", "sched_yield",
          "__builtin_prefetch", "static_assert", "_Static_assert"}
LAST_WORDS = ["cilk_fatal", "(", '"out of memory"']
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
         "++": "--", "--": "++", "0": "1", "1": "0", "true": "false", "false": "true"}
BEFORE_A_STATEMENT = {"{", "}", ";", ")", "else"}


def spans(source, begin, end):
    """(first, after, new): ranges of tokens of a function's body, and what takes their place."""
    words, parentheses, unseen = source.words, 0, begin
    for at in range(begin, end):
        word = words[at]
        parentheses += (word == "(") - (word == ")")
        unseen = max(unseen, after_what_is_unseen(source, at))
        if at < unseen:
            continue
        if word in OTHER and words[at - 1] not in ("(", "return", ",", "=", "*") + (("[",) if word in "+-" else ()):
            yield at, at + 1, OTHER[word]
        if word in ("&&", "||"):
            yield at, end_of_operand(source, at + 1), ""
        if word in ("if", "while") and words[at + 1] == "(":
            after = source.closing(at + 1, "(", ")")
            condition = source.text[source.tokens[at + 2][0]:source.tokens[after - 2][1]]
            yield at + 2, after - 1, "!(%s)" % condition
            yield at + 2, after - 1, "0"
        if parentheses == 0 and is_statement(words, at):
            after = at
            while after < end and words[after] not in (";", "{", "}"):
                after += 1
            if after < end and words[after] == ";" and ("(" == words[at + 1] or "=" in words[at:after]):
                yield at, after + 1, ";"


def is_statement(words, at):
    """Does a statement begin here that can go? Without a declaration, the rest would not compile."""
    return (words[at - 1] in BEFORE_A_STATEMENT and words[at].isidentifier() and words[at + 1] != "*"
            and words[at] not in ("return", "if", "while", "for") and not words[at + 1].isidentifier())


def after_what_is_unseen(source, at):
    """The token after a hint, a check or a test for memory that begins here; 0: none of them does."""
    words = source.words
    if words[at] in UNSEEN or words[at:at + 3] == LAST_WORDS:
        return source.closing(at + 1, "(", ")") + 1
    if words[at] == "if":
        after = source.closing(at + 1, "(", ")")
        return after if words[after:after + 3] == LAST_WORDS else 0
    return 0


def end_of_operand(source, at):
    """The token after the right operand of && or ||, which begins here."""
    while source.words[at] not in (")", ";", ",", "?", ":", "&&", "||", "}", "]"):
        at = source.closing(at, "(", ")") if source.words[at] == "(" else at + 1
    return at


def functions(source):
    """(name, first token, token after the last) of each function of a C file."""
    seen = set()
    for i, word in enumerate(source.words[:-1]):
        if source.words[i + 1] == "(" and source.level[i] == 0 and word.isidentifier() and word not in seen:
            seen.add(word)
            bodies = list(source.bodies(word))
            if len(bodies) == 1:
                yield word, *bodies[0]


def files(rooms):
    """Sources of the runtime, or of these rooms of it."""
    found = sorted((ROOT / "rt").glob("*/*/*.c"))
    return [path for path in found if not rooms or path.parent.name in rooms]


def draw(count, seed, rooms=()):
    """Mutants of different places, the same for the same seed and sources."""
    rng = random.Random(seed)
    rows = table()
    sources = [Source(path.relative_to(ROOT).as_posix(), path.read_text()) for path in files(rooms)]
    places = [
        (source, name, span)
        for source in sources
        for name, begin, end in functions(source)
        for span in spans(source, begin + 1, end)
    ]
    for number, (source, name, (first, after, new)) in enumerate(rng.sample(places, min(count, len(places)))):
        path = source.path.as_posix()
        at = source.tokens[first][0], source.tokens[after - 1][1]
        old = " ".join(source.text[at[0]:at[1]].split())
        mutant = Drawn(path, "draw-%s-%d" % (seed, number + 1), "%s: `%s` becomes `%s`" % (name, old, new))
        mutant.place = *at, new
        room = path.rsplit("/", 1)[0] + "/"
        mutant.killers = by_nearness(rows, path, room)[:MOST_KILLERS]
        mutant.modules = [quick.MODULES[name] for name in quick.ROOMS["rt/" + source.path.parent.name].split()]
        yield mutant


def by_nearness(rows, path, room):
    """The killers of the rows of this file, then of this room; each once, and first those that kill many rows."""
    counts = {}
    for row in rows:
        near = 1000 if row.path == path else 1 if row.path.startswith(room) else 0
        for killer in row.killers if near else ():
            counts[killer] = counts.get(killer, 0) + near
    return sorted(counts, key=lambda killer: -counts[killer])


class Drawn(Mutant):
    """Its place is known by its offset: it is not kept."""

    place = 0, 0, ""
    modules: "list[str]" = []

    def applied(self, text):
        begin, end, new = self.place
        return text[:begin] + new + text[end:]
