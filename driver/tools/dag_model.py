"""A recorded dag (rt/tools/profile/dag.c): its records, and which part of it is drawn.

A record is an instance of a procedure, or all instances that are equal to it: a row of steps, each a strand and what
ends it. What is drawn is a tree of boxes. Boxes are opened from the root on, those with the most work first, until
there are as many strands as a picture can bear. The boxes that stay closed show what is in them.
"""

import heapq

from cilkc_driver import console

from . import source

SPAWN, CALL, SYNC, END, TOUCH, LOCK, UNLOCK = range(7)      # the last two for the player alone (simulate.py)
INLET, ABORTS, ABORTED, CRITICAL, FOLDED, INLET_BACK, ABORTS_BACK, WAITS, ON, PASSED, ALONE = (
    1 << bit for bit in range(11)
)


class Step:
    """A strand and what ends it. `units` and the numbers of the child are those of one, where `count` equal ones are
    one step and it is not folded."""

    def __init__(self, row):
        self.kind, self.units, self.count, self.mark = row[:4]
        self.site, self.procedure, self.record = -1, -1, -1
        self.work = self.span = self.instances = self.strands = self.delivery = self.spans = 0
        self.inlet = ""
        self.up = self.ago = 0
        if self.kind == TOUCH:
            self.site, self.procedure, self.up, self.ago, self.inlet = row[4:9]
        elif self.kind in (LOCK, UNLOCK):
            self.up = row[4]
        elif self.kind in (SPAWN, CALL):
            self.site, self.procedure, self.record, self.work, self.span = row[4:9]
            self.instances, self.strands, self.delivery, self.inlet, self.spans = row[9:14]
        elif len(row) > 4:
            self.inlet = row[4]

    @property
    def is_strand(self):
        """There is no strand between a spawn and the sync after it if nothing is done there."""
        return self.kind != SYNC or self.units > 0 or bool(self.mark & (INLET | ABORTS | FOLDED))

    def row(self, record):
        head = [self.kind, self.units, self.count, self.mark]
        if self.kind in (SPAWN, CALL):
            sums = [self.work, self.span, self.instances, self.strands, self.delivery]
            return head + [self.site, self.procedure, record, *sums, self.inlet]
        if self.kind == TOUCH:
            return head + [self.site, self.procedure, self.up, self.ago, self.inlet]
        return head + ([self.inlet] if self.inlet else [])


class Record:
    def __init__(self, row):
        self.procedure, self.work, self.span, self.instances, self.strands = row[:5]
        self.steps = [Step(step) for step in row[5]]


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
            and top.steps[0].kind == CALL
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

    def begin_at(self, procedure):
        """Makes the instance of a procedure with the most work the root."""
        found = [(r.work, -i) for i, r in enumerate(self.records)
                 if r.procedure >= 0 and self.name(r.procedure) == procedure]
        if not found:
            known = sorted({self.name(r.procedure) for r in self.records if r.procedure >= 0})
            raise console.Stop(
                "--root %s: no such procedure is in the dag; there are %s" % (procedure, ", ".join(known)), 125
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


class Box:
    """What is drawn of an instance, or of `count` of them: a row of steps where it is open."""

    def __init__(self, dag, procedure, record, work, span, instances, strands, count=1, on_path=False, aborted=False,
                 site=-1, folded=False):
        self.procedure, self.record, self.work, self.span, self.instances, self.strands = (
            procedure, record, work, span, instances, strands
        )
        self.count, self.on_path, self.aborted, self.site, self.folded = count, on_path, aborted, site, folded
        self.name = dag.name(procedure)
        self.items: "list[Item]" = []
        self.open = False
        self.x = self.y = self.width = self.height = self.reach = 0.0
        self.around: "Box | None" = None
        self.number = 0             # of its spawn in the box around it

    def unfold(self, dag):
        """Opens it; the boxes that are in it now."""
        self.open = True
        steps, at, number = dag.records[self.record].steps, 0, 0
        while at < len(steps):
            end = at
            while steps[end].kind not in (SYNC, END):
                end += 1
            times = steps[end].count if steps[end].kind == SYNC else 1
            alone = steps[end].kind == SYNC and bool(steps[end].mark & ALONE)
            waited = bool(steps[end + 1].mark & ON) if alone and dag.jumps else self.on_path
            longest = next((i for i in range(at, end) if steps[i].mark & CRITICAL), None)
            for i in range(at, end + 1):
                step = steps[i]
                on = bool(step.mark & ON) if dag.jumps else self.on_path and (longest is None or i <= longest)
                child = None
                if step.kind in (SPAWN, CALL):
                    # What is folded stands for different ones: the longest is shown.
                    child = Box(dag, step.procedure, step.record, step.work, step.span, step.instances, step.strands,
                                step.count, bool(step.mark & PASSED) if dag.jumps
                                else self.on_path and (i == longest if step.kind == SPAWN else on),
                                self.aborted or bool(step.mark & ABORTED), step.site, bool(step.mark & FOLDED))
                    child.around = self
                    number += step.count if step.kind == SPAWN else 0
                    child.number = number
                # The path has all inlets if they waited for each other, else the inlet of the longest child.
                delivers = child is not None and step.kind == SPAWN and (
                    waited and dag.alone(step.site) if alone else self.on_path and not dag.jumps and i == longest)
                self.items.append(Item(step, child, on, times if i == at else 1, at, delivers))
            at = end + 1
        return [item.child for item in self.items if item.child]


class Item:
    """A step in an open box."""

    def __init__(self, step, child, on_path, times, block, delivers):
        self.step, self.child, self.on_path, self.times, self.block = step, child, on_path, times, block
        self.delivers = delivers        # on the critical path
        self.x = self.y = 0.0


def tree(dag, most, levels=None):
    """The boxes to be drawn, with at most so many strands (more only in the first), opened no deeper than `levels`."""
    top = dag.records[dag.root]
    root = Box(dag, top.procedure, dag.root, top.work, top.span, top.instances, top.strands, on_path=True)
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
    spawned = [item.child for item in owner.items if item.child and item.step.kind == SPAWN]
    if number is None:                      # its own: how many it has spawned by then
        number = 0
        for item in owner.items:
            if item.step is step:
                break
            number += item.step.count if item.step.kind == SPAWN else 0
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
