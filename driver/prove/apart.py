"""Do two regions meet? And do two sections of them share a byte?

Of pointer parameters it is supposed that what they lead to is apart, and that is checked at each call: there the
regions must be apart, or, where they are one object, the sections that the callee accesses. A pair that fails at one
call is given up, and what depended on it is checked again.
"""

import itertools
from typing import Any

from .contracts import sites_of
from .memory import leak_of, root_name
from .poly import ATOMS, at_least, below, equal, literals, poly, rewrite, substitute, unknown
from .solver import SAT, UNSAT, solve
from .values import ANY, HARMLESS, again

KNOWN = ("param", "global", "cell")
NO, SAME, MAYBE = "no", "same", "maybe"


class Apart:
    def __init__(self, analysis):
        self.analysis = analysis
        self.overlaps, self.calls = {}, {}
        self.alike = {}  # answers by formulas whose atoms are those of `pool`

    # ---- regions

    def meet(self, facts, a, b, family, other):
        """NO; SAME: one object, and addresses decide; MAYBE."""
        strict = self.analysis.strict and family and other and family != other
        if ANY in (a, b):
            if strict:
                return NO
            known = b if a == ANY else a
            if known.kind in ("local", "heap") and leak_of(known) not in facts.leaked:
                return NO
            return MAYBE
        if a == b:
            return SAME
        if a.kind in ("local", "heap") or b.kind in ("local", "heap"):
            return NO  # what the function was given, and what cells led to when it began, is older
        if a.kind == b.kind == "global":
            return NO
        if frozenset([a, b]) in facts.apart:
            return NO
        if strict and "cell" in (a.kind, b.kind):
            return NO
        if "global" in (a.kind, b.kind):
            known = a if a.kind == "global" else b
            if not self.analysis.reachable(known):
                return NO
        return MAYBE

    # ---- sections

    def overlap(self, a, b, path):
        """(SAT, UNSAT or UNKNOWN, model): can they share a byte?"""
        if a.address is None or b.address is None:
            return SAT, None
        key = (a.address, a.guard, a.length, a.size, b.address, b.guard, b.length, b.size, path)
        if key not in self.overlaps:
            self.overlaps[key] = self.decide(a, b, path)
        return self.overlaps[key]

    def decide(self, a, b, path):
        formulas = list(dict.fromkeys([*path, *a.guard, *b.guard]))
        distance = a.address - b.address
        if a.length is not None or b.length is not None:
            x = a.length if a.length is not None else poly(a.size)
            y = b.length if b.length is not None else poly(b.size)
            formulas += [
                below(a.address, b.address + y),
                below(b.address, a.address + x),
                at_least(x, 1),
                at_least(y, 1),
            ]
        elif a.size == b.size and a.size and all(factor % a.size == 0 for factor in distance.terms.values()):
            distance = distance.exact(a.size)
            formulas.append(equal(distance))
        else:
            formulas += [below(a.address, b.address + b.size), below(b.address, a.address + a.size)]
        return self.asked(formulas, distance)

    def asked(self, formulas, distance):
        """The same question comes often, about atoms with other numbers: it is asked about those of a pool."""
        map_ = {}
        for formula in formulas:
            for _, value in literals(formula):
                for atom in sorted(value.atoms()):
                    if atom not in map_ and ATOMS[atom].quotient is None:
                        map_[atom] = pooled(len(map_), ATOMS[atom].low, ATOMS[atom].high)
        question = tuple(rewrite(formula, map_) for formula in formulas)
        if question not in self.alike:
            self.alike[question] = solve(question, [substitute(distance, map_)])
        result, model = self.alike[question]
        if model is not None:
            model = model.translated({next(iter(new.direct())): old for old, new in map_.items()})
        return result, model

    # ---- parameters that are apart

    def suppose(self):
        """What each function needs: its regions of which one is written."""
        for function in self.analysis.reached:
            facts = self.analysis.facts[function]
            facts.apart = set()
            if self.closed(function) or function is self.analysis.main:
                continue
            kinds = {}
            for section in facts.sections or ():
                for root in section.roots:
                    kinds.setdefault(root, set()).add(section.kind)
            for a, b in itertools.combinations(sorted(kinds, key=str), 2):
                if "W" in kinds[a] | kinds[b] and a.kind in KNOWN and b.kind in KNOWN:
                    if not (a.kind == b.kind == "global"):
                        facts.apart.add(frozenset([a, b]))
        sites = sites_of(self.analysis)
        changed = True
        while changed:
            changed = False
            for function in self.analysis.reached:
                facts = self.analysis.facts[function]
                for pair in list(facts.apart):
                    for caller, event in sites.get(function, ()):
                        why = self.fails(caller, event, facts, pair)
                        if why:
                            facts.apart.discard(pair)
                            facts.refuted[pair] = (caller.function.name, event.line, why)
                            changed = True
                            break

    def closed(self, function):
        """Nothing may be supposed of a function that is called in other ways than call events show. Of a library's
        functions it is supposed, and shown: that is their contract."""
        if not self.analysis.is_open(function):
            return False
        if self.analysis.main is None and function not in self.analysis.effects.taken:
            callers = self.analysis.callers(function)
            return any(self.analysis.facts[caller].run.problem for caller in callers)
        return True

    def fails(self, caller, event, facts, pair):
        """Why the regions may meet at this call, or None."""
        first, second = tuple(pair)
        left = self.analysis.actual_roots(caller.run, event, facts.function, first)
        right = self.analysis.actual_roots(caller.run, event, facts.function, second)
        for a, b in itertools.product(left - HARMLESS, right - HARMLESS):
            met = self.meet(caller, a, b, None, None)
            if met == NO:
                continue
            if met == MAYBE:
                return self.maybe(caller, event, facts, first, second, a, b)
            why = self.sections_meet(caller, event, facts, first, second, a, b)
            if why:
                return why
        return None

    def maybe(self, caller, event, facts, first, second, a, b):
        """Types of what is accessed may tell them apart."""
        one, other = ({s.family for s in facts.sections if root in s.roots} for root in (first, second))
        if all(self.meet(caller, a, b, x, y) == NO for x in one for y in other):
            return None
        return "%s and %s may be one object" % (describe(a), describe(b))

    def sections_meet(self, caller, event, facts, first, second, a, b):
        key = (caller.function, event.number, facts.function, first, second)
        if key not in self.calls:
            self.calls[key] = self.compare_sections(caller, event, facts, first, second, a, b)
        return self.calls[key]

    def compare_sections(self, caller, event, facts, first, second, a, b):
        entry = facts.atoms()
        actual = self.analysis.actuals(caller.run, event, facts.function)
        for x in facts.sections:
            for y in facts.sections:
                if first not in x.roots or second not in y.roots or "W" not in (x.kind, y.kind):
                    continue
                p = x.replaced({**actual, **again(x.own(entry))}, [a], (), ())
                q = y.replaced({**actual, **again(y.own(entry))}, [b], (), ())
                if self.overlap(p, q, event.path)[0] != UNSAT:
                    return "%s (line %d) and %s (line %d) may overlap" % (describe(a), x.line, describe(b), y.line)
        return None


_pool: "dict[tuple, Any]" = {}


def pooled(number, low, high):
    key = number, low, high
    if key not in _pool:
        _pool[key] = unknown("x%d" % number, low, high)
    return _pool[key]


def describe(root):
    name = root_name(root)
    if root.kind in ("param", "cell"):
        return "what '%s' leads to" % name
    if root.kind in ("global", "local"):
        return "'%s'" % name
    return "a block of malloc" if root.kind == "heap" else "memory behind a pointer that is not known"
