"""Plain English: comments, messages, documentation and the names of tests use the words of the field.

How it works: every tracked text is reduced to its prose. The prose of code is its comments and string literals. The
prose of a page is the whole page without its code blocks. The words of the names of tests and of their files are prose,
too. PATTERNS lists expressions that are no English of the field. Sentences may be as long as the thought, but a page's
mean stays readable, and a sentence that could not be said in one breath is found.
"""

import ast
import io
import re
import subprocess
import tokenize

import pytest

from conftest import ROOT

pytestmark = pytest.mark.tier("check")

# name: expression. What to write instead is in CONTRIBUTING.md.
PATTERNS = {
    "in-front-of": r"\bin front of\b",
    "that-one": r"\b(?:that|this) one\b",
    "nobody": r"\bnobody\b",
    "nothing-is-said": r"\b(?:is|are|be|was) said\b",
    "as-ever": r"\bas ever\b",
    "shall": r"\bshall\b",
    "all-the-same": r"\ball the same\b",
    "on-the-average": r"\bon the average\b",
    "let-loose": r"\blet loose\b",
    "there-are": r"\b(?:that there (?:is|are)|those there are)\b",
    "of-which-each": r"\bof (?:which|whom) each\b",
    "go-with": r"\b(?:do|does) not go with\b|\b(?:go|goes) with (?:no|another)\b",    # cannot be used with
    "whosever": r"\bwhosever\b",
    "of-first": r"(?:\"{3}|//|/\*|#) *(?-i:Of)\b",             # a comment that begins without its noun
}
EXPRESSIONS = {name: re.compile(text, re.I) for name, text in PATTERNS.items()}

CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*\"""", re.S)
SCRIPT = re.compile(r"""#[^\n]*|\"{3}.*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
HASH = re.compile(r"#[^\n]*")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
KINDS = {".c": CODE, ".h": CODE, ".cpp": CODE, ".def": CODE, ".g4": CODE, ".js": CODE, ".css": CODE, ".S": CODE,
         ".cilk": CODE, ".cilkh": CODE, ".cilk1": CODE, ".pml": CODE, ".weak": HASH,
         ".py": SCRIPT, ".sh": SCRIPT, ".toml": SCRIPT, "Makefile": SCRIPT,
         ".md": None, ".txt": None}
# Not prose of ours: what tools print, history, and this file.
LEFT_OUT = re.compile(
    r"^(LICENSE|CHANGELOG\.md|tests/house/test_english\.py|.*\.expected.*|.*/args\.txt"
    r"|tests/(clones|plan|check|programs|stress)/.*\.txt|docs/glossary\.md|CONTRIBUTING\.md)$"
)


def prose(name, text):
    """The part of a text that people read, with the line numbers kept."""
    kind = KINDS["Makefile" if name.endswith("Makefile") else name[name.rfind("."):]]
    if kind is None:
        return FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)
    kept, end = [], 0
    for piece in kind.finditer(text):
        kept.append("\n" * text.count("\n", end, piece.start()))
        kept.append(piece.group() + " ")
        end = piece.end()
    return "".join(kept)


def names_of_tests(name, text):
    """The words in the name of a test's file, and of the tests that it defines."""
    named = re.findall(r"^def (test_\w+)|^(?:SCENARIO|TEST)\((\w+)\)", text, re.M)
    return [re.sub(r"[-_./]", " ", n) for n in [name[name.rfind("/") + 1:], *map("".join, named)]]


def texts():
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split("\n")
    for name in sorted(names):
        known = name.endswith("Makefile") or name[name.rfind("."):] in KINDS
        if name and known and not LEFT_OUT.match(name) and (ROOT / name).is_file():
            yield name


def hits(text):
    """(pattern, place) of everything that the guideline replaces."""
    for name, expression in EXPRESSIONS.items():
        for found in expression.finditer(text):
            yield name, found.start()


# ---- the length of sentences ----

MOST_WORDS, MOST_ON_AVERAGE = 40, 20
OF_CODE = re.compile(r"/\*(.*?)\*/|((?:^[ \t]*//[^\n]*\n)+)", re.S | re.M)
WITH_COMMENTS = (".c", ".h", ".cpp", ".js", ".cilk", ".cilk1", ".pml")
SHORTENED = re.compile(r"`[^`]*`|\]\([^)]*\)")               # code, and where a link leads
TABLE = re.compile(r"[^\s.:;?!)] {2,}\S|\\b")                 # columns; click's mark of a text that keeps its lines


def comments(name, text):
    """(line, text) of each comment or docstring of code; a page is one."""
    if name.endswith(".md"):
        lines = FENCE.sub("", text).split("\n")
        yield 1, "\n".join(line for line in lines if not line.startswith(("|", "    ")))
    elif name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
                yield node.body[0].lineno, ast.get_docstring(node)
        last, block = 0, []             # lines of comments alone are one text
        for token in tokenize.generate_tokens(io.StringIO(text + "\n# \n").readline):
            if token.type == tokenize.COMMENT:
                alone = token.line.lstrip().startswith("#")
                if token.start[0] != last + 1 or not alone:
                    yield last, "\n".join(block)
                    block = []
                last = token.start[0] if alone else 0
                block.append(token.string.lstrip("# "))
    elif name.endswith(".weak"):
        head = re.match(r"(?:#[^\n]*\n)*", text)[0]
        yield 1, re.sub(r"^# ?", "", head, flags=re.M)
    elif name.endswith(WITH_COMMENTS):
        for found in OF_CODE.finditer(text):
            body = found[1] if found[1] is not None else found[2]
            yield text.count("\n", 0, found.start()) + 1, re.sub(r"^[ \t]*(?://|\* ?)", "", body, flags=re.M)


def sentences(text):
    """What ends at a full stop, a colon or a semicolon. A list after a colon is no sentence."""
    for part in re.split(r"\n\s*\n|\n\s*(?=[-*] |\d+\. |#)", text):
        if not TABLE.search(part):
            for one in re.split(r"(?<=[.:;?!])\s+|(?<=[.?!]\))\s+", SHORTENED.sub("X", part).strip()):
                if one and (one[:1].isupper() or one.count(",") < 3):
                    yield " ".join(one.split())


def words_in(sentence):
    return sum(bool(re.search("[A-Za-z]", word)) for word in sentence.split())


def test_sentences_have_40_words_at_most():
    found = []
    for name in texts():
        for line, text in comments(name, (ROOT / name).read_text("utf-8", "replace")):
            found += ["%s:%d: %s" % (name, line, one) for one in sentences(text) if words_in(one) > MOST_WORDS]
    assert not found, "\n".join(found)


def means_of_pages():
    """{page: how many words its sentences have on average}."""
    means = {}
    for name in texts():
        if name.endswith(".md"):
            lengths = [
                words_in(one)
                for _, text in comments(name, (ROOT / name).read_text("utf-8", "replace"))
                for one in sentences(text)
            ]
            means[name] = sum(lengths) / max(1, len(lengths))
    return means


def test_pages_can_be_read():
    means = means_of_pages()
    assert len(means) > 30 and not {name: mean for name, mean in means.items() if mean > MOST_ON_AVERAGE}


def test_long_sentences_are_found():
    long = "The worker " + "that waits for it " * 6 + "runs."
    for name, text in (("a.c", "/* %s */"), ("a.cpp", "// %s\n"), ("a.py", "# %s\n"), ("a.py", '"""%s"""'), ("a.md", "* %s")):
        found = [one for _, body in comments(name, text % (long + " It ends.")) for one in sentences(body)]
        assert [words_in(one) for one in found] == [27, 2], (name, found)
    assert not list(sentences("x, " * 30))


def test_the_guideline_is_kept():
    found = []
    for name in texts():
        whole = (ROOT / name).read_text("utf-8", "replace")
        text = prose(name, whole)
        found += ["%s:%d: %s" % (name, text.count("\n", 0, at) + 1, pattern) for pattern, at in hits(text)]
        for words in names_of_tests(name, whole) if name.startswith("tests/") else []:
            found += ["%s: %s in the name \"%s\"" % (name, pattern, words) for pattern, _ in hits(words)]
    assert not found, "CONTRIBUTING.md, \"English\", says what to write instead:\n" + "\n".join(found)


@pytest.mark.parametrize("text, pattern", [
    ("// It is in front of the lock.", "in-front-of"), ("/* it runs all the same */", "all-the-same"),
    ("that one is taken", "that-one"), ("where nobody steals", "nobody"), ("the file shall exist", "shall"),
    ("-x does not go with it", "go-with"), ("/* Of two pointees: the lesser. */", "of-first")])
def test_each_expression_is_found(text, pattern):
    assert [name for name, _ in hits(text)] == [pattern]


@pytest.mark.parametrize("text", ["students who write", "it stands below", "the message tells why", "the rest lies behind it"])
def test_plain_words_are_left_alone(text):
    assert not list(hits(text))


def test_code_is_no_prose():
    assert not list(hits(prose("a.cpp", "int nobody(int shall) { return anyway; }")))
    assert [name for name, _ in hits(prose("a.py", "shall(1)   # it shall"))] == ["shall"]


def test_names_of_tests_are_read():
    text = "def test_it_shall_wait():\n    pass\n\n\nSCENARIO(that_one_waits)\nTEST(nobody_steals)\n"
    found = [name for words in names_of_tests("tests/as_ever.c", text) for name, _ in hits(words)]
    assert found == ["as-ever", "shall", "that-one", "nobody"]
