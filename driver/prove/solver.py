"""Does a set of formulas have a solution? In two stages: products as unknowns of their own, with what is known of
products added; then, where that does not decide, integers as they are. z3 does the work.

`unsat` is certain in either stage; a model is one of the second stage, or of formulas without products. Each query has
a limit of steps, not of time, so that the verdict does not depend on how busy the machine is; the whole has a limit of
time (`deadline`), after which every query ends with `unknown`.
"""

import itertools
import time

from .poly import ATOMS, Poly, atoms_of, conj, literals, negation, poly, rewrite

try:
    import z3
except ImportError:
    z3 = None

PINNED = "5.4.1.0"
STEPS = 1500  # of z3's for each unit of effort
UNSAT, SAT, UNKNOWN = "unsat", "sat", "unknown"


class Statistics:
    queries = products = 0


deadline: "float | None" = None  # by time.monotonic()


class OutOfTime(Exception):
    pass


def check_time():
    if deadline is not None and time.monotonic() > deadline:
        raise OutOfTime


# ---- translation

_products = {}
_formulas = {}
_lemmas = {}
_defined = {}


def forget():
    """For the next program: what was translated is of no use to it."""
    _formulas.clear()
    _lemmas.clear()


def _atom(number):
    atom = ATOMS[number]
    if atom.z3 is None:
        atom.z3 = z3.Int("a%d" % number)
    return atom.z3


def _mono(mono, real):
    if len(mono) == 1:
        return _atom(mono[0])
    if real:
        product = _atom(mono[0])
        for atom in mono[1:]:
            product = product * _atom(atom)
        return product
    if mono not in _products:
        _products[mono] = z3.Int("m" + "_".join(map(str, mono)))
    return _products[mono]


def _sum(value, real=False):
    terms = [factor * _mono(mono, real) if mono else z3.IntVal(factor) for mono, factor in value.terms.items()]
    return z3.Sum(terms) if terms else z3.IntVal(0)


def _formula(formula, real):
    if not isinstance(formula, tuple):
        return z3.BoolVal(formula is not False)
    key = (formula, real)
    if key not in _formulas:
        kind, what = formula
        if kind == "ge":
            made = _sum(what, real) >= 0
        elif kind == "eq":
            made = _sum(what, real) == 0
        elif kind == "ne":
            made = _sum(what, real) != 0
        else:
            made = (z3.And if kind == "and" else z3.Or)([_formula(part, real) for part in what])
        _formulas[key] = made
    return _formulas[key]


def _definitions(number, real):
    """What an atom is by itself: its limits, the quotient that it is."""
    key = number, real
    if key not in _defined:
        atom, facts = ATOMS[number], []
        if atom.low is not None:
            facts.append(_atom(number) >= atom.low)
        if atom.high is not None:
            facts.append(_atom(number) <= atom.high)
        if atom.quotient:
            dividend, divisor = atom.quotient
            whole = _sum(dividend, real)
            rest = whole - divisor * _atom(number)
            facts.append(z3.Implies(whole >= 0, z3.And(rest >= 0, rest < divisor)))
            facts.append(z3.Implies(whole < 0, z3.And(rest <= 0, rest > -divisor)))
        _defined[key] = facts
    return _defined[key]


def _monos(formulas, atoms):
    found = set()
    for formula in formulas:
        for _, value in literals(formula):
            found |= {mono for mono in value.terms if len(mono) > 1}
    for number in atoms:
        if ATOMS[number].quotient:
            found |= {mono for mono in ATOMS[number].quotient[0].terms if len(mono) > 1}
    return found


def _pair(a, b):
    return _mono((a, b) if a <= b else (b, a), False)


def _product_lemmas(monos, factored):
    """Linear facts about products of two: signs, monotony; and for each (l, r) of `factored`, about l * r."""
    pairs = [mono for mono in monos if len(mono) == 2]
    partners = {}
    for a, b in pairs:
        x, y, xy = _atom(a), _atom(b), _pair(a, b)
        yield z3.Implies(z3.And(x >= 0, y >= 0), xy >= 0)
        yield z3.Implies(z3.And(x >= 1, y >= 1), z3.And(xy >= x, xy >= y))
        yield z3.Implies(z3.Or(x == 0, y == 0), xy == 0)
        yield z3.Implies(x == 1, xy == y)
        yield z3.Implies(y == 1, xy == x)
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    for a, others in partners.items():
        x = _atom(a)
        for b, c in itertools.combinations(sorted(others), 2):
            y, z, xy, xz = _atom(b), _atom(c), _pair(a, b), _pair(a, c)
            yield z3.Implies(z3.And(x >= 0, y >= z), xy >= xz)
            yield z3.Implies(z3.And(x >= 0, y <= z), xy <= xz)
            yield z3.Implies(z3.And(x >= 0, y >= z + 1), xy >= xz + x)
            yield z3.Implies(z3.And(x >= 0, y <= z - 1), xy <= xz - x)
    for h in {atom for mono in pairs for atom in mono if ATOMS[atom].quotient}:
        dividend, divisor = ATOMS[h].quotient
        others = {h} | partners.get(h, set())
        if dividend.degree() == 1 and len(dividend.terms) <= 2:
            others |= dividend.direct()
        for t in others:
            times = dividend * poly(ATOMS[t])
            if times.degree() <= 2:
                ht, whole = _pair(h, t), _sum(times)
                yield z3.Implies(
                    z3.And(_atom(t) >= 0, _sum(dividend) >= 0),
                    z3.And(divisor * ht <= whole, whole <= divisor * ht + (divisor - 1) * _atom(t), ht >= 0),
                )
    for left, right in factored:
        x, r, product = _atom(left), _sum(right), _sum(poly(ATOMS[left]) * right)
        yield z3.Implies(r == 0, product == 0)
        yield z3.Implies(z3.And(r >= 1, x >= 0), product >= x)
        yield z3.Implies(z3.And(r <= -1, x >= 0), product <= -x)


def factored(value):
    """(l, r) with value = l * r + rest for each atom l in a product of it: l is a stride, r a number of rows."""
    out = []
    for left in sorted({atom for mono in value.terms if len(mono) == 2 for atom in mono}):
        rows = {}
        for mono, factor in value.terms.items():
            if len(mono) == 2 and left in mono:
                rest = list(mono)
                rest.remove(left)
                rows[tuple(rest)] = rows.get(tuple(rest), 0) + factor
            elif mono == (left,):
                rows[()] = rows.get((), 0) + factor
        right = Poly({mono: factor for mono, factor in rows.items() if factor})
        common = right.content()
        out.append((left, right.exact(common) if common > 1 else right))
    return out


# ---- queries


def solve(formulas, hints=(), effort=3000, products=True, model=True):
    """(UNSAT, None), (SAT, Model) or (UNKNOWN, None). hints: polynomials whose products decide. model: is it asked
    for?"""
    check_time()
    Statistics.queries += 1
    formulas = [f for f in formulas if f is not True and f is not None]
    if any(f is False for f in formulas):
        return UNSAT, None
    atoms = frozenset(itertools.chain.from_iterable(map(atoms_of, formulas)))
    extra = [pair for hint in hints for pair in factored(hint)]
    monos = _monos(formulas, atoms)
    for left, right in extra:
        monos |= {mono for mono in (poly(ATOMS[left]) * right).terms if len(mono) > 1}
    solver = _loaded(z3.SimpleSolver(), formulas, atoms, effort, False)
    result = solver.check()
    if result != z3.unsat and monos:
        solver.add(_lemmas_of(monos, extra))
        result = solver.check()
    if result == z3.unsat:
        return UNSAT, None
    if not monos:
        found = Model(solver.model()) if result == z3.sat and model else None
        return (SAT if result == z3.sat else UNKNOWN), found
    if not products:
        return UNKNOWN, None
    Statistics.products += 1
    solver = _loaded(z3.Solver(), formulas, atoms, effort, True)
    result = solver.check()
    if result == z3.sat:
        return SAT, Model(solver.model())
    return (UNSAT if result == z3.unsat else UNKNOWN), None


def _loaded(solver, formulas, atoms, effort, real):
    solver.set("rlimit", effort * STEPS)
    if deadline is not None:
        solver.set("timeout", max(1, int(1000 * (deadline - time.monotonic()))))
    # Straight to the library: z3's own add() looks at each formula once more, and takes most of the time.
    context, inner = solver.ctx.ref(), solver.solver
    for number in atoms:
        for fact in _definitions(number, real):
            z3.Z3_solver_assert(context, inner, fact.as_ast())
    for formula in formulas:
        z3.Z3_solver_assert(context, inner, _formula(formula, real).as_ast())
    return solver


def _lemmas_of(monos, extra):
    key = (frozenset(monos), tuple((left, right.key) for left, right in extra))
    if key not in _lemmas:
        _lemmas[key] = z3.And([*_product_lemmas(monos, extra), z3.BoolVal(True)])
    return _lemmas[key]


def contradictory(formulas, effort=500):
    """Have they no solution, for a reason that does not need products?"""
    return solve(formulas, effort=effort, products=False, model=False)[0] == UNSAT


def follows(formula, premises, effort=500):
    """The same for a conclusion."""
    if isinstance(formula, bool):
        return formula
    if formula is None:
        return False
    return contradictory([*premises, negation(formula)], effort)


def solve_abstract(formulas, effort=1500):
    """As solve, where products are unknowns in the model, too: a model need not be real."""
    check_time()
    Statistics.queries += 1
    formulas = [f for f in formulas if f is not True and f is not None]
    if any(f is False for f in formulas):
        return UNSAT, None
    atoms = frozenset(itertools.chain.from_iterable(map(atoms_of, formulas)))
    monos = _monos(formulas, atoms)
    solver = _loaded(z3.SimpleSolver(), formulas, atoms, effort, False)
    if monos:
        solver.add(_lemmas_of(monos, ()))
    result = solver.check()
    if result == z3.sat:
        return SAT, Model(solver.model(), monos)
    return (UNSAT if result == z3.unsat else UNKNOWN), None


class Model:
    """Numbers for atoms. monos: products that have a number of their own."""

    def __init__(self, model, monos=()):
        self.values, self.products = {}, {}
        names = {"m" + "_".join(map(str, mono)): mono for mono in monos}
        for variable in model.decls():
            name, value = variable.name(), model[variable]
            if z3.is_int_value(value):
                if name in names:
                    self.products[names[name]] = value.as_long()
                elif name[0] == "a":
                    self.values[int(name[1:])] = value.as_long()

    def translated(self, names):
        """The same numbers for other atoms."""
        other = Model.__new__(Model)
        other.products = {}
        other.values = {names[number]: value for number, value in self.values.items() if number in names}
        return other

    def atom(self, number):
        if number in self.values:
            return self.values[number]
        if ATOMS[number].quotient:
            dividend, divisor = ATOMS[number].quotient
            whole = self.value(dividend)
            return abs(whole) // divisor * (1 if whole >= 0 else -1)
        return max(0, ATOMS[number].low or 0)

    def value(self, what):
        total = 0
        for mono, factor in what.terms.items():
            if mono in self.products:
                total += factor * self.products[mono]
                continue
            product = factor
            for atom in mono:
                product *= self.atom(atom)
            total += product
        return total

    def holds(self, formula):
        if not isinstance(formula, tuple):
            return formula is not False
        kind, what = formula
        if kind in ("and", "or"):
            return (all if kind == "and" else any)(map(self.holds, what))
        value = self.value(what)
        return value >= 0 if kind == "ge" else value == 0 if kind == "eq" else value != 0


def filtered(premises, candidates, map_):
    """Those of the candidates that follow from the premises, with the atoms of map_ replaced in the candidates.

    Many are asked about at once: a model refutes all that do not hold in it.
    """
    pairs = [(c, rewrite(c, map_)) for c in candidates]
    held = [c for c, new in pairs if new is True]
    rest = [(c, new) for c, new in pairs if not isinstance(new, bool)]
    if not rest:
        return held
    premises = cone(premises, [new for _, new in rest])
    atoms = frozenset(itertools.chain.from_iterable(map(atoms_of, [*premises, *(n for _, n in rest)])))
    linear = not _monos([*premises, *(new for _, new in rest)], atoms)
    suspects = []
    while rest:
        result, model = solve_abstract([*premises, negation(conj(*[new for _, new in rest]))])
        if result == UNSAT:
            held += [c for c, _ in rest]
            break
        bad = [pair for pair in rest if result != SAT or not model.holds(pair[1])] or rest
        suspects += bad
        rest = [pair for pair in rest if pair not in bad]
    if linear or not suspects:
        return held
    while suspects:  # a real model refutes many of them at once
        result, model = solve([*premises, negation(conj(*[new for _, new in suspects]))], effort=800)
        if result == UNSAT:
            return held + [c for c, _ in suspects]
        left = [pair for pair in suspects if model.holds(pair[1])] if result == SAT else suspects
        if len(left) == len(suspects):
            break
        suspects = left
    hard = [pair for pair in suspects if any(value.degree() > 1 for _, value in literals(pair[0]))]
    for number, (c, new) in enumerate(hard + [pair for pair in suspects if pair not in hard][:40]):
        try_products = len(suspects) <= 10 or (number < 16 and number < len(hard))
        if solve([*cone(premises, [new]), negation(new)], effort=400, products=try_products)[0] == UNSAT:
            held.append(c)
    return held


def cone(premises, goals):
    """The premises that have to do with the goals."""
    reached = set(itertools.chain.from_iterable(map(atoms_of, goals)))
    rest = [(f, atoms_of(f)) for f in dict.fromkeys(premises) if f is not True and f is not None]
    kept, grown = [], True
    while grown:
        grown, left = False, []
        for formula, atoms in rest:
            if formula is False or not atoms.isdisjoint(reached):
                kept.append(formula)
                reached |= atoms
                grown = True
            else:
                left.append((formula, atoms))
        rest = left
    return kept


def pruned(formulas, premises=()):
    """Without those that follow from the others."""
    formulas = list(dict.fromkeys(formulas))
    i = 0
    while i < len(formulas):
        rest = formulas[:i] + formulas[i + 1 :]
        if follows(formulas[i], [*premises, *rest]):
            formulas = rest
        else:
            i += 1
    return formulas
