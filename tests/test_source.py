"""Positions: every diagnostic points at the user's own text, whatever the preprocessor made of it.

The sources use undeclared names that begin with `bad`; each is reported once in its function, at its place in the
text as
written.  `here` marks, by a comment /*^*/ before it, where an error inside a macro must point.
"""

import fcntl
import json
import os
import re
import signal
import subprocess
import termios
import time

import pytest
import shlex

from conftest import BUILD, ROOT, UNDER_ASAN, command, need, runtime_sources

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


def wanted(text, pattern=r"\bbad\w*"):
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            continue
        for match in re.finditer(pattern, line):
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


# ---- which warnings -------------------------------------------------------------------------------------------------

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


# ---- input and output -----------------------------------------------------------------------------------------------

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


# ---- failures of the compiler itself --------------------------------------------------------------------------------

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


# ---- contracts between the rooms ------------------------------------------------------------------------------------

def includes(folder):
    """(file, included name) of all of a folder's sources."""
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".cpp", ".h", ".c", ".def"):
            for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(), re.M):
                yield path.relative_to(ROOT), name


# The rooms from the ground up: a file includes headers of its own room, of rooms below it, and nothing else.
LAYERS = """
frontend/support  frontend/types  frontend/source  frontend/ast  frontend/builtins  frontend/consteval  frontend/parse
frontend/sema/core  frontend/sema/builtin  frontend/sema/decl  frontend/sema/expr  frontend/sema/warn  frontend/sema/opencilk  frontend/sema
frontend/flow  frontend/plan  frontend/analysis  frontend/show  frontend/index  frontend/elide
rt/abi  codegen/core  codegen/abi  codegen/target  codegen/clones  codegen/events  codegen
driver/cilkc1
""".split()
# What is no room of the list, by the folder that mentions it.
OUTSIDE = {"frontend": r"llvm", "codegen": r"antlr|Cilk(Lexer|Parser)", "rt": r"frontend/|codegen/|driver/"}


def room(name):
    """The room that a file of the tree belongs to; what the compiler may know of the runtime is a room of its own, on
    the ground."""
    if name.startswith("rt/"):
        return "rt/abi"
    return name.rsplit("/", 1)[0]


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer != "rt/abi"])
def test_a_room_includes_what_is_below_it(layer):
    known = {
        str(path.parent.relative_to(ROOT))
        for top in ("frontend", "codegen", "driver/cilkc1")
        for path in (ROOT / top).rglob("*.h")
    }
    assert known <= set(LAYERS), "rooms without a place: %s" % (known - set(LAYERS))
    below = set(LAYERS[:LAYERS.index(layer) + 1]) | {"rt/abi"}
    found = [
        (path, name)
        for path, name in includes(layer)
        if str(path.parent) == layer and name.startswith(("frontend/", "codegen/", "driver/", "rt/"))
    ]
    wrong = ["%s includes %s" % (path, name) for path, name in found if room(name) not in below]
    assert not wrong, "\n".join(wrong)


def test_compiler_and_runtime_meet_at_the_contract():
    """The compiler includes the contract and nothing else of the runtime; the contract includes only itself. So neither
    side is above the other."""
    contract = {
        str(path.relative_to(ROOT))
        for name in ("abi.h", "abi.def", "agree.def", "library.def", "cilk1.h")
        for path in (ROOT / "rt").rglob(name)
    }
    seen = {
        name for top in ("frontend", "codegen", "driver/cilkc1") for _, name in includes(top) if name.startswith("rt/")
    }
    assert len(seen) > 5 and seen <= contract
    inside = {
        (name, other)
        for name in contract
        for other in re.findall(r'^#\s*include\s+"(.*)"', (ROOT / name).read_text(), re.M)
    }
    assert {
        str((ROOT / name).parent.relative_to(ROOT) / other) if "/" not in other else other for name, other in inside
    } <= contract


@pytest.mark.parametrize("top", sorted(OUTSIDE))
def test_no_include_goes_back(top):
    found = list(includes(top))
    assert found, "no file of %s includes anything" % top
    wrong = ["%s includes %s" % pair for pair in found if re.match(OUTSIDE[top], pair[1])]
    assert not wrong, "\n".join(wrong)


def circles_of(graph):
    """The circles that a walk along the arrows {name: names} meets."""
    done, open_, circles = set(), [], []

    def visit(name):
        if name in open_:
            circles.append(" -> ".join(open_[open_.index(name):] + [name]))
        elif name not in done:
            open_.append(name)
            for other in sorted(graph.get(name, ())):
                visit(other)
            open_.pop()
            done.add(name)

    for name in sorted(graph):
        visit(name)
    return circles


def test_no_circle_of_includes():
    """No file reaches itself through what it includes, in the compiler and in the runtime."""
    graph = {}
    for top in ("frontend", "codegen", "driver/cilkc1", "rt"):
        for path, name in includes(top):
            graph.setdefault(str(path), set()).add(name if (ROOT / name).exists() else str(path.parent / name))
    circles = circles_of(graph)
    assert graph and not circles, "\n".join(circles)


def test_no_circle_of_imports():
    """Nor does a module of the command, imports inside of functions included."""
    graph = {}
    for path in (ROOT / "driver/cilkc_driver").glob("*.py"):
        text = path.read_text()
        names = re.findall(r"^\s*from \.(\w+) import", text, re.M) + re.findall(r"^\s*from \. import (\w+)", text, re.M)
        graph[path.stem] = set(names)
    circles = circles_of(graph)
    assert len(graph) > 15 and any(graph.values()) and not circles, "\n".join(circles)


def stages(header):
    """The classes of a header that are made of stages, by name."""
    return dict(
        re.findall(r"^(?:struct|class) (\w+) : (?:Body)?Stage \{\n(.*?)^\};", (ROOT / header).read_text(), re.M | re.S)
    )


def test_a_stage_of_the_analysis_has_no_state():
    """What stages share is in one place; none has state of its own."""
    found = stages("frontend/sema/core/sema.h")
    assert len(found) > 5
    for name, body in found.items():
        lines = [
            line for line in re.sub(r"\n {6,}", " ", re.sub(r"//.*", "", body)).split("\n") if line.strip() and "using Stage::Stage" not in line
        ]
        assert all(re.search(r"\w+\(.*\).*;", line) for line in lines), "%s has more than methods" % name


def test_state_of_a_stage_of_the_code_is_its_own():
    """The stages that emit a body reach each other by methods."""
    found = stages("codegen/core/stages.h")
    assert len(found) > 15
    for name, body in found.items():
        shared, _, own = body.partition("\nprivate:\n")
        shared = re.sub(r"//.*|^  (?:struct|using) .*?^  \};|\{[^{}\n]*\}", "", shared, flags=re.M | re.S)
        assert not re.findall(r"^  [\w:<>, *&]+ \w+(?:\[[^]]*\])*(?: = .*)?;$", shared, re.M), (
            "%s shares its state" % name
        )


def methods(text):
    """(class, names of its public methods) of each class of a C++ text; overloads are one method."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', '""', text)
    text = re.sub(r"^[ \t]*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    for head in re.finditer(r"\b(class|struct)\s+(?:\w+::)*(\w+)\s*(?:final\s*)?(?::[^;{}()]*)?\{", text):
        public, names, depth, member = head[1] == "struct", set(), 0, ""
        for c in text[head.end():]:
            depth -= c in ")}]"
            if depth < 0:
                break
            member += c if depth == 0 else ""
            depth += c in "({["
            access = re.search(r"\b(public|private|protected)\s*:$", member)
            if access:
                public, member = access[1] == "public", ""
            elif depth == 0 and c in ";}":
                declaration = re.split(r"\{|=(?!=)", member)[0]
                if public and not re.match(
                    r"\s*(using|typedef|friend|enum|struct|class|union|static_assert)\b", declaration
                ):
                    names.update(re.findall(r"([~\w]+)\s*\(", declaration))
                member = ""
        yield head[2], names


def test_no_class_is_everything():
    """A class has a chapter's methods: no more than 40 that others may call."""
    text = "class A : B {\npublic:\n  A();\n  int f(int (*)(int)) const { return g(1); }\n  int f(), h();\nprivate:\n  void i();\n};\nstruct C { void j(); };"
    assert dict(methods(text)) == {"A": {"A", "f", "h"}, "C": {"j"}}
    found = [
        (len(names), name, str(path.relative_to(ROOT)))
        for folder in ("frontend", "codegen", "driver/cilkc1")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".cpp", ".h")
        for name, names in methods(path.read_text())
    ]
    assert len(found) > 400 and not [(n, name, path) for n, name, path in found if n > 40]


def test_the_runtimes_numbers_reach_the_front_end_in_one_place():
    """The closure's header and the unit of the runtime's memory, for the layout in the plan of the clones."""
    assert {str(path) for path, name in includes("frontend") if name.startswith("rt/")} == {"frontend/plan/layout.cpp"}


@pytest.mark.parametrize("room, never", [(room, r"const_cast|LLVM[A-Z]\w+\(") for room in ("flow", "plan", "analysis", "show", "elide")]
                         + [("../codegen", r"const_cast<(?:const )?(?!Value\b)")])
def test_the_tree_is_only_read(room, never):
    """Graphs, plans, warnings, what is shown and the code are functions of the tree: what they find out is in tables of
    their own."""
    files = [path for path in (ROOT / "frontend" / room).rglob("*") if path.suffix in (".cpp", ".h")]
    text = {path.name: re.sub(r"//.*", "", path.read_text()) for path in files}
    assert files and not [name for name, t in text.items() if re.search(never, t)]


@pytest.mark.parametrize("what, where", [
    (r"std::rename\s*\(", "frontend/support/output.cpp"),                      # a result gets its name in one place
    (r"install_fatal_error_handler|InstallFatalErrorHandler", "codegen/shim.cpp"),
    (r"\b_?exit\s*\(", "driver/cilkc1/"),
])
def test_done_in_one_place(what, where):
    users = {
        str(path.relative_to(ROOT))
        for folder in ("frontend", "codegen", "driver/cilkc1")
        for path in (ROOT / folder).rglob("*.cpp")
        if re.search(what, re.sub(r'//.*|"(?:[^"\\]|\\.)*"', "", path.read_text()))
    }
    assert users and all(user.startswith(where) for user in users), users


def test_user_errors_are_reported_before_any_code_is_made():
    """What codegen reports comes from LLVM and the file system: emit.cpp and link.cpp pass it on."""
    reporting = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "codegen").rglob("*"))
        if path.suffix in (".cpp", ".h")
        and re.search(r"report\s*\(\s*(error|diag)\b", re.sub(r"//.*", "", path.read_text()))
    ]
    assert reporting == ["codegen/emit.cpp", "codegen/link.cpp"]


TARGETS = re.findall(r"^TARGET\((\w+)\)", (ROOT / "frontend/types/targets.def").read_text(), re.M)


def test_a_target_is_known_in_its_own_files_only():
    """No other file tests which target it is, by its object's name or by a word."""
    names = re.compile(r"x86(?!FP80)|ia32|amd64|arm64|" + "|".join(TARGETS), re.I)
    own = ["codegen/target/", "codegen/abi/"] + ["frontend/types/%s.cpp" % name for name in TARGETS]
    users = []
    for folder in ("frontend", "codegen", "driver/cilkc1"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in (".cpp", ".h") and not name.startswith(tuple(own)):
                users += [
                    "%s: %s" % (name, line.strip())
                    for line in re.sub(r"//.*", "", path.read_text()).split("\n")
                    if names.search(line)
                ]
    assert TARGETS and not users, "\n".join(users)


RUNTIMES_DATA = {
    "codegen/memory.cpp": "where they are",
    "codegen/core/builder.h": "their declarations",
    "codegen/clones/ops.cpp": "the worker, the deque, the flag of releases: with the orders of the protocol",
    "codegen/events/units.cpp": "what a mode has counted in this function",
    "codegen/events/count.cpp": "the same by lines, and the records of lines in the runtime",
}


def test_memory_is_read_and_written_in_one_file():
    """So that instrumentation of memory has one hook. What belongs to the runtime has functions of its own, and these
    users."""
    def users(what):
        return {
            str(path.relative_to(ROOT))
            for path in (ROOT / "codegen").rglob("*")
            if path.suffix in (".cpp", ".h") and re.search(what, path.read_text())
        }

    assert users(r"LLVMBuild(Load2?|Store|MemCpy|MemMove|MemSet|AtomicRMW\w*|AtomicCmpXchg\w*)\b") == {
        "codegen/memory.cpp"
    }
    assert users(r"\bruntime(Load|Store|Exchange)\(") == set(RUNTIMES_DATA)


@pytest.mark.parametrize("table", ["strategies", "modes"])
def test_nobody_asks_which_strategy_or_mode_it_is(table):
    """What differs is a property in the table, or is made by its factory."""
    rows = re.findall(r"^(STRATEGY|MODE)\((\w+),", (ROOT / "frontend/plan" / (table + ".def")).read_text(), re.M)
    assert rows
    word = r"\b(?:SpawnStrategy|Mode)::(?:%s)\b" % "|".join(name for _, name in rows)
    users = {
        str(path.relative_to(ROOT))
        for folder in ("frontend", "codegen")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".cpp", ".h") and re.search(word, path.read_text())
    }
    assert users <= {"codegen/core/options.h"}, users                # a default


# Files that list strategies themselves, and why. All others ask the table (STRATEGIES), so a new row is in them.
OWN_STRATEGIES = {
    "bench/lines.py": "its programs have clones by hand",
    "bench/tm580.py": "the memo's strategies, and those to compare them with",
    "bench/tm580_report.py": "the same",
    "tests/dist/soak.py": "one that pushes and one that releases",
    "tests/test_rt.py": "its programs have clones by hand (tests/rt/clones.h)",
    "tests/test_trace.py": "the same",
    "tests/travel/soak.py": "one that pushes and one that releases",
}


def test_no_list_of_strategies_is_written_by_hand():
    names = "|".join(re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M))
    listed = {
        str(path.relative_to(ROOT))
        for folder in ("driver", "bench", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"""(["'])(?:%s)\1,\s*(["'])(?:%s)\2""" % (names, names), path.read_text())
    }
    assert listed == set(OWN_STRATEGIES), listed ^ set(OWN_STRATEGIES)


@pytest.mark.parametrize("said, typed", [
    ("", True), ('const char *word = "may_alias no-strict-aliasing";', True), ("int may_alias;", True),
    ("# 1 \"s.h\" 1 3\ntypedef int __attribute__((may_alias)) i;\n# 2 \"x.i\" 2", True),
    ("typedef int __attribute__((may_alias)) i;", False), ("struct s { int a; } __attribute__((__may_alias__));", False),
    ("__attribute__((optimize(\"O2\", \"no-strict-aliasing\"))) void g(void);", False), ("#pragma GCC optimize(\"-fno-strict-aliasing\")", False),
])
def test_attributes_say_that_types_do_not_tell_accesses_apart(said, typed, tmp_path):
    (tmp_path / "x.i").write_text(said + "\nint f(int *a, float *b) { *a = 1; *b = 2; return *a; }\n")
    result = command([BUILD / "cilkc1", "--emit=ir", "-O1", "x.i", "-o", "-"], cwd=tmp_path)
    assert result.status == 0 and ("!tbaa" in result.out) == typed, str(result)


READS_TEXT = r"\b(?:sources\(\)|sources|sm)\.(?:text|originalLine|originalText)\(|\bRawLexer\b"


def test_no_text_is_searched_after_the_parser():
    """What the text says is in the tree, or a question of frontend/source. elide edits the user's text, show cuts out
    of it what it prints: no others read it."""
    allowed = ("frontend/source/", "frontend/parse/", "frontend/elide/")
    found = [
        "%s: %s" % (path.relative_to(ROOT), line.strip())
        for folder in ("frontend", "codegen", "driver/cilkc1")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".cpp", ".h") and not str(path.relative_to(ROOT)).startswith(allowed)
        for line in re.sub(r"//.*", "", path.read_text()).split("\n")
        if re.search(READS_TEXT, line)
    ]
    assert found == ["frontend/show/text.cpp: std::string_view text = sources.text();"], "\n".join(found)


def test_the_diagnostic_engine_reads_pragmas_only():
    """Pragmas and the lexer say which warnings are wanted at a place: verdicts and reports do not look around in the
    text."""
    pragmas, _, rest = (ROOT / "frontend/source/diagnostics.cpp").read_text().partition("// ---- verdicts")
    assert rest and re.search(READS_TEXT, pragmas) and not re.search(READS_TEXT, rest)


def test_output_to_a_pipe_is_written_there(tmp_path):
    """A result goes into a device or a pipe; nothing takes its place."""
    (tmp_path / "x.i").write_text("int x;\n")
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=tmp_path, stdout=subprocess.PIPE)
    try:
        result = command([BUILD / "cilkc1", "--emit=ir", "x.i", "-o", "pipe"], cwd=tmp_path, timeout=60)
        assert result.status == 0 and b"@x" in reader.communicate(timeout=60)[0], str(result)
    finally:
        reader.kill()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pipe", "x.i"]


# ---- the runtime's layers (rt/README.md) ----------------------------------------------------------------------------

RUNTIME = re.findall(
    r"^\| `(\w+)/?` \|", (ROOT / "rt" / "README.md").read_text().split("## Rooms")[1].split("\n## ")[0], re.M
)


def unit(path):
    """A file of the runtime without its suffix: a .c file and its header are one. These folders are one each."""
    inside = path.relative_to(ROOT / "rt")
    return (
        inside.parts[0] + "/" if inside.parts[0] in ("arch", "sched", "cilk1", "dist") else str(inside.with_suffix(""))
    )


def runtime_arrows():
    """(a unit of the runtime, a unit whose header it includes)"""
    arrows = set()
    for path in runtime_sources():
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(), re.M):
            target = path.parent / name if (path.parent / name).exists() else ROOT / "rt" / name
            if (
                target.exists()
                and target.suffix == ".h"
                and target.parent != ROOT / "rt"
                and unit(target) != unit(path)
            ):
                arrows.add((unit(path), unit(target)))
    return arrows


def test_the_runtimes_rooms_are_in_layers():
    """The table of rt/README.md has every room, from the ground up. A file includes headers of its own room and of
    rooms before it."""
    folders = {path.parent.name for path in runtime_sources()}
    assert folders == set(RUNTIME) and len(RUNTIME) > 10
    level = {name: number for number, name in enumerate(RUNTIME)}
    arrows = runtime_arrows()
    assert len(arrows) > 200
    assert [(a, b) for a, b in sorted(arrows) if level[a.split("/")[0]] < level[b.split("/")[0]]] == []


def test_the_runtimes_files_include_one_another_in_no_circle():
    arrows = runtime_arrows()
    while True:
        ends = {a for a, _ in arrows} & {b for _, b in arrows}
        rest = {(a, b) for a, b in arrows if a in ends and b in ends}
        if rest == arrows:
            break
        arrows = rest
    assert arrows == set()


OBSERVERS = {"stats", "summary"}                           # what becomes of the counters


def test_the_protocols_name_no_observer():
    """They have one hook for a step. Its row in rt/observe/hooks.def says which observers hear of it."""
    rows = re.findall(r"^CILK_HOOK_ROW\((\w+),", (ROOT / "rt/observe/hooks.def").read_text(), re.M)
    used = set()
    for path in runtime_sources():
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        used.update(re.findall(r"\bCILK_HOOK\((\w+), [^.]", text))
        if path.parent.name in ("protocol", "steal", "views") and path.stem not in OBSERVERS or path.name == "schedule.c":
            named = re.findall(
                r'"(?:observe/(?!hook)\w+|data/step|steal/stats|replay/\w+)\.h"|\bCILK_EVENT\(|\bcilk_(?:count|count_n|point|step_\w+|span_\w+)\(',
                text,
            )
            assert named == [], "%s: %s" % (path, named)
    assert len(rows) > 50 and set(rows) == used


def test_the_state_of_a_closure_changes_in_one_place():
    """The pool keeps ATTACHED in free memory; the front of a delivery reads. PROTOCOLS.md has the same list."""
    stores = re.compile(r"(?:&\w+(?:->\w+)*->state,|->state =(?!=)|\.state =(?!=)) *(?:CILK_[A-Z]+\b|state\b|to\b)")
    found = {
        str(path.relative_to(ROOT / "rt"))
        for path in runtime_sources()
        for line in re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S).split("\n")
        if stores.search(line) and "FUTURE" not in line
    }
    assert found - {"replay/record_replay.c"} == {"data/closure.h", "data/pool.c"}
    rows = re.findall(
        r'^CILK_TRANSITION\((\w+), +(\w+), +"(.*)"\)$', (ROOT / "rt/data/states.def").read_text(), re.M
    )
    text = (ROOT / "rt/PROTOCOLS.md").read_text()
    quoted = re.findall(r"^\| ([A-Z]+) \| ([A-Z]+) \| (.*) \|$", text, re.M)
    assert len(rows) > 15 and quoted == rows


def calls_of_the_runtime():
    """{unit: units that have what the linker finds for it}, of the release build. Tools' folders apart."""
    has, wants = {}, {}
    for path in runtime_sources(".c"):
        compiled = BUILD / "rt" / "release" / (str(path.relative_to(ROOT / "rt")) + ".o")
        if not compiled.exists():                          # libraries of their own
            continue
        for line in command(["nm", compiled]).out.splitlines():
            kind, symbol = line.split()[-2:]
            if kind == "U":
                wants.setdefault(unit_of_calls(path), set()).add(symbol)
            elif kind.isupper():
                has[symbol] = unit_of_calls(path)
    return {
        name: {has[symbol] for symbol in symbols if symbol in has} - {name} for name, symbols in wants.items()
    }


def unit_of_calls(path):
    inside = path.relative_to(ROOT / "rt")
    return inside.parts[0] + "/" if inside.parts[0] in ("cilk1", "dist") else str(inside.with_suffix(""))


def groups_of(graph):
    """The sets of at least two names that reach one another."""
    def reached(name):
        found, left = set(), [name]
        while left:
            for other in graph.get(left.pop(), ()):
                if other not in found:
                    found.add(other)
                    left.append(other)
        return found

    reach = {name: reached(name) for name in graph}
    return {
        frozenset(b for b in reach[a] | {a} if a in reach.get(b, ()))
        for a in graph
        if a in reach[a]
    }


def test_the_runtimes_files_call_one_another_in_small_circles():
    assert groups_of({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {frozenset("bc")}
    graph = calls_of_the_runtime()
    assert len(graph) > 80 and "data/closure" in graph["protocol/deliver"]
    large = [sorted(group) for group in groups_of(graph) if len(group) > 3]
    assert not large, large


@pytest.mark.parametrize("what, where", [
    (r"\bclock_gettime\b|\bgettimeofday\b|rdtsc|cntvct|\btime\s*\(\s*(?:NULL|0)\s*\)|\bclock\s*\(\s*\)", {"data/policy.c"}),
    (r"\bs?random\s*\(|\bd?rand(?:48)?(?:_r)?\s*\(|getrandom|next_random", {"data/policy.c"}),
    (r"membarrier", {"steal/barrier.c"}),
    (r"__(?:x86_64|aarch64|i386)__", {"arch/arch.h"}),
    (r"\bexit\s*\(|\b_exit\s*\(|\babort\s*\(\s*\)", {"base/message.c", "nest/stackguard.c", "observe/outcome.c", "dist/courier.c"}),
], ids=["clocks", "chance", "the-fence", "processors", "the-end"])
def test_the_runtime_does_it_in_one_place(what, where):
    """Comments and strings do not count; each place does it."""
    found = set()
    for path in runtime_sources():
        if path.name in ("mpi.c", "local.c"):              # transports know nothing of the runtime
            continue
        text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', "", path.read_text(), flags=re.S)
        if re.search(what, text):
            found.add(str(path.relative_to(ROOT / "rt")))
    assert found == where


def test_the_runtime_declares_in_headers():
    """No .c file says what another one has; what the linker and the C library make has no header."""
    for path in runtime_sources():
        if path.suffix == ".c":
            assert not re.search(
                r"^\s*extern\b(?!.*\b(?:__lsan_ignore_object|__\w+_cilk_private|__dso_handle|SYMBOL)\b)",
                path.read_text(),
                re.M,
            ), path.name


def test_constants_of_the_runtime_say_why():
    lines = (ROOT / "rt" / "base" / "config.h").read_text().splitlines()
    names = [line for line in lines if re.match(r"#define CILK_\w+ .", line)]
    assert len(names) >= 40
    silent = []
    for above, line in zip(lines, lines[1:]):
        if re.match(r"#define CILK_\w+ [^/]", line) and "/*" not in line and not above.rstrip().endswith("*/"):
            if "CILK_RT" not in line and not re.search(r"ALLOC_BATCH_MIN|ASK_MAX_NS|STACK_MIN|MAX_PROC", line):
                silent.append(line)
    assert silent == []


def test_lines_of_c_have_120_columns():
    """Longer are only lines with a piece of a text that is printed, and macros over several lines."""
    found = []
    for folder in ("frontend", "codegen", "rt", "stdlib", "driver/cilkc1"):
        for path in sorted(p for p in (ROOT / folder).rglob("*.*") if p.suffix in (".c", ".h", ".cpp")):
            for n, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > 120 and '"' not in line and not line.endswith("\\"):
                    found.append("%s:%d" % (path.relative_to(ROOT), n))
    assert len(found) <= OVERLONG, found


OVERLONG = 0


KINDS = re.findall(r"^(EXPR|STMT)\((\w+)", (ROOT / "frontend/ast/nodes.def").read_text(), re.M)


def forgetful_switches(text):
    """Switches through the kinds of statements that end in `default`: [(line, kinds named)]. Inner switches are cut out
    of outer ones."""
    found: "list[tuple[int, str]]" = []
    stack: "list[list]" = []  # where it begins, braces that are open, kinds, whether it has a default
    for token in re.finditer(
        r"\bswitch\b|[{}]|case StmtKind::\w+|\bdefault:|;",
        re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', lambda m: " " * len(m.group()), text),
    ):
        word = token.group()
        if word == "switch":
            opening = token.start()
            stack.append([opening, 0, set(), False])
        elif stack and word == "{":
            stack[-1][1] += 1
        elif stack and word == "}":
            stack[-1][1] -= 1
            if stack[-1][1] <= 0:
                start, _, kinds, default = stack.pop()
                if default and len(kinds) >= 3:
                    found.append((text.count("\n", 0, start) + 1, " ".join(sorted(kinds))))
        elif stack and word.startswith("case"):
            stack[-1][2].add(word.split("::")[1])
        elif stack and word == "default:":
            stack[-1][3] = True
    return found


# Questions to which a kind that they do not know has a cautious answer.
CAUTIOUS = {
    ("codegen/thread_paths.cpp", "Compound If Label Send Thread"): "what ends in another statement keeps its closure",
    ("frontend/plan/prefix.cpp", "Compound If Return"): "another statement may go on after itself",
    ("frontend/plan/prefix.cpp", "Compound Decl Function If Null"): "the prefix ends before another statement",
}


def test_a_switch_over_statements_names_them_all():
    """A walk uses frontend/ast/visit.h, or is a switch without `default`, in which a new kind of statement cannot be
    forgotten (-Werror=switch)."""
    example = "switch (s->kind) {%s default: return; }" % "".join(
        " case StmtKind::%s: { f(); break; }" % name for kind, name in KINDS[-3:]
    )
    assert forgetful_switches(example) and not forgetful_switches(example.replace("default", "case StmtKind::X"))
    assert "-Werror=switch" in (ROOT / "Makefile").read_text()
    found = {
        (str(path.relative_to(ROOT)), kinds): "%s:%d" % (path.relative_to(ROOT), line)
        for folder in ("frontend", "codegen", "driver", "tests")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".cpp", ".h")
        for line, kinds in forgetful_switches(path.read_text(errors="replace"))
    }
    assert found.keys() == CAUTIOUS.keys(), found


def test_no_expression_is_a_spawn_behind_sema():
    """Spawn nodes are the parser's and sema's; everyone else reads SpawnStmt. Lists of kinds that name Spawn among
    those that cannot come are no use of it."""
    users = {
        str(path.relative_to(ROOT))
        for folder in ("frontend", "codegen")
        for path in (ROOT / folder).rglob("*.cpp")
        if re.search(r"as<Spawn>|\bSpawn \*|[!=]= ExprKind::Spawn\b", path.read_text())
    }
    assert users and all(
        user.startswith(("frontend/ast/", "frontend/parse/", "frontend/sema/")) for user in users
    ), users


@pytest.mark.parametrize("what", [
    r"while \((?:\w+ && )?\(?(\w+)->kind == ExprKind::Paren\)? \1 = ",                                # ignoreParens
    r"\b(\S+) == UnaryOp::PreInc \|\| \1 == UnaryOp::PreDec \|\|",                                       # isIncDec
    r'"\*", "/", "%", "\+"',                                                                         # spelling
    r"std::string decimal\(",
])
def test_questions_about_the_tree_are_answered_in_ast(what):
    users = {
        str(path.relative_to(ROOT))
        for folder in ("frontend", "codegen")
        for path in (ROOT / folder).rglob("*.cpp")
        if re.search(what, path.read_text())
    }
    assert users <= {"frontend/ast/query.cpp"}, users


# ----
# READMEs ---------------------------------------------------------------------------------------------------------------------

ROOMS = (
    [layer for layer in LAYERS if layer != "rt/abi"]
    + ["rt", "driver/tools"]
    + ["rt/" + room for room in RUNTIME if room not in ("sched", "cilk1")]
)


@pytest.mark.parametrize("room", ROOMS)
def test_a_rooms_readme_says_what_comes_in_and_out_and_names_its_files(room):
    """And what always holds there, what may not be done there, how to add the usual thing. The README of sema describes
    its folders."""
    folder = ROOT / room
    readme = folder / "README.md" if (folder / "README.md").exists() else folder.parent / "README.md"
    text = readme.read_text()
    for word in (r"\binput", r"\boutput", "invariant", "not\\s+here|not allowed here|may not be done", "to add|a new"):
        assert re.search(word, text, re.I), "%s does not say: %s" % (readme, word)
    stems = {
        path.stem for path in folder.iterdir() if path.suffix in (".cpp", ".h", ".c", ".py") and path.stem != "__init__"
    }
    families = tuple(re.findall(r"`(\w+)\*", text))  # `builtin*.cpp`
    unnamed = sorted(
        stem
        for stem in stems
        if not re.search(r"\b%s\b" % re.escape(stem), text) and not (families and stem.startswith(families))
    )
    assert not unnamed, "%s does not name %s" % (readme, ", ".join(unnamed))


def test_the_recipes_name_files_that_there_are():
    names = set(re.findall(r"`((?:[a-z_0-9]+/)+[\w.]*)`", (ROOT / "CONTRIBUTING.md").read_text()))
    assert len(names) > 30 and sorted(name for name in names if "NAME" not in name and not (ROOT / name).exists()) == []


# ---- the grammar ----------------------------------------------------------------------------------------------------

def test_decisions_of_every_expression_look_at_one_token():
    text = (BUILD / "gen/CilkParser.cpp").read_text()
    for rule in ("assignmentExpression", "castExpression", "postfix", "expression"):
        body = re.search(r"^CilkParser::\w+Context\* CilkParser::%s\(\) \{.*?^\}" % rule, text, re.M | re.S)
        assert body and "adaptivePredict" not in body[0], rule


# ----
# length ----------------------------------------------------------------------------------------------------------------------

# Tables: a dispatch by kind, with a row for each.
LONG: "dict[str, list[str]]" = {}


def lengths(text):
    """(lines, name) of every function of a formatted C++ file: it ends at the brace in its own column."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        while re.match(r" {4,}\S.*\) \{$", line) and i and re.search(r"[,(]$", lines[i - 1]):
            i -= 1
            line = lines[i].rstrip() + " " + line.strip()
        match = re.match(r"( {0,4})(?:\S.*)?[\w>&*] ?\S*\)(?: const| noexcept| override| final)*(?: : .*)? \{$", line)
        if (
            not match
            or re.match(r"\s*(?:\}|if|for|while|switch|else|case|do|return|namespace|struct|class)\b|\s*\}", line)
            or re.search(r"\]\(.*\{$|= \{$", line)
        ):
            continue
        end = next((j for j in range(i + 1, len(lines)) if lines[j] in (match[1] + "}", match[1] + "};")), i)
        name = re.search(r"([\w:~]+)\(", line)
        yield end - i + 1, name[1] if name else line.strip()


def test_no_function_is_longer_than_a_page_or_two():
    found, count = {}, 0
    for path in sorted(
        path for folder in ("frontend", "codegen", "driver/cilkc1") for path in (ROOT / folder).rglob("*.cpp")
    ):
        name = str(path.relative_to(ROOT))
        for length, function in lengths(path.read_text()):
            count += 1
            if length > 120:
                found.setdefault(name, []).append(function)
    assert count > 1000 and found == LONG, (count, found)
