"""-cilk-span=count: work and span in units are the same in every run, on any number of workers, with both strategies,
at every level of optimisation; and those that `cilkc profile` finds in a serial run."""

import json
import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, Notes, command, compiled

pytestmark = pytest.mark.tier("check")

# Programs without what depends on the schedule: no abort, no SYNCHED, no clock that decides.
PROGRAMS = ["samples/cholesky.cilk", "samples/cilksort.cilk", "samples/heat.cilk", "samples/knary.cilk",
            "samples/matmul.cilk", "samples/nqueens.cilk", "samples/lu.cilk", "samples/mergesort.cilk",
            "tests/profile/inlets-and-called.cilk", "tests/profile/fib.cilk", "tests/profile/calls-from-c.cilk"]

# Inlets of one instance run in turn. The profiler counts that into the span, a parallel run does not.
IN_TURN = {"tests/profile/inlets-and-called.cilk"}


def totals(program, arguments, nproc):
    result = command([program, "--nproc", str(nproc), "--stats", "1", *arguments])
    assert result.status == 0, str(result)
    found = re.search(r"^Total work = (\d+) instructions\nSpan = (\d+) instructions$", result.out + result.err, re.M)
    assert found, str(result)
    return tuple(map(int, found.groups())), re.findall(r"^section: .*", result.err, re.M)


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_work_and_span_do_not_depend_on_the_run(name, tmp_path):
    path = ROOT / name
    arguments = Notes(path).args
    seen = set()
    for strategy in STRATEGIES:
        for level in ("-O0", "-O2"):
            program = tmp_path / "program"
            compiled([CILKC, level, "--spawn=" + strategy, "-cilk-span=count", path, "-o", program])
            for nproc in (1, 2, 4):
                (work, span), section = totals(program, arguments, nproc)
                seen.add((work, span, *section))
    assert len(seen) == 1, seen
    work, span, *section = seen.pop()
    p = json.loads(command([CILKC, "profile", "--json", "--no-what-if", path, "--", *arguments]).out)
    assert p["work"] == work and (p["span"] > span if name in IN_TURN else p["span"] == span)


def test_twenty_runs_are_the_same(tmp_path):
    program = tmp_path / "program"
    compiled([CILKC, "-O2", "-cilk-span=count", ROOT / "samples/knary.cilk", "-o", program])
    assert len({totals(program, ["7", "4", "1"], 4)[0] for _ in range(20)}) == 1


def test_knary_is_within_one_percent_of_its_closed_form(tmp_path):
    program = tmp_path / "program"
    compiled([CILKC, "-O2", "-cilk-span=count", ROOT / "samples/knary.cilk", "-o", program])
    _, section = totals(program, ["8", "4", "1"], 2)
    work, span = map(int, re.findall(r"(\d+) instructions", section[0]))
    nodes, longest = sum(4 ** i for i in range(8)), 2 ** 8 - 1
    assert abs(work / span / (nodes / longest) - 1) < 0.01


def test_the_unit_is_count_or_time(tmp_path):
    result = command([CILKC, "-cilk-span=cycles", ROOT / "samples/fib.cilk"], cwd=tmp_path)
    assert result.status == 2 and "expected count or time" in result.err
    compiled([CILKC, "-O2", "-cilk-span=time", ROOT / "samples/fib.cilk", "-o", tmp_path / "fib"])
    assert re.search(r"^Span = [0-9.]+ (us|ms|s)", command([tmp_path / "fib", "--stats", "1", "15"]).err, re.M)


# ---- the dags of applications, counted here by their recursion, in multiplications and in rows, or in units

def section(tmp_path, name, arguments):
    program = tmp_path / "program"
    compiled([CILKC, "-O2", "-cilk-span=count", ROOT / "samples" / name, "-o", program])
    _, lines = totals(program, arguments, 2)
    return tuple(map(int, re.findall(r"(\d+) instructions", lines[0])))


def test_matmul_is_within_five_percent_of_its_dag(tmp_path):
    def span(m, n, p):
        if max(m, n, p) <= 48:
            return m * n * p
        if m >= n and m >= p:
            return max(span(m // 2, n, p), span(m - m // 2, n, p))
        if p >= n:
            return max(span(m, n, p // 2), span(m, n, p - p // 2))
        return span(m, n // 2, p) + span(m, n - n // 2, p)

    work, longest = section(tmp_path, "matmul.cilk", ["200"])
    assert abs(work / longest / (200 ** 3 / span(200, 200, 200)) - 1) < 0.05


def test_heat_is_within_five_percent_of_its_dag(tmp_path):
    def span(low, high):
        if high - low <= 16:
            return high - low
        middle = low + (high - low) // 2
        return max(span(low, middle), span(middle, high))

    work, longest = section(tmp_path, "heat.cilk", ["400", "10"])
    assert abs(work / longest / (400 / span(1, 401)) - 1) < 0.05


@pytest.mark.parametrize("n", [3000, 20000, 100000])
def test_cilksort_has_the_units_that_a_serial_program_counts_beside_it(n, tmp_path):
    """Which sorts the same numbers and adds up the weights of the manual's table by hand
    (tests/profile/cilksort_count.c)."""
    counted = tmp_path / "counted"
    assert command(["cc", "-std=gnu17", "-O1", ROOT / "tests/profile/cilksort_count.c", "-o", counted]).status == 0
    expected = tuple(map(int, command([counted, str(n)]).out.split()))
    found = section(tmp_path, "cilksort.cilk", [str(n)])
    assert all(abs(f / e - 1) < 0.01 for f, e in zip(found, expected)), (found, expected)


REGISTER = """
#include <stdlib.h>
cilk int main(int argc, char **argv)
{
    int x = 0, n = atoi(argv[1]);
    int *where = PLACE;
    for (int i = 0; i < n; i++)
        x = x + i;
    return where && *where < 0;
}
"""


def test_a_local_whose_address_is_taken_is_in_memory(tmp_path):
    """Each round reads it and writes it, as the manual's table counts."""
    (tmp_path / "p.cilk").write_text(REGISTER)
    rounds = []
    for place in ("NULL", "&x"):
        program = tmp_path / "program"
        compiled([CILKC, "-O2", "-w", "-DPLACE=" + place, "-cilk-span=count", tmp_path / "p.cilk", "-o", program])
        (few, _), _ = totals(program, ["1000"], 1)
        (many, _), _ = totals(program, ["2000"], 1)
        rounds.append((many - few) // 1000)
    assert rounds[1] - rounds[0] == 2, rounds
