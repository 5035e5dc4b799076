"""cilkc under other build systems, which find it by themselves: CMake with .cilk sources."""

import shutil

import pytest

from conftest import CILKC, ROOT, command, need

pytestmark = pytest.mark.tier("test")

INTEROP = ROOT / "samples" / "interop"

PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(both C CXX)
find_package(cilkc 0.2 REQUIRED)
cilk_add_library(queens SHARED queens.cilk)
cilk_add_library(archive STATIC queens.cilk)
add_executable(c main.c)
target_link_libraries(c queens)
add_executable(cxx main.cpp)
target_link_libraries(cxx archive)
add_executable(mixed mixed.cilk helper.c)
target_compile_definitions(mixed PRIVATE "GREETING=good day")
"""


def ok(*words, **keywords):
    result = command(list(words), timeout=120, **keywords)
    assert result.status == 0, str(result)
    return result.out


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_cmake_knows_cilk_as_a_language(generator, tmp_path):
    """C and C++ call it, definitions with blanks arrive, and a header that has changed is compiled into what includes it, and into nothing else."""
    need("cmake", "ninja")
    for name in ("queens.cilk", "main.c", "main.cpp"):
        shutil.copy(INTEROP / name, tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "odd name.h").write_text("#define ADDED 1\n")
    (tmp_path / "helper.c").write_text("int helper(int n) { return n + 1; }\n")
    (tmp_path / "mixed.cilk").write_text('#include <stdio.h>\n#include "odd name.h"\n#define TEXT(x) TEXT_(x)\n#define TEXT_(x) #x\nint helper(int);\n'
                                         'cilk int main(void) { printf("%s %d\\n", TEXT(GREETING), helper(ADDED)); return 0; }\n')
    build = tmp_path / "b"
    modules = ok(CILKC, "--print-cmake-dir").strip()
    ok("cmake", "-S", tmp_path, "-B", build, "-G", generator, "-Dcilkc_DIR=%s" % modules, "-DCMAKE_BUILD_TYPE=Release")
    ok("cmake", "--build", build)
    assert (ok(build / "c"), ok(build / "cxx"), ok(build / "mixed", "--nproc", "2")) == ("92\n", "92\n", "good day 2\n")
    (tmp_path / "odd name.h").write_text("#define ADDED 2\n")
    again = ok("cmake", "--build", build)
    assert "mixed.cilk" in again and "queens.cilk" not in again, again
    assert ok(build / "mixed") == "good day 3\n"
