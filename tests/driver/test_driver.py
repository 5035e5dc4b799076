"""The compiler driver's command line: gcc's shape, files made, exit status, and no leftovers."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import shlex

from conftest import BUILD, CILKC, ROOT, command, ok

pytestmark = pytest.mark.tier("check")

HELLO = '#include <stdio.h>\nint main(void) { printf("hello\\n"); return 0; }\n'
FIB = ROOT / "samples" / "fib.cilk"


@pytest.fixture
def here(tmp_path):
    (tmp_path / "hello.c").write_text(HELLO)
    (tmp_path / "three.h").write_text("#define THREE 3\n")
    (tmp_path / "three.c").write_text('#include "three.h"\nint three(void) { return THREE; }\n')
    (tmp_path / "main.c").write_text("int three(void);\nint main(void) { return three() == 3 ? 0 : 1; }\n")
    (tmp_path / "bad.c").write_text("int main(void) { return undeclared; }\n")
    return tmp_path


def names(folder):
    return sorted(p.name for p in folder.iterdir())


# ---- what is made, under which name
def test_link_makes_a_out(cilkc, here):
    ok(cilkc("hello.c"))
    assert command([here / "a.out"]).out == "hello\n"


def test_compile_only(cilkc, here):
    ok(cilkc("-c", "hello.c", "three.c"))
    assert {"hello.o", "three.o"} <= set(names(here)) and "a.out" not in names(here)


def test_trigraphs_in_a_gnu_standard(cilkc, here):
    (here / "tri.c").write_text("int main(void) ??< return 0; ??>\n")
    ok(cilkc("-std=gnu17", "-trigraphs", "-Werror", "-c", "tri.c"))


def test_output_name_joined_to_o(cilkc, here):
    ok(cilkc("-ohello", "hello.c"))
    assert command([here / "hello"]).out == "hello\n"


def test_objects_and_sources_mix(cilkc, here):
    ok(cilkc("-c", "three.c"))
    ok(cilkc("main.c", "three.o", "-o", "prog"))
    assert command([here / "prog"]).status == 0


def test_objects_of_cxx_bring_their_library(cilkc, here):
    """As CMake links with CXX=cilkc: objects alone, some in an archive. A C program gets no library of C++."""
    (here / "say.cc").write_text(
        "#include <iostream>\n#include <string>\nvoid say(int n) { std::cout << std::to_string(n) << std::endl; }\n"
    )
    (here / "main.cc").write_text(
        '#include <cilk.h>\nextern "C" int EXPORT(fib)(CilkContext *const, int);\nvoid say(int);\n'
        "int main(int argc, char **argv) { CilkContext *c = Cilk_init(&argc, argv); say(EXPORT(fib)(c, 10)); Cilk_terminate(c); }\n"
    )
    (here / "fib.cilk").write_text(
        "cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }\n"
    )
    ok(command(["g++", "-c", "say.cc"], cwd=here))
    ok(cilkc("-c", "main.cc", "fib.cilk"))
    ok(cilkc("main.o", "fib.o", "say.o", "-o", "prog"))
    assert command([here / "prog"]).out == "55\n"
    ok(command(["ar", "crs", "libsay.a", "say.o"], cwd=here))
    ok(cilkc("main.o", "fib.o", "libsay.a", "-o", "prog"))
    assert command([here / "prog"]).out == "55\n"
    ok(cilkc("hello.c", "-o", "hello"))
    assert "stdc++" not in command(["readelf", "-d", here / "hello"]).out
    # Without a compiler of C++ the linker says what is missing.
    assert "std::" in cilkc("say.o", "main.o", "fib.o", "-o", "p2", env={"CILKC_CXX": "/nowhere/g++"}).err


def test_clang_as_the_system_compiler(cilkc, here):
    """Headers take cilkc for the GNU C compiler that it is, whichever preprocessor reads them; and clang's declarations
    of _FloatN are not errors."""
    (here / "h.c").write_text(
        "#include <complex.h>\n#include <float.h>\n#include <inttypes.h>\n#include <limits.h>\n#include <math.h>\n#include <setjmp.h>\n"
        "#include <stdarg.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "#include <pthread.h>\n#include <unistd.h>\n"
        "#ifdef __clang__\n#error clang\n#endif\n_Float64 f = 2;\n"
        'int main(void) { printf("%d.%d %g %d\\n", __GNUC__, __GNUC_MINOR__, sqrt(f), FLT_DIG); return isnan(NAN) ? 0 : 1; }\n'
    )
    env = {"CILKC_CC": "clang-19", "CILKC_CXX": "clang++-19"}
    ok(cilkc("h.c", "-lm", "-o", "h", env=env))
    known = command([BUILD / "cilkc1", "--print=predefined"]).out.split()
    version = [
        next(word.split("=")[1] for word in known if word.startswith("__GNUC_%s" % name)) for name in ("_=", "MINOR__=")
    ]
    assert command([here / "h"]).out == "%s.%s 1.41421 6\n" % tuple(version)
    (here / "old.i").write_text(
        '# 1 "old.h" 1 3\ntypedef float _Float32;\ntypedef double _Float32x;\ntypedef long double _Float64x;\n# 1 "old.c" 2\n'
        "_Float32 f; int main(void) { return sizeof f - 4 + sizeof(_Float64x) - 16; }\n"
    )
    result = ok(cilkc("old.i", "-o", "old", env=env))
    assert result.err == "" and command([here / "old"]).status == 0
    for sample in ("fib", "nqueens", "mergesort", "locks"):
        result = ok(cilkc("-O1", "-Wall", ROOT / "samples" / (sample + ".cilk"), "-o", sample, env=env))
        assert result.err == "", str(result)
    assert "6765" in command([here / "fib", "--nproc", "2", "20"]).out
    (here / "say.cc").write_text("#include <iostream>\nint main() { std::cout << 1 << std::endl; }\n")
    ok(cilkc("say.cc", "-o", "say", env=env))


def test_objects_of_gcc_mix(cilkc, here):
    ok(command(["gcc", "-c", "three.c"], cwd=here))
    ok(cilkc("main.c", "three.o", "-o", "prog"))
    assert command([here / "prog"]).status == 0
    ok(cilkc("-c", "three.c"))
    ok(command(["gcc", "main.c", "three.o", "-o", "prog2"], cwd=here))
    assert command([here / "prog2"]).status == 0


def test_archive_and_library_path(cilkc, here):
    ok(cilkc("-c", "three.c"))
    ok(command(["ar", "rcs", "libthree.a", "three.o"], cwd=here))
    ok(cilkc("main.c", "-L.", "-lthree", "-o", "prog"))
    ok(cilkc("main.c", "-L", ".", "-l", "three", "-o", "prog2"))
    assert command([here / "prog"]).status == command([here / "prog2"]).status == 0


def test_shared_library(cilkc, here):
    ok(cilkc("-shared", "-fPIC", "three.c", "-o", "libthree.so"))
    ok(cilkc("main.c", "-L.", "-lthree", "-Wl,-rpath," + str(here), "-o", "prog"))
    assert command([here / "prog"]).status == 0


@pytest.mark.parametrize("flags", [["-static"], ["-no-pie", "-fno-pie"], ["-pie", "-fPIE"], ["-rdynamic"], ["-pthread"],
                                   ["-s"], ["-O2", "-flto"], ["-Wl,--gc-sections", "-ffunction-sections"],
                                   ["-Xlinker", "--gc-sections"], ["-fuse-ld=bfd"]])
def test_link_flags(flags, cilkc, here):
    ok(cilkc(*flags, "hello.c", "-o", "prog"))
    assert command([here / "prog"]).out == "hello\n"


def test_assembly(cilkc, here):
    ok(cilkc("-S", "three.c"))
    assert "three" in (here / "three.s").read_text()
    ok(cilkc("main.c", "three.s", "-o", "prog"))
    assert command([here / "prog"]).status == 0
    assert "three" in ok(cilkc("-S", "three.c", "-o", "-")).out


def test_assembly_with_cpp(cilkc, here):
    (here / "x.S").write_text('#include "three.h"\n.globl answer\n.data\nanswer: .long THREE\n'
                              '.section .note.GNU-stack,"",@progbits\n')
    (here / "m.c").write_text("extern int answer; int main(void) { return answer - 3; }\n")
    ok(cilkc("m.c", "x.S", "-o", "prog"))
    assert command([here / "prog"]).status == 0


def test_cxx_goes_to_the_system(cilkc, here):
    (here / "s.cc").write_text('#include <string>\nextern "C" int three(void);\n'
                               "int main() { std::string s(three(), 'x'); return s.size() - 3; }\n")
    ok(cilkc("s.cc", "three.c", "-o", "prog"))
    assert command([here / "prog"]).status == 0


def test_cxx_program_calls_cilk(cilkc, here):
    """A C++ file finds <cilk.h> by itself, and its exceptions pass beside the workers."""
    (here / "twice.cilk").write_text(
        "cilk int twice(int n) { return 2 * n; }\n"
        "cilk int sum(int n) { int x, y; if (n < 2) return n; x = spawn sum(n - 1); y = spawn twice(n); sync;\n"
        "return x + y; }\n"
    )
    (here / "main.cc").write_text("""\
#include <cilk.h>
#include <cstdio>
#include <stdexcept>
#include <thread>
extern "C" int EXPORT(sum)(CilkContext *const, int);
int main(int argc, char *argv[])
{
    CilkContext *context = Cilk_init(&argc, argv);
    int sums[2] = { 0, 0 };
    std::thread other([&] { sums[1] = EXPORT(sum)(context, 5); });
    sums[0] = EXPORT(sum)(context, 4);
    other.join();
    try { throw std::runtime_error("caught"); } catch (std::exception &e) { std::printf("%s %d %d\\n", e.what(), sums[0], sums[1]); }
    Cilk_terminate(context);
}
""")
    result = cilkc("main.cc", "twice.cilk", "-o", "p")
    assert result.status == 0 and result.err == "", str(result)
    result = command([here / "p", "--nproc", "2"])
    assert (result.status, result.out) == (0, "caught 19 29\n"), str(result)


def test_preprocess(cilkc, here):
    out = ok(cilkc("-E", "three.c")).out
    assert "return 3;" in out
    ok(cilkc("-E", "three.c", "-o", "three.i"))
    assert "return 3;" in (here / "three.i").read_text()
    ok(cilkc("-c", "three.i", "-o", "from-i.o"))
    assert "THREE 3" in ok(cilkc("-E", "-dM", "three.c")).out
    assert "# 1" not in ok(cilkc("-E", "-P", "three.c")).out


def test_standard_input(cilkc, here):
    assert "42" in ok(cilkc("-E", "-", stdin=b"#define X 42\nint x = X;\n")).out
    ok(cilkc("-x", "c", "-c", "-", "-o", "in.o", stdin=b"int x = 1;\n"))
    assert (here / "in.o").exists()
    result = cilkc("-c", "-", stdin=b"int x;\n")
    assert result.status == 2 and "-x" in result.err
    result = cilkc("-x", "c", "-fsyntax-only", "-", stdin=b"int x = ;\n")
    assert result.status == 1 and "<stdin>:1:" in result.err, str(result)


def test_the_language_that_is_given_holds_after_an_include(cilkc, here):
    """-x beats the name of the file, and text after a header is still the file's."""
    (here / "x.h").write_text("int g;\n")
    (here / "named.c").write_text(
        '#include "x.h"\ncilk int f(int n) { return n; }\ncilk int main(void) { int x; x = spawn f(3); sync; return x - 3; }\n'
    )
    ok(cilkc("-x", "cilk", "named.c", "-o", "prog"))
    assert command([here / "prog"]).status == 0


def test_language_option(cilkc, here):
    (here / "three.txt").write_text("int three(void) { return 3; }\n")
    ok(cilkc("main.c", "-x", "c", "three.txt", "-x", "none", "-o", "prog"))
    assert command([here / "prog"]).status == 0


def test_include_options(cilkc, here):
    (here / "inc").mkdir()
    (here / "inc" / "v.h").write_text("#define V 7\n")
    (here / "v.c").write_text("#include <v.h>\nint main(void) { return V + W - 9; }\n")
    (here / "w.h").write_text("#define W 2\n")
    for flag in ("-Iinc", "-isysteminc", "-idirafterinc"):
        ok(cilkc(flag, "-include", "w.h", "v.c", "-o", "prog"))
        assert command([here / "prog"]).status == 0
    ok(cilkc("-I", "inc", "-DW=2", "v.c", "-o", "prog"))
    ok(cilkc("-I", "inc", "-D", "W=3", "-UW", "-D", "W=2", "v.c", "-o", "prog"))
    assert command([here / "prog"]).status == 0
    assert cilkc("v.c", "-o", "none").status == 1


def test_response_file(cilkc, here):
    (here / "words").write_text("-o 'my prog' \\\n  hello.c -DX=\"a b\"\n")
    ok(cilkc("@words"))
    assert command([here / "my prog"]).out == "hello\n"


@pytest.mark.parametrize("flags", [["-MMD"], ["-MD"], ["-MMD", "-MP"], ["-Wp,-MMD,three.d"], ["-MMD", "-MF", "three.d"]])
def test_dependencies_beside_the_object(flags, cilkc, here):
    ok(cilkc(*flags, "-c", "three.c"))
    text = (here / "three.d").read_text()
    assert text.startswith("three.o:") and "three.h" in text, text


def test_dependency_names_follow_the_output(cilkc, here):
    (here / "obj").mkdir()
    ok(cilkc("-MMD", "-c", "three.c", "-o", "obj/x.o"))
    assert (here / "obj" / "x.d").read_text().startswith("obj/x.o:")
    ok(cilkc("-MMD", "-MT", "a b", "-MF", "y.d", "-c", "three.c"))
    assert (here / "y.d").read_text().startswith("a b:")
    assert ok(cilkc("-MM", "three.c")).out.startswith("three.o: three.c three.h")
    assert ok(cilkc("-M", "-MG", "three.c")).out.startswith("three.o:")


# Names and targets of the files of dependencies.
DEPENDENCIES = ("-S -MD hello.c", "-S -MMD hello.c -o sub/x.s", "-E -MD hello.c -o x.i", "-M -MD hello.c -o x.i",
                "-MD hello.c", "-MMD hello.c -o sub/x.y", "-MD three.c main.c", "-c -Wp,-MD,sub/w.d hello.c -o sub/x.o",
                "-c -MD three.h", "-c -MD three.h -o sub/x.gch", "-fsyntax-only -MD hello.c",
                "-fsyntax-only -MMD hello.c -MF sub/y.d")


@pytest.mark.parametrize("words", DEPENDENCIES)
def test_files_of_dependencies_are_gccs(words, here):
    made = []
    for compiler in ("gcc", CILKC):
        folder = here / ("by-" + os.path.basename(compiler))
        (folder / "sub").mkdir(parents=True)
        for name in ("hello.c", "three.c", "three.h", "main.c"):
            shutil.copy(here / name, folder)
        ok(command([compiler, *words.split()], cwd=folder))
        made.append({str(path.relative_to(folder)): path.read_text().split()[:2] for path in folder.glob("**/*.d")})
        assert not list(folder.glob("**/.*"))
    assert made[0] and made[0] == made[1]


def test_dependencies_of_a_program_of_several_files_have_it_as_their_target(cilkc, here):
    """gcc writes all of them to one file: the last one remains."""
    ok(cilkc("-MMD", "three.c", "main.c", "-o", "prog"))
    assert (here / "prog-three.d").read_text().split() == ["prog:", "three.c", "three.h"]


@pytest.mark.parametrize("words", [["-MF", "x.d"], ["-MT", "x"], ["-MQ", "x"], ["-MP"], ["-MG"]], ids=" ".join)
def test_words_about_dependencies_that_nothing_asks_for(words, cilkc, here):
    for mode in (["-c"], ["-E"], []):
        done = cilkc(*mode, *words, "three.c", "main.c")
        assert (done.status, done.out) == (2, "") and "'%s' without '-M'" % words[0] in done.err, str(done)
    ok(cilkc("-c", "three.c", "main.c"))
    ok(cilkc(*words, "three.o", "main.o", "-o", "prog"))       # as with gcc: nothing is preprocessed
    assert cilkc("-MD", "-MF", "", "-c", "three.c").status == 2


def test_a_header_among_the_files_of_a_program_is_not_linked(cilkc, here):
    ok(cilkc("three.h", "three.c", "main.c", "-o", "prog"))
    assert command([here / "prog"]).status == 0
    ok(cilkc("-x", "c-header", "three.h"))
    assert "three.h.gch" in names(here) and "a.out" not in names(here)
    (here / "p.hpp").write_text("int p;\n")
    ok(cilkc("p.hpp"))
    ok(cilkc("-c", "three.h", "p.hpp"))
    assert "p.hpp.gch" in names(here) and "p.o" not in names(here)


def test_cilk_dependencies(cilkc, here):
    (here / "p.cilk").write_text('#include "three.h"\ncilk int main(void) { return THREE; }\n')
    ok(cilkc("-MMD", "-c", "p.cilk"))
    assert "three.h" in (here / "p.d").read_text()


def test_save_temps(cilkc, here):
    ok(cilkc("-save-temps", "-c", "three.c"))
    assert {"three.i", "three.s", "three.o"} <= set(names(here))


@pytest.mark.parametrize("how", ["-save-temps", "-save-temps=obj"])
def test_save_temps_beside_the_output(how, cilkc, here):
    """Files of one name in several folders don't overwrite each other's."""
    (here / "sub").mkdir()
    ok(cilkc(how, "-c", "three.c", "-o", "sub/other.o"))
    assert names(here / "sub") == ["other.i", "other.o", "other.s"] and "three.i" not in names(here)
    ok(cilkc(how, "hello.c", "-o", "sub/prog"))
    assert {"hello.i", "hello.s", "hello.o", "prog"} <= set(names(here / "sub"))
    ok(cilkc("-save-temps=cwd", "-c", "three.c", "-o", "sub/other.o"))
    assert "three.i" in names(here)


@pytest.mark.parametrize("word", ["-save-temps=bogus", "--save-temps=", "-save-temps=cwdx"])
def test_save_temps_wants_a_place(word, cilkc, here):
    made = cilkc(word, "-c", "three.c")
    assert made.status == 2 and "-save-temps" in made.err, str(made)
    assert "three.o" not in names(here)


@pytest.fixture
def delayed(here):
    """The environment with a preprocessor that keeps the job of one.c, or one/a.c, waiting: so of several jobs it ends
    last."""
    script = here / "slow-cc"
    script.write_text("""#!/bin/sh
for word; do case $word in
    *one/a.c | *one.c) gcc "$@"; status=$?; sleep 1; exit $status;;
esac; done
exec gcc "$@"
""")
    script.chmod(0o755)
    return {"CILKC_CC": str(script)}


def test_save_temps_of_two_files_of_one_name(cilkc, here, delayed):
    """Each is compiled from its own text, and what is kept is that of the last, whichever is done first."""
    for folder, text in (
        ("one", "int one(void) { return 1; }\n"),
        ("two", "int one(void);\nint main(void) { return one() - 1; }\n"),
    ):
        (here / folder).mkdir()
        (here / folder / "a.c").write_text(text)
    (here / "s").mkdir()
    ok(cilkc("-save-temps", "--jobs=2", "one/a.c", "two/a.c", "-o", "s/prog", env=delayed))
    assert command([here / "s" / "prog"]).status == 0
    assert names(here / "s") == ["a.i", "a.o", "a.s", "prog"]
    assert "main" in (here / "s" / "a.i").read_text() and "main" in (here / "s" / "a.s").read_text()
    assert b"main" in (here / "s" / "a.o").read_bytes()
    assert not [n for n in names(here) if "cilkc-" in n]


def test_results_of_one_name_are_the_last_ones(cilkc, here, delayed):
    for folder in ("one", "two"):
        (here / folder).mkdir()
        (here / folder / "a.c").write_text("int from_%s;\n" % folder)
    ok(cilkc("--jobs=2", "-c", "one/a.c", "two/a.c", env=delayed))
    assert b"from_two" in (here / "a.o").read_bytes()


def test_dependencies_on_stdout_keep_the_order_of_the_files(cilkc, here, delayed):
    for name in ("one", "p", "q"):
        (here / (name + ".c")).write_text("int %s;\n" % name)
    made = ok(cilkc("--jobs=2", "-MMD", "-MF", "-", "-c", "one.c", "p.c", "q.c", env=delayed))
    assert made.out == "one.o: one.c\np.o: p.c\nq.o: q.c\n", str(made)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_dependencies_on_stdout(name, cilkc, here):
    """-MF -: the caller reads them, and no file of that name is made."""
    done = cilkc("-MD", "-MF", name, "-c", "three.c")
    ok(done)
    expected = subprocess.run(
        ["gcc", "-MD", "-MF", "-", "-c", "three.c"], cwd=here, stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    assert done.out == expected and "three.o:" in done.out
    assert "-" not in names(here)


@pytest.mark.parametrize("stage", ["-S", "-E"])
def test_output_to_a_pipe_by_the_name_of_stdout(stage, cilkc, here):
    assert ok(cilkc(stage, "three.c", "-o", "/dev/stdout")).out == ok(cilkc(stage, "three.c", "-o", "-")).out


def test_output_to_device(cilkc, here):
    ok(cilkc("-c", "three.c", "-o", "/dev/null"))
    ok(cilkc("hello.c", "-o", "/dev/null"))
    ok(cilkc("-x", "c", "-c", "/dev/null", "-o", "/dev/null"))
    for ask in ("-Wa,-v", "-Wa,--version"):  # how build scripts find out which assembler it is
        asked = cilkc(ask, "-c", "-x", "assembler", "/dev/null", "-o", "/dev/null")
        ok(asked)
        assert "assembler" in asked.out + asked.err
    assert os.path.exists("/dev/null") and not os.path.isfile("/dev/null")


def test_many_files_in_parallel(cilkc, here):
    for i in range(12):
        (here / ("f%d.c" % i)).write_text("int f%d(void) { return %d; }\n" % (i, i))
    ok(cilkc("-c", *["f%d.c" % i for i in range(12)]))
    assert all((here / ("f%d.o" % i)).exists() for i in range(12))


def test_messages_keep_the_order_of_the_files(cilkc, here):
    for i in range(6):
        (here / ("e%d.c" % i)).write_text("int e%d(void) { return undeclared%d; }\n" % (i, i))
    result = cilkc("-c", *["e%d.c" % i for i in range(6)])
    places = [result.err.find("undeclared%d" % i) for i in range(6)]
    assert result.status == 1 and -1 not in places and places == sorted(places), str(result)


# ---- questions that configure scripts ask
def test_version(cilkc):
    assert ok(cilkc("--version")).out.startswith("cilkc ")
    assert ok(cilkc("-dumpmachine")).out.strip()
    assert ok(cilkc("-dumpversion")).out.strip()
    assert ok(cilkc("-print-prog-name=ld")).out.strip()
    assert ok(cilkc("-print-search-dirs")).out.strip()
    assert "cilkc" in ok(cilkc("-v")).err
    said = ok(command(["gcc", "--version"])).out
    assert said.splitlines()[0] in ok(cilkc("--version")).out  # meson knows by it whose options we take


def test_questions_to_the_linker(cilkc, here):
    """Words for the linker count as inputs: build systems ask it for its version."""
    asked = ok(cilkc("-Wl,--version"))
    assert "ld" in asked.out
    assert "ld" in ok(cilkc("-Xlinker", "--version")).out
    ok(cilkc("-c", "-lm"))
    assert "undefined reference" in cilkc("-lm").err or "no main" in cilkc("-lm").err


@pytest.mark.parametrize("words", (["-specs", "my.specs"], ["-specs=my.specs"], ["--specs=my.specs"]))
def test_specs(words, cilkc, here):
    """A specs file, as wrappers for other C libraries give it, reaches preprocessing and linking."""
    (here / "my.specs").write_text(
        "%rename cpp_options old_cpp_options\n\n*cpp_options:\n-DFROM_SPECS=7 %(old_cpp_options)\n\n"
    )
    (here / "spec.c").write_text("int main(void) { return FROM_SPECS - 7; }\n")
    ok(cilkc("spec.c", *words, "-o", "spec"))
    ok(command([here / "spec"]))


def test_dry_run_makes_nothing(cilkc, here):
    result = ok(cilkc("-###", "hello.c", "-o", "prog"))
    assert "cilkc1" in result.err and not (here / "prog").exists()


def test_verbose(cilkc, here):
    assert "cilkc1" in ok(cilkc("-v", "hello.c", "-o", "prog")).err


def test_switches_of_build_systems(cilkc, here):
    ok(cilkc("-fno-semantic-interposition", "-fstack-protector-strong", "-fno-strict-aliasing", "-fvisibility=hidden",
             "-pipe", "-Wno-such-warning", "-fstack-clash-protection", "-D_FORTIFY_SOURCE=2", "-O2", "-g",
             "-grecord-gcc-switches", "--param", "ssp-buffer-size=4", "-Wa,--noexecstack", "-c", "hello.c"))


@pytest.mark.parametrize("word", ["-Wsuch-warning", "-Werror=such-warning", "-gdwarf-9", "-gbogus", "-flto=bogus", "-fsuch-switch", "-msuch-switch", "-std=c98"])
def test_what_gcc_refuses_is_refused(word, cilkc, here):
    """Configure scripts try options: a wrong one that passed would end up in the flags of a project."""
    result = cilkc(word, "-c", "hello.c")
    assert result.status != 0 and "unrecognized" in result.err and not (here / "hello.o").exists(), str(result)


def test_predefined_macros(cilkc, here):
    (here / "m.cilk").write_text(
        "#if !defined __CILK__ || !defined __CILK2C__ || !defined __REENTRANT\n#error no\n#endif\n"
    )
    ok(cilkc("-fsyntax-only", "m.cilk"))
    (here / "m.c").write_text(
        "#if defined __CILK__ || !defined __GNUC__ || !defined __x86_64__ && !defined __aarch64__\n"
        "#error no\n#endif\nint x;\n"
    )
    ok(cilkc("-fsyntax-only", "m.c"))


def test_other_c_compiler(cilkc, here):
    (here / "asm.c").write_text("#ifdef __cilkc__\n#error ours\n#endif\nint three(void) { return 3; }\n")
    ok(cilkc("--cc=gcc", "-O2", "main.c", "asm.c", "-o", "prog"))
    assert command([here / "prog"]).status == 0


# ---- what goes wrong
@pytest.mark.parametrize("name", ["nofile.c", "nofile.cilk", "nofile.o"])
def test_missing_file(name, cilkc, here):
    result = cilkc(name)
    assert result.status == 1 and "%s: No such file or directory" % name in result.err, str(result)


def test_a_missing_file_does_not_stop_the_others(cilkc, here):
    result = cilkc("-c", "nofile.c", "three.c")
    assert result.status == 1 and (here / "three.o").exists()


def test_folder_as_input(cilkc, here):
    (here / "folder").mkdir()
    (here / "folder.c").mkdir()
    for name in ("folder", "folder.c"):
        result = cilkc("build", name)
        assert result.status == 1 and "Is a directory" in result.err, str(result)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(cilkc, here):
    (here / "three.c").chmod(0)
    result = cilkc("-c", "three.c")
    assert result.status == 1 and "Permission denied" in result.err, str(result)


def test_no_input(cilkc, here):
    result = cilkc("-O2")
    assert result.status == 2 and "no input files" in result.err, str(result)


@pytest.mark.parametrize("words", [["-o"], ["hello.c", "-o", ""], ["-x", "klingon", "hello.c"], ["-qwhat", "hello.c"], ["-O17x", "hello.c"],
                                   ["-std=c3000", "hello.c"], ["--spawn=later", "hello.c"], ["-I"],
                                   ["--target=pdp11", "hello.c"], ["-m32", "hello.c"], ["-fexec-charset=ISO-8859-1", "hello.c"], ["-fwide-exec-charset=UTF-16", "hello.c"],
                                   ["--color=blue", "hello.c"],
                                   ["-fsanitize=nonsense", "hello.c"], ["-c", "hello.c", "three.c", "-o", "x.o"]])
def test_wrong_usage(words, cilkc, here):
    result = cilkc(*words)
    assert result.status == 2 and result.err.startswith("cilkc: ") and "Traceback" not in result.err, str(result)


def test_errors_leave_no_output(cilkc, here):
    before = names(here)
    for words in (["-c", "bad.c"], ["bad.c", "-o", "prog"], ["-S", "bad.c"], ["bad.c", "hello.c"],
                  ["-MMD", "-c", "bad.c"], ["-c", "bad.c", "-o", "out.o"]):
        result = cilkc(*words)
        assert result.status == 1 and "bad.c:1:25: error:" in result.err, str(result)
        assert names(here) == before, words


def test_missing_header(cilkc, here):
    (here / "h.c").write_text('#include "nowhere.h"\nint x;\n')
    before = names(here)
    result = cilkc("-c", "h.c")
    assert result.status == 1 and "h.c:1:10: fatal error: nowhere.h" in result.err, str(result)
    assert result.err.count("error:") == 1 and names(here) == before, str(result)


def test_undefined_symbol(cilkc, here):
    result = cilkc("main.c", "-o", "prog")
    assert result.status == 1 and "undefined reference to `three'" in result.err and not (here / "prog").exists()


def test_output_folder_does_not_exist(cilkc, here):
    result = cilkc("hello.c", "-o", "nowhere/prog")
    assert result.status == 1 and "nowhere/prog" in result.err, str(result)
    result = cilkc("-c", "hello.c", "-o", "nowhere/prog.o")
    assert result.status == 1 and "nowhere/prog.o" in result.err, str(result)


def test_output_is_input(cilkc, here):
    result = cilkc("-c", "hello.c", "-o", "hello.c")
    assert result.status == 1 and (here / "hello.c").read_text() == HELLO, str(result)


def test_old_output_survives_an_error(cilkc, here):
    (here / "prog").write_text("old")
    assert cilkc("bad.c", "-o", "prog").status == 1
    assert (here / "prog").read_text() == "old"


@pytest.mark.parametrize("text", [b"", b"\0\1\2\377" * 100, b"\x7fELF" + bytes(range(256)) * 20, b"x" * 10_000_000,
                                  b"int x = " + b"(" * 100_000 + b"1" + b")" * 100_000 + b";",
                                  b"\xef\xbb\xbfint x;\n", b"int x;\r\nint y;\r\n", b"/* never closed", b'char *s = "never closed;\n'],
                         ids=["empty", "garbage", "elf", "10-MB-line", "deep", "bom", "crlf", "comment", "string"])
def test_hostile_input(text, cilkc, here):
    (here / "h.cilk").write_bytes(text)
    before = names(here)
    result = cilkc("-c", "h.cilk")
    assert result.status in (0, 1) and "internal error" not in result.err, str(result)[:3000]
    assert result.status == 0 or (result.err and names(here) == before), str(result)[:3000]


def test_temporary_files_go(cilkc, here):
    (here / "tmp").mkdir()
    env = {"TMPDIR": str(here / "tmp")}
    for words in (["hello.c", "-o", "p"], ["bad.c"], ["-E", "hello.c"], ["main.c"]):
        cilkc(*words, env=env)
    assert names(here / "tmp") == []


def those_in(folder):
    """Processes with that working directory."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if os.readlink(path) == str(folder):
                found.append(path.parent.name)
    return found


def test_termination_removes_temporary_files(here):
    """SIGTERM in the middle of two compilations, one of which waits for its text; soon and later after its beginning. No
    process is left, and no file."""
    os.mkfifo(here / "slow.c")
    (here / "tmp").mkdir()
    for after in range(0, 30, 3):
        process = subprocess.Popen([CILKC, "hello.c", "slow.c", "-o", "p"], cwd=here, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, TMPDIR=str(here / "tmp")))
        until = time.monotonic() + 100
        while not names(here / "tmp") and time.monotonic() < until:
            time.sleep(0.001)
        assert names(here / "tmp") and process.poll() is None
        time.sleep(after / 1000)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=300)
        assert names(here / "tmp") == [] and "p" not in names(here)
        assert those_in(here) == []


def test_the_end_of_all_includes_what_they_started(here):
    """Here a program of the one that the command started, which has something to do at its signal."""
    from cilkc_driver import processes
    inner = "trap 'sleep 1; touch ended; exit' TERM; touch begun; while :; do sleep 0.01; done"
    processes.start(["sh", "-c", "cd %s && (%s) & wait" % (shlex.quote(str(here)), inner)])
    while "begun" not in names(here):
        time.sleep(0.001)
    processes.end_all()
    assert "ended" in names(here)


CALL = "signal.getsignal(signal.SIGTERM)(15, sys._getframe(%d))"
CALLBACKS = {
    "import": "open('interrupted.py', 'w').write('import signal, sys; " + CALL % 1 + "'); import interrupted",
    "fork": "exec(%r, {'__name__': 'logging', 'signal': signal, 'sys': sys})" % (CALL % 0),
    "finalizer": "type('', (), {'__del__': lambda self: " + CALL % 0 + "})()",
}


@pytest.mark.parametrize("kind", CALLBACKS)
def test_a_signal_during_a_callback_ends_the_call_after_it(kind, here):
    """The callback would drop the exception. That of an import or a fork would keep a lock of all threads, too."""
    text = "import signal, sys, time; sys.path[:0] = [%r, '.']\nfrom cilkc_driver import compile; compile.catch_signals()\n"
    text += "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n" + CALLBACKS[kind].replace("%", "%%")
    text += "\nprint('done', flush=True)\n"
    text += "signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])\ntime.sleep(100)\n"
    result = command([sys.executable, "-c", text % str(ROOT / "driver")], cwd=here)
    assert (result.status, result.out, result.err) == (143, "done\n", ""), str(result)


def test_a_signal_while_the_folder_is_made_leaves_none(here, monkeypatch):
    """The signal's exception comes between mkdir and its return."""
    from cilkc_driver import disk

    make = os.mkdir

    def interrupted(*words):
        make(*words)
        raise KeyboardInterrupt

    (here / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(here / "tmp"))
    monkeypatch.setattr(disk.os, "mkdir", interrupted)
    folder = disk.TempDir()
    with pytest.raises(KeyboardInterrupt):
        folder.file("object")
    assert names(here / "tmp") != []
    folder.clean()
    assert names(here / "tmp") == []


@pytest.mark.parametrize("words", [["-E"], ["-S", "-o", "-"], ["emit", "--stage", "tokens"], ["emit", "--stage", "ir"], ["elide"]], ids=" ".join)
def test_reader_that_has_gone(words, here):
    """Under `| head` the tool that writes ends by SIGPIPE, or says nothing: no fault of the compiler's, and nothing to
    report."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [CILKC] + words + ["hello.c"], cwd=here, stdout=writer, stderr=subprocess.PIPE, timeout=300
        )
    finally:
        os.close(writer)
    assert done.returncode == 1 and done.stderr == b""


def test_file_names_with_odd_characters(cilkc, here):
    for name in ("a b.c", "quote'.c", "-dash.c", "\u00e9t\u00e9.c", "semi;colon$x.c"):
        (here / name).write_text(HELLO)
        ok(cilkc("-o", "prog", "--", name))
        assert command([here / "prog"]).out == "hello\n"


def test_a_device_without_an_end_is_left_to_the_linker(here):
    """The command looks through objects. /dev/zero would fill its memory before the linker could refuse it."""
    result = command(["prlimit", "--as=%d" % (2 << 30), CILKC, "/dev/zero"], cwd=here)
    assert result.status == 1 and "/dev/zero: " in result.err and "memory" not in result.err, str(result)


def test_called_through_a_link(here):
    (here / "bin").mkdir()
    (here / "bin" / "cilkc").symlink_to(CILKC)
    ok(command([here / "bin" / "cilkc", "hello.c", "-o", "prog"], cwd=here))
    assert command([here / "prog"]).out == "hello\n"


def test_nothing_built_yet(cilkc, here):
    result = cilkc("hello.c", env={"CILKC_BUILD": str(here / "empty")})
    assert result.status == 1 and "make" in result.err and "Traceback" not in result.err, str(result)


def test_c_programs_take_nothing_from_the_runtime(cilkc, here):
    ok(cilkc("hello.c", "-o", "prog"))
    assert "cilk" not in command(["nm", here / "prog"]).out


# ---- Cilk programs
def test_cilk_program(cilkc, here):
    ok(cilkc("-O2", FIB, "-o", "fib"))
    result = ok(command([here / "fib", "--nproc", "2", "20"]))
    assert "6765" in result.out


def test_separate_compilation(cilkc, here):
    (here / "a.cilk").write_text("cilk int twice(int n) { return 2 * n; }\n")
    (here / "b.cilk").write_text(
        "cilk int twice(int n);\ncilk int main(void) { int x; x = spawn twice(21); sync; return x; }\n"
    )
    ok(cilkc("-c", "a.cilk"))
    ok(cilkc("-c", "b.cilk"))
    ok(cilkc("a.o", "b.o", "-o", "prog"))
    assert command([here / "prog"]).status == 42


@pytest.mark.parametrize("flags", [["-cilk-profile"], ["-cilk-span"], ["-cilk-critical-path"], ["-cilk-debug"],
                                   ["-cilk-profile", "-cilk-debug"], ["--serial"], ["-g"], ["-O3", "-march=native"]])
def test_cilk_flags(flags, cilkc, here):
    ok(cilkc("-O1", *flags, FIB, "-o", "fib"))
    assert "610" in ok(command([here / "fib", "15"])).out


def test_make_with_cc(here):
    """An ordinary makefile, with nothing said but CC=cilkc."""
    (here / "Makefile").write_text(
        "CFLAGS = -O2 -Wall -MMD\nprog: main.o three.o\n\t$(CC) $(LDFLAGS) $^ -o $@\n-include *.d\n"
    )
    ok(command(["make", "CC=" + shlex.quote(str(CILKC))], cwd=here))
    assert command([here / "prog"]).status == 0
    time.sleep(0.01)
    os.utime(here / "three.h")
    assert "three.c" in ok(command(["make", "-n", "CC=cilkc"], cwd=here)).out


def test_a_program_without_main_is_reported(tmp_path):
    for name, text in (("empty", ""), ("nomain", "int f(void) { return 1; }\n")):
        (tmp_path / (name + ".cilk")).write_text(text)
        result = command([CILKC, "build", name + ".cilk", "-o", "program"], cwd=tmp_path)
        assert result.status == 1 and "the program has no main" in result.err, str(result)
        assert not (tmp_path / "program").exists()


ZIG = """#!/bin/sh
PATH=/usr/bin:/bin
[ "$1" = cc ] && shift || exit 9
for word; do case $word in *--export-dynamic-symbol*|*--push-state*|*--as-needed*) echo "error: unsupported linker arg: $word" >&2; exit 1;; esac; done
exec clang-19 "$@"
"""


@pytest.mark.parametrize("place", ["bin/zig", "lib/python3.11/site-packages/ziglang/zig"])
def test_zig_is_the_compiler_where_no_other_is(place, tmp_path):
    """What `pip install cilkc[zig]` brings. Its own linker knows few options."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "cilkc").symlink_to(ROOT)
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(ZIG)
    path.chmod(0o755)
    shutil.copy(ROOT / "samples" / "fib.cilk", tmp_path)
    env = {"PATH": str(tmp_path / "bin"), "CILKC_CC": "", "ZIG_GLOBAL_CACHE_DIR": str(tmp_path / "cache")}
    words = [sys.executable, "-I", "-S", tmp_path / "lib" / "cilkc" / "cilkc"]
    built = command([*words, "-O2", "fib.cilk", "-lm", "-o", "fib"], cwd=tmp_path, env=env)
    assert built.status == 0 and "fib(20) = 6765" in command([tmp_path / "fib", "--nproc", "2", "20"]).out, str(built)
    assert "builds parts of the C library once" in built.err
    (tmp_path / "cache" / "o").mkdir(parents=True)
    again = command([*words, "-O2", "fib.cilk", "-lm", "-o", "fib"], cwd=tmp_path, env=env)
    assert again.status == 0 and not again.err, str(again)
    path.unlink()
    assert (
        "no C compiler found (looked for gcc, cc, clang, clang-19); install one, or Zig"
        in command([*words, "fib.cilk"], cwd=tmp_path, env=env).err
    )


def test_doctor_takes_zig_for_the_compiler(monkeypatch):
    from cilkc_driver import deps, home
    from commands import doctor
    monkeypatch.setattr(deps.shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor, "own_parts", list)
    monkeypatch.setattr(doctor, "in_tree", lambda: False)
    for zig, state in (("/z/zig", "ok"), (None, "missing")):
        monkeypatch.setattr(home, "zig", lambda zig=zig: zig)
        row = next(row for row in doctor.rows()[0] if row[1] == "C compiler")
        assert row[0] == state and row[3] == (zig or ""), row


def test_functions_of_openmp_are_distinguished(cilkc, here):
    """One message before those of the linker, which has one line for each function; with -fopenmp a warning."""
    calls = "\n".join("int f%d(void) { return omp_get_num_threads() + omp_get_thread_num(); }" % n for n in range(3))
    (here / "omp.c").write_text("#include <omp.h>\n" + calls + "\nint main(void) { return f0() + f1() + f2(); }\n")
    first, *rest = cilkc("omp.c", "-o", "omp").err.splitlines()
    assert first.startswith(
        "cilkc: error: the program calls functions of OpenMP (omp_get_num_threads, omp_get_thread_num), "
    ) and all(word in first for word in ("`cilk_for`", "`Cilk_active_size`", "`Self`", "`cilkc explain openmp`"))
    assert sum("undefined reference" in line for line in rest) == 2 and "cilkc: " not in "".join(rest)
    warned = ok(cilkc("-fopenmp", "omp.c", "-o", "omp")).err.splitlines()
    assert len(warned) == 1 and "see one thread" in warned[0] and "`cilkc explain openmp`" in warned[0]
    explained = ok(command([CILKC, "explain", "openmp"])).out
    assert "omp_get_num_threads" in explained and "Cilk_active_size" in explained


def test_versioned_symbols(cilkc, here):
    (here / "versions.c").write_text('__attribute__((symver("two@@V2"))) int two_v2(void) { return 2; }\n'
                                     '__attribute__((symver("two@V1"))) int two_v1(void) { return 1; }\n')
    (here / "versions.map").write_text("V1 { global: two; local: *; };\nV2 { global: two; } V1;\n")
    ok(cilkc("-shared", "-fPIC", "-O2", "versions.c", "-Wl,--version-script=versions.map", "-o", "versions.so"))
    names_there = ok(command(["nm", "-D", here / "versions.so"])).out
    assert "two@@V2" in names_there and "two@V1" in names_there


def test_assembly_takes_no_switches_of_other_compilers(cilkc, here):
    """cilkc1 passes over code generation switches it does not know; the assembler's driver would refuse them."""
    (here / "label.S").write_text("#ifdef __PIC__\n.globl label\nlabel:\n#endif\n")
    ok(cilkc("-c", "-fno-caret-diagnostics", "-fPIC", "label.S"))
    assert "label" in ok(command(["nm", here / "label.o"])).out


def test_programs_that_read_the_messages_see_them_all(cilkc, here):
    """The limit on errors is for people at a terminal."""
    (here / "many.c").write_text("".join("int v%d = w%d;\n" % (i, i) for i in range(300)))
    assert cilkc("-c", "many.c").err.count("error:") == 300
    assert cilkc("-c", "-fmax-errors=7", "many.c").err.count("error: 'w") == 7


def test_text_of_another_encoding_or_language(tmp_path):
    """UTF-16 is named, before the preprocessor finds a null character in every other place; a header of C++ gets a
    note."""
    for encoding in ("utf-16-le", "utf-16-be", "utf-16"):
        wide = tmp_path / (encoding + ".cilk")
        wide.write_bytes("#include <stdio.h>\ncilk int main(void) { return 0; }\n".encode(encoding))
        made = command([CILKC, "-c", wide, "-o", tmp_path / "wide.o"])
        assert made.status == 1 and made.err.count("\n") == 1 and "UTF-16" in made.err, str(made)
    source = tmp_path / "stream.cilk"
    source.write_text("#include <iostream>\ncilk int main(void) { return 0; }\n")
    made = command([CILKC, "-c", source, "-o", tmp_path / "stream.o"])
    assert made.status == 1 and "<iostream> is a header of C++, and this is C; include <stdio.h>" in made.err, str(made)
    source.write_text("#include <missing>\n")
    made = command([CILKC, "-c", source, "-o", tmp_path / "stream.o"])
    assert made.status == 1 and "C++" not in made.err, str(made)
