"""`cilkc profile --sweep`: the program in parallel on P = 1, 2, ... workers, its speedup beside what work and span promise.

Bounds for P workers: no more than P and no more than the parallelism; and, with what steals cost, about T1 / (T1 / P + burdened span). The times are those of the
whole program, the best of some runs each, and on a machine that has other things to do they tell little.
"""

import os
import time
from html import escape

from cilkc_driver.tools import Stop

from . import instrumented, progress
from .profile_model import figure

RUNS = 3


class Sweep:
    def __init__(self, profile, times):
        self.profile, self.times = profile, times      # seconds by P

    def rows(self):
        """(P, seconds, speedup, upper bound, burdened)"""
        p = self.profile
        one = self.times[0]
        for number, seconds in enumerate(self.times, 1):
            yield number, seconds, one / seconds if seconds else 0.0, min(number, p.parallelism), p.work / p.time_on(number)


def measure(words, arguments, count, profile, stdin, temp):
    program = temp.file("parallel")
    if not instrumented.build(words, program):
        raise Stop("the parallel program was not built", instrumented.NOT_RUN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    times: list[float] = []
    # What a run on so many workers takes, beside one on a single worker.
    done = progress.Progress("cilkc profile --sweep", [1 / min(number, max(1.0, profile.parallelism)) for number in range(1, count + 1)])
    try:
        for number in range(1, count + 1):
            tries: list[float] = []
            with done.step("timing %d workers" % number):
                for _ in range(RUNS):
                    begin = time.monotonic()
                    status = instrumented.execute(program, ["--nproc", str(number)] + arguments, {}, stdin.open(temp), nowhere, nowhere)
                    seconds = time.monotonic() - begin
                    if status != profile.status:
                        raise Stop("on %d workers the program ended with status %d, and not with %d" % (number, status, profile.status), instrumented.NOT_RUN)
                    tries.append(seconds)
            times.append(min(tries))
    finally:
        os.close(nowhere)
    return Sweep(profile, times)


def svg(sweep):
    """The plot: measured points, the two bounds as lines."""
    rows = list(sweep.rows())
    count = len(rows)
    wide, high, left, bottom = 620, 400, 60, 50
    top = max(1.0, max(max(row[2], row[3], row[4]) for row in rows)) * 1.05

    def x(number):
        return left + (number - 1) / max(1, count - 1) * (wide - left - 20)

    def y(value):
        return high - bottom - value / top * (high - bottom - 30)

    def line(column, colour, dash):
        return '<polyline fill="none" stroke="%s" stroke-width="2"%s points="%s"/>' % (colour, ' stroke-dasharray="6 4"' if dash else "",
                                                                                      " ".join("%.1f,%.1f" % (x(row[0]), y(row[column])) for row in rows))
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" role="img">'
           % (wide, high, wide, high),
           "<title>Speedup by the number of workers</title>", '<rect width="100%" height="100%" fill="#ffffff"/>']
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1e9) if top / s <= 8)
    value = 0.0
    while value <= top:
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#e2e2e2"/>' % (left, wide - 20, y(value), y(value)))
        out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (left - 8, y(value) + 4, value))
        value += step
    for number in range(1, count + 1, max(1, count // 16)):
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x(number), high - bottom + 18, number))
    out.append('<text x="%d" y="%d" text-anchor="middle">workers</text>' % ((wide + left) // 2, high - 12))
    out.append('<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">speedup</text>' % (high // 2 - 20))
    out += [line(3, "#777777", True), line(4, "#d68a30", False), line(2, "#2a62a8", False)]
    for row in rows:
        told = escape("%d: %.3f s, %s times" % (row[0], row[1], figure(row[2])))
        out.append('<circle cx="%.1f" cy="%.1f" r="4" fill="#2a62a8"><title>%s</title></circle>' % (x(row[0]), y(row[2]), told))
    for i, (text, colour) in enumerate((("measured", "#2a62a8"), ("bound with what steals cost", "#d68a30"), ("min(P, parallelism)", "#777777"))):
        out.append('<rect x="%d" y="%d" width="14" height="3" fill="%s"/><text x="%d" y="%d">%s</text>' % (left + 16, 22 + 18 * i, colour, left + 36, 27 + 18 * i, text))
    return "\n".join(out + ["</svg>\n"])
