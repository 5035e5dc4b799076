"""Rows of constants in initialisers: their values, their diagnostics, and their cost.

A row of 32 plain constants or more goes through the front end in one piece (frontend/ast/run.h). So every table here
is compiled twice: as it is, and with each constant in parentheses, which is not a plain constant; and its values
are compared with those of gcc.
"""

import random
import re

import pytest

from conftest import BUILD, CILKC, UNDER_ASAN, command, compiled

pytestmark = pytest.mark.tier("check")

R = random.Random(11)


def number(bits, signed):
    """A constant of some spelling that fits, and its value."""
    value = R.choice([0, 1, 7, R.randrange(1 << R.randrange(1, bits - signed + 1))]) % (1 << (bits - signed))
    text = R.choice([str(value), hex(value), oct(value).replace("0o", "0"), hex(value).upper().replace("X", "x")])
    if signed and R.random() < 0.3 and not text.startswith("0"):
        return "-" + text
    if value < 1 << 31 and R.random() < 0.1:
        return R.choice(["'a'", "'\\n'", "'\\0'", "'\\''", "' '"])
    return text + (R.choice(["", "", "u", "UL", "ll", "LLU"]) if R.random() < 0.2 else "")


def floating(_bits, _signed):
    return R.choice(["", "-"]) + R.choice(
        [f"{R.random() * 100:.6f}", f"{R.random():.3e}", "1.", ".5", "3", "0x10", "2.5f", "1e30f", "7e-3"]
    )


ELEMENTS = [
    ("unsigned char", 8, 0, number),
    ("signed char", 8, 1, number),
    ("short", 16, 1, number),
    ("unsigned short", 16, 0, number),
    ("int", 32, 1, number),
    ("unsigned", 32, 0, number),
    ("long", 64, 1, number),
    ("unsigned long long", 64, 0, number),
    ("double", 64, 1, floating),
    ("float", 64, 1, floating),
    ("_Bool", 1, 0, lambda *_: R.choice(["0", "1", "1", "2"])),
    ("long double", 64, 1, floating),
    ("enum { A, B, C }", 2, 0, number),
    ("unsigned char", 8, 0, lambda *_: R.choice(["-1", "255", "256", "0x7f", "1.5", "'x'"])),
]


def row(element, n):
    _, bits, signed, make = element
    return ", ".join(make(bits, signed) for _ in range(n))


def shapes(element):
    """Initialisers with rows in all manner of places."""
    name = element[0]
    yield f"{name} @[] = {{ {row(element, 100)} }};"
    yield f"static const {name} @[150] = {{ {row(element, 60)}, [100] = {row(element, 40)}, [10] = {row(element, 1)} }};"
    yield f"{name} @[4][50] = {{ {{ {row(element, 50)} }}, {{ {row(element, 33)} }}, [3] = {{ [5] = {row(element, 40)} }} }};"
    yield f"{name} @[7][13] = {{ {row(element, 91)} }};"
    yield f"struct {{ {name} a[35], b; {name} c[3]; }} @[] = {{ {row(element, 39 * 2)}, {{ {{ {row(element, 35)} }}, {row(element, 1)} }} }};"
    yield f"struct {{ {name} a, b; }} @[40] = {{ {row(element, 64)} }};"
    yield f"{name} @[200] = {{ [0 ... 99] = {row(element, 1)}, {row(element, 50)}, [20 ... 29] = {row(element, 45)}, {row(element, 2)}, }};"
    yield f"{name} @[3][40] = {{ [0 ... 1] = {{ {row(element, 40)} }}, [1][7] = {row(element, 1)} }};"


def program(kind):
    R.seed(kind)
    element = ELEMENTS[kind]
    tables = [t.replace("@", f"t{i}", 1) for i, t in enumerate(shapes(element))]
    if kind == 12:
        tables = [t.replace("enum { A, B, C }", "enum e") for t in tables]
    local = [t.removeprefix("static const ").replace("enum { A, B, C }", "enum e") for t in tables]
    names = range(len(tables))
    show = "".join(f"  dump(\"t{i}\", &t{i}, sizeof t{i});\n" for i in names)
    return (
        "#include <stdio.h>\nenum e { A, B, C };\n"
        "static void dump(const char *name, const void *p, unsigned long n) { const unsigned char *b = p; unsigned long h = n, i; "
        + (
            "for (i = 0; i < n; i++) if (i % 16 < 10) h = h * 31 + b[i]; "
            if element[0] == "long double"
            else "for (i = 0; i < n; i++) h = h * 31 + b[i]; "
        )
        + 'printf("%s %lu %lx\\n", name, n, h); }\n'
        + "\n".join(tables)
        + "\nstatic void locals(void) {\n"
        + "\n".join(local)
        + "\n"
        + show
        + "}\nint main(void) {\n"
        + show
        + "  locals();\n  return 0;\n}\n"
    )


def constants_in_parentheses(text):
    """No constant of an initialiser is plain any more; designators are left alone."""
    def one(m):
        return m.group(1) + "(" + m.group(2) + ")"

    return re.sub(
        r"((?:^|[{,=])\s*)(-?(?:0[xX][0-9a-fA-F]+[uUlL]*|[0-9.][0-9.eE+-]*[uUlLfF]*|'(?:\\.|[^\\'])'))(?=\s*[,}])",
        one,
        text,
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", range(len(ELEMENTS)))
def test_values_are_those_of_gcc(kind, tmp_path):
    (tmp_path / "t.c").write_text(program(kind))
    compiled(["gcc", "-w", "t.c", "-o", "theirs"], cwd=tmp_path)
    expected = compiled([tmp_path / "theirs"]).out
    for level in "-O0", "-O2":
        compiled([CILKC, "-w", level, "t.c", "-o", "ours"], cwd=tmp_path)
        assert compiled([tmp_path / "ours"]).out == expected


WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wfloat-conversion", "-Woverride-init"]


def said(text, tmp_path, *flags):
    """Line, code and text of every message; columns differ by the parentheses."""
    (tmp_path / "t.c").write_text(text)
    result = command([CILKC, "check", *WARNINGS, *flags, "t.c"], cwd=tmp_path)
    return result.status, re.findall(r"^t\.c:(\d+):\d+: (.*)$", result.err, re.M)


@pytest.mark.sample(3)
@pytest.mark.parametrize("flags", [(), ("-std=c17", "-pedantic")], ids=["gnu", "pedantic"])
@pytest.mark.parametrize("kind", range(len(ELEMENTS)))
def test_messages_are_those_for_single_constants(kind, flags, tmp_path):
    text = program(kind)
    parenthesised = constants_in_parentheses(text)
    assert parenthesised.count("(") > text.count("(") + 1000
    assert said(text, tmp_path, *flags) == said(parenthesised, tmp_path, *flags)


MISTAKES = [
    "int a[40] = {" + "1, " * 50 + "};",  # too many
    "int a = {" + "1, " * 50 + "};",
    "struct { int a, b; } s = {" + "1, " * 50 + "};",
    'char a[] = {"abc", ' + "1, " * 50 + "};",
    "int n = 3; void f(void) { int a[n] = {" + "1, " * 50 + "}; }",
    "int *a[50] = {" + "0, " * 49 + "1 };",
    "int a[] = {" + "1, " * 50 + "x };",
    "int a[] = {" + "1, " * 50 + ", 2 };",
    "int a[] = {" + "1, " * 50 + "1x, " + "2, " * 50 + "};",
    "int a[] = {" + "1, " * 50 + "089, 12345678901234567890, 0b12 };",
    "int a[] = {" + "1, " * 50,
    "int a[] = {" + "1, " * 50 + "2;\nint b;",
    "int f(void) { return {" + "1, " * 50 + "2}; }",
    "void f(void) { " + "1, " * 50 + "2; }",
    "int a[] = {" + "1, " * 50 + "[3] 4, [200] = 5, " + "6, " * 40 + "};",
    "struct { int n; int a[]; } s = { 1, {"
    + "1, " * 50
    + "} }; void f(void) { struct { int n; int a[]; } s = { 1, {"
    + "1, " * 50
    + "} }; }",
    "typedef int v4 __attribute__((vector_size(16))); v4 v = {" + "1, " * 50 + "};",
]


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_mistakes_around_rows(mistake, tmp_path):
    """The same errors at the same places as where the rows are too short to be rows: all 50 are one place for a reader,
    so lines and texts are compared."""
    text = MISTAKES[mistake]
    assert said(text, tmp_path) == said(
        text.replace("1, " * 50, "(1), " * 50).replace("2, " * 50, "(2), " * 50), tmp_path
    )


def test_a_message_points_at_the_constant(tmp_path):
    (tmp_path / "t.c").write_text("unsigned char a[] = {\n" + "1, 2, 3,\n" * 20 + "4, 300, 5,\n" + "6,\n" * 40 + "};\n")
    result = command([CILKC, "check", "t.c"], cwd=tmp_path)
    assert "t.c:22:4: warning:" in result.err and "300" in result.err


def test_a_table_takes_few_bytes_for_each_element(tmp_path):
    """Counted: tokens, and the bytes of the tree. (What is resident at most beyond that of an empty file is mostly the
    text and its image.)"""
    n = 200_000
    (tmp_path / "t.i").write_text(
        "unsigned char a[] = {\n"
        + "0x10, 32, 'x', 255,\n" * (n // 4)
        + "};\ndouble d[] = {"
        + "1.5, -2e3, 4,\n" * (n // 3)
        + "};\n"
    )
    result = compiled([BUILD / "cilkc1", "--time-report", "t.i", "-o", "t.o"], cwd=tmp_path)
    tokens = int(re.search(r"(\d+) tokens,", result.err).group(1))
    (tmp_path / "empty.i").write_text("int x;\n")
    empty = compiled([BUILD / "cilkc1", "--time-report", "empty.i", "-o", "t.o"], cwd=tmp_path)
    (tree, resident), (_, least) = (
        [float(x) for x in re.search(r"([0-9.]+) MB of tree, ([0-9.]+) MB resident", said.err).groups()]
        for said in (result, empty)
    )
    assert tokens < 1000
    assert tree * 1e6 < 12 * n
    assert resident - least < 120 or UNDER_ASAN
