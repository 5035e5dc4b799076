"""`cilkc trace`: its files are what their readers expect, agree with the counters, and say what they leave out; its
page works alone."""

import json
import re
import signal
from collections import defaultdict

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command
from pages import browser, shown

pytestmark = pytest.mark.tier("check")

SORT = ROOT / "samples" / "cilksort.cilk"
FINE = """
#include <stdio.h>
static cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
cilk int main(void) { int x; x = spawn fib(27); sync; printf("%d\\n", x); return 0; }
"""
MIXED = """
#include <stdio.h>
#include <stdlib.h>
Cilk_lockvar lock;
static volatile int together;
static cilk void work(int n) { if (n) { spawn work(n - 1); spawn work(n - 1); sync; } for (volatile int i = 0; i < 20000; i++) { }
  Cilk_lock(&lock); for (volatile int i = 0; i < 2000; i++) together++; Cilk_unlock(&lock); }
static cilk int value(int n) { spawn work(3); sync; return n; }
static cilk int first(void) { int sum = 0; inlet void add(int x) { sum += x; if (sum > 1000000) abort; }
  for (int i = 0; i < 20; i++) add(spawn value(i)); sync; return sum; }
cilk int main(void) { int x; Cilk_lock_init(lock); x = spawn first(); sync; printf("%d\\n", x); return x == 190 ? 7 : 1; }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fine.cilk").write_text(FINE)
    (tmp_path / "mixed.cilk").write_text(MIXED)
    return tmp_path


def run(folder, *words, status=0):
    result = command([CILKC, "trace", *words], cwd=folder)
    assert result.status == status and "Traceback" not in result.err, str(result)
    return result


def sound(text):
    """The file is what a reader of Trace Event Format expects; its events by phase."""
    made = json.loads(text)
    phases = defaultdict(list)
    for event in made["traceEvents"]:
        assert event["ph"] in "MXsfibeC" and event["pid"] == 1
        if event["ph"] != "M":
            assert event["ts"] >= 0
        phases[event["ph"]].append(event)
    tracks = {e["tid"] for e in phases["M"] if e["name"] == "thread_name"}
    for kind in "Xsfibe":
        assert all(e["tid"] in tracks for e in phases[kind])
    # Each event of a track is within the one around it, or after it.
    for track in tracks:
        stack = []
        for e in sorted((e for e in phases["X"] if e["tid"] == track), key=lambda e: (e["ts"], -e["dur"])):
            begin, end = e["ts"], e["ts"] + e["dur"]
            assert e["dur"] >= 0 and e["name"]
            while stack and stack[-1] <= begin + 1e-6:
                stack.pop()
            assert not stack or end <= stack[-1] + 2e-3, e
            stack.append(end)
    # An arrow has both ends, from one track to another.
    for begins, ends in (("s", "f"), ("b", "e")):
        first, second = ({e["id"]: e for e in phases[p]} for p in (begins, ends))
        assert len(first) == len(phases[begins]) and first.keys() == second.keys()
        for number, e in first.items():
            assert e["ts"] <= second[number]["ts"] and (begins == "b" or e["tid"] != second[number]["tid"])
    return made, phases


@pytest.mark.parametrize("nproc", ("1", "2", "4"))
@pytest.mark.parametrize("spawn", STRATEGIES)
def test_the_file_is_sound_and_agrees_with_the_counters(folder, spawn, nproc):
    result = run(folder, "--json", "--spawn=" + spawn, "--nproc", nproc, "mixed.cilk", "--perfetto", "t.json", "--",
                 "--stats", "6", status=7)
    facts = json.loads(result.out)
    _, phases = sound((folder / "t.json").read_text())
    rows = {
        name.strip(): int(total) for name, total in re.findall(r"^ *([A-Z][^\d\n]*?) +\d+.* (\d+)$", result.err, re.M)
    }
    workers = facts["workers"]
    assert (
        len(workers) == int(nproc)
        and facts["complete"]
        and facts["status"] == 7
        and not facts["lost"]
        and not facts["thinned"][str("t.json")]
    )
    for ours, row in (
        ("steals", "Steals"),
        ("suspended", "Suspend"),
        ("releases", "Rel. frames"),
        ("sleeps", "Sleeps"),
    ):
        assert sum(w[ours] for w in workers) == rows.get(row, 0), (ours, rows)
    assert len(phases["s"]) == rows.get("Steals", 0)
    assert all(0 <= w["utilisation"] <= 1 for w in workers) and workers[0]["utilisation"] > 0
    assert sum(w["spawns"] for w in workers) >= 20
    names = {e["name"] for e in phases["X"]}
    assert {"main", "work"} <= names and "190\n" in result.err
    lines = {e["args"]["line"] for e in phases["X"] if e["name"] == "work"}
    assert lines <= {"mixed.cilk:%d" % n for n in (6, 8)}, lines


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_inlets_are_there_with_the_lines_of_their_spawns(folder, spawn):
    result = run(folder, "--json", "--spawn=" + spawn, "--nproc", "2", "mixed.cilk", "--perfetto", "t.json", "--",
                 "--force-steal", "always", status=7)
    facts = json.loads(result.out)
    _, phases = sound((folder / "t.json").read_text())
    # Each child of `first` is stolen from: none of its 20 values is delivered by its own code.
    assert sum(w["inlets"] for w in facts["workers"]) == 20 == len([e for e in phases["i"] if e["name"] == "inlet"])
    assert {e["args"]["line"] for e in phases["i"] if e["name"] == "inlet"} == {"mixed.cilk:10"}
    assert sum(w["suspended"] for w in facts["workers"]) >= len(phases["b"])


def test_an_inlet_has_the_line_of_its_spawn_while_the_parent_waits(folder):
    """Not the line of the sync."""
    (folder / "late.cilk").write_text("""#include <unistd.h>
static cilk int late(void) { usleep(100000); return 7; }
cilk int main(void) { int sum = 0; inlet void add(int x) { sum += x; }
  add(spawn late());
  sync;
  return sum; }
""")
    run(folder, "late.cilk", "--nproc", "2", "--perfetto", "t.json", "--", "--force-steal", "always", status=7)
    _, phases = sound((folder / "t.json").read_text())
    assert [e["args"]["line"] for e in phases["i"] if e["name"] == "inlet"] == ["late.cilk:4"]


def test_the_programs_output_is_its_own_and_the_table_follows(folder):
    plain = command([CILKC, "run", "fine.cilk"], cwd=folder)
    result = run(folder, "fine.cilk", "--nproc", "2")
    assert result.out.startswith(plain.out) and result.err == ""
    assert (
        "utilisation" in result.out
        and "\x1b" not in result.out
        and result.out.splitlines()[-1].startswith("fine.trace.html: ")
    )
    assert (folder / "fine.trace.html").exists()
    assert sorted(p.name for p in folder.iterdir()) == ["fine.cilk", "fine.trace.html", "mixed.cilk"]


def test_there_is_one_page(folder):
    result = command([CILKC, "trace", "fine.cilk", "-o", "a.html", "--html", "b"], cwd=folder)
    assert (
        result.status == 125
        and "error: -o a.html and --html b: only one page can be written" in result.err
        and not (folder / "b").exists()
    ), str(result)


def test_the_page_and_the_file_have_the_same_times(folder):
    """And the curve of busy workers has the area of what they ran, without their waits for locks."""
    words = ["mixed.cilk", "-o", "t.html", "--perfetto", "t.json", "--nproc", "2", "--", "--force-steal", "always"]
    run(folder, *words, status=7)
    _, phases = sound((folder / "t.json").read_text())
    page = (folder / "t.html").read_text()

    def table(name, width):
        numbers = json.loads(re.search(r'"%s":(\[[^]]*\])' % name, page)[1])
        return [numbers[i : i + width] for i in range(0, len(numbers), width)]

    states, locks = table("states", 5), table("locks", 3)
    drawn = sorted((row[0], row[1], row[1] + row[2]) for row in states)
    filed = sorted((e["tid"], e["ts"], e["ts"] + e["dur"]) for e in phases["X"] if e["cat"] == "state")
    assert len(drawn) == len(filed) > 20
    for ours, theirs in zip(drawn, filed):
        assert ours[0] == theirs[0] and abs(ours[1] / 1000 - theirs[1]) < 0.01 and abs(ours[2] / 1000 - theirs[2]) < 0.01
    running = json.loads(re.search(r'"stateNames": (\[[^]]*\])', page)[1]).index("running")
    ran = sum(row[2] for row in states if row[3] == running) - sum(row[2] for row in locks)
    curve = sorted((e["ts"], e["args"]["workers"]) for e in phases["C"])
    area = sum(workers for _, workers in curve) * (curve[1][0] - curve[0][0]) * 1000
    assert abs(area / ran - 1) < 0.05, (area, ran)


@pytest.mark.tier("test")
def test_files_are_thinned_evenly_and_say_so(folder):
    words = [SORT, "--nproc", "2"]
    result = run(folder, *words, "-o", "all.html", "--perfetto", "all.json")
    assert "thinned" not in result.err
    limit = 150000
    assert (folder / "all.json").stat().st_size > 2 * limit
    result = run(folder, *words, "--html", "t.html", "--perfetto", "t.json", "--limit", str(limit / 1e6))
    assert limit / 2 < (folder / "t.json").stat().st_size <= limit and (folder / "t.html").stat().st_size <= limit
    assert "t.json was thinned evenly" in result.err
    made, phases = sound((folder / "t.json").read_text())
    thinned = made["otherData"]["thinned"]
    assert thinned and all(t["kept"] < t["of"] for t in thinned.values())
    # Evenly: between any two of a category about as many are left out. Of another run, so by their shares only.
    for category, t in thinned.items():
        assert len(
            [e for e in phases["X"] + phases["s"] + phases["i"] + phases["b"] if e["cat"] in (category, category[:-1])]
        ) in (t["kept"], 0), category


@pytest.mark.tier("all")
def test_a_run_of_more_events_than_are_kept_says_how_many_are_missing(folder):
    """Some four million steals' events: more than the three million that are kept, and than a file of the usual size
    can have."""
    result = run(folder, "--json", "fine.cilk", "--nproc", "2", "-o", "t.html", "--perfetto", "t.json", "--limit", "20",
                 "--", "--force-steal", "always")
    facts = json.loads(result.out)
    made, phases = sound((folder / "t.json").read_text())
    assert facts["lost"] > 1000000 and facts["complete"] and made["otherData"]["lost"] == facts["lost"]
    assert (
        "%d events came faster than they could be kept, or after three million others: they are missing" % facts["lost"]
        in result.err
    )
    assert max((folder / name).stat().st_size for name in ("t.html", "t.json")) <= 20e6
    assert facts["thinned"]["t.json"] and "t.json was thinned evenly" in result.err
    assert phases["X"] and '"lost":%d' % facts["lost"] in (folder / "t.html").read_text().replace(" ", "")


@pytest.mark.parametrize("text, status, printed", [
    ("#include <stdlib.h>\ncilk int main(void) { spawn f(); sync; exit(3); }", 3, ""),
    ("cilk int main(void) { spawn f(); sync; written(); _exit(4); }", 4, "ended early"),
    ("#include <signal.h>\ncilk int main(void) { spawn f(); sync; written(); raise(SIGSEGV); return 0; }", 128 + signal.SIGSEGV, "ended early"),
    ("cilk int main(void) { spawn f(); sync; written(); abort(); }", 128 + signal.SIGABRT, "ended early"),
    ("cilk int main(void) { spawn f(); sync; Cilk_exit(5); return 0; }", 5, ""),
])
def test_programs_that_end_early(tmp_path, text, status, printed):
    lines = text.split("\n")
    (tmp_path / "p.cilk").write_text(
        "\n".join(
            lines[:-1]
            + [
                "#include <stdlib.h>",
                "#include <sys/stat.h>",
                "#include <unistd.h>",
                # more than the head is in the trace's file
                "static void written(void) { struct stat s; while (stat(getenv(\"CILK_TRACE\"), &s) || s.st_size < 100) usleep(1000); }",
                "static cilk void g(int n) { if (n) { spawn g(n - 1); spawn g(n - 1); sync; } }",
                "static cilk void f(void) { spawn g(10); sync; }",
                lines[-1],
                "",
            ]
        )
    )
    result = run(tmp_path, "--json", "p.cilk", "--nproc", "2", "--perfetto", "t.json", status=status)
    assert printed in result.err and (printed or "ended early" not in result.err), result.err
    _, phases = sound((tmp_path / "t.json").read_text())
    assert phases["X"] and json.loads(result.out)["status"] == status


def test_without_a_trace_nothing_is_made(tmp_path):
    (tmp_path / "p.c").write_text("int main(void) { return 6; }\n")
    result = run(tmp_path, "p.c", status=6)
    assert "nothing was traced" in result.err and [p.name for p in tmp_path.iterdir()] == ["p.c"]
    (tmp_path / "p.cilk").write_text("cilk int main(void) { return x; }\n")
    result = run(tmp_path, "p.cilk", status=125)
    assert "error" in result.err and result.out == ""


def test_the_page_works_alone(folder):
    run(folder, "mixed.cilk", "--nproc", "4", "-o", "t.html", status=7)
    text = shown(folder / "t.html", "#t=50,250")
    assert 'data-ready="yes"' in text and 'data-view="50000,250000"' in text
    assert text.count("running work") == 1 and "stolen from it" in text and text.count('class="share"') == 4


def test_the_page_has_other_colours_in_the_dark(folder):
    """The colour of what is written on the canvas, which style sheets do not reach."""
    run(folder, "mixed.cilk", "--nproc", "2", "-o", "t.html", status=7)
    inks = set()
    for mode in ("0", "1"):
        scheme = "--blink-settings=preferredColorScheme=%s" % mode
        inks.update(re.findall(r'data-ink="(#\w+)"', shown(folder / "t.html", "", scheme)))
    assert inks == {"#222222", "#e8edf3"}


def test_a_page_that_is_wrong_is_noticed(folder):
    run(folder, "mixed.cilk", "--nproc", "2", "-o", "t.html", status=7)
    text = (folder / "t.html").read_text()
    (folder / "wrong.html").write_text(text.replace("drawOverview();", "drawNothing();", 1))
    assert "CONSOLE" in browser((folder / "wrong.html").as_uri(), folder).err


def test_thinning_is_even():
    from tools import trace_model as model
    for share in (0.01, 0.3, 0.5, 0.77):
        kept = list(model.evenly(range(10000), share))
        gaps = {b - a for a, b in zip(kept, kept[1:])}
        assert abs(len(kept) - 10000 * share) <= 1 and max(gaps) - min(gaps) <= 1
    texts = ["x" * 98] * 1000
    made, facts = model.thin_categories({"fine": (0, lambda: texts), "coarse": (1, lambda: texts)}, 150000)
    assert facts["coarse"] == (1000, 1000) and facts["fine"] == (500, 1000)
    made, facts = model.thin_categories({"fine": (0, lambda: texts), "coarse": (1, lambda: texts)}, 50000)
    assert (
        sum(len(t) + 2 for some in made.values() for t in some) <= 50000
        and 400 <= facts["coarse"][0] < 500
        and facts["fine"][0] > 0
    )
    uneven = ["x" * 10, "x" * 200] * 1000
    made, facts = model.thin_categories({"a": (1, lambda: uneven)}, 106000)
    assert sum(len(t) + 2 for t in made["a"]) <= 106000 and facts["a"][0] > 400


def test_time_by_the_clock_is_distinguished_from_processor_time():
    """64 workers that take turns on a few processors are all busy by the clock. Which of the two it is depends on what
    the system gave them."""
    from tools import trace_model, trace_text
    trace = trace_model.Trace(4)
    for worker in trace.workers:
        worker.busy = 3_000_000_000
    trace.processor = 1.5
    assert (
        "ran for 12 s together by the clock, and had a processor for 1.5 s of it: 4 workers take turns"
        in trace_text.crowded(trace)
    )
    trace.processor = 11.0
    assert trace_text.crowded(trace) == ""
