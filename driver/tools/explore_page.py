"""A run of `cilkc explore`, step by step: what each worker does and has, as a model and as a page that needs nothing
else (explore.html, explore.js).

The runtime writes a line for each point, with the deques, and one for each event between two points. From these the
model makes the tree of instances: which worker runs which, which wait at a sync. With --spawn=lazy frames that were
released are only known by their closures.
"""

import json
import re

from . import source, template

SPAWNED = re.compile(r"(\w+)\s*\(")          # the procedure, in the text of a spawn
DOES = {
    "read": "reads",
    "write": "writes",
    "atomic": "uses atomically",
    "spawn": "spawns",
    "call": "calls",
    "begin": "begins",
    "yield": "passes the processor on",
    "return": "has returned from a child",
}
EVENTS = {
    "steal": "steals",
    "detach": "takes",
    "suspend": "waits at a sync of",
    "run": "goes on with",
    "deliver": "delivers a result to",
    "inlet": "runs an inlet of",
    "abort": "aborts the children of",
    "return": "returns from",
    "lock-wait": "waits for a lock",
    "lock-taken": "has the lock",
    "touch": "waits for a future in",
    "release": "makes a closure of",
}


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

    def place(self, within=""):
        if self.procedure:
            return "%sline %d" % (within, self.line)
        return "the return to a stolen frame" if self.kind == "return" else "code outside of procedures"

    def sentence(self):
        if not self.procedure:
            return "worker %d is at %s" % (self.worker, self.place())
        if self.kind == "return":
            return "worker %d: a child of %s has returned, line %d" % (self.worker, self.procedure, self.line)
        what = self.text.partition("(")[0] if self.kind == "call" else self.text.removeprefix("spawn ")
        return "worker %d %s %s, line %d of %s" % (
            self.worker,
            DOES[self.kind],
            what or "memory",
            self.line,
            self.procedure,
        )


class Story:
    def __init__(self, outcome, workers):
        self.workers, self.steps, self.instances, self.steals = workers, [], [], 0
        self.stacks, self.waiting, self.closures = [[] for _ in range(workers)], [], {}
        self.passed: "set[int]" = set()     # points that are steps of the runtime
        self.last = {}          # memory -> the last step that used it
        between: "list[str | None]" = []
        spawned: "Step | None" = None
        for words in outcome.lines:
            try:
                if words[0] == "event" and len(words) >= 8:
                    if spawned is not None:
                        self.begins(spawned)
                        spawned = None
                    between.append(self.event(int(words[1]), words[2], words[3], words[4], words[6], int(words[7])))
                elif words[0] == "point" and len(words) >= 9:
                    if spawned is not None:
                        self.begins(spawned)
                    step = Step(words, list(filter(None, between)))
                    between = []
                    self.point(step)
                    spawned = step if step.kind == "spawn" else None
                elif words[0] == "step":
                    self.passed.add(int(words[1]))
                elif words[0] == "deque" and self.steps and len(self.steps[-1].deques) < workers:
                    self.deque(int(words[1]), words[2:])
            except (ValueError, IndexError):
                continue        # a line that was cut off: the program was killed
        self.after = list(filter(None, between))

    # ---- the model ----

    def instance(self, name, parent, line):
        self.instances.append({"name": name, "parent": parent, "line": line, "born": len(self.steps)})
        return len(self.instances) - 1

    def begins(self, step):
        stack = self.stacks[step.worker]
        name = SPAWNED.search(step.text)
        stack.append(self.instance(name.group(1) if name else "?", stack[-1] if stack else -1, step.line))

    def point(self, step):
        stack = self.stacks[step.worker]
        if not stack:
            stack.append(self.instance(step.procedure or "?", -1, 0))
        if step.kind == "return":
            stack.pop()
        if step.memory not in ("(nil)", "0x0"):
            before = self.last.get(step.memory)
            if before and before.worker != step.worker and (before.kind != "read" or step.kind != "read"):
                step.note = "worker %d was here before, at point %d: it %s %s, line %d" % (
                    before.worker,
                    before.number,
                    DOES[before.kind],
                    before.text,
                    before.line,
                )
            self.last[step.memory] = step
        step.stacks, step.waiting = [list(s) for s in self.stacks], list(self.waiting)
        self.steps.append(step)

    def deque(self, worker, entries):
        made = []
        for entry, at in zip(entries, self.stacks[worker] + [None] * len(entries)):
            closure, _, place = entry.partition(":")
            if at is not None:
                self.closures[closure] = at
            made.append(place)
        self.steps[-1].deques.append(made)

    def event(self, worker, kind, closure, other, procedure, line):
        stack = self.stacks[worker]
        if kind in ("steal", "detach"):
            self.steals += kind == "steal"
            victim = int(other, 16) if other != "(nil)" else 0
            old = self.stacks[victim] if 0 <= victim < self.workers and victim != worker else []
            at = old.pop(0) if old else self.closures.get(closure, -1)
            self.closures[closure] = at
            return "worker %d %s %s, line %d, %s worker %d" % (
                worker,
                EVENTS[kind],
                procedure,
                line,
                "from" if kind == "steal" else "of",
                victim,
            )
        if kind == "suspend":
            at = self.closures.get(closure, stack[0] if stack else -1)
            self.closures[closure] = at
            self.waiting.append(at)
            stack.clear()
        elif kind == "run":
            at = self.closures.get(closure)
            if at is None:
                at = self.closures[closure] = self.instance(procedure, -1, line)
            self.waiting = [i for i in self.waiting if i != at]
            stack[:] = [at]
        elif kind == "return":
            stack.clear()
            self.closures.pop(closure, None)
        elif kind not in EVENTS:
            return None
        return "worker %d %s %s%s" % (worker, EVENTS[kind], procedure, ", line %d" % line if line else "")

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
            made.append(
                "%d: worker %d goes on with %s; worker %d is at %s"
                % (before.number, step.worker, step.place(step.procedure + ", "), before.worker, before.place())
            )
        return made


def make(story, title, facts, files):
    names = [name for name in dict.fromkeys(list(files) + [s.file for s in story.steps]) if source.lines(name)]
    used = {s.file for s in story.steps} | set(files)
    data = {
        "title": title,
        "facts": facts,
        "workers": story.workers,
        "after": story.after,
        "instances": story.instances,
        "turns": story.turns(),
        "sources": [
            {"name": name, "lines": [source.printable(line.expandtabs(4).rstrip(), 200) for line in source.lines(name)]}
            for name in names
            if name in used
        ],
        "steps": [
            {
                "n": s.number,
                "w": s.worker,
                "kind": s.kind,
                "file": names.index(s.file) if s.file in names else -1,
                "line": s.line,
                "procedure": s.procedure,
                "says": s.sentence(),
                "note": s.note,
                "before": s.before,
                "deques": s.deques,
                "stacks": s.stacks,
                "waiting": s.waiting,
            }
            for s in story.steps
        ],
    }
    text = template.page("explore", title + ": a failing schedule")
    return template.filled(text, json.dumps(data, separators=(",", ":")))
