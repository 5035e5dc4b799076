"""The runtime's core alone: rt/core compiles with its own headers only, calls nothing of the extensions, and runs programs
of Cilk-5."""

import re
import shutil
import subprocess

import pytest

from conftest import BUILD, CILKC, ROOT, RT_WINGS, STRATEGIES, TESTS, built, command, compiled, elision_of
from tiers import chosen
from tree import STRING, code

pytestmark = pytest.mark.tier("check")

RT_CORE = RT_WINGS[0]
FLAGS = ["-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-pthread"]
# The release build has these tags; the linker takes crash.c and main.c of an archive, as of libcilkrt.a.
TAGS = command(["sh", ROOT / "rt/core/abi_tags.sh", "rows", "release"]).out.split()
SAMPLES = {
    "fib": ["20"],
    "nqueens": ["8"],
    "cilksort": ["20000"],
    "heat": ["64", "20"],
    "knapsack": ["20"],
    "queens": ["8"],
}
# What a program has, or what its objects say of how they were compiled.
PROGRAMS = {"cilk_main_root", "Cilk_each_rank", "cilk_units_build"}


def compile_core(source, folder):
    """All files of a core in that folder, into objects; the headers of stdlib are the programs', too."""
    words = ["gcc", *FLAGS, "-I", source, "-I", ROOT / "stdlib", "-c", *sorted(source.glob("*/*.c"))]
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=600)


def missing(objects):
    """What these objects want of the runtime, and do not have."""
    has, wants = set(), set()
    for line in command(["nm", *objects]).out.splitlines():
        found = re.search(r" ?([A-Zw]) ((?:cilk|Cilk)\w*)$", line)
        if found:
            (wants if found[1] in "Uw" else has).add(found[2])
    return wants - has - PROGRAMS


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """The archive of the core, and its objects."""
    folder = tmp_path_factory.mktemp("core")
    done = compile_core(RT_CORE, folder)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    objects = sorted(folder.glob("*.o"))
    tags = []
    for tag in TAGS:
        group, _, value = tag.partition("_")
        tags.append(folder / (tag + ".tag"))
        compiled(["gcc", *FLAGS, "-DCILK_GROUP=" + group, "-DCILK_VALUE=" + value, "-I", RT_CORE,
                  "-c", RT_CORE / "abi_tags.c", "-o", tags[-1]])
    command(["ar", "crs", folder / "libcore.a", *objects, *tags])
    return folder / "libcore.a", objects


def test_the_core_calls_nothing_outside(core):
    _, objects = core
    assert len(objects) > 50
    assert missing(objects) == set()


@pytest.mark.parametrize("flavour", ["release", "debug", "trace", "asan", "tsan"])
def test_no_flavour_of_the_core_calls_anything_outside(flavour):
    objects = sorted((BUILD / "rt" / flavour / "core").glob("*/*.o"))
    assert len(objects) > 50 and missing(objects) == set()


def test_the_core_includes_itself_alone():
    """Whatever is defined."""
    found = [
        (path, name)
        for path in RT_CORE.rglob("*.[ch]")
        for name in re.findall(r'^\s*#\s*include "(.*)"', path.read_text(), re.M)
    ]
    assert len(found) > 200
    assert [(path, name) for path, name in found if not (RT_CORE / name).exists() and not (path.parent / name).exists()] == []


@pytest.fixture(scope="module")
def program(core, tmp_path_factory):
    """A program that is linked with the core alone."""
    made = {}

    def make(path, strategy):
        if (path, strategy) not in made:
            out = tmp_path_factory.mktemp("program") / "program"
            object = built([CILKC, "-O2", "-w", "--spawn=" + strategy, "-c", path])
            compiled(["gcc", "-x", "none", object, core[0], "-pthread", "-lm", "-o", out])
            made[path, strategy] = out
        return made[path, strategy]

    return make


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_run_on_the_core(program, name, strategy):
    path = ROOT / "samples" / (name + ".cilk")
    expected = command([elision_of(path), *SAMPLES[name]])
    for workers in ("1", "4"), ("2", "4 --force-steal always"):
        words = chosen(name + strategy, workers).split()
        result = command([program(path, strategy), "--nproc", *words, *SAMPLES[name]])
        assert result.status == 0 and result.out == expected.out, str(result)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", ["abort-nested", "abort-in-inlet", "inlet-recursive-minimax", "abort-spares-relatives"])
def test_inlets_and_aborts_run_on_the_core(program, name, strategy):
    path = TESTS / "run" / (name + ".cilk")
    expected = command([elision_of(path)])
    for workers in ("1", "4"):
        result = command([program(path, strategy), "--nproc", workers])
        assert result.status == expected.status and result.out == expected.out, str(result)


def test_a_program_says_that_its_runtime_is_the_core(program):
    """An option of an extension is refused, not ignored."""
    result = command([program(ROOT / "samples/fib.cilk", "eager"), "--sched=replay:1", "10"])
    assert result.status == 1 and "without --sched=replay" in result.err, str(result)
    result = command([program(ROOT / "samples/fib.cilk", "eager"), "--sched=gang", "10"])
    assert result.status != 0 and "there is no scheduler 'gang'" in result.err, str(result)


@pytest.mark.parametrize("line, what", [
    ('#include "nest/nest.h"\n', "include"),
    ("struct cilk_seat;\nvoid cilk_seat_awake(cilk_worker *w, struct cilk_seat *s);\n"
     "void core_calls(cilk_worker *w) { cilk_seat_awake(w, 0); }\n", "call"),
], ids=["include", "call"])
def test_what_crosses_the_border_is_found(tmp_path, line, what):
    changed = tmp_path / "core"
    shutil.copytree(RT_CORE, changed)
    for path in changed.glob("*/*.c"):
        if path.name != "steal.c":
            path.unlink()
    (changed / "steal" / "steal.c").write_text((RT_CORE / "steal/steal.c").read_text() + "\n" + line)
    done = compile_core(changed, tmp_path)
    if what == "include":
        assert done.returncode != 0 and "nest/nest.h: No such file" in done.stderr
    else:
        assert done.returncode == 0 and "cilk_seat_awake" in missing([tmp_path / "steal.o"]), done.stderr


# Words of the core's code that are about an extension, by room: slots that it calls, and fields that it tests. They may
# only become fewer.
WORDS = re.compile(r"\b\w*(?:nest(?!ed)|seat(?!ing)|engine|ticker|travel|cilk1|replay)\w*\b")
WORDS_LEFT = {
    "arch": 0, "base": 41, "fibers": 74, "observe": 0, "process": 26, "protocol": 16, "schedule": 63, "steal": 7
}


def test_the_core_names_extensions_less_and_less():
    found = {
        room: sum(len(WORDS.findall(re.sub(STRING, "", code(path)))) for path in (RT_CORE / room).glob("*.[ch]"))
        for room in WORDS_LEFT
    }
    assert found == WORDS_LEFT, "lower the numbers, or take the new words out"
