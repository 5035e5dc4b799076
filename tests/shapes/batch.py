#!/usr/bin/env python3
"""Compares random shapes (generate.py) with their elision as gcc compiles it.

    batch.py FIRST-LAST [--levels 0123] [--each 50] [--cilkc PATH] [--flags "-fno-inline-leaves"] [--stop]

Each program holds some fifty shapes. It is built at each level with each spawn strategy, and run on one worker and on two, and with forced steals: `always` makes
every frame with a spawn go on in its slow clone, from its first entry point on. Prints a line for each difference, and how many shapes were compared.
"""

import argparse
import os
import re
import shutil
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
RUNS = (["--nproc", "1"], ["--nproc", "1", "--force-steal", "always"], ["--nproc", "2", "--force-steal", "random"], ["--nproc", "2"])
ELISION = ["-DELISION", "-Dcilk=", "-Dspawn=", "-Dsync=", "-Dinlet="]


def run(words, folder, limit):
    """(exit status, what it printed)"""
    try:
        done = subprocess.run(words, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
    except subprocess.TimeoutExpired:
        return "no end after %d s" % limit, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def difference(status, out, want):
    """What is wrong with an answer, in a few words; nothing if it is right."""
    wrong = [line.partition(":")[0] for line, right in zip(out.splitlines(), want.splitlines()) if line != right]
    if status != 0:
        return "%s after %d shapes" % (status if isinstance(status, str) else "exit status %d" % status, len(out.splitlines()))
    return ", ".join(wrong[:5]) if wrong else "" if out == want else "lines are missing"


def compare(first, last, folder, levels="02", cilkc=str(ROOT / "cilkc"), flags=(), runs=RUNS, strategies=STRATEGIES, limit=300):
    """The differences of one program, one at a time."""
    (folder / "shapes.cilk").write_text(generate.program(first, last))
    status, said = run(["gcc", "-x", "c", "-std=gnu17", "-w", "-O0"] + ELISION + ["shapes.cilk", "-o", "elision"], folder, limit)
    assert status == 0, said
    status, want = run(["./elision"], folder, limit)
    assert status == 0 and want.count("\n") == last - first + 1, "the elision of %d-%d does not end well" % (first, last)
    for level in levels:
        for strategy in strategies:
            words = [cilkc, "-w", "-O" + level, "--spawn=" + strategy] + list(flags)
            status, said = run(words + ["shapes.cilk", "-o", "program"], folder, limit)
            if status != 0:
                yield "%d-%d -O%s %s: not compiled: %s %s" % (first, last, level, strategy, status, said[:300])
                continue
            for options in runs:
                what = difference(*run(["./program"] + options, folder, limit), want)
                if what:
                    yield "%d-%d -O%s %s %s: %s" % (first, last, level, strategy, " ".join(options), what)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("range")
    parser.add_argument("--levels", default="0123")
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--cilkc", default=str(ROOT / "cilkc"))
    parser.add_argument("--flags", default="")
    parser.add_argument("--stop", action="store_true")
    options = parser.parse_args()
    first, _, last = options.range.partition("-")
    first, last = int(first), int(last or first)
    folder = Path(tempfile.mkdtemp(prefix="shapes-"))
    bad = 0
    try:
        for seed in range(first, last + 1, options.each):
            end = min(seed + options.each - 1, last)
            for line in compare(seed, end, folder, options.levels, options.cilkc, options.flags.split()):
                bad += 1
                print(line, flush=True)
                if options.stop:
                    return 1
            print("%d shapes compared, %d differences" % (end - first + 1, bad), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
