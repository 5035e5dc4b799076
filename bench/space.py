"""`python3 -m bench.space`: the memory of closures on P workers against that on one, and the work done after an abort.

The bound of work stealing is S_P <= P S_1: no more closures are alive on P workers than P times what one worker
needs at a
time (Blumofe and Leiserson).  S is what `--stats 3` reports: the bytes that closures and links ever took from the
                               system, with a
batch of 8, since they are not given back before the end.  S_1 is the eager strategy's, on one worker: lazy programs
have hardly any
closure there.  Each figure is the largest of several seeds, with steals as they come and forced at random.  A
                worker's free
lists, and the links of children that were stolen, are allowed for: CONSTANT bytes for each worker.

Work after an abort: queens reports which share of its boards were tried in searches that began after a solution was
there.  knapsack aborts at many places, so the report is how many times as many nodes several workers search as one
        does: all that is speculation, be it aborted in time or not.
"""

import argparse
import os
import re
import subprocess
import sys

from .build import BUILD, Builder
from .cases import ROOT, STRATEGIES

CONSTANT = 24 << 10
WORKERS = (1, 2, 4, 8)


def test_arguments(path):
    with open(path, encoding="utf-8") as file:
        found = re.search(r"^// ARGS: (.*)$", file.read(), re.M)
    return found.group(1).split() if found else []


def run(program, workers, seed, force, words):
    command = [program, "--nproc", workers, "--seed", seed, "--alloc-batch", 8, "--stats", 3]
    done = subprocess.run([str(w) for w in command + (["--force-steal", force] if force else []) + words],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    found = re.search(r"taken from the system: (\d+) bytes", done.stderr)
    if done.returncode != 0 or not found:
        raise SystemExit("%s failed on %d workers:\n%s" % (program, workers, done.stderr))
    late = re.search(r"tried: (\d+), .*: (\d+)$", done.stderr, re.M)
    nodes = re.search(r"^nodes searched: (\d+)$", done.stderr, re.M)
    return (int(found.group(1)), (int(late.group(1)), int(late.group(2))) if late else None,
            int(nodes.group(1)) if nodes else None)


def main(words):
    parser = argparse.ArgumentParser(prog="python3 -m bench.space",
                                     description="Memory of closures on P workers against P times that on one.")
    parser.add_argument("names", nargs="*", help="samples (default: all)")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="runs of each kind (5)")
    options = parser.parse_args(words)
    folder = os.path.join(ROOT, "samples")
    names = options.names or sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".cilk"))
    builder = Builder(os.path.join(BUILD, "space"))
    print("| program | S_1 | " + " | ".join("%s S_%d" % (s, p) for s in STRATEGIES for p in WORKERS)
          + " | largest S_P/(P S_1) | after abort |")
    print("| --- |" + " ---: |" * (len(STRATEGIES) * len(WORKERS) + 3))
    over = 0
    for name in names:
        path = os.path.join(folder, name + ".cilk")
        arguments, cells, first, worst, aborts, alone, searched = test_arguments(path), [], 0, 0.0, [], None, []
        for spawn in STRATEGIES:
            program = os.path.join(builder.folder, "%s-%s" % (name, spawn))
            if not builder.run(name, [os.path.join(ROOT, "cilkc"), "-O2", "--spawn=" + spawn, path, "-o", program]):
                raise SystemExit(builder.missing[name])
            if not first:
                first, _, alone = run(program, 1, 1, None, arguments)
            for workers in WORKERS:
                most = 0
                for seed in range(1, options.seeds + 1):
                    for force in (None, "random"):
                        size, late, nodes = run(program, workers, seed, force, arguments)
                        most = max(most, size)
                        if late and workers > 1 and not force:
                            aborts.append(late)
                        if nodes and workers > 1 and not force:
                            searched.append(nodes)
                ratio = most / (workers * max(first, 1024))
                worst = max(worst, ratio)
                bad = most > workers * (first + CONSTANT)
                over += bad
                cells.append("%d%s" % (most, " (!)" if bad else ""))
        after = "%.1f %%" % (100.0 * sum(l for _, l in aborts) / sum(t for t, _ in aborts)) if aborts else ""
        if searched and alone:
            after = "%.2f times the nodes" % (sum(searched) / len(searched) / alone)
        print("| %s | %d | %s | %.2f | %s |" % (name, first, " | ".join(cells), worst, after), flush=True)
    print("\n%s"
          % ("no figure is above P (S_1 + %d)" % CONSTANT if not over
             else "%d figures, marked (!), are above P (S_1 + %d)" % (over, CONSTANT)))


if __name__ == "__main__":
    main(sys.argv[1:])
