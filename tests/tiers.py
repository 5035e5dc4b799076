"""Tiers of tests: which tests a run selects, what they cost, and how much they may cost.

    check   every kind of test, each mechanism once
    test    all features, both spawn strategies, each scheduler
    all     every combination of program, strategy, level, flavour and scheduler

`--tier=NAME` selects a tier and the tiers before it. A module names its tier with
`pytestmark = pytest.mark.tier("check")`. A function or a parameter may name its own with the same mark. Of several
marks the latest tier counts. `@pytest.mark.sample(N)`: one case in N of this function keeps its tier, the others are
in the tier `test`, or in `all` (`sample(N, "all")`). `sample(N, "test", M)`: of these others one in M is in the tier
`test`, the rest in `all`. What a mutant counts on (mutants/*.mut) is in the tier `test` at the latest.

The cost of a tier is the number of processes that its tests start: this number does not depend on the machine or its
load. An audit hook counts them. A cached build (built.py) counts once in a run, whether or not the cache had it
already.
"""

import functools
import hashlib
import re
import resource
import sys
import time
from pathlib import Path

import pytest

TIERS = ("check", "test", "all")
# The most processes that the tests of a tier may start, with `make check` and `make test`. Move a case to a later tier
# before you raise a number.
BUDGETS = {"check": 11000, "test": 20000}
SLOWEST = 15                                                # tests and modules that the report lists
DEFAULT = "test"
BEGAN = time.monotonic()

NO_TIER = """%s has no tier. Write below its imports

    pytestmark = pytest.mark.tier("check")

or "test" or "all": tests/README.md says which."""


def tier(name):
    """The mark of a tier, for a parameter: pytest.param(..., marks=tier("all"))."""
    return pytest.mark.tier(name)


def tier_of(item):
    """The tier of a test, or None. The marks of the function and its parameters come before those of the module."""
    marks = [mark for mark in item.own_markers if mark.name == "tier"] or list(item.iter_markers("tier"))[:1]
    names = [mark.args[0] for mark in marks]
    unknown = [name for name in names if name not in TIERS]
    if unknown:
        raise pytest.UsageError("%s: there is no tier '%s', but %s" % (item.nodeid, unknown[0], ", ".join(TIERS)))
    return max(names, key=TIERS.index) if names else None


def chosen(name, values):
    """One of the values, the same in each run: a hash of the name chooses it."""
    values = list(values)
    return values[int(hashlib.sha256(str(name).encode()).hexdigest(), 16) % len(values)]


def crossed(parameters, values, first="check", rest="test", one_in=1):
    """Parameters for each file with each value. One value of each file, chosen by a hash, is in the tier `first`. Of the
    others one in `one_in` is in the tier `rest`, and what remains is in the tier `all`."""
    result = []
    for parameter in parameters:
        for value in values:
            name = "%s-%s" % (parameter.id, value)
            tier_name = rest if chosen(name, range(one_in)) == 0 else "all"
            if value == chosen(parameter.id, values):
                tier_name = first
            result.append(pytest.param(*parameter.values, value, id=name, marks=tier(tier_name)))
    return result


class Tally:
    """Processes and processor time of this pytest process, and in the controller of xdist those of all its workers."""

    def __init__(self):
        self.processes = 0                                  # started, without those that made a cached build
        # cached builds that tests asked for, and what making them takes
        self.shared: "dict[str, int]" = {}
        self.tests: "list[tuple[str, float, float, int]]" = []
        self.left_out = 0
        sys.addaudithook(self.hear)

    def hear(self, event, arguments):
        if event in ("subprocess.Popen", "os.posix_spawn"):
            self.processes += 1

    def total(self):
        return self.processes + sum(self.shared.values())


TALLY = Tally()


def processor_seconds():
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def begin(item):
    item.stash[STARTED] = TALLY.processes, processor_seconds()


def stop_after(seconds):
    """What has not begun after so many seconds is skipped."""
    if seconds and time.monotonic() - BEGAN > seconds:
        pytest.skip("no time is left (--seconds=%d)" % seconds)


def end(item):
    """Puts the cost of the test into its report, which reaches the controller."""
    processes, seconds = item.stash.get(STARTED, (TALLY.processes, processor_seconds()))
    item.user_properties.append(("cost", (round(processor_seconds() - seconds, 3), TALLY.processes - processes)))


TIMES: "dict[str, list[float]]" = {}
STARTED: "pytest.StashKey[tuple[int, float]]" = pytest.StashKey()


def add(report):
    """Called in the controller, or in the only process, with each report of a test."""
    row = TIMES.setdefault(report.nodeid, [0.0])
    row[0] += report.duration
    for name, value in report.user_properties if report.when == "teardown" else ():
        if name == "cost":
            TALLY.tests.append((report.nodeid, TIMES.pop(report.nodeid)[0], *value))


def merge(tally):
    """Adds the count of a worker."""
    if tally:
        TALLY.processes += tally[0]
        TALLY.shared.update(tally[1])


@functools.lru_cache(maxsize=None)
def killers():
    """How the names of tests begin that the tables of mutants name."""
    tables = Path(__file__).resolve().parent.glob("mutants/*.mut")
    names = {name for path in tables for name in re.findall(r"^  dies in (.*)", path.read_text(), re.M)}
    return tuple({name.rpartition("::")[2].rstrip("]") for name in names})


def kills(name):
    """Whether a mutant counts on this test, by its name or by that of the scenario it plays."""
    scenario = re.fullmatch(r"test_scenario\[\w+-(\w+)-\w+\]", name)
    return scenario[1] in killers() if scenario else name.startswith(killers())


def sampled(items):
    """{item: its tier, or None}, with samples taken. A hash of its name says whether a case is in the sample; the first
    one is if no other is."""
    result = {item: tier_of(item) for item in items}
    for item in items:
        if result[item] == "all" and "[" in item.name and item.name.rstrip("]") in killers():
            result[item] = "test"
    groups: "dict[tuple, list]" = {}
    for item in items:
        if item.get_closest_marker("sample") and result[item] != TIERS[-1]:
            groups.setdefault((item.path, item.originalname), []).append(item)
    for group in groups.values():
        one_in, *rest = group[0].get_closest_marker("sample").args
        where, one_of_these = (rest + ["test", 1][len(rest):])[:2]
        kept = [item for item in group if chosen(item.name, range(one_in)) == 0] or group[:1]
        for item in set(group) - set(kept):
            late = where == "all" or chosen("rest " + item.name, range(one_of_these))
            tier_name = "all" if late and not kills(item.name) else "test"
            result[item] = max(result[item] or TIERS[0], tier_name, key=TIERS.index)
    return result


def select(config, items):
    """Leaves out the tests of later tiers, except those that the command line names by `::`. Puts first the tests that
    mostly wait: others use the processors meanwhile, and the end of a run waits for none of them."""
    wanted = TIERS.index(config.getoption("--tier"))
    named = [word.split("[")[0] for word in config.args if "::" in word]
    kept, left = [], []
    for item, tier_name in sampled(items).items():
        by_name = any(word.rpartition("/")[2] in item.nodeid for word in named)
        (kept if by_name or TIERS.index(tier_name or "check") <= wanted else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    items[:] = sorted(kept, key=lambda item: not item.get_closest_marker("waits"))
    TALLY.left_out = len(left)


def is_whole(config, terminal):
    """Whether a tier was run whole: no test was selected by name, by mark or by file, and all ran to the end."""
    option = config.option
    folder = Path(__file__).resolve().parent
    all_of_it = all(Path(word).resolve() == folder for word in config.args)
    return (
        all_of_it
        and not option.keyword
        and not option.markexpr
        and not option.maxfail
        and not terminal.stats.get("error")
    )


def report(terminal, config):
    """The slowest tests, the sums of the modules, and the processes against the budget. Returns whether a budget is
    exceeded."""
    tests = TALLY.tests
    name, total, whole = config.getoption("--tier"), TALLY.total(), is_whole(config, terminal)
    modules: "dict[str, list]" = {}
    for nodeid, wall, seconds, processes in tests:
        row = modules.setdefault(nodeid.split("::")[0], [0, 0.0, 0.0, 0])
        row[:] = row[0] + 1, row[1] + wall, row[2] + seconds, row[3] + processes
    if len(modules) > 1 or config.getoption("--costs"):
        most = len(modules) if config.getoption("--costs") else SLOWEST
        terminal.section("slowest tests: wall clock, processor seconds, processes")
        for nodeid, wall, seconds, processes in sorted(tests, key=lambda test: -test[1])[:SLOWEST]:
            terminal.write_line("%7.1f s %7.1f s %6d  %s" % (wall, seconds, processes, nodeid))
        terminal.section("modules: tests, wall clock, processor seconds, processes")
        for module, row in sorted(modules.items(), key=lambda module: -module[1][2])[:most]:
            terminal.write_line("%6d %7.1f s %7.1f s %6d  %s" % (*row, module))
        terminal.write_line(
            "tests started %d processes, and %d for %d cached builds"
            % (TALLY.processes, total - TALLY.processes, len(TALLY.shared))
        )
    if TALLY.left_out:
        terminal.write_line(
            "tier %s: %d tests of later tiers are left out (--tier=all runs them)" % (name, TALLY.left_out)
        )
    if not whole or name not in BUDGETS or total <= BUDGETS[name]:
        return False
    terminal.write_line(
        "ERROR: tier %s started %d processes, its budget is %d (tests/tiers.py). Which module grew? --costs lists them all."
        % (name, total, BUDGETS[name])
    )
    return True
