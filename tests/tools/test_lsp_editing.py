"""`cilkc lsp`: what helps to write: quick fixes, signatures, folds, the format, the workspace's symbols, comments in
hovers, and renames that would collide."""

import json
import re

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from conftest import CILKC, command
from lsp_editor import Editor, apply_edits, place

pytestmark = pytest.mark.tier("test")

HEAD = "#include <cilk-lib.cilkh>\nCilk_lockvar lock;\nint total;\ncilk int f(int n) { return n + 1; }\n"
MAIN = "cilk int main(void)\n{\n    int x = 0, n = 1;\n%s    return x + n;\n}\n"


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    made = Editor(tmp_path_factory.mktemp("lsp"))
    yield made
    made.close()


def ask(editor, name, kind, uri, **more):
    return editor.document(getattr(editor.client, name + "_async"), kind, uri, **more)


def signature(editor, uri, text, words, offset):
    line, character = place(text, words, offset)
    made = ask(editor, "text_document_signature_help", types.SignatureHelpParams, uri,
               position=types.Position(line, character))
    if made is None:
        return None
    (one,) = made.signatures
    number = made.active_parameter
    return one.label, None if number is None else one.label[slice(*one.parameters[number].label)], one.documentation


BODY = [   # code, what is wrong, what the fix makes of it
    ("receiver-read", "    x = spawn f(n);\n    n = x;\n    sync;\n", "    x = spawn f(n);\n    sync;\n    n = x;\n    sync;\n"),
    ("spawn-in-initializer", "    int y = spawn f(n);\n    sync;\n    x = y;\n",
     "    int y;\n    y = spawn f(n);\n    sync;\n    x = y;\n"),
    ("call-without-spawn", "    x = f(n);\n", "    x = spawn f(n);\n    sync;\n"),
    ("call-without-spawn", "    if (n) { x = f(n + (1)); }\n", "    if (n) { x = spawn f(n + (1)); sync; }\n"),
    ("spawn-in-operand", "    x = 1 + spawn f(n);\n", "    int result;\n    result = spawn f(n);\n    sync;\n    x = 1 + result;\n"),
    ("spawn-in-condition", "    if (spawn f(n)) x = 2;\n",
     "    int result;\n    result = spawn f(n);\n    sync;\n    if (result) x = 2;\n"),
    ("spawn-without-receiver", "    spawn f(n);\n    sync;\n", "    int result;\n    result = spawn f(n);\n    sync;\n"),
    ("sync-call", "    x = spawn f(n);\n    sync();\n", "    x = spawn f(n);\n    sync;\n"),
]
WHOLE = [
    ("spawn-outside-procedure", "int g(int);\n/* g */\nstatic int h(void) { return 1; }\nint\ng(int n) { int x; x = spawn f(n + h()); sync; return x; }\n"
     + MAIN % "", ""),
    ("spawn-in-return", "cilk int g(int n) { return spawn f(n); }\n" + MAIN % "",
     "cilk int g(int n) { int result; result = spawn f(n); sync; return result; }\n" + MAIN % ""),
    ("spawn-non-procedure", "int g(int n) { return n; }\n" + MAIN % "    x = spawn g(n);\n    sync;\n",
     "int g(int n) { return n; }\n" + MAIN % "    x = g(n);\n    sync;\n"),
    ("parallel-updates", "cilk void w(void) { total++; }\n" + MAIN % "    spawn w();\n    spawn w();\n    sync;\n",
     "cilk void w(void) { Cilk_lock(lock); total++; Cilk_unlock(lock); }\n" + MAIN % "    spawn w();\n    spawn w();\n    sync;\n"),
]
WHOLE[0] = (WHOLE[0][0], WHOLE[0][1], WHOLE[0][1].replace("int g(int);", "cilk int g(int);").replace("int\ng", "cilk int\ng"))


@pytest.mark.parametrize("code, wrong, right", [(code, MAIN % wrong, MAIN % right) for code, wrong, right in BODY] + WHOLE)
def test_a_mistake_has_a_fix_after_which_the_compiler_is_content(editor, code, wrong, right):
    uri = editor.open("mistake.cilk", HEAD + wrong)
    found = [one for one in editor.messages(uri) if one.code == code]
    assert found, editor.messages(uri)
    actions = ask(editor, "text_document_code_action", types.CodeActionParams, uri, range=found[0].range,
                  context=types.CodeActionContext(found[:1]))
    made = apply_edits(HEAD + wrong, actions[-1].edit.changes[uri])
    assert made == HEAD + right
    editor.change(uri, made)
    left = [one for one in editor.messages(uri) if one.severity == types.DiagnosticSeverity.Error or one.code == code]
    assert not left, left


@pytest.mark.parametrize("code, wrong", [
    ("receiver-read", "    x = spawn f(n);\n    if (n)\n        n = x;\n    sync;\n"),       # the `if` would lose its body
    ("spawn-in-condition", "    while (spawn f(n)) x = 2;\n"),                            # once is not each time
    ("spawn-in-operand", "    if (n) x = 1 + spawn f(n);\n"),
    ("spawn-in-operand", "    x = n && spawn f(n);\n"),                                   # perhaps not at all
])
def test_where_a_fix_would_change_more_there_is_none(editor, code, wrong):
    uri = editor.open("none.cilk", HEAD + MAIN % wrong)
    found = [one for one in editor.messages(uri) if one.code == code]
    assert found, editor.messages(uri)
    assert not ask(editor, "text_document_code_action", types.CodeActionParams, uri, range=found[0].range,
                   context=types.CodeActionContext(found[:1]))


def test_signatures(editor):
    text = ("#include <stdio.h>\n// Adds three numbers.\n// All of them.\ncilk int add(int a, const char *(*name)(int, int), long c)\n"
            "{ return a + c; }\ncilk int main(void)\n{\n    int r, ä = 1;\n    printf(\"%d, \\\", (\", /* , */ add, 1, 2);\n"
            "    r = spawn add(ä, (0, 1), 3);\n    sync;\n    return r;\n}\n")
    uri = editor.open("call.cilk", text)
    label = "cilk int add(int, const char *(*)(int, int), long)"
    assert signature(editor, uri, text, "add(ä", 4) == (label, "int", "Adds three numbers.\nAll of them.")
    assert signature(editor, uri, text, "(0, 1)", 4)[:2] is not None        # inside of brackets: those of no call
    assert signature(editor, uri, text, " (0, 1)", 1)[1] == "const char *(*)(int, int)"
    assert signature(editor, uri, text, "3);", 1)[1] == "long"
    assert signature(editor, uri, text, "/* , */", 2)[:2] == ("int printf(const char *, ...)", "...")
    assert signature(editor, uri, text, "2);", 1)[1] == "..."
    assert signature(editor, uri, text, "sync;", 2) is None
    editor.change(uri, text.replace("3);", "3, "))                          # while it is written
    assert signature(editor, uri, text, "3);", 1)[1] == "long"


def test_folds(editor):
    text = ("#include <stdio.h>\n#include <stdlib.h>\n// one\n// two { \nint f(int n)\n{\n    if (n) {\n        n++;\n    }\n"
            "    puts(\"{\");\n    return n;\n}\nstruct s { int a; };\n")
    uri = editor.open("fold.cilk", text)
    made = ask(editor, "text_document_folding_range", types.FoldingRangeParams, uri)
    assert [(one.start_line, one.end_line, one.kind) for one in made] == [
        (0, 1, types.FoldingRangeKind.Imports), (2, 3, types.FoldingRangeKind.Comment), (5, 10, None), (6, 7, None)]


def test_the_format_is_that_of_clang_format(editor):
    """In the folder's style. The text means the same, as the compiler's tree says."""
    folder = editor.folder / "styled"
    folder.mkdir()
    (folder / ".clang-format").write_text("BasedOnStyle: LLVM\nIndentWidth: 3\n")
    text = HEAD + "cilk int  main ( void )\n{ int x;x=spawn f( 1 );\n  sync ; return x;}\n"
    uri = editor.open("styled/a.cilk", text)
    options = types.FormattingOptions(tab_size=8, insert_spaces=True)
    made = ask(editor, "text_document_formatting", types.DocumentFormattingParams, uri, options=options)
    new = apply_edits(text, made)
    assert "cilk int main(void) {\n   int x;\n   x = spawn f(1);\n   sync;\n   return x;\n}\n" in new
    editor.change(uri, new)
    assert editor.messages(uri) == []
    assert ask(editor, "text_document_formatting", types.DocumentFormattingParams, uri, options=options) == []
    editor.change(uri, text)
    line = place(text, "cilk int  main")[0]
    where = types.Range(types.Position(line, 0), types.Position(line, 5))
    part = ask(editor, "text_document_range_formatting", types.DocumentRangeFormattingParams, uri, options=options, range=where)
    assert "cilk int main(void) {" in apply_edits(text, part) and text.split("\n")[3] in apply_edits(text, part)


def test_symbols_of_the_workspace(editor):
    folder = editor.folder / "work"
    folder.mkdir()
    (folder / "other.cilk").write_text("struct treeNode { int a; };\ncilk int walkTree(int local) { int inner = local; return inner; }\n")
    uri = editor.open("work/own.cilk", "int tree;\n")
    assert editor.messages(uri) == []

    def found(query):
        made = editor.run(editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query)))
        return {(one.name, one.container_name, one.location.range.start.line) for one in made}
    assert {("tree", "own.cilk", 0), ("walkTree", "other.cilk", 1), ("treeNode", "other.cilk", 0)} == {
        one for one in found("tree") if one[1] in ("own.cilk", "other.cilk")}
    assert ("walkTree", "other.cilk", 1) in found("wkt") and not {one for one in found("inner") if one[1] == "other.cilk"}
    (folder / "other.cilk").write_text("\nint walked;\n")
    assert ("walked", "other.cilk", 1) in found("wk") and not [one for one in found("wkt") if one[1] == "other.cilk"]


def test_hover_shows_the_comment_of_the_declaration(editor):
    text = ("/* Counts what is left.\n * Twice.\n */\nint left;   // not this\nint right;  // to the right\n\n// of nothing\n\nint alone;\n"
            "int f(void) { return left + right + alone; }\n")
    uri = editor.open("comment.cilk", text)
    assert "Counts what is left.\nTwice." in editor.hover(uri, *place(text, "left +"))
    assert "to the right" in editor.hover(uri, *place(text, "right +"))
    assert "nothing" not in editor.hover(uri, *place(text, "alone;\n}" if "alone;\n}" in text else "alone; }"))


SCOPES = """int global, other;
struct s { int a, b; };
cilk int f(int n)
{
    int x = n, y;
    { int inner = x; y = inner + global; }
    { int later = 2; y += later; }
    return x + y;
}
"""


@pytest.mark.parametrize("name, new, refused", [
    ("x = n", "y", True),               # of the same block
    ("x = n", "n", True),               # a parameter
    ("x = n", "inner", True),           # seen inside, where x is used
    ("x = n", "global", True),          # would hide what is used in its scope
    ("x = n", "later", False),          # x is not used there
    ("x = n", "other", False),          # hides what is not used there
    ("x = n", "a", False),              # members have names of their own
    ("global", "y", True),              # would be hidden where it is used
    ("global", "other", True), ("global", "f", True), ("global", "s", False),
    ("a, b", "b", True), ("a, b", "x", False),
])
def test_a_new_name_that_collides_is_refused(editor, name, new, refused):
    uri = editor.open("scopes.cilk", SCOPES)
    if refused:
        with pytest.raises(JsonRpcException, match="'%s' already" % new):
            editor.rename(uri, *place(SCOPES, name), new)
    else:
        made = apply_edits(SCOPES, editor.rename(uri, *place(SCOPES, name), new).changes[uri])
        assert len(re.findall(r"\b%s\b" % new, made)) > len(re.findall(r"\b%s\b" % new, SCOPES))


RECORDED = [   # what an editor sends from its start to its end, as it was recorded, with this text in it
    ("initialize", {"processId": None, "clientInfo": {"name": "Neovim", "version": "0.10.2"}, "rootUri": None, "rootPath": None,
                    "workspaceFolders": None, "trace": "off", "capabilities": {
                        "general": {"positionEncodings": ["utf-16"]}, "textDocument": {
                            "signatureHelp": {"dynamicRegistration": False, "signatureInformation": {
                                "activeParameterSupport": True, "documentationFormat": ["markdown", "plaintext"],
                                "parameterInformation": {"labelOffsetSupport": True}}},
                            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}},
                                           "isPreferredSupport": True, "dataSupport": True},
                            "publishDiagnostics": {"relatedInformation": True, "dataSupport": True}}}}),
    ("initialized", {}),
    ("textDocument/didOpen", {"textDocument": {"uri": "URI", "languageId": "cilk", "version": 0, "text": "TEXT"}}),
    ("textDocument/signatureHelp", {"textDocument": {"uri": "URI"}, "position": {"line": 7, "character": 16}}),
    ("textDocument/foldingRange", {"textDocument": {"uri": "URI"}}),
    ("shutdown", None),
    ("exit", None),
]


def test_a_recorded_session(tmp_path):
    """The bytes of an editor, not those of a library that knows what the server knows."""
    text = HEAD + MAIN % "    x = spawn f(n);\n    sync;\n"
    uri = (tmp_path / "a.cilk").as_uri()
    sent = b""
    for number, (method, params) in enumerate(RECORDED):
        word: "dict[str, object]" = {"jsonrpc": "2.0", "method": method}
        if method in ("initialize", "shutdown") or method.startswith("textDocument/") and "did" not in method:
            word["id"] = number
        if params is not None:
            word["params"] = json.loads(json.dumps(params).replace('"URI"', json.dumps(uri)).replace('"TEXT"', json.dumps(text)))
        data = json.dumps(word).encode()
        sent += b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
    done = command([CILKC, "lsp"], stdin=sent, timeout=120)
    assert done.status == 0 and not done.err, str(done)
    answers = [json.loads(part[part.index("{"):part.rindex("}") + 1]) for part in done.out.split("Content-Length: ")[1:]]
    by_id = {one["id"]: one for one in answers if "id" in one}
    offered = by_id[0]["result"]["capabilities"]
    for name in ("signatureHelpProvider", "workspaceSymbolProvider", "foldingRangeProvider", "documentFormattingProvider",
                 "documentRangeFormattingProvider", "codeActionProvider", "renameProvider"):
        assert offered.get(name), name
    # a server that is told to end may cancel what it has not answered
    assert by_id[3].get("error") or by_id[3]["result"]["signatures"][0]["label"] == "cilk int f(int)"
    assert by_id[4]["result"] == [{"startLine": 5, "endLine": 9}]


def test_without_clang_format_the_request_says_so(monkeypatch):
    from lsp import answers, editing
    monkeypatch.setattr(editing.home, "which", lambda name: None)
    with pytest.raises(answers.Refused, match="clang-format is not installed"):
        editing.formatter()
