"""The time to compile grows with the length of the text, in every construct of the grammar: four times as much of it
takes at most 4.5 times the work.

Work is counted, not timed: valgrind says how many blocks of code were run (scaling/work.cpp), which is the same on
every machine and at any load. The counts are exact, so a quadratic part shows long before it hurts, and small
programs do. CILKC_SCALE=10 tries ten times as much of everything, CILKC_LEVEL=-O2 another level, by hand.
"""

import fcntl
import os
import re

import pytest

from conftest import BUILD, ROOT, STRATEGIES, TESTS, compiled, module_of, need
from tiers import tier

pytestmark = pytest.mark.tier("check")

constructs = module_of(TESTS / "scaling" / "constructs.py")
# What grew faster only where there was much of it, and is held there: below, these tests pass without what mended it.
LARGE = {
    "case-ranges",
    "struct-copies",
    "label-addresses",
    "ands",
    "nested-ifs",
    "nested-loops",
    "nested-calls",
    "spawn-op",
    "spawn-element",
}
SCALE, LEVEL = int(os.environ.get("CILKC_SCALE", "1")), os.environ.get("CILKC_LEVEL", "-O0")


@pytest.fixture(scope="session")
def work():
    need("valgrind")
    build = os.path.relpath(BUILD, ROOT)
    # `make test` has it made; elsewhere several processes may want it at the same time
    with open(BUILD / ".scaling", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        compiled(["make", "-s", "BUILD=" + build, build + "/scaling/work"], cwd=ROOT, timeout=900)
    return BUILD / "scaling" / "work"


def counted(work, texts, language, level, spawn, folder):
    """How many blocks the compilation of each text runs."""
    names = []
    for i, text in enumerate(["int x;\n", *texts]):
        names.append(folder / ("%d.i" % i))
        names[-1].write_text(text)
    log = folder / "log"
    compiled(["valgrind", "--tool=none", "--log-file=%s" % log, work, language, level, spawn, *names], timeout=1500)
    sums = [
        int(n.replace(",", ""))
        for n in re.findall(r"^\*\*\d+\*\* done .*?scheduler: ([\d,]+) event checks", log.read_text(), re.S | re.M)
    ]
    assert len(sums) == len(names)
    return [after - before for before, after in zip(sums, sums[1:])]


def grows(work, table, names, n, language, level, spawn, folder):
    sizes = {name: SCALE * (1000 if name in LARGE else n) for name in names}
    # The first of each is not looked at: tables in LLVM and in the library grow once.
    counts = counted(
        work, [table[name](sizes[name] * k) for name in names for k in (1, 1, 4)], language, level, spawn, folder
    )
    wrong = []
    for i, name in enumerate(names):
        _, one, four = counts[3 * i:3 * i + 3]
        if four > 4.5 * one:
            wrong.append(
                "%s: %d times: %d, %d times: %d: %.1f times the work"
                % (name, sizes[name], one, 4 * sizes[name], four, four / one)
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("large", [pytest.param(False, marks=tier("test")), pytest.param(True, marks=tier("all"))])
def test_c(work, large, tmp_path):
    names = [name for name in constructs.C if (name in LARGE) == large]
    grows(work, constructs.C, names, 120, "c", LEVEL, STRATEGIES[0], tmp_path)


# Without two that take a third of the time each.
FAST = [name for name in constructs.CILK if name not in ("spawn-element", "spawn-op")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "spawn, names, n",
    [
        pytest.param(STRATEGIES[0], FAST, 40, marks=tier("test")),
        *(pytest.param(name, list(constructs.CILK), 100, marks=tier("all")) for name in STRATEGIES),
    ],
)
def test_cilk(work, spawn, names, n, tmp_path):
    grows(work, constructs.CILK, names, n, "cilk", LEVEL, spawn, tmp_path)
