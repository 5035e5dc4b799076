"""Places in memory as sets: {address (and `length` bytes from there) | guard}, and what a whole function accesses.

A section's formulas are over the atoms of the function's beginning and atoms of its own, which stand for all numbers
that satisfy the guard: rounds of loops, values that were read. Where a call is, the callee's sections are taken with
the caller's values in place of the parameters, and new atoms in place of their own.
"""

from typing import TYPE_CHECKING, Any

from .memory import leak_of
from .poly import ATOMS, above, atoms_of, below, disj, poly, rewrite, substitute
from .solver import contradictory
from .values import ANY, HARMLESS, again

SHARED = ("param", "cell", "global")  # regions that callers know, too
TOO_MANY = 1500  # sections of one function


class Section:
    """via: the calls that lead there, (function's name, line), outermost first. why: nothing is known of it."""

    __slots__ = (
        "kind",
        "address",
        "roots",
        "size",
        "family",
        "guard",
        "locks",
        "atomic",
        "length",
        "line",
        "site",
        "via",
        "function",
        "why",
        "speculative",
        "worker",
        "update",
        "touched",
    )

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, kind, address, roots, size, family, guard, line, function):
        self.kind, self.address, self.roots, self.size, self.family = kind, address, frozenset(roots), size, family
        self.guard, self.line, self.function = tuple(guard), line, function
        self.atomic, self.length, self.why = False, None, None
        self.locks: Any = ()
        self.site = self.via = self.touched = self.locks
        self.speculative, self.update = False, None
        self.worker = None  # the atom that is the number of the worker that is there

    def copy(self):
        other = Section.__new__(Section)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def own(self, entry):
        """Atoms that stand for all numbers."""
        found = set()
        if self.address is not None:
            found |= self.address.atoms()
        if self.length is not None:
            found |= self.length.atoms()
        for formula in self.guard:
            found |= atoms_of(formula)
        for place in self.locks + self.touched:
            found |= place.address.atoms()
        found |= {root.what for root in self.roots if root.kind == "heap"}
        return {atom for atom in found if atom not in entry and not ATOMS[atom].quotient}

    def replaced(self, map_, roots, facts, via):
        other = self.copy()
        other.address = substitute(self.address, map_)
        other.length = substitute(self.length, map_) if self.length is not None else None
        other.roots = frozenset(roots)
        other.guard = tuple(facts) + tuple(rewrite(f, map_) for f in self.guard)
        other.via = via + self.via
        if self.worker in map_:
            other.worker = next(iter(map_[self.worker].direct()), None)
        return other


def unknown_section(line, why, function):
    """Everything, perhaps."""
    section = Section("W", None, [ANY], 1, None, (), line, function)
    section.why = why
    return section


def of_access(event, function):
    place = event.place
    section = Section(
        event.kind, place.address, place.roots, place.size, place.family, event.path, event.line, function
    )
    section.locks, section.atomic, section.length = event.locks, place.atomic, event.length
    section.touched = event.touched
    section.site, section.update = (event.site,), event.update
    section.worker = next(iter(event.workers & place.address.direct()), None)
    return section


def of_delivery(event, function):
    place = event.delivery
    section = Section("W", place.address, place.roots, place.size, place.family, event.path, event.line, function)
    section.site, section.update = (("delivery", event.site),), event.delivery_op
    return section


def element_of_worker(analysis, section):
    """The size of the elements, where the place is inside of one that Self indexes; else None."""
    if section.worker is None or len(section.roots) != 1 or section.length is not None or section.address is None:
        return None
    offset = section.address - analysis.base(next(iter(section.roots)))
    size = offset.terms.get((section.worker,))
    if size is None:
        return None
    rest = offset - poly(ATOMS[section.worker]) * size
    outside = disj(below(rest, 0), above(rest + section.size, size))
    return size if section.worker not in rest.atoms() and contradictory([*section.guard, outside]) else None


def expand(analysis, facts, event):
    """The sections of an event, in the atoms of the function that it is in."""
    if event.kind != "call":
        return [of_access(event, facts.function)]
    if event.number not in facts.expanded:
        facts.expanded[event.number] = list(of_call(analysis, facts, event))
    return facts.expanded[event.number]


def of_call(analysis, facts, event):
    if event.inside is not None:
        for inner in event.inside:
            section = of_access(inner, facts.function)
            section.guard = tuple(event.path) + section.guard
            yield section
        return
    if event.targets is None:
        yield unknown_section(event.line, event.why or "a call that is not known", facts.function)
        return
    for callee in event.targets:
        inner = analysis.facts[callee]
        if inner.sections is None:
            yield unknown_section(event.line, "a recursion that is not understood", facts.function)
            continue
        entry, actual = inner.atoms(), analysis.actuals(facts.run, event, callee)
        for section in inner.sections:
            via = ((facts.function, event.line),)
            if section.address is None:
                other = section.copy()
                other.via = via + section.via
                yield other
                continue
            map_ = {**actual, **again(section.own(entry))}
            roots = set()
            for root in section.roots:
                roots |= analysis.actual_roots(facts.run, event, callee, root)
            roots -= HARMLESS
            if not roots:
                continue
            other = section.replaced(map_, roots, event.path, via)
            other.locks = tuple(renamed_place(facts.run, event, callee, lock, map_) for lock in section.locks)
            other.touched = event.touched + tuple(
                renamed_place(facts.run, event, callee, one, map_) for one in of_parameters(section.touched)
            )
            if not event.spawned:
                other.locks += event.locks
                other.worker = other.worker or next(iter(event.workers & other.address.direct()), None)
            other.site = (event.site,) + section.site
            yield other


def of_parameters(futures):
    """Those that the callers know, too."""
    return [one for one in futures if all(root.kind == "param" for root in one.roots)]


def renamed_place(run, event, callee, inner, map_):
    """What the callee knows as `inner`."""
    place = inner.renamed(map_)
    roots = set()
    for root in inner.roots:
        roots |= run.analysis.actual_roots(run, event, callee, root)
    place.roots = frozenset(roots)
    return place


def seen_by_callers(facts):
    """Futures that a function has waited for when it returns, of those that it was given."""
    entry = facts.atoms()
    found = (facts.run.touched or {}).values() if not facts.run.problem else ()
    return tuple(one for one in of_parameters(found) if one.address.atoms() <= entry)


def touched_by(run, events):
    """Futures that have been waited for when these calls have returned, in the names of their caller."""
    found = []
    for event in events:
        touches = run.analysis.facts[event.targets[0]].touches if event.targets and len(event.targets) == 1 else ()
        if touches:
            (callee,) = event.targets
            map_ = run.analysis.actuals(run, event, callee)
            found += [renamed_place(run, event, callee, one, map_) for one in touches]
    return tuple(found)


def all_of(analysis, facts, skip=()):
    """The sections of all that happens in a function. skip: calls that are left out."""
    found = []
    for event in facts.run.events:
        if event not in skip:
            found += expand(analysis, facts, event)
        if event.delivery is not None:
            found.append(of_delivery(event, facts.function))
        for inner in event.inlet:
            found += expand(analysis, facts, inner)
    return found


def exported(analysis, facts, sections):
    """Those that callers see: without objects of the function's own, which its callers do not know."""
    found = []
    for section in sections:
        if section.address is None:
            found.append(section)
            continue
        roots = set()
        for root in section.roots:
            if root.kind in ("local", "heap"):
                if analysis.publishes and leak_of(root) in facts.leaked:
                    roots.add(ANY)
            else:
                roots.add(root)
        if roots:
            other = section.copy()
            other.roots = frozenset(roots)
            # A lock of the function's own is another one in each call.
            other.locks = tuple(lock for lock in section.locks if all(r.kind in SHARED for r in lock.roots))
            found.append(other)
    return simplified(facts, found)


def simplified(facts, sections):
    """Guards without what has nothing to do with the place; equal sections once."""
    entry, seen, found = facts.atoms(), set(), []
    for section in sections:
        if section.address is not None:
            section.guard = relevant(section, entry)
        key = (
            section.kind,
            section.roots,
            section.address,
            section.length,
            section.size,
            section.guard,
            section.family,
            tuple((lock.address, lock.roots, lock.shared) for lock in section.locks),
            tuple((one.address, one.roots) for one in section.touched),
            section.atomic,
            section.why,
        )
        if key not in seen:
            seen.add(key)
            found.append(section)
    if len(found) > TOO_MANY:
        return [unknown_section(facts.function.line, "too many accesses", facts.function)]
    return found


def relevant(section, entry):
    own = set(section.address.atoms()) | (section.length.atoms() if section.length is not None else set())
    rest, kept, grown = list(dict.fromkeys(section.guard)), [], True
    while grown:
        grown, left = False, []
        for formula in rest:
            if formula is True or formula is None:
                continue
            atoms = atoms_of(formula)
            if formula is False or not atoms.isdisjoint(entry) or not atoms.isdisjoint(own):
                kept.append(formula)
                own |= atoms - entry
                grown = True
            else:
                left.append(formula)
        rest = left
    return tuple(kept)
