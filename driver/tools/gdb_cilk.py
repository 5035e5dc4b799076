"""gdb's commands for Cilk: `info cilk-workers`, `cilk bt`, `cilk closures`, `cilk closure N`, `cilk frame N`,
`cilk worker N`.

gdb runs this file by itself for programs that were compiled with -g, if its auto-load safe-path has the folder.
`cilkc debug` makes gdb run this file, too. This file starts nothing in the program, so it works on core files, too.

A procedure that was stolen or is suspended is on no stack: it is a *closure* in the heap, and a *link* leads from a
child to its parent's closure. `cilk bt` goes from the current frame down the worker's stack, and follows the links
where the stack ends. So `cilk bt` goes on, to the C function that called the computation. Activations that were stolen
only wait to return: `cilk bt` leaves them out. Layouts are those of the runtime's own debug information; names, lines
and texts those of the tables that the compiler writes with -g (rt/abi.def: cilk_sig, cilk_entry, cilk_slot_info); this
file has no offsets.
"""

import itertools
import os
import re

import gdb

MOST = 100000           # frames or links; a list that was caught while it changed may lead in circles
WIDE = 60               # characters of a value in a line


class Unknown(gdb.GdbError):
    pass


# ---------------------------------------------------------------- the runtime's data

def global_value(name):
    try:
        symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
        return None if symbol is None else symbol.value()
    except gdb.error:
        return None


def constant(name):
    return int(gdb.lookup_static_symbol(name).value() if gdb.lookup_static_symbol(name) else gdb.parse_and_eval(name))


def text(pointer):
    return pointer.string(errors="replace") if int(pointer) else ""


def chain(value, field):
    """A list in the program's memory, to its end or to where it cannot be read."""
    seen = set()
    while int(value) and int(value) not in seen and len(seen) < MOST:
        seen.add(int(value))
        yield value
        value = value[field]


def closure_type():
    return gdb.lookup_type("cilk_closure").pointer()


def closure_at(address):
    return gdb.Value(int(address)).cast(closure_type())


STATES = {
    "CILK_ATTACHED": "on a stack",
    "CILK_READY": "ready",
    "CILK_TAKEN": "about to run",
    "CILK_RUNNING": "running",
    "CILK_SUSPENDED": "suspended",
    "CILK_DELIVERING": "taking results",
    "CILK_HANDED": "taking results",
    "CILK_RETURNED": "returning",
}


def state_of(closure):
    number = int(closure["state"])
    for name, words in STATES.items():
        if constant(name) == number:
            return words
    return "state %d" % number


def entry_of(closure):
    sig = closure["sig"]
    number = int(closure["entry"])
    return sig["entries"][number] if number < int(sig["nentries"]) else None


class Worker:
    """A worker of the runtime, and gdb's thread for it."""

    def __init__(self, pointer):
        self.hot = pointer.dereference()
        self.ext = self.hot["ext"].dereference()
        self.id = int(self.hot["id"])
        self.thread = None
        for thread in gdb.selected_inferior().threads():
            if thread.ptid[1] == int(self.ext["tid"]):
                self.thread = thread

    def segments(self):
        """Innermost first."""
        return list(chain(self.ext["seg"], "outer"))

    def deque(self):
        """(H, T, the closures between), oldest first."""
        head, tail = int(self.ext["head"]), int(self.hot["tail"])
        size = closure_type().sizeof
        place = self.ext["head"]
        return [place[i] for i in range(min(max(tail - head, 0) // size, MOST))]


def workers():
    made = []
    for context in chain(global_value("cilk_contexts") or gdb.Value(0), "other"):
        if int(context["workers"]):
            made += [Worker(context["workers"][i]) for i in range(int(context["nproc"])) if int(context["workers"][i])]
    return made


def need_workers():
    if global_value("cilk_contexts") is None:
        raise Unknown("This is not a Cilk program, or the runtime has no debug information.")
    found = workers()
    if not found:
        raise Unknown("No worker runs: the computation has not begun, or it is over.")
    return found


# ---------------------------------------------------------------- the program's frames

class Selection:
    """Puts the user's thread and frame back."""

    def __enter__(self):
        self.thread = gdb.selected_thread()
        try:
            self.frame = gdb.selected_frame() if self.thread else None
        except gdb.error:
            self.frame = None

    def __exit__(self, *_):
        if self.thread and self.thread.is_valid():
            self.thread.switch()
            if self.frame and self.frame.is_valid():
                self.frame.select()


def stack(thread):
    """The frames of a thread, newest first."""
    thread.switch()
    frame, frames = gdb.newest_frame(), []
    while frame is not None and len(frames) < MOST:
        frames.append(frame)
        try:
            frame = frame.older()
        except gdb.error:
            break
    return frames


def link_name(address):
    """The linker's name of the function at an address; "" if it has none."""
    words = gdb.execute("info symbol 0x%x" % address, to_string=True).split()
    return words[0] if words and words[0] != "No" else ""


names = {}


def kind_of(frame):
    """fast, slow, deliver, c: which code a frame runs; runtime and system where the user has none of it."""
    function = frame.function()
    if function is None:
        return "system"
    key = (function.name, function.symtab.filename, function.line, int(function.value().address))
    if key not in names:
        names[key] = classify(function)
    return names[key]


def classify(function):
    # gdb reads f.slow as f[slow]
    which = re.search(r"[.\[](fast|slow|deliver|thunk)\b|^(mt_)", link_name(int(function.value().address)))
    if which:
        return "runtime" if which[1] in ("thunk", None) else which[1]
    runtime = gdb.lookup_global_symbol("cilk_rt_sync")          # in rt/protocol, a room of rt/
    if runtime and function.symtab.fullname().startswith(os.path.dirname(os.path.dirname(runtime.symtab.fullname())) + "/"):
        return "runtime"
    return "c" if os.path.exists(function.symtab.fullname()) or function.name == "main" else "system"


def closure_of(frame):
    """The closure of a Cilk procedure's frame; None if it has none (yet)."""
    try:
        block = frame.block()
    except RuntimeError:
        return None
    while block and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.name == "cilk.closure":
                value = symbol.value(frame)
                return closure_at(value) if not value.is_optimized_out and int(value) else None
        block = block.superblock
    return None


def shown(value):
    try:
        words = " ".join(value.format_string(max_elements=8, repeat_threshold=5).split())
    except (gdb.error, ValueError, TypeError) as error:
        words = "<%s>" % error
    return words if len(words) <= WIDE else words[:WIDE - 3] + "..."


def scopes(block):
    """The variables of a place, the innermost scope first; those hidden by one of the same name are left out."""
    seen = set()
    while block is not None and not block.is_global and not block.is_static:
        here = [
            s
            for s in block
            if (s.is_variable or s.is_argument)
            and s.addr_class != gdb.SYMBOL_LOC_STATIC
            and "." not in s.name
            and s.name not in seen
        ]
        for symbol in here:
            seen.add(symbol.name)
            yield symbol
        if block.function:
            return
        block = block.superblock


class Variables:
    """Arguments and locals as (name, value), at a procedure's present place."""

    def __init__(self):
        self.arguments, self.locals = [], []

    def add(self, symbol, value):
        (self.arguments if symbol.is_argument else self.locals).append((symbol.name, value))

    def settle(self):
        self.arguments.reverse()        # of slow clones gdb has them by name; the tables by place
        return self


def of_frame(frame):
    made = Variables()
    try:
        block = frame.block()
    except RuntimeError:
        return made
    for symbol in scopes(block):
        try:
            made.add(symbol, symbol.value(frame))
        except gdb.error as error:
            made.add(symbol, "<%s>" % error)
    return made


def block_at(sig, line):
    """The innermost scope of the slow clone's text at a line."""
    start = int(sig["slow"])
    whole = gdb.block_for_pc(start)
    while whole and not whole.function:
        whole = whole.superblock
    if whole is None:
        return None
    found, size = whole, whole.end - whole.start + 1
    for row in gdb.find_pc_line(start).symtab.linetable() or ():
        if row.line == line and whole.start <= row.pc < whole.end:
            block = gdb.block_for_pc(row.pc)
            if block and block.end - block.start < size:
                found, size = block, block.end - block.start
    return found


def slots_of(sig):
    return [sig["slots"][i] for i in range(int(sig["nslots"]))] if int(sig["slots"]) else []


def of_closure(closure, line):
    """What a closure that is on no stack keeps: its slots, by the types that the slow clone's variables have."""
    made = Variables()
    sig = closure["sig"]
    slots = {(text(s["name"]), int(s["line"])): s for s in slots_of(sig)}
    block = block_at(sig, line)
    for symbol in scopes(block) if block else ():
        slot = slots.get((symbol.name, symbol.line))
        if slot is None:
            continue                    # lives in no scope that goes on after a spawn or sync
        try:
            made.add(symbol, in_slot(closure, slot, symbol.type))
        except gdb.error as error:
            made.add(symbol, "<%s>" % error)
    return made


def in_slot(closure, slot, kind):
    place = gdb.Value(int(closure) + int(slot["offset"]))
    if kind.strip_typedefs().code == gdb.TYPE_CODE_ARRAY and kind.sizeof != int(slot["size"]):
        # of variable size: the slot has its address
        block = place.cast(gdb.lookup_type("unsigned long").pointer()).dereference()
        return "%s at 0x%x" % (text(slot["type"]), int(block))
    return place.cast(kind.pointer()).dereference()


def named(closure, address):
    """The place at an address, in a closure's words: x, a[2], p.y; None if it is elsewhere."""
    for slot in slots_of(closure["sig"]):
        offset = address - int(closure) - int(slot["offset"])
        if 0 <= offset < int(slot["size"]):
            name, line = text(slot["name"]), int(slot["line"])
            kinds = [
                symbol.type
                for symbol in all_symbols(block_at(closure["sig"], 0))
                if symbol.name == name and symbol.line == line
            ]
            return name + (inside(kinds[0], offset) if kinds else "")
    return None


def all_symbols(block):
    """The symbols of a function, in whatever scope they are."""
    if block is None:
        return
    seen, at = set(), block.start
    while at < block.end:
        inner = gdb.block_for_pc(at)
        if inner is None:
            return
        for scope in climb(inner, block):
            if (scope.start, scope.end) not in seen:
                seen.add((scope.start, scope.end))
                yield from scope
        line = gdb.find_pc_line(at)
        at = line.last + 1 if line.last and line.last >= at else at + 1


def climb(block, top):
    while block is not None and block.start >= top.start and block.end <= top.end:
        yield block
        if block.function:
            return
        block = block.superblock


def inside(kind, offset):
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        element = kind.target()
        if element.sizeof and offset < kind.sizeof:
            return "[%d]%s" % (offset // element.sizeof, inside(element, offset % element.sizeof))
    elif kind.code == gdb.TYPE_CODE_STRUCT:
        for field in kind.fields():
            at = field.bitpos // 8 if hasattr(field, "bitpos") else 0
            if field.name and at <= offset < at + field.type.sizeof:
                return ".%s%s" % (field.name, inside(field.type, offset - at))
    return ""


# ---------------------------------------------------------------- the cactus stack

class Row:
    """One procedure of a cactus stack: a frame on some stack, or a closure."""

    def __init__(self, name, line, file, variables, notes=(), frame=None, thread=None, closure=None):
        self.name, self.line, self.file, self.variables, self.notes = name, line, file, variables, notes
        self.frame, self.thread, self.closure = frame, thread, closure

    def display(self, number, full=True):
        arguments = ", ".join("%s=%s" % (n, shown_or(v)) for n, v in self.variables.arguments)
        gdb.write(
            "#%-2d %s (%s) at %s:%s%s\n"
            % (number, self.name, arguments, self.file, self.line, "".join("  [%s]" % n for n in self.notes))
        )
        if full:
            for name, value in self.variables.locals:
                gdb.write("      %s = %s\n" % (name, shown_or(value)))


def shown_or(value):
    return value if isinstance(value, str) else shown(value)


def row_of_frame(frame, thread, notes=()):
    place = frame.find_sal()
    name = frame.name() or "??"
    return Row(name, place.line, place.symtab.filename if place.symtab else "?", of_frame(frame), notes, frame, thread)


class Cactus:
    """The rows from a frame or closure to the C function that called the computation."""

    def __init__(self, all_workers):
        self.workers = all_workers
        self.rows = []

    def of_worker(self, worker):
        if worker.thread is None:
            raise Unknown("worker %d has no thread" % worker.id)
        self.walk(worker, stack(worker.thread), worker.segments())
        return self.rows

    def of_closure(self, closure):
        self.parent(closure, None)
        return self.rows

    def walk(self, worker, frames, segments):
        """Along a worker's stack, down to the bottom of its innermost segment, then along the links."""
        segment = segments[0] if segments else None
        mine, bottom = [], None
        for i, frame in enumerate(frames):
            if segment is not None and self.holds(frames, i, int(segment)):
                bottom = i
                break
            mine.append(frame)
        deliver = next((i for i, f in enumerate(mine) if kind_of(f) == "deliver"), None)
        if deliver is not None:         # an inlet that the runtime runs: it belongs to the parent, wherever that is
            for frame in mine[:deliver + 1]:
                self.user_frame(
                    frame, worker.thread, ("inlet, run by worker %d" % worker.id,) if frame is mine[deliver] else ()
                )
            closure = closure_of(mine[deliver])
            if closure is not None:
                self.parent(closure, None)
            return
        procedures = [f for f in mine if kind_of(f) in ("fast", "slow") and f.type() != gdb.INLINE_FRAME]
        dead = self.stolen(segment) if segment is not None else 0
        if dead:
            oldest_alive = len(procedures) - dead
            mine = mine[:mine.index(procedures[oldest_alive])] if 0 <= oldest_alive < len(procedures) else mine
        for frame in mine:
            self.user_frame(frame, worker.thread, ("worker %d" % worker.id,) if not self.rows else ())
        if bottom is None and segment is None:
            return
        if segment is not None:
            for closure in chain(segment["chain_young"], "next"):
                self.rows.append(self.row_of_closure(closure, ("being released",)))
            if int(segment["link"]):
                self.link(segment["link"])

    @staticmethod
    def holds(frames, i, address):
        """Does an object at that address lie in the i-th frame?"""
        try:
            low = int(frames[i].read_register("sp"))
            high = int(frames[i + 1].read_register("sp")) if i + 1 < len(frames) else address + 1
        except (gdb.error, ValueError):
            return False
        return low <= address < high

    def stolen(self, segment):
        """How many of the procedures at a segment's bottom were stolen: entries of the deque below H."""
        for worker in self.workers:
            if any(int(s) == int(segment) for s in worker.segments()):
                taken = (int(worker.ext["head"]) - int(segment["base"])) // closure_type().sizeof
                return max(taken, 1 if int(segment["kept"]) else 0)
        return 0

    def user_frame(self, frame, thread, notes=()):
        if kind_of(frame) in ("fast", "slow", "deliver", "c"):
            self.rows.append(row_of_frame(frame, thread, notes))

    def link(self, link):
        for _ in range(MOST):
            if int(link["parent"]) == 0:
                self.caller(link["root"])
                return
            if len(self.rows) >= MOST:
                return
            following = self.parent(link["parent"], link["entry"])
            if following is None or int(following) == 0:
                return
            link = following

    def parent(self, closure, entry):
        """A row for a closure, with the place of the spawn that led here; the closure's own link."""
        notes = []
        if entry is not None and int(entry):
            notes.append(
                "spawned at line %d%s" % (int(entry["line"]), ": " + text(entry["text"]) if int(entry["text"]) else "")
            )
        self.rows.append(self.row_of_closure(closure, notes))
        if entry is None:
            self.link(closure["link"])
            return None
        return closure["link"]

    def row_of_closure(self, closure, notes):
        sig = closure["sig"]
        running = self.activation(closure)
        if running:
            worker, frame = running
            row = row_of_frame(frame, worker.thread, list(notes) + ["runs on worker %d" % worker.id])
        else:
            entry = entry_of(closure)
            line = int(entry["line"]) if entry is not None else 0
            row = Row(
                text(sig["name"]), line, text(sig["file"]), of_closure(closure, line), list(notes) + [state_of(closure)]
            )
        row.closure = closure
        return row

    def activation(self, closure):
        """(worker, frame) where a full closure's slow clone runs."""
        for worker in self.workers:
            for segment in worker.segments():
                if int(segment["full"]) == int(closure) and worker.thread is not None:
                    frames = stack(worker.thread)
                    for i, frame in enumerate(frames):
                        if kind_of(frame) == "slow" and self.below(frames, i, int(segment)):
                            return worker, frame
        return None

    def below(self, frames, i, address):
        """Is the frame of that segment the next one with something of the runtime's, below the i-th?"""
        for j in range(i + 1, len(frames)):
            if self.holds(frames, j, address):
                return True
            if kind_of(frames[j]) in ("fast", "slow"):
                return False
        return False

    def caller(self, run):
        """The C function that waits for a computation, and what called that."""
        address = int(run)
        for thread in gdb.selected_inferior().threads():
            frames = stack(thread)
            if not int(frames[0].read_register("sp")) <= address:
                continue
            for i in range(len(frames)):
                if self.holds(frames, i, address) and (i + 1 < len(frames) or kind_of(frames[i]) == "runtime"):
                    self.from_caller(thread, frames[i + 1:], address)
                    return

    def from_caller(self, thread, frames, address):
        for worker in self.workers:
            # a call from a Cilk procedure: the computation around it
            if worker.thread is not None and worker.thread.ptid == thread.ptid:
                self.walk(worker, frames, [s for s in worker.segments() if int(s) > address])
                return
        for frame in frames:
            self.user_frame(frame, thread)


last_rows = []


def print_rows(rows, full=True):
    last_rows[:] = rows
    for number, row in enumerate(rows):
        row.display(number, full)


# ---------------------------------------------------------------- all closures

def all_closures():
    """Each full closure once, parents before their children, and its depth in the tree."""
    found, tops = {}, {}

    def upwards(closure):
        while closure is not None and int(closure) and len(found) < MOST:
            if int(closure) in found:
                return
            found[int(closure)] = closure
            link = closure["link"]
            if int(link) == 0 or int(link["parent"]) == 0:
                tops[int(closure)] = closure
                return
            closure = link["parent"]

    for worker in workers():
        for closure in worker.deque():
            if int(closure["state"]) != constant("CILK_ATTACHED"):
                upwards(closure)
        if int(worker.ext["next"]):
            upwards(worker.ext["next"])
        for segment in worker.segments():
            if int(segment["full"]):
                upwards(segment["full"])
            if int(segment["link"]) and int(segment["link"]["parent"]):
                upwards(segment["link"]["parent"])
    for context in chain(global_value("cilk_contexts") or gdb.Value(0), "other"):
        for closure in chain(context["orphans"], "next"):
            upwards(closure)
    ordered, seen = [], set()

    def downwards(closure, depth):
        if int(closure) in seen:
            return
        seen.add(int(closure))
        ordered.append((closure, depth))
        for link in chain(closure["children"], "next"):
            if int(link["child"]):
                downwards(link["child"], depth + 1)

    for closure in list(tops.values()) + list(found.values()):
        try:
            downwards(closure, 0)
        except RecursionError:
            break
    return ordered


def thread_closures():
    """(closure of Cilk-1, where it is), of all pools: what is ready, the next one to run first, then what waits."""
    made = []
    for worker in workers():
        for home in chain(worker.ext["cilk1"]["pools"], "of_worker"):
            pool, here = home["pool"], "worker %d" % worker.id
            for level in reversed(range(min(int(pool["deepest"]), MOST) + 1)):
                made += [(c, "ready, " + here) for c in chain(pool["levels"][level]["head"], "next")]
            made += [(c, "ready, placed on " + here) for c in chain(home["placed"], "next")]
            made += [(c, "ready, shown by " + here) for c in chain(home["first"], "next")]
            listed = {int(c) for c, _ in made}
            known = [home["known"][i] for i in range(min(int(home["nknown"]), MOST))]
            run = home["run"]
            known += [run["large"][i] for i in range(min(int(run["nlarge"]), MOST))]
            for c in known:
                if int(c["join"]) and int(c["pool"]) == int(home.cast(c["pool"].type)) and int(c) not in listed:
                    listed.add(int(c))
                    made.append((c, "waits for %s, %s" % (missing(c), here)))
    return made


def missing(closure):
    """Names of the arguments whose slots' offsets add up to the closure's join sum, as few as possible."""
    thread, join = closure["thread"], int(closure["join"])
    slots = [thread["slots"][i] for i in range(min(int(thread["nslots"]), 16))]
    part = 2                                    # CILK1_SLOT_PART
    rows = [(int(s["offset"]), text(s["name"])) for s in slots if not int(s["flags"]) & part]
    for n in range(1, len(rows) + 1):
        for some in itertools.combinations(rows, n):
            if sum(offset for offset, _ in some) == join:
                return ", ".join(name for _, name in some)
    return "arguments" if rows else "the result"


def print_thread_closure(closure, where):
    thread = closure["thread"]
    line = int(thread["line"])                  # 0: a thread of the runtime, which takes the computation's result
    place = " at %s:%d" % (os.path.basename(text(thread["file"])), line) if line else ""
    gdb.write(
        "     0x%x  %s%s  level %d; %s\n" % (int(closure), text(thread["name"]), place, int(closure["level"]), where)
    )


def closure_named(word):
    """N of `cilk closures`, or an address."""
    try:
        if word.isascii() and word.isdigit():
            return all_closures()[int(word)][0]
        return closure_at(gdb.parse_and_eval(word))
    except IndexError:
        raise Unknown("There is no closure %s; `cilk closures` lists them." % word)


def print_child(closure, link):
    entry = link["entry"]
    where = ""
    if int(link["child"]):
        where = "%s, %s" % (text(link["child"]["sig"]["name"]), state_of(link["child"]))
    elif int(link["worker"]):
        where = "runs on worker %d" % int(link["worker"]["id"])
    gdb.write(
        "    line %d%s: %s%s%s\n"
        % (
            int(entry["line"]),
            " " + text(entry["text"]) if int(entry["text"]) else "",
            where,
            receiver(closure, link),
            ", aborted" if int(link["aborted"]) else "",
        )
    )


def receiver(closure, link):
    entry = link["entry"]
    if int(entry["flags"]) & constant("CILK_ENTRY_RECEIVER"):
        header = constant("CILK_LINK_HEADER")
        record = gdb.Value(int(link) + header).cast(gdb.lookup_type("unsigned long").pointer())
        address = int(record.dereference())
        return "; its result goes to %s" % (named(closure, address) or "%s (0x%x)" % (text(entry["receiver"]), address))
    if int(entry["receiver"]):
        return "; its result goes to %s" % text(entry["receiver"])
    if int(entry["flags"]) & constant("CILK_ENTRY_INLET"):
        return "; its result goes to the inlet"
    return ""


# ---------------------------------------------------------------- the commands

class InfoWorkers(gdb.Command):
    """What each worker does: `info cilk-workers`."""

    def __init__(self):
        super().__init__("info cilk-workers", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        all_workers = need_workers()
        current = gdb.selected_thread()
        gdb.write("  worker  thread  state              deque  runs\n")
        with Selection():
            for worker in all_workers:
                entries = worker.deque()
                mark = "*" if current and worker.thread and worker.thread.num == current.num else " "
                gdb.write(
                    "%s %6d  %6s  %-17s  %5d  %s\n"
                    % (
                        mark,
                        worker.id,
                        worker.thread.num if worker.thread else "-",
                        state_of_worker(worker),
                        len(entries),
                        runs(worker),
                    )
                )
                for number, closure in enumerate(entries):
                    gdb.write(
                        "            %s %s: %s\n"
                        % ("H" if number == 0 else " ", text(closure["sig"]["name"]), state_of(closure))
                    )


def state_of_worker(worker):
    if int(worker.ext["wait"]["lock"]):
        return "waits for a lock"
    if int(worker.ext["seg"]):
        return "runs"
    park = int(worker.ext["park"])
    return "looks for work" if park == constant("AWAKE") else "sleeps"


def runs(worker):
    if worker.thread is None or not int(worker.ext["seg"]):
        return ""
    for frame in stack(worker.thread):
        if kind_of(frame) in ("fast", "slow", "deliver"):
            place = frame.find_sal()
            return "%s at %s:%d%s" % (
                frame.name(),
                place.symtab.filename if place.symtab else "?",
                place.line,
                {"slow": " (was stolen or resumed)"}.get(kind_of(frame), ""),
            )
    return ""


class Cilk(gdb.Command):
    """Commands for Cilk programs: cilk bt, cilk closures, cilk closure N, cilk frame N, cilk worker N."""

    def __init__(self):
        super().__init__("cilk", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)


class CilkBacktrace(gdb.Command):
    """The cactus stack of the current thread: `cilk bt [-s] [worker N | closure N]`.

    The procedures from the current frame to the one that called the computation, also where they were stolen, run on another worker, or are suspended.
    -s leaves out the locals."""

    def __init__(self):
        super().__init__("cilk bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split()
        full = "-s" not in words
        words = [w for w in words if w != "-s"]
        with Selection():
            print_rows(self.rows(words), full)

    @staticmethod
    def rows(words):
        all_workers = need_workers()
        cactus = Cactus(all_workers)
        if words[:1] == ["closure"] and len(words) == 2:
            return cactus.of_closure(closure_named(words[1]))
        if words[:1] == ["worker"] and len(words) == 2:
            return cactus.of_worker(worker_named(words[1]))
        if words:
            raise Unknown("cilk bt [-s] [worker N | closure N]")
        current = gdb.selected_thread()
        for worker in all_workers:
            if current and worker.thread and worker.thread.num == current.num:
                return cactus.of_worker(worker)
        raise Unknown(
            "This thread is not a worker; `info cilk-workers` names those that are, `cilk bt worker N` shows one."
        )


def worker_named(word):
    for worker in need_workers():
        if word == str(worker.id):
            return worker
    raise Unknown("There is no worker %s; `info cilk-workers` lists them." % word)


class CilkClosures(gdb.Command):
    """All procedures that were stolen, released or resumed, as a tree, and the closures of threads of Cilk-1:
    `cilk closures`."""

    def __init__(self):
        super().__init__("cilk closures", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        need_workers()
        with Selection():
            cactus = Cactus(workers())
            for number, (closure, depth) in enumerate(all_closures()):
                row = cactus.row_of_closure(closure, ())
                arguments = ", ".join("%s=%s" % (n, shown_or(v)) for n, v in row.variables.arguments)
                gdb.write(
                    "%3d  0x%x  %s%s (%s) at %s:%s  %s; %d out\n"
                    % (
                        number,
                        int(closure),
                        "  " * depth,
                        row.name,
                        arguments,
                        row.file,
                        row.line,
                        "; ".join(row.notes),
                        int(closure["join"]),
                    )
                )
            for closure, where in thread_closures():
                print_thread_closure(closure, where)


class CilkClosure(gdb.Command):
    """One closure: its state, its variables, its children and where their results go: `cilk closure N`, or an
    address."""

    def __init__(self):
        super().__init__("cilk closure", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument.strip():
            raise Unknown("Which one? `cilk closures` lists them.")
        need_workers()
        with Selection():
            closure = closure_named(argument.strip())
            row = Cactus(workers()).row_of_closure(closure, ())
            row.display(0)
            gdb.set_convenience_variable("cilk_closure", closure)
            out = [
                link for link in chain(closure["children"], "next") if int(link["stage"]) == constant("CILK_LINK_OUT")
            ]
            waiting = list(chain(closure["pending"], "next_waiting"))
            for title, links in (("  outstanding children:\n", out), ("  children whose results wait:\n", waiting)):
                if links:
                    gdb.write(title)
                for link in links:
                    print_child(closure, link)
            own = closure["link"]
            if int(own) and int(own["parent"]):
                gdb.write(
                    "  child of 0x%x %s, line %d%s\n"
                    % (
                        int(own["parent"]),
                        text(own["parent"]["sig"]["name"]),
                        int(own["entry"]["line"]),
                        receiver(own["parent"], own),
                    )
                )


class CilkFrame(gdb.Command):
    """Selects frame N of the last `cilk bt`, so that gdb's own commands see it; shows a suspended procedure in full:
    `cilk frame N`."""

    def __init__(self):
        super().__init__("cilk frame", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        try:
            row = last_rows[int(argument)]
        except (ValueError, IndexError):
            raise Unknown("`cilk frame N`, with N as `cilk bt` numbers the frames.")
        looked_at.leave()
        if row.frame is not None and row.frame.is_valid():
            row.thread.switch()
            row.frame.select()
        row.display(int(argument))
        if row.closure is not None:
            gdb.set_convenience_variable("cilk_closure", row.closure)
        if row.frame is None:
            looked_at.enter(row)
            gdb.write(
                "It is on no stack: `print` takes its variables from its closure, $cilk_closure, until another frame is selected.\n"
            )


class LookedAt:
    """The suspended procedure that `cilk frame N` selected. gdb has no frame for it, so its own selection stays where
    it was."""

    def __init__(self):
        self.row, self.there = None, None

    def enter(self, row):
        if CilkPrint.made is None:
            CilkPrint.made = CilkPrint()
            for word in ("frame", "up", "down", "thread"):
                gdb.execute("define hookpost-%s\npython looked_at.leave()\nend" % word)
            gdb.events.cont.connect(lambda _: self.leave())
        self.row, self.there = row, self.selected()

    def leave(self):
        self.row = None

    @staticmethod
    def selected():
        try:
            return (gdb.selected_thread().ptid, gdb.selected_frame())
        except (gdb.error, AttributeError):
            return None

    def variables(self):
        """By name; None: gdb's own frame is meant."""
        if self.row is None or self.there != self.selected():
            return None
        return {
            name: value
            for name, value in self.row.variables.arguments + self.row.variables.locals
            if not isinstance(value, str)
        }


looked_at = LookedAt()


class CilkPrint(gdb.Command):
    """Prints the value of an expression, as gdb always does; after `cilk frame N` with the variables of that procedure,
    also where it is on no stack."""

    made: "CilkPrint | None" = None
    OPTIONS = re.compile(r"\s*(-[a-z][\w-]*(\s+(on|off|\d+|unlimited))?\s+)*(--\s+)?(/\w*)?")
    WORD = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|((?:->|\.)\s*)?(?<![\w$])([A-Za-z_]\w*)""")

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        variables = looked_at.variables()
        found = self.OPTIONS.match(argument)
        options = found.group(0) if found else ""
        words = argument[len(options):]
        if variables is not None:
            words = self.WORD.sub(lambda m: self.put(m, variables), words)
        # `print` is this command now; `call` does the same, but shows nothing of what has no value.
        gdb.execute("call " + options + words, from_tty)

    @staticmethod
    def put(match, variables):
        name = match.group(3)
        if name is None or match.group(2):                  # a string; a member
            return match.group(0)
        if name in variables:
            gdb.set_convenience_variable(
                "cilk_of_" + name, variables[name].address if variables[name].address is not None else variables[name]
            )
            return "(*$cilk_of_%s)" % name if variables[name].address is not None else "$cilk_of_" + name
        if any(name == symbol.name for symbol in scopes(gdb.selected_frame().block())):
            raise Unknown(
                "`%s` is a variable of the frame that gdb has selected: the procedure of `cilk frame` keeps none of that name."
                % name
            )
        return name


class CilkWorker(gdb.Command):
    """Changes to the thread of worker N: `cilk worker N`."""

    def __init__(self):
        super().__init__("cilk worker", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        worker = worker_named(argument.strip())
        if worker.thread is None:
            raise Unknown("Worker %d has no thread." % worker.id)
        gdb.execute("thread %d" % worker.thread.num)


for command in (InfoWorkers, Cilk, CilkBacktrace, CilkClosures, CilkClosure, CilkFrame, CilkWorker):
    command()
