"""What procedures that call each other access: templates, by guess and check.

A group is what the accesses of one place in the text do in one region: {base + unit * (stride * row + column)}, where
row and column satisfy inequalities between them and expressions over the parameters. The candidates come from the
members: what the function accesses itself, and what each recursive call does, whose template has the call's arguments
in place of the parameters. Those stay that follow for all members, where the template is taken to hold of the callees:
an induction over the depth of the recursion. A group whose members have no common form is the whole region.
"""

import itertools
from math import gcd
from typing import Any

from .contracts import compared, integers, pointers
from .poly import ATOMS, ONE, ZERO, Atom, Poly, at_least, below, literals, poly, rewrite, substitute, unknown
from .sections import Section, all_of, element_of_worker, exported, of_parameters, renamed_place, unknown_section
from .solver import filtered, pruned
from .values import HARMLESS

KNOWN = ("param", "global", "cell")
FINE, COARSE = 60, 120  # so many sections are told apart by their site; by their line


class Group:
    def __init__(self, facts, key, root, sample):
        self.facts, self.key, self.root, self.sample = facts, key, root, sample
        self.own, self.calls = [], []  # sections; (group, event) of recursive calls
        self.whole = root.kind == "any"
        self.unit, self.stride, self.lead, self.scale, self.strides = 1, None, None, 1, []
        self.row, self.column = Atom("row"), Atom("column")
        self.members: Any = None
        self.guards: list = []

    def position(self):
        column = poly(self.column)
        return column if self.stride is None else self.stride * poly(self.row) + column

    def section(self, analysis):
        """The template, as callers see it."""
        sample, base = self.sample, analysis.base(self.root)
        if self.key.worker is not None:
            size, worker = self.key.worker, unknown("Self", 0)
            made = Section(
                sample.kind, base + worker * size, [self.root], size, sample.family, (), sample.line, sample.function
            )
            made.worker = next(iter(worker.direct()))
        elif self.whole:
            made = Section(
                sample.kind, base + unknown("anywhere"), [self.root], 1, sample.family, (), sample.line, sample.function
            )
            made.length = unknown("length", 0)
        else:
            size = self.unit if sample.length is not None else sample.size
            made = Section(
                sample.kind,
                base + self.position() * self.unit,
                [self.root],
                size,
                sample.family,
                self.guards,
                sample.line,
                sample.function,
            )
        made.atomic, made.via, made.locks, made.site = sample.atomic, sample.via, self.key.locks, self.key.site
        made.touched = self.key.touched
        return made

    def bends(self):
        """Do products matter that no stride explains?"""
        if self.stride is not None and self.stride.constant() is None:
            return False
        return any(
            value.degree() > 1 or any(ATOMS[a].quotient and ATOMS[a].quotient[0].degree() > 1 for a in value.atoms())
            for member in self.members
            for value in member[:2]
        )


class Key:
    """What is told apart: kind of access, region, site, size, atomic, family, locks that are always the same,
    futures waited for before that are parameters."""

    def __init__(self, section, root, site, analysis):
        self.kind, self.root, self.site, self.size = section.kind, root, site, section.size
        self.atomic, self.family, self.length = section.atomic, section.family, section.length is not None
        # an element for each worker has this form at every depth
        self.worker = element_of_worker(analysis, section) if root.kind in KNOWN else None
        self.locks = tuple(
            lock
            for lock in section.locks
            if all(r.kind == "global" for r in lock.roots) and lock.address.atoms() <= analysis.base_atoms
        )

        self.touched = tuple(one for one in of_parameters(section.touched) if is_itself(analysis, one))

    def at(self, root, run, event, callee):
        """The same for the caller, where `root` is what the callee gets."""
        other = Key.__new__(Key)
        map_ = run.analysis.actuals(run, event, callee) if self.touched else {}
        actual = [renamed_place(run, event, callee, one, map_) for one in self.touched]
        touched = tuple(one for one in of_parameters(actual) if is_itself(run.analysis, one))
        vars(other).update(vars(self), root=root, touched=touched)
        return other

    @property
    def tuple(self):
        locks = tuple((lock.address, lock.roots, lock.shared) for lock in self.locks)
        touched = tuple(sorted((one.address.key, str(one.roots)) for one in self.touched))
        kind = self.kind, self.root, self.site, self.size, self.atomic, self.family, self.length, self.worker
        return *kind, locks, touched


def is_itself(analysis, place):
    """Is it what one parameter leads to?"""
    return len(place.roots) == 1 and place.address == analysis.base(next(iter(place.roots)))


def summarise_recursive(analysis, every):
    Templates(analysis, every).run()


class Templates:
    def __init__(self, analysis, every):
        self.analysis, self.every = analysis, every
        self.functions = {facts.function for facts in every}
        self.groups = {}  # (function, key as a tuple): Group
        self.recursive = {}  # facts: events

    def run(self):
        unknown_ones = []
        sections = {}
        for facts in self.every:
            calls = [e for e in self.calls_of(facts) if e.targets and self.functions & set(e.targets)]
            self.recursive[facts] = calls
            if any(set(event.targets) - self.functions for event in calls):
                unknown_ones.append(unknown_section(facts.function.line, "a call through a pointer", facts.function))
            sections[facts] = exported(self.analysis, facts, self.outside(facts, set(calls)))
            unknown_ones += [section for section in sections[facts] if section.address is None]
        if unknown_ones:
            for facts in self.every:
                facts.sections = [unknown_ones[0]]
            return
        for facts in self.every:
            self.collect(facts, sections[facts])
        self.follow_calls()
        for group in self.groups.values():
            self.shape(group)
        self.share_strides()
        self.hand_down()
        for group in self.groups.values():
            self.guess(group)
        self.check()
        for facts in self.every:
            facts.groups = [group for group in self.groups.values() if group.facts is facts]
            facts.sections = [group.section(self.analysis) for group in facts.groups]

    @staticmethod
    def calls_of(facts):
        for event in facts.run.events:
            if event.kind == "call":
                yield event
            for inner in event.inlet:
                if inner.kind == "call":
                    yield inner

    def outside(self, facts, calls):
        """All that happens but the recursive calls, those in inlets included."""
        inlets = [e for e in facts.run.events if any(inner in calls for inner in e.inlet)]
        if inlets:
            return [unknown_section(inlets[0].line, "an inlet that calls its procedure", facts.function)]
        return all_of(self.analysis, facts, skip=calls)

    # ---- groups and their members

    def collect(self, facts, sections):
        for section in sections:
            for root in section.roots:
                number = len(sections)
                site = section.site if number <= FINE else (section.line,) if number <= COARSE else ()
                self.group(facts, Key(section, root, site, self.analysis), section).own.append(section)

    def group(self, facts, key, sample):
        where = facts.function, key.tuple
        if where not in self.groups:
            self.groups[where] = Group(facts, key, key.root, sample)
        return self.groups[where]

    def follow_calls(self):
        """Which groups of callers does a group of the callee become a part of?"""
        todo, done = list(self.groups.values()), set()
        while todo:
            group = todo.pop()
            if group in done:
                continue
            done.add(group)
            for facts in self.every:
                for event in self.recursive[facts]:
                    if group.facts.function not in event.targets:
                        continue
                    roots = self.analysis.actual_roots(facts.run, event, group.facts.function, group.root)
                    for root in roots - HARMLESS:
                        if root.kind in ("local", "heap"):
                            continue
                        key = group.key.at(root, facts.run, event, group.facts.function)
                        moved = key.worker is not None and self.moves(facts, event, group, root)
                        key.worker = None if moved else key.worker
                        caller = self.group(facts, key, group.sample)
                        caller.whole |= moved  # each worker's element, but from another beginning
                        caller.calls.append((group, event))
                        todo.append(caller)

    def moves(self, facts, event, group, root):
        """Does the callee get another address than the beginning of the caller's region?"""
        map_ = self.analysis.actuals(facts.run, event, group.facts.function)
        return substitute(self.analysis.base(group.root), map_) != self.analysis.base(root)

    # ---- the form of the places

    def shape(self, group):
        """unit and stride."""
        if group.whole or group.key.worker is not None:
            return
        base, entry = self.analysis.base(group.root), group.facts.atoms()
        strides, content, sizes = {}, 0, set()
        for section in group.own:
            offset = section.address - base
            content = gcd(content, offset.content())
            sizes.add(section.size if section.length is None else 1)
            self.strides_of(offset, entry, strides)
        group.unit = sizes.pop() if len(sizes) == 1 else 1 if sizes else group.sample.size or 1
        if group.own and content % group.unit:
            group.unit = 1
        for section in group.own:
            step = section.length.content() if section.length is not None else 0
            if step in (1, 2, 4, 8, 16) and content % step == 0:
                group.unit = step
            elif step and step % 8 == 0 and content % 8 == 0:
                group.unit = 8
        for callee, event in group.calls:
            self.strides_of_call(group, callee, event, base, strides)
        exact = {}
        for stride, times in strides.items():
            whole = stride.exact(group.unit)
            if whole is not None:
                exact[whole] = exact.get(whole, 0) + times
        group.strides = sorted(exact, key=lambda stride: (-exact[stride], stride.key))
        parameter = next((d for d in group.facts.parameters if group.root == root_of(group.facts, d)), None)
        step = parameter.type.step if parameter is not None else None
        if step and step > group.unit and step % group.unit == 0:
            group.scale = step // group.unit
        if group.strides:
            self.use_stride(group, group.strides[0])

    def strides_of(self, offset, entry, strides):
        """What an atom of the section's own is multiplied by, where that is a parameter."""
        if offset.degree() != 2:
            return
        for atom in offset.direct():
            if atom in entry or ATOMS[atom].quotient:
                continue
            factors = {}
            for mono, factor in offset.terms.items():
                if mono.count(atom) == 1:
                    rest = list(mono)
                    rest.remove(atom)
                    factors[tuple(rest)] = factor
            stride = Poly(factors)
            if stride.degree() == 1 and stride.atoms() <= entry - self.analysis.base_atoms:
                strides[stride] = strides.get(stride, 0) + 1

    def strides_of_call(self, group, callee, event, base, strides):
        """Strides that only the calls show: how far what the callee gets is from what we have; it does not change."""
        actual = self.analysis.actuals(group.facts.run, event, callee.facts.function)
        offset = substitute(self.analysis.base(callee.root), actual) - base
        if offset.degree() != 2 or not offset.direct().isdisjoint(base.direct()):
            return
        ints = {atom for _, value in integers(group.facts) for atom in value.direct()}
        for atom in sorted(offset.direct() & ints):
            passed_on = actual.get(atom) == poly(ATOMS[atom]) or callee.facts is not group.facts
            factors = [abs(f) for mono, f in offset.terms.items() if len(mono) == 2 and atom in mono]
            if passed_on and factors:
                stride = poly(ATOMS[atom]) * gcd(*factors)
                strides[stride] = strides.get(stride, 0) + 1

    @staticmethod
    def use_stride(group, stride):
        group.stride = stride
        if stride.constant() is None:
            group.lead = next((m[0] for m, f in sorted(stride.terms.items()) if len(m) == 1 and f > 0), None)
            if group.lead is None:
                group.stride = None

    def share_strides(self):
        """Groups of one function use one stride for one parameter."""
        pool = {}
        for group in self.groups.values():
            if not group.whole and group.stride is not None:
                pool.setdefault((group.facts, group.lead), set()).update(group.strides)
        for group in self.groups.values():
            if not group.whole and group.stride is not None:
                shared = min(pool[group.facts, group.lead], key=lambda s: (len(s.terms), s.content(), s.key))
                if group.lead is None or (group.lead,) in shared.terms:
                    group.stride = shared

    def hand_down(self):
        """A group that has its members from calls has their form."""
        for _ in range(4):
            for group in self.groups.values():
                if group.whole or group.key.worker is not None or (group.own and group.stride is not None):
                    continue
                for callee, event in group.calls:
                    if callee is group or callee.whole:
                        continue
                    if group.own and (callee.stride is None or callee.unit != group.unit):
                        continue
                    group.unit = callee.unit
                    if callee.stride is not None:
                        actual = self.analysis.actuals(group.facts.run, event, callee.facts.function)
                        stride = substitute(callee.stride, actual)
                        if stride.constant() is not None:
                            group.stride, group.lead = stride, None
                        else:
                            self.use_stride(group, stride)
                    break

    def coordinates(self, group, address):
        """(row, column) of an address, or None."""
        offset = (address - self.analysis.base(group.root)).exact(group.unit)
        if offset is None or group.stride is None:
            return None if offset is None else (ZERO, offset)
        constant = group.stride.constant()
        if constant is not None:
            if constant == 0:
                return None
            row = Poly({mono: f // constant for mono, f in offset.terms.items() if f // constant})
            return row, offset - row * constant
        factor, rows = group.stride.terms[(group.lead,)], {}
        for mono, times in offset.terms.items():
            if group.lead in mono:
                rest = list(mono)
                rest.remove(group.lead)
                rows[tuple(rest)] = rows.get(tuple(rest), 0) + times
        row = Poly({mono: times // factor for mono, times in rows.items() if times // factor})
        return row, offset - group.stride * row

    def find_members(self, group):
        """[(row, column, premises, (callee, map) or None)]; None where one has no such form."""
        found = []
        for section in group.own:
            address, guard = section.address, list(section.guard)
            if section.length is not None:
                length = section.length.exact(group.unit)
                if length is None:
                    return None
                inside = unknown("k", 0)
                address = address + inside * group.unit
                guard.append(below(inside, length))
            where = self.coordinates(group, address)
            if where is None:
                return None
            found.append((*where, guard, None))
        for callee, event in group.calls:
            if callee.whole or callee.unit != group.unit or (callee.stride is None) != (group.stride is None):
                return None
            actual = dict(self.analysis.actuals(group.facts.run, event, callee.facts.function))
            row, column = Atom("row"), Atom("column")
            actual[callee.row.number], actual[callee.column.number] = poly(row), poly(column)
            position = substitute(callee.position(), actual)
            if callee.stride is not None and substitute(callee.stride, actual) != group.stride:
                return None
            address = substitute(self.analysis.base(callee.root), actual) + position * group.unit
            where = self.coordinates(group, address)
            if where is None:
                return None
            found.append((*where, list(event.path), (callee, actual)))
        return found

    # ---- candidates

    def guess(self, group):
        if group.whole or group.key.worker is not None:
            group.members = []
            return
        group.members = self.find_members(group)
        if group.members is None:
            return
        row, column = poly(group.row), poly(group.column)
        guards = []
        for bound in self.bounds(group):
            guards += [at_least(column, bound), below(column, bound)]
            if group.stride is not None:
                guards += [at_least(row, bound), below(row, bound)]
        group.guards = list(dict.fromkeys(guards))

    def bounds(self, group):
        """Expressions over the parameters that may limit rows and columns."""
        facts, entry, found = group.facts, group.facts.atoms(), {}

        def add(value):
            if len(found) < 120 and value.atoms() <= entry:
                found.setdefault(value.key, value)

        ints = [value for _, value in integers(facts)]
        for value in [ZERO, ONE, *ints]:
            add(value)
        bends = group.bends()
        for value in ints:
            for more in (value + 1, value - 1) + ((value * group.scale,) if group.scale != 1 else ()):
                add(more)
            if bends:
                add(value * value * group.scale)
        if bends:
            for a, b in itertools.combinations(ints, 2):
                add(a * b * group.scale)
        base = self.analysis.base(group.root)
        for _, address, _ in pointers(facts):
            distance = (address - base).exact(group.unit)
            if distance is not None and distance.terms and compared(facts, address, base):
                add(distance)
                add(distance + 1)
        self.bounds_of_members(group, entry, add)
        if len(ints) <= 8:
            for a, b in itertools.combinations(ints, 2):
                for value in (a + b, b - a, a - b):
                    add(value)
        self.bounds_of_distances(group, add)
        return list(found.values())

    def bounds_of_members(self, group, entry, add):
        for row, column, guard, _ in group.members:
            for value in (row, column):
                for end in ends_of(value, guard, entry, 0):
                    add(end)
                    add(end + 1)
                    for formula in guard:
                        if isinstance(formula, tuple) and formula[0] in ("eq", "ge"):
                            more = formula[1]
                            if more.degree() <= 1 and more.atoms() <= entry:
                                for sum_ in (end + more, end + 1 - more, end - more, end + 1 + more):
                                    add(sum_)

    def bounds_of_distances(self, group, add):
        """Sums of distances of pointers that are compared with each other."""
        distances = []
        for (_, a, step), (_, b, other) in itertools.permutations(pointers(group.facts), 2):
            if step == other and compared(group.facts, a, b):
                distance = (a - b).exact(group.unit)
                if distance is not None:
                    distances.append(distance + 1)
        for distance in distances:
            add(distance)
            add(distance - 1)
        for a, b in itertools.combinations(distances, 2):
            add(a + b)

    # ---- check

    def check(self):
        groups = list(self.groups.values())
        for group in groups:
            group.whole |= group.members is None and group.key.worker is None
        changed = True
        while changed:
            changed = False
            for group in groups:
                if group.whole or group.key.worker is not None:
                    continue
                if any(made is not None and made[0].whole for *_, made in group.members):
                    group.whole = changed = True
                    continue
                changed |= self.check_group(group)
        for group in groups:
            if not group.whole:
                group.guards = pruned(group.guards, group.facts.before)

    def check_group(self, group):
        changed = False
        for row, column, guard, made in group.members:
            if not group.guards:
                break
            premises = list(guard)
            if made is not None:
                callee, map_ = made
                premises += [rewrite(formula, map_) for formula in callee.guards]
            held = filtered(premises, group.guards, {group.row.number: row, group.column.number: column})
            if len(held) < len(group.guards):
                group.guards, changed = held, True
        return changed


def root_of(facts, declaration):
    value = facts.parameters[declaration]
    return next(iter(value.roots)) if hasattr(value, "roots") else None


def ends_of(value, guard, entry, depth):
    """Values at the ends of the ranges of the atoms that are not the parameters'."""
    own = [atom for atom in value.direct() if atom not in entry and not ATOMS[atom].quotient]
    if not own:
        if value.atoms() <= entry:
            yield value
        return
    if depth > 3:
        return
    atom, limits = own[0], []
    if ATOMS[atom].low == 0:
        limits.append(ZERO)
    for formula in guard:
        for kind, inequality in literals(formula):
            factor = inequality.terms.get((atom,), 0)
            if kind in ("ge", "eq") and factor in (1, -1):
                if not any(atom in mono and len(mono) > 1 for mono in inequality.terms):
                    rest = inequality - poly(ATOMS[atom]) * factor
                    limits.append(rest * -factor)
    for limit in list(dict.fromkeys(limits))[:6]:
        yield from ends_of(substitute(value, {atom: limit}), guard, entry, depth + 1)


def summarise(analysis, component):
    """Sets `sections` of functions that call each other; the functions that they call have theirs."""
    every = [analysis.facts[function] for function in component]
    for facts in every:
        facts.expanded, facts.sections, facts.groups = {}, None, []
    failed = next((facts for facts in every if facts.run.problem), None)
    if failed is not None:
        line, why = failed.run.problem
        for facts in every:
            facts.sections = [unknown_section(line, why, failed.function)]
    elif analysis.recursive(component[0]):
        summarise_recursive(analysis, every)
    else:
        facts = every[0]
        facts.sections = exported(analysis, facts, all_of(analysis, facts))
    for facts in every:
        facts.expanded = {}
