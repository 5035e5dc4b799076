"""`cilkc elide`: golden texts in tests/elide, and every sample's elision as a C compiler sees it."""

import pytest

from conftest import CILKC, ROOT, Notes, command, compiled, files, need


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


@pytest.mark.parametrize("compiler", COMPILERS, ids=["gcc", "clang"])
@pytest.mark.parametrize("path", files("samples/*.cilk"))
def test_standalone_compiles_without_cilkc(path, compiler, tmp_path):
    """Nothing of ours is on the include path, and nothing is worth a warning."""
    need(compiler[0])
    text = tmp_path / "elision.c"
    compiled([CILKC, "elide", "--standalone", path, "-o", text])
    result = compiled(compiler + ["-c", text, "-o", tmp_path / "elision.o"])
    assert "warning:" not in result.err, str(result)


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
    for kept in ("/* a comment with spawn in it */", "#include <stdio.h>", "#define TWICE(x)   ((x)  * 2)   // spaced   as written",
                 "twice( int n )  { return TWICE(n); }", "int x;\t/* tab */", "twice( 21 );", '"spawn %d\\n"'):
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
