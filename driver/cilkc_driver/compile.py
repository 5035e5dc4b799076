"""Compiler-shaped calls: preprocess, compile, assemble, link.

Input: the words after `cilkc` (or after `cilkc build`).  Output: files, and an exit status: 0 done, 1 errors in the
program or in a file, 2 wrong usage.

How it works: options.py reads the command line; plan.py says what is made of each input and where; work.py runs
`cc -E | cilkc1` for each, with the command lines of words.py; then link.py gives the linker what was made.  Results
are written under another name beside their target and renamed when everything that they need has succeeded.
answers.py answers what build systems ask.
"""

import os

from . import console, disk, flags, options as opts, plan, processes, words, work
from .console import Stop


def main(arguments, document=None):
    """A call as users make it. document: the descriptor for a document of the messages, where the flags want one;
    stderr by default."""
    with Guard(arguments, document) as guard:
        status = None
        if flags.asks(arguments):
            from . import answers
            status = answers.respond(arguments)
        guard.status = guard.run(opts.parse(arguments)) if status is None else status
    return guard.status


def stage(name, words, output, extra):
    """The commands `elide` and `emit`: the result of one stage, to stdout or a file."""
    with Guard(words) as guard:
        seen = ["-DCILK_TREE=1"] if name == "export" else []  # <par.cilkh>: loops as their ranges are halved
        options = opts.parse(["--emit=" + name, "-o", output] + seen + words)
        options.output = output
        options.cilk1 += extra
        if output != "-" and len(options.inputs) > 1:
            raise Stop("one file at a time can be written to '%s'" % output, 2)
        guard.status = guard.run(options)
    return guard.status


class Guard:
    """Around a call: what it leaves half done goes when it ends, however that happens; a Stop becomes its message and
    `status`. Where the flags want the messages as a document, it is made here."""

    def __init__(self, words, document=None):
        form = opts.message_format(words)
        if form != "text" and console.document is None:
            from . import report
            console.document = report.Report(form)
            if document is not None:
                console.document.where = document

    def __enter__(self):
        self.temp, self.colour, self.status = disk.TempDir(), None, 0
        catch_signals()
        return self

    def run(self, options):
        self.colour = options.colour
        return Call(options, self.temp).run()

    def __exit__(self, kind, error, trace) -> bool:
        try:
            if not isinstance(error, Stop):
                return False
            if error.message is not None:
                console.message(error.kind, error.message, self.colour)
            self.status = error.status
            return True
        finally:
            self.temp.clean(error is not None and not isinstance(error, Stop))
            made, console.document = console.document, None
            if made is not None:
                made.finish(self.status if error is None or isinstance(error, Stop) else 1)


def catch_signals():
    """SIGHUP, SIGINT and SIGTERM end the call like an exception, so that temporary files go. What Python calls by itself
    loses exceptions: then the signal comes again after it."""
    import _signal
    import sys
    came = []

    def again(number):
        _signal.signal(_signal.SIGALRM, lambda _, later: stop(number, later))
        _signal.setitimer(_signal.ITIMER_REAL, 0.01)

    def stop(number, frame):
        if frame is not None and (
            frame.f_code.co_filename.startswith("<frozen importlib") or frame.f_globals.get("__name__") == "logging"
        ):
            # Callbacks of an import and of a fork. They would keep a lock that every other thread needs for the same.
            again(number)
        else:
            came.append(number)
            raise KeyboardInterrupt if number == _signal.SIGINT else SystemExit(128 + number)

    def lost(what):
        if came and issubclass(what.exc_type, (KeyboardInterrupt, SystemExit)):
            again(came[-1])
        else:
            sys.__unraisablehook__(what)

    for number in processes.ENDING:
        if _signal.getsignal(number) in (_signal.SIG_DFL, _signal.default_int_handler):
            _signal.signal(number, stop)
            sys.unraisablehook = lost


class Call:
    """One run of the compiler driver."""

    def __init__(self, options, temp):
        self.o = options
        self.temp = temp
        options.colours = console.colour_of(options.colour)

    def run(self):
        o = self.o
        if not o.inputs and not any(w.startswith(("-l", "-Wl,", "-Xlinker")) for w in o.link):
            # What names a library or goes to the linker counts as an input: `-Wl,--version` asks which linker it is.
            raise Stop("no input files\ncompilation terminated.", 2 if not o.verbose else 1, "fatal error")
        if o.own_runtime and o.mode == "link" and not o.shared:
            raise Stop("'--own-runtime' is for a shared library: it needs '-shared'", 2)
        if not o.quiet:
            for text in o.warnings:
                console.message("warning", text, o.colour)
        plan.check_names(o)
        missing = plan.check_inputs(o)
        if missing and o.mode == "link":
            return 1
        if o.mode == "deps" or o.mode == "cpp":
            return self.only_preprocess() or missing
        if o.inputs and o.mode not in ("link", "obj", "asm") and all(item.language == "link" for item in o.inputs):
            raise Stop("%s: cannot tell its language by the name of the file ('-x LANG' gives it)" % o.inputs[0].name)
        jobs = plan.make_jobs(o, self.temp)
        status = work.Work(o, self.temp).run_jobs(jobs) or missing
        if o.mode == "link":
            if status:
                return status
            from . import link
            return link.link(o, self.temp, jobs)
        return status

    def only_preprocess(self):
        """-E, -M and -MM: the system preprocessor writes the result itself."""
        o = self.o
        status = 0
        for item in o.inputs:
            if item.language == "link":
                console.message("warning", "%s: linker input file unused because linking not done" % item.name, o.colour)
                continue
            if item.language not in opts.OURS:
                command = words.other_compiler(o, item, ["-E"] + o.deps)
            elif item.language in opts.PREPROCESSED and o.mode == "cpp":
                command = ["cat", item.name]
            else:
                command = words.preprocessor(o, item, self.temp)
                at = len(command) - 3
                command[at:at] = o.deps + (["-MF", o.deps_file] if o.deps_file and o.deps else [])
                if not o.deps_file and ("-MD" in o.deps or "-MMD" in o.deps):
                    base = o.output or os.path.basename(item.name)
                    command[at:at] = ["-MF", plan.strip_suffix(base) + ".d"]
            made, whole = None, command
            if o.output and o.output != "-":
                made = self.temp.beside(o.output) if disk.regular(o.output) else self.temp.file("out.i")
                command = command + ["-o", made]
            if o.verbose or o.dry:
                console.write_stderr((" %s\n" % processes.quoted(command)).encode("utf-8", "surrogateescape"))
            if o.dry:
                continue
            if item.language in opts.OURS and words.mentions(item.name, b"embed"):
                from . import embed
                code, messages = embed.text_to(whole, o, self.temp, made)
            else:
                code, messages = processes.capture(command)
            console.write_stderr(messages or processes.wordless(command, item.name, code))
            status = status or (1 if code else 0)
            if made and code == 0:
                if not os.path.exists(made):
                    continue        # -M with -MF: the result went there
                disk.put_in_place(made, o.output)
        return status
