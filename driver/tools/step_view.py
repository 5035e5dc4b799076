"""A step of a run (step_story.py) as lines of text: what step.js draws, for step_tui.py."""

from . import source
from .step_values import UNKNOWN


class View:
    """What holds at a step is the sum of what changed up to it."""

    def __init__(self, story):
        self.story = story
        self.rewind()

    def rewind(self):
        self.at, self.leaves, self.frames, self.heap, self.printed = -1, {}, {}, {}, 0

    def go(self, index):
        if index < self.at:
            self.rewind()
        for step in self.story.steps[self.at + 1:index + 1]:
            self.leaves.update(zip(step.changes[::2], step.changes[1::2]))
            self.heap.update(dict.fromkeys(step.born))
            for number in step.freed:
                self.heap.pop(number, None)
            if step.frames:
                self.frames[step.frames[0]] = step.frames[1]
            self.printed = step.printed or self.printed
        self.at = index
        return self.story.steps[index]

    def value(self, shape):
        if isinstance(shape, int):
            return self.leaves.get(shape, UNKNOWN).partition("#")[0]
        if "a" in shape:
            more = [] if shape["n"] <= len(shape["a"]) else ["… %d" % shape["n"]]
            return "[%s]" % ", ".join([self.value(cell) for cell in shape["a"]] + more)
        return "{%s}" % ", ".join("%s = %s" % (name, self.value(inner)) for name, inner in shape["m"])

    def variable(self, number, pending=()):
        """(style, text)"""
        variable = self.story.values.variables[number]
        fresh = set(self.story.steps[self.at].changes[::2]).intersection(leaf.number for leaf in variable.leaves)
        style = "pending" if number in pending else "fresh" if fresh else ""
        return style, "%s = %s" % (variable.name, self.value(variable.shape))

    def label(self, instance):
        made = self.story.instances[instance]
        return made.get("label", made["name"])

    def workers(self, step):
        for w, stack in enumerate(step.stacks):
            how = "runs" if w == step.worker else "is stopped" if stack else "has nothing"
            deque = ", ".join(step.deques[w]) if w < len(step.deques) and step.deques[w] else "empty"
            yield "now" if w == step.worker else "", "worker %d %s: %s; deque: %s" % (
                w, how, " → ".join(map(self.label, stack)) or "-", deque)

    def variables(self, step):
        """Lines of (style, text) pieces: those of live instances, global ones, the heap, locks."""
        for instance in sorted({i for stack in step.stacks for i in stack}.union(step.waiting)):
            yield [("head", self.label(instance) + (", waits at a sync" if instance in step.waiting else ""))]
            for name, visible in self.frames.get(instance, []):
                inside = [("quiet", "in %s() " % name)] if name else []
                if inside or visible:
                    yield [("", "  "), *inside, *self.spaced(visible, step.pending)]
        variables = self.story.values.variables
        for title, numbers in (("global variables", [v.number for v in variables if v.owner == -1]),
                               ("on the heap", list(self.heap))):
            if numbers:
                yield [("head", title)]
            for number in numbers:
                yield [("", "  "), self.variable(number)]
        for name, worker, line, waiters in step.locks:
            yield [("", "lock %s: worker %d holds it (line %d)%s"
                    % (name, worker, line, "".join("; worker %d waits" % w for w in waiters)))]

    def spaced(self, numbers, pending):
        for number in numbers:
            yield self.variable(number, pending)
            yield "", "   "

    def news(self, step):
        yield "now", step.sentence()
        if step.note:
            yield "bad", step.note
        before = [step.comes_after.finished()] if step.comes_after else []
        for text in filter(None, before + step.before):
            yield "quiet", "· " + text

    def text(self, step, height):
        """The lines of the source around the step."""
        lines = source.lines(step.file)
        first = max(0, min(step.line - 1 - height // 2, len(lines) - height))
        for number, line in enumerate(lines[first:first + height], first + 1):
            yield "now" if number == step.line else "", "%5d  %s" % (number, source.printable(line.expandtabs(4), 200))
