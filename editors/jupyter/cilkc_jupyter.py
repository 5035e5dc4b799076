"""`%%cilk`: a cell of Cilk in Jupyter, compiled and run, with what cilkc's tools show of it.

    %load_ext cilkc_jupyter

    %%cilk --profile --dag -- 20
    cilk int main(int argc, char *argv[]) { ... }

The cell becomes a file in a folder of its own, which the command `cilkc` compiles: $CILKC, or the one on the path,
or that of the tree this file is in. What the program prints appears as it comes. Tools run the program again, each
once, and their pictures and tables follow. Words after `--` go to the program.
"""

import argparse
import html
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import HTML, SVG, display

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 1e6               # seconds of a run
MOST_OUTPUT = 1 << 20       # bytes of the program's output that a notebook keeps
FRAME = '<div><iframe srcdoc="%s" style="width:100%%; height:%dpx; border:1px solid #ccc" sandbox="allow-scripts"></iframe></div>'


def compiler():
    chosen = os.environ.get("CILKC") or shutil.which("cilkc") or os.path.join(HERE, "..", "..", "cilkc")
    if not os.access(chosen, os.X_OK):
        raise UsageError("the command cilkc is not found: put it on the path, or its name into $CILKC")
    return os.path.abspath(chosen)


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError("%%cilk: " + message)


def split(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError("%%%%cilk: %s: %s" % (text, error))


def seconds(text):
    made = float(text)
    if not 0 < made <= LONGEST:
        raise ValueError
    return made


def parser():
    made = Arguments(prog="%%cilk", add_help=False, description="words after -- go to the program")
    made.add_argument("--profile", action="store_true", help="work, span, parallelism, with a flame graph")
    made.add_argument("--dag", action="store_true", help="the spawn dag")
    made.add_argument("--trace", action="store_true", help="a timeline of the workers")
    made.add_argument("--race", action="store_true", help="determinacy races")
    made.add_argument("--speedup", action="store_true", help="a plot of the time on 1 to P workers")
    made.add_argument("--elide", action="store_true", help="the C program without the Cilk keywords")
    made.add_argument("--clones", action="store_true", help="the two clones of each procedure")
    made.add_argument("--no-run", action="store_true", help="compile only")
    made.add_argument("--name", default="cell", help="the file's name, without its suffix")
    made.add_argument("--lang", default="cilk", choices=("cilk", "cilk1", "c"),
                      help="the language; c is OpenCilk's spelling")
    made.add_argument("--flags", default="", help="flags of the compiler (-O2 -Wall)")
    made.add_argument("--out", help="a variable that gets what the program printed")
    made.add_argument("--timeout", type=seconds, default=60.0, help="seconds for each run")
    return made


class Cell:
    """One cell: its file, and the commands about it."""

    def __init__(self, options, arguments, text, folder):
        self.options, self.arguments, self.folder = options, arguments, folder
        name = os.path.basename(options.name) or "cell"
        self.source = os.path.join(folder, name + "." + options.lang)
        self.program = os.path.join(folder, name)
        self.flags = ["-O2", "-Wall"] + (["-fopencilk"] if options.lang == "c" else []) + split(options.flags)
        try:
            with open(self.source, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
        except OSError as error:
            raise UsageError("%%%%cilk: --name %s: %s" % (options.name, error.strerror))

    def readable(self, text):
        return text.replace(self.folder + os.sep, "")

    def call(self, *words):
        """(status, output, messages) of `cilkc WORDS`."""
        process = subprocess.Popen([compiler(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder, start_new_session=True)
        try:
            out, err = process.communicate(timeout=self.options.timeout + 30)
        except subprocess.TimeoutExpired:
            end(process)
            return 124, "", "it took more than %g s" % self.options.timeout
        except BaseException:
            end(process)
            raise
        return (process.returncode, self.readable(out.decode("utf-8", "replace")),
                self.readable(err.decode("utf-8", "replace")))

    def build(self):
        status, out, err = self.call("build", *self.flags, self.source, "-o", self.program, "-lm")
        if err or out:
            print(out + err, end="", file=sys.stderr)
        return status == 0

    def run(self):
        """Runs the program; (status, what it printed)."""
        process = subprocess.Popen([self.program, *self.arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, cwd=self.folder, start_new_session=True)
        assert process.stdout is not None
        late = threading.Event()

        def stop():
            late.set()
            end(process)
        timer = threading.Timer(self.options.timeout, stop)
        timer.start()
        kept, full = [], 0
        try:
            for data in iter(lambda: process.stdout.read1(1 << 16), b""):
                text = data.decode("utf-8", "replace")
                full += len(text)
                if full <= MOST_OUTPUT:
                    kept.append(text)
                    print(text, end="", flush=True)
            status = process.wait()
        except BaseException:
            end(process)
            raise
        finally:
            timer.cancel()
        if full > MOST_OUTPUT:
            print("\n%%%%cilk: the program printed more than %d bytes; the rest is left out" % MOST_OUTPUT,
                  file=sys.stderr)
        if late.is_set():
            print("%%%%cilk: the program was ended after %g s" % self.options.timeout, file=sys.stderr)
        elif status < 0:
            print("%%%%cilk: the program was ended by %s" % signal_name(-status), file=sys.stderr)
        elif status:
            print("%%%%cilk: the program's exit status is %d" % status, file=sys.stderr)
        return status, "".join(kept)

    # ---- tools
    def tool(self, name, *words, made=None):
        """A tool's file, or None where it could not do its work; then it has been reported."""
        status, out, err = self.call(name, *words, *self.flags, self.source, "-lm", "--", *self.arguments)
        if made is None:
            return out
        if not os.path.exists(made):
            print(err or out or "%%%%cilk: cilkc %s ended with status %d" % (name, status), file=sys.stderr)
            return None
        with open(made, encoding="utf-8", errors="replace") as file:
            return file.read()

    def file(self, name):
        return os.path.join(self.folder, name)

    def show(self):
        """What the options ask for, in the order of the help."""
        o = self.options
        if o.profile:
            page = self.tool("profile", "--html", self.file("profile.html"), made=self.file("profile.html"))
            self.frame(page, 640)
        if o.dag:
            picture = self.tool("dag", "-o", self.file("dag.svg"), made=self.file("dag.svg"))
            if picture:
                display(SVG(self.readable(picture)))
        if o.trace:
            self.frame(self.tool("trace", "--html", self.file("trace.html"), made=self.file("trace.html")), 480)
        if o.race:
            self.frame(self.tool("race", "--html", self.file("race.html"), made=self.file("race.html")), 420)
        if o.speedup:
            picture = self.tool("speedup", "--runs", "2", "-o", self.file("speedup.svg"), made=self.file("speedup.svg"))
            if picture:
                display(SVG(self.readable(picture)))

    def frame(self, page, height):
        if page:
            display(HTML(FRAME % (html.escape(self.readable(page)), height)))

    def show_text(self):
        flags = [flag for flag in self.flags if flag not in ("-O2", "-Wall")]
        for wanted, words in ((self.options.elide, ["elide"]), (self.options.clones, ["emit", "--stage", "clones"])):
            if wanted:
                _, out, err = self.call(*words, *flags, self.source)
                print(out or err)


def signal_name(number):
    return {known.value: known.name for known in signal.Signals}.get(number, "signal %d" % number)


def end(process):
    """The program with all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    process.wait()


@magics_class
class CilkMagics(Magics):
    @cell_magic
    def cilk(self, line, cell):
        """Compiles and runs the cell. Options are those of `%%cilk --help`; words after -- go to the program."""
        words = split(line)
        own, arguments = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else (words, [])
        if "--help" in own:
            print(parser().format_help())
            return
        if "--flags" in own[:-1]:           # argparse takes -O3 for an option of its own
            at = own.index("--flags")
            own[at:at + 2] = ["--flags=" + own[at + 1]]
        options = parser().parse_args(own)
        with tempfile.TemporaryDirectory(prefix="cilkc-cell-") as folder:
            made = Cell(options, arguments, cell, folder)
            made.show_text()
            if not made.build() or options.no_run:
                return
            _, printed = made.run()
            if options.out:
                self.shell.user_ns[options.out] = printed
            made.show()


def load_ipython_extension(shell):
    shell.register_magics(CilkMagics)
