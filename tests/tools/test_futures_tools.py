"""What the tools say of programs with futures: work and span against closed forms and a count of the dag, the same on
any number of workers; the critical path, the picture, bounds of memory, and what a trace calls a touch that waits.
Races are in tests/race and tests/race/oracle.c."""

import json
import re

import pytest

from conftest import CILKC, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

# N x N cells, each of which costs about UNIT; a cell waits for the one above and the one to its left.
WAVEFRONT = """#include <stdlib.h>
enum { MOST = 16, UNIT = 3000 };
int table[MOST][MOST];
static void burn(int n) { volatile int i; for (i = 0; i < n; i++) ; }
cilk int cell(future int *above, future int *left, int i, int j)
{
    if (above) touch *above;
    if (left) touch *left;
    burn(UNIT);
    return table[i][j] = 1 + (i ? table[i - 1][j] : 0);
}
cilk int all(int n)
{
    future int f[MOST][MOST];
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            f[i][j] = spawn cell(i ? &f[i - 1][j] : 0, j ? &f[i][j - 1] : 0, i, j);
    return touch f[n - 1][n - 1];
}
cilk int main(int argc, char **argv) { int r, n = atoi(argv[1]); r = spawn all(n); sync; return r != n; }
"""

# STAGES stages, through which items go one after the other.
PIPELINE = """#include <stdlib.h>
enum { STAGES = 4, MOST = 64, UNIT = 3000 };
static void burn(int n) { volatile int i; for (i = 0; i < n; i++) ; }
cilk int step(future int *own, future int *item)
{
    if (own) touch *own;
    if (item) touch *item;
    burn(UNIT);
    return 1;
}
cilk int all(int n)
{
    future int f[MOST][STAGES];
    int i, s;
    for (i = 0; i < n; i++)
        for (s = 0; s < STAGES; s++)
            f[i][s] = spawn step(i ? &f[i - 1][s] : 0, s ? &f[i][s - 1] : 0);
    return touch f[n - 1][STAGES - 1];
}
cilk int main(int argc, char **argv) { int r; r = spawn all(atoi(argv[1])); sync; return r != 1; }
"""

# Two children; the longer one is touched first, and the shorter one's result is used by a third.
JUMPS = """static void burn(int n) { volatile int i; for (i = 0; i < n; i++) ; }
cilk int length(int n) { burn(n); return n; }
cilk int later(future int *f) { int x = touch *f; burn(50000); return x; }
cilk int main(void)
{
    future int a = spawn length(80000);
    future int b = spawn length(20000);
    int r, s;
    r = spawn later(&b);
    s = spawn later(&a);
    sync;
    return r + s + touch a + touch b != 200000;
}
"""

FORMS = [("wavefront", WAVEFRONT, lambda n: (n * n, 2 * n - 1)), ("pipeline", PIPELINE, lambda n: (4 * n, n + 3))]


def profile(folder, text, *arguments):
    (folder / "p.cilk").write_text(text)
    result = command([CILKC, "profile", "--json", "--no-what-if", folder / "p.cilk", "--", *arguments], timeout=300)
    assert result.status == 0, str(result)
    return json.loads(result.out)


@pytest.mark.parametrize("name, text, form", FORMS, ids=[f[0] for f in FORMS])
def test_work_and_span_have_their_closed_forms(name, text, form, tmp_path):
    made = profile(tmp_path, text, "10")
    step = made["work"] / form(10)[0]
    assert abs(made["span"] / step / form(10)[1] - 1) < 0.03, (made["span"], made["work"])
    assert sum(site["work_on_span"] for site in made["sites"]) <= made["span"]
    assert made["burdened"]["span"] > made["span"]


MANY = """
cilk int one(int n) { return n; }
cilk int two(int n) { future int a = spawn one(n); future int b = spawn one(n); return touch a + touch b; }
cilk int main(void)
{
    int s = 0, x;
    for (int i = 0; i < 200000; i++) { x = spawn two(i); sync; s += x; }
    return s == 1;
}
"""


def test_a_touch_after_the_sync_does_not_wait_for_another_future(tmp_path):
    """The tool uses the entry of a future again after its sync. The 50 that follow the touch are parallel to the 80."""
    (tmp_path / "again.cilk").write_text("""static void burn(int n) { volatile int i; for (i = 0; i < n; i++) ; }
cilk int length(int n) { burn(n); return n; }
cilk int main(void)
{
    future int a = spawn length(10);
    sync;
    future int b = spawn length(80000);
    int r = touch a;
    burn(50000);
    return r + touch b != 80010;
}
""")
    found = json.loads(command([CILKC, "profile", "--json", "again.cilk"], cwd=tmp_path).out)
    assert abs(found["work"] / found["span"] / (130 / 80) - 1) < 0.02, (found["work"], found["span"])



@pytest.mark.tier("test")
def test_a_path_for_which_there_is_no_memory_is_unknown(tmp_path):
    """Work and span are known nevertheless."""
    (tmp_path / "p.cilk").write_text(MANY)
    words = [CILKC, "profile", "--json", "--no-what-if", tmp_path / "p.cilk"]
    whole, part = (
        command(["sh", "-c", 'ulimit -v %s; exec "$@"' % most, "sh", *words], timeout=100)
        for most in ("unlimited", "150000")
    )
    assert (whole.status, whole.err) == (0, "") and part.status == 0, str(part)
    assert part.err.endswith("the share of each line in the span is unknown\n") and part.err.count("\n") == 1, part.err
    assert [json.loads(part.out)[key] for key in ("work", "span")] == [
        json.loads(whole.out)[key] for key in ("work", "span")
    ]


def test_lines_on_the_path_are_all_of_the_span(tmp_path):
    """The path leaves an instance at a touch that waits and comes back at the end of the future's child."""
    made = profile(tmp_path, JUMPS)
    assert abs(made["span"] / made["work"] / (130000 / 200000) - 1) < 0.01, made
    assert sum(site["work_on_span"] for site in made["sites"] if site["line"] == 1) > 0.99 * made["span"], made["sites"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name, text, form", FORMS, ids=[f[0] for f in FORMS])
def test_counted_work_and_span_are_the_same_on_any_number_of_workers(name, text, form, strategy, tmp_path):
    (tmp_path / "p.cilk").write_text(text)
    compiled([CILKC, "-O2", "-cilk-span=count", "--spawn=" + strategy, tmp_path / "p.cilk", "-o", tmp_path / "p"])
    seen = set()
    for flags in (
        ("--nproc", "1"),
        ("--nproc", "2"),
        ("--nproc", "4"),
        ("--nproc", "4", "--force-steal", "always"),
        ("--nproc", "2", "--force-steal", "random"),
    ):
        result = command([tmp_path / "p", *flags, "--stats", "2", "8"], timeout=300)
        assert result.status == 0, str(result)
        seen.add(tuple(re.search(what + r" += ([0-9.]+)", result.err).group(1) for what in ("Total work", "Span")))
    (work, span), = seen
    assert abs(float(span) / float(work) / (form(8)[1] / form(8)[0]) - 1) < 0.03, seen


def test_the_dag_has_the_touches(tmp_path):
    (tmp_path / "p.cilk").write_text(WAVEFRONT)
    result = command(
        [CILKC, "dag", "--json", "-o", tmp_path / "p.svg", "-o", tmp_path / "p.html", "-o", tmp_path / "p.dot",
         tmp_path / "p.cilk", "--", "3"],
        timeout=300,
    )
    made = json.loads(result.out)
    assert result.status == 0 and made["edges"]["touch"] == 13, str(result)
    assert sum(instance["own"] for instance in made["critical_path"]) == made["span"], made["critical_path"]
    steps = [step for record in made["records"] for step in record["steps"] if step["ends"] in ("spawn", "touch")]
    of_cells = {step["site"] for step in steps if made["names"][step["procedure"]]["procedure"] == "cell"}
    assert of_cells == {step["site"] for step in steps if step["ends"] == "touch"} and len(of_cells) == 1, steps
    assert [instance["procedure"] for instance in made["critical_path"]].count("cell") == 5
    picture = (tmp_path / "p.svg").read_text()
    assert (
        len(re.findall(r'class="edge touch( on)?"', picture)) == 13
        and len(re.findall(r'class="edge touch on"', picture)) == 5
    )
    assert len(re.findall("style=dashed", (tmp_path / "p.dot").read_text())) == 13
    assert "Uncaught" not in result.err


# STAGES procedures that may wait for a future, each with a block, then LEAVES that do not. Their parent has a block
# before them and one beside them.
STAGED = """#include <stdlib.h>
cilk int start(int n) { return n; }
cilk int stage(future int *in) { char *p = malloc(1000); int x = touch *in; p[0] = 1; x += p[0]; free(p); return x; }
cilk int leaf(int n) { char *p = malloc(1000); p[0] = n; n = p[0]; free(p); return n; }
cilk int main(void)
{
    future int f = spawn start(1);
    int i, sum = 0;
    free(malloc(FIRST));
    for (i = 0; i < STAGES; i++)
        sum += spawn stage(&f);
    for (i = 0; i < LEAVES; i++)
        sum += spawn leaf(1);
    free(malloc(LAST));
    sync;
    return sum != 2 * STAGES + LEAVES;
}
"""


def staged(folder, stages, *words, first=0, leaves=0, last=0):
    """What `cilkc memory` prints of STAGED, or the object of its --json."""
    (folder / "p.cilk").write_text(STAGED)
    sizes = ["-DSTAGES=%d" % stages, "-DFIRST=%d" % first, "-DLEAVES=%d" % leaves, "-DLAST=%d" % last]
    result = command([CILKC, "memory", "--no-measure", *sizes, *words, folder / "p.cilk"], timeout=300)
    assert result.status == 0, str(result)
    return json.loads(result.out) if "--json" in words else result.out


def test_memory_reports_a_bound(tmp_path):
    """Procedures that wait keep what they have: the mark for one worker is that of all of them."""
    made = staged(tmp_path, 10, "--nproc", "1,4", "--json")
    assert made["waiting"] == 10, made
    assert [mark["heap"] for mark in made["marks"]] == [10000, 10000] and made["serial"]["heap"] == 1000, made
    assert all(mark["bound"] for mark in made["marks"])
    text = staged(tmp_path, 10, "--nproc", "1,4")
    assert "these are bounds" in text and text.endswith("That is more than 4 times the serial run's.\n"), text


@pytest.mark.parametrize("first", [0, 2000000])
def test_memory_reports_that_procedures_which_wait_are_too_many(first, tmp_path):
    """The tool follows 1,024 of workers and procedures that may wait. Of 3,000 each may have its block at once, also
    where a block before is larger than all blocks of 1,024."""
    made = staged(tmp_path, 3000, "--nproc", "1,4", "--json", first=first)
    assert made["waiting"] == 3000 and not any(mark["bound"] for mark in made["marks"]), made
    most = max(mark["bytes"] for mark in made["marks"])
    assert first <= most < 3000 * 1000
    page = tmp_path / "p.html"
    text = staged(tmp_path, 3000, "--nproc", "1,4", "--threshold", str(most + 1), "--html", str(page), first=first)
    words = "Together with the workers they are too many to be followed: the memory may be larger than the table says."
    assert words in text and words in page.read_text(), text
    assert re.findall(r"^ *(\d) +not known$", text, re.M) == ["1", "4"], text


def test_memory_counts_the_parent_beside_the_most_children(tmp_path):
    """`start` and 1,023 others may be there at once, which is all that is followed, and their parent beside them."""
    made = staged(tmp_path, 1023, "--nproc", "2", "--json", last=5000)
    assert [mark["bound"] for mark in made["marks"]] == [False], made


def test_memory_distinguishes_bounds_from_marks_that_may_be_larger(tmp_path):
    """900 procedures and one worker are followed. With 1,000 workers they are too many."""
    made = staged(tmp_path, 900, "--nproc", "1,1000", "--json", leaves=1000)
    assert [mark["bound"] for mark in made["marks"]] == [True, False], made
    text = staged(tmp_path, 900, "--nproc", "1,1000", leaves=1000)
    assert "Together with 1,000 or more workers they are too many to be followed" in text, text
    assert "For fewer workers these are bounds, which no schedule has to reach." in text, text


def test_a_trace_names_what_waits_for_a_future(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <time.h>
static volatile int begun;
static void sleeps(int ms) { struct timespec t = { 0, ms * 1000000L }; nanosleep(&t, 0); }
static void until(void) { while (!begun) sleeps(1); sleeps(60); }
cilk int slow(void) { until(); return 1; }
cilk int waits(future int *f) { begun = 1; return
    touch *f; }
cilk int main(void)
{
    future int f = spawn slow();
    int r;
    r = spawn waits(&f);
    sync;
    return r != 1;
}
""")
    words = ["-o", tmp_path / "t.html", "--perfetto", tmp_path / "t.json", "--nproc", "2", tmp_path / "p.cilk"]
    for _ in range(10):                                     # on a busy machine the touch may come too late to wait
        result = command([CILKC, "trace", "--json", *words])
        assert result.status == 0, str(result)
        if sum(worker["waits_for_futures"] for worker in json.loads(result.out)["workers"]):
            break
    assert sum(worker["waits_for_futures"] for worker in json.loads(result.out)["workers"]) == 1, str(result)
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    begin, = (e for e in events if e["ph"] == "b" and e["name"] == "waiting for a future: waits")
    end, = (e for e in events if e["ph"] == "e" and e["name"] == "waiting for a future: waits")
    assert end["ts"] - begin["ts"] > 10000 and json.dumps(begin).count("p.cilk:7") == 1, (begin, end)
    assert "waiting for a future" in (tmp_path / "t.html").read_text()


def test_a_touch_of_nothing_ends_the_tools_runs(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "cilk int f(void) { return 1; } cilk int main(void) { future int a; int r = touch a; a = spawn f(); return r; }\n"
    )
    for tool in ("race", "profile"):
        result = command([CILKC, tool, tmp_path / "p.cilk"], cwd=tmp_path, timeout=300)
        assert result.status != 0 and "nothing was spawned" in result.err and "Traceback" not in result.err, str(result)


# The inlets of `gather` run one after the other, whether or not the text has a touch; where the children are
# long, after the first of them.
INLETS = """static void burn(int n) { volatile int i; for (i = 0; i < n; i++) ; }
cilk int leaf(int n) { burn(n); return 1; }
#ifdef TOUCH
cilk int touches(future int *f) { return touch *f; }
#endif
cilk int gather(int n, int first)
{
    int i, s = 0;
    inlet void in(int r) { burn(1000); s += r; }
    for (i = 0; i < n; i++) in(spawn leaf(first));
    sync;
    return s;
}
cilk int main(void) { int a, b; a = spawn gather(8, 1); b = spawn gather(8, 5000); sync; return a + b != 16; }
"""


def test_inlets_run_in_turn_in_a_program_that_touches(tmp_path):
    (tmp_path / "p.cilk").write_text(INLETS)

    def run(tool, *words):
        result = command([CILKC, tool, "--json", *words, "p.cilk"], cwd=tmp_path)
        assert result.status == 0, str(result)
        return json.loads(result.out)

    without, touching = (run("profile", "--no-what-if", *words) for words in ([], ["-DTOUCH"]))
    for key in ("work", "span", "burdened", "inlets_on_span", "sentence"):
        assert touching[key] == without[key], key
    path = {row["line"]: row["work_on_span"] for row in touching["sites"]}
    assert sum(path.values()) == touching["span"]
    assert path == {row["line"]: row["work_on_span"] for row in without["sites"]}
    assert run("dag", "-DTOUCH", "-o", "p.json")["span"] == touching["span"]
    assert {row["Tinf"] for row in run("simulate", "-P", "1,4", "-DTOUCH")} == {touching["span"]}
    # A child as long as almost five inlets, then all inlets.
    assert touching["span"] > (4 + 8) * without["inlets_on_span"] / 8
