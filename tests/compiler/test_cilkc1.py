"""cilkc1 alone: every diagnostic points at the user's own text, whatever the preprocessor made of it; which warnings
there are; what comes of bad input and of a failure.

The sources use undeclared names that begin with `bad`; each is reported once in its function, at its place in the
text as written. A comment /*^*/ is before the place at which an error inside a macro must point.
"""

import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import termios
import time

import pytest

from conftest import BUILD, UNDER_ASAN, command, need

pytestmark = pytest.mark.tier("check")

PRINTED = re.compile(r"^(.*?):(\d+):(\d+): (?:fatal error|error|warning): .*\[([^\]\s]+)\]$", re.M)


def preprocessed(source, folder):
    return command(["gcc", "-E", source.name, "-o", "text.i"], cwd=folder)


def diagnose(text, folder, *words, name="t.c", keep=True):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    result = preprocessed(folder / name, folder)
    assert result.status == 0, str(result)
    if not keep:
        (folder / name).unlink()
    return command(
        [BUILD / "cilkc1", "--emit=check", "--main-file=" + name, "--max-errors=0", *words, "text.i"], cwd=folder
    )


def places(result, code="undeclared"):
    return sorted((int(line), int(column)) for _, line, column, c in PRINTED.findall(result.err) if c == code)


def wanted(text):
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            continue
        for match in re.finditer(r"\bbad\w*", line):
            found.append((number, len(line[:match.start()].encode()) + 1))
    return sorted(found)


SOURCES = {
    "blanks": "int f(void) { return   bad1  +\t\tbad2; }\n",
    "comments": "int f(void) /* a */ { return /* b */ bad1 /* c\n d */ + bad2; // e\n}\n",
    "comment-before": "/* begins\n here */ int f(void) { return bad1; }\n",
    "tabs-and-umlauts": 'int f(void) {\n\tconst char *s = "äöü"; return bad1 + *s; }\n',
    "object-macro": "#define ONE (1 + 2)\nint f(void) { return ONE + bad1 - ONE * bad2; }\n",
    "function-macro": "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint f(int x) { return MAX(x, 3) + bad1 + MAX(1, MAX(2, x)) - bad2; }\n",
    "macro-vanishes": "#define NOTHING(...)\nint f(void) { NOTHING(a b c, (d)) return bad1; }\n",
    "system-macro": "#include <stddef.h>\n#include <errno.h>\nint f(void *p) { return p == NULL || errno == bad1 || p != NULL || bad2; }\n",
    "assert": "#include <assert.h>\nint f(int x) { assert(x > 0 && x < 10); return bad1; }\n",
    "argument": "#define TWICE(e) ((e) * 2)\nint f(int x) { return TWICE(x + bad1) + bad2; }\n",
    "invocation-over-lines": "#define ADD(a, b) ((a) + (b))\nint f(int x) {\n  return ADD(x,\n             bad1) + bad2;\n}\nint g(void) { return bad3; }\n",
    "continued-line": "int f(int x) { return x + \\\n   bad1 + \\\n bad2; }\nint g(void) { return bad3; }\n",
    "spliced-token": "int f(int x) { ret\\\nurn x + bad1; }\n",
    "many-blank-lines": "int f(void) { return bad1\n\n\n\n\n\n\n\n\n\n\n\n + bad2; }\n",
    "conditionals": "#if 0\nint no\n#else\nint f(void) { return bad1; }\n#endif\n\n#ifdef NO\n'\n#endif\nint g(void) { return bad2; }\n",
    "directive-inside": "int f(void) { return\n#define X 1\n  X + bad1\n#undef X\n  + bad2; }\n",
    "no-newline-at-end": "int f(void) { return bad1; }",
    "carriage-returns": "int f(void) {\r\n  return bad1 + \r\n  bad2; }\r\n",
    "strings": 'int f(void) { const char *s = "/* \\" bad */" "x"; return \'"\' + *s + bad1; }\n'.replace(
        " bad ", " b_d "
    ),
    "same-words": "int f(int a) { return a + a + a + a + bad1 + a + a; }\n",
    "variadic": "#define CALL(f, ...) f(__VA_ARGS__)\nint g(int, int);\nint f(void) { return CALL(g, bad1, bad2) + bad3; }\n",
    "pasting": "#define NAME(a, b) a ## b\nint xy;\nint f(void) { return NAME(x, y) + bad1; }\n",
    "macro-to-call": "#define f2 g\nint g(int);\nint f(void) { return f2(bad1) + f2(2) + bad2; }\n",
    "counter": "int f(void) { return __LINE__ + __COUNTER__ + bad1; }\n",
}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_columns(name, tmp_path):
    result = diagnose(SOURCES[name], tmp_path)
    assert places(result) == wanted(SOURCES[name].replace("\r", "")), str(result)


MACROS = {
    "object": "#define M bad\nint f(int x) { return x + /*^*/M + 1; }\n",
    "function": "#define M(x) (x + bad)\nint f(int x) { return x + /*^*/M( x ) + 1; }\n",
    "nested": "#define N bad\n#define M(x) (x + N)\nint f(int x) { return 1 +  /*^*/M( x * 2 ); }\n",
    "over-lines": "#define M(x, y) (x + bad + y)\nint f(int x) { return 1 +  /*^*/M( x,\n 2 ); }\n",
    "second-of-two": "#define A (1 + 1)\n#define B (bad)\nint f(int x) { return A * /*^*/B + A; }\n",
}


@pytest.mark.parametrize("name", sorted(MACROS))
def test_a_token_of_a_macro_points_at_the_invocation(name, tmp_path):
    source = MACROS[name]
    result = diagnose(source, tmp_path)
    line = [i for i, l in enumerate(source.split("\n"), 1) if "/*^*/" in l][0]
    column = source.split("\n")[line - 1].index("/*^*/") + 6
    assert places(result) == [(line, column)], str(result)


def test_caret_range_and_source_line(tmp_path):
    result = diagnose("struct s { int a; };\nint f(struct s v) {\n\treturn  v  +  1; }\n", tmp_path)
    lines = result.err.split("\n")
    at = [i for i, l in enumerate(lines) if l.startswith("t.c:3:")][0]
    assert lines[at + 1] == "    3 |         return  v  +  1; }", result.err
    assert lines[at + 2].startswith("      |") and "^" in lines[at + 2] and "~" in lines[at + 2], result.err
    assert lines[-2] == "1 error generated.", result.err


def test_wide_characters_shift_the_caret(tmp_path):
    result = diagnose('int f(void) { return "日本語"[0] + bad1; }\n', tmp_path)
    source, caret = [l for l in result.err.split("\n") if " | " in l][:2]
    before = source[:source.index("bad1")]
    assert caret.index("^") == len(before) + 3, result.err       # three characters of two columns


def test_bytes_that_are_not_text_are_shown_as_hex(tmp_path):
    result = diagnose(b'int f(void) { return *"\xff\x1b[31m" + bad1; }\n', tmp_path)
    assert "\x1b" not in result.err and "<FF><1B>[31m" in result.err, result.err


def test_file_that_went_away(tmp_path):
    result = diagnose("int f(void) { return   bad1; }\n", tmp_path, keep=False)
    assert places(result) == [(1, 22)] and "return bad1" in result.err, str(result)    # of the preprocessed line


def test_file_that_changed(tmp_path):
    (tmp_path / "t.c").write_text("int f(void) { return   bad1; }\n")
    preprocessed(tmp_path / "t.c", tmp_path)
    (tmp_path / "t.c").write_text("\n\n")
    result = command([BUILD / "cilkc1", "--emit=check", "--main-file=t.c", "text.i"], cwd=tmp_path)
    assert result.status == 1 and "'bad1' undeclared" in result.err, str(result)


def test_window_of_a_long_line(tmp_path):
    text = "int f(int a) { return " + "a + " * 50000 + "bad1" + " + a" * 50000 + "; }\n"
    result = diagnose(text, tmp_path)
    assert places(result) == [(1, text.index("bad1") + 1)], result.err[:3000]
    lines = result.err.split("\n")
    assert max(map(len, lines)) < 300, [len(l) for l in lines]
    source, caret = [l for l in lines if " | " in l][:2]
    assert source[caret.index("^"):].startswith("bad1") and source.count("...") == 2, result.err


def test_macros_all_along_a_huge_line(tmp_path):
    line = "int f(int a) { return " + "M(a) + a + " * 20000 + "bad1" + " + M(a)" * 20000 + "; }"
    assert places(diagnose("#define M(a) ((a)+1)\n" + line + "\n", tmp_path)) == [(2, line.index("bad1") + 1)]


def test_very_many_diagnostics_and_lines(tmp_path):
    text = "".join("int f%d(int a) { break; return MAX(a, 2); }\n" % i for i in range(20000))
    result = diagnose("#define MAX(a, b) ((a) > (b) ? (a) : (b))\n" + text, tmp_path)
    assert len(places(result, "break-outside")) == 20000
    assert "20000 errors generated." in result.err


def test_many_diagnostics_in_one_line(tmp_path):
    text = "int f(int a) { " + "".join("a = bad%d; " % i for i in range(5000)) + "return a; }\n"
    assert len(places(diagnose(text, tmp_path))) == 5000


def test_include_chain(tmp_path):
    (tmp_path / "outer.h").write_text('#include "inner.h"\n')
    (tmp_path / "inner.h").write_text("\nstatic int f(void) { return bad1; }\n")
    result = diagnose('int x;\n\n#include "outer.h"\nint g(void) { return bad2; }\n', tmp_path)
    assert result.err.startswith(
        "In file included from outer.h:1,\n                 from t.c:3:\ninner.h:2:29: error:"
    ), result.err
    assert "t.c:4:22: error:" in result.err


def test_fixits_and_notes_have_places_in_json(tmp_path):
    result = diagnose(
        "struct s { int a; };\nint f(struct s *p) { return p.a; }\n", tmp_path, "--diagnostics-format=json"
    )
    (entry,) = json.loads(result.err)
    assert entry["kind"] == "error" and entry["locations"][0]["caret"]["line"] == 2
    for fix in entry["fixits"]:
        assert fix["start"]["line"] == 2 and fix["string"]


def test_json_of_no_diagnostics_is_an_empty_list(tmp_path):
    assert json.loads(diagnose("int x;\n", tmp_path, "--diagnostics-format=json").err) == []


# ---- which warnings --------------------------------------------------------------------------------------------------

UNUSED = "int main(void) { int unused; return 0; }\n"


def codes(result):
    """What is in brackets: of a warning the flag that governs it, so without -W."""
    return [code.removeprefix("-Werror=").removeprefix("-W") for _, _, _, code in PRINTED.findall(result.err)]


@pytest.mark.parametrize("words, shown", [
    ([], False), (["-Wall"], True), (["-Wunused-variable"], True), (["-Wunused"], True), (["-Wall", "-Wno-unused"], False),
    (["-Wall", "-Wno-unused", "-Wunused-variable"], True), (["-Wall", "-Wno-unused-variable"], False), (["-Wall", "-w"], False),
    (["-Werror=unused-variable"], True), (["-Wall", "-Wno-error=unused-variable", "-Werror"], True),
])
def test_groups(words, shown, tmp_path):
    result = diagnose(UNUSED, tmp_path, *words)
    assert codes(result) == (["unused-variable"] if shown else []), str(result)
    failing = any(w.startswith("-Werror=") for w in words)
    assert result.status == (1 if failing else 0), str(result)


def test_pragmas(tmp_path):
    text = """\
void a(void) { int one; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
void b(void) { int two; }
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wunused"
#pragma GCC diagnostic warning "-Wunused-variable"
void c(void) { int three; }
#pragma GCC diagnostic pop
void d(void) { int four; }
#pragma GCC diagnostic error "-Wunused-variable"
void e(void) { int five; }
#pragma GCC diagnostic pop
void f(void) { int six; }
"""
    result = diagnose(text, tmp_path, "-Wall")
    found = [(int(l), k) for l, k in re.findall(r"^t.c:(\d+):\d+: (error|warning): ", result.err, re.M)]
    assert found == [(1, "warning"), (8, "warning"), (12, "error"), (14, "warning")], str(result)
    assert result.status == 1


def test_system_headers_are_not_warned_about(tmp_path):
    (tmp_path / "h.h").write_text("#pragma GCC system_header\nstatic void f(void) { int unused; }\n")
    assert codes(diagnose('#include "h.h"\nvoid g(void) { f(); }\n', tmp_path, "-Wall")) == []


def test_unknown_warning_names(tmp_path):
    result = diagnose("int x;\n", tmp_path, "-Wunused-varaible")
    text = "error: unrecognized command-line option '-Wunused-varaible'; did you mean '-Wunused-variable'? [unknown-warning-option]"
    assert result.status == 1 and text in result.err, str(result)
    for word in ("-Werror=nothing", "-Wno-error=nothing"):
        assert diagnose("int x;\n", tmp_path, word).status == 1
    for words in (
        ["-Wno-no-such-thing", "-Wshift-negative-value", "-Weverything", "-Wthread-safety"],
        ["-Wno-unknown-warning-option", "-Wnothing"],
    ):
        result = diagnose("int x;\n", tmp_path, *words)
        assert (result.status, result.err) == (0, ""), str(result)


def test_pedantic(tmp_path):
    text = "int a[0];\n"
    assert diagnose(text, tmp_path).err == ""
    warned = diagnose(text, tmp_path, "-pedantic")
    assert warned.status == 0 and len(codes(warned)) == 1, str(warned)
    failed = diagnose(text, tmp_path, "-pedantic-errors", "-w")
    assert failed.status == 1 and codes(failed) == codes(warned), str(failed)


# ---- input and output ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("make, words", [
    (lambda p: None, ["missing.i"]), (lambda p: (p / "d").mkdir(), ["d"]), (lambda p: (p / "x.i").write_text("int x = ;"), ["x.i"]),
    (lambda p: (p / "x.i").write_bytes(bytes(range(256)) * 100), ["x.i"]),
    (lambda p: (p / "x.i").write_text("(" * 100000), ["x.i"]), (lambda p: (p / "x.i").write_text("int x = " + "(" * 100000 + "1" + ")" * 100000 + ";"), ["x.i"]),
    (lambda p: (p / "x.i").write_text("void f(void) " + "{" * 100000), ["x.i"]), (lambda p: (p / "x.i").write_text("int x = " + "- " * 300000 + "1;"), ["x.i"]),
    (lambda p: (p / "x.i").write_text('"' + "x" * 10000000), ["x.i"]), (lambda p: (p / "x.i").write_text("a" * 10000000), ["x.i"]),
], ids=["missing", "directory", "syntax", "bytes", "parens", "balanced-parens", "braces", "minus", "string", "word"])
def test_bad_input_is_an_error_and_leaves_nothing(make, words, tmp_path):
    make(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    result = command([BUILD / "cilkc1", *words, "-o", "out.o"], cwd=tmp_path)
    assert result.status == 1 and "error" in result.err and "internal" not in result.err, str(result)
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize("words", [["--no-such"], ["--emit=nonsense", "x.i"], [], ["a.i", "b.i"], ["--std=c42", "x.i"], ["x.i", "-o"], ["--spawn=now", "x.i"]])
def test_wrong_usage(words, tmp_path):
    result = command([BUILD / "cilkc1", *words], cwd=tmp_path)
    assert result.status == 2 and "error" in result.err, str(result)


def test_unwritable_output(tmp_path):
    (tmp_path / "x.i").write_text("int x;\n")
    result = command([BUILD / "cilkc1", "x.i", "-o", "no/such/place.o"], cwd=tmp_path)
    assert result.status == 1 and "place.o" in result.err, str(result)
    result = command([BUILD / "cilkc1", "--emit=ast", "x.i", "-o", "no/such/place"], cwd=tmp_path)
    assert result.status == 1 and "place" in result.err, str(result)


def test_stdin_and_time_report(tmp_path):
    result = command([BUILD / "cilkc1", "--emit=ast", "--time-report", "-"], stdin=b"int x = 3;\n", cwd=tmp_path)
    assert result.status == 0 and "Var x : int" in result.out, str(result)
    for word in ("lex", "parse", "sema", "total", "tokens/s", "MB"):
        assert word in result.err, str(result)


def test_elision_of_text_that_is_not_there(tmp_path):
    result = command([BUILD / "cilkc1", "--emit=elide", "-"], stdin=b"int x;\n", cwd=tmp_path)
    assert result.status == 1 and "[elide-source]" in result.err, str(result)


def test_json_has_the_shape_of_gccs(tmp_path):
    """Our objects have the keys that gcc's have."""
    need("gcc")
    (tmp_path / "t.c").write_text("int f(void) { return bad1; }\n")
    theirs = command(["gcc", "-fdiagnostics-format=json", "-fsyntax-only", "t.c"], cwd=tmp_path)
    keys = set(json.loads(theirs.err or theirs.out)[0]) - {"escape-source", "option", "option_url"}
    ours = json.loads(diagnose("int f(void) { return bad1; }\n", tmp_path, "--diagnostics-format=json").err)[0]
    assert keys - {"fixits"} <= set(ours), (keys, set(ours))


# ---- failures of the compiler itself ---------------------------------------------------------------------------------

def test_a_crash_names_the_stage_and_the_file(tmp_path):
    child = subprocess.Popen(
        [BUILD / "cilkc1", "--main-file=prog.cilk", "-", "-o", "out.o"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdin
    child.stdin.write("int x;\n")
    child.stdin.flush()
    until, unread = time.monotonic() + 60, bytearray(b"text")
    while any(unread) and time.monotonic() < until:
        time.sleep(0.01)
        fcntl.ioctl(child.stdin, termios.FIONREAD, unread)
    child.send_signal(signal.SIGSEGV)          # as if it had gone wrong while it waits for more input
    child.wait(60)                             # before its input ends
    out, err = child.communicate()
    assert child.returncode == 70 and err.startswith(
        "cilkc1: internal error in stage read while compiling prog.cilk"
    ), (child.returncode, err)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(UNDER_ASAN, reason="AddressSanitizer needs the address space")
def test_little_memory_is_an_error_and_no_crash(tmp_path):
    (tmp_path / "big.i").write_text("int a[] = {" + "1," * 3000000 + "};\n")
    result = command(
        ["sh", "-c", "ulimit -v 400000; exec %s big.i -o big.o" % shlex.quote(str(BUILD / "cilkc1"))], cwd=tmp_path
    )
    assert result.status in (0, 1) and "internal" not in result.err, str(result)
    if result.status:
        assert "out of memory" in result.err, str(result)


def test_output_to_a_pipe_is_written_there(tmp_path):
    """A result goes into a device or a pipe; nothing takes its place."""
    (tmp_path / "x.i").write_text("int x;\n")
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=tmp_path, stdout=subprocess.PIPE)
    try:
        result = command([BUILD / "cilkc1", "--emit=ir", "x.i", "-o", "pipe"], cwd=tmp_path, timeout=300)
        assert result.status == 0 and b"@x" in reader.communicate(timeout=300)[0], str(result)
    finally:
        reader.kill()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pipe", "x.i"]


@pytest.mark.parametrize("said, typed", [
    ("", True), ('const char *word = "may_alias no-strict-aliasing";', True), ("int may_alias;", True),
    ("# 1 \"s.h\" 1 3\ntypedef int __attribute__((may_alias)) i;\n# 2 \"x.i\" 2", True),
    ("typedef int __attribute__((may_alias)) i;", False), ("struct s { int a; } __attribute__((__may_alias__));", False),
    ("__attribute__((optimize(\"O2\", \"no-strict-aliasing\"))) void g(void);", False), ("#pragma GCC optimize(\"-fno-strict-aliasing\")", False),
])
def test_attributes_record_that_types_do_not_distinguish_accesses(said, typed, tmp_path):
    (tmp_path / "x.i").write_text(said + "\nint f(int *a, float *b) { *a = 1; *b = 2; return *a; }\n")
    result = command([BUILD / "cilkc1", "--emit=ir", "-O1", "x.i", "-o", "-"], cwd=tmp_path)
    assert result.status == 0 and ("!tbaa" in result.out) == typed, str(result)
