"""The numbers of a profile: what the runs reported, joined, ordered, and judged. Nothing is printed here."""

import math

from . import source

UNIT = "instructions"
PARALLEL = "iterations in parallel"      # what-if of a loop
NO_SYNC = "no sync"                      # after the spawn in that line
LIBRARY = "C library"                    # in place of a procedure: what its functions cost on a line
LOOP = 16           # a spawn that has so many children for each instance of its procedure is in a loop


class Placed:
    file: str
    line: int

    @property
    def place(self):
        return source.place(self.file, self.line)


class Line(Placed):
    def __init__(self, row):
        self.file, self.line, self.procedure = row[0], row[1], row[2]
        self.work, self.on_span = row[3] + row[4], row[4]


class Counted(Placed):
    """A spawn or a procedure."""

    def __init__(self, row):
        self.file, self.line, self.column, self.procedure, self.instances = row[:5]
        self.local, self.local_on_span = row[5] + row[6], row[6]
        self.work, self.span, self.on_span = row[7:10]


class Context:
    def __init__(self, row):
        self.number, self.above, self.procedure, self.file, self.line, self.instances = row[:6]
        self.local, self.local_on_span, self.column = row[6] + row[7], row[7], row[8]
        self.children = []
        self.work, self.on_span = self.local, self.local_on_span


class Lock(Placed):
    """By the place that took it first. Its sections run one after the other."""

    def __init__(self, row):
        self.file, self.line, self.procedure, self.sections, self.work, self.longest = row


class Children(Placed):
    """For a spawn: how many syncs waited after it; the longest child of one such sync, and the work of all
    children of that sync."""

    def __init__(self, row):
        self.file, self.line, self.column, self.procedure, self.syncs, self.number, self.of, self.length, self.all = row

    @property
    def others(self):
        """What one of the other children has on average."""
        return max(0, self.all - self.length) / max(1, self.of - 1)


class WhatIf(Placed):
    """`line` free, twice as fast, the iterations of its loop in parallel, or no sync after the spawn there."""

    def __init__(self, file, line, kind, work, span):
        self.file, self.line, self.kind, self.work, self.span = file, line, kind, work, span
        # of a sync: does the race detector find more without it? None: not known
        self.needed: "bool | None" = None
        self.found = ""                             # and what

    def checked(self):
        """What the race detector says of the program without this sync."""
        if self.needed is None:
            return "not checked in time: remove it and run `cilkc race`"
        return "needed: %s" % self.found if self.needed else "`cilkc race` finds no race without it on this input"

    @property
    def parallelism(self):
        return ratio(self.work, self.span)


class Profile:
    def __init__(self, first, second, processors):
        """first: the report of the first run; second: of the one that knew the critical path, or None."""
        self.same = (
            second is not None and second["same"] and (second["work"], second["span"]) == (first["work"], first["span"])
        )
        exact = second if self.same else first
        self.work, self.span = first["work"], first["span"]
        self.burdened_span, self.burden = first["burdened_span"], first["burden"]
        self.spawns, self.syncs, self.instances = first["spawns"], first["syncs"], first["instances"]
        self.status = first["status"]
        self.sections, self.section_work, self.section_span = first["section"]
        self.processors = processors
        self.all_lines = sorted(merged(Line, exact["lines"], 3),
                                key=lambda l: (-l.on_span, -l.work, l.file, l.line, l.procedure))
        self.lines = [l for l in self.all_lines if l.procedure != LIBRARY]
        self.library = [l for l in self.all_lines if l.procedure == LIBRARY]
        by_share = lambda c: (-c.on_span if self.same else 0, -c.work, c.file, c.line, c.column)  # noqa: E731
        self.spawn_sites = sorted(merged(Counted, exact["spawn_sites"], 4), key=by_share)
        self.procedures = sorted(merged(Counted, exact["procedures"], 4), key=by_share)
        self.root = tree(exact["contexts"])
        self.what_if = []
        self.locks = sorted(map(Lock, first["locks"]), key=lambda l: (-l.work, l.file, l.line))
        self.children = [Children(row) for row in exact["children"]]
        self.alone = exact["alone"]
        self.root_of: "Counted | None" = None       # the procedure that --root names
        self.simulated: "float | None" = None       # speedup on so many processors, where it was played

    @property
    def below_main(self):
        """The one procedure that main spawns, once, or None."""
        mains = self.root.children
        below = mains[0].children if len(mains) == 1 else []
        if len(below) != 1 or sum(c.instances for c in self.spawn_sites if c.procedure == mains[0].procedure) != 1:
            return None
        return next((c for c in self.procedures if c.procedure == below[0].procedure), None)

    def begin_at(self, procedure):
        self.root_of = next((c for c in self.procedures if c.procedure == procedure), None)
        return self.root_of is not None

    @property
    def least(self):
        """No schedule is shorter: the span, or the work under one lock."""
        return max([self.span] + [l.work for l in self.locks[:1]])

    @property
    def burdened_least(self):
        return max(self.burdened_span, self.least)

    @property
    def parallelism(self):
        return ratio(self.work, self.least)

    @property
    def burdened_parallelism(self):
        return ratio(self.work, self.burdened_least)

    @property
    def strand(self):
        """How long a strand is on average: each spawn and each sync ends one, so does each instance."""
        return self.work / max(1, self.spawns + self.syncs + self.instances)

    def time_on(self, p):
        """An upper bound of the greedy kind: the work is shared, the burdened span is not."""
        span = min(self.burdened_least, self.work) if p == 1 else self.burdened_least
        return (self.work - min(self.work, span)) / p + span

    @property
    def busy(self):
        """How many workers have work to do, on average."""
        return min(self.processors, ratio(self.work, self.time_on(self.processors)))

    def share(self, units):
        return units / self.span if self.span else 0.0

    @property
    def slower(self):
        """Is there less than one worker's work for each step, steals included?"""
        return self.processors > 1 and self.spawns > 0 and self.busy < 1

    @property
    def workers(self):
        return "%d worker%s" % (self.processors, "" if self.processors == 1 else "s")

    def how_busy(self):
        if self.processors == 1:
            return "one worker is always busy"
        if self.slower:
            faster = min(self.simulated or 0,
                         self.parallelism)  # the dag that is played has the spawns' own cost, too, and that is parallel
            played = (
                "steals cost more than they gain"
                if not faster
                else "its dag takes %s times as long there as on one worker" % figure(1 / faster)
                if faster < 1
                else "its dag is %s times as fast there as on one worker, without what spawns cost" % figure(faster)
                if faster >= 1.01
                else "its dag does not run faster there than on one worker"
            )
            return "on %s it may be slower than its elision: %s" % (self.workers, played)
        return "on %s about %s are busy on average" % (self.workers, figure(self.busy))

    def verdict(self):
        """(kind, sentence)"""
        if self.root_of:
            return self.verdict_of(self.root_of)
        p, many, busy = self.processors, self.workers, self.how_busy()
        top = self.lines[0] if self.same and self.lines else None
        lock = self.locks[0] if self.locks else None
        if not self.spawns:
            return "serial", "Nothing is spawned: the program is serial; %s." % busy
        if self.burdened_parallelism >= 8 * p:
            return "enough", "There is enough parallelism: %s for each of %s; %s." % (
                figure(self.burdened_parallelism / p), many, busy
            )
        if lock and lock.work > self.burdened_span:
            return "lock", (
                "A lock is the bottleneck: %s of the work is under the lock that %s takes, in %s sections, one after the other. Without it the parallelism "
                "would be %s; %s."
                % (percent(ratio(lock.work, self.work)), lock.place, units(lock.sections),
                   figure(ratio(self.work, self.burdened_span)), busy)
            )
        if top and 2 * self.alone >= self.span:
            return "inlets", (
                "Inlets are the bottleneck: those of one procedure run one after the other, and are %s of the span; the largest part is at %s (%s). "
                "Let children do that work; %s." % (percent(self.share(self.alone)), top.place, top.procedure, busy)
            )
        loop = self.loop_of_spawns()
        if loop:
            return "loop of spawns", (
                "A loop of spawns is the bottleneck: %s (%s) spawns %s children one after the other, which is %s of the span. Halve the range, "
                "or use par_for of <par.cilkh>; %s."
                % (loop[0].place, loop[0].procedure, units(loop[0].instances), percent(self.share(loop[1])), busy)
            )
        if self.parallelism >= 4 * self.burdened_parallelism and self.parallelism >= 4 * p:
            return "too fine", (
                "The spawns are too fine: a strand has %s instructions on average, a steal costs as much as %d, and %s; %s."
                % (figure(self.strand), self.burden,
                   "of a parallelism of %s only %s is left" % (figure(self.parallelism), figure(self.burdened_parallelism))
                   if self.burdened_parallelism >= 1 else "on the longest path steals would cost more than all of the work",
                   busy)
            )
        cause = self.cause()
        # hardly any of it runs beside anything
        if not cause and top and self.share(top.on_span) >= 0.25 and 2 * top.on_span >= top.work:
            return "bottleneck", "There is a serial bottleneck at %s (%s), which is %s of the span; %s." % (
                top.place, top.procedure, percent(self.share(top.on_span)), busy)
        if self.below_main and 2 * self.below_main.span < self.span:
            kind, sentence = self.verdict_of(self.below_main)
            return kind, "%s %s; %s." % (sentence, self.beside(self.below_main), busy)
        if self.burdened_parallelism >= 2 * p:
            return "enough", "The parallelism is enough for %s, but not for many more; %s." % (many, busy)
        return "too little", "There is too little parallelism: %s%s." % (
            busy, "; " + cause if cause
            else "; the largest part of the span is at %s (%s)" % (top.place, percent(self.share(top.on_span))) if top
            else ""
        )

    def beside(self, c):
        """What has the rest of the span."""
        library = self.share(sum(l.on_span for l in self.library))
        return "What %s does alone is %s of the program's span%s" % (
            self.root.children[0].procedure, percent(self.share(self.span - c.span)),
            ", and calls of the C library are %s of it" % percent(library) if library >= 0.05 else ""
        )

    def verdict_of(self, c):
        """The same of one procedure. What a steal costs there is not known."""
        parallelism = ratio(c.work, c.span)
        where = self.longest_of(c)
        if parallelism >= 8 * self.processors:
            return "enough", "%s has enough parallelism: %s for each of %s." % (
                c.procedure, figure(parallelism / self.processors), self.workers
            )
        if parallelism >= 2 * self.processors:
            return "enough", "The parallelism of %s is enough for %s, but not for many more%s." % (
                c.procedure, self.workers, where
            )
        cause = self.cause()
        return "too little", "%s has too little parallelism for %s%s." % (
            c.procedure, self.workers, "; " + cause if cause else where
        )

    def longest_of(self, c):
        """The line of a procedure that is the longest on the span. Where C functions have most of the procedure's span,
        and no other procedure calls them, the line is the longest of theirs."""
        lines = [l for l in self.lines if self.same and l.on_span]
        inside = [l for l in lines if l.procedure == c.procedure and l.file == c.file]
        called = [l for l in lines if l.procedure not in {p.procedure for p in self.procedures}]
        own, theirs = (sum(l.on_span for l in some) for some in (inside, called))
        if theirs > own and own + theirs <= 1.01 * c.local_on_span:
            return "; of the C functions that it calls %s (%s) is the longest line on the program's span" % (
                called[0].place, called[0].procedure
            )
        return "; of its own lines %s is the longest on the program's span" % inside[0].place if inside else ""

    def cause(self):
        """What the program's shape says of too little parallelism: a sync that comes early, one child that is much
        longer than its siblings."""
        early = max((w for w in self.what_if if w.kind == NO_SYNC and not w.needed), key=lambda w: w.parallelism,
                    default=None)
        if early and early.parallelism >= 2 * self.parallelism:
            return "without the sync after the spawn at %s the parallelism would be %s (%s)" % (
                early.place, figure(early.parallelism), early.checked()
            )
        needed = max((w for w in self.what_if if w.kind == NO_SYNC and w.needed), key=lambda w: w.parallelism,
                     default=None)
        if needed and self.parallelism < 1.5 and needed.parallelism >= 8 * self.parallelism:
            return ("after the spawn at %s a sync lets the children run one after the other, and it is needed: %s. "
                    "If each child had its own, the parallelism would be %s"
                    % (needed.place, needed.found, figure(needed.parallelism)))
        longest = self.longest_child()
        if longest:
            return (
                "of %s children spawned at %s, number %s is the long one: its span is %s instructions, the others have %s on average"
                % (
                    units(longest.of),
                    longest.place,
                    units(longest.number),
                    units(longest.length),
                    figure(longest.others),
                )
            )
        return ""

    def between(self):
        """Spawns that a sync follows before the procedure's last one, where the parallelism is small: `x = spawn f();
        sync; y = spawn f(); sync;`."""
        if self.parallelism >= 2 * self.processors:
            return []
        last: "dict[tuple[str, str], int]" = {}
        for c in self.children:
            if c.syncs:
                last[c.file, c.procedure] = max(c.line, last.get((c.file, c.procedure), 0))
        return [c for c in self.children if c.syncs and c.line < last[c.file, c.procedure]]

    def early_syncs(self):
        """Without which there would be more parallelism, the best first."""
        found = [w for w in self.what_if if w.kind == NO_SYNC and w.parallelism > 1.05 * self.parallelism]
        return sorted(found, key=lambda w: (w.span, w.file, w.line))[:5]

    def longest_child(self):
        """One that makes up most of the span, and has siblings with much less."""
        found = max((c for c in self.children if c.of >= 3), key=lambda c: c.length, default=None)
        return found if found and 2 * found.length >= self.span and found.length >= 4 * found.others else None

    def loop_of_spawns(self):
        """(spawn, units of the span around it), where a loop that spawns is half of the span or more."""
        if not self.same:
            return None
        instances = {(c.file, c.procedure): c.instances for c in self.procedures}
        for site in self.spawn_sites:
            if site.instances >= LOOP * max(1, instances.get((site.file, site.procedure), 1)):
                near = sum(l.on_span for l in self.lines
                           if l.file == site.file and l.procedure == site.procedure and abs(l.line - site.line) <= 2)
                if (
                    2 * near >= self.span
                    and near <= self.burden * site.instances
                    and 2 * near >= near_work(self.lines, site)
                ):
                    return site, near
        return None


def near_work(lines, site):
    return sum(l.work for l in lines
               if l.file == site.file and l.procedure == site.procedure and abs(l.line - site.line) <= 2)


def units(n):
    return "{:,}".format(n)


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
    for context in reversed(list(all_of.values())):     # children come after their parents
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
