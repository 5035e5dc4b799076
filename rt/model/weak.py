"""An exhaustive explorer of small programs under C11's memory model, as RC11 defines it.  python3 rt/model/weak.py
[FILE...]

The model (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017) is a set of
axioms over execution graphs: which write each read reads from (rf), the order of the writes to each place (mo), and
what happens before what (hb). There po and rf form no cycle. So each consistent graph can be built event by event, a
read always from a write that is already there. The explorer does so in all ways, and forgets in which order a graph was
built, so each graph is seen once. What this leaves out: load buffering (LB), which C11 as published and ARMv8 allow
between relaxed accesses. No protocol of the runtime needs LB to be impossible. A release sequence is what C++20 says:
the release store, then read-modify-writes; later plain stores of the same thread do not belong to it, as they did in
C11. So what holds here holds with either.

The language, line by line (`#` begins a comment; FILE.weak are examples):

    place T=1 E=0                    places in memory and what is there at first.
    thread NAME                      its instructions follow;  `on NAME`: those of a handler for a signal that runs
                                     on that thread, once per `kill`.

    r = load ORDER P                 ORDER is na (not atomic), rlx, acq, rel, ar (acquire and release), sc.
    store ORDER P EXPR

    r = xchg ORDER P EXPR            r = add ORDER P EXPR           r = or / and ORDER P EXPR
    r = cas ORDER P OLD NEW          r: what was there; a failed one is a load of the order without release.
    r = await ORDER P EXPR           a load that is repeated until EXPR (over r) holds; others are waited for, so one
                                     that never ends is found.

    lock P    unlock P               a word, 0 or 1: xchg acq until 0; store rel.
    fence ORDER                      heavy: membarrier(2): every other thread executes a full fence somewhere between
                                     two of its instructions, meanwhile.
    kill NAME                        a signal to that thread: its handler runs once, between two instructions, or
                                     when it is done.
    r = EXPR      goto L     if EXPR goto L     L:     assert EXPR
    finally EXPR                     must hold when all threads are done: over NAME.r and places (the last write in
                                     mo).
    exists EXPR allowed|forbidden    of litmus tests: whether some execution ends so.
    LINE @TAG                        a name for the line, which mutants use.
    mutant NAME: OLD => NEW          a weakening, which must break the program; several edits are separated by `;`.
                                     OLD is a piece of text that occurs once, or @TAG, the line of that name; NEW is
                                     what replaces it (nothing: left out), or `after @TAG`: moved to after
                                     that line.
    describes FILE: FUNCTION...      the functions of the runtime that the model is about (anchors.py).
    limit N                          graphs after which the search gives up: that is a failure.

There are three kinds of errors. One is an assertion or `finally` that fails. One is a data race: two accesses, one of
them a write, one of them na, unordered by hb. One is a thread that waits for ever.
"""

import pathlib
import re
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
ACQUIRE, RELEASE = {"acq", "ar", "sc"}, {"rel", "ar", "sc"}
RMW = {
    "xchg": lambda old, v: v,
    "cas": lambda old, v: v,
    "lock": lambda old, v: 1,
    "add": lambda old, v: old + v,
    "or": lambda old, v: old | v,
    "and": lambda old, v: old & v,
}


class Wrong(Exception):
    """The text of a model is not understood."""


@dataclass(frozen=True)
class Event:
    thread: int
    kind: str                             # R, W, U (read-modify-write), F
    order: str
    place: str = ""
    value: int = 0                        # written
    source: int = -1                      # index of the write that was read

    @property
    def reads(self):
        return self.kind in "RU"

    @property
    def writes(self):
        return self.kind in "WU"


@dataclass
class Program:
    name: str
    places: "dict[str, int]" = field(default_factory=dict)
    threads: "list[str]" = field(default_factory=list)
    code: "dict[str, list]" = field(default_factory=dict)         # thread or "on thread": instructions
    labels: "dict[str, dict[str, int]]" = field(default_factory=dict)
    final: "list[tuple[str, object]]" = field(default_factory=list)
    exists: "list[tuple[str, object, bool]]" = field(default_factory=list)
    mutants: "dict[str, list[tuple[str, str]]]" = field(default_factory=dict)
    describes: "list[str]" = field(default_factory=list)
    limit: int = 400000


def expression(text):
    """Compiled; names are registers, NAME.r of other threads, places."""
    names = re.sub(r"\b([a-z]\w*)\.(\w+)\b", r"\1__\2", text).replace("&&", " and ").replace("||", " or ")
    names = re.sub(r"!(?!=)", " not ", names)
    try:
        return compile(names.strip(), text, "eval")
    except SyntaxError:
        raise Wrong("not an expression: " + text) from None


ORDERS = r"(na|rlx|acq|rel|ar|sc)"
FORMS = [
    ("load", r"(\w+) = load %s (\w+)" % ORDERS),
    ("store", r"store %s (\w+) (.+)" % ORDERS),
    ("rmw", r"(\w+) = (xchg|add|or|and) %s (\w+) (.+)" % ORDERS),
    ("cas", r"(\w+) = cas %s (\w+) (\S+) (\S+)" % ORDERS),
    ("await", r"(\w+) = await %s (\w+) (.+)" % ORDERS),
    ("lock", r"lock (\w+)"),
    ("unlock", r"unlock (\w+)"),
    ("fence", r"fence %s" % ORDERS),
    ("heavy", r"heavy"),
    ("kill", r"kill (\w+)"),
    ("goto", r"goto (\w+)"),
    ("if", r"if (.+) goto (\w+)"),
    ("assert", r"assert (.+)"),
    ("let", r"(\w+) = (.+)"),
]


def instruction(line):
    for kind, form in FORMS:
        found = re.fullmatch(form, line)
        if found:
            words = list(found.groups())
            if kind in ("store", "rmw", "await", "assert", "let"):
                words[-1] = expression(words[-1])
            elif kind == "cas":
                words[-2:] = map(expression, words[-2:])
            elif kind == "if":
                words[0] = expression(words[0])
            return (kind, *words)
    raise Wrong("not an instruction: " + line)


def lines_of(text):
    return [line for line in (re.sub(r"#.*", "", raw).strip() for raw in text.splitlines()) if line]


TAG = re.compile(r"\s+(@[\w-]+)$")


def parse(text, name="program"):
    program = Program(name)
    here = ""
    for line in lines_of(text):
        line = TAG.sub("", line) if not line.startswith("mutant") else line
        word, _, rest = line.partition(" ")
        if word == "place":
            program.places.update((key, int(value)) for key, value in (pair.split("=") for pair in rest.split()))
        elif word == "thread" or word == "on":
            here = rest if word == "thread" else line
            program.code[here], program.labels[here] = [], {}
            if word == "thread":
                program.threads.append(rest)
        elif word == "finally":
            program.final.append((rest, expression(rest)))
        elif word == "exists":
            condition, _, verdict = rest.rpartition(" ")
            program.exists.append((condition, expression(condition), verdict == "allowed"))
        elif word == "mutant":
            title, _, edits = rest.partition(": ")
            program.mutants[title] = [
                (old.strip(), new.strip()) for old, _, new in (edit.partition("=>") for edit in edits.split(";"))
            ]
        elif word == "describes":
            program.describes.append(rest)
        elif word == "limit":
            program.limit = int(rest)
        elif re.fullmatch(r"\w+:", line):
            program.labels[here][line[:-1]] = len(program.code[here])
        elif not here:
            raise Wrong("outside of a thread: " + line)
        else:
            program.code[here].append(instruction(line))
    for here, code in program.code.items():
        for step in code:
            target = step[-1] if step[0] in ("goto", "if") else None
            if target is not None and target not in program.labels[here]:
                raise Wrong("no such label: " + target)
    return program


def mutated(text, edits):
    """The text with each OLD, which occurs once outside of mutants, replaced."""
    lines = [line for line in lines_of(text) if not line.startswith(("mutant", "describes"))]

    def tagged(tag):
        found = [i for i, line in enumerate(lines) if line.endswith(" " + tag)]
        if len(found) != 1:
            raise Wrong("there are %d lines %s" % (len(found), tag))
        return found[0]

    for old, new in edits:
        if old.startswith("@"):
            at = tagged(old)
            if new.startswith("after "):
                line = lines.pop(at)
                lines.insert(tagged(new[6:]) + 1, line)
            else:
                lines[at:at + 1] = [new + " " + old] if new else []
        else:
            hits = [i for i, line in enumerate(lines) if old in line]
            if len(hits) != 1 or lines[hits[0]].count(old) != 1:
                raise Wrong("occurs in %d lines: %s" % (len(hits), old))
            lines[hits[0]] = lines[hits[0]].replace(old, new)
    return "\n".join(lines)


class Graph:
    """An execution so far. Events are numbered in the order in which they were added; a copy is made for each step."""

    __slots__ = ("events", "hb", "mo", "release", "names", "own")

    def __init__(self, other=None):
        if other is None:
            self.events, self.hb, self.mo, self.release, self.names, self.own = [], [], {}, [], [], {}
        else:
            self.events, self.hb, self.release, self.names = (
                other.events[:],
                other.hb[:],
                other.release[:],
                other.names[:],
            )
            self.mo = dict(other.mo)
            self.own = dict(other.own)

    def before(self, thread):
        """What happens before the next event of a thread (-1: the initial writes) by program order and what came before
        that."""
        last = self.own.get(thread, ())
        return self.hb[last[-1]] | 1 << last[-1] if last else self.hb_of_start

    @property
    def hb_of_start(self):
        mask = 0
        for i, event in enumerate(self.events):
            if event.thread >= 0:
                break
            mask |= 1 << i
        return mask

    def released_by(self, i):
        """What an acquiring reader of write i learns: hb masks of release heads, through its read-modify-writes
        (C++20's release sequence)."""
        return self.release[i]

    def add(self, event, position=None):
        """The event's number. position: where the write goes in mo."""
        i = len(self.events)
        mask = self.before(event.thread)
        own = self.own.get(event.thread, ())
        if event.reads and event.order in ACQUIRE:
            mask |= self.released_by(event.source)
        if event.kind == "F" and event.order in ACQUIRE:
            for j in own:                 # reads before the fence synchronise now
                if self.events[j].reads and self.events[j].order != "na":
                    mask |= self.released_by(self.events[j].source)
        self.events.append(event)
        self.hb.append(mask)
        self.own[event.thread] = own + (i,)
        self.names.append((event.thread, len(own)))
        release = 0
        if event.writes:
            if event.order in RELEASE:
                release = mask | 1 << i
            elif event.order != "na":
                for j in reversed(own):   # a release fence before a relaxed store
                    if self.events[j].kind == "F" and self.events[j].order in RELEASE:
                        release = self.hb[j] | 1 << j
                        break
            if event.kind == "U":
                release |= self.release[event.source]
            order = self.mo[event.place]
            self.mo[event.place] = order[:position] + (i,) + order[position:]
        self.release.append(release)
        return i

    def least(self, thread, place):
        """The first position of mo that the thread may read from: later than what it knows of."""
        mask = self.before(thread)
        order = self.mo[place]
        known = {}
        for position, w in enumerate(order):
            known[w] = position
        least = 0
        for i, event in enumerate(self.events):
            if mask >> i & 1 and event.place == place:
                if event.writes:
                    least = max(least, known[i])
                if event.reads:
                    least = max(least, known[event.source])
        return least

    def race(self, event):
        """Another access that the new one races with."""
        mask = self.before(event.thread)
        for i, other in enumerate(self.events):
            if (other.place == event.place and other.thread not in (event.thread, -1) and (other.writes or event.writes)
                    and "na" in (other.order, event.order) and not mask >> i & 1):
                return other
        return None

    def key(self):
        name = self.names
        return (
            tuple(
                sorted(
                    (name[i], e.kind, e.order, e.place, e.value, name[e.source] if e.source >= 0 else None)
                    for i, e in enumerate(self.events)
                )
            ),
            tuple((place, tuple(name[i] for i in order)) for place, order in sorted(self.mo.items())),
        )

    def sequentially_consistent(self):
        """RC11's axiom: psc has no cycle."""
        events, hb, n = self.events, self.hb, len(self.events)
        strong = [i for i in range(n) if events[i].order == "sc" and events[i].thread >= 0]
        if len(strong) < 2:
            return True
        after = [0] * n                   # hb, forwards
        for i in range(n):
            for j in range(i):
                if hb[i] >> j & 1:
                    after[j] |= 1 << i
        at = [0] * n
        mo, rb, rf = [0] * n, [0] * n, [0] * n
        for order in self.mo.values():
            for k, i in enumerate(order):
                for j in order[k + 1:]:
                    mo[i] |= 1 << j
                at[i] = k
        same: "dict[str, int]" = {}
        for i, event in enumerate(events):
            if event.place:
                same[event.place] = same.get(event.place, 0) | 1 << i
            if event.reads:
                rb[i] = mo[event.source] & ~(1 << i)
                rf[event.source] |= 1 << i
        sb = [0] * n
        for own in self.own.values():
            mask = 0
            for i in reversed(own):
                sb[i] = mask
                mask |= 1 << i

        def through(mask, relation):
            found = 0
            while mask:
                low = mask & -mask
                found |= relation[low.bit_length() - 1]
                mask ^= low
            return found

        scb = [0] * n
        away = [sb[i] & ~same.get(events[i].place, 0) for i in range(n)]
        for i in range(n):
            here = same.get(events[i].place, 0)
            scb[i] = sb[i] | through(through(away[i], after), away) | (after[i] & here) | mo[i] | rb[i]
        fences = sum(1 << i for i in strong if events[i].kind == "F")
        accesses = sum(1 << i for i in strong) & ~fences
        into_fence = [0] * n              # hb?; [F]
        for i in range(n):
            into_fence[i] = (after[i] | 1 << i) & fences
        eco = [rf[i] | mo[i] | rb[i] for i in range(n)]
        changed = True
        while changed:
            changed = False
            for i in range(n):
                more = eco[i] | through(eco[i], eco)
                changed |= more != eco[i]
                eco[i] = more
        psc = {}
        for i in strong:
            start = after[i] | 1 << i if events[i].kind == "F" else 1 << i
            reach = through(start, scb)
            mask = (reach & accesses) | through(reach, into_fence)
            if events[i].kind == "F":
                mask |= (after[i] | through(through(after[i], eco), after)) & fences
            psc[i] = mask
        for i in strong:                  # closed under itself
            seen, todo = 0, psc[i]
            while todo:
                low = todo & -todo
                seen |= low
                todo = (todo | psc.get(low.bit_length() - 1, 0)) & ~seen
            if seen >> i & 1:
                return False
        return True


@dataclass(frozen=True)
class Thread:
    """Where a thread is: program counter and registers, of its code and of a handler that interrupts it."""
    pc: int = 0
    registers: tuple = ()
    pending: tuple = ()                   # signals: the events of the threads that sent them
    handler: int = -1                     # its program counter; -1: not in it
    handler_registers: tuple = ()


class Explorer:
    def __init__(self, program):
        self.program = program
        self.names = program.threads
        self.graphs = 0
        self.ends = set()                 # of final values
        self.error = ""
        self.cut_off = False

    # ---- values

    def value(self, code, registers):
        return int(eval(code, {"__builtins__": {}}, dict(registers)))    # expressions of our own models

    def run(self):
        start = Graph()
        for place, value in self.program.places.items():
            start.mo[place] = ()
            start.add(Event(-1, "W", "na", place, value), 0)
        start.own[-1] = ()
        threads = tuple(Thread() for _ in self.names)
        seen = set()
        todo = [(start, threads)]
        while todo and not self.error:
            graph, threads = todo.pop()
            key = (graph.key(), threads)
            if key in seen:
                continue
            seen.add(key)
            self.graphs += 1
            if self.graphs > self.program.limit:
                self.cut_off = True
                return self
            steps = [next_one for t in range(len(threads)) for next_one in self.steps(graph, threads, t)]
            if not steps and not self.error:
                self.end(graph, threads)
            todo.extend(steps)
        return self

    def done(self, thread, t):
        return thread.pc >= len(self.program.code[self.names[t]]) and thread.handler < 0

    def end(self, graph, threads):
        if not graph.sequentially_consistent():
            return
        waiting = [self.names[t] for t, thread in enumerate(threads) if not self.done(thread, t)]
        if waiting:
            self.fail(graph, "waits for ever: " + ", ".join(waiting))
            return
        values = {place: graph.events[order[-1]].value for place, order in graph.mo.items()}
        for t, thread in enumerate(threads):
            values.update(("%s__%s" % (self.names[t], key), value) for key, value in thread.registers)
        for text, code in self.program.final:
            if not self.value(code, values.items()):
                self.fail(graph, "finally does not hold: " + text)
        for n, (_, code, _) in enumerate(self.program.exists):
            if self.value(code, values.items()):
                self.ends.add(n)

    def fail(self, graph, why):
        if not self.error and graph.sequentially_consistent():
            self.error = why

    # ---- one step of a thread

    def steps(self, graph, threads, t):
        """All ways to go on with thread t."""
        thread, name = threads[t], self.names[t]
        found = []
        if thread.handler < 0 and thread.pending:
            more = Graph(graph)           # what came before the signal was sent comes before its handler
            sent = more.names.index(thread.pending[0])
            more.hb[more.add(Event(t, "F", "rlx"))] |= graph.hb[sent] | 1 << sent
            found.append((more, self.put(threads, t, Thread(thread.pc, thread.registers, thread.pending[1:], 0, ()))))
        in_handler = thread.handler >= 0
        code = self.program.code["on " + name] if in_handler else self.program.code[name]
        pc = thread.handler if in_handler else thread.pc
        if pc >= len(code):
            if in_handler:
                found.append((graph, self.put(threads, t, Thread(thread.pc, thread.registers, thread.pending))))
            return found
        labels = self.program.labels["on " + name if in_handler else name]
        registers = dict(thread.handler_registers if in_handler else thread.registers)

        def at(pc, threads=threads, **new):
            values = tuple(sorted({**registers, **new}.items()))
            now = threads[t]
            if in_handler:
                return self.put(threads, t, Thread(now.pc, now.registers, now.pending, pc, values))
            return self.put(threads, t, Thread(pc, values, now.pending))

        step = code[pc]
        kind = step[0]
        if kind == "let":
            found.append((graph, at(pc + 1, **{step[1]: self.value(step[2], registers.items())})))
        elif kind == "goto":
            found.append((graph, at(labels[step[1]])))
        elif kind == "if":
            found.append((graph, at(labels[step[2]] if self.value(step[1], registers.items()) else pc + 1)))
        elif kind == "assert":
            if not self.value(step[1], registers.items()):
                self.fail(graph, "assertion in " + name)
            found.append((graph, at(pc + 1)))
        elif kind == "kill":
            victim = self.names.index(step[1])
            was = threads[victim]
            more = Graph(graph)
            pending = was.pending + (more.names[more.add(Event(t, "F", "rlx"))],)
            found.append(
                (
                    more,
                    at(
                        pc + 1,
                        self.put(
                            threads, victim, Thread(was.pc, was.registers, pending, was.handler, was.handler_registers)
                        ),
                    ),
                )
            )
        elif kind == "fence":
            more = Graph(graph)
            more.add(Event(t, "F", step[1]))
            self.keep(found, more, step[1], at(pc + 1))
        # all fences at once: each other thread is between two of its instructions anyway
        elif kind == "heavy":
            more = Graph(graph)
            ends = [more.add(Event(u, "F", "sc")) for u in range(len(self.names)) if u != t]
            more.add(Event(t, "F", "sc"))
            for end in ends:  # the system call returns after the others' fences, and they come after it began
                more.hb[-1] |= more.hb[end] | 1 << end
            for end in ends:
                more.hb[end] |= graph.before(t)
            self.keep(found, more, "sc", at(pc + 1))
        elif kind in ("store", "unlock"):
            order, place, value = (
                ("rel", step[1], 0) if kind == "unlock" else (step[1], step[2], self.value(step[3], registers.items()))
            )
            for position in self.write_positions(graph, t, place):
                self.write(found, graph, Event(t, "W", order, place, value), position, at(pc + 1))
        else:
            self.read(found, graph, t, step, registers, lambda **new: at(pc + 1, **new))
        return found

    def put(self, threads, t, thread):
        return threads[:t] + (thread,) + threads[t + 1:]

    def keep(self, found, graph, order, threads):
        if order != "sc" or graph.sequentially_consistent():
            found.append((graph, threads))

    def write(self, found, graph, event, position, threads):
        if graph.race(event):
            self.fail(graph, "data race on " + event.place)
            return
        more = Graph(graph)
        more.add(event, position)
        self.keep(found, more, event.order, threads)

    def write_positions(self, graph, t, place):
        """Where in mo a store may go: after what the thread knows of, never between a read-modify-write and what it
        read."""
        order = graph.mo[place]
        return [
            k
            for k in range(graph.least(t, place) + 1, len(order) + 1)
            if k == len(order) or graph.events[order[k]].kind != "U"
        ]

    def read(self, found, graph, t, step, registers, at):
        """Loads and read-modify-writes: from each write that coherence allows."""
        kind = step[0]
        what, wanted, expected, value = "", None, None, 0
        target = ""
        if kind == "load":
            _, target, order, place = step
        elif kind == "await":
            _, target, order, place, wanted = step
        elif kind == "rmw":
            _, target, what, order, place, operand = step
            value = self.value(operand, registers.items())
        elif kind == "cas":
            _, target, order, place, old, new = step
            what, expected, value = kind, self.value(old, registers.items()), self.value(new, registers.items())
        else:                             # lock
            what, place, order, expected = kind, step[1], "acq", 0
        writes = graph.mo[place]
        for position in range(graph.least(t, place), len(writes)):
            source = writes[position]
            old = graph.events[source].value
            if wanted is not None and not self.value(wanted, {**registers, target: old}.items()):
                continue
            if what and (expected is None or old == expected):
                if position + 1 < len(writes) and graph.events[writes[position + 1]].kind == "U":
                    continue
                event = Event(t, "U", order, place, RMW[what](old, value), source)
                self.write(found, graph, event, position + 1, at(**({target: old} if target else {})))
            elif kind != "lock":
                event = Event(
                    t, "R", order if kind != "cas" else {"ar": "acq", "rel": "rlx"}.get(order, order), place, 0, source
                )
                if graph.race(event):
                    self.fail(graph, "data race on " + place)
                    return
                more = Graph(graph)
                more.add(event)
                self.keep(found, more, event.order, at(**{target: old}))


def explore(text, name="program"):
    return Explorer(parse(text, name)).run()


def verdict(explorer):
    """'ok', or what is wrong."""
    if explorer.cut_off:
        return "was cut off after %d graphs" % explorer.graphs
    if explorer.error:
        return "fails: " + explorer.error
    for n, (text, _, allowed) in enumerate(explorer.program.exists):
        if (n in explorer.ends) != allowed:
            return "fails: %s is %s" % (text, "forbidden here" if allowed else "allowed here")
    return "ok"


def check(path, say=print, mutants=True):
    """The number of things that are not as they must be."""
    text = path.read_text()
    explorer = explore(text, path.stem)
    found = verdict(explorer)
    say("%-22s %s (%d graphs)" % (path.name, found, explorer.graphs))
    bad = found != "ok"
    for name, edits in explorer.program.mutants.items() if mutants else ():
        weaker = explore(mutated(text, edits), name)
        found = verdict(weaker)
        killed = found.startswith("fails")
        say("%-22s %-34s %s" % (path.name, name, found if killed else "survives: " + found))
        bad += not killed
    return bad


def main(words):
    paths = [pathlib.Path(word) for word in words] or sorted((HERE / "weak").glob("*.weak"))
    return min(1, sum(check(path, lambda text: print(text, flush=True)) for path in paths))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
