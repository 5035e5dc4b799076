"""What is measured: every sample that does work, and the programs of bench/programs.

A case names a source, its arguments for a full run, a quick one and a tiny one (tests), and a group. The group decides
which targets apply:

    spawn          next to no work per spawn
    work           real work per spawn
    speculative    work depends on the schedule
    coarse         few long tasks, or many too small to share

A new sample is measured with its defaults without an entry here; see `all_cases`.
"""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

with open(os.path.join(ROOT, "frontend", "plan", "strategies.def")) as _table:
    STRATEGIES = [name for name, row in re.findall(r'^STRATEGY\(\w+, "(\w+)",([^"]*)', _table.read(), re.M)
                  if "Experimental" not in row]

# Samples that show something else than speed, or are wrong on purpose.
NOT_MEASURED = {"hello", "race", "race-fixed", "locks"}


# What is wanted: (ratio, limit, at most?); P is the number of workers.  A group's targets hold for its cases that bring
# none of their own.
TARGETS = {"spawn": [("lazy1/clang", 1.3, True)],
           "work": [("lazy1/own", 1.02, True), ("lazy1/faster", 1.05, True)],
           "coarse": [("lazyP/eagerP", 1.05, True)]}
# Wanted of other measurements: what it is called, where the report's data has it (* is each of them, and fills in %s),
# limit, at most?
OTHER_TARGETS = (("c_inf by the knary fit, %s", ("knary", "*", "fit", "c_inf"), 1.5, True),
                 ("median search for work, lazy, microseconds", ("micro", "steal", "lazy", "median_search_us"), 5,
                  True),
                 ("an idle worker's share of a core", ("micro", "idle_share"), 0.05, True))
PEERS = ("openmp-gcc", "openmp-clang", "onetbb", "rayon")


class Case:
    def __init__(self, name, source, full="", quick="", tiny="", group="work", parallel=True, same_output=True,
                 peer=None, targets=None, speedup=1.90):
        self.name, self.source, self.group = name, os.path.join(ROOT, source), group
        self.sizes = {"full": full.split(), "quick": quick.split(), "tiny": tiny.split()}
        self.parallel = parallel          # parallelism over 50: the target for two workers applies
        self.same_output = same_output    # stdout is the same in every run
        self.peer = peer                  # name of the same algorithm in bench/peers
        self.targets = list(TARGETS.get(group, []) if targets is None else targets)
        if parallel and group in ("spawn", "work"):
            self.targets.append(("lazy1/lazy2", speedup, False))


def sample(name, full, quick, tiny, group="work", **more):
    return Case(name, "samples/%s.cilk" % name, full, quick, tiny, group, **more)


def program(name, full, quick, tiny, group="spawn", **more):
    return Case(name.replace("_", "-"), "bench/programs/%s.cilk" % name, full, quick, tiny, group, **more)


CASES = [
    sample("fib", "42", "36", "20", "spawn",
           targets=[("lazy1/clang", 0.80, True), ("lazy1/gcc", 1.0, True), ("eager1/clang", 3.8, True)]),
    program("fib_int", "40", "36", "20"),
    program("fib_long", "40", "36", "20"),
    program("fib_double", "40", "36", "20"),
    program("fib_struct", "40", "36", "20"),
    program("fib_inlet", "40", "36", "20"),
    program("nqueens_count", "15", "13", "7"),
    program("treesum", "1000000 60", "200000 60", "1000 3"),
    program("uneven_tree", "30000 20", "5000 20", "100 2"),
    # a spawn beside one hash, and beside twenty
    program("tree_search", "60000 1", "6000 1", "20 1", targets=[("lazy1/faster", 1.10, True)]),
    Case("tree-search-20", "bench/programs/tree_search.cilk", "4000 20", "400 20", "10 20", "work",
         targets=[("lazy1/faster", 1.10, True)]),
    program("mutual", "42", "37", "20"),
    program("knary_empty", "15 4 1", "13 4 1", "6 4 1", parallel=False),
    sample("blockedmul", "1024", "512", "64"),
    sample("notempmul", "1024", "512", "64"),
    sample("strassen", "2048", "1024", "128", speedup=1.85),
    sample("matmul", "1024", "640", "70"),
    sample("cilksort", "10000000", "2000000", "20000"),
    sample("lu", "2048", "768", "64"),
    sample("cholesky", "4000 24000", "1500 8000", "100 400"),
    sample("heat", "2000 400", "1000 100", "50 4"),
    sample("fft", "8388608", "1048576", "1024"),
    sample("barnes", "20000 4", "4000 2", "100 1"),
    sample("knary", "11 4 1", "10 4 1", "4 4 1", parallel=False),
    sample("nqueens", "15", "13", "8"),
    sample("loop", "3000000", "500000", "3000"),
    sample("inlets", "50000000", "10000000", "20000"),
    sample("parallel", "5000000", "1000000", "3000", parallel=False),
    sample("queens", "28 30", "22 5", "8 2", "speculative", same_output=False),
    sample("knapsack", "46 3", "46 1", "10 1", "speculative", same_output=False, targets=[("lazy1/own", 1.3, True)]),
    sample("search", "2000000000", "200000000", "10000", "speculative", same_output=False),
    program("two_long", "500", "60", "1", "coarse", parallel=False),
    program("leaves", "200 16", "10 16", "1 4", "coarse", parallel=False),
    program("many_small", "14 500000", "14 50000", "5 10", "coarse", parallel=False,
            targets=[("lazy1/lazyP", 0.9, False)]),
    program("unequal", "10 40", "1 40", "1 4", "coarse", parallel=False),
    # The peers make a task per spawn even at one worker, so these are smaller than the programs above.
    Case("peer-fib", "bench/programs/fib_long.cilk", "34", "30", "15", "peer", peer="fib",
         targets=[(peer + "-1/lazy1", 10, False) for peer in PEERS]),
    Case("peer-nqueens", "bench/programs/nqueens_count.cilk", "13", "12", "6", "peer", peer="nqueens"),
    Case("peer-cilksort", "samples/cilksort.cilk", "10000000", "2000000", "20000", "peer", peer="cilksort"),
    Case("peer-matmul", "samples/matmul.cilk", "1024", "640", "70", "peer", peer="matmul"),
]


def all_cases():
    """The table above, and the samples that it does not know, with their defaults."""
    known = {case.source for case in CASES}
    cases, folder = list(CASES), os.path.join(ROOT, "samples")
    for name in sorted(os.listdir(folder)):
        stem, end = os.path.splitext(name)
        if end == ".cilk" and stem not in NOT_MEASURED and os.path.join(folder, name) not in known:
            cases.append(sample(stem, "", "", "", parallel=False, same_output=False))
    return cases
