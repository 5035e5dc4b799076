"""--sched=pct finds errors that the runtime once had, put back by hand (tests/old_bugs), and the command that it prints
repeats them (docs/trust.md)."""

import re
import shlex
import tomllib

import pytest

from conftest import CILKC, TESTS, command, compiled, module_of

pytestmark = pytest.mark.tier("check")

HERE = TESTS / "old_bugs"
RUN, PLACES = (module_of(TESTS / "mutants" / name) for name in ("run.py", "places.py"))
BUGS = {row["id"]: row for row in tomllib.loads((HERE / "bugs.toml").read_text())["bug"]}
MOST = 10000                                                # schedules for each
WORKERS, DEPTH, STEPS = 3, 3, 600                           # steps: of accesses to what workers share


def put_back(tree, edits):
    for edit in edits:
        path = tree.root / edit["file"]
        text = path.read_text()
        begin, end = PLACES.Source(path, text).find(None, edit["old"])
        path.write_text(text[:begin] + edit["new"] + text[end:])
    tree.make()


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """build(bug or None, program, strategy) is the program with that runtime."""
    trees: dict = {}
    folder = tmp_path_factory.mktemp("pct")

    def make(bug, name, strategy):
        if bug and bug not in trees:
            trees[bug] = RUN.Tree(["debug"])
            put_back(trees[bug], BUGS[bug]["edit"])
        out = folder / "-".join((str(bug), name, strategy))
        compiled([CILKC, "build", "-O0", "-cilk-debug", "--spawn=" + strategy, HERE / (name + ".cilk"), "-o", out],
                 env={"CILKC_BUILD": str(trees[bug].build)} if bug else {})
        return out

    return make


def run(program, seed):
    return command([program, "--sched=pct:%d:%d:%d:%d" % (seed, WORKERS, DEPTH, STEPS)], timeout=300)


def test_each_has_its_program():
    assert sorted(BUGS) == sorted(path.stem for path in HERE.glob("*.cilk"))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name,strategy", [(name, strategy) for name, row in BUGS.items() for strategy in row["strategies"]])
def test_old_bugs_are_found_and_repeated(build, name, strategy):
    program, sound = build(name, name, strategy), build(None, name, strategy)
    for seed in range(1, MOST + 1):
        failed = run(program, seed)
        if failed.status:
            break
    assert failed.status == -6, "not found in %d schedules\n%s" % (MOST, failed)
    print("%s, %s: found by schedule %d" % (name, strategy, seed))
    lines = re.findall(r"^to repeat this run: (.*)$", failed.err, re.M)
    assert len(lines) == 1, str(failed)
    for _ in range(3):
        again = command(shlex.split(lines[0]))
        assert (again.status, again.out, again.err) == (failed.status, failed.out, failed.err), str(again)
    for seed in range(1, 20):                               # the program has no objection to the runtime as it is
        assert run(sound, seed).status == 0
