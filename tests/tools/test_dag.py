"""`cilkc dag`: the recorded dag is that of the program, by closed forms and by a separate count. Pictures and pages need
no other file and have a bounded size."""

import json
import random
import re
import xml.etree.ElementTree

import pytest

from conftest import CILKC, ROOT, command, files
from pages import shown

pytestmark = pytest.mark.tier("check")

FIB = ROOT / "tests/profile/fib.cilk"
UGLY = ROOT / "tests/dag/irregular.cilk"
SVG = "{http://www.w3.org/2000/svg}"


def dag(path, *options, arguments=(), status=0, cwd=None):
    result = command([CILKC, "dag", "--json", *options, path, "--", *map(str, arguments)], cwd=cwd)
    assert result.status == status, str(result)
    return json.loads(result.out), result


def field(e, name) -> str:
    return e.get(name) or ""


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 16, 25])
def test_the_dag_of_fib_by_its_recursion(n):
    d, _ = dag(FIB, arguments=[n])
    inner, leaves = fibonacci(n + 1) - 1, fibonacci(n + 1)
    instances = inner + leaves + 1                           # and main
    strands = 3 * inner + leaves + 2
    assert (d["instances"], d["strands"], d["spawns"]) == (instances, strands, instances - 1)
    assert d["edges"] == {"spawn": instances - 1, "return": instances - 1, "successor": strands - instances, "call": 0}
    work, span = [2, 2], [2, 2]
    for i in range(2, n + 1):
        work.append(2 + 7 + 7 + 1 + work[i - 1] + work[i - 2])
        span.append(1 + max(2 + 7 + span[i - 1], 2 + 7 + 7 + span[i - 2]))
    top = d["critical_path"][1]
    assert (top["procedure"], top["work"], top["span"]) == ("fib", work[n], span[n])
    assert len(d["records"]) <= n + 4                        # equal parts are one
    assert sum(p["own"] for p in d["critical_path"]) == d["span"]


def test_inlets_that_wait_for_each_other_are_on_the_critical_path(tmp_path):
    """All of them are, and what comes before the first; what the path has adds up to the span. --root draws one
    procedure."""
    d, _ = dag(ROOT / "tests/profile/inlets-in-turn.cilk")
    inlets = sum(s["delivery"] for r in d["records"] for s in r["steps"] if s["ends"] == "spawn")
    main = next(r for r in d["records"] if any("inlets in turn" in s.get("marks", []) for s in r["steps"]))
    assert 0.97 * d["span"] < inlets < d["span"] <= d["work"] and sum(p["own"] for p in d["critical_path"]) == d["span"]
    assert main["span"] == d["span"] and all(site["alone"] for site in d["sites"])
    d, _ = dag(FIB, "--root", "fib", arguments=[6])
    whole, _ = dag(FIB, arguments=[6])
    assert (
        d["critical_path"][0]["procedure"] == "fib"
        and d["instances"] == whole["instances"] - 1
        and d["span"] < whole["span"]
    )
    printed = command([CILKC, "dag", "-o", tmp_path / "fib.svg", "--root", "fib", FIB, "--", "6"]).out
    paths = re.findall(r"^ *(\S+ %) +(\S+ %) +\d+ +(\w+)", printed.partition("Call paths")[2], re.M)
    assert paths == [("100 %", "100 %", "fib")], printed
    result = command([CILKC, "dag", "--root", "fob", FIB, "--", "3"])
    assert (
        result.status == 125 and "--root fob: no such procedure is in the dag; it has fib, main" in result.err
    ), str(result)


def recounted(d):
    """Work, span, instances, strands of each record, from its steps alone; and that the marks are on a longest path."""
    found = []
    for r in d["records"]:
        work = path = instances = 0
        strands, block, base = 0, [], 0
        for s in r["steps"]:
            many = s["count"] if s["ends"] in ("spawn", "call") else 1
            assert s["units"] % s["count"] == 0
            path += s["units"] if s["ends"] in ("spawn", "call", "end") else s["units"] // s["count"]
            work += s["units"] if s["ends"] != "sync" else s["units"] // s["count"]
            strands += many if s["ends"] != "sync" or s["units"] or s.get("marks") else 0
            if s["ends"] == "spawn":
                inside = found[s["record"]]
                assert inside == (s["work"] // many, s["span"], s["instances"] // many, s["strands"] // many)
                work += s["work"] + s["delivery"]
                strands += s["strands"]
                instances += s["instances"]
                block.append((path + s["span"] + s["delivery"] // many, "critical" in s.get("marks", [])))
            elif s["ends"] == "sync":
                longest = max(end for end, _ in block)
                assert [end == longest and longest > path for end, marked in block if marked] in ([], [True])
                assert any(marked for _, marked in block) == (longest > path)
                repeated = s["count"] - 1
                length = max(path, longest) - base
                path = max(path, longest) + repeated * length
                block, base = [], path
                assert not repeated, "this test's programs have no equal blocks"
        found.append((work, path, instances + 1, strands))
    return found


def program(seed):
    """A random tree as data, and a program that spawns along it: (text, instances, strands)."""
    chance = random.Random(seed)
    nodes = [[]]
    while len(nodes) < 60:
        parent = chance.randrange(max(0, len(nodes) - 12), len(nodes))
        nodes[parent].append(len(nodes))
        if chance.random() < 0.3:
            nodes[parent].append(0)                          # a sync
        nodes.append([])
    instances, strands = len(nodes) + 1, 2
    for ops in nodes:
        out, count = 0, 1
        for op in ops + [0]:
            if op:
                out, count = out + 1, count + 1
            elif out:
                out, count = 0, count + 1
        strands += count
    rows = ",\n".join(
        "{ %s }" % ", ".join([str(chance.randrange(50))] + [str(op) if op else "-1" for op in ops] + ["-2"])
        for ops in nodes
    )
    text = """static const int tree[][64] = {
%s };
static volatile int sink;
static cilk void run(int n) {
  int i;
  for (i = 0; i < tree[n][0]; i++) sink += i;
  for (i = 1; tree[n][i] != -2; i++) {
    if (tree[n][i] >= 0) spawn run(tree[n][i]);
    else sync;
  }
}
cilk int main(void) { spawn run(0); sync; return 0; }
""" % rows
    return text, instances, strands


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(1, 16))
def test_random_trees_have_the_nodes_of_a_count_beside_them(seed, tmp_path):
    text, instances, strands = program(seed)
    (tmp_path / "p.cilk").write_text(text)
    d, _ = dag(tmp_path / "p.cilk")
    assert (d["instances"], d["strands"]) == (instances, strands)
    root = recounted(d)[d["root"]]
    assert root == (d["work"], d["span"], d["instances"], d["strands"])
    profile = json.loads(command([CILKC, "profile", "--json", "--no-what-if", tmp_path / "p.cilk"]).out)
    assert (profile["work"], profile["span"], profile["spawns"]) == (d["work"], d["span"], d["spawns"])


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", files("tests/profile/*.cilk"))
def test_the_numbers_are_those_of_the_profile(path):
    arguments = re.search(r"^// ARGS:? ?(.*)$", path.read_text(), re.M)
    words = arguments.group(1).split() if arguments else []
    made = command([CILKC, "profile", "--json", "--no-what-if", path, "--", *words], stdin=b"axbx")
    p = json.loads(made.out)
    result = command([CILKC, "dag", "--json", path, "--", *words], stdin=b"axbx")
    d = json.loads(result.out)
    assert (d["work"], d["span"], d["spawns"], result.status) == (p["work"], p["span"], p["spawns"], made.status)


def test_the_timed_section_is_a_row_of_the_table(tmp_path):
    """Its work and span by fib's recursion, and what is spent on the spawn and on the clock."""
    (tmp_path / "timed.cilk").write_text("""#include <timing.cilkh>
static cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
cilk int main(int argc, char **argv) {
  struct section timed;
  int i, r = 0;
  for (i = 0; i < 100000; i++) r += i & argc;
  section_begins(timed); r = spawn fib(12); section_ends(timed);
  return r != 144;
}
""")
    work, span = [2, 2], [2, 2]
    for i in range(2, 13):
        work.append(2 + 7 + 7 + 1 + work[i - 1] + work[i - 2])
        span.append(1 + max(2 + 7 + span[i - 1], 2 + 7 + 7 + span[i - 2]))
    result = command([CILKC, "dag", tmp_path / "timed.cilk"], cwd=tmp_path)
    row = re.search(r"timed section: work, span +([\d,]+), ([\d,]+)", result.out)
    assert result.status == 0 and row and "timed section: parallelism" in result.out, str(result)
    assert 0 <= int(row[1].replace(",", "")) - work[12] < 150 and 0 <= int(row[2].replace(",", "")) - span[12] < 150


def test_loops_are_one_step_and_equal_blocks_one_block(tmp_path):
    (tmp_path / "p.cilk").write_text("""static cilk void leaf(void) { }
cilk int main(void) {
  int i, j;
  for (i = 0; i < 100000; i++) spawn leaf();
  sync;
  for (j = 0; j < 500; j++) { for (i = 0; i < 3; i++) spawn leaf(); sync; }
  return 0;
}
""")
    d, _ = dag(tmp_path / "p.cilk")
    assert d["instances"] == 101501 and d["spawns"] == 101500
    assert d["strands"] == 101500 + 101500 + 501 + 1
    steps = d["records"][d["root"]]["steps"]
    assert (
        len(steps) < 20
        and max(s["count"] for s in steps if s["ends"] == "spawn") >= 99998
        and max(s["count"] for s in steps if s["ends"] == "sync") >= 498
    )
    spawned = at = 0
    for i, s in enumerate(steps):
        if s["ends"] == "sync":
            spawned += s["count"] * sum(t["count"] for t in steps[at:i] if t["ends"] == "spawn")
            at = i + 1
    assert spawned == 101500


INLETS = """static cilk int child(int k) { return k == 3 ? -1 : k; }
static cilk int all(void) {
  int best = 0, k;
  inlet void take(int r) { if (r < 0) abort; else best += r; }
  for (k = 0; k < 6; k++) take(spawn child(k));
  sync;
  return best;
}
cilk int main(void) { int r; r = spawn all(); sync; return r != 12; }
"""


def test_inlets_and_what_an_abort_would_end_are_marked(tmp_path):
    (tmp_path / "p.cilk").write_text(INLETS)
    d, _ = dag(tmp_path / "p.cilk", "-o", "p.svg", "-o", "p.dot", cwd=tmp_path)
    steps = [s for r in d["records"] for s in r["steps"] if s.get("inlet") == "take"]
    assert sum(s["count"] for s in steps) == 6
    assert sum(s["count"] for s in steps if "aborted" in s["marks"]) == 3
    assert sum(s["count"] for s in steps if "inlet aborts" in s["marks"]) == 1
    picture = (tmp_path / "p.svg").read_text()
    assert (
        picture.count(">take</text>") + picture.count(">take aborts</text>") == len(steps)
        and picture.count(">take aborts</text>") == 1
    )
    assert picture.count("an abort would end it") == len([s for s in steps if "aborted" in s["marks"]])
    assert "take aborts" in (tmp_path / "p.dot").read_text()


def test_the_picture_has_the_form_of_the_papers(tmp_path):
    result = command([CILKC, "dag", FIB, "-o", "f.svg", "-o", "f.dot", "--", "4"], cwd=tmp_path)
    assert result.status == 0, str(result)
    root = xml.etree.ElementTree.parse(tmp_path / "f.svg").getroot()
    boxes = [e for e in root.iter(SVG + "rect") if field(e, "class").startswith("box")]
    strands = list(root.iter(SVG + "circle"))
    edges = [e for e in root.iter(SVG + "path") if field(e, "class").startswith("edge")]
    assert (len(boxes), len(strands)) == (10, 19)
    kinds = {kind: [e for e in edges if kind in field(e, "class")] for kind in ("spawn", "successor", "return")}
    assert {kind: len(found) for kind, found in kinds.items()} == {"spawn": 9, "successor": 9, "return": 9}
    assert all(float(field(b, "rx")) > 0 for b in boxes)
    ends = lambda e: [float(x) for x in re.findall(r"-?[0-9.]+", field(e, "d"))]  # noqa: E731
    assert all(ends(e)[3] > ends(e)[1] for e in kinds["spawn"]), "spawns lead down"
    assert all(ends(e)[2] > ends(e)[0] for e in kinds["successor"]), "successors lead to the right"
    assert all(ends(e)[-1] < ends(e)[1] and ends(e)[-2] > ends(e)[0] for e in kinds["return"]), "returns lead up"
    # No two strands and no two boxes of one row lie on each other.
    centres = sorted((float(field(e, "cy")), float(field(e, "cx"))) for e in strands)
    assert all(a[0] != b[0] or b[1] - a[1] > 24 for a, b in zip(centres, centres[1:]))
    spans = sorted((float(field(b, "y")), float(field(b, "x")), float(field(b, "width"))) for b in boxes)
    assert all(a[0] != b[0] or b[1] >= a[1] + a[2] for a, b in zip(spans, spans[1:]))
    # The critical path is a path: its strands have the span.
    on = {(float(field(e, "cx")), float(field(e, "cy"))) for e in strands if "on" in field(e, "class").split()}
    units = 0
    for g in root.iter(SVG + "g"):
        circle, number = g.find(SVG + "circle"), g.find(SVG + "text")
        if circle is not None and number is not None and "on" in field(circle, "class").split():
            units += int(number.text or "")
    assert (
        "span %d," % units in (tmp_path / "f.svg").read_text()
        and len(on) == len([e for e in edges if "on" in field(e, "class").split()]) + 1
    )
    text = (tmp_path / "f.dot").read_text()
    assert (
        text.count("subgraph cluster_") == 10
        and text.count("shape=circle") == 19
        and text.count(" -> ") == 27
        and text.count("{") == text.count("}")
    )


def test_a_large_dag_is_drawn_in_part_and_says_so(tmp_path):
    result = command([CILKC, "dag", FIB, "-o", "f.svg", "-o", "f.html", "--", "27"], cwd=tmp_path)
    assert result.status == 0 and re.search(r"Of 635,622 instances 635,\d+ are in \d+ closed boxes", result.out), str(
        result
    )
    assert (tmp_path / "f.svg").stat().st_size < 100000 and (tmp_path / "f.html").stat().st_size < 100000
    root = xml.etree.ElementTree.parse(tmp_path / "f.svg").getroot()
    assert 20 < len(list(root.iter(SVG + "circle"))) <= 80
    page = command([CILKC, "dag", FIB, "--html", "page", "--", "27"], cwd=tmp_path)
    assert (
        page.status == 0
        and "page: open it in a browser" in page.out
        and (tmp_path / "page").read_text().startswith("<!DOCTYPE html>")
    ), str(page)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f.html", "f.svg", "page"]
    command([CILKC, "dag", FIB, "-o", "g.svg", "--strands", "400", "--depth", "3", "--", "27"], cwd=tmp_path)
    assert len(list(xml.etree.ElementTree.parse(tmp_path / "g.svg").getroot().iter(SVG + "circle"))) == 2 + 3 + 3 + 3


def test_a_dag_without_end_is_recorded_in_bounded_memory(tmp_path):
    d, _ = dag(UGLY, "-o", tmp_path / "u.html", "-o", tmp_path / "u.svg", "--limit", "1")
    assert d["not_recorded_below_work"] > 0 and len(d["records"]) <= 20000
    assert (tmp_path / "u.html").stat().st_size <= 1000000 and (tmp_path / "u.svg").stat().st_size < 200000
    steps = sum(len(r["steps"]) for r in d["records"])
    assert 20000 < steps <= 100000
    # What was not recorded is counted: the numbers of the root are those of the profile.
    p = json.loads(command([CILKC, "profile", "--json", "--no-what-if", UGLY]).out)
    root = d["records"][d["root"]]
    assert (root["work"], root["span"], root["instances"] - 1) == (p["work"], p["span"], p["spawns"])
    # Those that stayed have the most work.
    assert all(r["work"] >= d["not_recorded_below_work"] for r in d["records"])


def test_the_page_works_alone(tmp_path):
    command([CILKC, "dag", FIB, "-o", "f.html", "--", "20"], cwd=tmp_path)
    counts = []
    for fragment in ("", "#path", "#more"):
        text = shown(tmp_path / "f.html", fragment)
        assert 'data-ready="yes"' in text
        counts.append(int(re.search(r'data-strands="(\d+)"', text).group(1)))
    assert 8 < counts[0] <= 80 and counts[1] > counts[0] + 20 and counts[2] > 3000


def source(tmp_path, text):
    (tmp_path / "p.cilk").write_text(text)
    return "p.cilk"


def test_a_program_that_ends_by_exit(tmp_path):
    exits = source(
        tmp_path,
        "#include <stdlib.h>\nstatic cilk void f(int n) { if (n == 0) exit(3); spawn f(n - 1); sync; }\ncilk int main(void) { spawn f(5); sync; return 0; }\n",
    )
    d, _ = dag(exits, status=3, cwd=tmp_path)
    assert d["status"] == 3 and d["instances"] == 7 and d["spawns"] == 6
    assert [p.name for p in tmp_path.iterdir()] == ["p.cilk"]


def test_endless_recursion(tmp_path):
    source(
        tmp_path,
        "static cilk int f(int n) { int x; x = spawn f(n + 1); sync; return x + 1; }\ncilk int main(void) { int x; x = spawn f(0); sync; return x; }\n",
    )
    result = command([CILKC, "dag", "-O0", "p.cilk"], cwd=tmp_path)
    assert result.status >= 125 and "Traceback" not in result.err and result.err
    assert [p.name for p in tmp_path.iterdir()] == ["p.cilk"]


def test_a_deep_chain(tmp_path):
    source(
        tmp_path,
        "static cilk int f(int n) { int x; if (n == 0) return 0; x = spawn f(n - 1); sync; return x + 1; }\n"
        "cilk int main(void) { int x; x = spawn f(30000); sync; return x != 30000; }\n",
    )
    d, _ = dag("p.cilk", "-o", "p.html", "-o", "p.svg", "-o", "p.dot", "--strands", "20000", cwd=tmp_path)
    assert d["instances"] == 30002 and (tmp_path / "p.html").stat().st_size < 5000000


THREADS = """\
#include <stdlib.h>
thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
thread fib(cont int k, int n)
{
    if (n < 2) send_argument(k, n);
    else { cont int x, y; spawn_next sum(k, ?x, ?y); spawn fib(x, n - 1); spawn fib(y, n - 2); }
}
cilk int main(int argc, char *argv[]) { int r; r = spawn fib(atoi(argv[1])); sync; return r % 100; }
"""


# Threads that call a procedure of Cilk-5, which main calls, too.
MIXED = """#include <stdlib.h>
cilk int chain(int n) { int r; if (n == 0) return 0; r = spawn chain(n - 1); sync; return r + 1; }
cilk int pair(int n) { int a, b; a = spawn chain(n); b = spawn chain(n); sync; return a + b; }
thread add(cont int k, int x, int y) { send_argument(k, x + y); }
thread twice(cont int k, int n)
{
    cont int x, y;
    spawn_next add(k, ?x, ?y);
    spawn pair(x, n);
    spawn pair(y, n);
}
cilk int main(int argc, char *argv[])
{
    int r, s, n = atoi(argv[1]);
    r = spawn twice(n);
    s = spawn pair(n);
    sync;
    return r + s != 6 * n;
}
"""


def test_the_dag_of_threads_and_procedures_has_the_work_of_both(tmp_path):
    """Work and critical path are profile's, those of the threads and what they call the simulator's. On the critical
    path is one of two chains of each pair of chains."""
    (tmp_path / "m.cilk1").write_text(MIXED)

    def run(n, *words):
        result = command([CILKC, *words, "--json", "m.cilk1", "--", str(n)], cwd=tmp_path)
        assert result.status == 0, str(result)
        return json.loads(result.out)

    drawn = []
    for n in (10, 50):
        d, p = run(n, "dag"), run(n, "profile")
        assert (d["work"], d["span"]) == (p["work"], p["span"])
        assert d["parallelism"] == pytest.approx(p["parallelism"])
        (played,) = run(n, "simulate", "--counted", "-P", "1")
        assert (d["drawn"]["work"], d["drawn"]["span"]) == (played["T1"], played["Tinf"])
        assert sum(node["work"] for node in d["nodes"]) == d["drawn"]["work"] < d["work"]
        drawn.append((d["drawn"]["work"], d["drawn"]["span"], d["work"]))
    work, span, whole = (b - a for a, b in zip(*drawn))
    assert work == 4 * span and whole == 6 * span               # a link of each chain more, 40 times


@pytest.mark.parametrize("n", [0, 1, 5, 9])   # 9: more threads than a picture has without being asked
def test_the_dag_of_threads_by_their_recursion(n, tmp_path):
    """Cilk-1: spawns, successors and sends, as the paper draws them; the path is one of their edges from the first
    thread to the last."""
    (tmp_path / "fib.cilk1").write_text(THREADS)
    files = ["fib.svg", "fib.dot", "fib.html"]
    d, _ = dag(
        "fib.cilk1",
        "--strands",
        "500",
        *(word for file in files for word in ("-o", file)),
        arguments=[n],
        status=fibonacci(n) % 100,
        cwd=tmp_path,
    )
    sums, leaves = fibonacci(n + 1) - 1, fibonacci(n + 1)
    caller = 1                                               # takes the result
    assert d["threads"] == sums + sums + leaves + caller and d["left_out"] == 0
    assert d["edges"] == {"spawn": sums + leaves + caller, "successor": sums, "send": sums + leaves}
    assert all(node["ran"] for node in d["nodes"][1:])
    edges = {(node["spawner"], i) for i, node in enumerate(d["nodes"])} | {
        (send["from"], send["to"]) for send in d["sends"]
    }
    assert set(zip(d["critical_path"], d["critical_path"][1:])) <= edges
    assert {d["nodes"][d["critical_path"][end]]["name"] for end in (0, -1)} == {"the caller"}
    assert 0 < d["span"] <= d["work"]
    root = xml.etree.ElementTree.parse(tmp_path / "fib.svg").getroot()
    assert (
        len(root.findall(SVG + "circle")) == sums + sums + leaves and len(root.findall(SVG + "rect")) == sums + leaves
    )
    assert (tmp_path / "fib.dot").read_text().count("->") == (2 * sums + leaves - 1) + (sums + leaves - 1)
    assert "<svg" in (tmp_path / "fib.html").read_text()
