"""`cilkc profile` on tests/profile/*.cilk: work and span in exact units, the same at every level of optimisation and in
every run.

Comments say what must come out, by a closed form:
    // PARALLELISM: x p     within p percent
    // TOP: name            the procedure of the line with the largest share of the span, which has `// TOP` after
                            it
    // BOTTLENECK           that line is a serial bottleneck
    // VERDICT: P words     the verdict for P workers
    // BUSY: x p            so many of them are busy, within p percent
    // STATUS: n
"""

import csv
import io
import json
import re
import subprocess
import xml.etree.ElementTree

import pytest

from conftest import BUILD, CILKC, ROOT, RT_INCLUDES, command, compiled, files
from pages import shown

pytestmark = pytest.mark.tier("check")

LEVELS = ("-O0", "-O2", "-O3")


def words(text, name):
    found = re.search(r"^// %s:? ?(.*)$" % name, text, re.M)
    return found.group(1).split() if found else None


def profile(path, *options, arguments=(), stdin="", status=0):
    result = command([CILKC, "profile", "--json", *options, path, "--", *arguments], stdin=stdin.encode())
    assert result.status == status, str(result)
    return json.loads(result.out), result


@pytest.mark.sample(4, "test", 3)
@pytest.mark.parametrize("path", files("tests/profile/*.cilk"))
def test_parallelism_is_that_of_the_closed_form(path):
    text = path.read_text()
    arguments = words(text, "ARGS") or []
    status = int((words(text, "STATUS") or ["0"])[0])
    found = [profile(path, level, arguments=arguments, stdin="axbx", status=status)[0] for level in LEVELS]
    assert found[0] == found[1] == found[2]
    p = found[0]
    expected = words(text, "PARALLELISM")
    if expected:
        assert abs(p["parallelism"] / float(expected[0]) - 1) <= float(expected[1]) / 100, p["parallelism"]
    top = p["sites"][0]
    if words(text, "TOP"):
        assert top["procedure"] == words(text, "TOP")[0]
        assert text.split("\n")[top["line"] - 1].endswith("// TOP")
    assert (p["verdict"] == "bottleneck") == (words(text, "BOTTLENECK") is not None), p["sentence"]
    # Lines have all of the work and all of the span, each once.
    assert p["exact"]
    assert sum(s["work"] for s in p["sites"]) == p["work"]
    assert sum(s["work_on_span"] for s in p["sites"]) == p["span"]
    assert sum(s["local"]["work"] for s in p["procedures"]) <= p["work"]
    shares = [s["work_on_span"] for s in p["sites"]]
    assert shares == sorted(shares, reverse=True)
    assert p["unit"] == "instructions" and p["burdened"]["span"] >= p["span"]
    if words(text, "VERDICT"):
        the_last_sentence_is_right(path, text)


OPENINGS = {
    "too fine": "The spawns are too fine: ",
    "too little": "There is too little parallelism: ",
    "bottleneck": "There is a serial bottleneck at ",
    "lock": "A lock is the bottleneck: ",
    "inlets": "Inlets are the bottleneck: ",
    "loop of spawns": "A loop of spawns is the bottleneck: ",
    "enough": ("There is enough parallelism: ", "The parallelism is enough for "),
}


def the_last_sentence_is_right(path, text):
    workers, *kind = words(text, "VERDICT")
    p, _ = profile(path, "--nproc", workers, "--no-what-if")
    assert (p["verdict"], p["workers"]) == (" ".join(kind), int(workers)) and p["sentence"].startswith(
        OPENINGS[p["verdict"]]
    ), p["sentence"]
    busy = words(text, "BUSY")
    if busy:
        assert (
            abs(p["busy"] / float(busy[0]) - 1) <= float(busy[1]) / 100
            and "about %.3g are busy" % p["busy"] in p["sentence"]
        ), p["sentence"]


def test_fib_by_its_recursion():
    n = 16
    p, _ = profile(ROOT / "tests/profile/fib.cilk", arguments=[str(n)])
    work, span = [2, 2], [2, 2]
    for i in range(2, n + 1):
        work.append(2 + 7 + 7 + 1 + work[i - 1] + work[i - 2])
        span.append(1 + max(2 + 7 + span[i - 1], 2 + 7 + 7 + span[i - 2]))
    fib = [c for c in p["procedures"] if c["procedure"] == "fib"][0]
    assert (fib["inclusive"]["work"], fib["inclusive"]["span"]) == (work[n], span[n])
    assert fib["local"]["work"] == work[n] and fib["instances"] == 3193
    assert p["spawns"] == 3193


def test_the_page_names_each_key_of_the_json():
    row, = re.findall(r"^\| `--json` \| (.*) \|$", (ROOT / "docs/profile.md").read_text(), re.M)
    p, _ = profile(ROOT / "tests/profile/fib.cilk", arguments=["5"])
    assert set(re.findall(r"`(\w+)`", row)) == set(p)


def test_every_run_is_the_same():
    runs = {command([CILKC, "profile", "--json", ROOT / "tests/profile/fib.cilk", "--", "10"]).out for _ in range(3)}
    assert len(runs) == 1


def test_tables_csv_and_the_programs_output():
    path = ROOT / "tests/profile/fib.cilk"
    text = command([CILKC, "profile", path, "--top", "3", "--", "12"])
    assert (
        text.status == 0
        and text.out.startswith("144\n")
        and "parallelism" in text.out
        and text.out.count("fib.cilk:") >= 5
    )
    assert "\x1b" not in text.out
    table = command([CILKC, "profile", "--csv", path, "--", "12"])
    rows = list(csv.DictReader(io.StringIO(table.out)))
    assert {row["kind"] for row in rows} == {"program", "procedure", "call_site", "line"}
    assert table.err == "144\n"


def source(tmp_path, text):
    path = tmp_path / "p.cilk"
    path.write_text(text)
    return path


def test_programs_that_fail(tmp_path):
    exits = source(
        tmp_path,
        "#include <stdlib.h>\nstatic cilk void f(int n) { if (n == 0) exit(3); spawn f(n - 1); sync; }\ncilk int main(void) { spawn f(5); sync; return 0; }\n",
    )
    p, _ = profile(exits, status=3)
    assert p["status"] == 3 and p["spawns"] == 6 and sum(s["work_on_span"] for s in p["sites"]) == p["span"]
    dies = source(tmp_path, "#include <stdlib.h>\ncilk int main(void) { abort(); }\n")
    assert profile(dies, status=134)[0]["status"] == 134


def test_a_program_that_differs_says_so(tmp_path):
    path = source(
        tmp_path,
        '#include <stdio.h>\nstatic cilk void f(void) { }\ncilk int main(void) { FILE *f0 = fopen("mark", "r"); if (!f0) fopen("mark", "w");'
        " else spawn f();\n sync; return 0; }\n",
    )
    result = command([CILKC, "profile", "--json", path], cwd=tmp_path)
    p = json.loads(result.out)
    assert result.status == 0 and not p["exact"] and "a second run of the program differs from the first" in result.err
    assert all(s["work_on_span"] is None for s in p["sites"])


def test_input_comes_again_for_each_run(tmp_path):
    path = source(
        tmp_path,
        "#include <stdio.h>\nstatic cilk void f(void) { }\ncilk int main(void) { int c; while ((c = getchar()) != EOF) spawn f(); sync; return 0; }\n",
    )
    data = "x" * 100000
    assert profile(path, stdin=data)[0]["spawns"] == len(data)
    file = tmp_path / "input"
    file.write_text(data)
    with open(file) as given:
        done = subprocess.run(
            [CILKC, "profile", "--json", str(path)], stdin=given, stdout=subprocess.PIPE, text=True, timeout=300
        )
    p = json.loads(done.stdout)
    assert p["spawns"] == len(data) and p["exact"]


# ---- rt/tools/profile against a dag drawn beside it

def test_a_sync_that_comes_too_early(tmp_path):
    """32 equal children, each waited for: without that sync, 32 of them run at once. The advice is about the sync, not
    about the child's loop."""
    path = source(tmp_path, """static cilk void child(int n) { volatile int s = 0; for (int k = 0; k < n; k++) s += k; }
cilk int main(void) {
  for (int i = 0; i < 32; i++) {
    spawn child(20000);
    sync;
  }
  sync;
  spawn child(100); sync;
  return 0;
}
""")
    p, _ = profile(path, "--nproc", "16")
    asked = [w for w in p["what_if"] if w["change"] == "no sync"]
    assert [w["line"] for w in asked] == [4] and asked[0]["work"] == p["work"], asked
    assert abs(asked[0]["parallelism"] / 32 - 1) < 0.03 and abs(p["parallelism"] - 1) < 0.01
    assert (
        p["verdict"] == "too little"
        and "without the sync after the spawn at" in p["sentence"]
        and p["sentence"].count("p.cilk:4") == 1
    ), p["sentence"]
    assert asked[0]["needed"] is False and "`cilkc race` finds no race without it" in p["sentence"], p


def test_a_sync_between_two_spawns_is_the_reason(tmp_path):
    """The program is right and serial. That is not a bottleneck in one of its lines, and the verdict on one procedure
    has the reason, too."""
    path = source(tmp_path, """cilk long f(int n) {
  long x, y;
  if (n < 2) return n;
  x = spawn f(n - 1);
  sync;
  y = spawn f(n - 2);
  sync;
  return x + y;
}
cilk int main(void) { long r; r = spawn f(12); sync; return r != 144; }
""")
    for words in [], ["--root", "f"]:
        p, _ = profile(path, "-P", "4", *words)
        (asked,) = [w for w in p["what_if"] if w["change"] == "no sync"]
        assert asked["line"] == 4 and asked["parallelism"] > 8 and asked["needed"] is False, asked
        assert "without the sync after the spawn at" in p["sentence"] and "p.cilk:4" in p["sentence"], p["sentence"]


def test_a_sync_that_the_program_needs_is_no_advice(tmp_path):
    """The race detector has looked: a result that is used after the sync, an object that two children write. It is
    asked without that sync alone."""
    path = source(tmp_path, """static int part[32], both, sum;
static cilk int value(int *to) { int s = 0; for (int k = 0; k < 9000; k++) s += k & 7; ++*to; return s; }
cilk int main(void) {
  for (int i = 0; i < 32; i++) {
    int x;
    x = spawn value(&part[i]);
    sync;
    sum += x;
  }
  int z = 0;
  for (int i = 0; i < 32; i++) {
    z = spawn value(&both);
    sync;
  }
  return sum + z == 0;
}
""")
    p, result = profile(path, "--nproc", "16")
    found = {w["line"]: (w["needed"], w["found"]) for w in p["what_if"] if w["change"] == "no sync"}
    assert found == {6: (True, "x is used at lines 6 and 8"), 12: (True, "both is used at line 2")}, found
    assert "without the sync" not in p["sentence"], p["sentence"]


def test_the_child_that_is_longer_than_its_siblings(tmp_path):
    """By its number among them; also where several procedures have such children."""
    path = source(tmp_path, """static volatile int sink;
static cilk void child(int n) { for (int k = 0; k < n; k++) sink += k; }
static cilk void few(void) { spawn child(10); spawn child(500); spawn child(10); sync; }
cilk int main(void) {
  spawn few();
  for (int i = 0; i < 32; i++)
    spawn child(i == 13 ? 400000 : 20000);
  sync;
  return 0;
}
""")
    p, _ = profile(path, "--nproc", "16")
    longest = p["longest_child"]
    assert (longest["line"], longest["number"], longest["of"]) == (7, 15, 33), longest      # few() is the first
    assert abs(longest["span"] / (20 * longest["others"]) - 1) < 0.05, longest
    assert (
        p["verdict"] == "too little"
        and "of 33 children spawned at" in p["sentence"]
        and "number 15 is the long one" in p["sentence"]
    ), p["sentence"]


def test_what_is_slower_on_many_workers(tmp_path):
    """Not a number of busy workers below one, but what the simulator says. The fastest schedule that it has takes
    longer than one worker."""
    for text, arguments in ((ROOT / "tests/profile/fib.cilk", ["5"]), (ROOT / "tests/profile/loop-of-spawns.cilk", [])):
        p, _ = profile(text, "--nproc", "16", "--no-what-if", arguments=arguments)
        assert (
            p["busy"] < 1
            and "it may be slower than its elision: its dag " in p["sentence"]
            and "busy" not in p["sentence"]
        ), p["sentence"]


@pytest.mark.tier("test")
def test_a_chain_is_no_faster_on_two_workers(tmp_path):
    """A dag with parallelism 1 has no speedup, though what its spawns cost would run beside it."""
    p, _ = profile(ROOT / "docs/labs/2-work-span/starter.cilk", "--nproc", "2", "--no-what-if", arguments=["4000"])
    assert p["sentence"].endswith(
        "it may be slower than its elision: its dag does not run faster there than on one worker."
    ), p["sentence"]


def test_pages_and_pictures_by_o(cilkc, tmp_path):
    """-o makes what the name says, or nothing runs."""
    fib = ROOT / "tests/profile/fib.cilk"
    result = cilkc("profile", "--no-what-if", "-o", "p.html", "-o", "p.svg", "-o", "p.json", "-o", "p.csv", "--root",
                   "fib", "-P", "4", fib, "--", "9")
    assert result.status == 0 and "fib: parallelism" in result.out, str(result)
    assert (tmp_path / "p.html").read_text().startswith("<!DOCTYPE html>") and (
        tmp_path / "p.svg"
    ).read_text().startswith("<svg")
    made = json.loads((tmp_path / "p.json").read_text())
    assert (
        made["root"]["procedure"] == "fib" and made["workers"] == 4 and made["root"]["inclusive"]["work"] < made["work"]
    )
    parallelism = made["root"]["inclusive"]["parallelism"]         # main's is far from that of what it spawns
    assert 8 < parallelism < 32 and made["verdict"] == "enough", made
    assert made["sentence"].startswith("The parallelism of fib is enough for 4 workers"), made["sentence"]
    assert result.out.endswith(made["sentence"] + "\n")
    assert (tmp_path / "p.csv").read_text().startswith("kind,")
    result = cilkc("profile", "--no-what-if", "-o", "l.html", ROOT / "tests/profile/locks-of-four.cilk")
    # sections of each
    assert result.status == 0 and (tmp_path / "l.html").read_text().count("<td>16</td>") == 4, str(result)
    for words, said in (
        (["-o", "p.txt"], "the name says what is made"),
        (["-o", "nowhere/p.html"], "cannot be written"),
        (["--html", "nowhere/p.html"], "cannot be written"),
        (["--root", "fob"], "there are fib, main"),
    ):
        result = cilkc("profile", "--no-what-if", *words, fib, "--", "9")
        assert result.status == 125 and said in result.err and (said.startswith("there are") or result.out == ""), str(
            result
        )


def test_a_program_without_procedures_has_no_root(cilkc, tmp_path):
    (tmp_path / "c.cilk").write_text(
        'int printf(const char *, ...);\nint main(int argc, char **argv) { return printf("%s\\n", argv[0]) < argc; }\n'
    )
    result = cilkc("profile", "--no-what-if", "--root", "f", "c.cilk")
    assert result.status == 125 and result.err.endswith("--root f: no such procedure ran; none did\n"), str(result)


@pytest.mark.parametrize("length, place", [(4000, "c.cilk:3 (busy)"), (4, "c.cilk:7 ")])
def test_the_longest_line_of_a_procedure_may_be_in_a_function(cilkc, tmp_path, length, place):
    """Where most of it is in the C functions that it calls, and no other procedure calls any, else of its own lines."""
    (tmp_path / "c.cilk").write_text(
        "static long busy(long n) {\n"
        "    long s = n;\n"
        "    for (long i = 0; i < n; i++) s = s * 3 ^ i;\n"
        "    return s; }\n"
        "cilk long half(long n, long k) { long a, b = 0;\n"
        "    if (k) { a = spawn half(n, k - 1); b = spawn half(n, k - 1); sync; return a + b; }\n"
        "    for (long i = 0; i < 1000; i++) b = b * 3 ^ i;\n"
        "    return b + busy(n); }\n"
        "cilk int main(void) { long x; x = spawn half(%d, 3); sync; return x == 1; }\n" % length
    )
    out = cilkc("profile", "--no-what-if", "--root", "half", "-P", "4", "c.cilk").out
    assert place in out.splitlines()[-1], out


def test_the_legend_of_speedups_covers_no_curve():
    """Below the axis, whatever the speedups are: also where none is above 1, so that all curves run along the top."""
    from tools import sweep

    class Flat:
        work, parallelism = 1000, 1.0

        @staticmethod
        def time_on(_):
            return 1000

    for simulated in ([], [(p, 1.0) for p in (1, 2, 4, 8)]):
        picture = xml.etree.ElementTree.fromstring(sweep.svg(sweep.Sweep(Flat(), [1.0, 1.0, 1.1], simulated)))
        ns = "{http://www.w3.org/2000/svg}"
        curves = [
            float(point.split(",")[1])
            for line in picture.iter(ns + "polyline")
            for point in (line.get("points") or "").split()
        ]
        legend = [
            (float(t.get("x") or 0), float(t.get("y") or 0), t.text or "")
            for t in picture.iter(ns + "text")
            if t.get("class") == "legend"
        ]
        assert len(legend) == (4 if simulated else 3) and min(y for _, y, _ in legend) > max(curves) + 20
        assert all(x + 6 * len(text) < float(picture.get("width") or 0) for x, _, text in legend)
        assert all(a[0] + 6 * len(a[2]) < b[0] for a, b in zip(legend, legend[1:])), "entries overlap"


@pytest.fixture(scope="module", params=["", "-DTOUCHES"], ids=["choices", "log"])
def oracle(request, tmp_path_factory):
    program = tmp_path_factory.mktemp("oracle") / "oracle"
    words = ["cc", "-std=gnu17", "-Wall", "-Wextra", "-O1", "-g", *RT_INCLUDES, *request.param.split()]
    files = [ROOT / "tests/profile/oracle.c", BUILD / "lib/libcilkprofile.a", ROOT / "rt/core/base/crash.c"]
    compiled([*words, *files, "-o", program])
    return program


@pytest.mark.sample(8, "test", 2)
@pytest.mark.parametrize("seed", range(1, 41))
def test_work_and_span_of_random_programs_are_those_of_their_dag(seed, oracle, tmp_path):
    def run(**more):
        env = dict(CILK_PROFILE_REPORT=str(tmp_path / "report"), CILK_PROFILE_DECISIONS=str(tmp_path / "decisions"),
                   CILK_PROFILE_BURDEN="100", **more)
        result = command([oracle, str(seed)], env=env)
        assert result.status == 0, str(result)
        return json.loads((tmp_path / "report").read_text()), json.loads(result.out)

    names = [("p.cilk", 1), ("p.cilk", 2), ("p.cilk", 3), ("p.cilk", 4), ("p.cilk", 5), ("q.cilk", 1)]
    first, dag = run()
    for key in ("work", "span", "burdened_span"):
        assert first[key] == dag[key], key
    assert {(row[0], row[1]): row[3] for row in first["lines"]} == {
        name: units for name, units in zip(names, dag["lines"]) if units
    }
    # With the decisions of that run: what is on the critical path is a path, and has all of the span.
    second, dag = run(
        CILK_PROFILE_KNOWS="1",
        CILK_PROFILE_CHANGES="\n".join("%d %d %s" % (keeps, line, file) for file, line in names for keeps in (0, 1)),
    )
    assert second["same"] and (second["work"], second["span"]) == (first["work"], first["span"])
    assert sum(row[4] for row in second["lines"]) == dag["span"] == dag["path"]
    assert sum(row[7] for row in second["contexts"]) == dag["span"]
    assert [change[1] for change in second["changes"]] == dag["changed"]


def test_the_timed_section_and_lines_of_the_library_by_their_included_name(tmp_path):
    path = source(
        tmp_path,
        """#include <timing.cilkh>
static cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
cilk int main(int argc, char **argv) {
  struct section timed;
  int i, r = 0;
  for (i = 0; i < 100000; i++) r += i & argc;
  for (i = 0; i < 2; i++) { section_begins(timed); r = spawn fib(12); section_ends(timed); }
  section_print(&timed);
  return r != 144;
}
""",
    )
    p, _ = profile(path)
    work, span = [2, 2], [2, 2]
    for i in range(2, 13):
        work.append(2 + 7 + 7 + 1 + work[i - 1] + work[i - 2])
        span.append(1 + max(2 + 7 + span[i - 1], 2 + 7 + 7 + span[i - 2]))
    section = p["section"]
    assert section["times"] == 2 and p["work"] > 200000
    # The spawn and what asks for the time are in it, too.
    assert 0 <= section["work"] / 2 - work[12] < 150 and 0 <= section["span"] / 2 - span[12] < 150
    text = command([CILKC, "profile", "--no-what-if", path]).out
    assert "timed section: parallelism" in text and re.search(r"<timing\.cilkh>:\d+ +section_print", text)
    plain = profile(ROOT / "tests/profile/fib.cilk", arguments=["5"])[0]
    assert plain["section"] is None


def test_a_serial_section_has_the_span_of_its_work(tmp_path):
    """As the program itself prints it: its two ends read work and span at one distance."""
    path = source(
        tmp_path,
        """#include <timing.cilkh>
cilk int leaf(int n) { return n + 1; }
cilk int main(int argc, char **argv) {
  struct section timed;
  int r;
  section_begins(timed);
  r = spawn leaf(argc);
  section_ends(timed);
  section_print(&timed);
  return r != argc + 1;
}
""",
    )
    said = str(command([CILKC, "profile", "--no-what-if", path]))
    work, span = re.search(r"section: work (\d+) instructions, span (\d+) instructions", said).groups()
    assert int(work) == int(span) > 0, said


# ---- what-if

@pytest.mark.sample(3)
@pytest.mark.parametrize("path", files("tests/profile/what-if/*.cilk"))
def test_what_if_is_what_the_changed_program_has(path):
    text = path.read_text()
    marked = [number for number, line in enumerate(text.split("\n"), 1) if line.endswith("// LINE")]
    kind = " ".join(words(text, "WHAT-IF"))
    before, _ = profile(path)
    predicted = [w for w in before["what_if"] if [w["line"]] == marked and w["change"] == kind]
    assert len(predicted) == 1, before["what_if"]
    after, _ = profile(path, "-DCHANGED", "--no-what-if")
    assert abs(predicted[0]["parallelism"] / after["parallelism"] - 1) < 0.1
    # It is the change that makes the difference.
    assert abs(before["parallelism"] / after["parallelism"] - 1) > 0.1


# ---- pictures

def test_pictures_need_no_other_file(tmp_path):
    path = ROOT / "tests/profile/knary.cilk"
    result = command(
        [CILKC, "profile", path, "--svg", tmp_path / "flame.svg", "--html", tmp_path / "page.html", "--sweep",
         "--nproc", "2", "--sweep-svg", tmp_path / "sweep.svg"]
    )
    assert result.status == 0 and re.search(r"^ +2 +[0-9.]+ ", result.out, re.M), str(result)
    for name in ("flame.svg", "sweep.svg"):
        xml.etree.ElementTree.parse(tmp_path / name)
    flame, page = (tmp_path / "flame.svg").read_text(), (tmp_path / "page.html").read_text()
    assert ">knary</text>" in flame and flame in page.replace("\r", "")
    for text in (flame, page):
        assert not re.search(
            r"""(src|href)=["'](?!data:,)|url\(|@import|fetch\(|https?://(?!www\.w3\.org/2000/svg)""", text
        )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["flame.svg", "page.html", "sweep.svg"]
    sweep = (tmp_path / "sweep.svg").read_text()
    assert ">simulated</text>" in sweep and sweep in page.replace("\r", "")


def test_beyond_the_real_workers_the_dag_is_played_on_virtual_ones():
    """50 stages of 6 equal children: a speedup of 6 where steals cost nothing, and no less than the greedy bound with
    what they cost; the same each time."""
    found = [
        profile(
            ROOT / "tests/profile/pipeline.cilk", "--no-what-if", "--sweep", "--nproc", "2", "--burden", str(burden)
        )[0]
        for burden in (0, 0, 1000)
    ]
    assert found[0]["simulated"] == found[1]["simulated"]
    for p in found:
        rows = {row["nproc"]: row for row in p["simulated"]}
        assert sorted(rows) == [1, 2, 4, 8, 16] and abs(rows[1]["speedup"] - 1) < 0.01
        assert all(row["speedup"] <= row["bound"] * 1.001 for row in rows.values())
    free, dear = (p["simulated"][-1]["speedup"] for p in found[1:])
    assert abs(free / 6 - 1) < 0.03 and found[2]["simulated"][-1]["burdened_bound"] * 0.95 < dear < free


def test_the_sweep_of_a_program_without_spawns_has_no_virtual_processors():
    p, _ = profile(ROOT / "tests/profile/no-spawns.cilk", "--no-what-if", "--sweep", "--nproc", "1", status=7)
    assert p["simulated"] == [] and len(p["sweep"]) == 1


WEIGHED = """#include <stdatomic.h>
#include <operations.h>
static _Atomic long g;
static long h, s;
static void operations(long n)
{
    for (long i = 0; i < n; i++) atomic_fetch_add(&g, 1);
    for (long i = 0; i < n; i++) g += 1;
    for (long i = 0; i < n; i++) g--;
    for (long i = 0; i < n; i++) s = g;
    for (long i = 0; i < n; i++) g = i;
    for (long i = 0; i < n; i++) __sync_fetch_and_add(&h, 1);
    for (long i = 0; i < n; i++) __atomic_store_n(&h, i, __ATOMIC_RELEASE);
    for (long i = 0; i < n; i++) atomic_thread_fence(memory_order_seq_cst);
    for (long i = 0; i < n; i++) TWICE(s);
    for (long i = 0; i < n; i++) twice(i);
}
int main(void) { operations(1000); return 0; }
"""


@pytest.mark.parametrize("name", ["weighed.c", "weighed.cilk"])
def test_atomic_operations_and_macros_of_system_headers_weigh(name, tmp_path):
    """By the manual's table: what the loop's body does, line by line, beside the loop's own three instructions. An inline
    function of such a header weighs no more than its call."""
    atomic, load, store, plus, call = 10, 1, 1, 1, 4 + 1
    bodies = [load + atomic + store, load + atomic + plus + store, load + atomic + plus + store, load + atomic + store,
              atomic + store, load + atomic + store, atomic + store, atomic, load + plus + store, call]
    (tmp_path / "operations.h").write_text(
        "#define TWICE(x) (x = x * 2)\nstatic inline long twice(long x) { return x * 2 + x / 3; }\n"
    )
    (tmp_path / name).write_text(WEIGHED)
    result = command(
        [CILKC, "profile", "--json", "--no-what-if", "--top", "50", "-w", "-isystem", tmp_path, name], cwd=tmp_path
    )
    assert result.status == 0, str(result)
    lines = {row["line"]: row["work"] for row in json.loads(result.out)["sites"]}
    assert [lines[7 + n] for n in range(len(bodies))] == [1000 * (3 + body) + 2 for body in bodies]


def test_the_manual_shows_the_table_of_weights():
    table, manual = (ROOT / "frontend/plan/weights.def").read_text(), (ROOT / "docs/profile.md").read_text()
    rows = re.findall(r'^WEIGHT\(\w+,\s*(\d+), "(.*)"\)$', table, re.M)
    assert len(rows) > 10
    for units, text in rows:
        assert "| %s | %s |" % (text.replace("|", "\\|"), units) in manual


def test_blocks_that_are_copied_weigh_by_their_size(tmp_path):
    path = source(
        tmp_path,
        "#include <string.h>\nstatic char a[80000], b[80000];\ncilk int main(int argc, char **argv) { memcpy(a, b, 80000 * (argc > 0)); return 0; }\n",
    )
    found = [profile(path, level)[0]["work"] for level in LEVELS]
    assert found[0] == found[1] == found[2] and 10000 < found[0] < 10100


def test_the_page_works_alone(tmp_path):
    """In a browser without a network and without complaints."""
    result = command([CILKC, "profile", ROOT / "samples/fib.cilk", "--html", "p.html", "--", "12"], cwd=tmp_path)
    assert result.status == 0, str(result)
    text = shown(tmp_path / "p.html")
    assert "fib.cilk:" in text and text.count("<svg") == 1 and "What if" in text


def test_calls_of_the_library_are_a_group_beside_the_lines(tmp_path):
    """Below a main that spawns one procedure, the last sentence is about that procedure."""
    source = """#include <stdio.h>
cilk int fib(int n) {
    int x, y;
    if (n < 2) return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    return x + y;
}
cilk int main(void) {
    int r;
    r = spawn fib(4);
    sync;
    printf("%d\\n", r);
    return 0;
}
"""
    (tmp_path / "fib.cilk").write_text(source)
    p, _ = profile(tmp_path / "fib.cilk", "--nproc", "2", "--no-what-if")
    (call,) = [row for row in p["sites"] if row["procedure"] == "C library"]
    assert (call["line"], call["work"], call["work_on_span"]) == (source[:source.index("printf")].count("\n") + 1, 300, 300)
    assert p["sentence"].startswith("fib has too little parallelism") and "C library are" in p["sentence"], p["sentence"]


def test_no_parallelism_below_one_is_called_what_is_left(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "driver"))
    from tools import profile_model as model
    made = model.Profile.__new__(model.Profile)
    made.same, made.locks, made.children, made.what_if, made.root_of, made.alone = True, [], [], [], None, 0
    made.lines, made.library, made.spawn_sites, made.procedures, made.simulated = [], [], [], [], None
    made.work, made.span, made.burdened_span, made.burden, made.processors = 1030, 100, 2940, 1000, 2
    made.spawns, made.syncs, made.instances = 40, 20, 41
    kind, sentence = made.verdict()
    assert kind == "too fine" and "is left" not in sentence and "0.35" not in sentence, sentence
