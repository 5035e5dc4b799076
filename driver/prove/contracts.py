"""What holds at every call of a function (`Facts.before`), and of what it returns (`Analysis.returns`): candidates,
of which those stay that follow at all calls, where all of them are taken to hold of the callers. That is an induction
over the depth of calls; main has no premise. A function that may be called in other ways has none either."""

import itertools

from .memory import leak_of
from .poly import (
    ONE,
    ZERO,
    Atom,
    at_least,
    at_most,
    atoms_of,
    below,
    conj,
    differ,
    disj,
    equal,
    literals,
    poly,
    rewrite,
    show,
    size_of,
)
from .solver import filtered, follows, pruned
from .values import NULL, Num, Ptr

ROUNDS = 4


class Returned:
    """What a function returns. exact: the value, in the atoms of its beginning. facts: formulas about `atom`, which
    stands for the value. roots: regions it may lead to; fresh: it is a new block, or null."""

    def __init__(self):
        self.exact, self.atoms, self.facts, self.roots, self.fresh = None, set(), [], set(), False
        self.atom = None


def integers(facts):
    """[(name, polynomial)] of what a function finds at its beginning."""
    found = [(d.name, value.poly) for d, value in facts.parameters.items() if isinstance(value, Num)]
    return found + [
        (show(value.poly), value.poly)
        for value in facts.entry.values()
        if isinstance(value, Num) and value.poly.constant() is None
    ]


def pointers(facts):
    """[(declaration, address, what one step is)] of pointer parameters."""
    return [(d, value.address, d.type.step or 1) for d, value in facts.parameters.items() if isinstance(value, Ptr)]


def compared(facts, a, b):
    """Do two addresses occur in one condition of the function?"""
    x, y = next(iter(a.direct())), next(iter(b.direct()))
    formulas = itertools.chain(facts.before, *(event.path for event in facts.run.events))
    return any(x in value.atoms() and y in value.atoms() for f in formulas for _, value in literals(f))


def call_events(analysis):
    """(caller's facts, event) of all calls, those in inlets among them."""
    for function in analysis.reached:
        facts = analysis.facts[function]
        for event in facts.run.events if facts.run else ():
            if event.kind == "call":
                yield facts, event
            for inner in event.inlet:
                if inner.kind == "call":
                    yield facts, inner


def sites_of(analysis):
    sites = {}
    for facts, event in call_events(analysis):
        for function in event.targets or ():
            sites.setdefault(function, []).append((facts, event))
    return sites


# ---- what is returned


def find_return(analysis, function):
    facts = analysis.facts[function]
    returns = [(value, path) for value, path in facts.run.returns if value is not None]
    analysis.returns.pop(function, None)
    if facts.run.problem or not returns:
        return
    known = Returned()
    kind = Num if all(isinstance(value, Num) for value, _ in returns) else Ptr
    if not all(isinstance(value, kind) for value, _ in returns):
        return
    entry = facts.atoms()
    if len({value[0] for value, _ in returns}) == 1 and returns[0][0][0].atoms() <= entry:
        known.exact = returns[0][0]
        known.atoms = {a for a in known.exact[0].atoms() if not analysis.is_quotient(a)}
    if kind is Ptr:
        known.roots = set().union(*[value.roots for value, _ in returns])
        if any(root.kind == "local" for root in known.roots):
            return
        blocks = {root for root in known.roots if root.kind == "heap"}
        if blocks:
            if known.roots - blocks - {NULL} or any(leak_of(root) in facts.leaked for root in blocks):
                return
            known.exact = None
            known.fresh = all(
                value.address == analysis.base(root)
                for value, _ in returns
                for root in value.roots
                if root.kind == "heap"
            )
            known.roots = {next(iter(blocks))}
        terms = [address for _, address, _ in pointers(facts)][:4]
        step = 1
        steps = {step for _, _, step in pointers(facts)}
        step = steps.pop() if len(steps) == 1 else 1
    else:
        terms, step = [ZERO, ONE, poly(-1)] + [value for _, value in integers(facts)][:6], 1
    atom = Atom("returned")
    known.atom, result = atom.number, poly(atom)
    candidates = [c for t in terms for d in (0, step, -step) for c in (at_least(result, t + d), at_most(result, t + d))]
    for candidate in candidates:
        if isinstance(candidate, tuple) and all(
            follows(rewrite(candidate, {atom.number: value[0]}), path) for value, path in returns
        ):
            known.facts.append(candidate)
    add_cases(known, result, returns, entry)
    analysis.returns[function] = known


def add_cases(known, result, returns, entry):
    """Which value comes back under which condition on the parameters."""
    if len(returns) <= 8 and all(value[0].atoms() <= entry for value, _ in returns):
        cases = [
            conj(equal(result, value[0]), *[f for f in path if isinstance(f, tuple) and atoms_of(f) <= entry])
            for value, path in returns
        ]
        either = disj(*cases)
        if isinstance(either, tuple) and size_of(either) <= 60:
            known.facts.append(either)


# ---- what holds at all calls


def find_preconditions(analysis):
    """True if some function's facts changed."""
    sites = sites_of(analysis)
    kept = {}
    for function in analysis.reached:
        facts = analysis.facts[function]
        usable = not analysis.is_open(function) and function in sites
        kept[function] = candidates(facts) if usable else []
    changed, rounds = True, 0
    while changed:
        changed, rounds = False, rounds + 1
        for function, formulas in kept.items():
            for caller, event in sites.get(function, ()):
                if not formulas:
                    break
                map_ = analysis.actuals(caller.run, event, function)
                premises = [*event.path, *kept[caller.function]]
                held = filtered(premises, formulas, map_) if rounds < 16 else []
                if len(held) < len(formulas):
                    formulas[:] = held
                    changed = True
    grown = False
    for function, formulas in kept.items():
        facts = analysis.facts[function]
        new = pruned(formulas)
        if set(new) != set(facts.before):
            grown = True
        facts.before = new
    return grown


def candidates(facts):
    ints, places = integers(facts), pointers(facts)
    found = []
    for _, t in ints:
        found += [at_least(t, 0), at_least(t, 1), at_most(t, 0), at_most(t, 1)]
    for (_, s), (_, t) in itertools.permutations(ints, 2):
        found += [at_most(s, t), below(s, t)]
        if len(ints) <= 8:
            found.append(at_most(s * 2, t))
            found += [differ(s, t), equal(s + t, 1)] if s.key < t.key else []
        if len(ints) <= 4 and s.key < t.key:
            found.append(equal(s, t))
    if len(ints) <= 5:
        for (_, t), (_, x), (_, y) in itertools.permutations(ints, 3):
            if x.key < y.key:
                found.append(at_most(x + y, t))
    for (d, s, step), (e, t, other) in itertools.permutations(places, 2):
        if step == other and d.type.of.kind == e.type.of.kind and (len(places) <= 7 or compared(facts, s, t)):
            found += [at_most(s, t), at_most(s, t + step)]
    found += conditions(facts)
    return [c for c in dict.fromkeys(found) if isinstance(c, tuple)]


def conditions(facts):
    """What the function itself asks of its parameters may hold of them already."""
    entry, found = facts.atoms(), []
    for event in facts.run.events:
        for formula in event.path:
            for kind, value in literals(formula):
                if value.degree() <= 1 and value.atoms() <= entry and len(found) < 60:
                    if kind == "ge":
                        found += [at_least(value), at_least(-value - 1), at_least(-value)]
                    else:
                        found += [equal(value), differ(value), at_least(value), at_least(-value)]
    return list(dict.fromkeys(found))[:48]
