"""The numbers of a profile: what the runs reported, joined, ordered, and judged. Nothing is printed here."""

import math

from . import source

UNIT = "instructions"
PARALLEL = "iterations in parallel"      # what-if of a loop


class Line:
    def __init__(self, row):
        self.file, self.line, self.procedure = row[0], row[1], row[2]
        self.work, self.on_span = row[3] + row[4], row[4]

    @property
    def place(self):
        return source.place(self.file, self.line)


class Counted:
    """A spawn or a procedure."""

    def __init__(self, row):
        self.file, self.line, self.column, self.procedure, self.instances = row[:5]
        self.local, self.local_on_span = row[5] + row[6], row[6]
        self.work, self.span, self.on_span = row[7:10]

    @property
    def place(self):
        return source.place(self.file, self.line)


class Context:
    def __init__(self, row):
        self.number, self.above, self.procedure, self.file, self.line, self.instances = row[:6]
        self.local, self.local_on_span = row[6] + row[7], row[7]
        self.children = []
        self.work, self.on_span = self.local, self.local_on_span


class WhatIf:
    """`line` free, twice as fast, or the iterations of its loop in parallel."""

    def __init__(self, file, line, kind, work, span):
        self.file, self.line, self.kind, self.work, self.span = file, line, kind, work, span

    @property
    def place(self):
        return source.place(self.file, self.line)

    @property
    def parallelism(self):
        return ratio(self.work, self.span)


class Profile:
    def __init__(self, first, second, processors):
        """first: the report of the first run; second: of the one that knew the critical path, or None."""
        self.same = second is not None and second["same"] and (second["work"], second["span"]) == (first["work"], first["span"])
        exact = second if self.same else first
        self.work, self.span = first["work"], first["span"]
        self.burdened_span, self.burden = first["burdened_span"], first["burden"]
        self.spawns, self.syncs, self.instances = first["spawns"], first["syncs"], first["instances"]
        self.status = first["status"]
        self.sections, self.section_work, self.section_span = first["section"]
        self.processors = processors
        self.lines = sorted(merged(Line, exact["lines"], 3), key=lambda l: (-l.on_span, -l.work, l.file, l.line, l.procedure))
        by_share = lambda c: (-c.on_span if self.same else 0, -c.work, c.file, c.line, c.column)  # noqa: E731
        self.spawn_sites = sorted(merged(Counted, exact["spawn_sites"], 4), key=by_share)
        self.procedures = sorted(merged(Counted, exact["procedures"], 4), key=by_share)
        self.root = tree(exact["contexts"])
        self.what_if = []

    @property
    def parallelism(self):
        return ratio(self.work, self.span)

    @property
    def burdened_parallelism(self):
        return ratio(self.work, self.burdened_span)

    @property
    def strand(self):
        """How long a strand is on the average: each spawn and each sync ends one, so does each instance."""
        return self.work / max(1, self.spawns + self.syncs + self.instances)

    def time_on(self, p, burdened=True):
        """An upper bound of the greedy kind: the work is shared, the span is not."""
        span = min(self.burdened_span if burdened else self.span, self.work) if p == 1 else (self.burdened_span if burdened else self.span)
        return (self.work - min(self.work, span)) / p + span

    @property
    def busy(self):
        """How many workers have work to do, on the average."""
        return min(self.processors, ratio(self.work, self.time_on(self.processors)))

    def share(self, units):
        return units / self.span if self.span else 0.0

    def verdict(self):
        """(kind, sentence)"""
        p = self.processors
        many = "%d worker%s" % (p, "" if p == 1 else "s")
        busy = "on %s about %s are busy on the average" % (many, figure(self.busy)) if p > 1 else "one worker is always busy"
        top = self.lines[0] if self.same and self.lines else None
        if not self.spawns:
            return "serial", "Nothing is spawned: the program is serial; %s." % busy
        if self.burdened_parallelism >= 8 * p:
            return "enough", "There is enough parallelism: %s for each of %s; %s." % (figure(self.burdened_parallelism / p), many, busy)
        if self.parallelism >= 4 * self.burdened_parallelism and self.parallelism >= 4 * p:
            return "too fine", ("The spawns are too fine: a strand has %s instructions on the average, a steal costs as much as %d, and of a parallelism of %s only %s "
                                "is left; %s." % (figure(self.strand), self.burden, figure(self.parallelism), figure(self.burdened_parallelism), busy))
        if top and self.share(top.on_span) >= 0.25 and 2 * top.on_span >= top.work:      # hardly any of it runs beside anything
            return "bottleneck", "There is a serial bottleneck at %s (%s), which is %s of the span; %s." % (
                top.place, top.procedure, percent(self.share(top.on_span)), busy)
        if self.burdened_parallelism >= 2 * p:
            return "enough", "The parallelism is enough for %s, but not for many more; %s." % (many, busy)
        return "too little", "There is too little parallelism: %s%s." % (
            busy, "; most of the span is at %s (%s)" % (top.place, percent(self.share(top.on_span))) if top else "")


def merged(kind, rows, key):
    """One object for each place: a function that several files include has a row in each."""
    found = {}
    for row in rows:
        name = tuple(row[:key])
        if name in found:
            found[name] = [*row[:key], *(a + b for a, b in zip(found[name][key:], row[key:]))]
        else:
            found[name] = row
    return [kind(row) for row in found.values()]


def tree(rows):
    """The spawn tree, recursion folded; each context with what is below it."""
    all_of = {row[0]: Context(row) for row in rows}
    root = None
    for context in all_of.values():
        if context.above < 0:
            root = context
        else:
            all_of[context.above].children.append(context)
    for context in reversed(list(all_of.values())):     # children come behind their parents
        if context.above >= 0:
            all_of[context.above].work += context.work
            all_of[context.above].on_span += context.on_span
    return root


def ratio(a, b):
    return a / b if b else 1.0


def figure(x):
    """Three digits that mean something."""
    if x >= 1e15 or math.isnan(x):
        return "%.3g" % x
    if x >= 100:
        return "{:,.0f}".format(x)
    return "%.1f" % x if x >= 10 else "%.2f" % x


def percent(x):
    return "%.1f %%" % (100 * x) if x < 0.9995 else "100 %"
