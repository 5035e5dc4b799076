"""The table of diagnostics: every code is explained, and every code has a test; JSON output is JSON."""

import json
import re

import pytest

from conftest import BUILD, CILKC, MODULES, ROOT, TESTS, command
from test_errors import ANNOUNCED

pytestmark = pytest.mark.tier("check")

# DIAG(id, Severity, "code", "message" ...
ENTRY = re.compile(r'DIAG\(\s*\w+\s*,\s*(\w+)\s*,\s*"([^"]+)"', re.S)


def table():
    """{code: severity} of all tables."""
    codes = {}
    for path in sorted((ROOT / "frontend" / "source").glob("*.def")):
        for severity, code in ENTRY.findall(path.read_text()):
            codes[code] = severity
    return codes


def test_there_is_a_table():
    assert len(table()) > 100


def test_every_code_is_explained():
    """The compiler finds an entry by its heading; the first, the last and one in 50 are asked for."""
    headings = {
        line[3:]
        for path in (ROOT / "frontend" / "source").glob("explain*.txt")
        for line in path.read_text().splitlines()
        if line.startswith("## ")
    }
    assert set(table()) <= headings, "no explanation: " + ", ".join(sorted(set(table()) - headings))
    codes = sorted(table())
    for code in {*codes[::50], codes[-1]}:
        result = command([BUILD / "cilkc1", "--explain=" + code])
        assert result.status == 0 and code in result.out, str(result)


def test_codes_are_slugs():
    for code in table():
        assert re.fullmatch(r"[a-z][a-z0-9+=.-]*", code), code


def expected_codes():
    """The codes that some test wants to see: a mark in tests/errors, a CHECK line, or in a test_*.py the code between
    brackets or as a whole string."""
    found = set()
    for path in (TESTS / "errors").rglob("*"):
        if path.is_file():
            found |= {code for _, _, _, code in ANNOUNCED.findall(path.read_text("utf-8", "replace"))}
    bracketed = r"\[(?:-W(?:error=)?)?([a-z][a-z0-9+=.-]*)\]"
    for path in (TESTS / "check").rglob("*"):
        if path.is_file():
            for line in re.findall(r"CHECK: .*", path.read_text("utf-8", "replace")):
                found |= set(re.findall(bracketed, line))
    for path in MODULES.values():
        found |= set(re.findall(bracketed, path.read_text())) | set(
            re.findall(r"""["']([a-z][a-z0-9+=.-]*)["']""", path.read_text())
        )
    return found


def test_every_code_has_a_test():
    """untested-codes.txt lists the codes that still wait for a test. It may only shrink: a new code needs a test, and a
    code that gets one leaves the list."""
    missing = set(table()) - expected_codes()
    waiting = set((TESTS / "untested-codes.txt").read_text().split())
    assert not missing - waiting, "no test: " + ", ".join(sorted(missing - waiting))
    assert not waiting - missing, "tested or gone, take them off the list: " + ", ".join(sorted(waiting - missing))


def test_json(cilkc, tmp_path):
    (tmp_path / "bad.c").write_text("int main(void) {\n    return undeclared;\n}\n")
    result = cilkc("check", "--diagnostics-format=json", "bad.c")
    assert result.status == 1
    entries = json.loads(result.err)
    assert len(entries) == 1, str(result)
    text = json.dumps(entries)
    assert "undeclared" in text and "bad.c" in text


def test_warnings_as_errors(cilkc, tmp_path):
    (tmp_path / "w.c").write_text("int main(void) { int unused; return 0; }\n")
    assert cilkc("-c", "w.c").status == 0
    assert "[unused-variable]" in cilkc("-Wall", "-c", "w.c").err.replace("-W", "")
    assert cilkc("-Wall", "-Werror", "-c", "w.c").status == 1
    assert cilkc("-Wall", "-Werror", "-Wno-unused-variable", "-c", "w.c").status == 0
    assert cilkc("-Wall", "-Werror", "-w", "-c", "w.c").status == 0


@pytest.mark.parametrize("limit", [1, 5])
def test_max_errors(limit, cilkc, tmp_path):
    (tmp_path / "many.c").write_text("".join("int f%d(void) { return x%d; }\n" % (i, i) for i in range(30)))
    result = cilkc("check", "--max-errors=%d" % limit, "many.c")
    assert result.status == 1 and result.err.count(": error: ") == limit, str(result)


def test_words_of_other_cilks_are_explained(tmp_path):
    """C without -fopencilk: the message names the flag."""
    for text, advice in (
        ("cilk_sync;", "'cilk_sync' is a word of OpenCilk: compile this file with -fopencilk"),
        ("x = cilk_spawn(3);", "-fopencilk"),
        ("cilk_for (int i = 0; i < 3; i++) ;", "'cilk_for' is a word of OpenCilk"),
        ("cilk_spawn main();", "'cilk_spawn' is a word of OpenCilk"),
    ):
        source = tmp_path / "other.c"
        source.write_text("int main(void)\n{\n    int x = 0;\n    %s\n    return x;\n}\n" % text)
        result = command([CILKC, "check", source])
        assert advice in result.err, "%s\n%s" % (text, result)


def test_loops_of_the_library_say_what_to_write():
    text = command([ROOT / "cilkc", "check", ROOT / "tests/errors/par-loops.cilk"]).err
    notes = re.findall(r"'(\w+)' takes a procedure: write `spawn \1\(\.\.\);`", text)
    bodies = re.findall(
        r"'(par_\w+)' of <par.cilkh> is a procedure. Define the body as a function, `(void body\([^)]*\))`", text
    )
    assert notes == ["par_for_cilk", "par_map_cilk"], text
    assert bodies == [("par_for", "void body(long i, void *context)")] * 4 + [
        ("par_for_range", "void body(long low, long high, void *context)")
    ], text


def test_codes_of_late_stages(cilkc, tmp_path):
    """What only elide, the code generator or the writer of the output can say."""
    (tmp_path / "inlet.cilk").write_text(
        "#include <cilk.h>\ncilk int g(int n) { return n; }\n"
        "cilk int f(int n)\n{\n    typedef int row[n];\n    int total = 0;\n    inlet void add(int v) { total += v + (int)sizeof(row); }\n"
        "    add(spawn g(n));\n    sync;\n    return total;\n}\n"
    )
    result = cilkc("elide", "inlet.cilk")
    assert (
        result.status == 1
        and "[elide-inlet]" in result.err
        and "'row' of variable length of the procedure: repeat its typedef in the inlet" in result.err
    ), str(result)
    (tmp_path / "wide.cilk").write_text(
        "cilk void g(int *p) { *p = 1; }\ncilk int f(void) { _Alignas(128) int a[4]; spawn g(a); sync; return a[0]; }\n"
    )
    result = cilkc("-c", "wide.cilk")
    assert result.status == 1 and "wide.cilk:2:38: error:" in result.err and "[unsupported]" in result.err, str(result)
    assert not (tmp_path / "wide.o").exists()
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n")
    result = command([BUILD / "cilkc1", "--lang=c", "f.c", "-o", "no-such-folder/f.o"], cwd=tmp_path)
    assert result.status == 1 and "[output-file]" in result.err, str(result)


def test_suggestions_stay_fast(cilkc, tmp_path):
    """10,000 names without a declaration, and 10,000 others that are like them."""
    names = ["name%05dx" % n for n in range(10000)]
    (tmp_path / "many.c").write_text(
        "".join("int %sy;\n" % n for n in names)
        + "int f(void) { return 0\n"
        + "".join("+ %s\n" % n for n in names)
        + "; }\n"
    )
    result = cilkc("check", "--max-errors=3", "many.c", timeout=300)
    assert result.status == 1 and "did you mean" in result.err, str(result)[:2000]


def test_undeclared_is_reported_once_per_function(cilkc, tmp_path):
    (tmp_path / "u.c").write_text("int f(void) { return x + x; }\nint g(void) { return x; }\n")
    assert cilkc("check", "u.c").err.count("'x' undeclared") == 2


@pytest.mark.parametrize("declaration", ["futures x = spawn f(1);", "future int x[2] = spawn f(1);", "int x[2] = spawn f(1);"])
def test_no_note_assigns_to_an_array(declaration, cilkc, tmp_path):
    """A spawn goes into an element of an array, so that is what the note says."""
    (tmp_path / "p.cilk").write_text("""cilk int f(int n) { return n; }
typedef future int futures[2];
cilk int g(void)
{
    %s
    return 0;
}
""" % declaration)
    said = cilkc("check", "p.cilk").err
    assert "initialiser" in said or "initialised" in said, said
    assert "x[..] = spawn f(..);`" in said and "x = spawn f(..);`" not in said, said


@pytest.mark.parametrize("function, note", [("main", "write `cilk` before main"), ("helper", "C code runs a cilk procedure through EXPORT(f)")])
def test_a_call_from_c_gets_a_note_on_what_to_write(function, note, cilkc, tmp_path):
    (tmp_path / "p.cilk").write_text("cilk int f(int n) { return n; }\nint %s(void) { return f(1); }\n" % function)
    assert note in cilkc("check", "p.cilk").err


@pytest.mark.parametrize("name, header", [
    ("Cilk_wait", "cilk-start.h"), ("Cilk_blocking_begin", "cilk-blocking.h"),
    ("Cilk_scheduler_register", "cilk-sched.h"), ("CILK_C_REDUCER_LAST_SET", "cilk/reducer_last.h"),
])
def test_the_header_of_a_name_of_the_library_is_named(name, header, tmp_path):
    (tmp_path / "a.cilk").write_text("cilk int main(void) { %s(0); return 0; }\n" % name)
    result = command([CILKC, "check", "a.cilk"], cwd=tmp_path)
    assert "include <%s> to declare '%s'" % (header, name) in result.err, str(result)


def test_a_missing_brace_is_looked_for_by_the_indentation(cilkc, tmp_path):
    """The error is at the end of the text, the note at the brace that is closed by a less indented one."""
    (tmp_path / "p.c").write_text(
        "int f(int n)\n{\n    while (n) {\n        if (n > 5) {\n            n--;\n        n--;\n    }\n    return n;\n}\n"
        "int g(void)\n{\n    return 1;\n}\n"
    )
    said = cilkc("check", "p.c").err
    assert re.search(r"^p\.c:4:20: note: the '}' of this '{' seems to be missing", said, re.M), said


def test_a_function_that_begins_inside_of_another_one_is_named(cilkc, tmp_path):
    """Where no brace is indented less than its own."""
    (tmp_path / "p.c").write_text("int f(int n)\n{\n    return n;\n\nint g(int n)\n{\n    return n;\n}\n")
    said = cilkc("check", "p.c").err
    assert re.search(r"^p\.c:5:1: note: this function begins inside of another one: is a '}' missing before it\?", said, re.M), said


@pytest.mark.parametrize("name, wanted", [("tree.h", "tree.cilkh"), ("dir/88.h", "88.cilkh"), ("own.c", "own.cilk")])
def test_a_file_with_cilk_text_gets_a_hint_of_its_name(name, wanted, cilkc, tmp_path):
    (tmp_path / "dir").mkdir()
    (tmp_path / name).write_text("cilk int f(int n);\n")
    (tmp_path / "p.c").write_text('#include "%s"\n' % name)
    result = cilkc("check", name if name.endswith(".c") else "p.c")
    assert "name the file %s, or give -x cilk" % wanted in result.err and result.status == 1, str(result)


NOTES = {
    "void f(int, char *);\nint g(void) { f(1); return 0; }": r"1:6: note: 'f' is declared here: `void f\(int, char \*\)`",
    "struct s { int n; struct s next; };": r"1:8: note: 'struct s' begins here, and is complete after its '}' only",
    "int f(void) { char c = \"a\"; return c; }": "note: a character is written in single quotes",
    "int f(int n) { int *p = n; return *p; }": "note: its address is written with a `&`",
    "int f(int *p) { int n = p; return n; }": r"note: what it points to is written with a `\*`",
    "int f(void); int g(void) { if (f) return 1; return 0; }": r"note: is the call 'f\(\)' meant\?",
}


@pytest.mark.parametrize("word, text", [
    ("false", "enum { false, true };"),
    ("true", "int true = 1;"),
    ("nullptr", "void f(int nullptr);"),
    ("static_assert", "int static_assert;"),
    ("bool", "typedef int bool;"),
    ("bool", "struct s { int bool; };"),
])
def test_a_name_that_c23_made_a_keyword_is_called_one(word, text, cilkc, tmp_path):
    """Also where the preprocessor replaces it; before C23 it is a name, or unknown."""
    (tmp_path / "p.c").write_text(text + "\n")
    said = cilkc("check", "-std=c23", "p.c").err
    assert re.search(r"'%s'(, which)? is a keyword in C23" % word, said) and said.count("error: ") == 1, said
    assert "keyword in C23" not in cilkc("check", "-std=c17", "p.c").err


def test_a_label_whose_address_is_refused_is_not_missed_too(cilkc, tmp_path):
    (tmp_path / "p.c").write_text("int main(void) { cilk_spawn &&nowhere; cilk_sync; return 0; }\n")
    said = cilkc("check", "-fopencilk", "p.c").err
    assert re.findall(r"error: .*\[(.*)\]", said) == ["cilk-label-address"], said


def test_the_lookup_of_the_compiler_of_opencilk_is_named(cilkc, tmp_path):
    (tmp_path / "p.c").write_text("int n; int main(void) { __hyper_lookup(&n); return 0; }\n")
    said = cilkc("check", "-fopencilk", "p.c").err
    assert "include <cilk/cilk_api.h> and write `__cilkrts_reducer_lookup(" in said, said


@pytest.mark.parametrize("text", NOTES)
def test_a_note_says_what_to_write(text, cilkc, tmp_path):
    (tmp_path / "p.c").write_text(text + "\n")
    said = cilkc("check", "-Wall", "p.c").err
    assert re.search(NOTES[text], said), said


def test_a_procedure_of_the_library_shows_its_declaration(cilkc, tmp_path):
    (tmp_path / "p.c").write_text("#include <cilk-sched.h>\nvoid f(Cilk_queue *q) { Cilk_queue_get(q); }\n")
    said = cilkc("check", "p.c").err
    assert re.search(r"note: 'Cilk_queue_get' is declared here: `", said), said


@pytest.mark.parametrize("spawn, flags, word", [("spawn", [], "`sync;`"), ("cilk_spawn", ["-fopencilk"], "`cilk_sync;`")])
def test_hints_name_the_statement_as_the_program_spells_it(spawn, flags, word, cilkc, tmp_path):
    kind = "" if flags else "cilk "
    name = "p.c" if flags else "p.cilk"
    text = "%sint f(int n) { return n; }\n%sint g(void) { int x; x = %s f(1); return x; }\n" % (kind, kind, spawn)
    (tmp_path / name).write_text(text.replace("return x; }", "x++; return x; }"))
    said = cilkc("check", *flags, name).err
    assert "write %s between the two" % word in said, said


def test_a_message_about_assembly_is_split_into_lines(cilkc, tmp_path):
    (tmp_path / "p.c").write_text('void f(void) { __asm__("nop\\n\\tno_such_thing\\n"); }\n')
    said = cilkc("-c", "p.c").err
    assert "<0A>" not in said and re.search(r"1:16: note: in this line: `no_such_thing`$", said, re.M), said
