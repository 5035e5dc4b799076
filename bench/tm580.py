"""`cilkc bench --tm580`: tables 1 and 2 of the memo on indolent closure creation (MIT/LCS/TM-580), and what it leaves
open: how long thieves starve.

The tables: fib by hand as in the memo (tm580/fib.c), by gcc and clang at three levels, and our own clones of
tm580/fib.cilk. A spawn's cost is counted in instructions: the difference of two sizes of fib, divided by the calls
between them, so that start-up is not in it. Times are the least of some rounds, as in the memo; processor time.

Starvation (tm580/starve.cilk): a tree whose leaves take 1 us to 100 ms, on up to 64 workers. From 100 us on leaves
sleep, so that many workers need few processors: oversubscription without a simulator. Shorter ones spin, with as
many workers as there are processors.
"""

import argparse
import json
import os
import subprocess

from . import ending, machine, tm580_report
from .arguments import whole
from .build import BUILD, CILKC, CLANG, GCC
from .cases import HERE
from .measure import Job, interleave, median, say
from .micro import instructions, spawns_of_fib

SOURCES = os.path.join(HERE, "tm580")
LEVELS = ("-O1", "-O2", "-O3")
STRATEGIES = ("eager", "indolent", "sedative", "lazy")
# The memo's scheme with tests at the first spawn only (its figures 7 and 8), and at both.
BY_HAND = {
    "elision": (0, 1),
    "indolent, 1 spawn": (1, 1),
    "indolent": (1, 2),
    "sedative, 1 spawn": (2, 1),
    "sedative": (2, 2),
}
LENGTHS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
SLEEPS = 100_000                # shorter leaves spin
WORKERS = (2, 8, 64)
SHAPES = ("tree", "later")


def make(out, words):
    done = subprocess.run([*words, "-o", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise OSError("%s: %s" % (" ".join(words), done.stdout.strip()))
    return out


def programs(folder):
    """{(compiler, level, version): command}"""
    made = {}
    for compiler in (GCC, CLANG):
        for level in LEVELS if compiler else ():
            for name, (version, spawns) in BY_HAND.items():
                out = os.path.join(folder, "tm580-%s%s-%d-%d" % (compiler, level, version, spawns))
                made[compiler, level, name] = [make(out,
                                                    [compiler, level, "-w", "-DVERSION=%d" % version,
                                                     "-DSPAWNS=%d" % spawns, os.path.join(SOURCES, "fib.c")])]
    for level in LEVELS:
        for strategy in STRATEGIES:
            out = os.path.join(folder, "tm580-cilkc%s-%s" % (level, strategy))
            made["cilkc", level, strategy] = [
                make(out, [CILKC, "build", level, "-w", "--spawn=" + strategy, os.path.join(SOURCES, "fib.cilk")]),
                "--nproc", "1"
            ]
    return made


def tables(folder, n, small, rounds):
    """{"compiler level version": {"seconds", "instructions"}}"""
    made, rows = programs(folder), {}
    jobs = {key: Job(key, [*words, str(n)], clock="processor") for key, words in made.items()}
    interleave(list(jobs.values()), rounds)
    calls = spawns_of_fib(small + 4) - spawns_of_fib(small)
    for key, words in made.items():
        if jobs[key].problem:
            raise OSError("%s: %s" % (" ".join(key), jobs[key].problem))
        low, high = (instructions([*words, str(size)]) for size in (small, small + 4))
        rows[" ".join(key)] = {"seconds": min(jobs[key].times),
                               "instructions": (high[0] - low[0]) / calls if low and high else None}
    return rows


def starve(program, shape, workers, length, leaves):
    words = [program, "--nproc", str(workers), shape, str(leaves), str(length), "sleep" if length >= SLEEPS else "spin"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, timeout=600, check=True)
    return [int(word) for word in done.stdout.split()]


def starvation(folder, rounds, workers, lengths):
    """Rows of the median time to the first steal, to the last worker's first leaf, and of the waste, all in us. The
    order of the strategies is another each round."""
    made = {strategy: make(os.path.join(folder, "tm580-starve-" + strategy),
                           [CILKC, "build", "-O2", "--spawn=" + strategy, os.path.join(SOURCES, "starve.cilk")])
            for strategy in STRATEGIES}
    rows = []
    for shape in SHAPES:
        for p in workers:
            for length in lengths:
                if length < SLEEPS and p > machine.cores():
                    continue
                leaves = max(8 * p, min(1024, 4_000_000 // length * p))
                found = {strategy: [] for strategy in STRATEGIES}
                for number in range(rounds):
                    for place in range(len(STRATEGIES)):
                        strategy = STRATEGIES[(number + place) % len(STRATEGIES)]
                        found[strategy].append(starve(made[strategy], shape, p, length, leaves))
                for strategy, runs in found.items():
                    # A leaf never ran elsewhere: the thieves starved to the end.
                    first, last = (median([run[k] if run[k] >= 0 else run[2] for run in runs]) for k in (0, 1))
                    waste = median([max(0.0, p * run[2] / run[3] - 1) for run in runs])
                    rows.append({"shape": shape, "workers": p, "length": length, "leaves": leaves, "strategy": strategy,
                                 "first": first, "all": last, "waste": waste})
        say("  %s: %d settings" % (shape, len(rows)))
    return rows


def main(words):
    parser = argparse.ArgumentParser(prog="cilkc bench --tm580",
                                     description=__doc__.split("\n", maxsplit=1)[0].split(": ", 1)[1])
    parser.add_argument("--quick", "--tiny", action="store_true", help="small sizes, which measure little")
    parser.add_argument("--rounds", type=whole(1), default=5)
    parser.add_argument("--again", action="store_true", help="the report from what was measured last")
    parser.add_argument("-o", "--output", metavar="DIR", default=os.path.join(BUILD, "bench"))
    parser.add_argument("--publish", metavar="FOLDER",
                        help="tm580.md there gets these tables and keeps the text before; the chart, too")
    options = parser.parse_args(words)
    os.makedirs(options.output, exist_ok=True)
    results = os.path.join(options.output, "tm580.json")
    try:
        if options.again:
            with open(results) as file:
                found = json.load(file)
        else:
            rounds = 1 if options.quick else options.rounds
            found = {"machine": machine.describe(), "n": 22 if options.quick else 36, "rounds": rounds}
            say("fib")
            found["tables"] = tables(options.output, found["n"], 10 if options.quick else 22, rounds)
            say("starvation")
            found["starvation"] = starvation(options.output, rounds, WORKERS[:2] if options.quick else WORKERS,
                                             LENGTHS[1:4] if options.quick else LENGTHS)
            with open(results, "w") as file:
                json.dump(found, file, indent=1)
    except (OSError, subprocess.SubprocessError, ValueError) as problem:
        ending.report(problem)
        return 1
    for folder in filter(None, (options.output, options.publish)):
        try:
            tm580_report.write(found, os.path.join(folder, "tm580.md"))
        except (OSError, ValueError) as problem:
            ending.report(problem)
            return 1
        tm580_report.chart(found, folder)
    say(tm580_report.report(found))
    return 0
