"""tests/check: what the stages print.

`// AST` in a file's first line: `cilkc emit --stage ast` prints NAME.ast.txt; with `// AST: text` NAME.ast.txt has what
comes from the first line on that begins with the text. So the declarations that every .cilk file begins with are left
out.

`// RUN: words` calls cilkc (%s is the file), `// CHECK: text` must appear in its output, in that order.
`// CHECK-NOT: text` must not appear at all; `// STATUS: n` is the exit status (0).  Text between {{ and }} is a
regular expression.  Both output streams count.
"""

import re
import shlex

import pytest

from conftest import CILKC, ROOT, command, files, no_internal_error

pytestmark = pytest.mark.tier("check")

SOURCES = files("tests/check/*.c", "tests/check/*.cilk", "tests/check/*.cilk1")
TREES = [param for param in SOURCES if param.values[0].read_text().startswith("// AST")]


def pattern(text):
    parts = re.split(r"\{\{(.*?)\}\}", text.strip())
    return "".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts))


@pytest.mark.parametrize("path", TREES)
def test_tree(path, tmp_path, rewrite):
    result = command([CILKC, "emit", "--stage", "ast", path], cwd=tmp_path)
    assert result.status == 0 and result.err == "", str(result)
    start = re.match(r"// AST: (.*)", path.read_text())
    text = result.out[re.search("^" + re.escape(start.group(1)), result.out, re.M).start():] if start else result.out
    text = re.sub(r"builtin=\d+", "builtin", text)       # numbers that every new builtin shifts
    golden = path.with_name(path.name + ".ast.txt")
    if rewrite:
        golden.write_text(text)
    assert text == golden.read_text(), str(result)


# How the printer calls the kinds that it does not call by their own names.
PRINTED = {
    "IntLit": "Int",
    "FloatLit": "Float",
    "CharLit": "Char",
    "StringLit": "String",
    "SizeofExpr": "Sizeof",
    "SizeofType": "Sizeof",
    "AlignofExpr": "Alignof",
    "AlignofType": "Alignof",
    "Decl": "Var",
    "Thread": "ThreadSpawn",
    "Send": "SendArgument",
}


def test_every_kind_of_node_is_in_some_tree():
    """A node that is added to the AST gets a golden text, too."""
    table = (ROOT / "frontend" / "ast" / "nodes.def").read_text()
    printed = "".join(param.values[0].with_name(param.values[0].name + ".ast.txt").read_text() for param in TREES)
    kinds = re.findall(r"^(?:EXPR|STMT)\((\w+)", table, re.M)
    assert len(kinds) > 50
    missing = [
        kind
        for kind in kinds
        if kind != "Error" and not re.search(r"^\s*%s\b" % PRINTED.get(kind, kind), printed, re.M)
    ]
    assert missing == []


@pytest.mark.parametrize("path", [param for param in SOURCES if param not in TREES])
def test_check(path, tmp_path):
    text = path.read_text()
    calls = re.findall(r"RUN:\s*(.*?)\s*(?:\*/)?$", text, re.M)
    assert calls, "no RUN: line"
    status = re.search(r"STATUS:\s*(\d+)", text)
    output = ""
    for call in calls:
        words = [word.replace("%s", str(path)).replace("%t", str(tmp_path / "out")) for word in shlex.split(call)]
        result = command([CILKC] + words, cwd=tmp_path)
        no_internal_error(result)
        assert result.status == (int(status.group(1)) if status else 0), str(result)
        output += result.out + result.err
    at = 0
    for kind, wanted in re.findall(r"(CHECK|CHECK-NOT):\s*(.*?)\s*(?:\*/)?$", text, re.M):
        if kind == "CHECK-NOT":
            assert not re.search(pattern(wanted), output), "found %r in\n%s" % (wanted, output)
            continue
        found = re.compile(pattern(wanted)).search(output, at)
        assert found, "%r does not follow in\n%s" % (wanted, output[at:][:8000])
        at = found.end()
