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
    """(arguments, rows of the detector's report, a file with main or None), or None."""
    if analysis.main is None:
        return of_library(detector, procedures, tell)
    for arguments in inputs(analysis, procedures):
        tell("an input: %s" % (" ".join(arguments) or "no arguments"))
        if detector.suspects(arguments):
            rows = detector.races(arguments)
            if rows:
                return arguments, rows, None
    return None


# ---- a library: a main that calls a procedure

ELEMENTS = 4096  # of each array that a driver has; pointers lead to its middle
DRIVERS = 12  # inputs that are tried for each procedure


def of_library(detector, procedures, tell):
    """The same of a procedure without a main: with a main of our own that calls it."""
    for procedure in procedures:
        if not procedure.proved and callable_from_outside(procedure.function):
            for values in itertools.islice(values_of(procedure), DRIVERS):
                text = driver(procedure.function, values)
                tell("a call of %s" % procedure.function.name)
                rows = detector.races_of(detector.temp.file("driver.cilk"), text)
                if rows:
                    return [], rows, text
    return None


def callable_from_outside(function):
    """Do its parameters have types that a file without its headers can name?"""
    return (
        function is not None
        and function.cilk
        and function.declaration.linkage == "external"
        and named(function.result, True)
        and all(named(one.type) for one in function.parameters)
    )


def named(type_, void=False):
    if type_.is_pointer:
        return named(type_.of)
    return (void and type_.kind == "void") or type_.kind in ("integer", "floating", "bool")


def values_of(procedure):
    """Values of the parameters that are numbers: of the models first."""
    names = [one for one in procedure.function.parameters if one.type.is_integer]
    for conflict in procedure.conflicts:
        if conflict.model is not None and procedure.facts is not None:
            known = dict(integers(procedure.facts))
            found = [conflict.model.value(known[one.name]) if one.name in known else 1 for one in names]
            if all(abs(value) <= SIZE for value in found):
                yield found
    yield from ([value] * len(names) for value in (10, 1, 2, 100))
    yield from ([low + step * k for k in range(len(names))] for low in (0, 1) for step in (1, 10, 200))


def driver(function, values):
    """The text of a file whose main calls the procedure. Each pointer leads to an array of its own."""
    numbers, objects, words, types = iter(values), [], [], []
    for number, one in enumerate(function.parameters):
        type_ = one.type
        types.append(type_.spelling)
        if type_.is_pointer:
            element = type_.of.spelling.replace("const ", "")
            objects.append("static %s object%d[%d];" % (element, number, ELEMENTS))
            words.append("object%d + %d" % (number, ELEMENTS // 2))
        else:
            words.append(str(next(numbers)) if type_.is_integer else "1.0")
    name, result = function.declaration.name, function.result.spelling
    call = "spawn %s(%s);" % (name, ", ".join(words))
    if result != "void":
        objects.append("static %s result;" % result)
        call = "result = " + call
    head = "extern cilk %s %s(%s);" % (result, name, ", ".join(types) or "void")
    return "\n".join([head, *objects, "cilk int main(void) { %s sync; return 0; }" % call, ""])
