"""Questions about the compiler itself, as configure scripts and build systems ask them: --version, -dumpmachine,
-print-..., -v alone.

Which words are questions says flags.py (`ask`). Input: the words of a call. Output: the exit status when that was
all there is to do.
"""

import os
import sys

from . import console, flags, home, options as opts, processes
from .console import Stop


def version_text():
    """Our version, and the tools that we call: by their name build systems (meson) know which options we take."""
    text = "cilkc %s: a compiler for Cilk-5 and C17\n" % home.VERSION
    try:
        lines = processes.output_of(home.system_cc() + ["--version"])[1].splitlines()
    except Stop:
        return text
    if lines:
        maker = " (Free Software Foundation)" if any("Free Software Foundation" in line for line in lines) else ""
        text += "preprocesses, assembles and links with %s%s\n" % (lines[0], maker)
    return text


def answer(text):
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


def documents():
    """Where docs/, samples/ and editors/ are: in a wheel, below share/doc, or in the tree itself."""
    for folder in (home.HOME + "/doc", os.path.dirname(os.path.dirname(home.HOME)) + "/share/doc/cilkc"):
        if os.path.isdir(folder):
            return folder
    return home.HOME


def place(name, target):
    """What C and C++ programs that call procedures are compiled and linked with, as cilkc.pc says it; where CMake finds
    us, and where the manual is."""
    folder = os.path.dirname(home.library("libcilkrt.a", target))
    return {
        "runtime-dir": folder,
        "doc-dir": documents(),
        "cmake-dir": os.path.join(home.HOME, "driver", "cmake"),
        "cflags": processes.quoted(["-I" + home.stdlib_dir()]),
        "libs": processes.quoted(["-L" + folder, "-lcilkrt", "-pthread", "-lm"]),
    }[name]


def respond(arguments):
    """The exit status when the words hold a question, which is then answered; else None."""
    for i, word in enumerate(arguments):
        found = flags.find(word)
        if found is None or not found[1][2].startswith("ask "):
            continue
        if i and arguments[i - 1] in ("-Xlinker", "-Xassembler", "-Xpreprocessor", "-o"):
            continue            # a question to another tool
        what = found[1][2][4:]
        named = [opts.known_target(w.partition("=")[2]) for w in arguments if w.startswith("--target=")]
        target = opts.foreign_target(named[-1] if named else None)
        if what == "version":
            return answer(version_text())
        if what == "include":   # of <cilk.h>, for C and C++ that others compile
            return answer(home.stdlib_dir() + "\n")
        if what == "place":
            return answer(place(word.lstrip("-")[6:], target) + "\n")
        if what == "runtime":
            name = word.partition("=")[2]
            path = home.library(name, target)
            return answer((path if os.path.exists(path) else name) + "\n")
        if what == "help":
            raise console.HelpWanted()
        # The answers concern the linker and the ABI, which are the system compiler's.
        rest = [w for w in arguments if not w.startswith(("--spawn", "--target", "-cilk"))]
        return processes.run(home.system_cc(target) + rest)
    if arguments and all(word == "-v" for word in arguments):
        sys.stderr.write(version_text())
        sys.stderr.flush()
        processes.run(home.system_cc() + ["-v"])
        return 0
    return None
