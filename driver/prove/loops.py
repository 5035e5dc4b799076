"""Loops, by invariants. A quiet run of the body shows what it changes; from that come

  * variables that grow by the same amount in every round: their value is what it was plus t times that, where t counts
    the rounds;
  * linear relations between the others that every round keeps (Karr's equalities);
  * inequalities: candidates from the conditions met in the body, of which those stay that hold at the beginning and
    after every round (guess and check).

Then the body is run once more, from a state that stands for every round. Children of earlier rounds are outstanding:
copies of what the body spawns, whose atoms are others, in a round before t.
"""

from fractions import Fraction
from math import gcd

from .poly import (
    ATOMS,
    ZERO,
    Atom,
    at_least,
    at_most,
    atoms_of,
    below,
    equal,
    literals,
    negation,
    poly,
    rewrite,
    substitute,
    unknown,
)
from .memory import GLOBALS, POINTED
from .sections import of_parameters
from .solver import contradictory, follows
from .statements import asks_synched, assigned, key_of
from .values import ANY, Num, Part, Ptr, Unsupported, again, of_type

UNROLLED = 9  # rounds of a loop whose conditions are known
WEIGHT = 60  # statements in its body at most


class Loops(Part):
    def st_While(self, state, node):
        return self.loop(state, node)

    def st_Do(self, state, node):
        return self.loop(state, node)

    def st_For(self, state, node):
        starts = [state]
        if node.init is not None:
            starts = [end for control, end in self.run(state, node.init) if control is None]
        ends = []
        for start in self.fewer(starts):
            ends += self.loop(start, node)
        return ends

    def loop(self, state, node):
        whole = self.whole
        self.whole = 0
        spawns = any(part.has("Spawn") for part in (node.cond, node.body, node.step) if part is not None)
        deciding = self.deciding
        try:
            ends = None if spawns else self.unrolled(state, node)
            return ends if ends is not None else Loop(self, state, node, spawns).ends()
        finally:
            self.whole, self.deciding = whole, deciding

    def at_once(self, evaluate, state, node):
        """Without splitting the state: there is no statement that could be executed again."""
        self.whole += 1
        try:
            return evaluate(state, node)
        finally:
            self.whole -= 1

    def unrolled(self, state, node):
        """The ends of a loop of few rounds, each of whose conditions is known; else None."""
        if node.cond is None or sum(1 for inner in node.body.walk() if inner.kind in COUNTED) > WEIGHT:
            return None
        marks, now, last = self.mark(), state.fork(), node.kind == "Do"
        if self.goes_on(state.fork(), node):
            self.rewind(marks)
            return None
        for _ in range(UNROLLED + 1):
            if not last:
                formula = self.at_once(self.condition, now, node.cond)
                if formula is False:
                    return [(None, now)]
                if formula is not True:
                    break
            last = False
            ends = self.run(now, node.body)
            following = [end for control, end in ends if control in (None, "continue") and not end.dead]
            if len(following) != 1 or any(control not in (None, "continue") for control, _ in ends):
                break
            now = following[0]
            if node.step is not None:
                self.at_once(self.value, now, node.step)
        self.rewind(marks)
        return None

    def goes_on(self, state, node):
        """Are there too many rounds, if the body does not change what the condition asks for? Then it is not tried."""
        if node.step is None or any(
            assigned(inner) in state.variables for inner in node.body.walk() if assigned(inner) in names_in(node.cond)
        ):
            return False
        for _ in range(UNROLLED + 1):
            if self.at_once(self.condition, state, node.cond) is not True:
                return False
            self.at_once(self.value, state, node.step)
        return True

    def round(self, state, node, spawns):
        """One round from its beginning: [(control, state)]; None is the beginning of the next one."""
        is_do = node.kind == "Do"
        if node.cond is not None and not is_do and not self.enter(state, node, spawns):
            return []
        ends = []
        for control, end in self.run(state, node.body):
            if control in (None, "continue") and not end.dead:
                if is_do and node.cond is not None and not self.enter(end, node, spawns):
                    continue
                if node.step is not None:
                    self.at_once(self.value, end, node.step)
                ends.append((None, end))
            else:
                ends.append((control, end))
        return ends

    def enter(self, state, node, spawns):
        """Assumes the loop's condition; False where that cannot be."""
        formula = self.loop_condition(state, node, spawns)
        if formula is False:
            return False
        state.assume(formula)
        return not (isinstance(formula, tuple) and contradictory(state.path))

    def loop_condition(self, state, node, spawns):
        self.deciding += spawns
        try:
            return self.at_once(self.condition, state, node.cond)
        finally:
            self.deciding -= spawns


class Loop:
    """The analysis of one loop, entered in one state."""

    def __init__(self, run, state, node, spawns):
        self.run, self.before, self.node, self.spawns = run, state, node, spawns
        self.first_atom = len(ATOMS)
        self.variables = self.changed_variables()
        self.base = state.fork()  # as the loop begins, without what the loop changes in memory
        if spawns:
            self.base.touched = tuple(of_parameters(state.touched))  # a round may declare others again
        self.head = {}  # values at the beginning of any round
        self.forgotten = set()  # regions that it changes
        self.backs = []  # states in which a round ended
        self.explore()
        self.t = Atom("round of line %d" % (node.line or 0), 0)
        self.t.counts = True
        self.rounds = poly(self.t)
        self.steps, self.others = self.induction()
        self.atoms_now = {}  # an atom of `head` as a polynomial in the round
        self.values = self.head_values()
        self.permutations = self.find_permutations()
        self.facts = self.invariants()

    def changed_variables(self):
        found = set()
        for part in (self.node.cond, self.node.step, self.node.body):
            if part is None:
                continue
            for inner in part.walk():
                target = assigned(inner)
                if target is not None:
                    found.add(target)
                if inner.kind == "Spawn" and inner.inlet is not None:
                    inlet = self.run.function.find_inlet(inner.inlet)
                    found |= set(self.run.uses_of(inlet)[0]) if inlet else set()
        return sorted((d for d in found if d in self.before.variables), key=lambda d: (d.name, d.id))

    # ---- what a round does

    def explore(self):
        for declaration in self.variables:
            value = self.before.variables[declaration]
            if isinstance(value, Num):
                self.head[declaration] = of_head(declaration)
            elif isinstance(value, Ptr):
                address = unknown(declaration.name) * declaration.type.alignment
                self.head[declaration] = Ptr(address, value.roots)
            else:
                self.head[declaration] = of_type(declaration.type, declaration.name)
        for _ in range(8):
            start = self.base.fork()
            start.variables.update(self.head)
            with self.run.apart() as events:
                ends = self.run.round(start, self.node, self.spawns)
            if not self.widen(ends, events):
                break
        else:
            for root in [*self.run.known_roots(self.base), POINTED, GLOBALS]:
                self.run.forget(self.base, root)
            for declaration, value in self.head.items():
                if isinstance(value, Ptr):
                    self.head[declaration] = Ptr(value.address, value.roots | {ANY})
                    self.run.leak(value.roots)
        self.backs = [end for control, end in ends if control in (None, "continue") and not end.dead]

    def widen(self, ends, events):
        """Takes into `head` and `base` what the round changed; True if that is more than they had."""
        changed = False
        for control, end in ends:
            if control not in (None, "continue") or end.dead:
                continue
            if [key_of(lock) for lock in end.locks] != [key_of(lock) for lock in self.before.locks]:
                raise Unsupported(self.node, "a lock that is held from one round of a loop to the next")
            if not self.base.workers <= end.workers:  # after a spawn it may go on at another one
                self.base.workers &= end.workers
                changed = True
            for declaration in self.variables:
                old, new = self.head[declaration], end.variables.get(declaration)
                if isinstance(old, Ptr):
                    roots = new.roots if isinstance(new, Ptr) else frozenset([ANY])
                    if not roots <= old.roots:
                        self.head[declaration] = Ptr(old.address, old.roots | roots)
                        changed = True
                elif isinstance(old, Num) and not isinstance(new, Num):
                    self.head[declaration] = of_type(declaration.type, declaration.name)
        stored = set()
        for event in events:
            if event.kind == "W":
                stored |= set(event.place.roots)
            if event.delivery is not None:
                stored |= set(event.delivery.roots)
        for _, end in ends:
            for root, kind in set(end.versions) | set(self.base.versions):
                if end.versions.get((root, kind)) != self.base.versions.get((root, kind)):
                    stored.add(root)
            for root, cells in end.cells.items():
                if cells != self.base.cells.get(root, {}):
                    stored.add(root)
        for root in stored:
            if root not in self.forgotten:
                self.forgotten.add(root)
                self.run.forget(self.base, root)
                changed = True
        return changed

    # ---- variables by rounds

    def induction(self):
        """({variable: what it grows by}, the other changed ones)"""
        steps, others = {}, []
        own = range(self.first_atom, len(ATOMS))
        for declaration in self.variables:
            head = self.head[declaration]
            if (
                not isinstance(head, (Num, Ptr))
                or not self.backs
                or not isinstance(self.before.variables[declaration], type(head))
            ):
                if isinstance(head, (Num, Ptr)):
                    others.append(declaration)
                continue
            after = [end.variables.get(declaration) for end in self.backs]
            if not all(isinstance(value, type(head)) for value in after):
                others.append(declaration)
                continue
            grown = {value[0] - head[0] for value in after}
            step = grown.pop()
            if not grown and all(atom not in own for atom in step.atoms()):
                steps[declaration] = step
            else:
                others.append(declaration)
        return steps, others

    def head_values(self):
        values = {}
        for declaration in self.variables:
            head, first = self.head[declaration], self.before.variables[declaration]
            if declaration in self.steps:
                now = first[0] + self.rounds * self.steps[declaration]
                values[declaration] = Num(now) if isinstance(head, Num) else Ptr(now, head.roots)
                bind(self.atoms_now, head[0], now)
            else:
                values[declaration] = head
        return values

    def find_permutations(self):
        """Pointers that change places in each round (two buffers): the loop is run once for each order."""
        takes = {}
        for declaration in self.others:
            if isinstance(self.head[declaration], Ptr) and self.backs:
                sources = {
                    next(
                        (
                            other
                            for other in self.others
                            if isinstance(self.head[other], Ptr)
                            and isinstance(end.variables.get(declaration), Ptr)
                            and self.head[other].address == end.variables[declaration].address
                        ),
                        None,
                    )
                    for end in self.backs
                }
                if len(sources) == 1 and None not in sources:
                    takes[declaration] = sources.pop()
        takes = {d: source for d, source in takes.items() if source in takes}
        if not takes or set(takes.values()) != set(takes) or all(d is source for d, source in takes.items()):
            return [{}]
        orders, now = [{d: d for d in takes}], {d: d for d in takes}
        for _ in range(5):
            now = {d: now[takes[d]] for d in takes}
            if all(d is source for d, source in now.items()):
                self.others = [d for d in self.others if d not in takes]
                return orders
            orders.append(now)
        return [{}]

    # ---- invariants

    def invariants(self):
        facts = []
        if self.others:
            facts = self.equalities()
            facts += self.kept(self.guesses())
        facts = [rewrite(fact, self.atoms_now) for fact in facts]
        return facts + self.bounds(facts)

    def equalities(self):
        """Linear relations of variables that change by constants, which every round keeps."""
        used = []
        for declaration in self.others:
            head = self.head[declaration]
            if isinstance(self.before.variables[declaration], type(head)) and all(
                isinstance(end.variables.get(declaration), type(head))
                and (end.variables[declaration][0] - head[0]).constant() is not None
                for end in self.backs
            ):
                used.append(declaration)
        if not used or not self.backs:
            return []
        rows = [
            [Fraction((end.variables[d][0] - self.head[d][0]).constant()) for d in used] + [Fraction(1)]
            for end in self.backs
        ]
        facts = []
        for vector in nullspace(rows):
            scale = 1
            for number in vector:
                scale = scale * number.denominator // gcd(scale, number.denominator)
            now, first = self.rounds * int(vector[-1] * scale), ZERO
            for factor, declaration in zip(vector, used):
                now = now + self.head[declaration][0] * int(factor * scale)
                first = first + self.before.variables[declaration][0] * int(factor * scale)
            facts.append(equal(now, first))
        return facts

    def guesses(self):
        """Inequalities that may hold at the beginning of each round."""
        seen, found = {}, []
        heads = {}
        for declaration in self.variables:
            if isinstance(self.head[declaration], (Num, Ptr)):
                heads.update((atom, declaration) for atom in self.head[declaration][0].direct())
        for end in self.backs:
            for formula in end.path:
                for _, value in literals(formula):
                    if value.degree() <= 2 and not value.direct().isdisjoint(heads):
                        for guess in (value, value + 1, -value, -value - 1, -value - 2, value - 1):
                            if len(seen) < 60 and guess.key not in seen:
                                seen[guess.key] = True
                                found.append(at_least(guess))
        for declaration in self.others:
            head, first = self.head[declaration], self.before.variables[declaration]
            if not isinstance(first, type(head)):
                continue
            found += [at_least(head[0], first[0]), at_most(head[0], first[0])]
            if isinstance(head, Num):
                found += [at_least(head[0], k) for k in (0, 1, -1)] + [at_most(head[0], k) for k in (1, 0)]
            for other in self.others:
                if other is declaration or not isinstance(self.head[other], type(head)):
                    continue
                if isinstance(head, Num):
                    found += [at_most(head[0], self.head[other][0]), below(head[0], self.head[other][0])]
                elif isinstance(self.before.variables[other], Ptr):
                    start = self.before.variables[other].address
                    found += [at_most(head[0], start), at_least(head[0], start)]
        return [guess for guess in dict.fromkeys(found) if isinstance(guess, tuple)]

    def kept(self, guesses):
        """Those that hold when the loop begins, and after each round if they all held before it."""
        entry = {}
        for declaration, head in self.head.items():
            first = self.before.variables[declaration]
            if isinstance(head, (Num, Ptr)):
                bind(entry, head[0], first[0] if isinstance(first, type(head)) else unknown("?"))
        held = [guess for guess in guesses if follows(rewrite(guess, entry), self.before.path)]
        while held:
            bad = set()
            for end in self.backs:
                after = {}
                for declaration, head in self.head.items():
                    if isinstance(head, (Num, Ptr)):
                        value = end.variables.get(declaration)
                        bind(after, head[0], value[0] if isinstance(value, type(head)) else unknown("?"))
                for number, guess in enumerate(held):
                    if number not in bad and not follows(rewrite(guess, after), [*end.path, *held]):
                        bad.add(number)
            if not bad:
                break
            held = [guess for number, guess in enumerate(held) if number not in bad]
        return held

    def bounds(self, facts):
        """Inequalities about the rounds, by the loop's conditions: what held before the last step."""
        if not self.atoms_now:
            return []
        known = set(self.run.facts.stable)
        for value in self.before.variables.values():
            if isinstance(value, (Num, Ptr)):
                known |= value[0].atoms()
        for formula in self.before.path:
            known |= atoms_of(formula)
        constants = [abs(step.constant()) for step in self.steps.values() if step.constant() is not None]
        largest = max(constants + [1])
        found = []
        for end in self.backs:
            for formula in end.path:
                for kind, value in literals(formula):
                    if value.direct().isdisjoint(self.atoms_now) or value.degree() > 2:
                        continue
                    if not value.direct() - set(self.atoms_now) <= known:
                        continue
                    now = substitute(value, self.atoms_now)
                    for form in (now,) if kind == "ge" else (now, -now - 1):
                        found += [at_least(form + 1), at_least(form + largest)]
                    if kind == "ne":
                        found += [at_least(now), at_least(-now)]
        found = [guess for guess in dict.fromkeys(found) if isinstance(guess, tuple)][:32]
        now, following = {self.t.number: ZERO}, {self.t.number: self.rounds + 1}
        held = [guess for guess in found if follows(rewrite(guess, now), self.before.path)]
        paths = [[rewrite(f, self.atoms_now) for f in end.path] + facts + [at_least(self.rounds)] for end in self.backs]
        while held:
            bad = {
                number
                for number, guess in enumerate(held)
                if any(not follows(rewrite(guess, following), path + held) for path in paths)
            }
            if not bad:
                break
            held = [guess for number, guess in enumerate(held) if number not in bad]
        return held

    # ---- the loop as a whole

    def start(self, order):
        """The beginning of round t."""
        state = self.base.fork()
        state.variables.update(self.values)
        for declaration, source in order.items():
            state.variables[declaration] = self.before.variables[source]
        state.out, state.pending = self.before.out, dict(self.base.pending)
        for fact in self.facts:
            state.assume(fact)
        return state

    def earlier_children(self):
        """(the children of earlier rounds that round t finds outstanding, the variables they set)"""
        if not self.spawns:
            return (), {}
        first = len(ATOMS)
        children, pending = {}, {}
        finished = []
        with self.run.apart():
            for order in self.permutations:
                state = self.start(order)
                state.out = ()
                finished += [
                    end
                    for control, end in self.run.round(state, self.node, self.spawns)
                    if control in (None, "continue") and not end.dead
                ]
        later = {}
        for end, facts in zip(finished, self.one_way(finished)):
            for event in end.out:
                children[event.number] = event
                # An event that several paths share has the facts of none.
                later[event.number] = facts if event.number not in later else []
            pending.update(end.pending)
        own = {self.t.number} | set(range(first, len(ATOMS)))
        own |= {atom for d in self.others if isinstance(self.head[d], (Num, Ptr)) for atom in self.head[d][0].direct()}
        own |= set(range(self.first_atom, first))
        own -= self.run.facts.stable
        own -= {
            atom
            for value in self.base.variables.values()
            if isinstance(value, (Num, Ptr))
            for atom in value[0].atoms()
            if atom < self.first_atom
        }
        own = {atom for atom in own if not ATOMS[atom].quotient}
        map_ = again(own)
        before = map_[self.t.number]
        order = (at_least(before), below(before, self.rounds))
        return tuple(
            event.renamed(map_, order + tuple(way(substitute(value, map_), now) for way, value, now in later[number]))
            for number, event in children.items()
        ), pending

    def one_way(self, finished):
        """For each end of a round, [(formula, a variable's value there, its value at the beginning of any later round)]
        of variables that no round makes smaller, or none greater."""
        facts = [[] for _ in finished]
        for declaration in self.others if len(self.permutations) == 1 else ():
            head = self.head[declaration]
            if not isinstance(head, (Num, Ptr)):
                continue
            values = [end.variables.get(declaration) for end in finished]
            if not all(isinstance(value, type(head)) for value in values):
                continue
            for way in (at_most, at_least):
                if all(follows(way(head[0], value[0]), end.path) for value, end in zip(values, finished)):
                    for number, value in enumerate(values):
                        facts[number].append((way, value[0], head[0]))
        return facts

    def ends(self):
        children, pending = self.earlier_children()
        results, ends = [], []
        for order in self.permutations:
            state = self.start(order)
            state.out += children
            state.pending.update(pending)
            ends += self.run.round(state, self.node, self.spawns)
        for control, end in ends:
            if control == "return":
                results.append((control, end))
            elif control == "break":
                results.append((None, end))
        if self.node.kind == "Do":
            results += self.after_do(children, pending)
        else:
            results += self.after(children, pending)
        going_on = self.run.fewer([end for control, end in results if control is None and not end.dead])
        return [end for end in results if end[0] is not None] + [(None, end) for end in going_on]

    def after(self, children, pending):
        """The condition fails at the beginning of a round."""
        if self.node.cond is None:
            return []
        results = []
        for order in self.permutations:
            state = self.start(order)
            state.out += children
            state.pending.update(pending)
            formula = self.run.loop_condition(state, self.node, self.spawns)
            if formula is True or state.dead:
                continue
            state.assume(negation(formula))
            if asks_synched(self.node.cond) is False:
                state.out, state.pending = (), {}
            if not contradictory(state.path):
                results.append((None, state))
        return results

    def after_do(self, children, pending):
        """The condition fails at the end of a round."""
        results = []
        if self.node.cond is None:
            return results
        for order in self.permutations:
            state = self.start(order)
            state.out += children
            state.pending.update(pending)
            with self.run.apart():
                ends = self.run.run(state, self.node.body)
            for control, end in ends:
                if control not in (None, "continue") or end.dead:
                    continue
                formula = self.run.loop_condition(end, self.node, self.spawns)
                if formula is True:
                    continue
                end.assume(negation(formula))
                if not contradictory(end.path):
                    results.append((None, end))
        return results


COUNTED = {"Compound", "Expr", "If", "While", "Do", "For", "Return", "Spawn", "Decl"}


def names_in(node):
    return {inner.declaration for inner in node.walk() if inner.kind == "Ident"}


def of_head(declaration):
    """At the beginning of a round it is in range, as it is in a variable; an unsigned one, modulo 2^n."""
    type_ = declaration.type
    limits = type_.limits if type_.signed or type_.size < 4 else None
    low, high = type_.limits if type_.size < 4 else (None, None)
    return Num(unknown(declaration.name, low, high, limits=limits))


def bind(map_, head, value):
    """head is a number times an atom: the atom, where head is value."""
    ((mono, factor),) = head.terms.items()
    exact = value.exact(factor)
    map_[mono[0]] = exact if exact is not None else unknown("?")


def nullspace(rows):
    """A basis of the vectors v with row * v = 0 for each row."""
    rows, pivots, done = [row[:] for row in rows], [], 0
    for column in range(len(rows[0])):
        found = next((i for i in range(done, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[done], rows[found] = rows[found], rows[done]
        pivot = rows[done][column]
        rows[done] = [x / pivot for x in rows[done]]
        for i, row in enumerate(rows):
            if i != done and row[column]:
                factor = row[column]
                rows[i] = [x - factor * y for x, y in zip(row, rows[done])]
        pivots.append(column)
        done += 1
        if done == len(rows):
            break
    basis = []
    for free in range(len(rows[0])):
        if free not in pivots:
            vector = [Fraction(0)] * len(rows[0])
            vector[free] = Fraction(1)
            for row, column in zip(rows, pivots):
                vector[column] = -row[free]
            basis.append(vector)
    return basis
