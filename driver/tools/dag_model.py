"""A recorded dag (rt/tools/profile/dag.c): its records, and which part of it is drawn.

A record is an instance of a procedure, or all instances that are equal to it: a row of steps, each a strand and what
ends it. What is drawn is a tree of boxes. Boxes are opened from the root on, those with the most work first, until
there are as many strands as a picture can bear. The boxes that stay closed show what is in them.
"""

import heapq
from dataclasses import dataclass, field
from typing import Optional

from cilkc_driver import console

from . import source
from .agreed import KIND, MARK


class Step:
    """A strand and what ends it. `units` and the numbers of the child are those of one, where `count` equal ones are
    one step and it is not folded."""

    def __init__(self, row):
        self.kind, self.units, self.count, self.mark = row[:4]
        self.site, self.procedure, self.record = -1, -1, -1
        self.work = self.span = self.instances = self.strands = self.delivery = self.spans = 0
        self.inlet = ""
        self.up = self.ago = 0
        # What Dag.steps knows of it: blocks like the one that it begins, and how many its instance has spawned by then.
        # Where the instance is on the critical path, so are: the strand, what is below it, the delivery of that.
        self.times = self.spawned = 0
        self.on = self.passed = self.delivers = False
        if self.kind == KIND.TOUCH:
            self.site, self.procedure, self.up, self.ago, self.inlet = row[4:9]
        elif self.kind in (KIND.LOCK, KIND.UNLOCK):
            self.up = row[4]
        elif self.is_child:
            self.site, self.procedure, self.record, self.work, self.span = row[4:9]
            self.instances, self.strands, self.delivery, self.inlet, self.spans = row[9:14]
        elif len(row) > 4:
            self.inlet = row[4]

    @property
    def is_child(self):
        return self.kind in (KIND.SPAWN, KIND.CALL)

    @property
    def is_strand(self):
        """There is no strand between a spawn and the sync after it if nothing is done there."""
        return self.kind != KIND.SYNC or self.units > 0 or bool(self.mark & (MARK.INLET | MARK.ABORTS | MARK.FOLDED))


class Record:
    def __init__(self, row):
        self.procedure, self.work, self.span, self.instances, self.strands = row[:5]
        self.steps = [Step(step) for step in row[5]]
        self.placed = False


class Dag:
    def __init__(self, made, report):
        self.work, self.span = made["work"], made["span"]
        self.whole_work, self.whole_span = self.work, self.span
        self.instances, self.strands, self.spawns, self.calls = (
            made["instances"],
            made["strands"],
            made["spawns"],
            made["calls"],
        )
        self.threshold = made["threshold"]
        self.procedures, self.sites = made["procedures"], made["sites"]
        self.records = [Record(row) for row in made["records"]]
        self.root = made["root"]
        self.status, self.report = report["status"], report
        self.lock = max((row[4] for row in report["locks"]), default=0)     # work under the one with the most
        self.jumps = bool(report["touches"])     # the critical path is as marked, strand by strand
        self.touches = sum(row[4] for row in report["touches"])
        top = self.records[self.root]
        # What surrounds all instances is only shown where something is done there.
        if (
            len(top.steps) == 2
            and top.steps[0].kind == KIND.CALL
            and top.steps[0].record >= 0
            and top.steps[0].units == top.steps[1].units == 0
        ):
            self.root = top.steps[0].record
            self.calls -= 1
        self.strands = self.records[self.root].strands
        if self.root == made["root"]:
            self.instances += 1

    def name(self, procedure):
        return self.procedures[procedure][0] if procedure >= 0 else "the program"

    @property
    def least(self):
        """No schedule is shorter. (What a part of the program does under a lock is not known.)"""
        return max(self.span, self.lock if self.work == self.whole_work else 0)

    def alone(self, site):
        """Does an inlet or op= take the result of this spawn?"""
        return site >= 0 and bool(self.sites[site][4])

    def box(self, of, record, *more, **named):
        """A box for a record, or for the child of a step."""
        return Box(self.name(of.procedure), of.procedure, record, of.work, of.span, of.instances, of.strands, *more,
                   **named)

    def steps(self, number):
        """The steps of a record with what follows from their marks, for the picture and for the page."""
        record = self.records[number]
        steps, at, spawned = record.steps, 0, 0
        while at < len(steps) and not record.placed:
            end = next(i for i in range(at, len(steps)) if steps[i].kind in (KIND.SYNC, KIND.END))
            sync = steps[end].kind == KIND.SYNC
            alone = sync and bool(steps[end].mark & MARK.ALONE)
            waited = alone and (not self.jumps or bool(steps[end + 1].mark & MARK.ON))
            longest = next((i for i in range(at, end) if steps[i].mark & MARK.CRITICAL), None)
            for i in range(at, end + 1):
                s, spawn = steps[i], steps[i].kind == KIND.SPAWN
                spawned += s.count if spawn else 0
                s.times, s.spawned = steps[end].count if sync and i == at else 1, spawned
                if self.jumps:
                    s.on, s.passed = bool(s.mark & MARK.ON), bool(s.mark & MARK.PASSED)
                else:
                    s.on = longest is None or i <= longest
                    s.passed = i == longest if spawn else s.on
                # The path has all inlets if they waited for each other, else the inlet of the longest child.
                s.delivers = spawn and (waited and self.alone(s.site) if alone else not self.jumps and i == longest)
            at = end + 1
        record.placed = True
        return steps

    def begin_at(self, procedure):
        """Makes the instance of a procedure with the most work the root."""
        found = [(r.work, -i) for i, r in enumerate(self.records)
                 if r.procedure >= 0 and self.name(r.procedure) == procedure]
        if not found:
            known = sorted({self.name(r.procedure) for r in self.records if r.procedure >= 0})
            raise console.Stop(
                "--root %s: no such procedure is in the dag; it has %s" % (procedure, ", ".join(known)), 125
            )
        self.root = -max(found)[1]
        top = self.records[self.root]
        self.work, self.span, self.instances, self.strands = top.work, top.span, top.instances, top.strands
        self.calls = self.touches = 0
        self.spawns = self.instances - 1

    @property
    def section(self):
        """The timed part of the program; None: it has none."""
        times, work, span = self.report["section"]
        return {"work": work, "span": span} if times else None

    @property
    def edges(self):
        more = {"touch": self.touches} if self.jumps else {}
        return {"spawn": self.spawns, "return": self.spawns, "successor": self.strands - self.instances - self.calls,
                "call": self.calls, **more}

    @property
    def nodes(self):
        return self.instances + self.strands


@dataclass(eq=False)
class Box:
    """What is drawn of an instance, or of `count` of them: a row of steps where it is open."""

    name: str
    procedure: int
    record: int
    work: int
    span: int
    instances: int
    strands: int
    count: int = 1
    on_path: bool = False
    aborted: bool = False
    site: int = -1
    folded: bool = False
    around: "Optional[Box]" = None
    number: int = 0             # of its spawn in the box around it
    items: "list[Item]" = field(default_factory=list)
    open: bool = False
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    reach: float = 0.0

    def unfold(self, dag):
        """Opens it; the boxes that are in it now."""
        self.open = True
        on_path = dag.jumps or self.on_path
        for step in dag.steps(self.record):
            child = None
            if step.is_child:
                # What is folded stands for different ones: the longest is shown.
                child = dag.box(step, step.record, step.count, on_path and step.passed,
                                self.aborted or bool(step.mark & MARK.ABORTED), step.site,
                                bool(step.mark & MARK.FOLDED), self, step.spawned)
            self.items.append(Item(step, child, on_path and step.on, on_path and step.delivers))
        return [item.child for item in self.items if item.child]


@dataclass(eq=False)
class Item:
    """A step in an open box."""

    step: Step
    child: Optional[Box]
    on_path: bool
    delivers: bool          # on the critical path
    x: float = 0.0
    y: float = 0.0


def tree(dag, most, levels=None):
    """The boxes to be drawn, with at most so many strands (more only in the first), opened no deeper than `levels`."""
    top = dag.records[dag.root]
    root = dag.box(top, dag.root, on_path=True)
    queue, number, drawn = [(0, 0, 0, root)], 0, 0
    while queue:
        _, _, level, box = heapq.heappop(queue)
        if box.record < 0 or (levels is not None and level >= levels):
            continue
        cost = len(dag.records[box.record].steps)
        if drawn and drawn + cost > most:
            continue
        drawn += cost
        for child in box.unfold(dag):
            number += 1
            heapq.heappush(queue, (-child.work / child.count, number, level + 1, child))
    return root


def touched(box, step):
    """The box whose end a touch in `box` waits for; None: it is not drawn."""
    owner, number = box, None
    for _ in range(step.up):
        if owner is None:
            return None
        number, owner = owner.number, owner.around
    if owner is None or not owner.open:
        return None
    spawned = [item.child for item in owner.items if item.child and item.step.kind == KIND.SPAWN]
    if number is None:                      # its own
        number = step.spawned
    return next((child for child in spawned if child.number - child.count < number - step.ago <= child.number), None)


def boxes(root):
    """All of them, parents first."""
    todo = [root]
    while todo:
        box = todo.pop()
        yield box
        todo += [item.child for item in reversed(box.items) if item.child]


def hidden(root):
    """(closed boxes, instances in them)"""
    closed = [box for box in boxes(root) if not box.open]
    return len(closed), sum(box.instances for box in closed)


def critical_path(dag):
    """The boxes that the critical path goes through, from the root down, as far as they were recorded: [(box, units of
    its strands on the path)]."""
    found, todo = [], [tree(dag, 0, 0)]
    while todo and len(found) < 100000:
        box = todo.pop()
        if box.record < 0:
            found.append((box, None))
            continue
        top = box.unfold(dag) if not box.open else []
        found.append((box,
                      sum(item.step.units * item.on_path + item.step.delivery * item.delivers for item in box.items)))
        todo += [child for child in reversed(top) if child.on_path]
    return found


def paths(dag, procedure=None):
    """Call paths, recursion folded: [(depth, procedure, place where it is spawned, instances, work with all below,
    alone)], and the main one first. They begin at the outermost instances of a procedure, if one is given."""
    from .profile_model import tree as contexts
    tops, inner = [], contexts(dag.report["contexts"]).children
    while inner:
        tops += [c for c in inner if procedure in (None, c.procedure)]
        inner = [child for c in inner if c not in tops for child in c.children]
    rows, todo = [], [(0, top) for top in tops]
    while todo:
        depth, context = todo.pop()
        rows.append((depth, context))
        todo += [(depth + 1, child) for child in sorted(context.children, key=lambda c: (c.work, c.procedure, c.line))]
    return [(depth, context.procedure, place, context.instances, context.work, context.local)
            for (depth, context), place in zip(rows, source.places([context for _, context in rows]))]
