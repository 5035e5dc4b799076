"""What all tools do: separate their words from the compiler's, build the program in a mode, run it, read its report."""

import contextlib
import ctypes
import errno
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time

from cilkc_driver import compile as compiler
from cilkc_driver import options as opts
from cilkc_driver import console, disk
from cilkc_driver.console import Stop

NOT_RUN = 125       # as env, timeout and nohup have it


def session(work, failed):
    """work(temp) with a folder that is gone afterwards; its exit status, or `failed` after a message where it was
    stopped."""
    compiler.catch_signals()
    temp = disk.TempDir()
    try:
        return work(temp)
    except Stop as stop:
        console.message(stop.kind, stop.message)
        return failed
    finally:
        temp.clean()


def split(words):
    """(words of the compiler, the program's arguments): `--` separates them."""
    words = list(words)
    if "--" in words:
        at = words.index("--")
        return words[:at], words[at + 1:]
    return words, []


def check(words, command):
    """Refuses what makes no program; the parsed options."""
    options = opts.parse(words)
    if not options.inputs:
        raise Stop("missing argument 'FILE'", NOT_RUN)
    for item in options.inputs[1:]:
        if not os.path.splitext(item.name)[1] and item.name != "-" and not os.path.lexists(item.name):
            raise Stop("%s: No such file or directory; arguments of the program go after `--`: %s %s -- %s"
                       % (item.name, command, options.inputs[0].name, item.name), NOT_RUN)
    if options.mode != "link" or options.shared or options.relocatable:
        raise Stop("%s runs the program: the flags given make none" % command, NOT_RUN)
    if options.output:
        raise Stop("%s writes no file, and keeps no program: -o %s is not for it" % (command, options.output), NOT_RUN)
    return options


AGAIN = "%s: its text is compiled again, and this is no file that can be read again"
_piped = set()      # what came through a pipe, and has been read


def piped(words):
    """The inputs that can be read once."""
    names = [item.name for item in opts.parse(list(words)).inputs]
    return [name for name in names
            if name == "-" or os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)]


def build(words, program, extra=()):
    """Compiles and links; -O2 unless another level is given. False when that failed, which has been reported."""
    names = piped(words)
    if _piped.intersection(names):
        console.message("error", AGAIN % names[0])
        return False
    _piped.update(names)
    level = [] if any(word.startswith("-O") for word in words) else ["-O2"]
    return compiler.main(level + list(extra) + list(words) + ["-o", program]) == 0


class Input:
    """Standard input, which each run of the program reads from its beginning.

    A file is wound back. What comes through a pipe is kept while the first run reads it. At a terminal the first run
    talks to the user, the others read nothing.
    """

    def __init__(self):
        self.kept, self.start, self.first = "", 0, True
        try:
            if os.isatty(0):
                self.kind = "terminal"
            else:
                self.start = os.lseek(0, 0, os.SEEK_CUR)
                self.kind = "file"
        except OSError:
            self.kind = "pipe"
            try:
                os.fstat(0)
            except OSError:
                self.kind = "terminal"      # closed

    def open(self, temp):
        """The descriptor for the next run, and what is to be called when it has ended."""
        first, self.first = self.first, False
        if self.kind == "file":
            os.lseek(0, self.start, os.SEEK_SET)
            return os.dup(0), None
        if self.kind == "terminal":
            return (os.dup(0) if first and valid(0) else os.open(os.devnull, os.O_RDONLY)), None
        if not first:
            return os.open(self.kept, os.O_RDONLY), None
        self.kept = temp.file("stdin")
        return self.pump()

    def pump(self):
        """A pipe that carries on what arrives here, and keeps it."""
        reading, writing = os.pipe()
        stop_reading, stop_writing = os.pipe()
        copy = open(self.kept, "wb")

        def carry():
            open_end = True
            while True:
                ready, _, _ = select.select([0, stop_reading], [], [])
                if stop_reading in ready:
                    break
                data = os.read(0, 65536)
                if not data:
                    break
                copy.write(data)
                while data and open_end:
                    try:
                        data = data[os.write(writing, data):]
                    except OSError:
                        open_end = False
            os.close(writing)
            copy.close()

        os.set_inheritable(writing, False)
        thread = threading.Thread(target=carry, daemon=True)
        thread.start()

        def ended():
            os.write(stop_writing, b".")
            thread.join(5)
            os.close(stop_writing)
        return reading, ended


def valid(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


def from_terminal():
    """Are we what a terminal sends its interrupts to? Then all that we started got it, too."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def start(program, words, environment, descriptors):
    """Runs it beside us; it is killed when we are, however that happens. descriptors: (ours or None, its)."""
    prctl = ctypes.CDLL(None).prctl
    here = os.getpid()
    said, say = os.pipe()                   # what went wrong before the program began
    pid = os.fork()
    if pid == 0:
        try:
            prctl(1, signal.SIGKILL)        # PR_SET_PDEATHSIG
            if os.getppid() == here:
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                for ours, its in descriptors:
                    if ours is not None:
                        os.dup2(ours, its)
                os.execve(program, words, environment)
        except OSError as error:
            os.write(say, b"%d" % (error.errno or 0))
        finally:
            os._exit(127)
    os.close(say)
    with open(said, "rb") as file:
        wrong = file.read()
    if wrong:
        os.waitpid(pid, 0)
        raise OSError(int(wrong), os.strerror(int(wrong)))
    return pid


def execute(program, arguments, environment, stdin, stdout=None, stderr=None, limit=None, many=False):
    """Runs it to its end; the exit status as a shell has it. stdout, stderr: descriptors, None for ours. limit: seconds
    after which it is killed. many: it is one of many runs, so an interrupt is for us, too."""
    fd, ended = stdin
    sys.stdout.flush()
    try:
        pid = start(program, [program] + arguments, dict(os.environ, **environment),
                      [(fd, 0), (stdout, 1), (stderr, 2)])
    except OSError as error:
        raise Stop("cannot run %s: %s" % (program, error.strerror), NOT_RUN)
    finally:
        os.close(fd)
    try:
        end, pause = time.monotonic() + limit if limit else None, 0.0005
        while True:
            try:
                # An interrupt may come as this returns: the status is still there then.
                if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | (os.WNOHANG if end else 0)):
                    break
                if end and time.monotonic() > end:
                    os.kill(pid, signal.SIGKILL)
                    end = None
                else:
                    time.sleep(pause)
                    pause = min(0.01, 1.2 * pause)
            except KeyboardInterrupt:
                if many:
                    raise
                if not from_terminal():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGINT)
                continue                    # the program decides
        _, status = os.waitpid(pid, 0)
    except BaseException:
        with contextlib.suppress(OSError):      # a signal that ends us has ended the program already (processes.end_all)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        raise
    finally:
        if ended:
            ended()
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def ends_with_us(number):
    """For a child's `preexec_fn`: it gets this signal when we end, however that happens."""
    prctl, here = ctypes.CDLL(None).prctl, os.getpid()

    def ask():
        prctl(1, number)                    # PR_SET_PDEATHSIG
        if os.getppid() != here:
            os._exit(127)
    return ask


def run_command(command, **settings):
    """A command of cilkc, run as subprocess.run does. It is not killed when we are interrupted: it has files to
    remove."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace",
                               preexec_fn=ends_with_us(signal.SIGTERM), **settings)
    try:
        out, err = process.communicate()
    except BaseException:
        try:
            process.wait(2)             # the terminal has interrupted it, too
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def read_report(name, status=0):
    """What the run wrote; None where it came to no end that could be reported. `status` is how the run ended: where an
    interrupt came while it wrote, the command is interrupted, too."""
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        if status == 128 + signal.SIGINT:
            raise KeyboardInterrupt
        raise Stop("the report of the run cannot be read: %s" % error, NOT_RUN)


def how_it_ended(status):
    """A sentence on a run's exit status, as a shell has it. Why it ended so is what the run has printed."""
    if status <= 128:
        return "the program ended with status %d" % status
    names = {number.value: number.name for number in signal.Signals}
    return "%s ended the program" % names.get(status - 128, "signal %d" % (status - 128))


def nothing(settings, status):
    """The program came to no end that could be reported. The command's status: the program's, if that is an error."""
    text = (
        how_it_ended(status)
        if status > 128
        else "the run ended with status %d" % status                 # its runtime has reported why
        if status == NOT_RUN
        else "the program ended without exit() or a return from main, or has no procedure and no call"
    )
    console.message("error", text + ": nothing was measured")
    if settings["json"]:
        print(json.dumps({"error": text, "status": status}))
    return status or NOT_RUN


@contextlib.contextmanager
def reading(name):
    """What is read here was written by the program under measurement, which may have written over it, too: then there
    is a message."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        raise Stop("the report of the run is damaged (%s: %s)" % (os.path.basename(name), error), NOT_RUN)


def write_file(name, text, status=NOT_RUN):
    """A result of ours: it gets its name when it is complete."""
    folder, base = os.path.split(name)
    made = os.path.join(folder or ".", ".%s.cilkc-%d" % (disk.short_name(base), os.getpid()))
    try:
        # A page shows what can be shown of a name that is no text.
        regular = disk.regular(name)
        with open(made if regular else name, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        if regular:
            os.replace(made, disk.link_target(name))
    except BaseException as error:
        try:
            os.unlink(made)
        except OSError:
            pass
        if isinstance(error, OSError):
            raise Stop("%s: %s" % (name, error.strerror), status)
        raise


def outputs(names, kinds):
    """{kind: file} of what -o asks for, by the ends of the names. kinds: {suffix: kind}. Refused before anything runs
    where a name says nothing or cannot be written."""
    found = {}
    for name in names:
        kind = kinds.get(os.path.splitext(name)[1].lower())
        if kind is None:
            raise Stop("%s: the name says what is made: %s" % (name, ", ".join(sorted(kinds))), NOT_RUN)
        if kind in found:
            raise Stop("-o %s and -o %s: only one of this kind can be written" % (found[kind], name), NOT_RUN)
        found[kind] = name
    writable(found.values())
    return found


def writable(names, status=NOT_RUN):
    for name in filter(None, names):
        written = (os.path.dirname(name) or ".") if disk.regular(name) else name   # a device is not replaced
        if not os.access(written, os.W_OK) or os.path.isdir(name):
            raise Stop("%s cannot be written: %s; -o FILE names another file" % (name, why_not(name)), status)


def why_not(name):
    try:
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT))
    except OSError as error:
        return error.strerror
    return os.strerror(errno.EACCES)        # the file could be written, its folder not
