"""The last step of a call that makes a program: the system's linker, by the C compiler, with the runtime.

Objects that carry bitcode become one first under -flto (lto.py). What the linker says is put into the user's words
where it speaks of the runtime's symbols (abi_tags.py) or of our temporary files.
"""

import os

from . import console, disk, flags, home, options as opts, processes
from .console import Stop


def runtime_flavour(o):
    if "thread" in o.sanitize:
        return "libcilkrt-tsan.a"
    if "address" in o.sanitize:
        return "libcilkrt-asan.a"
    if o.debug:
        return "libcilkrt-debug.a"
    if o.trace:
        return "libcilkrt-trace.a"
    return "libcilkrt.a"


def join(o, command):
    """cilkc1 --link: True when it made its object."""
    if o.verbose or o.dry:
        console.write_stderr((" %s\n" % processes.quoted(command)).encode("utf-8", "surrogateescape"))
        if o.dry:
            return True
    code, messages = processes.capture(command)
    console.write_stderr(messages)
    return code == 0


def link(o, temp, jobs):
    """Links what the jobs of a call made, and its other inputs; the exit status."""
    objects = {id(job.item): job.made for job in jobs}
    shown = {job.made: job.item.name for job in jobs if job.made}
    contents = Contents()
    cxx = any(i.language in opts.NEEDS_CXX or i.language == "link" and contents.of_cxx(i.name) for i in o.inputs)
    target = o.output or "a.out"
    made = temp.beside(target) if disk.regular(target) else temp.file("linked")
    disk.sweep(os.environ.get("TMPDIR") or "/tmp", "cilkc-")
    disk.sweep(os.path.dirname(disk.link_target(target)) or ".", ".%s.cilkc-" % os.path.basename(target)[:200])
    command = linker(o.target, cxx) + (["-v"] if o.verbose else [])
    start = len(command)
    inside, whole = [], set()   # objects that became part of a larger one, and the larger one
    if o.lto and not o.relocatable:
        from . import lto

        parts = lto.merge(o, [w for w in o.link if isinstance(w, opts.Input)], objects, temp,
                           lambda words: join(o, words))
        if parts is None:
            return 1
        inside = [objects.get(id(w), w.name) for w in o.link if id(w) in parts]
        whole = set(parts.values())
        objects.update(parts)
    words, cilk = of_inputs(o, objects, contents)
    command += words
    if o.sanitize:
        # That runtime flavour is checked for undefined behaviour, too.
        also = ["undefined"] if "address" in o.sanitize and "undefined" not in o.sanitize else []
        command.append("-fsanitize=" + ",".join(o.sanitize + also))
    if not o.relocatable and o.counted - {"-ftest-coverage"}:
        from . import counts
        command += counts.runtime(o.target)
    if cilk and not (o.relocatable or o.sanitize or o.debug or debugged(o, objects, contents)):
        command.append("-Wl,-S")        # the runtime's lines and types take longer than the rest of a link
    if not o.relocatable and (cilk or not o.no_libs):
        add_runtime(o, command, start, cilk, temp)
    command += ["-o", made]
    if o.verbose or o.dry:
        console.write_stderr((" %s\n" % processes.quoted(command)).encode("utf-8", "surrogateescape"))
        if o.dry:
            return 0
    if cilk:
        from . import interfaces
        wrong = interfaces.disagreements(
            [(word, shown.get(word, word)) for word in command
             if word in shown or word.endswith((".o", ".a", ".obj", ".lo")) and not is_runtime(word)]
        )
        if wrong:
            console.write_stderr(b"\n".join(wrong) + b"\n")
            return 1
    if home.is_zig(command) and home.zig_builds_first():
        console.write_stderr(b"cilkc: note: Zig builds parts of the C library once, which may take a minute\n")
    code, messages = processes.capture(command)
    if code:
        messages = explained(o, messages, [w for w in command if w not in whole] + inside, shown)
    # The linker knows the output under its temporary name, which means nothing to the user.
    console.write_stderr(
        messages.replace(os.fsencode(made), os.fsencode(target)) or processes.wordless(command, target, code)
    )
    if code:
        return 1
    disk.put_in_place(made, target)
    return 0


def of_inputs(o, objects, contents):
    """The words of a link for its inputs, and whether there is Cilk among them."""
    cilk = any(i.language in opts.CILK for i in o.inputs) or "-fopencilk" in o.cilk1
    # the runtime comes by itself, in the flavour of the flags: no second one, by pkg-config for example
    ours = not o.relocatable and not o.no_libs
    words = []
    for word in o.link:
        if isinstance(word, opts.Input):
            if not cilk and word.language == "link" and contents.of_cilk(word.name):
                cilk = True
            name = objects.get(id(word), word.name)
            if name is not None and not (ours and is_runtime(name)):
                words.append(name)
        elif not (ours and word == "-lcilkrt"):
            words.append(word)
    return words, cilk


def debugged(o, objects, contents):
    """Whether anything that is linked has debug information of the user's, or may have."""
    if any(word.startswith("-g") and word != "-g0" for word in o.cilk1):
        return True
    return any(word.startswith(("-l", "@", "-Wl,")) if not isinstance(word, opts.Input)
               else id(word) not in objects and contents.of_debugging(word.name) for word in o.link)


def add_runtime(o, command, start, cilk, temp):
    """Adds to a linker's command the runtime, and what goes with it. The command's own words end at `start`."""
    runtime = home.library(runtime_flavour(o), o.target)
    if not there(runtime, o.dry or not cilk):
        if cilk:
            raise Stop("the runtime is not built (%s): run 'make' in %s" % (runtime, home.HOME))
        return
    if o.scale:
        command.append("-Wl,-u," + flags.CILKTOOLS[o.scale][1])
    if o.dist and cilk:
        from . import dist
        first, words = dist.parts(o, command[:start], runtime_flavour(o), temp)
        command[:start] = first
        start = len(first)
        command += words
    if o.tool or o.scale:
        command.append(home.library("libcilk%s.a" % (o.tool or "profile"), o.target))
        there(command[-1], o.dry)
    # An archive: programs without Cilk take nothing from it.
    command.append(runtime)
    if cilk and not o.shared and not any(word in o.link for word in ("-static", "--static", "-static-pie")):
        command[start:] = owning(command[start:], runtime, ["-Wl,--export-dynamic"] if home.is_zig(command)
                                 else ["-Wl,--export-dynamic-symbol=" + name
                                       for name in ("cilk_self", "cilk_rt_*", "Cilk_*")])
    if o.own_runtime and not any("version-script" in word for word in o.link if not isinstance(word, opts.Input)):
        command += hiding(runtime, temp)
    if cilk:
        command += (["-lpthread", "-lm"] if home.is_zig(command)
                    else ["-Wl,--push-state,--as-needed", "-lpthread", "-lm", "-Wl,--pop-state"])


def explained(o, messages, words, shown):
    """What the linker says of a link that failed, in the user's words. `words` are the link's, `shown` the names of
    the sources of our temporary files."""
    if b"cilk_" in messages or b".thread" in messages:
        from . import abi_tags, threads
        files = [(word, shown.get(word, word)) for word in words
                 if word.endswith((".o", ".a", ".obj", ".lo")) or word in shown]
        messages = threads.explain(messages, files)
        messages = abi_tags.explain(messages, [f for f in files if "libcilkrt" not in f[0]],
                                    {name for name in abi_tags.MODES
                                     if (o.span == "count" if name == "units" else getattr(o, name))})
    if o.dist and b"multiple definition of `main'" in messages:
        messages = b"cilkc: error: with --dist the program begins with a Cilk main, on rank 0: write `cilk int main(int argc, char *argv[])`, or a thread main\n"
    elif b"undefined reference to `cilk_main_root'" in messages:
        # The runtime's start-up came in because nothing else has a main.
        others = [l for l in messages.splitlines(True) if b"cilk_main_root" not in l and b"libcilkrt" not in l]
        others = others if any(b"undefined reference" in l for l in others) else []
        messages = (
            b"cilkc: error: the program has no main: define `cilk int main(int argc, char *argv[])` or a C `main`"
            b" (or compile only, with -c)\n"
        ) + b"".join(others)
    if b"undefined reference to `omp_" in messages:
        messages = of_openmp(messages)
    return messages


def of_openmp(messages):
    """What to write in place of OpenMP's functions; then the linker's lines, the first for each function."""
    import re

    names, lines = [], []
    for line in messages.splitlines(True):
        found = re.search(rb"undefined reference to `(omp_\w+)'", line)
        if found is None or found[1] not in names:
            lines.append(line)
        if found and found[1] not in names:
            names.append(found[1])
    return (
        b"cilkc: error: the program calls functions of OpenMP (%s), which cilkc does not have: for a parallel loop write"
        b" `cilk_for` or `spawn`, for the number of workers `Cilk_active_size`, for this worker's `Self`;"
        b" `cilkc explain openmp` shows how\n" % b", ".join(names)
    ) + b"".join(lines)


def owning(words, runtime, shown):
    """The words of a link of a program, which is to hold the runtime itself and to share it with its libraries
    (rt/core/base/module.c).

    Libraries have the runtime, too: it goes before the first of them, or the linker would be content with theirs,
    which code that was not compiled with -fPIC cannot use. Libraries that are opened later find it among the
    program's dynamic symbols, if these words export them.
    """
    for number, word in enumerate(words):
        if word.startswith("-l") or is_shared_library(word):
            words = words[:number] + [runtime[:-2] + ".o"] + words[number:]
            break
    return words + shown


def hiding(runtime, temp):
    """The words that keep a library's runtime to itself. Its procedures are hidden, too: a program that spawned them
    would hand its workers to a runtime that does not know them. (EXPORT's functions and C functions are what callers
    see.)"""
    script = temp.file("own.map")
    with open(script, "w") as file:
        file.write("{ local: *.fast; *.slow; };\n")
    return ["-Wl,--exclude-libs=" + os.path.basename(runtime), "-Wl,--version-script=" + script]


def there(path, dry):
    """Whether the file is there, or could be built."""
    if os.path.exists(path):
        return True
    from . import parts
    return parts.need(path, dry)


def is_runtime(name):
    name = os.path.basename(name)
    return name.startswith("libcilkrt") and name.endswith(".a")


def is_shared_library(name):
    """libx.so, libx.so.1.2"""
    return name.rstrip("0123456789.").endswith(".so")


def linker(target, cxx):
    """For C++ its own compiler, which knows its libraries; where there is none, the C compiler says what is missing."""
    try:
        return home.system_cc(target, cxx)
    except Stop:
        return home.system_cc(target)


class Contents:
    """What objects and archives refer to, by the names of their symbols. Each is read once."""

    CXX = (b"__gxx_personality_v0", b"_ZSt", b"_ZNSt", b"_ZNKSt", b"_Znwm", b"_Znam", b"_ZdlPv", b"_ZdaPv",
           b"__cxa_guard_", b"__cxxabiv1")

    def __init__(self):
        self.known = {}

    def of(self, name):
        if name not in self.known:
            data = disk.bytes_of(name)
            # Shared libraries bring their own libraries along.
            self.known[name] = (b"cilk_rt_" in data,
                                not is_shared_library(name) and any(w in data for w in self.CXX), b".debug_" in data)
        return self.known[name]

    def of_cilk(self, name):
        return self.of(name)[0]

    def of_cxx(self, name):
        return self.of(name)[1]

    def of_debugging(self, name):
        return self.of(name)[2]
