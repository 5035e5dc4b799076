"""The command lines of the tools that a call runs: the preprocessor, cilkc1, the compilers of other languages. Pure
functions of the Options."""

import os

from . import console, flags, home, options as opts, processes


def preprocessor(o, item, temp):
    """cc -E; the last three words name the language and the file."""
    # -v goes on to the tools: build systems read search paths and libraries out of their answers.
    command = (
        (borrowed(o.target) if headerless(o) else home.system_cc(o.target)) + ["-E"] + (["-v"] if o.verbose else [])
    )
    if is_clang(command) and not headerless(o):
        command += AS_GCC + ["--embed-dir=" + folder for folder in o.embed_dirs]
    if item.language in opts.CILK:
        command += ["-D__CILK__=5", "-D__CILK2C__=1", "-D__REENTRANT=1"]
        command += ["-include", os.path.join(home.stdlib_dir(), "cilk.h")]
        if o.profile:
            command += ["-DCILK_STATS=1", "-DCILK_TIMING=1"]
        if o.span:
            command += ["-DCILK_CRITICAL_PATH=1"] + (["-DCILK_SPAN_COUNT=1"] if o.span == "count" else [])
        if o.tool == "profile":
            command += ["-DCILK_CRITICAL_PATH=1", "-DCILK_SPAN_COUNT=1"]
        if o.debug:
            command += ["-DCILK_DEBUG=1"]
    # Some systems' gcc predefines it at -O: here only users ask for it.
    command += ["-D__cilkc__=1", "-U_FORTIFY_SOURCE"]
    command += o.cpp
    if flags.STANDARDS.get(o.std) in ("c2x", "gnu2x"):
        command += ["-imacros", os.path.join(home.stdlib_dir(), "cilk-c23.h")]
        asking = asking_files(o, item)
        if asking:
            from . import embed
            command += ["-idirafter", embed.answers(asking, o.embed_dirs, temp)]
    if "-fopencilk" in o.cilk1 and mentions(item.name, b"grainsize"):
        command += ["-dD"]      # macros stay for `#pragma cilk grainsize`, which gcc does not expand
    command += ["-isystem", home.stdlib_dir()]
    command += ["-fdiagnostics-color=" + o.colours]
    command += ["-x", "c", item.name]
    return command


def mentions(name, *words):
    try:
        with open(name, "rb") as file:
            text = file.read()
        return any(word in text for word in words)
    except OSError:
        return False


def asking_files(o, item):
    """The file and those that it includes by #include "FILE", as far as they speak of __has_embed."""
    folders = [w[2:] for w in o.cpp if w.startswith("-I") and len(w) > 2] + [
        b for a, b in zip(o.cpp, o.cpp[1:]) if a in ("-I", "-iquote", "-isystem")
    ]
    pending, seen, asking = [item.name], set(), []
    while pending:
        path = pending.pop()
        if path in seen or not os.path.isfile(path):
            continue
        seen.add(path)
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            text = f.read()
        if "__has_embed" in text:
            asking.append(path)
        for line in text.splitlines():
            if line.lstrip().startswith("#") and "include" in line and line.count('"') > 1:
                pending += [os.path.join(folder, line.split('"')[1]) for folder in [os.path.dirname(path)] + folders]
    return asking


# Headers ask which compiler reads them. With clang as the preprocessor the answer is cilkc1's own
# (frontend/types/predefine.cpp): a GNU C compiler.
AS_GCC = ["-fgnuc-version=12.2.0"] + ["-U__%s__" % name for name in (
    "clang", "clang_major", "clang_minor", "clang_patchlevel", "clang_version", "llvm")]


def is_clang(command):
    """By its name, or that of the program which a link of this name leads to: to ask it would cost a process for each
    file."""
    return home.is_zig(command) or any("clang" in os.path.basename(os.path.realpath(home.which(word) or word))
                                       for word in command if word[:1] != "-")


def headerless(o):
    """Is there no C compiler for the target, and so no headers either?"""
    return bool(o.target) and not os.environ.get("CILKC_CC") and home.which(o.target + "-gcc") is None


def borrowed(target):
    """This machine's compiler as a preprocessor for a target that has none here: it knows the target's names and finds
    no headers but the user's and ours."""
    code, out = processes.output_of([home.cilkc1(), "--target=" + target, "--print=predefined"])
    if code:
        raise console.Stop("cilkc1 does not print the names of " + target)
    return home.system_cc() + ["-undef", "-nostdinc"] + ["-D" + name for name in out.splitlines()]


# Headers of C++, and what has their place in C.
CPLUSPLUS = {"iostream": "include <stdio.h>", "cstdio": "include <stdio.h>", "fstream": "include <stdio.h>",
             "sstream": "include <stdio.h>", "iomanip": "include <stdio.h>", "string": "include <string.h>",
             "cstring": "include <string.h>", "cstdlib": "include <stdlib.h>", "cmath": "include <math.h>",
             "cstdint": "include <stdint.h>", "climits": "include <limits.h>", "cassert": "include <assert.h>",
             "ctime": "include <time.h>", "chrono": "include <time.h>", "cctype": "include <ctype.h>",
             "vector": "use arrays, malloc and realloc", "array": "use arrays", "algorithm": "use qsort of <stdlib.h>",
             "memory": "use malloc and free", "map": None, "set": None, "unordered_map": None, "list": None,
             "queue": None, "stack": None, "functional": None, "utility": None, "thread": "use `spawn` and `sync`",
             "future": "use `spawn` and `sync`", "mutex": "use Cilk_lock", "atomic": "include <stdatomic.h>",
             "random": "use rand of <stdlib.h>"}


def of_cplusplus(messages):
    """A note for a preprocessor's messages that miss a header of C++."""
    for line in messages.decode("utf-8", "surrogateescape").splitlines():
        place, _, text = line.partition(": fatal error: ")
        name = text.split(":")[0].split("' ")[0].strip("'")
        if name in CPLUSPLUS and ("No such file" in text or "not found" in text):
            advice = CPLUSPLUS[name]
            instead = "; " + advice if advice else ""
            return ("%s: note: <%s> is a header of C++, and this is C%s\n" % (place, name, instead)).encode(
                "utf-8", "surrogateescape"
            )
    return b""


NO_EMBED = b" #embed"       # ends the message of a preprocessor that does not know the directive: gcc before 15
NO_HEADERS = (
    "cilkc: note: no C compiler for %s is installed (%s-gcc), nor the headers that come with it; see 'cilkc doctor'\n"
)


def native(o, job, source):
    """cilkc1 on preprocessed text."""
    item = job.item
    emit = {"obj": "obj", "link": "obj", "asm": "asm", "check": "check"}.get(o.mode, o.mode.replace("emit:", ""))
    if item.language in opts.HEADERS and emit == "obj":
        emit = "check"
    command = [home.cilkc1(), "--emit=" + emit]
    command += ["--lang=" + (item.language.split("-")[0] if item.language in opts.CILK else "c")]
    if item.language not in opts.PREPROCESSED:
        command += ["--main-file=" + ("<stdin>" if item.name == "-" else item.name)]
    if not os.isatty(2) or console.document is not None:
        # a limit for readers; programs (cgo) try out what compiles by looking for errors
        command.append("--max-errors=20000")
    if item.language in opts.CILK and any(w.startswith("-g") for w in o.cilk1):
        command.append("--gdb-script=" + home.gdb_script())
    if o.counted - {"-fprofile-generate"}:
        from . import counts
        command.append("--coverage-file=" + counts.coverage_stem(o, item, job.target))
    command += o.cilk1 + ["--color=" + o.colours]
    if emit != "check":
        command += ["-o", job.made]
    return command + [source]


def other_compiler(o, item, words):
    """For .s, .S, .cc and what else the system's compilers handle."""
    cxx = item.language in opts.NEEDS_CXX
    if o.other_cc and item.language in opts.OURS:
        command = processes.split_words(o.other_cc)
    else:
        command = home.system_cc(o.target, cxx)
    command += ["-v"] if o.verbose else []
    std = [w for w in o.cc if w.startswith("-std=")]
    if item.language.startswith("assembler"):
        # Only code generation switches that define macros matter; cc may not know the ones that cilkc1 ignores.
        command += [w for w in o.cc
                    if not w.startswith("-std=") and (w[:2] != "-f" or w.startswith(flags.ASSEMBLER_SWITCHES))]
    else:
        command += o.cc
        if std and (("++" in std[-1]) != cxx):
            command = [w for w in command if not w.startswith("-std=")]
        # After all other folders: a C++ program finds <cilk.h>, and nothing of ours instead of a system header.
        if not item.language.endswith("cpp-output"):
            command += ["-idirafter", home.stdlib_dir()]
    if item.language == "assembler-with-cpp":
        command += [w for w in o.cpp if w.startswith("-D") and w not in o.cc]
    if item.language not in ("cpp-output",) and language_differs(item):
        command += ["-x", item.language]
    return command + words + [item.name]


def language_differs(item):
    return opts.language_of(item.name) != item.language or item.name == "-"
