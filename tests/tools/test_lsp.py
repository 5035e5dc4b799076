"""`cilkc lsp`: conversations with a client library, about the editor's text, which the disk does not have."""

import asyncio
import json
import os
import re
import signal
import subprocess
import time

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from conftest import CILKC, ROOT, command, eventually
from lsp_editor import Editor, apply_edits, place
from cilkc_driver import home
from lsp import server as protocol
from lsp.compiler import Compiler

pytestmark = pytest.mark.tier("check")

FIB = """#include <stdio.h>
struct node { int value; struct node *left, *right; };
typedef struct { double re, im; } Complex;
/* äöü 𝛼 */ static int calls;
cilk int fib(int n)
{
    int x, y, tries = 0;
    if (n < 2) return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    tries++;
    sync;
    return x + y + 0 * tries;
}
cilk int main(void)
{
    struct node top = {0};
    Complex z = {0, 0};
    int r;
    calls++;
    r = spawn fib(10);
    sync;
    printf("%d %d\\n", r, top.value);
    return z.re > 1;
}
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    made = Editor(tmp_path_factory.mktemp("lsp"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def fib(editor):
    uri = editor.open("fib.cilk", FIB)
    assert editor.messages(uri) == []
    return uri


def test_it_ends_when_the_editor_says_so():
    """The protocol wants the status 0 after `shutdown` and `exit`. What is no message before them takes a line each."""
    wrong = ["null", "[]", "{", '"text"']
    words = [*wrong, '{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}', '{"jsonrpc": "2.0", "method": "exit"}']
    sent = "".join("Content-Length: %d\r\n\r\n%s" % (len(word), word) for word in words)
    done = command([CILKC, "lsp"], stdin=sent.encode())
    lines = done.err.splitlines()
    assert done.status == 0 and len(lines) == len(wrong), str(done)
    assert all(line.startswith("cilkc lsp: Unable to handle message: ") for line in lines), str(done)


@pytest.mark.tier("test")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_server_that_is_ended_leaves_nothing(number, tmp_path):
    """Although its standard input stays open."""
    server = subprocess.Popen(
        [CILKC, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ, TMPDIR=str(tmp_path))
    )
    while not os.listdir(tmp_path):
        assert server.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)
    server.send_signal(number)
    assert server.wait(timeout=60) == 128 + number and os.listdir(tmp_path) == []
    server.communicate()


@pytest.mark.tier("test")
@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL", "exit", "shutdown and exit", "no more input"])
def test_the_run_of_a_tool_ends_with_the_server(how, tmp_path):
    """The program would run for minutes. No copy of the text stays, either."""
    text = FIB.replace("fib(10)", "fib(60)").replace("int r;", 'int r; fclose(fopen("begun", "w"));')
    (tmp_path / "long.cilk").write_text(text)
    uri = (tmp_path / "long.cilk").as_uri()
    opened = {"uri": uri, "languageId": "c", "version": 1, "text": text}
    with open(tmp_path / "out", "wb") as out, open(tmp_path / "err", "wb") as err:
        server = subprocess.Popen(
            [CILKC, "lsp"], stdin=subprocess.PIPE, stdout=out, stderr=err, env=dict(os.environ, TMPDIR=str(tmp_path))
        )

    def send(method, params=None, **more):
        word = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(word), word))
        server.stdin.flush()
    send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
    send("initialized", {})
    send("textDocument/didOpen", {"textDocument": opened})
    send("workspace/executeCommand", {"command": "cilkc.race", "arguments": [uri]}, id=2)
    while not (tmp_path / "begun").exists():
        assert server.poll() is None
        time.sleep(0.05)
    if how == "shutdown and exit":          # what still runs is answered, and the protocol wants the status 0
        send("shutdown", id=3)
    if how.endswith("exit"):
        send("exit")
    elif how == "no more input":
        server.stdin.close()
    else:
        server.send_signal(getattr(signal, how))
    server.wait(timeout=60)
    if how == "shutdown and exit":
        assert server.returncode == 0 and (tmp_path / "err").read_text() == ""
        assert '"id": 3, "jsonrpc": "2.0", "result": null' in (tmp_path / "out").read_text()
    eventually(lambda: not processes_in(tmp_path), "a process goes on")
    eventually(lambda: not list(tmp_path.glob("cilkc-lsp-*")), "copies stay")


@pytest.mark.tier("test")
def test_a_server_that_is_killed_while_it_compiles_leaves_nothing(tmp_path):
    text = FIB + "".join("cilk int f%d(int n) { int x; x = spawn fib(n); sync; return x; }\n" % k for k in range(3000))
    server = subprocess.Popen(
        [CILKC, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ, TMPDIR=str(tmp_path))
    )
    opened = {"uri": "file:///long.cilk", "languageId": "c", "version": 1, "text": text}
    for word in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": opened}},
    ):
        sent = json.dumps(word).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(sent), sent))
    server.stdin.flush()
    eventually(lambda: list(tmp_path.glob("cilkc-lsp-*/1/long.cilk")), "no compilation begins")
    time.sleep(0.3)                         # the driver has its line now, on most machines
    server.kill()
    server.communicate()
    eventually(lambda: not list(tmp_path.glob("cilkc-lsp-*")), "copies stay")


def processes_in(folder):
    """Those that work there, and have not ended."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/cwd" % pid) == str(folder):
                found.append(pid)
        except OSError:
            pass
    return found


ROW = '{"procedures": [{"procedure": "fib", "instances": 1, "inclusive": %s}], "span": 1, "sites": []}'


@pytest.mark.parametrize("profile", ["[]", "[" * 100000, ROW % "{}", ROW % '{"work": "x", "span": [], "parallelism": null}'])
def test_a_damaged_profile_disturbs_no_hover(editor, profile):
    uri = editor.open("damaged.cilk", FIB)
    (editor.folder / "damaged.profile.json").write_text(profile)
    assert "fib(int)" in editor.hover(uri, *place(FIB, "fib"))


def test_a_pipe_beside_a_file_disturbs_nothing(editor):
    """No process ever writes to it."""
    (editor.folder / "pipes").mkdir()
    for name in ("compile_commands.json", "compile_flags.txt", "fib.profile.json", "other.cilk"):
        os.mkfifo(editor.folder / "pipes" / name)
    uri = editor.open("pipes/fib.cilk", FIB)
    assert editor.messages(uri) == []
    assert "fib(int)" in editor.hover(uri, *place(FIB, "fib"))
    assert len([one for one in editor.references(uri, *place(FIB, "fib")) if one.uri == uri]) == 4


def test_a_damaged_database_names_no_flags(editor):
    folder = editor.folder / "database"
    folder.mkdir()
    uri = editor.open("database/fib.cilk", FIB)
    row = '[{"directory": "%s", "file": "fib.cilk", "arguments": ["cc", null]}]' % folder
    for text in ("[" * 100000, row, "[5]"):
        (folder / "compile_commands.json").write_text(text)
        editor.change(uri, FIB)
        assert editor.messages(uri) == []


def test_messages_are_about_the_text_in_the_editor(editor):
    uri = editor.open("new.cilk", FIB, save=False)
    assert editor.messages(uri) == []
    editor.change(uri, FIB.replace("tries++", "/* ä𝛼 */ tris++"))
    (one,) = editor.messages(uri)
    assert one.code == "undeclared" and "tris" in one.message
    assert (one.range.start.line, one.range.start.character) == (10, 14) and one.range.end.character == 18
    editor.change(uri, FIB)
    assert editor.messages(uri) == []


def test_a_correction_is_a_code_action(editor):
    text = FIB.replace("x = spawn", "x = spwan")
    uri = editor.open("fix.cilk", text)
    found = editor.messages(uri)
    actions = editor.document(editor.client.text_document_code_action_async, types.CodeActionParams, uri,
                              range=found[0].range, context=types.CodeActionContext(found))
    assert apply_edits(text, actions[0].edit.changes[uri]) == FIB


@pytest.mark.parametrize("text", ["", "cilk int f(int n) {", "{{{{", "int x = ;\n#if 1", "\0", "#include \"missing.h\"\nint x;", "cilk int main(void) { spawn"])
def test_broken_texts_end_nothing(editor, text, fib):
    uri = editor.open("broken.cilk", text, save=False)
    editor.messages(uri)
    editor.document(editor.client.text_document_document_symbol_async, types.DocumentSymbolParams, uri)
    editor.hover(uri, 0, 0)
    editor.complete(uri, 0, 0)
    assert "fib" in editor.hover(fib, *place(FIB, "fib(n - 1)"))


def test_hover_shows_the_declaration(editor, fib):
    assert "cilk int fib(int)" in editor.hover(fib, *place(FIB, "fib(n - 1)"))
    assert "struct node *left" in editor.hover(fib, *place(FIB, "left"))
    assert "Complex z" in editor.hover(fib, *place(FIB, "z.re"))
    assert "int printf(const char *, ...)" in editor.hover(fib, *place(FIB, "printf"))
    assert "children" in editor.hover(fib, *place(FIB, "sync;"))
    assert editor.hover(fib, 5, 0) is None


def test_definition(editor, fib):
    for use, declared in (
        ("n - 1", "n)\n"),
        ("fib(10)", "fib(int"),
        ("value)", "value;"),
        ("calls++", "calls;"),
        ("Complex z", "Complex;"),
        ("node top", "node {"),
    ):
        made = editor.definition(fib, *place(FIB, use))
        assert (made.range.start.line, made.range.start.character) == place(FIB, declared), use
    assert editor.definition(fib, *place(FIB, "printf")).uri.endswith("stdio.h")


def test_references_and_rename_reach_other_files(editor):
    header, first, second = "cilk int work(int n);\n", '#include "w.cilkh"\ncilk int work(int n) { return n; }\n', \
        '#include "w.cilkh"\ncilk int main(void) { int work_ = 1, r; r = spawn work(work_); sync; return r; }\n'
    (editor.folder / "w.cilkh").write_text(header)
    one = editor.open("one.cilk", first)
    (editor.folder / "two.cilk").write_text(second)
    found = editor.references(one, *place(first, "work"))
    assert sorted(location.uri.rpartition("/")[2] for location in found) == ["one.cilk", "two.cilk", "w.cilkh"]
    changes = {
        uri.rpartition("/")[2]: edits for uri, edits in editor.rename(one, *place(first, "work"), "job").changes.items()
    }
    for name, text in (("w.cilkh", header), ("one.cilk", first), ("two.cilk", second)):
        assert apply_edits(text, changes[name]) == text.replace("work(", "job("), name


def test_references_without_the_declarations(editor):
    text = "int total;\nint more(void) { return total + total; }\n"
    found = editor.references(editor.open("total.cilk", text), 0, 4, declared=False)
    assert [(location.range.start.line, location.range.start.character) for location in found] == [(1, 24), (1, 32)]


def test_a_name_in_a_macro_of_another_file_is_not_changed(editor):
    (editor.folder / "user.cilk").write_text(
        "extern int level;\n#define LEVEL (level)\nint up(void) { return level; }\n"
    )
    with pytest.raises(JsonRpcException, match="macro at line 2"):
        editor.rename(editor.open("owner.cilk", "int level;\n"), 0, 4, "depth")


def test_rename_of_a_local(editor, fib):
    made = editor.rename(fib, *place(FIB, "x, y"), "first")
    assert list(made.changes) == [fib]
    assert apply_edits(FIB, made.changes[fib]) == FIB.replace("int x, y", "int first, y").replace(
        "x = spawn", "first = spawn"
    ).replace("x + y", "first + y")


@pytest.mark.parametrize("inner", ["{ int i = 2; a[0] = i; }", "cilk_for (int i = 2; i < 4; i++) a[i] = i;"])
def test_rename_of_the_variable_of_a_parallel_loop(editor, inner):
    """Its head is not in the tree any more. A variable of the same name in the body keeps it."""
    text = "int a[9];\nint main(void) {\n  cilk_for (int %s = 0; %s < 9; %s++) { a[%s] = 1; " + inner + " }\n  return a[1];\n}\n"
    old, new = (text % (4 * (name,)) for name in "ik")
    uri = editor.open("loop.c", old)
    assert apply_edits(old, editor.rename(uri, 2, 16, "k").changes[uri]) == new


@pytest.mark.parametrize("at, new", [("printf", "print"), ("x, y", "spawn"), ("x, y", "2x"), ("{\n    int x", "z")])
def test_names_that_cannot_be_changed(editor, fib, at, new):
    with pytest.raises(JsonRpcException):
        editor.rename(fib, *place(FIB, at), new)


def test_a_name_in_a_macro_is_not_changed(editor):
    text = "int count;\n#define NEXT (count++)\nint f(void) { return NEXT + count; }\n"
    with pytest.raises(JsonRpcException, match="macro at line 2"):
        editor.rename(editor.open("macro.cilk", text), 0, 4, "total")


def test_completion(editor, fib):
    line, character = place(FIB, "tries++")
    names = editor.complete(fib, line, character)
    assert {"x", "y", "n", "tries", "calls", "fib", "printf", "spawn", "while"} <= set(names) and "r" not in names
    assert set(editor.complete(fib, *place(FIB, "x = spawn fib(n", len("x = spawn ")))) == {"fib", "main"}


def test_completion_after_a_spawn_knows_the_library(editor):
    text = "#include <par.cilkh>\ncilk int main(void)\n{\n    spawn par_f\n    return 0;\n}\n"
    names = editor.complete(editor.open("library.cilk", text, save=False), *place(text, "par_f", 5))
    assert "par_for" in names and not any(name.startswith(("Cilk_", "cilk_")) for name in names), names


def test_completion_after_a_spawn_of_opencilk(editor):
    """Functions only, whether their names have begun or not."""
    text = "int first(int n) { return n; }\nint main(int argc, char **argv)\n{\n    int x = cilk_spawn fi\n    return x;\n}\n"
    uri = editor.open("spawns.c", text, save=False)
    for words in ("cilk_spawn ", "cilk_spawn fi"):
        names = set(editor.complete(uri, *place(text, words, len(words))))
        assert "first" in names and not {"x", "argc", "argv", "int", "cilk_sync"} & names, names


def test_names_in_what_opencilk_spawns(editor):
    """All places in the text of spawned functions, of plain ones, and of reducers in a loop."""
    text = (
        "static void zero(void *v) { *(long *)v = 0; }\n"
        "static void plus(void *l, void *r) { *(long *)l += *(long *)r; }\n"
        "static int leaf(int n) { return n; }\n"
        "int fib(int n)\n{\n    if (n < 2)\n        return n;\n    int x = cilk_spawn fib(n - 1);\n"
        "    int y = fib(n - 2), z = cilk_spawn leaf(n);\n    cilk_sync;\n    return x + y + z;\n}\n"
        "int main(void)\n{\n    long cilk_reducer(zero, plus) sum = 0;\n    int left, right;\n"
        "    cilk_for (int i = 0; i < 9; i++)\n        sum += i;\n"
        "    cilk_scope {\n        left = cilk_spawn fib(10);\n        right = fib(11);\n    }\n"
        "    return left + right + fib(3) + sum;\n}\n"
    )
    uri = editor.open("spelling.c", text, save=False)
    for name, times in ("fib", 6), ("leaf", 2), ("sum", 3):
        edits = editor.rename(uri, *place(text, name), "changed").changes[uri]
        assert len(edits) == times and apply_edits(text, edits) == re.sub(r"\b%s\b" % name, "changed", text), name
    line, character = place(text, "sum += i")
    assert "sum" in editor.hover(uri, line, character)
    assert editor.definition(uri, line, character).range.start.line == place(text, "sum = 0")[0]


@pytest.mark.parametrize("words, members", [("top.", {"value", "left", "right"}), ("top.left->ri", {"value", "left", "right"}), ("z.", {"re", "im"}),
                                            ("top.left->right->", {"value", "left", "right"})])
def test_completion_of_members_in_an_unfinished_line(editor, words, members):
    text = FIB.replace("    sync;\n    printf", "    sync;\n    %s\n    printf" % words)
    uri = editor.open("member.cilk", text, save=False)
    assert set(editor.complete(uri, *place(text, words + "\n", len(words)))) == members


def test_outline(editor, fib):
    made = editor.document(editor.client.text_document_document_symbol_async, types.DocumentSymbolParams, fib)
    assert [one.name for one in made] == ["node", "Complex", "Complex", "calls", "fib", "main"]
    assert [one.name for one in made[0].children] == ["value", "left", "right"]
    assert (made[4].range.start.line, made[4].range.end.line) == (4, 13)


def test_semantic_tokens_follow_the_meaning(editor, fib):
    legend = editor.server.capabilities.semantic_tokens_provider.legend
    data = editor.document(editor.client.text_document_semantic_tokens_full_async, types.SemanticTokensParams, fib).data
    lines, found, line, character = FIB.split("\n"), {}, 0, 0
    for i in range(0, len(data), 5):
        line, character = line + data[i], data[i + 1] + (0 if data[i] else character)
        word = lines[line].encode("utf-16-le")[2 * character:2 * (character + data[i + 2])].decode("utf-16-le")
        flags = {name for bit, name in enumerate(legend.token_modifiers) if data[i + 4] >> bit & 1}
        found.setdefault(word, []).append((line, legend.token_types[data[i + 3]], flags))
    assert {kind for _, kind, _ in found["n"]} == {"parameter"} and {kind for _, kind, _ in found["value"]} == {
        "property"
    }
    assert [flags & {"spawned"} for _, _, flags in found["fib"]] == [set(), {"spawned"}, {"spawned"}, {"spawned"}]
    assert [line for word in ("tries", "n") for line, _, flags in found[word] if "parallel" in flags] == [10, 9]


def test_hints_name_what_runs_in_parallel(editor, fib):
    made = editor.document(editor.client.text_document_inlay_hint_async, types.InlayHintParams, fib,
                           range=types.Range(types.Position(0, 0), types.Position(30, 0)))
    assert [(one.position.line, one.label) for one in made] == [
        (9, "runs in parallel with fib(n - 1)"), (10, "runs in parallel with fib(n - 1), fib(n - 2)")]


def test_commands_show_the_elision_and_the_clones(editor, fib):
    elided = editor.execute("cilkc.elide", fib)
    assert "x = fib(n - 1);" in elided and "spawn" not in elided
    assert "slow clone" in editor.execute("cilkc.clones", fib)


def test_flags_of_the_project(editor):
    folder = editor.folder / "project"
    (folder / "include").mkdir(parents=True)
    (folder / "include" / "size.h").write_text("#define SIZE WIDTH\n")
    (folder / "compile_flags.txt").write_text("-Iinclude\n-DWIDTH=3\n")
    uri = editor.open("project/p.cilk", '#include "size.h"\nint a[SIZE];\n')
    assert editor.messages(uri) == []


def test_an_unsaved_header_counts(editor):
    (editor.folder / "h.cilkh").write_text("int old(void);\n")
    editor.open("h.cilkh", "int fresh(void);\n", save=False)
    uri = editor.open("uses.cilk", '#include "h.cilkh"\nint g(void) { return fresh(); }\n')
    assert editor.messages(uri) == []


@pytest.mark.parametrize("header, user, include, flags", [
    ("below/u.cilkh", "a.cilk", '"below/u.cilkh"', ""),
    ("above/u.cilkh", "beside/b.cilk", '"../above/u.cilkh"', ""),
    ("path/u.cilkh", "flagged/c.cilk", "<u.cilkh>", "-I../path\n"),
])
def test_an_unsaved_header_of_another_folder_counts(editor, header, user, include, flags):
    """So does what it includes from its own folder, saved or not."""
    for name in (header, user):
        (editor.folder / name).parent.mkdir(exist_ok=True)
    (editor.folder / header).with_name("saved.h").write_text("int saved;\n")
    (editor.folder / header).write_text("int old(void);\n")
    if flags:
        (editor.folder / user).with_name("compile_flags.txt").write_text(flags)
    editor.open(header, '#include "saved.h"\nint fresh(void);\n', save=False)
    text = "#include %s\nint g(void) { return fresh() + saved; }\nint h = missing;\n" % include
    uri = editor.open(user, text)
    assert [(one.code, one.range.start.character) for one in editor.messages(uri)] == [("undeclared", 8)]
    assert editor.definition(uri, *place(text, "fresh")).uri == (editor.folder / header).as_uri()


@pytest.mark.parametrize("folder", ["two words", "ä#%20?b"])
def test_a_folder_with_an_odd_name(editor, folder):
    """Messages, unsaved headers and names in other files: addresses have quotes there."""
    (editor.folder / folder).mkdir()
    header = editor.open(folder + "/h.cilkh", "int old(void);\n")
    editor.change(header, "int odd_name(void);\n")
    text = '#include "h.cilkh"\nint g(void) { return odd_name(); }\nint h = missing;\n'
    uri = editor.open(folder + "/user.cilk", text)
    assert [one.code for one in editor.messages(uri)] == ["undeclared"]
    assert editor.definition(uri, *place(text, "odd_name")).uri == header
    assert {header, uri} <= {found.uri for found in editor.references(uri, *place(text, "odd_name"))}
    editor.save(header)
    editor.change(uri, text.replace("missing", "1"))
    assert editor.messages(uri) == []


def test_texts_of_impossible_names_disturb_no_other(editor):
    for uri in ("file:///", "file:///tmp", "http://x/../../etc/passwd", "file:///tmp/%00x.cilk", "untitled:x"):
        editor.versions[uri] = 1
        editor.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, types.LanguageKind.C, 1, "int x = y;\n"))
        )
        assert len(editor.messages(uri)) == 1, uri
    found = editor.messages(editor.open("possible.cilk", "int x = y;\n"))
    for uri in list(editor.versions):
        if not uri.startswith(editor.folder.as_uri()):
            editor.end(uri)
            del editor.versions[uri]
    assert [one.code for one in found] == ["undeclared"]


def test_half_a_character_is_one_unit(editor):
    """An editor may send a lone surrogate. Places after it are right."""
    uri = editor.open("half.cilk", 'char *a = "\ud83d"; int b = c;\n', save=False)
    assert [one.range.start.character for one in editor.messages(uri)] == [23]


def test_messages_follow_headers_settings_and_the_end_of_a_text(editor):
    header = editor.open("later.cilkh", "int old(void);\n")
    uri = editor.open("user.cilk", '#include "later.cilkh"\nint g(void) { int unused; return fresh(); }\n')
    assert {one.code for one in editor.messages(uri)} == {"implicit-function-declaration", "unused-variable"}
    editor.change(header, "int fresh(void);\n")
    editor.save(header)
    (one,) = editor.messages(uri, lambda found: len(found) < 2)
    assert one.code == "unused-variable"
    try:
        editor.configure(flags=[])
        assert editor.messages(uri, lambda found: not found) == []
    finally:
        editor.configure(flags=["-Wall"])
    assert len(editor.messages(uri, lambda found: found)) == 1
    editor.end(uri)
    assert editor.messages(uri, lambda found: not found, version=None) == []


def test_cilk1(editor):
    text = (
        "thread fib(cont int k, int n)\n{\n    if (n < 2) send_argument(k, n);\n    else {\n        cont int x;\n        spawn_next sum(k, ?x, n);\n"
        "        spawn fib(x, n - 1);\n    }\n}\nthread sum(cont int k, int x, int y) { send_argument(k, x + y); }\n"
    )
    text = "thread sum(cont int k, int x, int y);\n" + text
    uri = editor.open("t.cilk1", text)
    assert editor.messages(uri) == []
    assert "fib" in editor.hover(uri, *place(text, "fib(x"))


RACY = """#include <stdio.h>
int total;
cilk void work(int n) { total += n; }
cilk int main(void)
{
    spawn work(10);
    spawn work(20);
    sync;
    printf("%d\\n", total);
    return 0;
}
"""


def test_a_race_is_marked_where_both_accesses_are(editor):
    uri = editor.open("racy.cilk", RACY)
    assert editor.execute("cilkc.race", uri)["races"] == 1
    found = editor.messages(uri, lambda found: any(one.source == "cilkc race" for one in found))
    (one,) = [one for one in found if one.source == "cilkc race"]
    assert (one.range.start.line, one.range.start.character) == place(RACY, "total +=") and "'total'" in one.message
    editor.change(uri, RACY + "\n")
    assert not any(one.source == "cilkc race" for one in editor.messages(uri))


def test_a_procedure_that_is_proved_has_a_tick(tmp_path):
    editor = Editor(tmp_path, proveOnSave=True)
    try:
        uri = editor.open("fib.cilk", FIB)
        whole = types.Range(types.Position(0, 0), types.Position(100, 0))

        def ticks():
            made = editor.document(editor.client.text_document_inlay_hint_async, types.InlayHintParams, uri, range=whole)
            return [hint.position.line for hint in made if "proved" in hint.label]

        assert ticks() == []
        editor.save(uri)
        assert editor.execute("cilkc.prove", uri)["verdict"] == "proved"
        assert ticks() == [place(FIB, "fib(int n)")[0], place(FIB, "main(void)")[0]]
        editor.change(uri, FIB + "\n")
        assert ticks() == []
    finally:
        editor.close()


def test_a_profile_is_in_the_hover_and_comes_when_a_file_is_saved(tmp_path):
    editor = Editor(tmp_path, profileOnSave=True)
    try:
        uri = editor.open("fib.cilk", FIB)
        assert "parallelism" not in editor.hover(uri, *place(FIB, "fib(n - 1)"))
        editor.save(uri)
        found = editor.messages(uri, lambda found: any(one.source == "cilkc profile" for one in found))
        assert any("% of the span" in one.message and one.range.start.line == place(FIB, "printf(")[0] for one in found)
        assert "work " in editor.hover(uri, *place(FIB, "fib(n - 1)")) and "177 instances" in editor.hover(
            uri, *place(FIB, "fib(n - 1)")
        )
    finally:
        editor.close()


def test_a_program_that_cannot_be_run_is_reported(editor):
    uri = editor.open("unfit.cilk", "int f(void) { return 1 }\n")
    for name in ("cilkc.race", "cilkc.profile", "cilkc.clones"):
        with pytest.raises(JsonRpcException, match="expected ';'"):
            editor.execute(name, uri)


def test_a_compilation_takes_the_driver_that_waits(tmp_path, monkeypatch):
    """It starts none before it has its messages, but one for the next time. A driver that was ended meanwhile is
    replaced."""
    home.set_home(str(ROOT))
    compiler = Compiler()
    waits = compiler.waiting.get()
    compiler.waiting.put(waits)
    begun, start = [], compiler.start_driver

    def started():
        begun.append(waits.poll())
        return start()
    monkeypatch.setattr(compiler, "start_driver", started)
    try:
        (one,) = compiler.analyse(str(tmp_path / "a.cilk"), "int f(void) { return x; }\n").messages
        assert "'x' undeclared" in one["message"] and begun == [1]         # that was its exit status
        next_one = compiler.waiting.get()
        compiler.waiting.put(next_one)
        next_one.kill()
        next_one.wait()
        (one,) = compiler.analyse(str(tmp_path / "a.cilk"), "int f(void) { return y; }\n").messages
        assert "'y' undeclared" in one["message"]
    finally:
        last = compiler.waiting.get()
        compiler.waiting.put(last)
        compiler.close()
    assert last.returncode == 0


def test_the_first_change_is_compiled_at_once_and_the_next_ones_together(monkeypatch):
    """Those that follow one another wait, so that a text in the midst of typing is not compiled."""
    compiled, server = [], protocol.Server()
    monkeypatch.setattr(protocol, "QUIET", 3600)

    documents = {"file:///a.cilk": types.VersionedTextDocumentIdentifier(7, "file:///a.cilk")}

    async def fresh(uri):
        compiled.append(uri)

    async def changes():
        await server.after_change("file:///a.cilk", 6)          # it has been changed again meanwhile
        assert compiled == []
        server.files["file:///a.cilk"].changed = 0.0
        await asyncio.wait_for(server.after_change("file:///a.cilk", 7), 10)
        assert compiled == ["file:///a.cilk"]
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(server.after_change("file:///a.cilk", 7), 0.05)
    monkeypatch.setattr(server, "fresh", fresh)
    monkeypatch.setattr(protocol.Server, "documents", documents)
    try:
        asyncio.run(changes())
        assert len(compiled) == 1
    finally:
        server.close()
