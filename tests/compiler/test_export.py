"""`cilkc emit --stage tree --json`: the form that docs/tree.md describes, for all samples and programs of tests/run."""

import json
import re

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("check")

KINDS = set(re.findall(r"^(?:EXPR|STMT)\((\w+),", (ROOT / "frontend/ast/nodes.def").read_text(), re.M))
KINDS |= {"InitPlan", "Function"}
FILES = sorted((ROOT / "samples").glob("*.cilk*")) + sorted((ROOT / "tests/run").glob("*.cilk"))
DECLARED = {"declaration", "own", "renewed", "thread", "label"}


def exported(path, cwd=None):
    result = command([CILKC, "emit", "--stage", "tree", "--json", "-w", path], cwd=cwd)
    assert result.status == 0, result.err
    return json.loads(result.out)


def check_node(data, node):
    if isinstance(node, list):
        for item in node:
            check_node(data, item)
    elif isinstance(node, dict):
        if "kind" in node:
            assert node["kind"] in KINDS
        if "at" in node:
            number, line, column = node["at"]
            assert number < len(data["files"]) and line >= 1 and column >= 0
        if "type" in node:
            assert node["type"] < len(data["types"])
        for key in DECLARED & set(node):
            if isinstance(node[key], int) and not isinstance(node[key], bool):
                assert node[key] < len(data["declarations"])
        for key, value in node.items():
            if key != "at":
                check_node(data, value)


@pytest.mark.sample(25, "test", 4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_number_names_a_row(path):
    data = exported(path)
    assert data["format"] == "cilkc-tree" and data["version"] == 1
    for table in ("declarations", "types"):
        assert [row["id"] for row in data[table]] == list(range(len(data[table])))
    for row in data["types"]:
        for key in ("of", "result", "future", "reducer", "continuation"):
            assert row.get(key, 0) < len(data["types"])
        assert all(field["type"] < len(data["types"]) for field in row.get("fields", []))
    for function in data["functions"]:
        assert data["declarations"][function["declaration"]]["kind"] == "function"
        check_node(data, function["body"])
    for row in data["declarations"]:
        check_node(data, row.get("init"))


SMALL = """struct pair { int a : 3; int b; } p;
cilk int f(int n)
{
    int x = 0;
    x += spawn f(n - 1);
    sync;
    return x + (int)sizeof p;
}
"""


def test_a_small_file(tmp_path):
    (tmp_path / "small.cilk").write_text(SMALL)
    data = exported("small.cilk", cwd=tmp_path)
    declarations = data["declarations"]
    (function,) = [f for f in data["functions"] if declarations[f["declaration"]]["name"] == "f"]
    start, spawn, sync, end = function["body"]["body"]
    assert start["kind"] == "Decl" and start["variables"][0]["init"]["value"] == 0
    assert spawn["kind"] == "Spawn" and spawn["form"] == "op" and spawn["at"][1:] == [5, 5]
    delivery = spawn["delivery"]
    assert (delivery["op"], delivery["right"]["kind"]) == ("+", "ChildResult")
    x = declarations[delivery["left"]["declaration"]]
    assert x["name"] == "x" and x["receiver"] and x["storage"] == "automatic"
    assert sync == {"kind": "Sync", "at": sync["at"], "written": True}
    assert "SizeofExpr" in json.dumps(end) and '"value": 8' in json.dumps(end)
    (record,) = [t for t in data["types"] if t["spelling"] == "struct pair"]
    assert [(f["name"], f["offset"], f.get("width")) for f in record["fields"]] == [("a", 0, 3), ("b", 4, None)]
    (p,) = [d for d in declarations if d["name"] == "p"]
    assert data["types"][p["type"]] is record and p["linkage"] == "external"


@pytest.mark.parametrize("words", [["ast", "--json"], ["ir", "--json"]])
def test_json_is_for_the_tree(tmp_path, words):
    (tmp_path / "small.cilk").write_text(SMALL)
    result = command([CILKC, "emit", "--stage", *words, "small.cilk"], cwd=tmp_path)
    assert result.status == 2 and "--stage tree" in result.err


def test_errors_make_no_document(tmp_path):
    (tmp_path / "wrong.cilk").write_text("int f(void) { return x; }\n")
    result = command([CILKC, "emit", "--stage", "tree", "--json", "wrong.cilk"], cwd=tmp_path)
    assert result.status == 1 and not result.out
