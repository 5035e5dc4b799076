#!/usr/bin/env python3
"""Compares random shapes (generate.py) with their elision as gcc compiles it.

    batch.py FIRST-LAST [--levels 0123] [--each 200] [--jobs 2] [--cilkc PATH] [--flags "-fno-inline-leaves"]

A program holds many shapes, so that compiler, linker and run are paid once for all of them. It is built at each
level with each spawn strategy, with --verify-clones, and run on one worker and on two, and with forced steals:
`always` makes every frame with a spawn go on in its slow clone, from its first entry point on. A build may not
compile, or one of its runs may be wrong. Then halves of its shapes are built, until single shapes are found. Prints
a line for each of them, and how many shapes were compared.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import generate  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = dict(os.environ)
if ENVIRONMENT.get("CILKC_BUILD"):                           # a relative name, as make gives it, is below ROOT
    ENVIRONMENT["CILKC_BUILD"] = str(ROOT / ENVIRONMENT["CILKC_BUILD"])
STRATEGIES = re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M)
RUNS = (
    ["--nproc", "1"],
    ["--nproc", "1", "--force-steal", "always"],
    ["--nproc", "2", "--force-steal", "random"],
    ["--nproc", "2"],
)
ELISION = ["-DELISION", "-Dcilk=", "-Dspawn=", "-Dsync=", "-Dinlet="]
LIMIT = 300            # seconds for a run, which takes milliseconds
COMPILE_LIMIT = 3000   # ten seconds on a quiet machine
MOST_NAMED = 3         # shapes of one build: more are not looked for


def run(words, folder, limit):
    """(exit status, what it printed)"""
    try:
        done = subprocess.run(
            words, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return "no end after %d s" % limit, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def difference(status, out, want):
    """What is wrong with an answer, in a few words; nothing if it is right."""
    if status != 0:
        return "%s %s" % (status if isinstance(status, str) else "exit status %d" % status, out[-200:].strip())
    wrong = [line for line, right in zip(out.splitlines(), want) if line != right]
    return "; ".join(wrong[:3]) if wrong else "" if out.splitlines() == want else "lines are missing"


class Program:
    """The shapes FIRST to LAST, and what their elision prints."""

    def __init__(self, first, last, folder, cilkc, flags, runs):
        self.first, self.folder, self.runs = first, folder, runs
        self.cilkc = [cilkc, "-w", "--verify-clones"] + list(flags)
        (folder / "elision.c").write_text(generate.program(first, last))
        status, said = run(
            ["gcc", "-std=gnu17", "-w", "-O0"] + ELISION + ["elision.c", "-o", "elision"], folder, COMPILE_LIMIT
        )
        assert status == 0, said
        status, out = run(["./elision"], folder, LIMIT)
        self.want = out.splitlines()
        assert status == 0 and len(self.want) == last - first + 1, (
            "the elision of %d-%d does not end well: %s after %d lines" % (first, last, status, len(self.want))
        )

    def faults(self, first, last, level, strategy):
        """What is wrong with a build of some of the shapes, in order of `runs`."""
        (self.folder / "shapes.cilk").write_text(generate.program(first, last))
        words = self.cilkc + ["-O" + level, "--spawn=" + strategy, "shapes.cilk", "-o", "program"]
        status, said = run(words, self.folder, COMPILE_LIMIT)
        if status != 0:
            return ["not compiled: %s %s" % (status, said[:300].strip())]
        want = self.want[first - self.first:last - self.first + 1]
        faults = [
            (options, difference(*run(["./program"] + options, self.folder, LIMIT), want)) for options in self.runs
        ]
        return ["%s: %s" % (" ".join(options), what) for options, what in faults if what]

    def named(self, first, last, level, strategy, most=MOST_NAMED):
        """The shapes that are wrong in this build, at most so many, with what is wrong. A range, where no half of it is
        wrong when it is alone."""
        faults = self.faults(first, last, level, strategy)
        found = []
        if faults and first != last:
            middle = (first + last) // 2
            found = self.named(first, middle, level, strategy, most)
            if len(found) < most:
                found += self.named(middle + 1, last, level, strategy, most - len(found))
        if faults and not found:
            shapes = "shape %d" % first if first == last else "shapes %d-%d, together only" % (first, last)
            found = ["%s, -O%s %s: %s" % (shapes, level, strategy, faults[0])]
        return found


def compare(first, last, folder, levels="02", cilkc=str(ROOT / "cilkc"), flags=(), runs=RUNS, strategies=STRATEGIES):
    """The differences of one program, one at a time."""
    program = Program(first, last, folder, cilkc, flags, runs)
    for level in levels:
        for strategy in strategies:
            yield from program.named(first, last, level, strategy)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("range")
    parser.add_argument("--levels", default="0123")
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cilkc", default=str(ROOT / "cilkc"))
    parser.add_argument("--flags", default="")
    options = parser.parse_args()
    first, _, last = options.range.partition("-")
    first, last = int(first), int(last or first)
    ranges = [(seed, min(seed + options.each - 1, last)) for seed in range(first, last + 1, options.each)]

    def differences(bounds):
        with tempfile.TemporaryDirectory(prefix="shapes-") as folder:
            return list(compare(*bounds, Path(folder), options.levels, options.cilkc, options.flags.split()))

    bad = done = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (begin, end), lines in zip(ranges, pool.map(differences, ranges)):
            print("".join(line + "\n" for line in lines), end="")
            done, bad = done + end - begin + 1, bad + len(lines)
            print("%d shapes compared, up to shape %d; %d differences" % (done, end, bad), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
