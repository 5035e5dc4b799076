"""What the runtime promises about scheduling, by counts: how late a result may be, what an abort leaves running, how often pops ask the runtime."""

import itertools
import re

import pytest

from conftest import CILKC, ROOT, command

HERE = ROOT / "tests" / "scheduler"
STRATEGIES = ("eager", "lazy")


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, strategy, flags) is the path of that executable; each is made once."""
    made = {}
    folder = tmp_path_factory.mktemp("scheduler")

    def make(name, strategy, *flags):
        key = (name, strategy) + flags
        if key not in made:
            out = folder / "-".join(key)
            built = command([CILKC, "-O2", "--spawn=" + strategy, HERE / (name + ".cilk"), "-o", out] + list(flags))
            assert built.status == 0 and built.err == "", str(built)
            made[key] = out
        return made[key]

    return make


def counter(result, name):
    """The total in the row of that name of --stats."""
    rows = re.findall(r"^ *%s +(.*)$" % re.escape(name), result.err, re.M)
    return int(rows[-1].split()[-1]) if rows else 0


@pytest.mark.parametrize("strategy,nproc,flags", itertools.product(STRATEGIES, (1, 2, 3, 4, 8), ((), ("-cilk-debug",))))
def test_an_endless_search_ends(program, strategy, nproc, flags):
    for seed in range(6):
        result = command([program("endless-search", strategy, *flags), "--nproc", nproc, "--seed", seed], timeout=30)
        assert result.status == 0 and result.out == "1\n" * 4, str(result)


@pytest.mark.parametrize("strategy,nproc,force", itertools.product(STRATEGIES, (2, 4, 8), ("random", "always")))
def test_an_abort_stops_what_runs(program, strategy, nproc, force):
    for seed in range(3):
        result = command([program("endless-search", strategy, "-DDEPTH=10"), "--nproc", nproc, "--seed", seed, "--force-steal", force])
        assert result.status == 0 and result.out == "1\n" * 4, str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_loop_of_leaves_seldom_asks_the_runtime(program, strategy):
    for nproc in (1, 2, 4):
        result = command([program("loop-of-leaves", strategy), "--nproc", nproc, "--stats", "6"])
        assert result.status == 0 and result.out == "500000\n", str(result)
        assert counter(result, "Exceptions") < 50000, str(result)
