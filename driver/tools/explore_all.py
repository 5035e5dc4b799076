"""Every schedule of one input on two workers, for `cilkc explore --all`: one of each class.

Two schedules are of one class if they differ only in the order of steps that are independent of each other: what
happens is the same (Mazurkiewicz). A *step* leads from one point to the next. Steps of two workers depend on each other
if they access one place and one of them writes, if both change who runs what (a return, a steal, a wait for children;
where the program aborts or asks SYNCHED, a spawn and the begin of a procedure, too), or if one of them calls what is
not known. A return depends on every access, since it stores a result.

The search is dynamic partial order reduction with sleep sets (Flanagan and Godefroid, POPL 2005; Godefroid 1996). It
runs the program, and looks for pairs of dependent steps that might come in the other order. There the other worker is
to go on in a further run. A worker sleeps where a run with its step was done, until a step comes that depends on it: a
run that goes on with one that sleeps is not of a new class. Sizes of accesses are not known here: two accesses to one
granule are taken to meet, and where structures are copied, any two.

A worker that comes back to the same places over and over is in a loop that waits, and has no choices: that it looks
once more changes nothing.
"""

import json
import re

from .explore_runs import Schedule

GRANULE = 4             # bits: no scalar is larger, and each is aligned
REPEATS, PERIODS = 20, 4        # a loop of so many points, passed so often by one worker, waits
ACCESSES = ("read", "write", "atomic")
TOUCHING = {"call", "return", *ACCESSES}
ALWAYS_ORDERED = {"return", "steal"}
SLEEPS = re.compile("_(?:timed)?wait$|^sem_|barrier")    # calls in which a worker waits for another one


class Step:
    """kind: of the point at which it begins, whose number is `point`; "steal" where the worker had nothing to do. node:
    the number of the point after which it was made. waited: for something, at its end. pops: a frame was taken back
    from the deque at its end, as always before the point of a return."""

    def __init__(self, node, worker, kind, memory, text=""):
        self.node = self.point = node
        self.worker, self.kind, self.memory, self.text = worker, kind, memory, text
        self.waited = self.pops = False

    @property
    def is_unknown(self):
        return self.kind == "call" and not self.memory

    @property
    def is_lock(self):
        return self.kind == "call" and self.memory and "unlock" not in self.text


class Relation:
    """Which steps of two workers depend on each other. trees: those of the program's files."""

    def __init__(self, trees):
        kinds = [node for tree in trees for node in nodes_of(json.loads(tree))]
        self.copies = any(copies(node, rows) for node, rows in kinds)
        decides = any(node.get("kind") in ("Abort", "Synched", "Thread") for node, _ in kinds)
        self.ordered = ALWAYS_ORDERED | ({"spawn", "begin"} if decides else set())

    def dependent(self, one, other):
        kinds = {one.kind, other.kind}
        if self.orders(one) and self.orders(other) or kinds == {"spawn", "steal"}:
            return True
        if one.is_unknown or other.is_unknown:          # of printf, malloc, memcpy, ..
            return bool((one if other.is_unknown else other).kind in TOUCHING)
        if "return" in kinds:
            return not kinds.isdisjoint(ACCESSES)
        return self.meet(one, other)

    def orders(self, step):
        return step.waited or step.pops or step.kind in self.ordered

    def meet(self, one, other):
        if not one.memory or not other.memory or one.kind == other.kind == "read":
            return False
        return self.copies or one.memory >> GRANULE == other.memory >> GRANULE


def nodes_of(tree):
    todo = [part["body"] for part in tree["functions"]]
    while todo:
        node = todo.pop()
        yield node, tree["types"]
        for value in node.values():
            if isinstance(value, dict):
                todo.append(value)
            elif isinstance(value, list):
                todo += [item for item in value if isinstance(item, dict)]


def copies(node, types):
    """Does it access a structure as a whole?"""
    whole = node.get("kind") == "Assign" or node.get("cast") == "LvalueToRvalue"
    return whole and isinstance(node.get("type"), int) and types[node["type"]]["kind"] == "record"


class Node:
    """After one point. chosen: the worker that goes on there; steps: by worker, what each would do."""

    def __init__(self, chosen, steps, asleep, waits):
        self.chosen, self.steps, self.asleep, self.waits = chosen, steps, asleep, waits
        self.tried, self.wanted, self.stuck = set(), set(), set()   # stuck: who could not go on there
        self.default = chosen


class Every:
    """schedules(): one after the other, until all classes were run. After each `places.seen` is its run."""

    def __init__(self, relation, most_points):
        self.relation, self.most_points, self.nodes = relation, most_points, []
        self.classes, self.complete, self.waiting, self.too_long, self.sleeps = 0, False, False, False, False

    def schedules(self, places):
        while True:
            yield Schedule(2, self.switches(), asks=True)
            if places.seen.points > self.most_points:
                self.too_long = True
                return
            points, full = [], set()
            for words in places.seen.lines:
                if words[0] == "point":
                    points.append(words)
                elif words[0] == "deque" and len(words) > 2:
                    full.add(len(points))
            if self.learn(points, full) and not self.next():
                self.complete = not self.sleeps
                return

    def switches(self):
        return [(number, node.chosen) for number, node in enumerate(self.nodes, 1) if node.chosen != node.default]

    @property
    def left(self):
        return sum(len(node.wanted - node.tried - node.asleep) for node in self.nodes)

    # ---- one run

    def learn(self, points, full):
        """Takes in a run; False where it has to be run again with another choice at its end. full: after these points
        there is something to steal."""
        trace, steps, known = self.trace(points, full), [], len(self.nodes)
        for number, (worker, pending, made, waits) in enumerate(trace, 1):
            if number > known:
                asleep = self.asleep_after(number - 1, steps)
                node = Node(worker, pending, asleep, waits)
                if worker in asleep:
                    other = 1 - worker
                    if other in asleep or waits[other]:
                        self.race(steps)                # nothing new can follow
                        return True
                    node.chosen = other
                    node.tried.add(worker)
                    self.nodes.append(node)
                    return False
                self.nodes.append(node)
            node = self.nodes[number - 1]
            if node.chosen != node.default and not any(step.worker == node.chosen for step in made):
                del self.nodes[number:]
                node.stuck.add(node.chosen)
                self.race(steps)
                return True
            node.steps.update((step.worker, step) for step in made if step.worker == node.chosen)
            steps += made
        self.classes += 1
        self.race(steps)
        return True

    def trace(self, points, full):
        """For each point: (the worker that is there, the step of each worker, the steps made then, who waits)."""
        at, rows, spins = {}, [], loops_that_wait(points)
        self.waiting |= bool(spins)
        self.sleeps |= any(words[3] == "call" and SLEEPS.search(words[9]) for words in points)
        for number, words in enumerate(points, 1):
            worker = int(words[2])
            at[worker] = Step(number, worker, words[3], int(words[8], 16) if words[8] != "(nil)" else 0, words[9])
            pending = {w: at.get(w) or Step(number, w, "steal", 0) for w in (0, 1)}
            chosen = self.nodes[number - 1].chosen if number <= len(self.nodes) else worker
            then = int(points[number][2]) if number < len(points) else None
            made = []
            for who in dict.fromkeys([chosen] + ([then] if then is not None else [0, 1])):
                step = at.pop(who, None)
                if step is None and who != then and number not in full:
                    continue                            # it found nothing to steal
                if step is not None and who != then and then is not None and step.is_lock:
                    at[who] = step                      # the lock is taken
                    continue
                step = step or Step(number, who, "steal", 0)
                step.node, step.waited = number, who != then
                step.pops = who == then and points[number][3] == "return"
                made.append(step)
            made = [step for step in made if step.point not in spins or step.node != step.point]
            waits = {
                w: number not in full if step.kind == "steal" else step.point in spins for w, step in pending.items()
            }
            rows.append((worker, pending, made, waits))
        return rows

    def asleep_after(self, number, steps):
        if not number:
            return set()
        node = self.nodes[number - 1]
        made = [step for step in steps if step.node == number]
        return {
            worker
            for worker in (node.asleep | node.tried) - node.stuck - {node.chosen}
            if not any(step.worker == worker or self.relation.dependent(step, node.steps[worker]) for step in made)
        }

    # ---- where another order may matter

    def race(self, steps):
        """Wants the worker of each step before the last step of the other one that depends on it, and that nothing else
        puts before it."""
        clocks, last = [], {0: -1, 1: -1}               # a step's clock: the last step of each worker that comes before
        for index, step in enumerate(steps):
            before = dict(clocks[last[step.worker]]) if last[step.worker] >= 0 else {0: -1, 1: -1}
            other = 1 - step.worker
            found = [
                earlier
                for earlier in range(index - 1, before[other], -1)
                if steps[earlier].worker == other and self.relation.dependent(steps[earlier], step)
            ]
            turned = self.turned(steps, found, step)
            if turned is not None:
                self.want(steps[turned].node, step.worker)
            for earlier in found[:1]:
                before = {w: max(before[w], clocks[earlier][w]) for w in before}
            before[step.worker] = index
            clocks.append(before)
            last[step.worker] = index
        for number, node in enumerate(self.nodes, 1):
            other = 1 - node.chosen
            mine = node.steps[node.chosen]
            if node.steps[other].kind == "steal" and self.relation.orders(mine):
                self.want(number, other)                # it might steal before what is there is gone

    def turned(self, steps, found, step):
        """The last of the steps found that may come after `step`, or None. What the other worker did while it held the lock
        that `step` takes cannot: before that comes the taking of the lock itself."""
        held = False
        for earlier in found:
            other = steps[earlier]
            if step.is_lock and other.memory == step.memory and other.kind == "call":
                held = "unlock" in other.text
                if held:
                    continue
            if not held and not enables(other, step):
                return earlier
        return None

    def want(self, number, worker):
        if number <= len(self.nodes) and not self.nodes[number - 1].waits[worker]:
            self.nodes[number - 1].wanted.add(worker)

    def next(self):
        """The last point with something that is wanted; False: there is none."""
        while self.nodes:
            node = self.nodes[-1]
            node.tried.add(node.chosen)
            more = node.wanted - node.tried - node.asleep
            if more:
                node.chosen = more.pop()
                return True
            self.nodes.pop()
        return False


def enables(earlier, step):
    """They cannot come in the other order: a lock is released before it is taken, a frame is there before a steal."""
    return earlier.kind == "spawn" and step.kind == "steal"


def loops_that_wait(points):
    """Numbers of the points at which one worker comes back to the same places again and again."""
    found, places = set(), [(words[2], words[4], words[6], words[7], words[8]) for words in points]
    for period in range(1, PERIODS + 1):
        same = 0
        for index in range(period, len(places)):
            here = points[index]
            same = same + 1 if places[index] == places[index - period] and here[3] != "write" else 0
            if same == REPEATS * period:
                found |= set(range(index + 2 - same, index + 2))
            elif same > REPEATS * period:
                found.add(index + 1)
    return found
