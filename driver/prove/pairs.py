"""The pairs of a spawn and what may run beside it: which of them may race?"""

from .apart import MAYBE, NO, SAME, describe
from .calls import ERRNO
from .poly import differ
from .sections import element_of_worker, expand, of_delivery
from .solver import SAT, UNSAT, solve
from .values import ANY


class Conflict:
    """Two accesses that are not known to be apart. certain: a model of the formulas says that they meet; values of the
    function's parameters in it."""

    def __init__(self, kind, spawn, other, first, second, why, model=None):
        self.kind, self.spawn, self.other = kind, spawn, other
        self.first, self.second, self.why, self.model = first, second, why, model


class Pairs:
    """The pairs of one function. number: how many pairs of accesses were looked at."""

    def __init__(self, analysis, apart, facts):
        self.analysis, self.apart, self.facts = analysis, apart, facts
        self.number, self.spawned, self.conflicts = 0, 0, []

    def run(self):
        for event in self.facts.run.events:
            for spawn in event.out:
                self.spawned += 1
                self.pair(spawn, event)
        self.early()
        return self

    def parts(self, event):
        """(what runs beside others, what the frame does when a child comes back: its result, its inlet)"""
        frame = []
        if event.delivery is not None:
            frame.append(of_delivery(event, self.facts.function))
        for inner in event.inlet:
            for section in expand(self.analysis, self.facts, inner):
                if section.address is not None:
                    section = section.copy()
                    section.guard = tuple(event.path) + tuple(section.guard)
                    section.speculative = bool(event.speculative)
                frame.append(section)
        return expand(self.analysis, self.facts, event), frame

    def pair(self, spawn, event):
        child, arrivals = self.parts(spawn)
        other, other_arrivals = self.parts(event)
        path = tuple(dict.fromkeys(tuple(event.path) + tuple(spawn.path)))
        spawned = bool(event.spawned)
        combinations = [(child, other, "race"), (child, other_arrivals, "race")]
        combinations.append((arrivals, other, "race" if spawned else "early"))
        if event.delivery is not None and spawn.delivery is not None:
            combinations.append((arrivals[:1], other_arrivals[:1], "unordered"))
        for left, right, kind in combinations:
            for a in left:
                for b in right:
                    if kind == "early" and event.deciding and a.speculative:
                        continue
                    if kind != "race" and a.update and a.update == b.update:
                        continue  # they commute
                    self.number += 1
                    self.compare(kind, spawn, event, a, b, path)

    def compare(self, kind, spawn, event, a, b, path):
        if a.kind == b.kind == "R" or (a.atomic and b.atomic):
            return
        if a.address is None or b.address is None:
            unclear = a if a.address is None else b
            known = b if a.address is None else a
            if known.address is not None and self.unreached(known):
                return
            self.conflicts.append(Conflict(kind, spawn, event, a, b, unclear.why))
            return
        if kind == "race" and (self.common_lock(a, b, path) or self.of_workers(a, b)):
            return
        if all(self.thread_local(root) for root in a.roots | b.roots):
            return
        path = after_touches(spawn, b, path)
        if path is None:
            return
        same = False
        for x in a.roots:
            for y in b.roots:
                met = self.apart.meet(self.facts, x, y, a.family, b.family)
                if met == MAYBE:
                    why = "%s and %s may be one object" % (describe(x), describe(y))
                    if frozenset([x, y]) in self.facts.refuted:
                        why = "%s; in %s, line %d, %s" % (why, *self.facts.refuted[frozenset([x, y])])
                    self.conflicts.append(Conflict(kind, spawn, event, a, b, why))
                    return
                same |= met == SAME
        if not same:
            return
        result, model = self.apart.overlap(a, b, path)
        if result == UNSAT:
            return
        why = "they may meet" if result == SAT else "whether they meet was not found out"
        self.conflicts.append(Conflict(kind, spawn, event, a, b, why, model))

    def unreached(self, section):
        """Does unknown code have no way to the place?"""
        return all(self.apart.meet(self.facts, root, ANY, None, None) == NO for root in section.roots) or all(
            self.thread_local(root) for root in section.roots
        )

    def thread_local(self, root):
        if root.kind != "global" or isinstance(root.what, str):
            return root.what == ERRNO
        return bool(root.what.storage == "thread" or root.what.private)

    def common_lock(self, a, b, path):
        different = []
        for x in a.locks:
            for y in b.locks:
                if x.shared and y.shared:
                    continue
                if x.roots == y.roots and len(x.roots) == 1 and ANY not in x.roots:
                    if x.address == y.address:
                        return True
                    different.append(differ(x.address, y.address))
        if not different or a.address is None or b.address is None:
            return False
        return self.both_apart(a, b, path, different)

    def of_workers(self, a, b):
        """Elements that are indexed by Self: workers are different, or the accesses are not at the same time."""
        sizes = [element_of_worker(self.analysis, section) for section in (a, b)]
        return a.roots == b.roots and None not in sizes and sizes[0] == sizes[1]

    def both_apart(self, a, b, path, different):
        """Are the places apart wherever the locks are?"""
        roots = a.roots | b.roots
        if len(roots) != 1:
            return False
        return self.apart.decide(a, b, tuple(path) + tuple(different))[0] == UNSAT

    def early(self):
        seen = set()
        for spawn, name, line, how, path in self.facts.run.earlies:
            if (spawn, name, line) in seen:
                continue
            seen.add((spawn, name, line))
            result, model = solve(list(path), effort=1000)
            if result != UNSAT:
                why = "'%s' is %s while the child of line %d may still set it" % (name, how, spawn)
                self.conflicts.append(Conflict("early", None, line, None, None, why, model))


def after_touches(spawn, section, path):
    """The path where no future that was waited for before the access is the one that the spawn fills; None where one
    surely is: the whole child comes before the access then."""
    for one in section.touched if spawn.filled is not None else ():
        if one.roots == spawn.filled.roots and len(one.roots) == 1 and ANY not in one.roots:
            different = differ(one.address, spawn.filled.address)
            if different is False:
                return None
            path += (different,)
    return path
