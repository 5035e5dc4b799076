"""tests/errors: each file's diagnostics are exactly those that its comments announce.

`// ERROR: code` is at the line of the error, `// ERROR: line:col code` anywhere; WARNING likewise.  Warnings are
compared only in files that announce some.  A file that announces nothing must be accepted.
"""

import re

import pytest

from conftest import CILKC, Notes, command, files, no_internal_error
from tiers import chosen

pytestmark = pytest.mark.tier("check")

ANNOUNCED = re.compile(r"(ERROR|WARNING):\s*(?:(\d+):(\d+)\s+)?([a-z][\w.+-]*)")
BEGUN = re.compile(r"\b(?:ERROR|WARNING):")
PRINTED = re.compile(r"^(.*?):(\d+):(\d+): (fatal error|error|warning): .*\[([^\]\s]+)\]$", re.M)


def announced(text):
    """{'error': [(line, column or None, code)], 'warning': [...]}"""
    result = {"error": [], "warning": []}
    for number, line in enumerate(text.splitlines(), 1):
        for kind, at, column, code in ANNOUNCED.findall(line):
            place = (int(at), int(column)) if at else (number, None)
            result[kind.lower()].append(place + (code,))
        assert len(BEGUN.findall(line)) <= len(ANNOUNCED.findall(line)), "line %d: neither code nor line:col code" % number
    return result


def matches(expected, got):
    """One to one, in any order; a column is compared only where it is announced."""
    left = list(got)
    missing = []
    for line, column, code in expected:
        for candidate in left:
            if candidate[0] == line and candidate[2] == code and column in (None, candidate[1]):
                left.remove(candidate)
                break
        else:
            missing.append((line, column, code))
    return missing, left


def errors_of(result):
    return sorted(
        (int(line), int(column), code) for _, line, column, kind, code in PRINTED.findall(result.err) if "error" in kind
    )


@pytest.mark.parametrize("path", files("tests/errors/*.cilk", "tests/errors/*.cilk1", "tests/errors/*.c"))
def test_diagnostics(path, tmp_path):
    notes = Notes(path)
    expected = announced(notes.text)
    result = command([CILKC, "check", "--max-errors=0"] + notes.flags + [path], cwd=tmp_path)
    no_internal_error(result)
    got = {"error": [], "warning": []}
    for _, line, column, kind, code in PRINTED.findall(result.err):
        code = code.removeprefix("-W").removeprefix("-Werror=").removeprefix("error=")
        got["warning" if kind == "warning" else "error"].append((int(line), int(column), code))
    missing, extra = matches(expected["error"], got["error"])
    assert not missing and not extra, "missing errors %s, unannounced errors %s\n%s" % (missing, extra, result)
    if expected["warning"]:
        missing, extra = matches(expected["warning"], got["warning"])
        assert not missing and not extra, "missing warnings %s, unannounced warnings %s\n%s" % (missing, extra, result)
    assert result.status == (1 if expected["error"] else 0), str(result)
    # Nothing is refused later than that: a file that passes compiles. Of those with errors a fourth shows it.
    if expected["error"] and chosen(path.name, range(4)):
        return
    made = command([CILKC, "-c", "-o", tmp_path / "out.o", "--max-errors=0"] + notes.flags + [path], cwd=tmp_path)
    no_internal_error(made)
    assert errors_of(made) == errors_of(result), str(made)
