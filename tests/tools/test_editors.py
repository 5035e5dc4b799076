"""editors/: the grammars know the words of grammar/CilkLexer.g4, and the client for Visual Studio Code speaks with the
server."""

import json
import re
import sys
import zipfile

import pytest

from conftest import CILKC, ROOT, command, need

pytestmark = pytest.mark.tier("check")

VSCODE = ROOT / "editors" / "vscode"
COLOURED = ("keyword", "storage", "constant.language")


def lexer_words():
    """{mode: words} of the dictionary of the lexer."""
    found, mode = {}, None
    for line in (ROOT / "grammar" / "CilkLexer.g4").read_text().split("\n"):
        mode = line.split()[1].rstrip(";") if line.startswith("mode ") else mode
        word = re.fullmatch(r"\w+ : '(\w+)' ;", line)
        if word and mode:
            found.setdefault(mode, []).append(word[1])
    return found


WORDS = lexer_words()


def node(*words, stdin=b"", env=None):
    need("node")
    assert (VSCODE / "node_modules").is_dir(), "the packages of editors/vscode are not here: run `make test-tools`"
    made = command(["node", *words], cwd=VSCODE, stdin=stdin, env=env)
    assert made.status == 0, str(made)
    return made


def scopes(language, text):
    """{(line, word): scope}, by the engine of Visual Studio Code."""
    lines, found = text.split("\n"), {}
    for line, begin, end, scope in json.loads(node("scopes.js", language, stdin=text.encode()).out):
        if line < len(lines):
            found[line, lines[line][begin:end].strip()] = scope
    return found


def test_the_files_are_made_of_the_grammar():
    made = command([sys.executable, ROOT / "editors" / "generate.py", "--check"])
    assert made.status == 0, made.out


@pytest.mark.parametrize("language", ["cilk", "cilk1"])
def test_textmate_knows_every_word(language):
    words = [word for mode, many in WORDS.items() if mode != "CILK1" or language == "cilk1" for word in many]
    assert {"spawn", "SYNCHED", "cilk_for", "_Float64x", "while"} <= set(words) and len(words) > 80
    found = scopes(language, "\n".join(words))
    assert [word for line, word in enumerate(words) if not found.get((line, word), "").startswith(COLOURED)] == []


def test_textmate_knows_no_word_of_another_language():
    found = scopes("cilk", "\n".join(WORDS["CILK1"]))
    assert not any(scope.startswith(COLOURED) for scope in found.values())


def test_functions_named_like_words_are_functions():
    found = scopes("cilk", "sync();\nabort();\nsync;\nabort;\n")
    assert [
        found[line, word].split(".")[0] for line, word in ((0, "sync"), (1, "abort"), (2, "sync"), (3, "abort"))
    ] == ["entity", "entity", "keyword", "keyword"]


@pytest.mark.parametrize("name", ["samples/fib.cilk", "samples/inlets.cilk", "samples/cilk1-jamboree.cilk1"])
def test_textmate_and_the_lexer_agree_on_a_program(name):
    """A word that the compiler reads as a keyword has a keyword's colour, and no other name has."""
    path = ROOT / name
    language = "cilk1" if path.suffix == ".cilk1" else "cilk"
    keywords = {word for mode, words in WORDS.items() if mode != "CILK1" or language == "cilk1" for word in words}
    found = scopes(language, path.read_text())
    for (_, word), scope in found.items():
        if re.fullmatch(r"[A-Za-z_]\w*", word) and not scope.startswith(
            ("comment", "string", "keyword.control.directive")
        ):
            assert (word in keywords) == scope.startswith(COLOURED), (word, scope)


def test_vim_knows_every_word(tmp_path):
    need("vim")
    words = [word for mode in ("CILK5", "OPENCILK", "CILK1") for word in WORDS[mode]]
    (tmp_path / "t.cilk1").write_text("\n".join(words) + "\n")
    (tmp_path / "script.vim").write_text(
        "set nocompatible\nset runtimepath^=%s\nfiletype plugin on\nsyntax on\nedit t.cilk1\nlet names = [&filetype]\n"
        "for n in range(1, line('$'))\n  call add(names, synIDattr(synID(n, 1, 1), 'name'))\nendfor\ncall writefile(names, 'out')\nqall!\n"
        % (ROOT / "editors" / "vim")
    )
    command(["vim", "-es", "-u", "NONE", "-i", "NONE", "-S", "script.vim"], cwd=tmp_path)
    kind, *names = (tmp_path / "out").read_text().split("\n")[:-1]
    assert kind == "cilk1" and [(word, name) for word, name in zip(words, names) if not name.startswith("cilk")] == []


def test_the_grammar_for_tree_sitter_has_every_word_of_cilk():
    """And no word that the lexer does not have."""
    text = (ROOT / "editors" / "tree-sitter" / "grammar.js").read_text()
    rules = re.sub(r"field\('\w+'", "", text[text.index("rules:"):])
    found = set(re.findall(r"'([A-Za-z_]\w*)'", rules))
    ours = {word for mode in ("CILK5", "OPENCILK", "CILK1") for word in WORDS[mode]}
    assert ours - found == set() and found - ours - set(WORDS["WORDS"]) == {"complex"}, (ours - found, found - ours)


@pytest.fixture(scope="module")
def package():
    node("-e", "0")
    made = command(["npm", "run", "-s", "package"], cwd=VSCODE)
    assert made.status == 0, str(made)
    return ROOT / "build" / "cilk.vsix"


def test_the_package_has_what_its_manifest_names(package):
    with zipfile.ZipFile(package) as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist()}
        manifest = json.loads(archive.read("extension/package.json"))
    for one in (
        manifest["contributes"]["grammars"]
        + [{"path": manifest["main"]}]
        + [{"path": one["configuration"]} for one in manifest["contributes"]["languages"]]
    ):
        assert one["path"].removeprefix("./") in names, names
    assert not any(name.startswith(("node_modules", "host.js", "scopes.js")) for name in names)


def test_the_client_speaks_with_the_server(package, tmp_path):
    path = tmp_path / "fib.cilk"
    path.write_text(
        "cilk int fib(int n)\n{\n    int x, y;\n    if (n < 2) return n;\n    x = spawn fib(n - 1);\n    y = spawn fib(n - 2);\n    sync;\n"
        "    return x + z;\n}\ncilk int main(void) { int r; r = spawn fib(5); sync; return r; }\n"
    )
    made = json.loads(node("host.js", path, env={"CILKC": str(CILKC)}).out)
    (one,) = made["diagnostics"][str(path)]
    assert one["line"] == 7 and "'z' undeclared" in one["message"]
    assert "cilk int fib(int)" in made["hover"]
    manifest = json.loads((VSCODE / "package.json").read_text())
    assert {one["command"] for one in manifest["contributes"]["commands"]} <= set(made["commands"])
    assert made["adapters"] == {one["type"]: {"command": str(CILKC), "args": ["dap"]}
                                for one in manifest["contributes"]["debuggers"]}
    assert len(made["errors"]) == 3 and all("undeclared" in words for words in made["errors"])
    path.write_text(path.read_text().replace("x + z", "x + y"))
    made = json.loads(node("host.js", path, env={"CILKC": str(CILKC)}).out)
    assert made["diagnostics"][str(path)] == [] and made["errors"] == [] and made["said"] == ["no races"]
    assert "x = fib(n - 1);" in made["shown"][0] and "slow clone" in made["shown"][1]


def test_nothing_is_compiled_in_a_folder_that_is_not_trusted(package, tmp_path):
    path = tmp_path / "a.cilk"
    path.write_text("cilk int main(void) { return y; }\n")
    made = json.loads(node("host.js", path, env={"CILKC": str(tmp_path / "none"), "UNTRUSTED": "1"}).out)
    assert made["diagnostics"] == {} and made["shown"] == []
    assert made["adapters"] == {"cilk": "nothing is run in a folder that is not trusted"}
    assert set(made["errors"]) == {"Cilk: nothing is run in a folder that is not trusted."}, made


def test_the_packages_are_pinned():
    lock = json.loads((VSCODE / "package-lock.json").read_text())
    wanted = {**lock["packages"][""]["dependencies"], **lock["packages"][""]["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values()), wanted
