"""editors/tree-sitter: the parser that its grammar makes reads the programs of this tree without an error.

The generator (editors/tree-sitter/generate) is compiled once, into .deps. tree-sitter's own library runs the parser.
"""

import ctypes

import pytest
import tree_sitter

from conftest import ROOT, command, need

pytestmark = pytest.mark.tier("all")

HERE = ROOT / "editors" / "tree-sitter"
SUFFIXES = (".cilk", ".cilkh", ".cilk1", ".cilk1h")
# What only the preprocessor can read (docs/editors.md).
UNREADABLE = {
    "tests/run/arguments-many-on-the-stack.cilk",       # the elements that a macro makes come first in a list
    "tests/run/library-macros.cilk",                    # a macro around the header of a function
    "tests/run/main-void.cilk",                         # a header in both branches of an #ifdef
    "tests/run/pragma-lang.cilk",                       # words of Cilk are names after #pragma lang
    "tests/run/receiver-selected.cilk",                 # a value is stored into a _Generic
    "tests/run/the-closure-is-taken-after-code-that-may-not-go-on.cilk",      # a macro in place of statements
}


def made(*words, **keywords):
    result = command(words, timeout=900, **keywords)
    assert result.status == 0, str(result)


@pytest.fixture(scope="module")
def language(tmp_path_factory):
    need("cargo", "node", "cc")
    assert (HERE / "node_modules").is_dir(), "the packages of editors/tree-sitter are not here: run `make test-tools`"
    target, out = ROOT / ".deps" / "tree-sitter", tmp_path_factory.mktemp("tree-sitter")
    made(
        *("cargo", "run", "--quiet", "--locked", "--release", "--manifest-path", HERE / "generate" / "Cargo.toml"),
        *("--target-dir", target, "--", HERE, out),
    )
    made("cc", "-w", "-O0", "-shared", "-fPIC", "-I", out, out / "parser.c", "-o", out / "cilk.so")
    function = ctypes.CDLL(str(out / "cilk.so")).tree_sitter_cilk
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return tree_sitter.Language(capsule(function(), b"tree_sitter.Language", None))


def mistakes(node):
    """The places where the text does not fit the grammar."""
    if node.is_error or node.is_missing:
        return [node]
    return [found for child in node.children if child.has_error for found in mistakes(child)]


def programs():
    for folder in ("samples", "tests/run", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path


def test_every_program_of_the_tree_is_read_without_an_error(language):
    parser, found, read = tree_sitter.Parser(language), [], 0
    for path in programs():
        text, name, read = path.read_bytes(), str(path.relative_to(ROOT)), read + 1
        wrong = mistakes(parser.parse(text).root_node)
        if bool(wrong) != (name in UNREADABLE):
            found.append("%s:%s" % (name, wrong[0].start_point.row + 1 if wrong else " is read"))
    assert read > 200 and not found, "\n".join(found)


def test_the_highlights_name_nodes_of_the_grammar(language):
    query = tree_sitter.Query(language, (HERE / "queries" / "highlights.scm").read_text())
    text = (ROOT / "samples" / "inlets.cilk").read_bytes()
    found = tree_sitter.QueryCursor(query).captures(tree_sitter.Parser(language).parse(text).root_node)
    words = {node.text.decode() for name, nodes in found.items() if name.startswith("keyword") for node in nodes}
    assert {"cilk", "inlet", "spawn", "sync"} <= words, found
