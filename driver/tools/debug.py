"""`cilkc debug`: builds the program for gdb and starts gdb with the commands for Cilk (gdb_cilk.py).

gdb has the terminal, the program's arguments, and the user's commands by -ex. The program is in a temporary
folder and goes when gdb ends, unless it was there before.
"""

import os
import signal
import sys

from cilkc_driver import home, processes
from cilkc_driver.console import Stop

from . import instrumented


def main(words, settings):
    """settings: the command's own options by name. The exit status: gdb's; 125 where it was not started."""
    if settings["script"]:
        print(home.gdb_script())
        return 0
    return instrumented.session(lambda temp: debug(words, settings, temp), instrumented.NOT_RUN)


def debug(words, settings, temp):
    flags, arguments = instrumented.split(words)
    if not flags:
        raise Stop("missing argument 'FILE'", instrumented.NOT_RUN)
    gdb = home.which("gdb")
    if gdb is None:
        raise Stop("gdb is not installed: 'cilkc doctor' says how to get it", instrumented.NOT_RUN)
    program = flags[0] if len(flags) == 1 and executable(flags[0]) else None
    if program is None:
        options = instrumented.check(flags, "cilkc debug")
        if options.target:
            raise Stop("cilkc debug runs the program on this machine: --target cannot be used with it",
                       instrumented.NOT_RUN)
        program = temp.file(os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program")
        if not instrumented.build(flags, program, level(flags)):
            return instrumented.NOT_RUN
    command = ([gdb, "-q"] + (["-batch"] if settings["batch"] else [])
               + ["-iex", "add-auto-load-safe-path " + home.gdb_script(), "-x", home.gdb_script()])
    if os.path.isdir(os.path.join(home.HOME, "tests")):       # debug information calls the tree /cilkc (Makefile: RT_MAP)
        command += ["-iex", "set substitute-path /cilkc '%s'" % home.HOME.replace("\\", "\\\\").replace("'", "\\'")]
    for text in settings["ex"]:
        command += ["-ex", text]
    if settings["core"]:
        if arguments:
            raise Stop("a core file has its arguments: '--' cannot be used with --core", instrumented.NOT_RUN)
        if not os.path.isfile(settings["core"]):
            missing = "is not a regular file" if os.path.exists(settings["core"]) else "does not exist"
            raise Stop("the core file %s %s" % (settings["core"], missing), instrumented.NOT_RUN)
        command += [program, settings["core"]]
    else:
        command += ["--args", program] + arguments
    return start(command)


def level(flags):
    made = [] if any(w.startswith("-O") for w in flags) else ["-O0"]
    return made + ([] if any(w.startswith("-g") for w in flags) else ["-g"])


def executable(name):
    """Is it a program that was built before?"""
    try:
        if not os.path.isfile(name):        # a pipe is not opened
            return False
        with open(name, "rb") as file:
            return file.read(4) == b"\x7fELF" and os.access(name, os.X_OK)
    except OSError:
        return False


def start(command):
    """gdb decides what an interrupt means. A signal between gdb's start and the wait would leave gdb running."""
    sys.stdout.flush()
    before = signal.getsignal(signal.SIGINT)
    with processes.SignalsWait() as mask:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            pid = os.posix_spawn(command[0], command, os.environ, setsigdef=[signal.SIGINT, signal.SIGPIPE],
                                 setsigmask=mask)
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                _, status = os.waitpid(pid, 0)
            except BaseException:
                os.kill(pid, signal.SIGTERM)
                processes.await_end(processes.descriptor_of(pid))
                os.kill(pid, signal.SIGKILL)    # where it waits for a file, it does not end by itself
                os.waitpid(pid, 0)
                raise
        except OSError as error:
            raise Stop("cannot run %s: %s" % (command[0], error.strerror), instrumented.NOT_RUN)
        finally:
            signal.signal(signal.SIGINT, before)
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
