"""The runtime's protocols one step at a time: scenarios in which a test plays the workers (tests/rt/steps), in the plain and the checked build."""

import re

import pytest

from conftest import BUILD, ROOT, command

HERE = ROOT / "tests" / "rt" / "steps"
FLAVOURS = ("release", "debug")
WRAPPED = ("cilk_spin_wait", "cilk_heavy_fence", "cilk_now_ns", "syscall")    # stage.h has functions of its own before these
NOT_OURS = re.compile(r"(main|agree)\.c")        # what the linker chooses for a program made by the compiler
SCENARIOS = [(path.stem, name) for path in sorted(HERE.glob("*.c")) for name in re.findall(r"^SCENARIO\((\w+)\)", path.read_text(), re.M)]
assert SCENARIOS


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, flavour) is the path of that executable; each is linked once, with the objects of the
    runtime: in the library they are one already, and nothing can be put between them."""
    made = {}
    folder = tmp_path_factory.mktemp("steps")

    def make(name, flavour):
        key = name, flavour
        if key not in made:
            out = folder / (name + "-" + flavour)
            objects = [BUILD / "rt" / flavour / (str(path.relative_to(ROOT / "rt")) + ".o") for pattern in ("*.c", "sched/*.c")
                       for path in sorted((ROOT / "rt").glob(pattern)) if not NOT_OURS.fullmatch(path.name)]
            words = ["-std=gnu17", "-g", "-O1", "-Wall", "-Wextra", "-Wno-unused-function", "-I%s" % ROOT, "-I%s" % (ROOT / "rt"), "-I%s" % (ROOT / "stdlib"), "-pthread"]
            words += ["-DSTRIDE=3", "-DCILK_DEBUG=1"] if flavour == "debug" else []
            done = command(["cc"] + words + [HERE / (name + ".c")] + objects + ["-lm", "-o", out]
                           + ["-Wl,--wrap=" + wrapped for wrapped in WRAPPED])
            assert done.status == 0 and done.err == "", str(done)
            made[key] = out
        return made[key]

    return make


@pytest.mark.parametrize("file,name,flavour", [(file, name, flavour) for file, name in SCENARIOS for flavour in FLAVOURS])
def test_scenario(program, file, name, flavour):
    result = command([program(file, flavour), name], timeout=400)    # stage.h has limits of its own
    assert result.status == 0 and result.err == "", str(result)


@pytest.mark.parametrize("file", sorted({file for file, _ in SCENARIOS}))
def test_every_scenario_is_played(program, file):
    listed = command([program(file, "release")]).out.split()
    assert sorted(listed) == sorted(name for where, name in SCENARIOS if where == file)
