"""The debug adapter, inside gdb (`cilkc dap`): requests of the Debug Adapter Protocol become calls of gdb's Python
interface. A worker's stack is its cactus stack, as `cilk bt` has it, and a procedure that no worker runs or waits for
is a thread of its own.

One thread reads requests and hands them to gdb's loop, which answers them one after the other, also while the program
runs; another passes on what the program prints on its terminal. A request is a method `on_NAME`, whose result is the
body of the answer; an exception becomes the answer's error. What rows, scopes and values have been shown is kept by
number until the program runs on.
"""

import os
import re
import shlex
import signal
import subprocess
import termios
import threading

import gdb

import gdb_cilk
from dap_wire import Broken, Wire
from gdb_cactus import Cactus, row_of_frame, shown_or
from gdb_closures import all_closures
from gdb_data import workers
from gdb_frames import Selection, stack

SETTINGS = ("pagination off", "confirm off", "width 0", "python print-stack none", "style enabled off",
            "breakpoint pending on", "debuginfod enabled off", "disable-randomization on")
CAN = ("supportsConfigurationDoneRequest", "supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
       "supportsHitConditionalBreakpoints", "supportsEvaluateForHovers", "supportsTerminateRequest",
       "supportTerminateDebuggee")
CLOSURES = 1 << 20      # threads from here on are procedures that no worker runs
MOST_CHILDREN = 1000
INNER = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR)


class Refused(Exception):
    """A request that cannot be carried out; its words are for the user."""


class Terminal:
    """The program's: it has no input, and what comes out goes to the client."""

    def __init__(self, wire):
        self.wire = wire
        self.reads, self.slave = os.openpty()
        mode = termios.tcgetattr(self.slave)
        mode[1] &= ~termios.OPOST
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(self.slave, termios.TCSANOW, mode)
        os.write(self.reads, b"\x04")               # the end of the input
        self.thread = quiet_thread(self.pass_on)

    def name(self):
        return os.ttyname(self.slave)

    def pass_on(self):
        while True:
            try:
                data = os.read(self.reads, 1 << 16)
            except OSError:                         # no process has it open any more
                return
            if not data:
                return
            self.wire.event("output", category="stdout", output=data.decode(errors="replace"))

    def close(self):
        if self.slave >= 0:
            os.close(self.slave)
            self.slave = -1
            self.thread.join(2)                     # a child of the program may live on, and hold it


def quiet_thread(work):
    """Signals are for gdb's own thread."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        made = threading.Thread(target=work, daemon=True)
        made.start()
        return made
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def need(arguments, name, kind, otherwise=None):
    """An argument of a request, of the right type."""
    value = arguments.get(name, otherwise)
    if not isinstance(value, kind) or kind is int and isinstance(value, bool):
        raise Refused("'%s' is missing or of the wrong type" % name)
    return value


def texts(arguments, name):
    value = need(arguments, name, list, [])
    if not all(isinstance(word, str) and "\0" not in word for word in value):
        raise Refused("'%s' is not a list of strings" % name)
    return value


class Adapter:
    def __init__(self, wire, cilkc, program):
        self.wire, self.cilkc, self.built = wire, cilkc, program
        self.errors = os.dup(2)                     # gdb's own words are no errors of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        self.terminal, self.first = None, 1         # the number of the first line
        self.entry, self.loaded, self.running, self.pausing = False, False, False, False
        self.breakpoints = {}                       # of a source, or "" for functions
        self.rows, self.kept, self.stacks = [], [], {}
        self.after = []                             # what follows an answer
        gdb.events.stop.connect(self.stopped)
        gdb.events.cont.connect(lambda _: self.forget(True))
        gdb.events.exited.connect(self.exited)

    # ---- messages
    def read(self):
        while True:
            try:
                message = self.wire.read()
            except ValueError as error:
                self.wire.event("output", category="important", output="cilkc dap: wrong JSON: %s\n" % error)
                continue
            except Broken as error:
                os.write(self.errors, ("cilkc dap: error: %s\n" % error).encode())
                gdb.post_event(lambda: self.end(1))
                return
            if message is None:                     # the client is gone
                gdb.post_event(self.end)
                return
            gdb.post_event(lambda message=message: self.answer(message))

    def answer(self, message):
        if message.get("type") != "request" or not isinstance(message.get("seq"), int):
            self.wire.event("output", category="important", output="cilkc dap: a message that is no request\n")
            return
        name, arguments = message.get("command"), message.get("arguments") or {}
        answer = {"request_seq": message["seq"], "command": name if isinstance(name, str) else ""}
        work = getattr(self, "on_" + answer["command"], None) if re.fullmatch("[A-Za-z]+", answer["command"]) else None
        try:
            if work is None:
                raise Refused("there is no request '%s' here" % answer["command"])
            if not isinstance(arguments, dict):
                raise Refused("the arguments are not an object")
            body = work(arguments)
            self.wire.write("response", success=True, body=body or {}, **answer)
        except Exception as error:                  # gdb's, and whatever a wrong argument leads to
            words = " ".join(str(error).split()) or type(error).__name__
            self.after.clear()
            self.wire.write("response", success=False, message=words,
                            body={"error": {"id": 1, "format": "{words}", "variables": {"words": words},
                                            "showUser": True}}, **answer)
        for work in self.after:
            work()
        self.after.clear()

    # ---- the session
    def on_initialize(self, arguments):
        self.first = 1 if arguments.get("linesStartAt1", True) else 0
        return dict.fromkeys(CAN, True)

    def on_launch(self, arguments):
        if self.loaded:
            raise Refused("a program was launched already")
        program = need(arguments, "program", str)
        folder = os.path.abspath(need(arguments, "cwd", str, os.getcwd()))
        if not os.path.isdir(folder):
            raise Refused("the folder %s does not exist" % folder)
        words = self.schedule(arguments) + texts(arguments, "args")
        environment = need(arguments, "env", dict, {})
        if not all(isinstance(value, str) or value is None for value in environment.values()):
            raise Refused("a value of 'env' is no string")
        if any("\n" in str(text) for text in (folder, *environment.keys(), *environment.values())):
            raise Refused("'cwd' and 'env' have no newlines")
        program = self.program(os.path.join(folder, program), texts(arguments, "flags"), folder)
        gdb.execute("file %s" % quoted(program))
        gdb.execute("cd %s" % folder)
        for name, value in environment.items():
            gdb.execute("unset environment %s" % name if value is None else "set environment %s=%s" % (name, value))
        gdb.set_parameter("args", " ".join(map(shlex.quote, words)))
        self.terminal = Terminal(self.wire)
        gdb.execute("set inferior-tty %s" % self.terminal.name())
        self.entry, self.loaded = bool(arguments.get("stopOnEntry")), True
        self.after.append(lambda: self.wire.event("initialized"))

    @staticmethod
    def schedule(arguments):
        """The runtime's options of `nproc`, `record` and `replay`."""
        words = []
        if "nproc" in arguments:
            words += ["--nproc", str(need(arguments, "nproc", int))]
        if "record" in arguments and "replay" in arguments:
            raise Refused("'record' and 'replay' exclude each other")
        if "record" in arguments:
            words.append("--sched=record:" + need(arguments, "record", str))
        if "replay" in arguments:                   # a seed, or a record that is repeated one worker at a time
            value = need(arguments, "replay", (int, str))
            words.append("--sched=replay:%s" % (value if isinstance(value, int) else value + ":1"))
        return words

    def program(self, name, flags, folder):
        """A program as it is; what is none is compiled."""
        if not os.path.isfile(name):
            raise Refused("the program %s does not exist" % name)
        with open(name, "rb") as file:
            if file.read(4) == b"\x7fELF":
                return name
        done = subprocess.run([self.cilkc, "build", "-O0", "-g", *flags, name, "-o", self.built], cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = done.stdout.decode(errors="replace")
        if said:
            self.wire.event("output", category="console", output=said)
        if done.returncode:
            raise Refused(next((line for line in said.splitlines() if "error" in line), "it does not compile"))
        return self.built

    def on_configurationDone(self, arguments):
        self.need_program()
        if self.entry:
            point = gdb.Breakpoint("main", temporary=True)
            for place in getattr(point, "locations", ()):
                place.enabled = os.path.exists(place.fullname or "")    # not the runtime's
        self.after.append(lambda: gdb.execute("run&"))

    def on_disconnect(self, arguments):
        self.after.append(self.end)

    def on_terminate(self, arguments):
        self.after.append(self.end)

    @staticmethod
    def end(status=0):
        """Without gdb's own end, which takes Python down while a thread of ours waits in it."""
        if gdb.selected_inferior().pid:
            gdb.execute("kill")
        os._exit(status)

    def need_program(self):
        if not self.loaded:
            raise Refused("no program was launched")

    def need_stop(self):
        self.need_program()
        if self.running or not gdb.selected_inferior().pid:
            raise Refused("the program runs" if self.running else "the program does not run")

    # ---- breakpoints
    def on_setBreakpoints(self, arguments):
        path = need(need(arguments, "source", dict), "path", str)
        return self.place(path, need(arguments, "breakpoints", list, []), lambda one: {
            "source": path, "line": need(one, "line", int) + 1 - self.first})

    def on_setFunctionBreakpoints(self, arguments):
        return self.place("", need(arguments, "breakpoints", list, []), lambda one: {"function": need(one, "name", str)})

    def on_setExceptionBreakpoints(self, arguments):
        return {"breakpoints": []}

    def place(self, key, wanted, where):
        self.need_program()
        for old in self.breakpoints.pop(key, ()):
            if old.is_valid():
                old.delete()
        made, answers = [], []
        for one in wanted:
            if not isinstance(one, dict):
                raise Refused("a breakpoint is not an object")
            answers.append(self.breakpoint(where(one), one, made))
        self.breakpoints[key] = made
        return {"breakpoints": answers}

    def breakpoint(self, place, wanted, made):
        point = None
        try:
            point = gdb.Breakpoint(**place)
            if point.pending:
                raise Refused("there is no code")
            if wanted.get("condition"):
                point.condition = need(wanted, "condition", str)
            if wanted.get("hitCondition"):
                point.ignore_count = int(need(wanted, "hitCondition", str)) - 1
        except (gdb.error, Refused, ValueError) as error:
            if point is not None:
                point.delete()
            return {"verified": False, "message": str(error)}
        made.append(point)
        answer = {"verified": True, "id": point.number}
        lines = [one.source[1] for one in getattr(point, "locations", ()) if one.source]
        if lines and "line" in place:
            answer["line"] = min(lines) - 1 + self.first
        return answer

    # ---- running
    def on_continue(self, arguments):
        self.go("continue&")
        return {"allThreadsContinued": True}

    def on_next(self, arguments):
        self.go("next&", arguments)

    def on_stepIn(self, arguments):
        self.go("step&", arguments)

    def on_stepOut(self, arguments):
        self.go("finish&", arguments)

    def go(self, command, arguments=None):
        self.need_stop()
        if arguments is not None:
            self.thread(need(arguments, "threadId", int)).switch()
            gdb.newest_frame().select()
        gdb.execute(command)

    def on_pause(self, arguments):
        self.need_program()
        if not self.running:
            raise Refused("the program does not run")
        self.pausing = True
        gdb.execute("interrupt")

    def forget(self, running):
        self.running = running
        self.rows, self.kept, self.stacks = [], [], {}

    def stopped(self, event):
        self.forget(False)
        reason, more = "step", {}
        if isinstance(event, gdb.BreakpointEvent):
            numbers = [point.number for point in event.breakpoints]
            reason = "entry" if self.entry and event.breakpoints[0].temporary else "breakpoint"
            more = {"hitBreakpointIds": numbers}
        elif isinstance(event, gdb.SignalEvent):
            reason = "pause" if self.pausing and event.stop_signal == "SIGINT" else "exception"
            more = {} if reason == "pause" else {"text": event.stop_signal, "description": "signal " + event.stop_signal}
        self.pausing = False
        thread = gdb.selected_thread()
        self.wire.event("stopped", reason=reason, threadId=thread.num if thread else 1, allThreadsStopped=True, **more)

    def exited(self, event):
        self.forget(False)
        if self.terminal:
            self.terminal.close()
        self.wire.event("exited", exitCode=getattr(event, "exit_code", -1))
        self.wire.event("terminated")

    # ---- what there is
    def on_threads(self, arguments):
        self.need_program()
        threads = sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num)
        names = {thread.num: thread.name or "thread" for thread in threads}
        found = []
        if not self.running and threads:
            with Selection():
                for worker in workers():
                    if worker.thread:
                        names[worker.thread.num] = "worker %d: %s" % (
                            worker.id, gdb_cilk.runs(worker) or gdb_cilk.state_of_worker(worker))
                found = self.elsewhere()
        return {"threads": [{"id": number, "name": name} for number, name in names.items()]
                + [{"id": CLOSURES + i, "name": "%s: %s" % (row.name, row.notes[-1])} for i, row in enumerate(found)]}

    def elsewhere(self):
        """A row for each closure that is in no worker's stack."""
        if "closures" not in self.stacks:
            all_workers = workers()
            seen = {int(row.closure) for worker in all_workers if worker.thread
                    for row in self.rows_of(worker.thread, all_workers) if row.closure is not None}
            self.stacks["closures"] = [Cactus(all_workers).row_of_closure(closure, ())
                                       for closure, _ in all_closures() if int(closure) not in seen]
        return self.stacks["closures"]

    def rows_of(self, thread, all_workers):
        if thread.num not in self.stacks:
            mine = [worker for worker in all_workers if worker.thread and worker.thread.num == thread.num]
            rows = Cactus(all_workers).of_worker(mine[0]) if mine else []
            self.stacks[thread.num] = rows or [row_of_frame(frame, thread) for frame in stack(thread)]
        return self.stacks[thread.num]

    @staticmethod
    def thread(number):
        for thread in gdb.selected_inferior().threads():
            if thread.num == number:
                return thread
        raise Refused("the procedure runs on no thread" if number >= CLOSURES else "there is no thread %d" % number)

    def on_stackTrace(self, arguments):
        self.need_stop()
        number, start = need(arguments, "threadId", int), need(arguments, "startFrame", int, 0)
        levels = need(arguments, "levels", int, 0) or MOST_CHILDREN
        if start < 0 or levels < 0:
            raise Refused("'startFrame' and 'levels' are not negative")
        with Selection():
            if number >= CLOSURES:
                found = self.elsewhere()
                if number - CLOSURES >= len(found):
                    raise Refused("there is no thread %d" % number)
                rows = Cactus(workers()).of_closure(found[number - CLOSURES].closure)
            else:
                rows = self.rows_of(self.thread(number), workers())
            shown = [self.frame(row) for row in rows[start:start + levels]]
        return {"stackFrames": shown, "totalFrames": len(rows)}

    def frame(self, row):
        self.rows.append(row)
        if row.frame is not None:
            row.thread.switch()                     # a frame is looked for in the selected thread
        name = row.name + "".join("  [%s]" % note for note in row.notes)
        answer = {"id": len(self.rows), "name": name, "line": max(row.line - 1 + self.first, 0), "column": self.first}
        path = self.path(row)
        if path is None:
            answer["presentationHint"] = "subtle"
        else:
            answer["source"] = {"name": os.path.basename(path), "path": path}
        return answer

    @staticmethod
    def path(row):
        place = row.frame.find_sal() if row.frame is not None else gdb.find_pc_line(int(row.closure["sig"]["slow"]))
        name = place.symtab.fullname() if place.symtab else ""
        return name if os.path.exists(name) else None

    def row(self, arguments):
        number = need(arguments, "frameId", int)
        if not 0 < number <= len(self.rows):
            raise Refused("there is no frame %d: the program has run on" % number)
        return self.rows[number - 1]

    def on_scopes(self, arguments):
        self.need_stop()
        variables = self.row(arguments).variables
        return {"scopes": [{"name": name, "presentationHint": hint, "expensive": False,
                            "variablesReference": self.keep(list(many))}
                           for name, hint, many in (("Locals", "locals", variables.locals),
                                                    ("Arguments", "arguments", variables.arguments))]}

    def keep(self, what):
        self.kept.append(what)
        return len(self.kept)

    def on_variables(self, arguments):
        self.need_stop()
        number = need(arguments, "variablesReference", int)
        if not 0 < number <= len(self.kept):
            raise Refused("there are no variables %d: the program has run on" % number)
        what = self.kept[number - 1]
        start = max(need(arguments, "start", int, 0), 0)
        count = need(arguments, "count", int, 0)
        many = what if isinstance(what, list) else list(children(what))
        return {"variables": [self.variable(name, value)
                              for name, value in many[start:start + count if count > 0 else None]]}

    def variable(self, name, value):
        answer = {"name": name, "value": shown_or(value), "variablesReference": 0}
        if isinstance(value, gdb.Value):
            answer["type"] = str(value.type)
            if not value.is_optimized_out and value.type.strip_typedefs().code in INNER and any(children(value)):
                answer["variablesReference"] = self.keep(value)
        return answer

    def on_evaluate(self, arguments):
        words = need(arguments, "expression", str)
        self.need_stop()
        row = self.row(arguments) if "frameId" in arguments else None
        with Selection():
            if row is not None and row.frame is not None:
                row.thread.switch()
                row.frame.select()
            if arguments.get("context") == "repl":
                return {"result": gdb.execute(words, to_string=True), "variablesReference": 0}
            if row is not None and row.frame is None:
                own = dict(row.variables.arguments + row.variables.locals)
                words = gdb_cilk.CilkPrint.WORD.sub(lambda found: gdb_cilk.CilkPrint.put(found, own), words)
            answer = self.variable("", gdb.parse_and_eval(words))
        answer["result"] = answer.pop("value")
        return answer


def children(value):
    """The parts of a value as (name, value): what a pointer points to, elements, members."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        for i in range(low, min(high, low + MOST_CHILDREN - 1) + 1):
            yield "[%d]" % i, value[i]
    elif kind.code == gdb.TYPE_CODE_PTR:
        target = kind.target().strip_typedefs()
        if int(value) and target.code not in (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_FUNC) and target.sizeof:
            yield "*", value.dereference()
    elif kind.code in INNER:
        for field in kind.fields():
            if hasattr(field, "bitpos"):
                yield field.name or "(unnamed)", value[field]


def quoted(name):
    return '"%s"' % name.replace("\\", "\\\\").replace('"', '\\"')


def serve(reads, writes, cilkc, program):
    for channel in (reads, writes):
        os.set_inheritable(channel, False)          # the program does not get them
    for setting in SETTINGS:
        try:
            gdb.execute("set " + setting)
        except gdb.error:                           # an older gdb does not have it
            pass
    quiet_thread(Adapter(Wire(reads, writes), cilkc, program).read)
