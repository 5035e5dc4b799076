"""`python3 -m bench.race [--publish docs/race.md]`: user time and memory of programs with the race detector.

Each program is compiled twice at -O2: serially (its elision), and with -cilk-tool=race.  Both are run in turn, several
rounds.  The ratio of user times is the median of the rounds' ratios, the memory the largest resident set of all
rounds.  The detector's memory has a limit: four times the elision's, and 16 MB.
"""

import argparse
import os
import subprocess
import sys

from . import sections
from .build import BUILD, CILKC, GCC, Builder
from .cases import HERE, ROOT
from .measure import median, ratio

TITLE = "What it costs"
FACTOR, CONSTANT = 4, 16.0      # MB = 1024 KB
SHORT = 0.005                   # seconds: no ratio is formed with less
USED = os.path.join(HERE, "race", "used.c")
# (source, arguments, arguments of the tests)
ROWS = (
    ("samples/fib.cilk", "38", "15"),
    ("samples/mergesort.cilk", "2000000", "2000"),
    ("samples/cilksort.cilk", "4000000", "4000"),
    ("samples/strassen.cilk", "512", "64"),
    ("samples/barnes.cilk", "4000 2", "100 1"),
    ("samples/lu.cilk", "512", "32"),
    ("samples/heat.cilk", "512 100", "16 2"),
    ("samples/fft.cilk", "1048576", "256"),
    ("samples/cholesky.cilk", "1000 5000", "20 40"),
    ("samples/nqueens.cilk", "11", "5"),
    ("samples/locks.cilk", "200 2000000", "4 50"),
    ("samples/knapsack.cilk", "46 1", "10 1"),
    ("samples/knapsack.cilk", "46 9", "10 2"),
    ("bench/race/eight.cilk", "15", "3"),
    ("bench/race/eight.cilk", "21", "4"),
    ("bench/race/rotate.cilk", "10", "1"),
    ("bench/race/rotate.cilk", "100", "2"),
    ("bench/race/rotate.cilk", "1000", "3"),
    ("bench/opencilk/fib.c", "38", "15"),
    ("bench/opencilk/nqueens.c", "13", "5"),
    ("bench/opencilk/cilksort.c", "2000000", "2000"),
    ("bench/opencilk/matmul.c", "512", "32"),
)


def run(starter, program, words, folder):
    """(user seconds, MB) of a run."""
    answer = os.path.join(folder, "used.txt")
    done = subprocess.run([starter, answer, program, *words],
                          env={**os.environ, "CILK_RACE_REPORT": os.path.join(folder, "report")},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=600, check=False)
    if done.returncode != 0:
        raise SystemExit("%s %s ended with status %d:\n%s" % (program, " ".join(words), done.returncode, done.stdout))
    with open(answer, encoding="utf-8") as file:
        seconds, size = file.read().split()
    return float(seconds), float(size) / 1024


def measure(builder, tiny, rounds):
    """Rows (name, words, ratio of times, the elision's seconds, MB of both)."""
    starter = builder.make("used", [GCC or "cc", "-O2", USED], [USED])
    for source, full, small in ROWS:
        path, words = os.path.join(ROOT, source), (small if tiny else full).split()
        name, spelling = os.path.splitext(os.path.basename(source))
        opencilk = ["-fopencilk"] if spelling == ".c" else []
        name += " (OpenCilk)" if opencilk else ""
        programs = []
        for label, flag in (("serial", "--serial"), ("race", "-cilk-tool=race")):
            words_of_build = [CILKC, "build", "-w", "-O2", *opencilk, flag, path]
            program = builder.make("%s-%s" % (name.replace(" ", "-"), label), words_of_build, builder.headers(path))
            if program is None or starter is None:
                raise SystemExit("%s does not compile: %s" % (source, builder.missing))
            programs.append(program)
        times, most = ([], []), [0.0, 0.0]
        for _ in range(rounds):
            for which, program in enumerate(programs):
                seconds, size = run(starter, program, words, builder.folder)
                times[which].append(seconds)
                most[which] = max(most[which], size)
        yield name, " ".join(words), ratio(times[1], times[0]), median(times[0]), *most


def table(rows):
    """The section's text."""
    lines = [
        "## " + TITLE, "",
        "User time with the detector, divided by that of the elision at -O2 (medians, quartiles in brackets). The columns in MB",
        "are the largest resident set without and with the detector. The limit for the detector is four times the set of",
        "the elision, plus 16 MB.",
        "There is no ratio of times if the elision takes less than 5 ms. All figures are of one machine, which ran other",
        "programs as well. The table is made by `python3 -m bench.race --publish docs/race.md`.", "",
        "| program | elision, s | times | MB without | MB with | limit |", "|---|---:|---:|---:|---:|---:|"
    ]
    over = []
    for name, words, times, alone, without, with_it in rows:
        limit = FACTOR * without + CONSTANT
        if with_it > limit:
            over.append("%s %s" % (name, words))
        lines.append("| `%s` | %.3f | %s | %.1f | %.1f | %.0f |" % (
            name.replace(" (", " %s (" % words) if "(" in name else "%s %s" % (name, words), alone,
            "%.1f (%.1f-%.1f)" % (times["median"], times["q1"], times["q3"]) if alone >= SHORT else "", without, with_it, limit))
    lines += ["", "No figure is over the limit." if not over else "Over the limit: %s." % ", ".join(over)]
    return "\n".join(lines) + "\n"


def main(words):
    parser = argparse.ArgumentParser(prog="python3 -m bench.race", description="Time and memory of the race detector.")
    parser.add_argument("--tiny", action="store_true", help="sizes for the tests")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each program (5)")
    parser.add_argument("--publish", metavar="FILE", help="put the table in the place of that in FILE")
    options = parser.parse_args(words)
    text = table(measure(Builder(os.path.join(BUILD, "race")), options.tiny, options.rounds))
    print(text, end="")
    if options.publish:
        sections.publish(options.publish, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
