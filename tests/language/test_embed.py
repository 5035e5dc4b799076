"""#embed and __has_embed, which the preprocessor here may lack: bytes, parameters, places, messages, dependencies."""

import os

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("check")

PROGRAM = r"""#include <stdio.h>
#include <string.h>
#include "sub/in.h"
#define N 3
#define FILE_NAME "file.bin"
#if !defined __has_embed || __has_embed("file.bin") != __STDC_EMBED_FOUND__ || __has_embed("none") || __has_embed("empty.bin") != __STDC_EMBED_EMPTY__
#error
#endif
#if __has_embed("file.bin" limit(0)) != 2 || __has_embed(<other.bin>) != 1 || __has_embed("file.bin"  limit( 2 ) ) != 1 || __has_embed("file.bin" vendor::x(2))
#error params
#endif
#if 0
#embed "nothing"
#endif
const unsigned char all[] = {
#embed "file.bin"
};
const char text[] = {
#  embed "file.bin" limit(5) suffix(, 0) // comment
};
const unsigned char macros[] = { 9,
#embed FILE_NAME limit(N + 1 \
  * 1) prefix(1, 2,)
, 7 };
int none[] = {
#embed "empty.bin" if_empty(42, N) prefix(1,)
};
int other[] = {
#embed <other.bin> __prefix__('"', ')',)
};
static int sum(int a, int b, int c) { return a + b + c; }
int main(void) {
  int bad = sizeof all != 6 || memcmp(all, "hello\xff", 6) || strcmp(text, "hello") || sizeof macros != 8 || memcmp(macros, "\t\1\2hell\7", 8);
  bad += none[0] != 42 || none[1] != 3 || sizeof none != 8 || other[0] != '"' || other[2] != 'a' || sizeof other != 20;
  bad += sum(
#embed "dir/other.bin"
  ) != 'a' + 'b' + 'c';
  bad += sizeof in_header != 2 || in_header[1] != 'z' || __LINE__ != 38;
  return bad;
}
"""
HEADER = """#ifndef IN
#define IN
static const char in_header[] = {
#embed "beside.bin"
};
#if __has_embed("beside.bin") != 1
#error beside
#endif
#endif
"""


@pytest.fixture
def here(tmp_path):
    for name, data in (
        ("file.bin", b"hello\xff"),
        ("empty.bin", b""),
        ("dir/other.bin", b"abc"),
        ("sub/beside.bin", b"zz"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "t.c").write_text(PROGRAM)
    (tmp_path / "sub" / "in.h").write_text(HEADER)
    return tmp_path


@pytest.mark.parametrize("words", [[CILKC, "--embed-dir=dir"], [CILKC, "--embed-dir", "dir", "-save-temps"], ["clang-19", "--embed-dir=dir"]],
                         ids=["cilkc", "kept", "clang"])
def test_program(words, here):
    """The same program by clang, which knows the directive, shows that the test is right."""
    compiled([*words, "-std=c23", "t.c", "-o", "t"], cwd=here)
    assert command([here / "t"]).status == 0


def test_preprocessed_text(here):
    """-E gives text without the directive, from which the same program comes; so does every dialect."""
    for words in (["-o", "t.i"], []):
        result = command([CILKC, "-std=c23", "--embed-dir=dir", "-E", "t.c", *words], cwd=here)
        assert result.status == 0, str(result)
        if not words:
            assert result.out == (here / "t.i").read_text()
    compiled([CILKC, "-std=c23", "t.i", "-o", "t"], cwd=here)
    assert command([here / "t"]).status == 0
    (here / "p.cilk").write_text(
        '#include <stdio.h>\ncilk int main(void) {\n  static const char c[] = {\n#embed "file.bin" limit(5)\n  , 0};\n  puts(c);\n  return 0;\n}\n'
    )
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=here)
    assert command([here / "p"]).out == "hello\n"


def test_dependencies(here):
    compiled([CILKC, "-std=c23", "--embed-dir=dir", "-MMD", "-MP", "-MT", "x y.o", "-c", "t.c", "-o", "t.o"], cwd=here)
    rule, _, empty = (here / "t.d").read_text().replace("\\\n", "").partition("\n")
    target, _, names = rule.partition(": ")
    assert target == "x y.o"
    assert names.split()[0] == "t.c" and {
        "sub/in.h",
        "sub/beside.bin",
        "file.bin",
        "empty.bin",
        "dir/other.bin",
    } <= set(names.split()), rule
    assert "stdio.h" not in rule and "file.bin:" in empty


@pytest.mark.parametrize("line, message", [
    ('#embed "none"', "t.c:2: error: none: No such file or directory"),
    ("#embed <file.bin>", "t.c:2: error: file.bin: No such file or directory"),
    ('#embed "file.bin" limit(-1)', "the limit of '#embed' is negative"),
    ('#embed "file.bin" limit(x)', "the limit of '#embed' is not a constant"),
    ('#embed "file.bin" limit(1/0)', "the limit of '#embed' is not a constant"),
    ('#embed "file.bin" limit(1) limit(2)', "'#embed' has 'limit' twice"),
    ('#embed "file.bin" vendor::x(1)', "unknown parameter of '#embed': 'vendor::x'"),
    ('#embed "file.bin" suffix(1', "')' is missing after 'suffix('"),
    ("#embed", "'#embed' takes"),
    ('#embed "dir"', "t.c:2: error: dir: No such file or directory"),
    ('#embed "/dev/zero"', "t.c:2: error: /dev/zero: not a file that ends: '#embed' needs a limit"),
    ('#embed "file.bin"\n#error other', "other"),
])
def test_errors(line, message, here):
    (here / "t.c").write_text("int x[] = {\n%s\n};\n" % line)
    result = command([CILKC, "-c", "t.c"], cwd=here)
    assert result.status == 1 and message in result.err and "Traceback" not in result.err, str(result)
    assert not (here / "t.o").exists()


def test_device(here):
    """A device without an end gives as many bytes as the limit says."""
    (here / "t.c").write_text(
        '#if __has_embed("/dev/zero") != 1 || __has_embed("/dev/null") != 2\n#error\n#endif\n'
        'const char x[] = {\n#embed "/dev/zero" limit(10)\n};\n_Static_assert(sizeof x == 10, "");\n'
    )
    compiled([CILKC, "-std=c23", "-c", "t.c"], cwd=here)


def test_twice_included(here):
    """The text shows no difference between a place with the directive and one where #if leaves it out."""
    (here / "in.h").write_text('#ifdef BYTES\n#embed "file.bin"\n#endif\n')
    (here / "t.c").write_text('int a[] = {\n#define BYTES\n#include "in.h"\n};\n#undef BYTES\n#include "in.h"\n')
    result = command([CILKC, "-c", "t.c"], cwd=here)
    assert result.status == 1 and "is included more than once" in result.err, str(result)
    (here / "t.c").write_text(
        '#define BYTES\nint a[] = {\n#include "in.h"\n};\nint b[] = {\n#include "in.h"\n};\n_Static_assert(sizeof b == 6 * sizeof *b, "");\n'
    )
    compiled([CILKC, "-c", "t.c"], cwd=here)


def test_large_file(here):
    """Far below the minutes that a token for each byte would take."""
    data = os.urandom(1 << 20)
    (here / "file.bin").write_bytes(data)
    (here / "t.c").write_text('const unsigned char x[] = {\n#embed "file.bin"\n};\n')
    compiled([CILKC, "-c", "t.c", "-o", "t.o"], cwd=here, timeout=300)
    assert data in (here / "t.o").read_bytes()
