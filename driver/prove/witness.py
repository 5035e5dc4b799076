"""Inputs that may show a race: numbers from models of what was not proved, and from the constants that the program
compares with. Each is tried; the race detector has the last word."""

import itertools

from .contracts import integers
from .tree import plain

MOST = 40  # inputs that are tried
SIZE = 20000  # larger numbers take too long


def numbers_of_models(procedures):
    """What a model says of the parameters, the most telling ones first."""
    for procedure in procedures:
        facts = procedure.facts
        for conflict in procedure.conflicts:
            if conflict.model is None or facts is None:
                continue
            values = [conflict.model.value(value) for _, value in integers(facts)]
            yield from sorted({value for value in values if 0 < value <= SIZE}, reverse=True)


def constants(analysis):
    """What the functions of the files compare with, beside the least ones."""
    found = set()
    for function in analysis.reached:
        if function.is_system:
            continue
        for body in analysis.effects.bodies(function):
            for node in body.walk():
                if node.kind == "Binary" and node.op in ("<", "<=", ">", ">=", "==", "!="):
                    for side in (node.left, node.right):
                        side = plain(side)
                        if side.kind in ("IntLit", "CharLit") and side.value and 1 < side.value <= SIZE:
                            found.add(side.value)
    return sorted(found)


def inputs(analysis, procedures):
    """Lists of arguments, in the order in which they are tried."""
    known = list(dict.fromkeys(itertools.islice(numbers_of_models(procedures), 12)))
    limits = constants(analysis)
    single = list(itertools.chain(known[:4], *[(k + 1, 2 * k, 2 * k + 3, 4 * k) for k in limits[:6]]))
    found = [[]] + [[str(n)] for n in dict.fromkeys(single) if n <= 4 * SIZE]
    pool = [str(n) for n in dict.fromkeys([*known[:3], *[k + 2 for k in limits[:3]], 3, 10, 30, 100, 1, 2])][:7]
    for size in (2, 3):
        found += [list(words) for words in itertools.islice(spread(pool, size), 10)]
    found += [[str(n)] for n in (1, 2, 3, 5, 8, 20, 64, 100, 1000)]
    unique = list(dict.fromkeys(map(tuple, found)))
    return [list(words) for words in unique[:MOST]]


def spread(pool, size):
    """Combinations: equal ones first, then those that differ."""
    for word in pool:
        yield [word] * size
    yield from itertools.product(pool, repeat=size)


def witness(detector, analysis, procedures, tell):
    """(arguments, rows of the detector's report), or None."""
    if analysis.main is None:
        return None
    for arguments in inputs(analysis, procedures):
        tell("an input: %s" % (" ".join(arguments) or "no arguments"))
        if detector.suspects(arguments):
            rows = detector.races(arguments)
            if rows:
                return arguments, rows
    return None
