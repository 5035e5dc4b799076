"""What is to be made of each input, and under which names: Options -> Jobs. Nothing is run here and nothing written.

A result is written under another name beside its target; work.py renames it when everything that it needs has
succeeded.
"""

import os
import stat

from . import console, disk, options as opts
from .console import Stop


class Job:
    """One input on its way to an object file (or to assembly text, a stage's printout, ...)."""

    def __init__(self, item, made, target):
        self.item = item            # the Input
        self.made = made            # where the result is written first; None: nowhere (check), '-': stdout
        self.target = target        # its final name, or None when it stays temporary
        self.deps = None            # (temporary name, final name, words for cc -E) of the -MD file
        self.kept = {}              # what -save-temps keeps: 'text', 'asm', 'object' -> (temporary name, final name)
        self.status = 0
        self.messages = b""


def check_names(o):
    """Refuses what would write two results into one file, or one over its source, or where nothing can be written."""
    compiled = [i for i in o.inputs if i.language != "link"]
    if o.output is None:
        return
    if o.mode != "link" and len(compiled) > 1 and o.output != "-" and not o.mode.startswith("emit") \
            and o.mode != "check":
        raise Stop("cannot specify '-o' with '-c', '-S' or '-E' with multiple files", 2, "fatal error")
    for item in o.inputs:
        if item.name != "-" and o.output != "-" and o.mode != "check" and same_file(item.name, o.output) \
                and os.path.isfile(o.output):  # a device may be both: `-x assembler /dev/null -o /dev/null`
            raise Stop("input file '%s' is the same as output file" % item.name, 1, "fatal error")
    folder = os.path.dirname(o.output)
    if o.output != "-" and o.mode != "check":
        if folder and not os.path.isdir(folder):
            raise Stop("cannot open output file %s: %s" % (
                o.output, "Not a directory" if os.path.exists(folder) else "No such file or directory"))
        if os.path.isdir(o.output):
            raise Stop("cannot open output file %s: Is a directory" % o.output)


# How such a text begins: with a byte-order mark, or with `#` or `/` in two bytes.
UTF16 = (b"\xff\xfe", b"\xfe\xff", b"#\0", b"\0#", b"/\0", b"\0/")


def check_inputs(o):
    """Complains about files that cannot be read; drops them, so that the others are still compiled."""
    bad = []
    for item in o.inputs:
        reason = None
        if item.name == "-":
            continue
        try:
            if os.path.isdir(item.name):
                reason = "Is a directory"
            elif os.path.exists(item.name) and not os.path.isfile(item.name):
                # Opening a pipe and closing it again would signal its writer that the reader has gone.
                if not os.access(item.name, os.R_OK):
                    reason = "Permission denied"
                elif item.language == "link" == o.mode and stat.S_ISFIFO(os.stat(item.name).st_mode):
                    reason = "a text is read from a pipe with '-x LANG' only, and a linker reads none"
            else:
                opened = os.open(item.name, os.O_RDONLY | os.O_NONBLOCK)
                if item.language in opts.OURS and os.read(opened, 2) in UTF16:
                    reason = "the text is in UTF-16; save it as UTF-8"
                os.close(opened)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
        if reason:
            console.message("error", "%s: %s" % (item.name, reason), o.colour)
            bad.append(item)
    o.inputs = [i for i in o.inputs if i not in bad]
    o.link = [w for w in o.link if w not in bad]
    return 1 if bad else 0


def make_jobs(o, temp):
    jobs = []
    for item in o.inputs:
        if item.language == "link":
            if o.mode != "link" and not o.quiet:
                console.message("warning", "%s: linker input file unused because linking not done" % item.name, o.colour)
            continue
        target = target_name(o, item)
        if target == "-":
            made = "-"
        elif o.mode == "check":
            made = None
        elif target is None:
            made = temp.file("%d.o" % len(jobs))
        elif disk.regular(target):
            made = temp.beside(target)
        else:
            made = temp.file("%d.out" % len(jobs))
        job = Job(item, made, target)
        if item.language not in opts.PREPROCESSED:
            deps = deps_words(o, item)
            if deps:
                words, name = deps
                job.deps = (
                    temp.file("%d.d" % len(jobs)) if name == "-" else temp.beside(name) if disk.regular(name) else name,
                    name, words
                )
        if o.save_temps and item.language in opts.OURS:
            for what, name in kept_names(o, item):
                job.kept[what] = (temp.beside(name) if disk.regular(name) else temp.file("%d.%s" % (len(jobs), what)),
                                  name)
        jobs.append(job)
    if o.fragments and not o.dry:
        write_fragments(o, [job for job in jobs if job.item.name != "-"])
    return jobs


def write_fragments(o, jobs):
    """Appends to the file of -MJ, as clang does, an entry for each source with a comma after it. Put in brackets, the
    entries of all files are a compile_commands.json."""
    import json
    words, i = [], 0
    while i < len(o.words):
        word = o.words[i]
        if word.startswith("-MJ"):
            i += word == "-MJ"
        elif word not in [job.item.name for job in jobs]:
            words.append(word)
        i += 1
    entries = []
    for job in jobs:
        entry = {"directory": os.getcwd(), "file": job.item.name}
        if job.target not in (None, "-"):
            entry["output"] = job.target
        entries.append(json.dumps(entry | {"arguments": ["cilkc", *words, job.item.name]}) + ",\n")
    try:
        with open(o.fragments, "a", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(entries)
    except OSError as problem:
        raise Stop("%s: %s" % (o.fragments, problem.strerror), 1) from None


def target_name(o, item):
    """The file that this input's result is to have in the end; None for objects that only the linker needs."""
    if o.mode in ("link", "check"):
        return None
    if o.mode.startswith("emit:"):
        return o.output or "-"
    if o.output:
        return o.output
    base = os.path.basename(item.name)
    if item.language.endswith("-header") and o.mode == "obj":
        return item.name + ".gch"
    stem = base.rpartition(".")[0] or base
    return stem + (".s" if o.mode == "asm" else ".o")


def deps_words(o, item):
    """(words for cc -E, name of the file) of -MD; None if not asked for.

    The names follow gcc: beside the output, or named after the program when linking at once. So do the targets: what
    -o names, else the object of the source.
    """
    if not any(w in ("-MD", "-MMD") for w in o.deps):
        return None
    base = os.path.basename(item.name)
    stem = base.rpartition(".")[0] or base
    if o.mode in ("link", "check"):
        several = len([i for i in o.inputs if i.language != "link"]) > 1
        name = strip_suffix(o.output or "a") + ("" if o.output and not several else "-" + stem) + ".d"
    else:
        name = (strip_suffix(o.output) if o.output else stem) + ".d"
    if o.deps_file:
        name = "-" if o.deps_file == "/dev/stdout" else o.deps_file     # stdout is ours, not the preprocessor's
    words = list(o.deps)
    if not o.deps_target:
        words += ["-MQ", o.output if o.output and o.deps_of_output else "-" if item.name == "-" else stem + ".o"]
    return words, name


def kept_stem(o, item):
    """What the files that -save-temps keeps are named after: beside the output, as with gcc."""
    base = os.path.basename(item.name)
    stem = base.rpartition(".")[0] or base
    if o.save_temps == "cwd" or o.output in (None, "-") or not disk.regular(o.output):
        return stem
    return os.path.join(os.path.dirname(o.output), stem) if o.mode == "link" else strip_suffix(o.output)


def kept_names(o, item):
    stem = kept_stem(o, item)
    names = []
    if item.language not in opts.PREPROCESSED:
        names.append(("text", stem + ("." + item.language.split("-")[0] + "i" if item.language in opts.CILK else ".i")))
    if o.mode in ("obj", "link"):
        names.append(("asm", stem + ".s"))
    if o.mode == "link":
        names.append(("object", stem + ".o"))
    return names


def same_file(one, other):
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def strip_suffix(name):
    folder, slash, base = name.rpartition("/")
    dot = base.rfind(".")
    return folder + slash + (base[:dot] if dot > 0 else base)
