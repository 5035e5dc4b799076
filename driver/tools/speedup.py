"""`cilkc speedup`: the program on 1 to P workers: its times, its speedup, and how many workers had something to do.

Input: sources, or a program that is built already. Each number of workers has some runs, in turns, so that a
disturbance of the machine meets all of them alike; the best time counts. The runtime writes its statistics into a
file (--stats-file), from which the busy workers and the steals come. Output: a table; CSV, JSON, a plot.
"""

import csv
import io
import json
import os
import sys
import time
from html import escape

from cilkc_driver import console, processes
from cilkc_driver.console import Stop

from . import debug, instrumented, progress
from .profile_model import figure

KINDS = {".svg": "svg", ".csv": "csv", ".json": "json"}
HEADS = ("workers", "seconds", "speedup", "efficiency", "busy", "steals")
SHORT = 0.02            # seconds: below, the start of the process counts for too much


class Row:
    def __init__(self, workers):
        self.workers, self.seconds = workers, float("inf")
        self.busy: "float | None" = None
        self.steals: "int | None" = None

    def add(self, seconds, statistics):
        if seconds < self.seconds:
            self.seconds, self.busy, self.steals = seconds, statistics.get("busy"), statistics.get("steals")


def main(words, settings):
    """settings: the command's own options by name. The exit status: 0, the program's own where it failed, 125 where it
    was not run."""
    return instrumented.session(lambda temp: measure(words, settings, temp), instrumented.NOT_RUN)


def measure(words, settings, temp):
    flags, arguments = instrumented.split(words)
    if not flags:
        raise Stop("missing argument 'FILE'", instrumented.NOT_RUN)
    files = instrumented.outputs(settings["output"], KINDS)
    made = built(flags, temp)
    if made is None:
        return instrumented.NOT_RUN
    program, elision = made
    numbers = settings["numbers"] or list(range(1, processes.processors() + 1))
    numbers = sorted({1, *numbers})
    rows = {number: Row(number) for number in numbers}
    serial = Row(0) if elision else None
    runner = Runner(arguments, temp)
    done = progress.Progress("cilkc speedup", [1.0 / min(number, 8) for number in numbers] * settings["runs"])
    for turn in range(settings["runs"]):
        if elision and serial:
            status = runner.run(elision, [], serial, turn == 0)
            if status:
                return status
        for number in numbers:
            with done.step("%d workers" % number):
                status = runner.run(program, ["--nproc", str(number), "--stats", "json", "--stats-file", runner.report],
                                    rows[number], turn == 0 and not elision and number == 1)
            if status:
                return status
    show([rows[number] for number in numbers], serial, settings, files)
    return 0


def built(flags, temp):
    """(program, elision or None); None where there was an error."""
    if len(flags) == 1 and debug.executable(flags[0]):
        return os.path.abspath(flags[0]), None
    instrumented.check(flags, "cilkc speedup")
    made = temp.file("program"), temp.file("elision")
    for name, extra in zip(made, ([], ["--serial"])):
        if not instrumented.build(flags, name, extra):
            return None
    return made


class Runner:
    """Runs with the same input. What the program prints is shown once."""

    def __init__(self, arguments, temp):
        self.arguments, self.temp, self.input, self.report = (
            arguments, temp, instrumented.Input(), temp.file("statistics")
        )
        self.nowhere = os.open(os.devnull, os.O_WRONLY)

    def run(self, program, options, row, shown):
        stdin = self.input.open(self.temp)
        begin = time.monotonic()
        status = instrumented.execute(program, options + self.arguments, {}, stdin, 2 if shown else self.nowhere,
                                      None if shown else self.nowhere, many=True)
        seconds = time.monotonic() - begin
        if status:
            console.message("error", instrumented.how_it_ended(status)
                            + (" on %d workers" % row.workers if row.workers else ", as its elision"))
        row.add(seconds, self.statistics() if options else {})
        return status

    def statistics(self):
        try:
            with open(self.report, encoding="utf-8") as file:
                return json.loads(file.readlines()[-1])
        except (OSError, ValueError, IndexError):
            return {}               # a program that ended by exit() in C has none


def numbers_of(rows):
    """(workers, seconds, speedup, efficiency, busy, steals)"""
    one = rows[0].seconds
    for row in rows:
        yield row.workers, row.seconds, one / row.seconds, one / row.seconds / row.workers, row.busy, row.steals


def show(rows, serial, settings, files):
    texts = {"json": lambda: json_of(rows, serial), "csv": lambda: csv_of(rows), "svg": lambda: svg(rows)}
    for kind, name in files.items():
        instrumented.write_file(name, texts[kind]())
    form = next((kind for kind in ("json", "csv") if settings[kind]), None)
    sys.stdout.write(texts[form]() if form else table(rows, serial))


def table(rows, serial):
    lines = [("%8s %10s %9s %11s %6s %8s" % HEADS)]
    for workers, seconds, speedup, efficiency, busy, steals in numbers_of(rows):
        rest = "-" if busy is None else "%.2f" % busy, "-" if steals is None else steals
        lines.append("%8d %10.3f %9s %10.0f%% %6s %8s" % (workers, seconds, figure(speedup), 100 * efficiency, *rest))
    if serial:
        lines.append("the elision takes %.3f s: one worker takes %s times as long"
                     % (serial.seconds, figure(rows[0].seconds / serial.seconds)))
    if rows[0].seconds < SHORT:
        lines.append("A run is too short for these numbers to mean much: give the program more to do.")
    elif max(row.workers for row in rows) > processes.processors():
        lines.append("This machine has %d processors: more workers share them." % processes.processors())
    return "\n".join(lines) + "\n"


def csv_of(rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADS)
    for workers, seconds, speedup, efficiency, busy, steals in numbers_of(rows):
        writer.writerow([workers, "%.6f" % seconds, "%.4f" % speedup, "%.4f" % efficiency,
                         "" if busy is None else "%.4f" % busy, "" if steals is None else steals])
    return out.getvalue()


def json_of(rows, serial):
    made = {"runs": [dict(zip(HEADS, row)) for row in numbers_of(rows)], "elision": serial.seconds if serial else None}
    return json.dumps(made, indent=1) + "\n"


def svg(rows):
    """Speedup by workers, beside the ideal and the busy workers."""
    points = list(numbers_of(rows))
    wide, high, left, bottom = 640, 420, 60, 74
    most = max(row[0] for row in points)
    top = max(most, *(row[2] for row in points)) * 1.05
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100, 1e9) if top / s <= 8)

    def x(workers):
        return left + (workers - 1) / max(1, most - 1) * (wide - left - 20)

    def y(value):
        return high - bottom - value / top * (high - bottom - 30)

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" role="img">'
        % (wide, high, wide, high), "<title>Speedup by the number of workers</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>'
    ]
    for value in [step * i for i in range(9) if step * i <= top]:
        out.append(
            '<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#e2e2e2"/>' % (left, wide - 20, y(value), y(value))
        )
        out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (left - 8, y(value) + 4, value))
    for row in points:
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x(row[0]), high - bottom + 18, row[0]))
    out.append('<text x="%d" y="%d" text-anchor="middle">workers</text>' % ((wide + left) // 2, high - bottom + 36))
    curves = [("ideal", "#777777", [(row[0], float(row[0])) for row in points], "6 4"),
              ("speedup", "#2a62a8", [(row[0], row[2]) for row in points], ""),
              ("busy workers", "#3f8f5f", [(row[0], row[4]) for row in points if row[4] is not None], "2 3")]
    at = left
    for name, colour, curve, dash in curves:
        if not curve:
            continue
        out.append('<polyline fill="none" stroke="%s" stroke-width="2"%s points="%s"/>'
                   % (colour, ' stroke-dasharray="%s"' % dash if dash else "",
                      " ".join("%.1f,%.1f" % (x(a), y(b)) for a, b in curve)))
        if name != "ideal":
            out += [
                '<circle cx="%.1f" cy="%.1f" r="4" fill="%s"><title>%s</title></circle>'
                % (x(a), y(b), colour, escape("%d workers: %s %s" % (a, name, figure(b))))
                for a, b in curve
            ]
        out.append('<rect x="%d" y="%d" width="14" height="3" fill="%s"/><text x="%d" y="%d">%s</text>'
                   % (at, high - 17, colour, at + 20, high - 12, name))
        at += 40 + 7 * len(name)
    return "\n".join(out + ["</svg>\n"])
