"""A trace as intervals: the states of each worker, thief and victim of each steal, what waited. Nothing is printed here.

rt/core/observe/trace.h says what the run wrote. Every worker is in one state at a time (STATES); within "running" there
are the stretches after each spawn that was noted, and what locks were waited for. Times are ns since the begin.
"""

from collections import Counter, defaultdict

STATES = ("running", "looking for work", "sleeping", "in the scheduler")
RUNNING, SEARCHING, SLEEPING, SCHEDULER = range(4)
BUCKETS = 400       # of the utilisation over time
MOST = 1 << 16      # workers: more than any run has
INSTANTS = ("release", "inlet", "abort", "suspend", "touch")
NAMES = INSTANTS[:-1] + ("waiting for a future",)
NOWHERE = 0


class Place:
    def __init__(self, line, procedure, child, file):
        self.line, self.procedure = line, procedure
        self.child = "" if child == "-" else child
        self.file = "" if file == "-" else file

    @property
    def text(self):
        return "%s:%d" % (self.file, self.line) if self.file and self.line else self.file


class Worker:
    """One lane."""

    def __init__(self, number):
        self.number = number
        self.slices = []            # (begin, end, state, place), one after the other
        self.spawned = []           # (begin, end, place, how many): since that spawn was noted
        self.locks = []             # (begin, end): waiting for a lock
        self.instants = []          # (time, which of INSTANTS, place)
        self.counts = Counter()     # of events
        self.spawns = self.sleeps = 0       # sleeps: while a computation goes on
        self.busy = 0               # ns
        self.time = [0] * len(STATES)
        # while it is read
        self.state, self.place, self.since = None, NOWHERE, 0
        self.before = []            # states that nested computations interrupt
        self.awake = None           # state before it fell asleep
        self.segment = self.lock = None

    def change(self, t, state, place=NOWHERE):
        self.close(t)
        self.state, self.place, self.since = state, place, t

    def close(self, t):
        self.leave_segment(t)
        if self.lock is not None:
            self.locks.append((self.lock, t))
            self.lock = None
        if self.state is not None and t > self.since:
            self.slices.append((self.since, t, self.state, self.place))

    def leave_segment(self, t):
        if self.segment:
            begin, place, many = self.segment
            if t > begin:
                self.spawned.append((begin, t, place, many))
            self.segment = None


class Trace:
    def __init__(self, nproc):
        self.workers = [Worker(i) for i in range(nproc)]
        self.places = [Place(0, "", "-", "-")]
        self.begin = self.end = 0
        self.steals = []            # (time, victim, thief, place)
        # (suspended at, worker, resumed at, worker, place, for a future): closures that waited
        self.resumed = []
        self.suspended = {}         # while it is read: closure: (time, worker, place, for a future)
        self.processor = 0.0        # seconds that the program had processors
        self.lost = 0
        self.complete = False       # the runtime came to an orderly end
        self.kept = {}              # for each file made: {category: (kept, all)}

    @property
    def duration(self):
        return max(1, self.end - self.begin)

    @property
    def utilisation(self):
        return sum(w.busy for w in self.workers) / (self.duration * len(self.workers))

    def buckets(self):
        """For each worker which part of each of BUCKETS stretches it ran the program."""
        wide = self.duration / BUCKETS
        found = []
        for w in self.workers:
            row = [0.0] * BUCKETS
            for sign, slices in ((1, (s[:2] for s in w.slices if s[2] == RUNNING)), (-1, w.locks)):
                for begin, end in slices:
                    first, last = int(begin / wide), min(BUCKETS - 1, int(end / wide))
                    for i in range(first, last + 1):
                        row[i] += sign * max(0.0, min(end, (i + 1) * wide) - max(begin, i * wide))
            found.append([min(1.0, max(0.0, x / wide)) for x in row])
        return found


def read(lines):
    """The Trace, or None where nothing was written. A run that was cut off may have left half a line."""
    lines = iter(lines)
    head = next(lines, "").split()
    if len(head) != 3:
        return None
    if int(head[2]) > MOST:
        raise ValueError("%s workers" % head[2])
    trace, events, places = Trace(int(head[2])), [], {0: 0}
    trace.begin = int(head[0])
    for line in lines:
        if not line.endswith("\n"):
            break
        words = line.split(" ", 5)
        if words[0] == "place":
            number, at, names = line[:-1].split(" ", 3)[1:]
            procedure, child, file = names.split("\t", 2)
            places[int(number)] = len(trace.places)
            trace.places.append(Place(int(at), procedure, child, file))
        elif words[1] == "end\n":
            trace.end, trace.complete = int(words[0]), True
        elif words[1] == "events":
            trace.lost = int(words[0])
        else:
            events.append((int(words[0]), int(words[1]), words[2], words[3], words[4], places.get(int(words[5]), 0)))
    events.sort(key=lambda e: e[0])
    first = next((e[0] for e in events if e[2] == "root"), events[0][0] if events else trace.begin)
    last = (max([e[0] for e in events if e[2] in ("done", "run", "return", "spawn", "root")], default=first)
            if trace.complete else events[-1][0] if events else first)
    trace.begin, trace.end = first, max(last, first + 1)
    replay(trace, events)
    return trace


def replay(trace, events):
    start = trace.begin
    for ns, number, event, thing, other, place in events:
        w = trace.workers[number]
        # what happened before the program began, or after it, is at its edges
        t = min(max(0, ns - start), trace.duration)
        w.counts[event] += 1
        if event == "spawn":
            many = int(other, 16)
            w.spawns += many
            w.leave_segment(t)
            if w.state == RUNNING and w.lock is None:
                w.segment = (t, place, many)
        elif event == "run":
            w.change(t, RUNNING, place)
            was = trace.suspended.pop(thing, None)
            if was:
                trace.resumed.append((was[0], was[1], t, number, was[2], was[3]))
        elif event == "root":
            w.before.append((w.state, w.place))
            w.change(t, RUNNING, place)
        elif event == "back":
            w.change(t, *(w.before.pop() if thing != "0" and w.before else (None, NOWHERE)))
        elif event == "search":
            w.change(t, SEARCHING)
        elif event == "sleep":
            w.sleeps += w.state == SEARCHING
            w.awake = w.state
            w.change(t, SLEEPING)
        elif event == "wake":
            w.change(t, w.awake)
        elif event == "lock-wait":
            w.lock = t
        elif event == "lock-taken":
            if w.lock is not None and t > w.lock:
                w.locks.append((w.lock, t))
            w.lock = None
        elif event == "steal":
            victim = int(other, 16)
            if victim != number:
                trace.steals.append((t, victim, number, place))
        elif event in ("return", "done"):
            if w.state == RUNNING:
                w.change(t, SCHEDULER)
        elif event in INSTANTS:
            w.instants.append((t, INSTANTS.index(event), place))
            if event in ("suspend", "touch"):
                trace.suspended[thing] = (t, number, place, event == "touch")
                w.change(t, SCHEDULER)
    for w in trace.workers:
        w.close(trace.duration)
        for begin, end, state, _ in w.slices:
            w.time[state] += end - begin
        w.busy = w.time[RUNNING] - sum(end - begin for begin, end in w.locks)


def thin(categories, limit):
    """Which items of each category a file of at most `limit` bytes may have: {category: share}.

    categories: {name: (bytes, weight)}; what has the weight 0 goes first, all others alike.
    """
    total = sum(size for size, _ in categories.values())
    shares = {name: 1.0 for name in categories}
    if total <= limit:
        return shares
    for weight in sorted({weight for _, weight in categories.values()}):
        group = [name for name, (_, w) in categories.items() if w == weight]
        mine = sum(categories[name][0] for name in group)
        rest = sum(size * shares[name] for name, (size, _) in categories.items() if name not in group)
        share = max(0.02, min(1.0, (limit - rest) / mine)) if mine else 1.0
        for name in group:
            shares[name] = share
        if rest + mine * share <= limit:
            return shares
    total = sum(size * shares[name] for name, (size, _) in categories.items())
    return {name: share * min(1.0, limit / total) for name, share in shares.items()}


def evenly(items, share):
    """That share of the items, the same distance between any two."""
    if share >= 1.0:
        yield from items
        return
    have = 0
    for i, item in enumerate(items, 1):
        if int(i * share) > have:
            have += 1
            yield item


def categories(spawns, **others):
    """What is drawn of a trace, for `thin_categories`: functions that give the texts. The spawns are the finest."""
    return {"spawns": (0, spawns), **{name: (1, texts) for name, texts in others.items()}}


def thin_categories(categories, limit):
    """{category: the texts that stay} and {category: (kept, all)}. categories: {name: (weight, function that gives its
    texts)}."""
    sizes, numbers = {}, defaultdict(int)
    for name, (weight, texts) in categories.items():
        size = 0
        for text in texts():
            size += len(text) + 2        # the separators
            numbers[name] += 1
        sizes[name] = (size, weight)
    shares = thin(sizes, limit)
    while True:
        made = {name: list(evenly(texts(), shares[name])) for name, (_, texts) in categories.items()}
        size = sum(len(text) + 2 for texts in made.values() for text in texts)
        if size <= max(limit, 0) or not size:
            break
        # Every other item may be a long one.
        shares = {name: share * 0.99 * max(limit, 0) / size for name, share in shares.items()}
    return made, {name: (len(made[name]), numbers[name]) for name in categories}
