"""`cilkc1 --emit=index`: the names of a file, their places, and what runs in parallel.

Places are compared with what a regular expression finds in the text, which knows no scopes: so each name below is
used for one thing only.
"""

import json
import re

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("check")

NAMES = """#include <stdio.h>
enum colour { RED, GREEN = 5 };
struct pair { int first; struct pair *next; };
typedef struct pair Pair;
#define TWICE(e) ((e) + (e))
static int total;
cilk int leaf(int depth)
{
    return depth + GREEN;
}
cilk int tree(int size, Pair *head)
{
    int left, right;
    inlet void add(int part) { total += part; }
    if (size < RED) goto out;
    left = spawn leaf(size - 1);
    add(spawn leaf(TWICE(size)));
    right = head->first + head->next->first;
    sync;
    total = left + right + sizeof(Pair);
out:
    return total;
}
cilk int main(void)
{
    Pair one = {.first = 1, .next = 0};
    enum colour shade = GREEN;
    int got;
    got = spawn tree(3, &one);
    sync;
    printf("%d %d\\n", got, shade);
    return 0;
}
"""
KINDS = {
    "colour": "enum",
    "RED": "enumerator",
    "GREEN": "enumerator",
    "pair": "struct",
    "first": "field",
    "next": "field",
    "Pair": "typedef",
    "total": "variable",
    "leaf": "procedure",
    "depth": "parameter",
    "tree": "procedure",
    "size": "parameter",
    "head": "parameter",
    "left": "variable",
    "right": "variable",
    "add": "inlet",
    "part": "parameter",
    "out": "label",
    "one": "variable",
    "shade": "variable",
    "got": "variable",
}


def index(path, *flags):
    made = command([CILKC, "--emit=index", "-o", "-", *flags, path])
    return json.loads(made.out), made


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    path = tmp_path_factory.mktemp("index") / "names.cilk"
    path.write_text(NAMES)
    made, result = index(path)
    assert result.status == 0, str(result)
    return made


def words(text):
    """{word: [(line, column)]} of the text outside of literals and directives."""
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("#"):
            for match in re.finditer(r'"[^"]*"|\b[A-Za-z_]\w*', line):
                found.setdefault(match[0], []).append((number, match.start() + 1))
    return found


def test_every_name_has_its_places_and_kind(names):
    written = words(NAMES)
    symbols = names["symbols"]
    for name, kind in KINDS.items():
        numbers = [i for i, s in enumerate(symbols) if s["name"] == name]
        assert len(numbers) == 1, (name, numbers)
        assert symbols[numbers[0]]["kind"] == kind, symbols[numbers[0]]
        assert [(u[1], u[2]) for u in names["uses"] if u[5] == numbers[0]] == written[name], name
        assert symbols[numbers[0]]["at"][1:3] == list(written[name][-1 if kind == "label" else 0]), name


def test_uses_know_what_is_done(names):
    roles = {}
    for use in names["uses"]:
        roles.setdefault(names["symbols"][use[5]]["name"], []).append(use[6])
    assert roles["total"] == [2, 3, 3, 0] and roles["leaf"] == [2, 4, 4] and roles["left"] == [2, 3, 0]


def test_what_runs_in_parallel(names):
    spawns = [spawn["text"] for spawn in names["spawns"]]
    assert spawns == ["leaf(size - 1)", "leaf(TWICE(size))", "tree(3, &one)"]
    assert [(row[1], [spawns[i] for i in row[5]]) for row in names["parallel"]] == \
        [(17, ["leaf(size - 1)"]), (18, ["leaf(size - 1)", "leaf(TWICE(size))"])]


def test_a_loop_runs_beside_its_own_children(tmp_path):
    (tmp_path / "loop.cilk").write_text(
        "cilk void work(int i) { }\ncilk int main(void) {\n  int i;\n  for (i = 0; i < 9; i++)\n"
        "    spawn work(i);\n  sync;\n  i = 0;\n  return i;\n}\n"
    )
    made, _ = index(tmp_path / "loop.cilk")
    assert {row[1] for row in made["parallel"]} == {4, 5}


def test_a_touch_ends_what_runs_beside(tmp_path):
    (tmp_path / "touch.cilk").write_text(
        "cilk int one(void) { return 1; }\ncilk int main(void) {\n  future int f;\n  int x = 0;\n"
        "  f = spawn one();\n  x += 1;\n  x += touch f;\n  x += 2;\n  return x;\n}\n"
    )
    made, result = index(tmp_path / "touch.cilk")
    assert result.status == 0, str(result)
    assert {row[1] for row in made["parallel"]} == {6}


def test_errors_leave_the_rest(tmp_path):
    (tmp_path / "bad.cilk").write_text(
        "struct s { int x; };\nint f(struct s *p) { return p->nothing; }\nint g(void) { return 1 }\nint h(int a) { return a; }\n"
    )
    made, result = index(tmp_path / "bad.cilk")
    assert result.status == 1
    assert {"s", "f", "g", "h", "a"} <= {s["name"] for s in made["symbols"]}


def test_opencilk(tmp_path):
    (tmp_path / "f.c").write_text(
        "int f(int n) {\n  int x;\n  if (n < 2) return n;\n  x = cilk_spawn f(n - 1);\n  n += 1;\n  cilk_sync;\n  return x;\n}\n"
    )
    made, result = index(tmp_path / "f.c", "-fopencilk")
    assert result.status == 0, str(result)
    kinds = {s["name"]: s["kind"] for s in made["symbols"]}
    assert kinds["f"] == "procedure" and kinds["n"] == "parameter"
    assert [row[1] for row in made["parallel"]] == [5]


@pytest.mark.parametrize("text", ["", "{", "cilk int f(", "struct s { struct s *", "int x = y->z;", "cilk int f(void) { spawn; spawn 1; x = spawn y(); }",
                                  "enum e { A, B", "typedef typedef int", "int f() { goto l; l: ; { __label__ l; l: ; } }"])
def test_no_text_breaks_it(text, tmp_path):
    (tmp_path / "t.cilk").write_text(text)
    made, result = index(tmp_path / "t.cilk")
    assert result.status in (0, 1) and set(made) == {"symbols", "uses", "spawns", "parallel", "library", "files"}, str(
        result
    )
