"""`cilkc run`: compiles a program and becomes it. A call is parsed without click, whose import takes longer than the
program of a beginner."""

import _signal
import os
import sys

from . import compile as compiler, console, disk, options as opts
from .console import Stop

NOT_RUN = 125       # as env, timeout and nohup have it: a status that few programs use themselves


def main(words):
    try:
        flags, name, arguments, output = split_run(words)
    except Stop as stop:
        console.message(stop.kind, stop.message)
        return NOT_RUN
    if not any(flag.startswith("-O") for flag in flags):
        flags = ["-O2"] + flags
    temp = disk.TempDir()
    compiler.catch_signals()        # a folder to remove
    try:
        program = output or temp.file(os.path.basename(name).rpartition(".")[0] or "program")
        if compiler.main(flags + [name, "-o", program]):
            return NOT_RUN
        become(program, temp, arguments)
    except Stop as stop:
        console.message(stop.kind, stop.message)
        return NOT_RUN
    finally:
        temp.clean()


def split_run(words):
    """(flags, file, program's arguments, file that -o names or None)"""
    at = opts.first_file(words)
    if at is None:
        raise Stop("missing argument 'FILE'")
    flags, name, words = words[:at], words[at], words[at + 1:]
    if flags[-1:] == ["--"]:
        flags.pop()
        name = "./" + name if name.startswith("-") and name != "-" else name
    # `--` separates further inputs from the program's arguments.
    if "--" in words:
        end = words.index("--")
        extra = words[:end]
        if all(opts.language_of(w) != "link" or w.startswith("-") or w.endswith((".o", ".a")) for w in extra):
            flags, words = flags + extra, words[end + 1:]
    try:
        options = opts.parse(flags)
    except Stop as stop:
        if "unrecognized command-line option" in stop.message:
            stop.message += (
                "; an option of the program goes after the file: cilkc run FILE -- " + stop.message.split("'")[1]
            )
        raise
    if options.mode != "link":
        flag = {"obj": "-c", "asm": "-S", "cpp": "-E", "deps": "-M", "check": "-fsyntax-only"}.get(
            options.mode, "--emit"
        )
        raise Stop("'%s' makes no program, so nothing can be run" % flag)
    return flags, name, words, options.output


def become(program, temp, arguments):
    """Turns this process into the program, whose file is gone by then unless the user asked for it.

    What is sent to us reaches the program, and its end is ours: no process is left to be waited for or forgotten,
    nothing to tidy up.
    """
    try:
        file = os.open(program, os.O_RDONLY | os.O_CLOEXEC)
        temp.clean()
        sys.stdout.flush()
        _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)      # Python's own setting would be inherited
        os.execve(file, [program] + arguments, os.environ)
    except OSError as error:
        raise Stop("cannot run %s: %s" % (program, error.strerror))
