"""The runtime's protocols one step at a time: scenarios in which a test plays the workers (tests/rt/steps), in the
plain and the checked build."""

import functools
import re

import pytest

import built
from conftest import BUILD, ROOT, RT_INCLUDES, command, runtime_sources
from tiers import chosen, tier

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "rt" / "steps"
FLAVOURS = ("release", "debug")
# stage.h has functions of its own before these
WRAPPED = ("cilk_spin_wait", "cilk_heavy_fence", "cilk_now_ns", "nanosleep", "syscall")
CHOSEN = "main.c", "pedigree.c"                             # the linker chooses them for programs made by the compiler
# The text of each scenario, up to the next one.
TEXTS = {
    (path.stem, part.partition(")")[0]): part
    for path in sorted(HERE.glob("*.c"))
    for part in re.split(r"^SCENARIO\(", path.read_text(), flags=re.M)[1:]
}
SCENARIOS = list(TEXTS)
assert SCENARIOS


@functools.lru_cache(maxsize=None)
def objects(flavour):
    """The objects of the runtime: in the library they are one already, and nothing can be put between them."""
    return [
        BUILD / "rt" / flavour / (str(path.relative_to(ROOT / "rt")) + ".o")
        for path in runtime_sources(".c")
        if path.parent.name != "dist" and path.name not in CHOSEN
    ]


@functools.lru_cache(maxsize=None)
def program(name, flavour):
    """The path of that executable."""
    source = HERE / (name + ".c")
    words = [
        "-std=gnu17",
        "-g",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wno-unused-function",
        *RT_INCLUDES,
        "-pthread",
    ]
    words += ["-DSTRIDE=13", "-DCILK_DEBUG=1"] if flavour == "debug" else []
    words += [source] + objects(flavour) + ["-lm"] + ["-Wl,--wrap=" + wrapped for wrapped in WRAPPED]

    def make(folder):
        done = command(["cc"] + words + ["-o", folder / "program"])
        assert done.status == 0 and done.err == "", str(done)

    return (
        built.kept(words + [built.digest_of(*(path.read_bytes() for path in objects(flavour)))], [source], make)
        / "program"
    )


def comes_first(file, name, flavour):
    """A sweep is played in the checked build, which tries one instruction in 13. The build of another scenario is
    chosen by a hash of its name."""
    return flavour == ("debug" if "sweep" in TEXTS[file, name] else chosen(name, FLAVOURS))


# Sweeps of seconds; others of these files are in the first tier.
LONG = "an_abort_while_the_deliverer_stops_the_parent", "released_frames_come_when_a_worker_goes_to_sleep"


def played():
    """Each scenario in each build, with its tier."""
    for file, name in SCENARIOS:
        for flavour in FLAVOURS:
            first = "test" if name in LONG else "check"
            yield pytest.param(file, name, flavour, marks=tier(first if comes_first(file, name, flavour) else "all"))


@pytest.mark.sample(3, "test", 2)
@pytest.mark.parametrize("file,name,flavour", list(played()))
def test_scenario(file, name, flavour):
    result = command([program(file, flavour), name], timeout=400)    # stage.h has limits of its own
    assert result.status == 0 and result.err == "", str(result)


@pytest.mark.parametrize("file", sorted({file for file, _ in SCENARIOS}))
def test_every_scenario_is_played(file):
    listed = command([program(file, "release")]).out.split()
    assert sorted(listed) == sorted(name for where, name in SCENARIOS if where == file)
