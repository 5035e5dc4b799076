#!/usr/bin/env python3
"""Compares `cilkc prove` with the race detector on random procedures (prove_grammar.py), on all small inputs.

    prove_compare.py FIRST-LAST [--each 8] [--jobs 1] [--cilkc PATH]

A program has several families of procedures, which its main calls with all pairs of numbers up to six. A family all of
whose procedures are proved, but of which the detector reports a line, is an error of the analysis: its program is
kept, and the exit status is 1. The last line says how many were proved, how many race, and how many there were.
"""

import argparse
import concurrent.futures
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "driver"), str(ROOT / "tests")]
import prove_grammar  # noqa: E402
from prove import prover, solver  # noqa: E402

LIMIT = 120  # seconds of a proof, and of the detector's run: longer ones say nothing


class Outcome:
    """wrong: [(family, lines that race)]; proved, racy: families. ran: did the program run to its end?"""

    def __init__(self, seed):
        self.seed, self.wrong, self.proved, self.racy, self.number, self.ran = seed, [], set(), {}, 0, True


def compare(seed, each, cilkc, folder):
    text, families, flags = prove_grammar.program(seed, each)
    path = Path(folder) / ("program-%d%s" % (seed, ".c" if flags else ".cilk"))
    path.write_text(text)
    made = subprocess.run(
        [cilkc, "emit", "--stage", "tree", "--json", "-w", *flags, path], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    outcome = Outcome(seed)
    outcome.number = len(families)
    solver.deadline = time.monotonic() + LIMIT
    try:
        result = prover.prove([made.stdout])
    finally:
        solver.deadline = None
    lines = detected(cilkc, flags, path)
    outcome.ran = lines is not None
    blocked = any(not p.proved and p.facts is None for p in result.procedures)
    for name, (first, last) in families.items():
        own = [p for p in result.procedures if first <= (p.function.line if p.function else 0) <= last]
        racy = sorted(line for line in lines or () if first <= line <= last)
        if racy:
            outcome.racy[name] = racy
        if not blocked and all(p.proved for p in own):
            outcome.proved.add(name)
    outcome.wrong = [(name, outcome.racy[name]) for name in sorted(outcome.proved & set(outcome.racy))]
    if not outcome.wrong:
        path.unlink()
    return outcome


def detected(cilkc, flags, path):
    """The lines of accesses that race, or None where the program did not end."""
    try:
        done = subprocess.run(
            [cilkc, "race", "--json", "-w", *flags, path], capture_output=True, text=True, timeout=LIMIT
        )
        rows = json.loads(done.stdout)["races"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None
    return {access["line"] for row in rows for access in row["accesses"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds")
    parser.add_argument("--each", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cilkc", default=str(ROOT / "cilkc"))
    words = parser.parse_args()
    first, _, last = words.seeds.partition("-")
    folder = tempfile.mkdtemp(prefix="prove-compare-")
    proved = racy = number = wrong = stopped = 0
    with concurrent.futures.ProcessPoolExecutor(words.jobs) as pool:
        seeds = range(int(first), int(last or first) + 1)
        todo = [pool.submit(compare, seed, words.each, words.cilkc, folder) for seed in seeds]
        for job in concurrent.futures.as_completed(todo):
            one = job.result()
            proved, racy, number = proved + len(one.proved), racy + len(one.racy), number + one.number
            stopped += not one.ran
            for name, lines in one.wrong:
                wrong += 1
                print("seed %d, %s: proved, but the detector finds lines %s (%s)" % (one.seed, name, lines, folder))
                sys.stdout.flush()
    if not wrong:
        Path(folder).rmdir()
    counts = number, proved, racy, wrong, stopped
    print("%d families: %d proved, %d race, %d wrong; %d programs did not end" % counts)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
