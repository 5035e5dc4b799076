"""<cilk/par.hpp>: C++17 on Cilk's workers, compiled by g++ and clang++; what it says when nothing is parallel; and
programs written for oneTBB and for Parlaylib on it."""

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, need

pytestmark = pytest.mark.tier("test")

SOURCE = ROOT / "tests" / "driver" / "par.cpp"
SHIMS = ROOT / "stdlib" / "shims"
# What Parlaylib's header of this name declares, and how it includes the plug-in of a scheduler.
PARLAY = """#pragma once
#include <cstddef>
namespace parlay {
inline std::size_t num_workers();
inline std::size_t worker_id();
template <typename F>
inline void parallel_for(std::size_t start, std::size_t end, F &&f, long granularity = 0, bool conservative = false);
template <typename L, typename R> inline void par_do(L &&left, R &&right, bool conservative = false);
}
#if defined(PARLAY_OPENCILK)
#include "opencilk.h"
#else
#error a scheduler of its own
#endif
"""
PLUGIN = """#ifndef PARLAY_INTERNAL_SCHEDULER_PLUGINS_OPENCILK_H_
#error included twice
#endif
"""
PAR = ROOT / "stdlib" / "cilk" / "par.cilk"


def ok(*words, **keywords):
    result = command(list(words), timeout=300, **keywords)
    assert result.status == 0, str(result)
    return result.out


@pytest.fixture(scope="module")
def flags():
    return [ok(CILKC, "--print-" + what).split() for what in ("cflags", "libs")]


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    """par.o by strategy."""
    folder = tmp_path_factory.mktemp("par")
    for strategy in STRATEGIES:
        ok(CILKC, "-O2", "--spawn=" + strategy, "-c", PAR, "-o", folder / (strategy + ".o"))
    return {strategy: folder / (strategy + ".o") for strategy in STRATEGIES}


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_function_gives_what_the_standard_library_gives(compiler, strategy, flags, objects, tmp_path):
    if compiler != "g++":
        need(compiler)
    ok(compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *flags[0], SOURCE, objects[strategy], "-o",
       tmp_path / "par", *flags[1])
    for workers in ("1", "2", "4"):
        assert ok(tmp_path / "par", env={"CILK_NPROC": workers}) == "all right\n"


def test_without_the_runtime_it_is_serial(flags, tmp_path):
    ok("g++", "-std=c++17", "-DCILK_PAR_SERIAL", *flags[0], SOURCE, "-o", tmp_path / "serial", "-pthread")
    assert ok(tmp_path / "serial") == "all right\n"


def test_its_pieces_run_in_parallel(objects, tmp_path):
    """Two children that wait for each other end on two workers: each sees the other run."""
    (tmp_path / "two.cpp").write_text(
        "#include <cilk/par.hpp>\n#include <cstdio>\nint main() {\n  std::atomic<int> here{0};\n"
        "  auto meet = [&] { here++; while (here < 2) std::this_thread::yield(); };\n"
        '  cilk::context two(2);\n  cilk::par_do(two, meet, meet);\n  std::puts("met");\n}\n'
    )
    ok(CILKC, "-std=c++17", "-O2", tmp_path / "two.cpp", objects["eager"], "-o", tmp_path / "two")
    assert ok(tmp_path / "two") == "met\n"


@pytest.mark.parametrize("name", ["tbb", pytest.param("parlay", marks=pytest.mark.tier("all"))])
def test_programs_of_other_libraries_run_on_the_workers(name, flags, objects, tmp_path):
    """Also with the schedules that an adversary chooses: in none of them do 1,000 nested waits deadlock."""
    (tmp_path / "parlay").mkdir()
    (tmp_path / "parlay" / "parallel.h").write_text(PARLAY)
    (tmp_path / "parlay" / "opencilk.h").write_text(PLUGIN)
    ok("g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I", SHIMS, "-I", tmp_path, *flags[0],
       SOURCE.with_name(name + ".cpp"), objects["lazy"], "-o", tmp_path / "program", *flags[1])
    for options in ("--nproc 1", "--nproc 4", "--nproc 2 --sched=pct:1", "--nproc 3 --sched=pct:2"):
        assert ok(tmp_path / "program", env={"CILK_OPTIONS": options}) == "all right\n", options
    wrong = command([tmp_path / "program"], env={"CILK_OPTIONS": "--no-such-option"})
    assert wrong.status != 0 and "--no-such-option" in wrong.err
