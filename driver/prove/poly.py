"""Integers as polynomials over atoms, and formulas over them.

An atom is a number that is not known: a parameter, what a cell holds, a round of a loop. Some atoms are quotients: they
know what they are the quotient of. Atoms are never made twice; they are known by their number.

A formula is True, False, None (nothing is known), or a tuple: ("ge", p) says p >= 0, ("eq", p) p == 0, ("ne", p)
p != 0; ("and", formulas) and ("or", formulas). What an unknown formula says is neither believed nor denied.
"""

import itertools
import math

ATOMS = []
_quotients = {}


class Atom:
    """low, high: limits that every query has. limits: those of its type, which few queries need. counts: it stands for a
    round of a loop."""

    __slots__ = ("number", "name", "quotient", "low", "high", "limits", "z3", "counts")

    def __init__(self, name, low=None, high=None, quotient=None, limits=None):
        self.number, self.name, self.low, self.high, self.quotient = len(ATOMS), name, low, high, quotient
        self.limits, self.z3, self.counts = limits, None, False
        ATOMS.append(self)

    def again(self):
        """Another one of the same kind."""
        return Atom(self.name, self.low, self.high, limits=self.limits)


def unknown(name, low=None, high=None, limits=None):
    return poly(Atom(name, low, high, limits=limits))


class Poly:
    """terms: {sorted tuple of atoms' numbers: coefficient}, without zeros."""

    __slots__ = ("terms", "_key", "_atoms")

    def __init__(self, terms):
        self.terms, self._key, self._atoms = terms, None, None

    @property
    def key(self):
        if self._key is None:
            self._key = tuple(sorted(self.terms.items()))
        return self._key

    def __hash__(self):
        return hash(self.key)

    def __eq__(self, other):
        return isinstance(other, Poly) and self.terms == other.terms

    def __add__(self, other):
        terms = dict(self.terms)
        for mono, factor in poly(other).terms.items():
            total = terms.get(mono, 0) + factor
            if total:
                terms[mono] = total
            else:
                terms.pop(mono, None)
        return Poly(terms)

    __radd__ = __add__

    def __neg__(self):
        return Poly({mono: -factor for mono, factor in self.terms.items()})

    def __sub__(self, other):
        return self + (-poly(other))

    def __rsub__(self, other):
        return poly(other) + (-self)

    def __mul__(self, other):
        terms = {}
        other = poly(other)
        for mono, factor in self.terms.items():
            for more, times in other.terms.items():
                both = tuple(sorted(mono + more))
                total = terms.get(both, 0) + factor * times
                if total:
                    terms[both] = total
                else:
                    terms.pop(both, None)
        return Poly(terms)

    __rmul__ = __mul__

    def constant(self):
        """The number that it is, or None."""
        if not self.terms:
            return 0
        return self.terms[()] if len(self.terms) == 1 and () in self.terms else None

    def direct(self):
        return {atom for mono in self.terms for atom in mono}

    def atoms(self):
        """Those in it, and those of which quotients in it are made."""
        if self._atoms is None:
            found = set()
            todo = [self]
            while todo:
                for atom in todo.pop().direct() - found:
                    found.add(atom)
                    if ATOMS[atom].quotient:
                        todo.append(ATOMS[atom].quotient[0])
            self._atoms = frozenset(found)
        return self._atoms

    def degree(self):
        return max(map(len, self.terms), default=0)

    def content(self):
        return math.gcd(*self.terms.values()) if self.terms else 0

    def exact(self, divisor):
        """The quotient, or None where a coefficient is not divisible."""
        if divisor == 1:
            return self
        if any(factor % divisor for factor in self.terms.values()):
            return None
        return Poly({mono: factor // divisor for mono, factor in self.terms.items()})

    def __repr__(self):
        return show(self)


def poly(value):
    if isinstance(value, Poly):
        return value
    if isinstance(value, Atom):
        return Poly({(value.number,): 1})
    return Poly({(): int(value)} if value else {})


ZERO, ONE = poly(0), poly(1)


def quotient(dividend, divisor):
    """C's division by a positive number, towards zero."""
    value = dividend.constant()
    if value is not None:
        return poly(abs(value) // divisor if value >= 0 else -(abs(value) // divisor))
    whole = dividend.exact(divisor)
    if whole is not None:
        return whole
    key = (dividend.key, divisor)
    if key not in _quotients:
        _quotients[key] = poly(Atom("(%s)/%d" % (show(dividend), divisor), quotient=(dividend, divisor)))
    return _quotients[key]


def substitute(value, map_):
    """map_: {number of an atom: polynomial}"""
    if not map_ or value.atoms().isdisjoint(map_):
        return value
    total = ZERO
    for mono, factor in value.terms.items():
        term = poly(factor)
        for atom in mono:
            if atom in map_:
                term = term * map_[atom]
            elif ATOMS[atom].quotient:
                dividend, divisor = ATOMS[atom].quotient
                new = substitute(dividend, map_)
                term = term * (poly(ATOMS[atom]) if new is dividend else quotient(new, divisor))
            else:
                term = term * poly(ATOMS[atom])
        total = total + term
    return total


def show(value):
    """As a reader would write it."""
    text = ""
    for mono, factor in sorted(value.terms.items(), key=lambda item: (-len(item[0]), item[0])):
        names = "*".join(ATOMS[atom].name for atom in mono)
        number = abs(factor)
        body = names if names and number == 1 else "%d%s" % (number, "*" + names if names else "")
        text += (" - " if factor < 0 else " + ") + body if text else ("-" if factor < 0 else "") + body
    return text or "0"


# ---- formulas


def _reduced(value):
    """(value without the common factor of its unknown terms, what is left of its constant)"""
    factor = math.gcd(*[f for mono, f in value.terms.items() if mono]) if value.terms else 0
    if factor <= 1:
        return value, 0
    constant = value.terms.get((), 0)
    terms = {mono: f // factor for mono, f in value.terms.items() if mono}
    if constant // factor:
        terms[()] = constant // factor
    return Poly(terms), constant % factor


def at_least(left, right=0):
    value = poly(left) - poly(right)
    known = value.constant()
    return known >= 0 if known is not None else ("ge", _reduced(value)[0])


def at_most(left, right=0):
    return at_least(right, left)


def below(left, right):
    return at_least(poly(right) - poly(left) - 1)


def above(left, right):
    return below(right, left)


def equal(left, right=0):
    value = poly(left) - poly(right)
    known = value.constant()
    if known is not None:
        return known == 0
    value, rest = _reduced(value)
    if rest:
        return False
    return ("eq", -value if min(value.terms.items())[1] < 0 else value)


def differ(left, right=0):
    same = equal(left, right)
    return not same if isinstance(same, bool) else ("ne", same[1])


def conj(*formulas):
    parts = []
    for formula in formulas:
        if formula is False:
            return False
        if formula is True or formula is None:
            continue
        parts += formula[1] if formula[0] == "and" else (formula,)
    return True if not parts else parts[0] if len(parts) == 1 else ("and", tuple(parts))


def disj(*formulas):
    parts = []
    for formula in formulas:
        if formula is True or formula is None:
            return True
        if formula is False:
            continue
        parts += formula[1] if formula[0] == "or" else (formula,)
    return False if not parts else parts[0] if len(parts) == 1 else ("or", tuple(parts))


def negation(formula):
    if formula is None or isinstance(formula, bool):
        return None if formula is None else not formula
    kind, what = formula
    if kind == "ge":
        return ("ge", -what - 1)
    if kind in ("eq", "ne"):
        return ("ne" if kind == "eq" else "eq", what)
    return (disj if kind == "and" else conj)(*[negation(part) for part in what])


BUILD = {"ge": at_least, "eq": equal, "ne": differ}


def rewrite(formula, map_):
    if not isinstance(formula, tuple) or not map_:
        return formula
    kind, what = formula
    if kind in BUILD:
        new = substitute(what, map_)
        return formula if new is what else BUILD[kind](new)
    return (conj if kind == "and" else disj)(*[rewrite(part, map_) for part in what])


def literals(formula):
    """(kind, polynomial) of each comparison in it."""
    if isinstance(formula, tuple):
        if formula[0] in BUILD:
            yield formula
        else:
            for part in formula[1]:
                yield from literals(part)


_formula_atoms = {}


def atoms_of(formula):
    if not isinstance(formula, tuple):
        return frozenset()
    if formula[0] in BUILD:
        return formula[1].atoms()
    found = _formula_atoms.get(formula)
    if found is None:
        found = _formula_atoms[formula] = frozenset(itertools.chain.from_iterable(map(atoms_of, formula[1])))
    return found


def size_of(formula):
    if not isinstance(formula, tuple) or formula[0] in BUILD:
        return 1
    return sum(map(size_of, formula[1]))


SIGNS = {"ge": ">=", "eq": "==", "ne": "!="}


def tell(formula):
    """As a reader would write it: what is subtracted stands on the right."""
    if not isinstance(formula, tuple):
        return str(formula).lower()
    kind, what = formula
    if kind not in SIGNS:
        return "(%s)" % ((" && " if kind == "and" else " || ").join(map(tell, what)))
    left = Poly({m: f for m, f in what.terms.items() if f > 0})
    right = Poly({m: -f for m, f in what.terms.items() if f < 0})
    return "%s %s %s" % (show(left), SIGNS[kind], show(right))
