"""`cilkc elide`: golden texts in tests/elide, and every sample's elision as a C compiler sees it."""

import pytest

from conftest import CILKC, ROOT, Notes, command, compiled, files, need

pytestmark = pytest.mark.tier("check")


@pytest.mark.parametrize("path", files("tests/elide/*.cilk", "tests/elide/*.c.in"))
def test_golden(path, cilkc, rewrite):
    notes = Notes(path)
    result = cilkc("elide", *notes.flags, path)
    assert result.status == 0, str(result)
    golden = path.with_suffix(".expected.c")
    if rewrite:
        golden.write_text(result.out)
    assert result.out == golden.read_text(), "the elision differs from %s\n%s" % (golden.name, result)


COMPILERS = [["gcc", "-std=gnu17", "-Wall"], ["clang-19", "-std=gnu17", "-Wall"]]


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("compiler", COMPILERS, ids=["gcc", "clang"])
@pytest.mark.parametrize("path", files("samples/*.cilk"))
def test_standalone_compiles_without_cilkc(path, compiler, tmp_path):
    """Nothing of ours is on the include path, and nothing is worth a warning."""
    need(compiler[0])
    text = tmp_path / "elision.c"
    compiled([CILKC, "elide", "--standalone", path, "-o", text])
    result = compiled(compiler + ["-c", text, "-o", tmp_path / "elision.o"])
    assert "warning:" not in result.err, str(result)


def test_standalone_has_the_headers_of_the_library(tmp_path):
    """Those that an elision needs beside cilk.h are in the text."""
    (tmp_path / "p.cilk").write_text("""
#include <stdio.h>
#include <cilk-start.h>
#include <cilk-blocking.h>
#include <cilk-malloc.h>
#include <cilk-remote.h>
cilk int twice(int n) { return 2 * n; }
cilk int main(void)
{
    int r = 0, *p = malloc(sizeof *p);
    Cilk_computation *c = Cilk_start(twice, 21);
    Cilk_blocking { *p = Cilk_wait(c, &r); }
    printf("%d %d\\n", r, *p);
    free(p);
    return 0;
}
""")
    text, program = tmp_path / "elision.c", tmp_path / "program"
    compiled([CILKC, "elide", "--standalone", tmp_path / "p.cilk", "-o", text])
    result = compiled(["gcc", "-std=gnu17", "-Wall", text, "-o", program])
    assert "warning:" not in result.err and "#include <cilk" not in text.read_text(), str(result)
    assert command([program]).out == "42 1\n"


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", files("samples/*.cilk"))
def test_compiles_with_our_headers(path, tmp_path):
    text = tmp_path / "elision.c"
    compiled([CILKC, "elide", path, "-o", text])
    compiled(["gcc", "-std=gnu17", "-Wall", "-I", ROOT / "stdlib", "-include", ROOT / "stdlib" / "cilk.h",
              "-c", text, "-o", tmp_path / "elision.o"])


def test_keeps_the_users_text(cilkc, tmp_path):
    source = tmp_path / "p.cilk"
    source.write_text("""\
/* a comment with spawn in it */
#include <stdio.h>
#define TWICE(x)   ((x)  * 2)   // spaced   as written
cilk int   twice( int n )  { return TWICE(n); }

cilk int main(void)
{
    int x;\t/* tab */
    x = spawn twice( 21 );
    sync;
    printf("spawn %d\\n", x);
    return 0;
}
""")
    result = cilkc("elide", source)
    assert result.status == 0, str(result)
    for kept in ("/* a comment with spawn in it */", "#include <stdio.h>",
                 "#define TWICE(x)   ((x)  * 2)   // spaced   as written", "twice( int n )  { return TWICE(n); }",
                 "int x;\t/* tab */", "twice( 21 );", '"spawn %d\\n"'):
        assert kept in result.out, str(result)
    assert "cilk int" not in result.out and "= spawn" not in result.out and "sync;" not in result.out


def test_output_file_is_absent_after_an_error(cilkc, tmp_path):
    (tmp_path / "bad.cilk").write_text("cilk int main(void) { return spawn f(); }\n")
    result = cilkc("elide", "bad.cilk", "-o", "out.c")
    assert result.status == 1 and result.err and not (tmp_path / "out.c").exists(), str(result)


def test_of_elision_is_itself(tmp_path):
    """Eliding plain C changes nothing."""
    source = ROOT / "samples" / "fib.cilk"
    once, twice = tmp_path / "once.c", tmp_path / "twice.c"
    compiled([CILKC, "elide", "--standalone", source, "-o", once])
    result = command([CILKC, "elide", "--standalone", once, "-o", twice])
    assert result.status == 0 and once.read_text() == twice.read_text(), str(result)


def test_macros_that_see_the_edits(cilkc, tmp_path):
    """A string or a word that a macro makes would be another one in the elision: refused at the invocation, also where
    one macro passes it to another."""
    (tmp_path / "p.cilk").write_text("""\
#define STR_(x) #x
#define STR(x) STR_(x)
#define SHOW(a, ...) STR(__VA_ARGS__)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define PAR spawn
#define WAIT CAT(sy, nc)
#define CHECK(x) ((x) ? 0 : puts(#x))
#if 0
cilk void dead(void) { CAT(sy, nc); }
#endif
int puts(const char *);
cilk int f(int n) { return n; }
cilk int main(void)
{
    int x, xsync = 0, nc = 0;
    x = PAR f(1);
    CAT(sy, nc);
    WAIT;
    puts(STR_(spawn f));
    puts(SHOW(1, sync; 2));
    puts(STR(PAR));
    puts(STR(x + "spawn") STR_(xsync) STR_(CAT(sy, nc)));
    CAT(xsy, nc) = CAT_(n, c);
    CHECK(SYNCHED);
    sync;
    return x - 1 + xsync;
}
""")
    result = cilkc("elide", "p.cilk")
    found = [
        (int(line.split(":")[1]), line.rsplit("[", 1)[1][:-1]) for line in result.err.splitlines() if " error: " in line
    ]
    assert result.status == 1 and found == [
        (18, "elide-paste"),
        (19, "elide-paste"),
        (20, "elide-string"),
        (21, "elide-string"),
        (22, "elide-string"),
        (25, "elide-string"),
    ], str(result)


def test_types_that_cilk_h_gives(cilkc, tmp_path):
    """size_t, ptrdiff_t and ssize_t are there without a header, as in MIT Cilk; the elision includes the header that
    has them."""
    (tmp_path / "p.cilk").write_text(
        "cilk size_t f(ssize_t n) { ptrdiff_t d = n; return (size_t)d; }\n"
        "cilk int main(void) { size_t x; x = spawn f(-1); sync; return x != (size_t)-1 || sizeof(ssize_t) != sizeof(size_t); }\n"
    )
    (tmp_path / "q.cilk").write_text(
        "#include <stddef.h>\n#include <sys/types.h>\n" + (tmp_path / "p.cilk").read_text()
    )
    for name in ("p", "q"):
        assert cilkc("-Wall", "-Wextra", "-std=c99", "-pedantic", name + ".cilk", "-o", name).err == ""
        assert command([tmp_path / name, "--nproc", "2"]).status == 0
        for words in ((), ("--standalone",)):
            compiled([CILKC, "elide", *words, tmp_path / (name + ".cilk"), "-o", tmp_path / "e.c"])
            compiled(
                ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", ROOT / "stdlib", "e.c", "-o",
                 "e"],
                cwd=tmp_path,
            )
            assert command([tmp_path / "e"]).status == 0


REDUCERS = """\
#include <stdio.h>
%s
cilk void count(int n) { if (n == 0) sum += 1; else { spawn count(n - 1); spawn count(n - 1); sync; } }
cilk int main(void) { spawn count(5); sync; printf("%%ld\\n", sum); return 0; }
"""
OF_A_WORD = """\
static void zero(void *v) { *(long *)v = 0; }
static void add(void *l, void *r) { *(long *)l += *(long *)r; }
long cilk_reducer(zero, add) sum = 5;"""
OF_A_HEADER = "#include <cilk/reducer_opadd.h>\ncilk_opadd_reducer(long) sum = 5;"


@pytest.mark.tier("test")
@pytest.mark.parametrize("reducer", [OF_A_WORD, OF_A_WORD.replace("cilk_reducer", "_Hyperobject"), OF_A_HEADER], ids=["word", "old word", "header"])
def test_reducers_of_procedures(reducer, tmp_path):
    """A reducer without another word of OpenCilk becomes a variable."""
    source, text, program = (tmp_path / name for name in ("p.cilk", "p.c", "p"))
    source.write_text(REDUCERS % reducer)
    compiled([CILKC, "elide", source, "-o", text])
    compiled(["gcc", "-std=gnu17", "-w", text, "-o", program])
    assert command([program]).out == "37\n"
