"""The parser on preprocessed text, as cilkc1 gets it: what a preprocessor would have caught first, depth, garbage,
printed stages."""

import re

import pytest

from conftest import BUILD, command

pytestmark = pytest.mark.tier("check")

CILKC1 = BUILD / "cilkc1"


def check(tmp_path, text, *flags):
    path = tmp_path / "t.i"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = command([CILKC1, "--emit=check", *flags, path], cwd=tmp_path, timeout=300)
    assert result.status in (0, 1), str(result)
    return result


def codes(result):
    return re.findall(r"(?:error|warning): .*\[(?:-W)?([^\]]+)\]$", result.err, re.M)


@pytest.mark.parametrize("text, code", [
    ("int x; /* no end", "unterminated-comment"),
    ("#include <stdio.h>\nint x;", "not-preprocessed"),
    ("int x = " + "(" * 100000 + "1" + ")" * 100000 + ";", "nested-too-deeply"),
    ("int f(void) {" + "{" * 100000, "nested-too-deeply"),
    ("int " + "(*" * 100000 + "x", "nested-too-deeply"),
    ('#pragma lang +C\n# 1 "a.cilkh" 1\nint cilk;\n', "cilk-file-in-c-mode"),
    (b'int x[] = L"\xff";', "invalid-utf8"),
    (b'int x[] = L"\xed\xa0\x80";', "invalid-utf8"),
    *((b"int a" + c + b";", "stray-character") for c in (b"\xed\xa0\x80", b"\xe0\x80\xaf", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80")),
], ids=range(12))
def test_exactly_one(text, code, tmp_path):
    assert codes(check(tmp_path, text)) == [code]


@pytest.mark.parametrize("text", [
    bytes(range(256)) * 100, b"\0" * 100000, b"\xff\xfe" * 50000, b"{" * 1000, b")" * 100000, b"a " * 100000, b"'\"" * 5000, b"#" * 100000,
    b"/*" * 100000,
], ids=lambda t: repr(t[:4]))
def test_garbage_is_an_error(text, tmp_path):
    result = check(tmp_path, text)
    assert result.status == 1 and "error: " in result.err


def test_valid_long_inputs(tmp_path):
    def check_ok(text):
        return check(tmp_path, text, "--max-errors=5").status == 0
    assert check_ok("int x = 1" + " + 1" * 10000 + ";")
    assert check_ok("int f(int x) { " + "if (x) return 1; else " * 2000 + "return 0; }")
    assert check_ok("int a[] = { 0" + ", 1" * 99999 + " };")
    assert check_ok('char *s = "' + "x" * (10 << 20) + '";')


def test_tokens_and_tree(tmp_path):
    path = tmp_path / "t.cilk"
    path.write_text("cilk int f(int n) { int x; x = spawn f(n); sync; return x; }\n")
    tokens = command([CILKC1, "--emit=tokens", "-o", "-", path], cwd=tmp_path).out
    assert re.search(r":1:1\tCilk\tcilk\tcilk\n", tokens) and "\tSpawn\t" in tokens and tokens.endswith("end\n")
    tree = command([CILKC1, "--emit=tree", "-o", "-", path], cwd=tmp_path).out
    assert tree.startswith("translationUnit\n") and "cilkStatement" in tree and "'spawn'" in tree
