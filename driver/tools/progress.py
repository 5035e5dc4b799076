"""How far long work has come: the steps of a tool, and how long the rest will take by what was done so far.

On a terminal a line moves at the bottom of stderr. The line is there from the second second on, and is gone when the
step is over. No line moves while the program prints to the same terminal, whose lines it would tear. Elsewhere, one
plain line for each step that begins when the work has taken ten seconds already. With CILKC_PROGRESS=0 what is printed
does not depend on time.
"""

import contextlib
import os
import sys
import threading
import time

SHOWN_AFTER, LINE_AFTER = 1.5, 10.0
LONG = 10           # seconds after which a serial run is remarked on
SERIALLY = "It runs serially here: a loop that waits for a parallel strand never ends"


class Progress:
    """weights: of the steps that will come, by what they cost; the first ones may be wrong about that."""

    def __init__(self, command, weights):
        self.command, self.weights = command, list(weights)
        self.begun = time.monotonic()
        self.done, self.spent = 0, 0.0          # steps that are over, and what they took

    def left(self, inside=0.0):
        """Seconds, or None where nothing is known yet. inside: so long in the present step."""
        known = sum(self.weights[:self.done])
        if not known or not self.spent:
            return None
        rest = sum(self.weights[self.done:]) * self.spent / known
        return max(0.0, rest - inside)

    def more(self, *weights):
        """Further steps will come."""
        self.weights += weights

    @contextlib.contextmanager
    def step(self, text, quiet=True):
        """quiet: nothing else writes to the terminal meanwhile."""
        begun, over = time.monotonic(), threading.Event()
        line = None
        if not wanted():
            pass
        elif os.isatty(2) and quiet:
            line = threading.Thread(target=self.moving, args=(text, begun, over), daemon=True)
            line.start()
        elif not os.isatty(2) and begun - self.begun > LINE_AFTER:
            self.plain(text)
        try:
            yield
        finally:
            over.set()
            if line:
                line.join()
            self.spent += time.monotonic() - begun
            self.done += 1

    def numbered(self, text):
        return "%s (%d of %d)" % (text, self.done + 1, len(self.weights)) if len(self.weights) > 1 else text

    def plain(self, text):
        rest = self.left()
        sys.stderr.write("%s: %s%s\n"
                         % (self.command, self.numbered(text),
                            ", about %s left" % spoken(rest) if rest is not None else ""))
        sys.stderr.flush()

    def moving(self, text, begun, over):
        if over.wait(SHOWN_AFTER):
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress as Bar, SpinnerColumn, TextColumn
        console = Console(stderr=True)
        columns = [SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[times]}")]
        with Bar(*columns, console=console, transient=True, refresh_per_second=5) as bar:
            task = bar.add_task("%s: %s" % (self.command, self.numbered(text)), total=None, times="")
            while True:
                inside = time.monotonic() - begun
                rest = self.left(inside)
                times = spoken(time.monotonic() - self.begun)
                if rest is None:
                    bar.update(task, times=times)
                else:
                    bar.update(task, total=self.spent + inside + rest, completed=self.spent + inside,
                               times="%s, about %s left" % (times, spoken(rest)))
                if over.wait(0.2):
                    return


def wanted():
    return os.environ.get("CILKC_PROGRESS") != "0"


@contextlib.contextmanager
def note_after(seconds, text):
    """Prints it to stderr once this has taken so long."""
    timer = threading.Timer(seconds, lambda: (sys.stderr.write(text + "\n"), sys.stderr.flush()))
    timer.daemon = True
    if wanted():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def serial_run(command):
    """Around the first run of a program's serial form, which waits for ever where the parallel one waits for a while."""
    return note_after(LONG, "%s: the program has run for %d s. %s" % (command, LONG, SERIALLY))


def program_is_quiet(shown, aside=False):
    """Does a run of the program leave the terminal alone? shown: it prints what it prints; aside: on stderr."""
    return not shown or not (aside or os.isatty(1))


def spoken(seconds):
    return ("%d s" % seconds if seconds < 100 else "%d min" % round(seconds / 60) if seconds < 6000
            else "%.1f h" % (seconds / 3600))
