"""The table of diagnostics: every code is explained, and every code has a test; JSON output is JSON."""

import json
import re

import pytest

from conftest import BUILD, CILKC, ROOT, TESTS, command

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
    missing = [code for code in table() if command([BUILD / "cilkc1", "--explain=" + code]).status != 0]
    assert not missing, "no explanation: " + ", ".join(missing)


def test_codes_are_slugs():
    for code in table():
        assert re.fullmatch(r"[a-z][a-z0-9+=.-]*", code), code


def test_every_code_has_a_test():
    """untested-codes.txt lists the codes that still wait for a test. It may only shrink: a new code needs a test, and a code that gets one leaves the list."""
    text = "".join(path.read_text("utf-8", "replace") for folder in ("errors", "check", "c", "run", "elide")
                   for path in (TESTS / folder).rglob("*") if path.is_file())
    text += "".join(path.read_text() for path in TESTS.glob("test_*.py"))
    words = set(re.findall(r"[a-z][a-z0-9+=.-]*", text))
    missing = {code for code in table() if code not in words}
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
    for text, advice in (("cilk_sync;", "Cilk-5 writes `sync`"), ("x = cilk_spawn(3);", "Cilk-5 writes `spawn`"),
                         ("cilk_for (int i = 0; i < 3; i++) ;", "<par.cilkh> has par_for"), ("cilk_spawn main();", "Cilk-5 writes `spawn`")):
        source = tmp_path / "other.cilk"
        source.write_text("cilk int main(void)\n{\n    int x = 0;\n    %s\n    return x;\n}\n" % text)
        result = command([CILKC, "check", source])
        assert advice in result.err, "%s\n%s" % (text, result)
