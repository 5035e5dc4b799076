"""Schedulers alone, on vprocs that a test plays (tests/rt/policies): their clocks are numbers, so each share is exact.
NAME.c is about rt/extensions/sched/NAME.c."""

import re

import pytest

from conftest import BUILD, ROOT, command

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "rt" / "policies"
FLAVOURS = ("release", "debug")
PLAYS = [
    (path.stem, name)
    for path in sorted(HERE.glob("*.c"))
    for name in re.findall(r"^TEST\((\w+)\)", path.read_text(), re.M)
]
assert PLAYS


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, flavour) is the path of that executable, linked once, with the object of the scheduler and nothing
    else of the runtime."""
    made = {}
    folder = tmp_path_factory.mktemp("policies")

    def make(name, flavour):
        key = name, flavour
        if key not in made:
            out = folder / (name + "-" + flavour)
            done = command(
                [
                    "cc",
                    "-std=gnu17",
                    "-g",
                    "-O1",
                    "-Wall",
                    "-Wextra",
                    "-Wno-unused-parameter",
                    "-Wno-unused-function",
                    "-I%s" % (ROOT / "stdlib"),
                    HERE / (name + ".c"),
                    BUILD / "rt" / flavour / "extensions" / "sched" / (name + ".c.o"),
                    "-o",
                    out,
                ]
            )
            assert done.status == 0 and done.err == "", str(done)
            made[key] = out
        return made[key]

    return make


@pytest.mark.parametrize("file,name,flavour", [(file, name, flavour) for file, name in PLAYS for flavour in FLAVOURS])
def test_policy(program, file, name, flavour):
    result = command([program(file, flavour), name], timeout=300)
    assert result.status == 0 and result.err == "", str(result)


@pytest.mark.parametrize("file", sorted({file for file, _ in PLAYS}))
def test_every_test_is_played(program, file):
    listed = command([program(file, "release")]).out.split()
    assert sorted(listed) == sorted(name for where, name in PLAYS if where == file)
