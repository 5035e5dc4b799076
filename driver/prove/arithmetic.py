"""C's arithmetic on polynomials.

Signed numbers do not overflow: that is assumed, and said. An unsigned number of 32 or 64 bits is a polynomial that is
equal to it modulo 2^32 or 2^64; where that makes a difference (comparisons, division, more bits), `normal` gives the
number itself: the same polynomial where the path shows that it is in range.
"""

from .poly import (
    ATOMS,
    Poly,
    above,
    at_least,
    at_most,
    below,
    conj,
    differ,
    disj,
    equal,
    negation,
    poly,
    quotient,
    unknown,
)
from .solver import contradictory
from .values import NULL_POINTER, OTHER, Num, Part, Ptr, Unsupported, of_type

LARGE = 1 << 16  # a factor of hash functions and generators
ROUNDS = "no loop that counts with an unsigned int has 2^32 rounds"
NO_WRAP = "unsigned numbers of 64 bits that are compared or divided are sizes, and have not wrapped"


class Numbers(Part):
    def limited(self, state, value, type_, inside=(True, True)):
        """The value where it fits into the type; a number that is the same only if it fits, where that is not known.
        inside: which limits have to be looked at."""
        low, high = type_.limits
        known = value.constant()
        if known is not None:
            return value if low <= known <= high else poly(wrapped(known, type_))
        outside = disj(below(value, low) if inside[0] else False, above(value, high) if inside[1] else False)
        if contradictory([*state.path, *limits_of_atoms(value), outside]):
            return value
        other = unknown("number", low, high if type_.size < 8 else None, limits=type_.limits)
        state.assume(disj(outside, equal(other, value)))
        return other

    def normal(self, state, value, type_):
        """The number that an unsigned polynomial stands for."""
        if not isinstance(value, Num) or type_.signed or type_.size < 4:
            return value
        terms = value.poly.terms
        if len(terms) == 1:
            ((mono, factor),) = terms.items()
            if factor == 1 and len(mono) == 1 and ATOMS[mono[0]].low is not None and ATOMS[mono[0]].low >= 0:
                limits = ATOMS[mono[0]].limits
                if limits is None or limits[1] <= type_.limits[1]:
                    if ATOMS[mono[0]].counts and type_.size < 8:
                        self.analysis.assume(ROUNDS)
                    return value
        if type_.size < 8:
            return Num(self.limited(state, value.poly, type_))
        large = has_large_factor(value.poly)
        if not large and value.poly.constant() is None:
            self.analysis.assume(NO_WRAP)
        return Num(self.limited(state, value.poly, type_, (True, large)))

    def convert(self, state, value, source, target):
        """The value of type `source` as one of type `target`."""
        if target.kind == "bool":
            return self.truth(state, self.nonzero(self.normal(state, value, source) if source.is_integer else value))
        if target.is_integer:
            if not isinstance(value, Num) or not source.is_integer:
                return of_type(target, "number")
            return self.resized(state, value, source, target)
        if target.is_pointer:
            if source.is_pointer:
                return value
            if isinstance(value, Num) and value.poly.constant() == 0:
                return NULL_POINTER
            return of_type(target, "pointer")
        return OTHER

    def resized(self, state, value, source, target):
        if target.size < 4:
            inside = source.limits[0] >= target.limits[0] and source.limits[1] <= target.limits[1]
            return value if inside else Num(self.limited(state, value.poly, target))
        if value.poly.constant() is not None:
            return Num(poly(wrapped(value.poly.constant(), target)))
        if source.size < target.size:
            return self.normal(state, value, source)
        if source.size == target.size and target.signed and not source.signed and target.size < 8:
            return Num(self.limited(state, value.poly, target))
        if target.signed and not source.signed and source.size == 8:
            value = Num(centred(value.poly))
            if has_large_factor(value.poly):
                return Num(self.limited(state, value.poly, target))
        return value  # the same modulo 2^n, or assumed not to be cut off

    def arithmetic(self, state, op, left, right, type_, node):
        """An operation on two numbers of the same type, or a shift."""
        if not isinstance(left, Num) or not isinstance(right, Num) or not type_.is_integer:
            return of_type(type_, "number")
        if op not in ("+", "-", "*", "<<"):
            left = self.normal(state, left, type_)
            right = self.normal(state, right, type_) if op != ">>" else right
        a, b = left.poly, right.poly
        known = b.constant()
        if op in ("+", "-", "*"):
            result = a + b if op == "+" else a - b if op == "-" else a * b
            if result.degree() > 3:
                return of_type(type_, "product")
            return Num(self.ranged(state, result, type_))
        if op in ("/", "%") and known is not None and known > 0:
            return Num(quotient(a, known) if op == "/" else a - quotient(a, known) * known)
        if op == "<<" and known is not None and 0 <= known < 31:
            return Num(self.ranged(state, a * (1 << known), type_))
        if op == ">>" and known is not None and 0 <= known < 31:
            return Num(self.shifted(state, a, 1 << known, type_))
        if op == "&":
            return self.masked(state, a, b, type_)
        if op in ("|", "^") and a.constant() is not None and known is not None:
            return Num(poly(a.constant() | known if op == "|" else a.constant() ^ known))
        if op in ("/", "%"):
            return self.divided(state, op, a, b, type_)
        return of_type(type_, "number")

    def ranged(self, state, result, type_):
        return result if type_.size >= 4 else self.limited(state, result, type_)

    def shifted(self, state, a, divisor, type_):
        if not type_.signed or (a.constant() or -1) >= 0:
            return quotient(a, divisor)
        result = unknown("shifted")  # rounded down
        state.assume(at_most(result * divisor, a))
        state.assume(below(a, result * divisor + divisor))
        return result

    def masked(self, state, a, b, type_):
        for value, mask in ((a, b.constant()), (b, a.constant())):
            if mask is not None and mask >= 0:
                if value.constant() is not None:
                    return Num(poly(value.constant() & mask))
                result = unknown("masked", 0, mask)
                if mask & (mask + 1) == 0:
                    state.assume(disj(below(value, 0), equal(result, value - quotient(value, mask + 1) * (mask + 1))))
                return Num(result)
        return of_type(type_, "masked")

    def divided(self, state, op, a, b, type_):
        """By a number that is not known: what holds where neither is negative."""
        result = unknown("quotient" if op == "/" else "rest", *(() if type_.signed else (0, None)))
        positive = [at_least(a), at_least(b, 1)]
        facts = [at_least(result), at_most(result, a)]
        facts += [at_most(result * b, a), below(a, result * b + b)] if op == "/" else [below(result, b)]
        state.assume(disj(negation(conj(*positive)), conj(*facts)))
        return Num(result)

    def moved(self, state, pointer, number, type_, sign, node):
        """pointer + number, pointer - number."""
        step = type_.step
        if step is None:
            raise Unsupported(node, "a pointer into an array whose rows have a variable size")
        distance = number.poly if isinstance(number, Num) else unknown("distance")
        return Ptr(pointer.address + distance * (step * sign), pointer.roots)

    def distance(self, state, left, right, type_, node):
        step = type_.step
        if step is None:
            raise Unsupported(node, "a distance in an array whose rows have a variable size")
        bytes_ = left.address - right.address
        whole = bytes_.exact(step)
        if whole is None:
            whole = unknown("distance")
            state.assume(equal(whole * step, bytes_))
        return Num(whole)

    # ---- truth

    def nonzero(self, value):
        if isinstance(value, Num):
            return differ(value.poly)
        return None

    def truth(self, state, formula):
        """A condition as a number."""
        if isinstance(formula, bool):
            return Num(poly(int(formula)))
        result = unknown("truth", 0, 1)
        if formula is not None:
            state.assume(disj(negation(formula), equal(result, 1)))
            state.assume(disj(formula, equal(result, 0)))
        return Num(result)


def has_large_factor(value):
    return any(mono and abs(factor) >= LARGE for mono, factor in value.terms.items())


def centred(value):
    """The same modulo 2^64, with the least factors: what an unsigned -1 is multiplied with is subtracted."""
    if all(abs(factor) < 1 << 63 for factor in value.terms.values()):
        return value
    factors = {mono: (factor + (1 << 63)) % (1 << 64) - (1 << 63) for mono, factor in value.terms.items()}
    return Poly({mono: factor for mono, factor in factors.items() if factor})


def limits_of_atoms(value):
    """What types say of the atoms of a value."""
    for number in value.atoms():
        limits = ATOMS[number].limits
        if limits is not None:
            yield at_least(poly(ATOMS[number]), limits[0])
            yield at_most(poly(ATOMS[number]), limits[1])


def wrapped(value, type_):
    if type_.kind == "bool":
        return int(value != 0)
    bits = 8 * type_.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_.signed and value >> (bits - 1) else value
