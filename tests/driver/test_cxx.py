"""<cilk/par.hpp>: C++17 on Cilk's workers, compiled by g++ and clang++; and what it says when nothing is parallel."""

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, need

pytestmark = pytest.mark.tier("test")

SOURCE = ROOT / "tests" / "driver" / "par.cpp"
PAR = ROOT / "stdlib" / "cilk" / "par.cilk"


def ok(*words, **keywords):
    result = command(list(words), timeout=300, **keywords)
    assert result.status == 0, str(result)
    return result.out


@pytest.fixture(scope="module")
def flags():
    return [ok(CILKC, "--print-" + what).split() for what in ("cflags", "libs")]


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_function_gives_what_the_standard_library_gives(compiler, strategy, flags, tmp_path):
    if compiler != "g++":
        need(compiler)
    ok(CILKC, "-O2", "--spawn=" + strategy, "-c", PAR, "-o", tmp_path / "par.o")
    ok(compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *flags[0], SOURCE, tmp_path / "par.o", "-o",
       tmp_path / "par", *flags[1])
    for workers in ("1", "2", "4"):
        assert ok(tmp_path / "par", env={"CILK_NPROC": workers}) == "all right\n"


def test_without_the_runtime_it_is_serial(flags, tmp_path):
    ok("g++", "-std=c++17", "-DCILK_PAR_SERIAL", *flags[0], SOURCE, "-o", tmp_path / "serial", "-pthread")
    assert ok(tmp_path / "serial") == "all right\n"


def test_its_pieces_run_in_parallel(flags, tmp_path):
    """Two children that wait for each other end on two workers: each sees the other run."""
    (tmp_path / "two.cpp").write_text(
        "#include <cilk/par.hpp>\n#include <cstdio>\nint main() {\n  std::atomic<int> here{0};\n"
        "  auto meet = [&] { here++; while (here < 2) std::this_thread::yield(); };\n"
        '  cilk::context two(2);\n  cilk::par_do(two, meet, meet);\n  std::puts("met");\n}\n'
    )
    ok(CILKC, "-O2", "-c", PAR, "-o", tmp_path / "par.o")
    ok(CILKC, "-std=c++17", "-O2", tmp_path / "two.cpp", tmp_path / "par.o", "-o", tmp_path / "two")
    assert ok(tmp_path / "two") == "met\n"
