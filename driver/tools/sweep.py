"""`cilkc profile --sweep`: the program in parallel on P = 1, 2, ... workers, its speedup beside what work and span
promise.

Bounds for P workers: no more than P and no more than the parallelism; and, with what steals cost, about T1 / (T1 /
P + burdened span). The times are those of the whole program, each the best of some runs. On a machine that has
other things to do these times mean little.

For more workers than were asked for its dag is played on virtual processors (simulate.py), where a steal costs what
the burden says: whole numbers of instructions, the same in each run. That takes memory and time by the strand, so
programs with very many spawns have no such curve.
"""

import math
import os
import time
from html import escape

from cilkc_driver.console import Stop

from . import instrumented, progress, simulate
from .profile_model import figure

RUNS = 3
LEAST, MOST = 16, 1024       # virtual processors


class Sweep:
    def __init__(self, profile, times, simulated):
        self.profile, self.times = profile, times      # seconds by P
        self.simulated = simulated                     # (P, speedup)

    def rows(self):
        """(P, seconds, speedup, upper bound, burdened)"""
        one = self.times[0]
        for number, seconds in enumerate(self.times, 1):
            yield number, seconds, one / seconds if seconds else 0.0, *self.bounds(number)

    def bounds(self, number):
        p = self.profile
        return min(number, p.parallelism), p.work / p.time_on(number)

    def beyond(self):
        """(P, speedup, upper bound, burdened) on virtual processors."""
        for number, speedup in self.simulated:
            yield number, speedup, *self.bounds(number)


def virtual(profile, count):
    """Powers of two, until twice the parallelism is reached, and more than were measured."""
    numbers = [1]
    while numbers[-1] < min(MOST, max(LEAST, 4 * count, 2 * profile.parallelism)):
        numbers.append(2 * numbers[-1])
    return numbers


def measure(words, arguments, count, profile, stdin, temp, serial):
    """serial: the program built for `cilkc profile`."""
    program = temp.file("parallel")
    if not instrumented.build(words, program):
        raise Stop("the parallel program was not built", instrumented.NOT_RUN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    times: list[float] = []
    # What a run on so many workers takes, beside one on a single worker.
    done = progress.Progress("cilkc profile --sweep",
                             [1 / min(number, max(1.0, profile.parallelism)) for number in range(1, count + 1)] + [1])
    try:
        for number in range(1, count + 1):
            tries: list[float] = []
            with done.step("timing %d workers" % number):
                for _ in range(RUNS):
                    begin = time.monotonic()
                    status = instrumented.execute(program, ["--nproc", str(number)] + arguments, {}, stdin.open(temp),
                                                  nowhere, nowhere, many=True)
                    seconds = time.monotonic() - begin
                    if status != profile.status:
                        raise Stop("on %d workers the program ended with status %d, and not with %d"
                                   % (number, status, profile.status), instrumented.NOT_RUN)
                    tries.append(seconds)
            times.append(min(tries))
    finally:
        os.close(nowhere)
    with done.step("playing it on virtual processors"):
        more = simulate.simulate(serial, arguments, profile, virtual(profile, count), stdin, temp)
    return Sweep(profile, times, more)


def svg(sweep):
    """The plot: measured points, the two bounds as lines; and what the simulator says, then with logarithmic axes."""
    rows, beyond = list(sweep.rows()), list(sweep.beyond())
    count = max([len(rows)] + [row[0] for row in beyond])
    bounds = [(number, *sweep.bounds(number))
              for number in sorted({*range(1, len(rows) + 1), *(row[0] for row in beyond)})]
    speedups = [(row[0], row[2]) for row in rows]
    wide, high, left, bottom = 640, 420, 60, 74       # the legend is below the plot, where no curve goes
    values = [row[1] for row in speedups + bounds + beyond]
    top = max(1.0, *values) * 1.05
    least = 2.0 ** math.floor(math.log2(max(1 / 64, min(1.0, *values))))      # the origin of a logarithmic axis

    def x(number):
        share = math.log2(number) / math.log2(count) if beyond else (number - 1) / max(1, count - 1)
        return left + share * (wide - left - 20)

    def y(value):
        share = math.log2(max(value, least) / least) / math.log2(top / least) if beyond else value / top
        return high - bottom - share * (high - bottom - 30)

    def line(points, column, colour, dash):
        return '<polyline fill="none" stroke="%s" stroke-width="2"%s points="%s"/>' % (
            colour, ' stroke-dasharray="%s"' % dash if dash else "",
            " ".join("%.1f,%.1f" % (x(row[0]), y(row[column])) for row in points)
        )

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" role="img">'
        % (wide, high, wide, high), "<title>Speedup by the number of workers</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>'
    ]
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1e9) if top / s <= 8)
    marks = [least * 2 ** i for i in range(24)] if beyond else [step * i for i in range(9)]
    for value in (mark for mark in marks if mark <= top):
        out.append(
            '<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#e2e2e2"/>' % (left, wide - 20, y(value), y(value))
        )
        out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (left - 8, y(value) + 4, value))
    for number in [row[0] for row in beyond] or range(1, count + 1, max(1, count // 16)):
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x(number), high - bottom + 18, number))
    out.append('<text x="%d" y="%d" text-anchor="middle">workers</text>' % ((wide + left) // 2, high - bottom + 36))
    out.append('<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">speedup</text>' % (high // 2 - 20))
    out += [
        line(bounds, 1, "#777777", "6 4"),
        line(bounds, 2, "#d68a30", ""),
        line(beyond, 1, "#3f8f5f", "2 3") if beyond else "",
        line(speedups, 1, "#2a62a8", ""),
    ]
    points = [(row[0], row[1], "#3f8f5f", "%d virtual processors: %s times" % (row[0], figure(row[1])))
              for row in beyond]
    points += [(row[0], row[2], "#2a62a8", "%d: %.3f s, %s times" % (row[0], row[1], figure(row[2]))) for row in rows]
    for number, speedup, colour, label in points:
        out.append('<circle cx="%.1f" cy="%.1f" r="4" fill="%s"><title>%s</title></circle>'
                   % (x(number), y(speedup), colour, escape(label)))
    legend = [
        ("measured", "#2a62a8"),
        ("simulated", "#3f8f5f"),
        ("bound with what steals cost", "#d68a30"),
        ("min(P, parallelism)", "#777777"),
    ]
    at = left
    for text, colour in (row for row in legend if beyond or row[0] != "simulated"):
        out.append('<rect x="%d" y="%d" width="14" height="3" fill="%s"/><text class="legend" x="%d" y="%d">%s</text>'
                   % (at, high - 17, colour, at + 20, high - 12, text))
        at += 40 + 7 * len(text)
    return "\n".join(out + ["</svg>\n"])
