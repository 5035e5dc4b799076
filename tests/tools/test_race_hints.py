"""What `cilkc race` says beyond the two accesses of a race: hints, notes, and what an abort kept from running."""

import html
import json
import re

import pytest

from test_race import detect

pytestmark = pytest.mark.tier("check")


@pytest.mark.parametrize("first, second, hint", [
    ("Cilk_lock(l); x++; Cilk_unlock(l);", "x++;", "the write at line 3 is under a lock, the write at line 4 is not: hold the same lock there"),
    ("x++;", "Cilk_lock(l); x++; Cilk_unlock(l);", "the write at line 4 is under a lock, the write at line 3 is not: hold the same lock there"),
    ("Cilk_lock(l); x++; Cilk_unlock(l);", "Cilk_lock(m); x++; Cilk_unlock(m);", "both are under locks, but not under a common one: use one lock for both"),
    ("Cilk_lock(l); Cilk_unlock(l); x++;", "Cilk_lock(l); Cilk_unlock(l); x++;", "neither is under a lock, though both procedures use one: hold the same lock around both"),
    ("x++;", "x++;", "`sync;` before the spawn at line 7; or let the children"),
])
def test_a_missing_lock_is_hinted_at(tmp_path, first, second, hint):
    (tmp_path / "p.cilk").write_text(
        "int x;\nCilk_lockvar l, m;\ncilk void f(void) { %s }\ncilk void g(void) { %s }\ncilk int main(void) {\n"
        "Cilk_lock_init(l); Cilk_lock_init(m); spawn f();\nspawn g(); sync; return 0; }\n" % (first, second)
    )
    rows = json.loads(detect(tmp_path / "p.cilk").stdout)["races"]
    assert any(row["hint"].startswith(hint) for row in rows) and all(
        ("lock" in row["hint"]) == ("lock" in hint) for row in rows
    ), rows


def test_hints_say_what_a_sync_costs_and_that_volatile_is_no_cure(tmp_path):
    """Children that do the same in one place would run one after the other with a sync between them."""
    (tmp_path / "p.cilk").write_text(
        "volatile int x; int y;\ncilk void f(void) { x++; y++; }\n"
        "cilk int main(void) {\nspawn f();\nspawn f();\nsync; return 0; }\n"
    )
    rows = json.loads(detect(tmp_path / "p.cilk").stdout)["races"]
    assert all(row["hint"].startswith("let the children return their parts") for row in rows), rows
    assert all("with `sync;` before the spawn at line 5 they would run" in row["hint"] for row in rows), rows
    assert {row["object"]: "`volatile` does not help" in row["hint"] for row in rows} == {"x": True, "y": False}, rows


WHYS = {            # of a variable: what two children do, in the order of the elision, and the sentence
    "a": ("a += 1;", "a = a + 2;", "line {0} and line {1} each read a and write it back: if two workers read it before "
                                   "either of them writes, one of the two updates is lost"),
    "b": ("b = 1;", "b = 2;", "the worker that writes last decides the value of b"),
    "c": ("c = 1;", "use(c);", "line {1} may read c before line {0} has written it"),
    "d": ("use(d);", "d = 1;", "line {1} may write d before line {0} has read it"),
    "e": ("e = 7;", "e++;", "line {1} reads e and writes it back: what line {0} writes in between is lost"),
    "f": ("memcpy(&f, &one, 4);", "f = 2;", ""),
}


def test_a_sentence_says_what_may_go_wrong(tmp_path):
    lines = ["#include <string.h>", "static int one, %s;" % ", ".join(WHYS), "static void use(int n) { (void)n; }"]
    lines += ["cilk void first(void) {", *(first for first, _, _ in WHYS.values()), "}",
              "cilk void second(void) {", *(second for _, second, _ in WHYS.values()), "}",
              "cilk int main(void) { spawn first(); spawn second(); sync; return 0; }"]
    (tmp_path / "p.cilk").write_text("\n".join(lines))
    result = detect(tmp_path / "p.cilk")
    rows = json.loads(result.stdout)["races"]
    wanted = {name: said.format(5 + n, 7 + len(WHYS) + n) for n, (name, (_, _, said)) in enumerate(WHYS.items())}
    assert {row["object"]: row["why"] for row in rows} == wanted


def test_pragmas_can_be_ignored(tmp_path):
    """Those of the program, and what a header of the system has."""
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "s.h").write_text(
        "static int c;\n#pragma cilk race off\nstatic inline void h(void) { c++; }\n#pragma cilk race on\n")
    (tmp_path / "p.cilk").write_text(
        "#include <s.h>\nint a, b;\n#pragma cilk race off\ncilk void f(void) { a++; h(); }\n#pragma cilk race on\n"
        "__attribute__((cilk_no_race)) cilk void g(void) { b++; }\n"
        "cilk int main(void) { spawn f(); spawn f(); spawn g(); spawn g(); sync; return 0; }\n"
    )
    seen = {flags: {row["object"] for row in json.loads(
        detect(tmp_path / "p.cilk", "-isystem", tmp_path / "system", *flags).stdout)["races"]}
        for flags in ((), ("-fno-cilk-race-pragmas",))}
    assert seen == {(): set(), ("-fno-cilk-race-pragmas",): {"a", "b"}}


@pytest.mark.parametrize("name", ["p.c", "p.cilk"])
def test_opencilk_has_names_and_hints_of_its_own_spelling(tmp_path, name):
    """A loop and a waited call have the name of the function that they are in."""
    (tmp_path / name).write_text(
        "#include <cilk/cilk.h>\nint t;\nvoid f(int n) { t += n; }\nint g(int n) { cilk_for (int i = 0; i < n; i++) f(i); return n; }\n"
        "int main(void) { int x = g(3); cilk_spawn f(1); f(x); return 0; }\n"
    )
    races = json.loads(detect(tmp_path / name, "-fopencilk").stdout)["races"]
    assert {(place["procedure"]) for row in races for a in row["accesses"] for place in [a, *a["path"]]} == {
        "main",
        "g",
        "f",
    }
    assert (
        all("inlet" not in row["hint"] and ("reducer" in row["hint"] or "`cilk_sync;`" in row["hint"]) for row in races)
        and len(races) == 1
    ), races


def test_hints_for_results_that_come_too_late_have_opencilks_spelling(tmp_path):
    (tmp_path / "p.c").write_text(
        "int f(int n) { return n; }\nint main(void) {\nint a[2] = {0}, s = 0;\nfor (int i = 0; i < 2; i++)\n"
        "a[i] = cilk_spawn f(i);\ns += a[1];\ncilk_sync;\nreturn s > 9; }\n"
    )
    rows = json.loads(detect(tmp_path / "p.c", "-fopencilk", "-Wno-races").stdout)["races"]
    assert [row["type"] for row in rows] == ["early"] and "`cilk_sync;`" in rows[0]["hint"], rows


# ---- hints: what a beginner does next ----

HINTS = {
    # name: the program, and what the hint of its one finding says
    "a-call-of-the-parent": (
        "p.c",
        "int n;\nstatic void add(void) { n++; }\nint main(void)\n{\n    cilk_spawn add();\n    add();\n    cilk_sync;\n    return 0;\n}\n",
        "`cilk_sync;` between the spawn at line 5 and the call `add()` on line 6",
    ),
    "a-call-that-spawns": (
        "p.c",
        "int n;\nstatic void none(void) {}\nstatic void add(void) { cilk_spawn none(); n++; cilk_sync; }\n"
        "int main(void)\n{\n    cilk_spawn add();\n    add();\n    cilk_sync;\n    return 0;\n}\n",
        "make what they update a reducer; with `cilk_sync;` before the call at line 7 they would run one after the other",
    ),
    "parts-that-overlap": (
        "p.cilk",
        "int a[64];\ncilk void fill(int lo, int hi)\n{\n    if (hi - lo <= 40) { for (int i = lo; i <= hi; i++) a[i] = i; return; }\n"
        "    int m = (lo + hi) / 2;\n    spawn fill(lo, m);\n    spawn fill(m, hi);\n    sync;\n}\n"
        "cilk int main(void) { spawn fill(0, 60); sync; return 0; }\n",
        "`spawn fill(lo, m)` and `spawn fill(m, hi)` both use a[30]. If `m` is to end the one part and begin the other, "
        "check the bounds: the last element of one part is the first of the next",
    ),
    "one-buffer": (
        "p.cilk",
        "int a[2], scratch[1];\ncilk void put(int *p, int *t, int k)\n{\n    t[0] = k;\n    *p = k;\n}\n"
        "cilk int main(void)\n{\n    spawn put(a, scratch, 1);\n    spawn put(a + 1, scratch, 2);\n    sync;\n    return 0;\n}\n",
        "`spawn put(a, scratch, 1)` and `spawn put(a + 1, scratch, 2)` get the same `scratch`: give each child a part of its own, or `sync;` between the two",
    ),
    "one-state": (
        "p.cilk",
        "#include <string.h>\nchar a[] = \"x y\", b[] = \"z w\";\ncilk void words(char *s) { strtok(s, \" \"); }\n"
        "cilk int main(void) { spawn words(a); spawn words(b); sync; return 0; }\n",
        "strtok has one state for the whole program: use strtok_r, with a state for each child",
    ),
    "freed": (
        "p.cilk",
        "#include <stdlib.h>\ncilk void use(int *p, int *o) { *o = p[1]; }\ncilk int main(void)\n{\n    int *p = calloc(2, sizeof *p), o;\n"
        "    spawn use(p, &o); free(p);\n    sync;\n    return o;\n}\n",
        "`sync;` on line 6, between `spawn use(p, &o)` (column 5) and `free(p)` (column 23)",
    ),
    "touch": (
        "p.cilk",
        "int n;\ncilk int make(void) { return n = 1; }\ncilk int use(future int *f) { return f ? n : 0; }\ncilk int main(void)\n{\n"
        "    future int f = spawn make();\n    int r = 0;\n    r = spawn use(&f);\n    sync;\n    return r - 1;\n}\n",
        "`touch` the future of the child that is spawned at line 6 before line 3 uses n; or `sync;`",
    ),
    "early-in-opencilk": (
        "p.c",
        "static int one(void) { return 1; }\nint main(void)\n{\n    int x[1];\n    x[0] = cilk_spawn one();\n    int y = x[0];\n"
        "    cilk_sync;\n    return y - 1;\n}\n",
        "`cilk_sync;` between the spawn at line 5 and line 6",
    ),
    "speculation": (
        "p.cilk",
        "cilk int next(int bound) { return bound + 1; }\ncilk int search(void)\n{\n    int best = 0;\n"
        "    inlet void take(int r) { if (r > best) best = r; }\n    for (int i = 0; i < 3; i++)\n        take(spawn next(best));\n"
        "    sync;\n    return best;\n}\ncilk int main(void) { int r; r = spawn search(); sync; return r - 3; }\n",
        "the next child gets `best`, which an outstanding child may still change. If any value will do, because the children only "
        "speculate, say so by __attribute__((cilk_speculative)) of search; otherwise `sync;` in each iteration of the loop",
    ),
    "stencil-in-place": (
        "p.c",
        "int a[64];\nint main(void)\n{\n    cilk_for (int i = 1; i < 63; i++)\n        a[i] = a[i - 1] + 1;\n    return 0;\n}\n",
        "`a[i - 1]` is read while a parallel strand writes it as `a[i]`: write the new values into another array, or "
        "`cilk_sync;` between the two steps",
    ),
    "automatic-memory": (
        "p.cilk",
        "#include <alloca.h>\ncilk void set(int *p) { *p = 1; }\ncilk int main(void)\n{\n    int *p = alloca(4 * sizeof *p);\n"
        "    spawn set(p);\n    p[0] = 2;\n    sync;\n    return 0;\n}\n",
        "`sync;` between the spawn at line 6 and line 7",
    ),
}


def test_two_results_in_one_variable_need_two(tmp_path):
    """No inlet is spoken of where there is none."""
    (tmp_path / "p.cilk").write_text(
        "cilk int leaf(int n) { return n; }\ncilk int main(void)\n{\n    int s = 0;\n"
        "    for (int i = 0; i < 3; i++) s = spawn leaf(i);\n    sync;\n    return s - 2;\n}\n"
    )
    (row,) = json.loads(detect(tmp_path / "p.cilk", "-w").stdout)["notes"]
    assert row["hint"] == "more than one child sets s: give each spawn a variable of its own, and combine them after the `sync;`"


@pytest.mark.parametrize("name", HINTS)
def test_the_hint_says_what_to_do(tmp_path, name):
    file, text, hint = HINTS[name]
    (tmp_path / file).write_text(text)
    result = detect(tmp_path / file, "-w", *(["-fopencilk"] if file.endswith(".c") else []))
    rows = json.loads(result.stdout)["races"]
    assert [row["hint"] for row in rows] == [hint], str(rows)
    if name == "automatic-memory":
        assert rows[0]["kind"] == "automatic" and rows[0]["object"] == "`alloca(4 * sizeof *p)`"
    if name == "freed":
        assert rows[0]["accesses"][1]["text"] == "free(p)"


def test_parallel_calls_of_rand_are_one_note(tmp_path):
    """Calls of rand are no race, but two programs draw other numbers from one sequence."""
    text = "#include <stdlib.h>\ncilk int draw(void) { return rand(); }\ncilk int main(void)\n{\n    int a[3];\n"
    text += "    for (int i = 0; i < 3; i++) a[i] = spawn draw();\n    sync;\n    %s\n    return a[0] < 0;\n}\n"
    (tmp_path / "p.cilk").write_text(text % "srand(1);")
    result = detect(tmp_path / "p.cilk")
    assert result.returncode == 0 and [row["type"] for row in json.loads(result.stdout)["notes"]] == ["sequence"]
    assert "races" in json.loads(result.stdout) and not json.loads(result.stdout)["races"]
    (tmp_path / "p.cilk").write_text(text.replace("a[i] = spawn draw();", "{ a[i] = spawn draw(); sync; }") % "")
    assert "notes" not in json.loads(detect(tmp_path / "p.cilk").stdout)


SPECULATION = """int looked;
cilk int find(int lo, int hi, int key)
{
    int r = -1;
    inlet void got(int x) { if (x >= 0) { r = x; abort; } }
    if (hi - lo == 1) {
        looked = lo;
        return lo == key ? lo : -1;
    }
    got(spawn find(lo, (lo + hi) / 2, key));
    if (r < 0)
        got(spawn find((lo + hi) / 2, hi, key));
    sync;
    return r;
}
cilk int main(void) { int r; r = spawn find(0, 8, KEY); sync; return r < 0; }
"""


def test_what_an_abort_kept_from_running_is_named(tmp_path):
    (tmp_path / "p.cilk").write_text(SPECULATION.replace("KEY", "0"))
    result = detect(tmp_path / "p.cilk")
    report = json.loads(result.stdout)
    row, = report["decisions"]
    assert (row["stored"]["line"], row["decides"]["line"], row["skipped"]) == (5, 11, 12) and not report["races"]
    assert "the spawn at line 12 did not happen" in result.stderr and result.returncode == 0
    # a spawn that does happen
    (tmp_path / "p.cilk").write_text(SPECULATION.replace("KEY", "0").replace("if (r < 0)", "if (r >= 0)"))
    assert "decisions" not in json.loads(detect(tmp_path / "p.cilk").stdout)
    # the last one is found last, so nothing is left out, and the halves race
    (tmp_path / "p.cilk").write_text(SPECULATION.replace("KEY", "7"))
    report = json.loads(detect(tmp_path / "p.cilk").stdout)
    assert "decisions" not in report and [row["object"] for row in report["races"]] == ["looked"]


SHOWN = """int total;
cilk int f(int n)
{
    total += n;
    return n;
}
cilk int main(void)
{
    int x, y;
    x = spawn f(1);
    y = spawn f(2);
    return x + y - 3;
}
"""


def test_the_page_has_a_picture_and_a_change_that_removes_the_race(tmp_path):
    """Each diff of the page, applied alone, leaves out the finding below which it stands."""
    (tmp_path / "p.cilk").write_text(SHOWN)
    before = json.loads(detect(tmp_path / "p.cilk", "--html", str(tmp_path / "p.html")).stdout)["races"]
    page = (tmp_path / "p.html").read_text()
    findings = [html.unescape(text) for text in page.split("<h2")[1:]]
    assert len(findings) == len(before) > 1 and page.count('<svg class="picture"') == len(before), page
    seen = 0
    for row, text in zip(before, findings):
        assert ">writes<" in text and row["accesses"][0]["procedure"] in text.partition("</svg>")[0]
        at = re.search(r"^@@ -(\d+),.*@@\n((?: .*\n)*)<span class=\"more\">\+( *sync;)</span>$", text, re.M)
        if not at:
            continue
        seen += 1
        lines = SHOWN.split("\n")
        lines.insert(int(at[1]) - 1 + at[2].count("\n"), at[3])
        (tmp_path / "q.cilk").write_text("\n".join(lines))
        after = json.loads(detect(tmp_path / "q.cilk").stdout)["races"]
        texts = [[one["text"] for one in found["accesses"]] for found in after]
        assert len(after) < len(before), (at[0], texts)
    assert seen, page
