"""First code of the command: sends a call to the compiler driver, or to the click commands, which its caller brings.

A first argument that is a flag or a file means `build` in the C compilers' command-line shape; those calls must
not pay for click.  No exception leaves main(): an unexpected one becomes one line, and the traceback
is shown only with CILKC_TRACEBACK=1.
"""

import _signal
import io
import os
import sys

# A first word of these is the command, whatever is in the folder: `cilkc race.cilk -o race && cilkc race race.cilk`. A
# test compares them with those of commands/cli.py.
COMMANDS = ("build", "run", "check", "elide", "emit", "race", "prove", "profile", "trace", "dag", "memory", "simulate",
            "speedup", "debug", "sched-test", "grade", "explore", "see", "step", "lsp", "dap", "play", "explain", "doctor",
            "bench", "completion", "help")


def is_compiler_call(arguments):
    if not arguments:
        return False
    first = arguments[0]
    if first in ("--help", "-h", "-help") or first in COMMANDS:
        return False
    return first.startswith(("-", "@")) or looks_like_file(first)


def looks_like_file(word):
    return "." in word or "/" in word or os.path.isfile(word)    # a folder named bench is not an input


def internal_error(error, status=1):
    if os.environ.get("CILKC_TRACEBACK"):
        import traceback
        traceback.print_exc()
    sys.stderr.write("cilkc: internal error: %s: %s\n"
                     "cilkc: please report it; CILKC_TRACEBACK=1 shows where it happened\n"
                     % (type(error).__name__, error))
    return status


class Stdout(io.FileIO):
    """Standard output, whose errors name it."""

    def write(self, data):
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "standard output"
            raise


class Stderr(io.FileIO):
    """Standard error. That it is full cannot be reported, and ends nothing."""

    def write(self, data):
        try:
            return super().write(data)
        except OSError:
            return len(data)


def wrap_streams():
    for number, name, kind in (1, "stdout", Stdout), (2, "stderr", Stderr):
        given = getattr(sys, name)
        if given.fileno() == number:    # else it was closed
            setattr(sys, name,
                    io.TextIOWrapper(io.BufferedWriter(kind(number, "w", closefd=False)), given.encoding, given.errors,
                                     line_buffering=bool(given.line_buffering)))


def forget_stdout():
    """What is still in the buffer goes nowhere, so that the interpreter does not complain at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:                     # a system without /dev/null
        os.dup2(os.memfd_create("lost"), 1)


def status_of(run):
    """The status that run() returns or exits with, once its output is written. A full disk can still be reported
    here."""
    try:
        status = run()
    except SystemExit as stop:
        status = stop.code
    if not sys.stdout.closed:           # by the language server
        sys.stdout.flush()
    return status


def occupy_closed():
    """A file that is opened must not become a standard stream that the caller has closed: a program would print into
    its own report. What takes its place refuses each use of the stream, as a closed one does."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            try:
                # it gets the lowest free number
                os.set_inheritable(os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY), True)
            except OSError:
                pass                    # a system without /dev/null
        if number and getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))


# Their status 1 says that something was found. 2: they came to no end.
JUDGES = ("race", "prove", "explore")


def main(folder, arguments, commands):
    """The exit status of a call; commands(arguments, completes_build=False) runs a click command."""
    failed = 2 if arguments and arguments[0] in JUDGES else 1
    occupy_closed()
    wrap_streams()
    from . import home
    try:
        if _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        home.set_home(folder)
        return status_of(lambda: run(arguments, commands))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        forget_stdout()             # the reader of our output has gone
        return failed
    except MemoryError:
        sys.stderr.write("cilkc: error: out of memory\n")
        return failed
    except UnicodeEncodeError:
        sys.stderr.write("cilkc: error: this text cannot be shown in the terminal's encoding\n")
        return failed
    except OSError as error:
        # Standard output closed or full, the working directory gone, no processes left.
        name = error.filename if isinstance(error.filename, str) else "" if folder_exists() else "the working directory"
        sys.stderr.write("cilkc: error: %s%s\n" % (name and name + ": ", error.strerror or error))
        forget_stdout()
        return failed
    except Exception as error:  # the last resort
        return internal_error(error, failed)


def folder_exists():
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def run(arguments, commands):
    from . import console
    try:
        # A click completion request comes through the environment, with no arguments of its own.
        if "_CILKC_COMPLETE" in os.environ:
            return commands(arguments, is_compiler_call(os.environ.get("COMP_WORDS", "").split()[1:]))
        if arguments[:1] == ["build"] and not ("--help" in arguments or "-h" in arguments):
            return compile_files(arguments[1:])
        if arguments[:1] == ["run"] and arguments[1:2] not in ([], ["--help"], ["-h"]):
            from . import run as runs
            return runs.main(arguments[1:])
        return compile_files(arguments) if is_compiler_call(arguments) else commands(arguments)
    except console.HelpWanted:          # among the flags of a compilation
        return commands(["build", "--help"])


def compile_files(words):
    from . import compile
    return compile.main(words)
