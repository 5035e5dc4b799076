"""What `__attribute__((cilk_touches("...")))` says that a function touches: believed where it has no body, and checked
where it has one.

    "reads #1[#2], writes #3[8 * #2], writes *#4, reads table"        or "nothing"

`#1[#2]` are so many elements of what the first parameter leads to as the second one says, or a product of parameters
and numbers; `*#4` is one element. `table` is a global object, all of it. The function touches nothing else, keeps no
address that it is given, and takes no lock.
"""

import re
from math import prod

from .memory import root_name
from .poly import above, below, disj, poly, unknown
from .solver import contradictory
from .values import Num, Ptr, Root, Unsupported

PART = re.compile(r"(reads|writes) (?:\*#(\d+)|#(\d+)\[([#\d *]+)\]|(\w+))")
FACTOR = re.compile(r"#?\d+")


class Unclear(Exception):
    """The text is not of this form."""


class Touch:
    """kind: R or W. object: a global one, or None. Else `number`, the parameter's from 0, of whose elements there are
    as many as the product of `factors`."""

    def __init__(self, kind, global_object, number, factors):
        self.kind, self.object, self.number, self.factors = kind, global_object, number, factors

    def length(self, function, values):
        """In bytes. values: of the parameters."""
        found = [int(word) if word[0] != "#" else values[int(word[1:]) - 1] for word in self.factors]
        if not all(isinstance(value, (int, Num)) for value in found):
            return None
        sizes = [poly(value) if isinstance(value, int) else value.poly for value in found]
        return prod(sizes, start=poly(function.type.parameters[self.number].of.size or 1))


def parsed(program, declaration):
    """The touches of a function that has the attribute."""
    types, touches = declaration.type.parameters, []
    for part in [part.strip() for part in declaration.touches.split(",")]:
        match, where = PART.fullmatch(part), "'%s' in what '%s' touches" % (part, declaration.name)
        if part == "nothing":
            continue
        if not match:
            raise Unclear(where)
        kind = "R" if match[1] == "reads" else "W"
        if match[5]:
            found = next((one for one in program.globals if one.name == match[5]), None)
            if found is None:
                raise Unclear(where)
            touches.append(Touch(kind, found, None, None))
            continue
        number, factors = int(match[2] or match[3]), [word.strip() for word in (match[4] or "1").split("*")]
        named = [int(word[1:]) for word in factors if FACTOR.fullmatch(word) and word[0] == "#"]
        if not all(FACTOR.fullmatch(word) for word in factors) or not all(
            1 <= one <= len(types) for one in [number, *named]
        ):
            raise Unclear(where)
        if not types[number - 1].is_pointer or not all(types[one - 1].is_integer for one in named):
            raise Unclear(where)
        touches.append(Touch(kind, None, number - 1, factors))
    return touches


def apply(run, state, declaration, arguments, node, effects):
    """A call of a function that has no body here."""
    try:
        touches = parsed(run.analysis.program, declaration)
    except Unclear as unclear:
        raise Unsupported(node, str(unclear))
    run.analysis.assume("'%s' touches what its attribute says" % declaration.name)
    for order, touch in enumerate(touches, 100):
        if touch.object is not None:
            place = run.object(touch.object)
            run.access(state, touch.kind, place, node, order)
            if touch.kind == "W":
                run.forget(state, next(iter(place.roots)))
        else:
            length = touch.length(declaration, arguments)
            effects.block(touch.kind, touch.number, length if length is not None else unknown("length", 0))


def broken(analysis, facts):
    """(line, what) that a function with a body touches beside what it says; None: there is nothing."""
    function = facts.function
    touches = parsed(analysis.program, function.declaration)
    for section in facts.sections:
        for root in section.roots:
            if section.address is None or not any(covers(facts, touch, section, root) for touch in touches):
                return section.line, "'%s' touches more than it says: %s" % (function.name, root_name(root))
    return None


def covers(facts, touch, section, root):
    if section.kind == "W" and touch.kind == "R":
        return False
    if touch.object is not None:
        return root == Root("global", None, touch.object)
    values = [facts.parameters.get(one) for one in facts.function.parameters]
    pointer, length = values[touch.number], touch.length(facts.function.declaration, values)
    if not isinstance(pointer, Ptr) or pointer.roots != {root} or length is None:
        return False
    size = section.length if section.length is not None else poly(section.size)
    offset = section.address - pointer.address
    return contradictory([*section.guard, disj(below(offset, 0), above(offset + size, length))])
