"""A run step by step: what each worker does and has, for `cilkc step` and for the failing schedule of `cilkc explore`.

The runtime writes a line for each point, with the deques, and one for each event between two points. From these the
model makes the tree of instances: which worker runs which, which wait at a sync. With --spawn=lazy frames that were
released are only known by their closures. A step is a point that a worker has reached: what is done there comes when
it goes on. What the variables are is step_values.py's.
"""

import re

from . import source, step_values, step_why

SPAWNED = re.compile(r"(\w+)\s*\(")          # the procedure, in the text of a spawn
LOCKS = re.compile(r"(\w*_)(lock|unlock)$")     # functions whose first argument is a lock
RECEIVER = re.compile(r"\b((\w+)(?:\s*(?:\[[^][]*\]|\.\w+|->\w+))*)\s*((?:[-+*/|&^%]|<<|>>)?=)\s*(?:\w*spawn\b\s*)?$")
LINES = ("scope", "global", "vars", "type", "mem", "block", "free", "out")      # of step_values
NONE = ("(nil)", "0x0")
# What a worker does after a point, said of one that is at it, and of one that has gone on.
DOES = {
    "read": ("is about to read", "read"),
    "write": ("is about to write", "wrote"),
    "atomic": ("is about to use", "used"),
    "spawn": ("is about to spawn", "spawned"),
    "call": ("is about to call", "called"),
    "begin": ("begins", "began"),
    "touch": ("is about to wait for a future with all frames of its stack,", "waited for a future,"),
    "yield": ("is about to pass the processor on in", "passed the processor on in"),
    "lock": ("is about to acquire the lock", "acquired the lock"),
    "unlock": ("is about to release the lock", "released the lock"),
}
EVENTS = {"steal": "steals", "detach": "takes", "suspend": "waits at a sync of", "run": "goes on with",
          "deliver": "delivers a result to", "inlet": "runs an inlet of", "abort": "aborts the children of",
          "return": "returns from", "lock-wait": "waits for the lock", "lock-taken": "has the lock",
          "touch": "waits for a future in", "release": "makes a closure of"}


class Step:
    def __init__(self, words, after):
        self.number, self.worker, self.kind, self.file, self.procedure = (
            int(words[1]),
            int(words[2]),
            words[3],
            words[4],
            words[5],
        )
        self.line, self.column, self.memory, self.text = (
            int(words[6]),
            int(words[7]),
            words[8],
            words[9] if len(words) > 9 else "",
        )
        self.before, self.deques, self.stacks, self.waiting, self.note = after, [], [], [], ""
        self.returns = "the return to a stolen frame"
        # from step_values: the object that is accessed, what is there, and what is there when the worker has gone on
        self.access, self.value, self.later = None, None, None
        self.changes, self.born, self.freed, self.frames, self.printed = [], [], [], None, None
        self.pending, self.locks, self.instance, self.index = [], [], -1, 0
        locks = LOCKS.match(self.text) if self.kind == "call" and self.memory not in NONE else None
        if locks:
            self.kind, self.text = locks.group(2), argument(self.file, self.line, self.column)

    def touches(self, deques, frames):
        """A frame that waits for a future is popped as if a child had returned to it, but all frames of the stack are on
        the deque, itself included."""
        for words in deques:
            if words[:2] == ["deque", str(self.worker)] and len(words) - 2 == frames > 0:
                self.kind, self.text = "touch", ""
                self.procedure, line = words[-1].split(":")[1:]
                self.line = int(line)

    def place(self, within=""):
        if self.procedure:
            return "%sline %d" % (within, self.line)
        return self.returns if self.kind == "return" else "code outside of procedures"

    def sentence(self):
        if not self.procedure:
            return "worker %d is at %s" % (self.worker, self.place())
        if self.kind == "return":
            return "worker %d: a child of %s has returned, line %d" % (self.worker, self.procedure, self.line)
        return "worker %d %s, line %d of %s" % (self.worker, self.does(False), self.line, self.procedure)

    def does(self, done):
        what = self.text.partition("(")[0] if self.kind == "call" else self.text.removeprefix("spawn ")
        what = what or ("" if self.kind == "touch" else "memory")
        return ("%s %s%s" % (DOES[self.kind][done], what, self.values())).rstrip(" ,")

    def finished(self):
        """The same when its worker has gone on; '' where that says nothing."""
        said = self.kind in ("read", "write", "atomic", "spawn")
        return "worker %d %s" % (self.worker, self.does(True)) if said else ""

    def values(self):
        """What is read, or becomes what."""
        if self.value is None or self.kind not in ("read", "write", "atomic"):
            return ""
        now, then = (text and text.partition("#")[0] for text in (self.value, self.later))
        return " (%s)" % now if self.kind == "read" or then is None else " (%s → %s)" % (now, then)


def argument(file, line, column):
    """The first argument of a call whose name begins there, without an &."""
    text = source.lines(file)[line - 1][column - 1:] if 0 < line <= len(source.lines(file)) else ""
    depth, made = 0, ""
    for c in text:
        depth += (c in "([") - (c in ")]")
        if depth == 0 and made or depth == 1 and c == ",":
            break
        if depth > 1 or depth == 1 and c != "(":
            made += c
    return made.strip().removeprefix("&").strip()


class Story:
    def __init__(self, outcome, workers):
        self.workers, self.steps, self.instances, self.steals = workers, [], [], 0
        self.stacks, self.waiting, self.closures = [[] for _ in range(workers)], [], {}
        self.passed: "set[int]" = set()     # points that are steps of the runtime
        self.last = {}          # memory -> the last step that used it
        self.now: "list[Step | None]" = [None] * workers    # where each is
        self.detached: "tuple[int, str] | None" = None
        self.held = {}          # a lock -> the step that took it
        self.values, self.open = step_values.Values(), None     # open: the step whose lines are being read
        self.receivers = {}     # an instance -> the variable that its result will go to
        # what step_why asks: of all instances, the variable and its text; places where such a variable may be used;
        # children that deliver to one variable
        self.receiver_of, self.named, self.clashes = {}, [], []
        between: "list[str | None]" = []
        spawned: "Step | None" = None
        for number, words in enumerate(outcome.lines):
            try:
                if words[0] in ("event", "point"):
                    self.settle()
                if words[0] == "event" and len(words) >= 8:
                    if spawned is not None:
                        self.begins(spawned)
                        spawned = None
                    between.append(self.event(int(words[1]), words[2:7], int(words[7])))
                elif words[0] == "point" and len(words) >= 9:
                    if spawned is not None:
                        self.begins(spawned)
                    step = Step(words, list(filter(None, between)))
                    if step.kind == "return" and not step.procedure:
                        step.touches(outcome.lines[number + 1:number + 1 + workers], len(self.stacks[step.worker]))
                    between = []
                    self.point(step)
                    spawned = step if step.kind == "spawn" else None
                elif words[0] == "step":
                    self.passed.add(int(words[1]))
                elif words[0] == "deque" and self.steps and len(self.steps[-1].deques) < workers:
                    self.deque(int(words[1]), words[2:])
                elif words[0] in LINES:
                    self.values.line(words)
            except (ValueError, IndexError, KeyError):
                continue        # a line that was cut off: the program was killed
        self.settle()
        self.after = list(filter(None, between))

    # ---- the model ----

    def settle(self):
        """The values at the step whose lines are complete, and what the worker's step before it has done."""
        step, self.open = self.open, None
        if step is None:
            return
        stack = step.stacks[step.worker]
        running = stack[-1] if stack else -1
        if step.kind == "begin" and running >= 0 and self.values.scope:
            self.instances[running]["name"] = step.procedure
        self.values.settle(step, running, self.instances[running]["name"] if running >= 0 else "")
        if step.comes_after:
            step.comes_after.later = self.values.after(step.comes_after)
        if running >= 0 and "label" not in self.instances[running] and step.frames:
            self.name(self.instances[running], step.frames[1][0][1])

    def name(self, instance, visible):
        """What it was called with."""
        arguments = [v for v in (self.values.variables[n] for n in visible) if v.kind == "p"]
        if arguments or visible:
            words = [v.leaves[0].text if isinstance(v.shape, int) and v.leaves else "…" for v in arguments]
            instance["label"] = "%s(%s)" % (instance["name"], ", ".join(
                "…" if w.startswith("0x") else w.partition("#")[0] for w in words))

    def over(self, child):
        self.receivers.pop(child, None)
        self.values.leave(child)

    def instance(self, name, parent, line, call=""):
        self.instances.append({"name": name, "parent": parent, "line": line, "born": len(self.steps),
                               "call": call or name})
        return len(self.instances) - 1

    def begins(self, step):
        stack = self.stacks[step.worker]
        name = SPAWNED.search(step.text)
        call = step.text.removeprefix("spawn ")
        parent = stack[-1] if stack else -1
        stack.append(self.instance(name.group(1) if name else "?", parent, step.line, call))
        receiver = RECEIVER.search((source.lines(step.file)[step.line - 1:step.line] or [""])[0][:step.column - 1])
        variable = self.values.find(parent, receiver[2]) if receiver else None
        if receiver and variable:
            self.clashes += [(i, stack[-1]) for i, n in self.receivers.items()
                             if n == variable.number and isinstance(variable.shape, int) and receiver[3] == "="]
            self.receivers[stack[-1]] = variable.number
            self.receiver_of[stack[-1]] = variable.number, receiver[1], parent

    def names(self, worker, instance, file, line):
        """It is at this line; children still run."""
        self.named += [(child, worker, file, line) for child in self.receivers
                       if self.receiver_of[child][2] == instance]

    def spawns_again(self, step):
        """In a loop, what follows the spawn came after that of the round before."""
        if not any(self.receiver_of[child][2] == step.instance and self.instances[child]["line"] == step.line
                   for child in self.receivers):
            return
        for number, text in enumerate(source.lines(step.file)[step.line:], step.line + 1):
            if "sync" in text or text.strip().startswith("}"):
                return
            self.names(step.worker, step.instance, step.file, number)

    def waits(self, worker, instance, file, line):
        """At a sync: the lines since the last spawn came before it."""
        spawned = max((v["line"] for v in self.instances if v["parent"] == instance), default=line)
        for number, text in enumerate(source.lines(file)[spawned - 1:line], spawned):
            self.names(worker, instance, file, number)
            if "sync" in text:
                return

    def point(self, step):
        stack = self.stacks[step.worker]
        if not stack and step.kind != "return":
            stack.append(self.instance(step.procedure or "?", -1, 0))
        child = stack.pop() if step.kind == "return" and stack else None
        if child is not None:
            self.returned(step, child)
        step.comes_after, self.open = self.now[step.worker], step
        self.passes(self.now[step.worker])
        self.now[step.worker] = step
        if step.memory not in NONE and step.kind not in ("lock", "unlock"):
            step.note = self.others(step)
            self.last[step.memory] = step
        step.stacks, step.waiting = [list(s) for s in self.stacks], list(self.waiting)
        step.pending, step.index = sorted(set(self.receivers.values())), len(self.steps)
        step.instance = stack[-1] if stack else -1
        if child is not None:
            self.over(child)                # its result is delivered when the worker goes on
        elif step.kind != "begin":
            self.names(step.worker, step.instance, step.file, step.line)
            if step.kind == "spawn":
                self.spawns_again(step)
        step.locks = [[s.text, s.worker, s.line, [w for w, at in enumerate(self.now) if at is not None and at is not s
                                                  and at.kind == "lock" and at.memory == memory and w != s.worker]]
                      for memory, s in self.held.items()]
        self.steps.append(step)

    def others(self, step):
        """That another worker is at the same memory, or was there last, and one of both writes."""
        last = self.last.get(step.memory)
        for before in [at for at in self.now if at and at.memory == step.memory] + ([last] if last else []):
            if before.worker != step.worker and (before.kind != "read" or step.kind != "read"):
                stopped = self.now[before.worker] is before
                return "worker %d %s point %d%s %s, line %d" % (
                    before.worker, "is stopped at" if stopped else "was here before, at", before.number,
                    ", where it" if stopped else ": it", before.does(not stopped), before.line
                )
        return ""

    def returned(self, step, child):
        """What a return to a stolen frame is."""
        made, parent = self.instances[child], self.instances[child]["parent"]
        if parent < 0:
            return
        thief = next((w for w, stack in enumerate(self.stacks) if parent in stack and w != step.worker), None)
        what = "" if thief is None else ", which worker %d has stolen" % thief
        if parent in self.waiting:
            what = ", which waits at a sync"
        step.returns = "the return of %s to %s%s" % (made["call"], self.instances[parent]["name"], what)

    def passes(self, step):
        """Its worker goes on from there."""
        if step is None or step.kind not in ("lock", "unlock"):
            return
        if step.kind == "lock":
            self.held[step.memory] = step
        elif step.memory in self.held:
            del self.held[step.memory]

    def deadlock(self):
        """What each worker holds that waits for a lock, or ''."""
        made = []
        for w, at in enumerate(self.now):
            taken = self.held.get(at.memory) if at and at.kind == "lock" else None
            if at is None or taken is None:
                continue
            own = ["`%s` (line %d)" % (s.text, s.line) for s in self.held.values() if s.worker == w and s is not taken]
            rest = self.now[taken.worker]
            waits = rest is not None and rest.kind == "lock" and rest.memory in self.held and taken.worker != w
            made.append(
                "worker %d %swaits on line %d for `%s`%s"
                % (
                    w,
                    "holds %s and " % " and ".join(own) if own else "",
                    at.line,
                    at.text,
                    "" if waits else ", which %s on line %d" % (
                        "it acquired" if taken.worker == w else "worker %d acquired" % taken.worker, taken.line
                    ),
                )
            )
        return "; ".join(made)

    def deque(self, worker, entries):
        made = []
        for entry, at in zip(entries, self.stacks[worker] + [None] * len(entries)):
            closure, _, place = entry.partition(":")
            if at is not None:
                self.closures[closure] = at
            made.append(place)
        self.steps[-1].deques.append(made)

    def event(self, worker, words, line):
        kind, closure, other, file, procedure = words
        stack = self.stacks[worker]
        if kind in ("steal", "detach"):
            self.steals += kind == "steal"
            victim = int(other, 16) if other != "(nil)" else 0
            old = self.stacks[victim] if 0 <= victim < self.workers and victim != worker else []
            # a steal may detach the frame first: it is one frame
            taken = kind == "steal" and self.detached == (worker, closure)
            if kind == "steal" and victim == worker:        # frames of its own: those of a touch
                old, taken = stack, False
            at = old.pop(0) if old and not taken else self.closures.get(closure, -1)
            self.closures[closure] = at
            self.values.suspend(at, int(closure, 16))
            self.detached = (worker, closure) if kind == "detach" else None
            if victim == worker:
                return "worker %d makes a closure of its frame of %s, line %d" % (worker, procedure, line) if old else None
            return "worker %d %s %s, line %d, %s worker %d" % (
                worker, EVENTS[kind], procedure, line, "from" if kind == "steal" else "of", victim
            )
        if kind in ("suspend", "touch"):
            at = self.closures.get(closure, stack[0] if stack else -1)
            self.closures[closure] = at
            self.values.suspend(at, int(closure, 16))
            if kind == "suspend":
                self.waits(worker, at, file, line)
            self.waiting.append(at)
            stack.clear()
        elif kind == "run":
            at = self.closures.get(closure)
            if at is None:
                at = self.closures[closure] = self.instance(procedure, -1, line)
            self.waiting = [i for i in self.waiting if i != at]
            stack[:] = [at]
        elif kind == "return":
            for instance in stack:
                self.over(instance)
            stack.clear()
            self.closures.pop(closure, None)
        elif kind not in EVENTS:
            return None
        elif kind.startswith("lock-"):
            at = self.now[worker]
            return "worker %d %s `%s`" % (worker, EVENTS[kind], at.text) if at and at.kind == "lock" else None
        return "worker %d %s %s%s" % (worker, EVENTS[kind], procedure, ", line %d" % line if line else "")

    def why(self, failed):
        return step_why.sentence(self, failed)

    def turns(self):
        """The steps before which another worker ran."""
        return [
            i
            for i in range(1, len(self.steps))
            if self.steps[i].worker != self.steps[i - 1].worker
            and self.passed.issuperset(range(self.steps[i - 1].number + 1, self.steps[i].number))
        ]

    def switches(self):
        made = []
        for i in self.turns()[:12]:
            before, step = self.steps[i - 1], self.steps[i]
            made.append("%d: worker %d goes on with %s; worker %d is at %s"
                        % (before.number, step.worker, step.place(step.procedure + ", "), before.worker,
                           before.place().partition(", ")[0]))
        return made
