"""The data of the runtime in the program that gdb looks at: closures, workers, the entries of procedures. Layouts are
those of the runtime's own debug information; this file has no offsets. gdb_cilk.py says more."""

import gdb

MOST = 100000           # frames or links; a list that was caught while it changed may lead in circles


class Unknown(gdb.GdbError):
    pass


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


STATES = {"CILK_ATTACHED": "on a stack", "CILK_READY": "ready", "CILK_TAKEN": "about to run", "CILK_RUNNING": "running",
          "CILK_SUSPENDED": "suspended", "CILK_DELIVERING": "taking results", "CILK_HANDED": "taking results",
          "CILK_RETURNED": "returning"}


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
