"""`cilkc bench --ranks`: programs on several ranks (docs/travel.md): what each asked for, got and sent, beside the
requests and steals of the Cilk-1 paper's Table 4; and two ranks of one worker against one rank.

The programs are those of tests/dist. Each rank counts for itself and reports at the end (`--stats 1`). A figure is the
median of some rounds. How often ranks ask depends on how many processors they share.

Speed: one rank and two in turn, each with one worker. What counts is the time of main, which rank 0 prints; the whole
command takes longer, since mpirun starts and ends processes.
"""

import argparse
import os
import re
import subprocess
from collections import namedtuple

from . import ending, machine, table4_report
from .arguments import several, whole
from .build import BUILD, CILKC
from .cases import ROOT
from .measure import median, ratio, say

SOURCES = os.path.join(ROOT, "tests", "dist")
# The name, the paper's column, the program, its arguments, those of --quick.
Case = namedtuple("Case", "name paper source args quick")
TABLE = [
    Case("fib(33)", "fib(33)", "fib.cilk1", ("33", "only"), ("20", "only")),
    Case("queens(15)", "queens(15)", "queens.cilk1", ("15", "5"), ("9", "4")),
    Case("pfold(3,3,3)", "pfold(3,3,4)", "pfold.cilk1", ("3", "3", "3", "8"), ("2", "3", "3", "6")),
    Case("ray(500,500)", "ray(500,500)", "ray.cilk1", ("500", "500"), ("40", "30")),
    Case("knary(10,5,2)", "knary(10,5,2)", "knary.cilk1", ("10", "5", "2", "4000"), ("5", "5", "2", "100")),
    Case("knary(10,4,1)", "knary(10,4,1)", "knary.cilk1", ("10", "4", "1", "4000"), ("5", "4", "1", "100")),
]
SPEED = [Case("nqueens, threads", None, "queens.cilk1", ("15", "5"), ("12", "4")),
         Case("nqueens, procedures", None, "nqueens.cilk", ("15", "4"), ("12", "4")),
         Case("pfold", None, "pfold.cilk1", ("2", "4", "4", "9"), ("2", "3", "3", "6"))]
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
PAPERS = 32                     # processors of the paper's machine


def build(case, transport, folder):
    out = os.path.join(folder, "ranks-%s-%s" % (transport, case.source.replace(".", "-")))
    words = [CILKC, "build", "-O2", "-w", "--dist=" + transport, os.path.join(SOURCES, case.source), "-lm", "-o", out]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise OSError("%s: %s" % (case.source, done.stdout.strip()))
    return out


def run(program, args, ranks, transport):
    """(what it printed, the rows of its ranks by column, seconds of main)"""
    words = [program, "--nproc", "1", "--stats", "1", *args]
    if transport == "mpi":
        words = ["mpirun", "--oversubscribe", "-n", str(ranks), *words]
    env = dict(os.environ, CILK_RANKS=str(ranks), **MPI)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=600,
                          env=env)
    took = re.search(r"^main took ([0-9.]+) s$", done.stderr, re.M)
    if done.returncode or not took:
        raise OSError("%s ended with %d: %s" % (" ".join(words), done.returncode, done.stderr.strip()[-500:]))
    lines = [line.split() for line in done.stderr.splitlines()]
    head = next(i for i, line in enumerate(lines) if line[:2] == ["rank", "threads"])
    rows = [dict(zip(lines[head], map(float, line))) for line in lines[head + 1 : head + 1 + ranks]]
    return done.stdout, rows, float(took.group(1))


def number(x):
    return table4_report.number(round(x) if x >= 100 else x)


def cells(case, runs):
    """What the rounds of one program on so many ranks have in the middle; the paper's in brackets."""
    ranks = len(runs[0][1])

    def each(column):
        return median([sum(row[column] for row in rows) / ranks for _, rows, _ in runs])

    steal = [sum(row["bytes/steal"] * row["steals"] for row in rows) / max(1, sum(row["steals"] for row in rows))
             for _, rows, _ in runs]
    paper = table4_report.Paper[case.paper].get(PAPERS, [None] * 4)
    return [case.name, str(ranks), number(int(median([sum(row["threads"] for row in rows) for _, rows, _ in runs]))),
            "%s (%s)" % (number(each("requests")), number(paper[2])),
            "%s (%s)" % (number(each("steals")), number(paper[3])), number(each("messages")), number(each("bytes")),
            number(median(steal)), "%.2f" % median([took for _, _, took in runs])]


def name_of(case):
    return case.source.split(".")[0]


def table(options, folder):
    lines = ["| | ranks | threads | requests/rank | steals/rank | messages/rank | bytes/rank | bytes/steal | T_P (s) |",
             "|---|" + "---|" * 8]
    for case in TABLE:
        if options.filter and name_of(case) not in options.filter:
            continue
        program, args = build(case, options.transport, folder), case.quick if options.quick else case.args
        outputs = set()
        for ranks in options.numbers:
            runs = [run(program, args, ranks, options.transport) for _ in range(options.rounds)]
            outputs |= {output for output, _, _ in runs}
            lines.append("| " + " | ".join(cells(case, runs)) + " |")
            say("  %-14s %3d ranks  %.2f s" % (case.name, ranks, median([took for _, _, took in runs])))
        if len(outputs) > 1:
            raise OSError("%s printed different results: %s" % (case.name, sorted(outputs)))
    return lines


def speed(options, folder):
    lines = ["| | one rank (s) | two ranks (s) | T_1/T_2 | quartiles |", "|---|---|---|---|---|"]
    for case in SPEED:
        if options.filter and name_of(case) not in options.filter:
            continue
        program, args = build(case, options.transport, folder), case.quick if options.quick else case.args
        times: dict = {1: [], 2: []}
        for turn in range(options.rounds):
            for ranks in (1, 2) if turn % 2 else (2, 1):
                times[ranks].append(run(program, args, ranks, options.transport)[2])
        of = ratio(times[1], times[2])
        if of is None:
            raise OSError("%s is over too soon to be measured" % case.name)
        row = (case.name, median(times[1]), median(times[2]), of["median"], of["q1"], of["q3"])
        lines.append("| %s | %.3f | %.3f | %.2f | %.2f to %.2f |" % row)
        say("  %-20s T_1 %.3f s, T_2 %.3f s, T_1/T_2 %.2f" % row[:4])
    return lines


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="cilkc bench --ranks", description="Programs on several ranks: what they ask for, get and send; their speed."
    )
    parser.add_argument("--speed", action="store_true", help="two ranks of one worker against one, instead of the table")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--rounds", type=whole(1), metavar="N", help="of each run (3; 7 with --speed)")
    parser.add_argument("--numbers", type=several(1, 64), default="4,32", metavar="N,...", help="numbers of ranks (4,32)")
    parser.add_argument("--transport", choices=("mpi", "local"), default="mpi", help="what carries the messages (mpi)")
    parser.add_argument("--filter", nargs="+", metavar="NAME",
                        choices=sorted({name_of(case) for case in (*TABLE, *SPEED)}),
                        help="only these programs (fib, queens, ..)")
    parser.add_argument("-o", "--output", metavar="DIR", help="where programs go (default: bench/ in the build directory)")
    options = parser.parse_args(words)
    options.rounds = options.rounds or (7 if options.speed else 3)
    return options


def main(words):
    options = arguments(words)
    folder = os.path.abspath(options.output or os.path.join(BUILD, "bench"))
    os.makedirs(folder, exist_ok=True)
    busy = machine.warning(os.getloadavg())
    if busy:
        say("warning: " + busy)
    try:
        lines = (speed if options.speed else table)(options, folder)
    except (OSError, subprocess.TimeoutExpired) as problem:
        ending.report(problem)
        return 1
    say("\n" + "\n".join(lines))
    if not options.speed:
        say("\nIn brackets: the paper's, on %d processors of its CM5." % PAPERS)
    return 0
