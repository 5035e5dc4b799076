"""What variables and memory hold during symbolic execution, the state of a path, and the events of a run.

A value is a Num (a polynomial), a Ptr (an address, as a polynomial in bytes, and the regions that it may lead into), a
Fun (which functions it may be), or OTHER: nothing is known, as of floating-point numbers and structures.

A region (Root) is an object that an address belongs to, as one function knows it: kind and what it is of.

    param    what a pointer parameter leads to          (function, declaration)
    cell     what the pointer in a cell of memory led to when the function began   (function, (root, offset))
    global   an object with static storage              (None, declaration or a name)
    local    a variable of the function                 (function, declaration)
    heap     a block from malloc                        (the call, number of the atom that stands for this block)
    literal, null, any                                  (any: everything that somebody else may know)
"""

import itertools
from collections import namedtuple
from typing import TYPE_CHECKING, Any

from .poly import ATOMS, ZERO, poly, rewrite, substitute, unknown

Num = namedtuple("Num", "poly")
Ptr = namedtuple("Ptr", "address roots")
Fun = namedtuple("Fun", "functions")
OTHER = None

Root = namedtuple("Root", "kind owner what")
ANY, NULL, LITERAL = Root("any", None, None), Root("null", None, None), Root("literal", None, None)
HARMLESS = {NULL, LITERAL}  # nothing is written there
NULL_POINTER = Ptr(ZERO, frozenset([NULL]))

serial = itertools.count(1)


class Part:
    """A part of Run (execute.py): the other parts are there when it runs."""

    whole: int
    deciding: int
    splits: int
    budget: int
    updating: Any
    touched: Any
    counting: Any

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class Unsupported(Exception):
    """A construct that is not modelled: where it is, and what it is."""

    def __init__(self, node, why):
        Exception.__init__(self, why)
        self.line, self.why = (node.line or 0) if node is not None else 0, why


def num(value):
    return Num(poly(value))


def of_type(type_, name="?"):
    """A value of which only the type is known."""
    if type_.is_integer:
        low, high = limits_of(type_)
        return Num(unknown(name, low, high, limits=type_.limits))
    if type_.to_function:
        return OTHER
    if type_.is_pointer:
        return Ptr(unknown(name), frozenset([ANY]))
    return OTHER


def limits_of(type_):
    """Limits that the solver is told: those of signed ints and longs are no help to it."""
    low, high = type_.limits
    return (None, None) if type_.signed and type_.size >= 4 else (low, high if type_.size < 4 else None)


def fits(value, type_):
    return isinstance(value, Num if type_.is_integer else (Ptr, Fun) if type_.is_pointer else ())


def only(roots):
    """The one region, or None."""
    return next(iter(roots)) if len(roots) == 1 else None


def rename_roots(roots, map_):
    """Blocks get the new numbers of their atoms."""
    out = set()
    for root in roots:
        if root.kind == "heap" and root.what in map_:
            root = Root("heap", root.owner, next(iter(map_[root.what].direct())))
        out.add(root)
    return frozenset(out)


def rename_value(value, map_):
    if isinstance(value, Num):
        return Num(substitute(value.poly, map_))
    if isinstance(value, Ptr):
        return Ptr(substitute(value.address, map_), rename_roots(value.roots, map_))
    return value


class Place:
    """An lvalue in memory."""

    __slots__ = ("address", "roots", "size", "type", "atomic", "mixed", "shared")

    def __init__(self, address, roots, size, type_, mixed=False):
        self.address, self.roots, self.size, self.type, self.mixed = address, roots, size, type_, mixed
        self.atomic = bool(type_.atomic)
        self.shared = False  # a lock that others may hold in the same way

    def at(self, offset, size, type_, mixed=False):
        place = Place(self.address + offset, self.roots, size, type_, self.mixed or mixed)
        place.atomic |= self.atomic
        return place

    @property
    def family(self):
        """mixed: a member of a union, which other members may share."""
        return None if self.mixed else self.type.family

    def renamed(self, map_):
        place = Place(substitute(self.address, map_), rename_roots(self.roots, map_), self.size, self.type, self.mixed)
        place.atomic, place.shared = self.atomic, self.shared
        return place


class Variable:
    """An lvalue that is no memory: a scalar whose address is not taken."""

    __slots__ = ("declaration",)

    def __init__(self, declaration):
        self.declaration = declaration


class Event:
    """Something that happens where `path` holds, while the children `out` are outstanding.

    kind R, W: an access to `place`, of `length` bytes where that is not the place's size. call: of `targets` (None:
    it is not known of which) with `arguments`; `spawned` or not. A spawn has a `delivery` (place), and the events of
    its inlet; it may have a future that it fills (`filled`). `touched` are futures that were waited for on every way
    here. `inside`: what a spawned procedure without a body says that it touches. `map` renames atoms of the run that made the event into those of this copy of it.
    """

    __slots__ = (
        "kind",
        "node",
        "line",
        "site",
        "path",
        "out",
        "locks",
        "place",
        "length",
        "targets",
        "arguments",
        "why",
        "spawned",
        "delivery",
        "delivery_op",
        "inlet",
        "speculative",
        "deciding",
        "cells",
        "versions",
        "map",
        "number",
        "origin",
        "future",
        "workers",
        "update",
        "filled",
        "touched",
        "inside",
    )

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, kind, node, **members):
        for name in self.__slots__:
            setattr(self, name, None)
        self.kind, self.node, self.line = kind, node, node.line or 0
        self.path: Any = ()
        self.out = self.locks = self.inlet = self.touched = self.path
        self.workers = frozenset()
        self.map = {}
        self.number = next(serial)
        self.origin = self.number
        for name, value in members.items():
            setattr(self, name, value)

    def renamed(self, map_, facts=()):
        """The same in another round: its atoms are others, and `facts` hold of them."""
        event = Event.__new__(Event)
        for name in self.__slots__:
            setattr(event, name, getattr(self, name))
        event.number = next(serial)
        event.path = tuple(rewrite(f, map_) for f in self.path) + tuple(facts)
        event.locks = tuple(lock.renamed(map_) for lock in self.locks)
        event.touched = tuple(future.renamed(map_) for future in self.touched)
        event.filled = self.filled.renamed(map_) if self.filled is not None else None
        if self.place is not None:
            event.place = self.place.renamed(map_)
        if self.length is not None:
            event.length = substitute(self.length, map_)
        if self.arguments is not None:
            event.arguments = [rename_value(value, map_) for value in self.arguments]
        if self.delivery is not None:
            event.delivery = self.delivery.renamed(map_)
        event.workers = frozenset(atom for old in self.workers for atom in map_.get(old, poly(ATOMS[old])).direct())
        event.inlet = tuple(inner.renamed(map_) for inner in self.inlet)
        if self.inside is not None:
            event.inside = tuple(inner.renamed(map_) for inner in self.inside)
        event.map = {key: substitute(value, map_) for key, value in self.map.items()}
        event.map.update((key, value) for key, value in map_.items() if key not in self.map)
        return event


class Pending:
    """A variable that a child outstanding may set: by which spawn, with which operator; may it abort?"""

    __slots__ = ("event", "op", "speculative")

    def __init__(self, event, op, speculative=False):
        self.event, self.op, self.speculative = event, op, speculative


class State:
    """One path: variables, what cells of memory hold, the condition of being here, the children outstanding.

    A cell is (offset, size, signed) of a region. versions: changed when anything in a region may have changed that its
    cells do not say. touched: futures that were waited for. sure: numbers of children that this path has surely spawned.
    """

    def __init__(self):
        self.variables, self.cells, self.versions, self.pending = {}, {}, {}, {}
        self.path: Any = ()
        self.out = self.locks = self.touched = self.path
        self.dead = False
        self.choices = {}
        self.sure: Any = frozenset()
        self.workers = frozenset()  # atoms that are the number of the worker that runs this

    def fork(self):
        new = State()
        new.variables, new.versions, new.pending = dict(self.variables), dict(self.versions), dict(self.pending)
        new.cells = {root: dict(cells) for root, cells in self.cells.items()}
        new.path, new.out, new.locks, new.dead, new.choices = self.path, self.out, self.locks, self.dead, self.choices
        new.workers, new.touched, new.sure = self.workers, self.touched, self.sure
        return new

    def become(self, other):
        vars(self).update(vars(other))

    def assume(self, formula):
        if formula is not True and formula is not None:
            self.path += formula[1] if isinstance(formula, tuple) and formula[0] == "and" else (formula,)

    def same_but_path(self, other):
        return (
            self.variables == other.variables
            and self.cells == other.cells
            and self.versions == other.versions
            and self.locks == other.locks
            and self.touched == other.touched
            and self.sure == other.sure
            and {d: p.op for d, p in self.pending.items()} == {d: p.op for d, p in other.pending.items()}
            and {e.number for e in self.out} == {e.number for e in other.out}
        )


def again(atoms):
    """New atoms of the same kinds, by the old numbers."""
    return {number: poly(ATOMS[number].again()) for number in atoms}
