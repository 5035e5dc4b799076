"""Compiler-shaped calls: preprocess, compile, assemble, link.

Input: the words after `cilkc` (or after `cilkc build`).  Output: files, and an exit status: 0 done, 1 errors in the
program or in a file, 2 wrong usage.

How it works: options.py reads the command line; each input becomes a Job that runs `cc -E | cilkc1` as a
pipe (another compiler for other languages); jobs run in parallel when there are several processors, their
messages appear in the order of the inputs; then the linker gets what was made.  Results are written under another
name beside their target and renamed when everything that they need has succeeded, so a failed call leaves
nothing behind and never a half-written file.
"""

import os
import sys

from . import options as opts
from . import tools
from .tools import Stop

_stdin_done = False


def main(arguments, command=None):
    options = None
    temp = tools.TempDir()
    catch_signals()
    try:
        if asks_for_information(arguments):
            return 0
        options = opts.parse(arguments)
        return Call(options, temp).run()
    except Information as answer:
        return answer.status
    except Stop as stop:
        if stop.message is not None:
            tools.message(stop.kind, stop.message, options and options.colour)
        return stop.status
    finally:
        temp.clean()


def stage(name, words, output, extra):
    """The commands `elide` and `emit`: the result of one stage, to stdout or a file."""
    temp = tools.TempDir()
    options = None
    catch_signals()
    try:
        options = opts.parse(["--emit=" + name, "-o", output] + words)
        options.output = output
        options.cilk1 += extra
        if output != "-" and len(options.inputs) > 1:
            raise Stop("one file at a time can be written to '%s'" % output, 2)
        return Call(options, temp).run()
    except Stop as stop:
        if stop.message is not None:
            tools.message(stop.kind, stop.message, options and options.colour)
        return stop.status
    finally:
        temp.clean()


class Information(Exception):
    """A question about the compiler was answered; nothing is left to do."""

    def __init__(self, status):
        Exception.__init__(self)
        self.status = status


def catch_signals():
    """SIGTERM and SIGHUP end the call like an exception, so that temporary files go."""
    import _signal

    def stop(number, frame):
        raise SystemExit(128 + number)
    for number in (_signal.SIGTERM, _signal.SIGHUP):
        if _signal.getsignal(number) == _signal.SIG_DFL:
            _signal.signal(number, stop)


def version_text():
    """Our version, and the tools behind us: by the latter's name build systems (meson) know which options we take."""
    text = "cilkc %s: a compiler for Cilk-5 and C17\n" % tools.VERSION
    try:
        lines = tools.output_of(tools.system_cc() + ["--version"])[1].splitlines()
    except Stop:
        return text
    if lines:
        maker = " (Free Software Foundation)" if any("Free Software Foundation" in line for line in lines) else ""
        text += "preprocesses, assembles and links with %s%s\n" % (lines[0], maker)
    return text


def answer(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def asks_for_information(arguments):
    """--version, -dumpmachine, -print-...: what configure scripts ask.  True when that was all."""
    for i, word in enumerate(arguments):
        if i and arguments[i - 1] in ("-Xlinker", "-Xassembler", "-Xpreprocessor", "-o"):
            continue            # a question to another tool
        if word in ("--version", "-version", "-V"):
            sys.stdout.write(version_text())
            sys.stdout.flush()
            return True
        if word in ("-print-include-dir", "--print-include-dir"):       # of <cilk.h>, for C and C++ that others compile
            answer(tools.stdlib_dir())
            return True
        if word.lstrip("-").startswith("print-file-name=libcilkrt"):
            target = "aarch64-linux-gnu" if any("target=aarch64" in w for w in arguments) else None
            path = tools.library(word.partition("=")[2], opts.foreign_target(target))
            answer(path if os.path.exists(path) else word.partition("=")[2])
            return True
        if word in opts.ASK_CC or word.startswith("-print-") or word.startswith("--print-"):
            # The answers concern the linker and the ABI, which are the system compiler's.
            rest = [w for w in arguments if not w.startswith("--spawn") and not w.startswith("--target")
                    and not w.startswith("-cilk")]
            target = opts.foreign_target("aarch64-linux-gnu" if any("target=aarch64" in w for w in arguments) else None)
            raise Information(tools.run(tools.system_cc(target) + rest))
        if word in ("--help", "-help") or word.startswith("--help="):
            from . import start
            raise Information(start.cli(["build", "--help"]))
    if [w for w in arguments if w != "-v"] == [] and arguments:
        sys.stderr.write(version_text())
        sys.stderr.flush()
        tools.run(tools.system_cc() + ["-v"])
        return True
    return False


class Job:
    """One input on its way to an object file (or to assembly text, a stage's printout, ...)."""

    def __init__(self, item, made, target):
        self.item = item            # the Input
        self.made = made            # where the result is written first; None: nowhere (check), '-': stdout
        self.target = target        # its final name, or None when it stays temporary
        self.deps = None            # (temporary, final) names of the -MD file
        self.status = 0
        self.messages = b""


class Call:
    """One run of the compiler driver."""

    def __init__(self, options, temp):
        self.o = options
        self.temp = temp
        self.colour = tools.colour_of(options.colour)
        self.serial = 0

    # ---- the whole call
    def run(self):
        o = self.o
        if not o.inputs and not any(w.startswith(("-l", "-Wl,", "-Xlinker")) for w in o.link):
            # What names a library or goes to the linker counts as an input: `-Wl,--version` asks which linker it is.
            raise Stop("no input files\ncompilation terminated.", 2 if not o.verbose else 1, "fatal error")
        if not o.quiet:
            for text in o.warnings:
                tools.message("warning", text, o.colour)
        self.check_names()
        missing = self.check_inputs()
        if missing and o.mode == "link":
            return 1
        if o.mode == "deps" or o.mode == "cpp":
            return self.only_preprocess() or missing
        jobs = self.make_jobs()
        status = self.run_jobs(jobs) or missing
        if o.mode == "link":
            if status:
                return status
            from . import link
            return link.link(self, jobs)
        return status

    def check_names(self):
        o = self.o
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

    def check_inputs(self):
        """Complains about files that cannot be read; drops them, so that the others are still compiled."""
        o = self.o
        bad = []
        for item in o.inputs:
            reason = None
            if item.name == "-":
                continue
            try:
                if os.path.isdir(item.name):
                    reason = "Is a directory"
                elif os.path.exists(item.name) and not os.path.isfile(item.name):
                    # Opening a pipe and closing it again would tell its writer that the reader has gone.
                    if not os.access(item.name, os.R_OK):
                        reason = "Permission denied"
                else:
                    os.close(os.open(item.name, os.O_RDONLY | os.O_NONBLOCK))
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
            if reason:
                tools.message("error", "%s: %s" % (item.name, reason), o.colour)
                bad.append(item)
        o.inputs = [i for i in o.inputs if i not in bad]
        o.link = [w for w in o.link if w not in bad]
        return 1 if bad else 0

    # ---- preprocessing
    def cpp_command(self, item):
        o = self.o
        # -v goes on to the tools: build systems read search paths and libraries out of their answers.
        command = tools.system_cc(o.target) + ["-E"] + (["-v"] if o.verbose else [])
        if item.language in opts.CILK:
            command += ["-D__CILK__=5", "-D__CILK2C__=1", "-D__REENTRANT=1"]
            command += ["-include", os.path.join(tools.stdlib_dir(), "cilk.h")]
            if o.profile:
                command += ["-DCILK_STATS=1", "-DCILK_TIMING=1"]
            if o.span:
                command += ["-DCILK_CRITICAL_PATH=1"]
            if o.debug:
                command += ["-DCILK_DEBUG=1"]
        # Some systems' gcc predefines it at -O: here only users ask for it.
        command += ["-D__cilkc__=1", "-U_FORTIFY_SOURCE"]
        command += o.cpp
        command += ["-isystem", tools.stdlib_dir()]
        command += ["-fdiagnostics-color=" + self.colour]
        command += ["-x", "c", item.name]
        return command

    def deps_words(self, item, target):
        """(words for cc -E, name of the file) of -MD; None if not asked for.

        The names follow gcc: beside the output, or named after the program when linking at once.
        """
        o = self.o
        if not any(w in ("-MD", "-MMD") for w in o.deps):
            return None
        base = os.path.basename(item.name)
        stem = base.rpartition(".")[0] or base
        if o.mode == "link":
            several = len([i for i in o.inputs if i.language != "link"]) > 1
            program = o.output or "a"
            if o.output and not several:
                name, rule = strip_suffix(program) + ".d", program
            else:
                name = rule = None
                name, rule = "%s-%s.d" % (strip_suffix(program), stem), "%s-%s.o" % (strip_suffix(program), stem)
        else:
            rule = o.output or target or stem + ".o"
            name = strip_suffix(rule) + ".d"
        if o.deps_file:
            name = o.deps_file
        words = list(o.deps)
        if not o.deps_target:
            words += ["-MQ", rule]
        return words, name

    def only_preprocess(self):
        """-E, -M and -MM: the system preprocessor writes the result itself."""
        o = self.o
        status = 0
        first = True
        for item in o.inputs:
            if item.language == "link":
                tools.message("warning", "%s: linker input file unused because linking not done" % item.name, o.colour)
                continue
            if item.language not in opts.OURS:
                command = self.foreign(item, ["-E"] + o.deps)
            elif item.language in opts.PREPROCESSED and o.mode == "cpp":
                command = ["cat", item.name]
            else:
                command = self.cpp_command(item)
                at = len(command) - 3
                command[at:at] = o.deps + (["-MF", o.deps_file] if o.deps_file and o.deps else [])
                if o.mode == "cpp" and o.deps and not o.deps_file:
                    base = o.output or os.path.basename(item.name)
                    command[at:at] = ["-MF", strip_suffix(base) + ".d"]
            made = None
            if o.output and o.output != "-":
                made = self.temp.aside(o.output) if regular(o.output) else self.temp.file("out.i")
                command += ["-o", made]
            if o.verbose or o.dry:
                tools.write_stderr((" %s\n" % tools.quoted(command)).encode("utf-8", "surrogateescape"))
            if o.dry:
                continue
            code, messages = captured(command)
            tools.write_stderr(messages or wordless(command, item.name, code))
            status = status or (1 if code else 0)
            if made and code == 0:
                if not os.path.exists(made):
                    continue        # -M with -MF: the result went there
                tools.put_in_place(made, o.output)
            first = False
        return status

    # ---- compiling
    def make_jobs(self):
        o = self.o
        jobs = []
        for item in o.inputs:
            if item.language == "link":
                if o.mode != "link" and not o.quiet:
                    tools.message("warning", "%s: linker input file unused because linking not done" % item.name, o.colour)
                continue
            self.serial += 1
            target = self.target_name(item)
            if target == "-":
                made = "-"
            elif o.mode == "check":
                made = None
            elif target is None:
                made = self.temp.file("%d.o" % self.serial)
            elif regular(target):
                made = self.temp.aside(target)
            else:
                made = self.temp.file("%d.out" % self.serial)
            job = Job(item, made, target)
            if item.language in opts.OURS and item.language not in opts.PREPROCESSED and o.mode != "check":
                deps = self.deps_words(item, target)
                if deps:
                    words, name = deps
                    job.deps = (self.temp.aside(name) if regular(name) else name, name, words)
            jobs.append(job)
        return jobs

    def target_name(self, item):
        """The file that this input's result is to have in the end; None for objects that only the linker needs."""
        o = self.o
        if o.mode == "check":
            return None
        if o.mode == "link":
            return None
        if o.mode.startswith("emit:"):
            return o.output or "-"
        if o.output:
            return o.output
        base = os.path.basename(item.name)
        if item.language in opts.HEADERS and o.mode == "obj":
            return item.name + ".gch"
        stem = base.rpartition(".")[0] or base
        return stem + (".s" if o.mode == "asm" else ".o")

    def run_jobs(self, jobs):
        processors = self.o.jobs or cpu_count()
        if len(jobs) <= 1 or processors <= 1 or self.o.verbose or self.o.dry:
            for job in jobs:
                self.run_job(job)
                self.report(job)
        else:
            self.run_parallel(jobs, min(processors, len(jobs)))
        return 1 if any(job.status for job in jobs) else 0

    def run_parallel(self, jobs, processors):
        import threading
        queue = list(jobs)
        lock = threading.Lock()
        finished = [threading.Event() for _ in jobs]
        failures = []

        def work():
            while True:
                with lock:
                    if not queue:
                        return
                    job = queue.pop(0)
                try:
                    self.run_job(job)
                except BaseException as error:
                    job.status = 1
                    failures.append(error)
                finished[jobs.index(job)].set()

        threads = [threading.Thread(target=work, daemon=True) for _ in range(processors)]
        for thread in threads:
            thread.start()
        for job, event in zip(jobs, finished):
            event.wait()
            self.report(job)
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def report(self, job):
        if job.messages:
            tools.write_stderr(job.messages)
            job.messages = b""

    def run_job(self, job):
        """Compiles one input; its messages are kept in the job, its results renamed into place if all went well."""
        o = self.o
        language = job.item.language
        if language not in opts.OURS:
            self.run_foreign(job)
        elif o.other_cc and language in ("c", "cpp-output", "c-header") and not o.mode.startswith("emit:") \
                and o.mode != "check":
            self.run_foreign(job)
        else:
            self.run_ours(job)
        if o.dry:
            return
        if job.status == 0:
            if job.made not in (None, "-") and job.target is not None:
                tools.put_in_place(job.made, job.target)
            if job.deps and job.deps[0] != job.deps[1] and os.path.exists(job.deps[0]):
                tools.put_in_place(job.deps[0], job.deps[1])

    # .s, .S, .cc and what else the system's compilers handle
    def foreign(self, item, words):
        o = self.o
        cxx = item.language in opts.NEEDS_CXX
        if o.other_cc and item.language in opts.OURS:
            command = opts.split_words(o.other_cc)
        else:
            command = tools.system_cc(o.target, cxx)
        command += ["-v"] if o.verbose else []
        std = [w for w in o.cc if w.startswith("-std=")]
        if item.language.startswith("assembler"):
            # Of the code generation switches only those matter that define macros; cc may not know what cilkc1 passes over.
            command += [w for w in o.cc if not w.startswith("-std=") and (w[:2] != "-f" or w.startswith(opts.ASM_SWITCHES))]
        else:
            command += o.cc
            if std and (("++" in std[-1]) != cxx):
                command = [w for w in command if not w.startswith("-std=")]
            # Behind all other folders: a C++ program finds <cilk.h>, and nothing of ours instead of a system header.
            if not item.language.endswith("cpp-output"):
                command += ["-idirafter", tools.stdlib_dir()]
        if item.language == "assembler-with-cpp":
            command += [w for w in o.cpp if w.startswith("-D") and w not in o.cc]
        if item.language not in ("cpp-output",) and language_differs(item):
            command += ["-x", item.language]
        return command + words + [item.name]

    def run_foreign(self, job):
        o = self.o
        stop = {"obj": "-c", "link": "-c", "asm": "-S", "check": "-fsyntax-only"}.get(o.mode)
        if stop is None:
            raise Stop("%s: '%s' works on C and Cilk files only" % (job.item.name, o.mode.replace("emit:", "--emit=")), 2)
        words = [stop] + ([] if job.made is None else ["-o", job.made])
        if any(w in ("-MD", "-MMD") for w in o.deps):
            deps = self.deps_words(job.item, job.target)
            words += deps[0] + ["-MF", deps[1]]
        command = self.foreign(job.item, words + ["-fdiagnostics-color=" + self.colour])
        if o.verbose or o.dry:
            tools.write_stderr((" %s\n" % tools.quoted(command)).encode("utf-8", "surrogateescape"))
            if o.dry:
                return
        code, job.messages = captured(command)
        job.messages = job.messages or wordless(command, job.item.name, code)
        job.status = 1 if code else 0

    # .c and .cilk
    def cilkc1_command(self, job, made, source):
        o = self.o
        item = job.item
        emit = {"obj": "obj", "link": "obj", "asm": "asm", "check": "check"}.get(o.mode, o.mode.replace("emit:", ""))
        if item.language in opts.HEADERS and emit == "obj":
            emit = "check"
        command = [tools.cilkc1(), "--emit=" + emit]
        command += ["--lang=" + ("cilk" if item.language in opts.CILK else "c")]
        if item.language not in opts.PREPROCESSED:
            command += ["--main-file=" + ("<stdin>" if item.name == "-" else item.name)]
        if not os.isatty(2):
            command.append("--max-errors=20000")   # a limit for readers; programs (cgo) try out what compiles by looking for errors
        command += o.cilk1 + ["--color=" + self.colour]
        if emit != "check":
            command += ["-o", made]
        return command + [source]

    def run_ours(self, job):
        o = self.o
        item = job.item
        cpp = None
        if item.language not in opts.PREPROCESSED:
            cpp = self.cpp_command(item)
            if job.deps:
                at = len(cpp) - 3
                cpp[at:at] = job.deps[2] + ["-MF", job.deps[0]]
        # A file of its own where the compiler and we both may write to stdout.
        text = None
        if o.save_temps and cpp:
            stem = os.path.basename(item.name).rpartition(".")[0] or item.name
            text = stem + (".cilki" if item.language in opts.CILK else ".i")
        source = item.name if cpp is None else text or "-"
        made = job.made
        command = self.cilkc1_command(job, made, source)
        if o.verbose or o.dry:
            lines = ([" " + tools.quoted(cpp)] if cpp else []) + [" " + tools.quoted(command)]
            tools.write_stderr(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
            if o.dry:
                return
        if cpp is None or text:
            if text:
                code, job.messages = captured(cpp + ["-o", text])
                if code:
                    job.messages = job.messages or wordless(cpp, item.name, code)
                    job.status = 1
                    return
            code, messages = captured(command)
            job.messages = said_once(job.messages, messages)
        else:
            cpp_code, code, job.messages, messages = piped(cpp, command)
            if cpp_code:
                # What cilkc1 says about a text that ends in the middle would only confuse.
                job.messages = job.messages or wordless(cpp, item.name, cpp_code)
                job.status = 1
                return
            job.messages = said_once(job.messages, messages)
        if code == 0 and made not in (None, "-") and o.mode != "check" and item.language not in opts.HEADERS and not os.path.exists(made):
            job.messages += ("cilkc: error: %s ended well and made nothing of %s\n" % (command[0], item.name)).encode("utf-8", "surrogateescape")
            job.status = 1
            return
        if item.language in opts.HEADERS and o.mode == "obj" and code == 0:
            open(made, "w").close()
        self.judge(job, code)
        if code == 0 and o.save_temps and o.mode in ("obj", "link"):
            stem = os.path.basename(item.name).rpartition(".")[0] or item.name
            asm = [w if w != "--emit=obj" else "--emit=asm" for w in command]
            asm[asm.index("-o") + 1] = stem + ".s"
            captured(asm)
            if o.mode == "link":
                captured(["cp", made, stem + ".o"])

    def judge(self, job, code):
        """Turns cilkc1's exit status into ours, and says so when it died."""
        if code == 0:
            return
        job.status = 1
        if code >= 128:
            job.messages += ("cilkc: internal error: cilkc1 ended by signal %d while compiling %s\n"
                             % (code - 128, job.item.name)).encode("utf-8", "surrogateescape")
        elif code == 127:       # the dynamic loader's; it has said what it misses
            job.messages += b"cilkc: error: the native compiler cannot be started here; 'cilkc doctor' shows what is missing\n"
        elif code not in (1, 2, 70):
            job.messages += ("cilkc: internal error: cilkc1 exited with status %d while compiling %s\n"
                             % (code, job.item.name)).encode("utf-8", "surrogateescape")
        elif not job.messages:
            job.messages += ("cilkc: error: cilkc1 failed on %s without saying why (status %d)\n"
                             % (job.item.name, code)).encode("utf-8", "surrogateescape")
        if code not in (1, 2, 127):
            job.messages += b"cilkc: this is a fault of the compiler, not of the program; please report it with the output of cilkc -E\n"
        if job.made not in (None, "-"):
            try:
                os.unlink(job.made)
            except OSError:
                pass


# ---- helpers
def cpu_count():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def same_file(one, other):
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def regular(name):
    """Can a new file be renamed to this name, or to what it links to, without harm?  Not onto devices and pipes."""
    try:
        return os.path.isfile(name) or not os.path.exists(name)
    except (OSError, ValueError):
        return False


def strip_suffix(name):
    folder, slash, base = name.rpartition("/")
    dot = base.rfind(".")
    return folder + slash + (base[:dot] if dot > 0 else base)


def language_differs(item):
    return opts.language_of(item.name) != item.language or item.name == "-"


def wordless(command, name, code):
    """What to say of a tool that failed and said nothing itself."""
    if code == 0:
        return b""
    how = "ended by signal %d" % (code - 128) if code > 128 else "failed with status %d and said nothing" % code
    return ("cilkc: error: %s %s (%s)\n" % (command[0], how, name)).encode("utf-8", "surrogateescape")


def said_once(before, ours):
    """What the preprocessor said and what we say. A literal without its end is a warning there and an error here: where both are about one line, ours."""
    if b": warning: missing terminating " not in before:
        return before + ours
    errors = {line.split(b": error: ")[0].rpartition(b":")[0] for line in ours.splitlines() if b": error: missing terminating " in line}
    kept = []
    skipping = False
    for line in before.splitlines(keepends=True):
        if b": warning: missing terminating " in line:
            skipping = line.split(b": warning: ")[0].rpartition(b":")[0] in errors
        elif not line.startswith(b" "):
            skipping = False
        if not skipping:
            kept.append(line)
    return b"".join(kept) + ours


def captured(command):
    """(exit status, stderr) of a program that reads our stdin and writes our stdout."""
    reader, writer = os.pipe()
    try:
        pid = tools.start(command, [(os.POSIX_SPAWN_DUP2, writer, 2)])
    except Stop:
        os.close(reader)
        raise
    finally:
        os.close(writer)
    messages = tools.read_all(reader)
    return tools.wait(pid), messages


def piped(producer, consumer):
    """Runs producer | consumer: (status, status, producer's stderr, consumer's stderr).

    We keep the pipe between them open until the consumer has ended. So a consumer that ends before it has read everything is
    told from a producer that fails: in the first case what the producer says of its broken pipe is no news, and its status is 0.
    """
    text_r, text_w = os.pipe()
    err1_r, err1_w = os.pipe()
    err2_r, err2_w = os.pipe()
    try:
        first = tools.start(producer, [(os.POSIX_SPAWN_DUP2, text_w, 1), (os.POSIX_SPAWN_DUP2, err1_w, 2)])
        os.close(text_w)
        text_w = -1
        try:
            second = tools.start(consumer, [(os.POSIX_SPAWN_DUP2, text_r, 0), (os.POSIX_SPAWN_DUP2, err2_w, 2)])
        except Stop:
            os.close(text_r)
            text_r = -1
            tools.wait(first)
            raise
        for fd in (err1_w, err2_w):
            os.close(fd)
        err1_w = err2_w = -1
        parts = {err1_r: [], err2_r: []}
        unread = set(parts)
        read_until(err2_r, unread, parts)
        code = tools.wait(second)
        os.set_blocking(text_r, False)
        try:
            cut = os.read(text_r, 1) != b""
        except BlockingIOError:
            cut = True                  # the producer still runs and nobody will read it
    finally:
        for fd in (text_r, text_w, err1_w, err2_w):
            if fd >= 0:
                os.close(fd)
    read_until(err1_r, unread, parts)
    first_code = tools.wait(first)
    if cut:
        return 0, code, b"", b"".join(parts[err2_r])
    return first_code, code, b"".join(parts[err1_r]), b"".join(parts[err2_r])


def read_until(last, unread, parts):
    """Collects what comes from the descriptors in `unread` until `last` is at its end; those at their end are closed."""
    import select
    poller = select.poll()
    for fd in unread:
        poller.register(fd, select.POLLIN)
    while last in unread:
        for fd, _ in poller.poll():
            data = os.read(fd, 1 << 16)
            if data:
                parts[fd].append(data)
            else:
                poller.unregister(fd)
                os.close(fd)
                unread.discard(fd)
