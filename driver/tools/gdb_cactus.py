"""The cactus stack: from a frame down the worker's stack, and by links from closure to closure where the stack ends.
Activations that were stolen only wait to return; they are left out."""


import gdb

from gdb_data import MOST, Unknown, chain, closure_type, entry_of, state_of, text
from gdb_frames import closure_of, kind_of, of_closure, of_frame, shown, stack


class Row:
    """One procedure of a cactus stack: a frame on some stack, or a closure."""

    def __init__(self, name, line, file, variables, notes=(), frame=None, thread=None, closure=None):
        self.name, self.line, self.file, self.variables, self.notes = name, line, file, variables, notes
        self.frame, self.thread, self.closure = frame, thread, closure

    def display(self, number, full=True):
        arguments = ", ".join("%s=%s" % (n, shown_or(v)) for n, v in self.variables.arguments)
        gdb.write("#%-2d %s (%s) at %s:%s%s\n"
                  % (number, self.name, arguments, self.file, self.line, "".join("  [%s]" % n for n in self.notes)))
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
                self.user_frame(frame, worker.thread,
                                ("inlet, run by worker %d" % worker.id,) if frame is mine[deliver] else ())
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
            notes.append("spawned at line %d%s" % (int(entry["line"]),
                                                   ": " + text(entry["text"]) if int(entry["text"]) else ""))
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
            row = Row(text(sig["name"]), line, text(sig["file"]), of_closure(closure, line),
                      list(notes) + [state_of(closure)])
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
