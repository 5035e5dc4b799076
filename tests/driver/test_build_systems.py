"""cilkc under other build systems (CMake, Meson, cargo, the autotools), as CC and for .cilk sources; libraries for
callers in other languages."""

import os
import shutil
import sys

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, need

pytestmark = pytest.mark.tier("test")

INTEROP = ROOT / "samples" / "interop"

PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(both C CXX)
find_package(cilkc 1.0 REQUIRED)
cilk_add_library(queens SHARED queens.cilk)
cilk_add_library(archive STATIC queens.cilk)
add_executable(c main.c)
target_link_libraries(c queens)
add_executable(cxx main.cpp)
target_link_libraries(cxx archive)
add_library(plain queens.cilk)
add_executable(linked main.c)
target_link_libraries(linked plain cilkc::cilkc)
add_executable(mixed mixed.cilk helper.c)
target_compile_definitions(mixed PRIVATE "GREETING=good day")
"""


def ok(*words, **keywords):
    result = command(list(words), timeout=300, **keywords)
    assert result.status == 0, str(result)
    return result.out


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_cmake_knows_cilk_as_a_language(generator, tmp_path):
    """C and C++ call it, definitions with blanks arrive, and a header that has changed is compiled into what includes
    it, and into nothing else."""
    need("cmake", "ninja")
    for name in ("queens.cilk", "main.c", "main.cpp"):
        shutil.copy(INTEROP / name, tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "odd name.h").write_text("#define ADDED 1\n")
    (tmp_path / "helper.c").write_text("int helper(int n) { return n + 1; }\n")
    (tmp_path / "mixed.cilk").write_text(
        '#include <stdio.h>\n#include "odd name.h"\n#define TEXT(x) TEXT_(x)\n#define TEXT_(x) #x\nint helper(int);\n'
        'cilk int main(void) { printf("%s %d\\n", TEXT(GREETING), helper(ADDED)); return 0; }\n'
    )
    build = tmp_path / "b"
    modules = ok(CILKC, "--print-cmake-dir").strip()
    ok("cmake", "-S", tmp_path, "-B", build, "-G", generator, "-Dcilkc_DIR=%s" % modules, "-DCMAKE_BUILD_TYPE=Release")
    ok("cmake", "--build", build)
    assert ok(build / "linked", env={"CILK_NPROC": "2"}) == "92\n"
    assert (ok(build / "c"), ok(build / "cxx"), ok(build / "mixed", "--nproc", "2")) == ("92\n", "92\n", "good day 2\n")
    (tmp_path / "odd name.h").write_text("#define ADDED 2\n")
    again = ok("cmake", "--build", build)
    assert "mixed.cilk" in again and "queens.cilk" not in again, again
    assert ok(build / "mixed") == "good day 3\n"


def exported(library):
    return {line.split()[-1] for line in ok("nm", "-D", "--defined-only", library).splitlines()}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_library_with_a_runtime_of_its_own_exports_its_interface_alone(strategy, tmp_path):
    """Two of them in one process of Python, whose workers know nothing of each other. A Cilk program cannot link to it
    by mistake."""
    for name in ("one", "two"):
        ok(CILKC, "-O2", "--spawn=" + strategy, "-fPIC", "-shared", "--own-runtime", INTEROP / "queens.cilk", "-o",
           tmp_path / ("lib%s.so" % name))
    assert exported(tmp_path / "libone.so") == {"queens", "mt_solve"}
    assert ok(sys.executable, INTEROP / "main.py", tmp_path / "libone.so") == "92\n"
    code = "import ctypes, sys\nprint([ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL).queens(6) for name in sys.argv[1:]])"
    assert (
        ok(sys.executable, "-c", code, tmp_path / "libone.so", tmp_path / "libtwo.so", env={"CILK_NPROC": "2"})
        == "[4, 4]\n"
    )
    (tmp_path / "spawns.cilk").write_text(
        "extern cilk long solve(int n);\ncilk int main(void) { long r; r = spawn solve(6); sync; return r != 4; }\n"
    )
    linked = command(
        [CILKC, "--spawn=" + strategy, tmp_path / "spawns.cilk", tmp_path / "libone.so", "-o", tmp_path / "spawns"]
    )
    assert linked.status == 1 and "solve" in linked.err, str(linked)
    result = command([CILKC, "--own-runtime", INTEROP / "queens.cilk"], cwd=tmp_path)
    assert result.status == 2 and "-shared" in result.err, str(result)


def test_a_second_runtime_in_the_words_of_a_link_is_none(tmp_path):
    """pkg-config's words with CC=cilkc, before a library, for which the runtime is linked early."""
    ok(CILKC, "-O2", "-c", INTEROP / "queens.cilk", "-o", tmp_path / "queens.o")
    runtime = ok(CILKC, "--print-runtime-dir").strip()
    for words in (["-L" + runtime, "-lcilkrt"], [runtime + "/libcilkrt.a"]):
        ok(CILKC, INTEROP / "main.c", tmp_path / "queens.o", *words, "-lm", "-o", tmp_path / "program")
        assert ok(tmp_path / "program", env={"CILK_NPROC": "2"}) == "92\n"


@pytest.mark.parametrize("cc", ["gcc", CILKC])
def test_meson_builds_the_sample(cc, tmp_path):
    """As gcc it is recognised: Meson then knows the flags. Both executables call Cilk."""
    need("meson", "ninja")
    env = {"CC": cc, "PATH": os.path.dirname(CILKC) + ":" + os.environ["PATH"]}
    said = ok("meson", "setup", tmp_path / "b", INTEROP, env=env)
    assert "gcc" in [line for line in said.splitlines() if line.startswith("C compiler")][0]
    ok("ninja", "-C", tmp_path / "b", env=env)
    assert ok(tmp_path / "b" / "c") == ok(tmp_path / "b" / "cpp") == "92\n"


def test_cargo_builds_the_sample(tmp_path):
    need("cargo")
    shutil.copytree(INTEROP, tmp_path / "interop")
    env = {"CILKC": CILKC, "CARGO_TARGET_DIR": str(tmp_path / "target")}
    assert ok("cargo", "run", "--offline", "-q", cwd=tmp_path / "interop" / "rust", env=env) == "92\n"


CONFIGURE = """
AC_INIT([plain], [1.0])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_CHECK_HEADERS([sys/mman.h nosuch.h])
AC_CHECK_FUNCS([pthread_create nosuchfunction])
AC_CHECK_SIZEOF([long])
AC_C_BIGENDIAN
AC_C_RESTRICT
AC_SEARCH_LIBS([cos], [m])
AC_CONFIG_FILES([Makefile])
AC_CONFIG_HEADERS([config.h])
AC_OUTPUT
"""
AUTOMAKE = """
lib_LTLIBRARIES = libplain.la
libplain_la_SOURCES = plain.c
libplain_la_LDFLAGS = -version-info 3:2:1 -no-undefined -export-symbols-regex '^plain'
bin_PROGRAMS = program
program_SOURCES = main.c
program_LDADD = libplain.la
"""


@pytest.mark.tier("all")
def test_the_autotools_find_out_the_same_as_of_gcc(tmp_path):
    """configure's answers, a library with a version by libtool, its symbols."""
    need("autoreconf", "automake", "libtoolize")
    (tmp_path / "configure.ac").write_text(CONFIGURE)
    (tmp_path / "Makefile.am").write_text(AUTOMAKE)
    (tmp_path / "plain.c").write_text(
        "int plain(void); int other(void) { return 2; } int plain(void) { return other(); }\n"
    )
    (tmp_path / "main.c").write_text(
        "#include <config.h>\nint plain(void);\nint main(void) { return plain() + SIZEOF_LONG; }\n"
    )
    ok("autoreconf", "-fi", cwd=tmp_path)
    found = []
    for cc in ("gcc", CILKC):
        folder = tmp_path / os.path.basename(cc)
        folder.mkdir()
        ok("../configure", "-q", cwd=folder, env={"CC": cc})
        ok("make", "-s", "install", "DESTDIR=%s" % (folder / "d"), cwd=folder, env={"MAKEFLAGS": ""})
        assert command([folder / "program"]).status == 10
        assert exported(folder / ".libs" / "libplain.so") == {"plain"}
        found.append((
            (folder / "config.h").read_text(),
            sorted(str(path.relative_to(folder)) for path in (folder / "d").rglob("*")),
        ))
    assert found[0] == found[1]
