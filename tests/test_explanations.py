"""The examples of `cilkc explain`: the wrong ones get the diagnostic that they explain, the right ones do not."""

import re

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("check")

TEXTS = [(ROOT / "frontend" / "source" / name).read_text() for name in ("explain.txt", "explain_parse.txt")]
CILK_WORDS = re.compile(r"\b(cilk|cilk_\w+|spawn|sync|inlet|SYNCHED|shared|private|Self|Cilk_alloca)\b")
CILK1_WORDS = re.compile(r"\b(thread|cont)\b")
# A second name for warnings whose example is about another one of the same name.
QUIET = ["-Wall", "-Wextra", "-pedantic", "-Wno-unused-parameter", "-Wno-strict-prototypes"]


def entries(text):
    for entry in re.split(r"^## ", text, flags=re.M)[1:]:
        code, _, body = entry.partition("\n")
        wrong, _, right = body.partition("\nRight:\n")
        yield code, wrong.partition("\nWrong:\n")[2], right.partition(')EXPLAIN"')[0]


ENTRIES = {code: (wrong, right) for text in TEXTS for code, wrong, right in entries(text)}
# Not about text that could stand in a file of C: how a file is named, stored or written by another program; what the preprocessor sees first.
NOT_TEXT = ["cilk-word-in-c", "cilk-file-in-c-mode", "invalid-utf8", "nested-too-deeply", "unterminated-comment", "unterminated-literal"]
COMMANDS = NOT_TEXT + [code for code, (wrong, _) in ENTRIES.items() if wrong.strip().startswith("cilkc")]


def example(text):
    return "".join(line[4:] + "\n" if line.startswith("    ") else "\n" for line in text.strip("\n").split("\n"))


def codes(code, text, folder):
    source = example(text)
    name = "example.cilk1" if CILK1_WORDS.search(source) else "example.cilk" if CILK_WORDS.search(source) else "example.c"
    (folder / name).write_text(source)
    flags = re.match(r"/\* (-\S+) \*/", source)
    words = [CILKC, "-c" if code in ("backend", "attribute-error", "attribute-warning") else "-fsyntax-only"]
    words += QUIET + ["-W" + code] + ([flags.group(1)] if flags else []) + [name]
    result = command(words, cwd=folder, timeout=120)
    assert "internal error" not in result.err, str(result)
    return re.findall(r"\[(?:-W(?:error=)?)?([^\]\s]+)\]$", result.err, re.M), result


@pytest.mark.sample(6)
@pytest.mark.sample(6)
@pytest.mark.parametrize("code", sorted(set(ENTRIES) - set(COMMANDS)))
def test_example(code, tmp_path):
    wrong, right = ENTRIES[code]
    found, result = codes(code, wrong, tmp_path)
    assert code in found, "the wrong example is not reported as [%s]\n%s" % (code, result)
    found, result = codes(code, right, tmp_path)
    assert code not in found and " error: " not in result.err, "the right example is not right\n%s" % result


def test_entries_are_complete():
    for code, (wrong, right) in ENTRIES.items():
        assert code in NOT_TEXT or wrong.strip() and right.strip(), code
    first = [code for code, _, _ in entries(TEXTS[0])]
    assert first == sorted(first)
