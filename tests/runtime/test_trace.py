"""The flavour `trace` of the runtime: what it notes agrees with what the program did and with the counters; in every
other flavour nothing is there."""

import re
from collections import Counter, defaultdict

import pytest

from conftest import BUILD, CILKC, ROOT, command, compiled

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "rt"


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trace")
    made = {}

    def make(strategy):
        if strategy not in made:
            out = folder / ("fib-" + strategy)
            words = ["-std=gnu17", "-g", "-O2", "-Wall", "-Wextra", "-DTRACE", "-I%s" % ROOT, "-pthread"] + (
                ["-DLAZY"] if strategy == "lazy" else []
            )
            done = command(["cc", *words, HERE / "fib.c", BUILD / "lib" / "libcilkrt-trace.a", "-o", out])
            assert done.status == 0 and done.err == "", str(done)
            made[strategy] = out
        return made[strategy]

    return make


def trace(program, folder, *words):
    """The events of a run, [(ns, worker, event, object, other)] in the order of time, and its counters."""
    result = command([program, "--stats", "6", *words], env={"CILK_TRACE": str(folder / "trace")})
    assert result.status == 0, str(result)
    lines = (folder / "trace").read_text().splitlines()
    assert (
        re.fullmatch(r"\d+ workers \d+", lines[0])
        and re.fullmatch(r"\d+ end", lines[-1])
        and not any(line.endswith("lost") for line in lines)
    )
    places = {"0": None}
    events = []
    for line in lines[1:-1]:
        if line.startswith("place "):
            number, place = line[6:].split(" ", 1)
            assert number not in places
            places[number] = place
            continue
        ns, worker, event, first, other, place = line.split()
        assert place in places
        events.append((int(ns), int(worker), event, first, other))
    counters = {
        name.strip(): int(total) for name, total in re.findall(r"^ *([A-Z][^\d\n]*?) +\d+.* (\d+)$", result.err, re.M)
    }
    return sorted(events, key=lambda e: e[0]), counters


@pytest.mark.parametrize("nproc", ("1", "2", "4"))
@pytest.mark.parametrize("strategy", ("eager", "lazy"))
def test_events_are_counted_and_in_order(program, tmp_path, strategy, nproc):
    events, counters = trace(program(strategy), tmp_path, "--nproc", nproc, "--force-steal", "always", "12")
    count = Counter(event for _, _, event, _, _ in events)
    assert count["root"] == count["done"] >= 1
    assert count["run"] > 100 and count["search"] >= int(nproc) - 1 and count["return"] > 100 and count["deliver"] > 100
    for event, row in (
        ("deliver", "Deliveries"),
        ("suspend", "Suspend"),
        ("sync", "Sync check"),
        ("return", "Return/slow"),
        ("steal", "Steals"),
        ("release", "Rel. frames"),
    ):
        assert count[event] == counters.get(row, 0), (event, count, counters)
    searching, sleeps = set(), 0
    for _, worker, event, _, _ in events:
        sleeps += event == "sleep" and worker in searching      # others wait for a computation to begin
        if event == "search":
            searching.add(worker)
        elif event in ("run", "root", "back"):
            searching.discard(worker)
    assert sleeps == counters.get("Sleeps", 0)
    if strategy == "eager":
        # each gives the number of spawns that it represents
        assert sum(int(other, 16) for _, _, event, _, other in events if event == "spawn") > 100

    # The events of each worker are written in the order of time.
    now = defaultdict(int)
    for ns, worker, *_ in events:
        assert ns >= now[worker]
        now[worker] = ns

    # The life of a closure: it runs, then comes to a sync or returns; it is suspended only at a sync; nothing of it happens
    # between its return and its next life.
    state = {}
    for _, _, event, first, _ in events:
        was = state.get(first)
        if event == "run":
            assert was != "run", first
        elif event == "sync":
            assert was in ("run", "deliver", "sync"), (first, was)
        elif event == "suspend":
            assert was in ("sync", "deliver"), (first, was)
        elif event == "return":
            assert was in ("sync", "run"), (first, was)
        if event in ("run", "sync", "suspend", "return", "detach", "release"):
            state[first] = event
    assert set(state.values()) == {"return"}


def test_without_the_variable_nothing_is_written(program, tmp_path):
    result = command([program("eager"), "--nproc", "2", "12"], cwd=tmp_path)
    assert result.status == 0 and list(tmp_path.iterdir()) == []


def test_objects_that_note_spawns_need_this_flavour(tmp_path):
    words = ["-std=gnu17", "-DTRACE", "-I%s" % ROOT, "-pthread"]
    result = command(["cc", *words, HERE / "fib.c", BUILD / "lib" / "libcilkrt.a", "-o", tmp_path / "x"])
    assert result.status != 0 and "cilk_trace_on" in result.err, str(result)


@pytest.mark.parametrize("flavour", ("", "-debug"))
def test_other_flavours_have_nothing_of_it(flavour):
    result = command(["nm", BUILD / "lib" / ("libcilkrt%s.a" % flavour)])
    assert result.status == 0 and "cilk_event" not in result.out and "cilk_rt_trace" not in result.out


FINE = """
#include <stdio.h>
static cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
cilk int main(void) { int x; x = spawn fib(27); sync; printf("%d\\n", x); return 0; }
"""


@pytest.mark.parametrize("nproc", (1, 2))
def test_fine_spawns_are_thinned_where_they_are_noted(tmp_path, nproc):
    """A few stand for all: their counts add up to the spawns of a build without copies of the recursion, but for those
    since the last one of each worker."""
    (tmp_path / "fine.cilk").write_text(FINE)
    compiled([CILKC, "-O0", "-cilk-trace", tmp_path / "fine.cilk", "-o", tmp_path / "fine"])
    result = command([tmp_path / "fine", "--nproc", nproc], env={"CILK_TRACE": str(tmp_path / "events")})
    assert result.out == "196418\n", str(result)
    counts = [
        int(line.split()[4], 16)
        for line in (tmp_path / "events").read_text().splitlines()
        if line.split()[2:3] == ["spawn"]
    ]
    spawns = 2 * 317811 - 1          # one for each call of fib
    assert 0 < len(counts) < spawns // 8, len(counts)
    assert spawns // 2 < sum(counts) <= spawns and max(counts) > 1, (sum(counts), spawns)
