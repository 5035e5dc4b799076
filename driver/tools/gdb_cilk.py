"""gdb's commands for Cilk: `info cilk-workers`, `cilk bt`, `cilk closures`, `cilk closure N`, `cilk frame N`,
`cilk worker N`.

gdb runs this file by itself for programs that were compiled with -g, if its auto-load safe-path has the folder.
`cilkc debug` makes gdb run this file, too. This file starts nothing in the program, so it works on core files, too.

A procedure that was stolen or is suspended is on no stack: it is a *closure* in the heap, and a *link* leads from a
child to its parent's closure. `cilk bt` goes from the current frame down the worker's stack, and follows the links
where the stack ends. So `cilk bt` goes on, to the C function that called the computation. Activations that were stolen
only wait to return: `cilk bt` leaves them out. What the commands show is found by gdb_data.py, gdb_frames.py,
gdb_cactus.py and gdb_closures.py.
"""

import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))      # gdb knows no folder of this file

from gdb_cactus import Cactus, last_rows, print_rows, shown_or  # noqa: E402
from gdb_closures import (  # noqa: E402
    all_closures,
    closure_named,
    print_child,
    print_thread_closure,
    receiver,
    thread_closures,
)
from gdb_data import Unknown, chain, constant, need_workers, state_of, text, workers  # noqa: E402
from gdb_frames import Selection, kind_of, scopes, stack  # noqa: E402


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
                gdb.write("%s %6d  %6s  %-17s  %5d  %s\n"
                          % (mark, worker.id, worker.thread.num if worker.thread else "-", state_of_worker(worker),
                             len(entries), runs(worker)))
                for number, closure in enumerate(entries):
                    gdb.write("            %s %s: %s\n"
                              % ("H" if number == 0 else " ", text(closure["sig"]["name"]), state_of(closure)))


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
            return "%s at %s:%d%s" % (frame.name(), place.symtab.filename if place.symtab else "?", place.line,
                                      {"slow": " (was stolen or resumed)"}.get(kind_of(frame), ""))
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
                gdb.write("%3d  0x%x  %s%s (%s) at %s:%s  %s; %d out\n"
                          % (number, int(closure), "  " * depth, row.name, arguments, row.file, row.line,
                             "; ".join(row.notes), int(closure["join"])))
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
            out = [link for link in chain(closure["children"], "next")
                   if int(link["stage"]) == constant("CILK_LINK_OUT")]
            waiting = list(chain(closure["pending"], "next_waiting"))
            for title, links in (("  outstanding children:\n", out), ("  children whose results wait:\n", waiting)):
                if links:
                    gdb.write(title)
                for link in links:
                    print_child(closure, link)
            own = closure["link"]
            if int(own) and int(own["parent"]):
                gdb.write("  child of 0x%x %s, line %d%s\n"
                          % (int(own["parent"]), text(own["parent"]["sig"]["name"]), int(own["entry"]["line"]),
                             receiver(own["parent"], own)))


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
        return {name: value for name, value in self.row.variables.arguments + self.row.variables.locals
                if not isinstance(value, str)}


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
