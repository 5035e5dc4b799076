"""The examples of `cilkc explain`: the wrong ones get the diagnostic that they explain, the right ones do not."""

import re

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("check")

TEXTS = [(ROOT / "frontend" / "source" / name).read_text() for name in ("explain.txt", "explain_parse.txt")]
CILK_WORDS = re.compile(r"\b(cilk|cilk_\w+|spawn|sync|inlet|SYNCHED|shared|private|Self|Cilk_alloca)\b")
CILK1_WORDS = re.compile(r"\b(thread|cont)\b")
# A second name for warnings whose example is about another one of the same name.
QUIET = ["-Wno-unknown-warning-option", "-Wall", "-Wextra", "-pedantic", "-Wno-unused-parameter",
         "-Wno-strict-prototypes"]


def entries(text):
    for entry in re.split(r"^## ", text, flags=re.M)[1:]:
        code, _, body = entry.partition("\n")
        wrong, _, right = body.partition("\nRight:\n")
        yield code, wrong.partition("\nWrong:\n")[2], right.partition(')EXPLAIN"')[0]


ENTRIES = {code: (wrong, right) for text in TEXTS for code, wrong, right in entries(text)}
# Not about text that a file of C can contain: how a file is named, stored or written by another program; what the
# preprocessor sees first.
NOT_TEXT = ["cilk-word-in-c", "cilk-file-in-c-mode", "invalid-utf8", "nested-too-deeply", "unterminated-comment",
            "unterminated-literal"]
ALONE = {"backend", "attribute-error", "attribute-warning"}            # what is found after the analysis: they want -c
COMMANDS = NOT_TEXT + [code for code, (wrong, _) in ENTRIES.items() if wrong.strip().startswith("cilkc")]


def example(text):
    return "".join(line[4:] + "\n" if line.startswith("    ") else "\n" for line in text.strip("\n").split("\n"))


SHARED = [
    code
    for code in sorted(set(ENTRIES) - set(COMMANDS))
    if not any(re.match(r"/\* -\S+ \*/", example(text)) for text in ENTRIES[code])
]


def name_of(code, which, source):
    kind = "cilk1" if CILK1_WORDS.search(source) else "cilk" if CILK_WORDS.search(source) else "c"
    return "%s.%s.%s" % (code.replace("+", "plus"), which, kind)


def diagnostics(words, folder):
    result = command(words, cwd=folder, timeout=300)
    assert "internal error" not in result.err, str(result)
    return result.err


def judge(code, report, wrong, right):
    """The report is that of one command or of many, and its lines begin with the files' names."""
    lines = [line for line in report.splitlines() if " error: " in line or re.search(r"\[\S+\]$", line)]
    found = {name: [line for line in lines if line.startswith(name + ":")] for name in (wrong, right)}
    this = re.compile(r"\[(?:-W(?:error=)?)?%s\]$" % re.escape(code))
    assert any(map(this.search, found[wrong])), "the wrong example is not reported as [%s]\n%s" % (code, report)
    bad = [line for line in found[right] if this.search(line) or " error: " in line]
    assert not bad, "the right example of [%s] is not right\n%s" % (code, "\n".join(bad))


def written(code, folder):
    names = []
    for which, text in zip(("wrong", "right"), ENTRIES[code]):
        source = example(text)
        names.append(name_of(code, which, source))
        (folder / names[-1]).write_text(source)
    return names


PARTS = 24


@pytest.mark.sample(6, "test", 4)
@pytest.mark.parametrize("part", range(PARTS))
def test_examples(part, tmp_path):
    """Those that want no flags of their own share a command: another code's flag adds a warning, and takes none
    away."""
    codes = [code for code in SHARED if code not in ALONE][part::PARTS]
    names = {code: written(code, tmp_path) for code in codes}
    words = [CILKC, "-fsyntax-only", "-fmax-errors=0", *QUIET, *("-W" + code for code in codes)]
    report = diagnostics(words + [name for both in names.values() for name in both], tmp_path)
    for code, both in names.items():
        judge(code, report, *both)


@pytest.mark.sample(6)
@pytest.mark.parametrize("code", sorted(set(ENTRIES) - set(COMMANDS) - (set(SHARED) - ALONE)))
def test_example_with_flags_of_its_own(code, tmp_path):
    names = written(code, tmp_path)
    report = ""
    for name in names:
        flags = re.match(r"/\* (-\S+) \*/", (tmp_path / name).read_text())
        words = [CILKC, "-c" if code in ALONE else "-fsyntax-only", *QUIET, "-W" + code] + (
            [flags.group(1)] if flags else []
        )
        report += diagnostics(words + [name], tmp_path)
    judge(code, report, *names)


def test_entries_are_complete():
    for code, (wrong, right) in ENTRIES.items():
        assert code in NOT_TEXT or wrong.strip() and right.strip(), code
    first = [code for code, _, _ in entries(TEXTS[0])]
    assert first == sorted(first)
