"""`cilkc bench`: the shape of its results at sizes that measure nothing.  Times are never asserted."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from conftest import CILKC, ROOT, command
from grade import cell
from bench import cases, knary, machine, measure, micro, report, sections

pytestmark = pytest.mark.tier("all")


def test_tiny_run(tmp_path):
    published = tmp_path / "published.md"
    by_hand = "## By hand\n\nA sentence.\n"
    published.write_text("Old.\n\n## The machine\n\nOld.\n\n" + by_hand)
    done = command(
        [CILKC, "bench", "--quick", "--tiny", "--filter", "fib-long", "--rounds", "2", "--no-peers", "-o", tmp_path,
         "--publish", published]
    )
    assert done.status == 0, str(done)
    data = json.loads((tmp_path / "results.json").read_text())
    assert data["format"] == 1
    assert data["options"]["rounds"] == 2
    assert data["machine"]["cores"] >= 1 and data["machine"]["kernel"]
    (case,) = data["cases"]
    assert case["name"] == "fib-long" and case["problems"] == []
    assert {"gcc", "own", "eager1", "lazy1"} <= set(case["variants"])
    for variant in case["variants"].values():
        assert len(variant["times"]) == 2
        assert variant["q1"] <= variant["median"] <= variant["q3"]
    for ratio in case["ratios"].values():
        assert 0 < ratio["q1"] <= ratio["median"] <= ratio["q3"]
    assert "lazy1/own" in case["ratios"]
    text = (tmp_path / "report.md").read_text()
    assert "fib-long 20" in text and "## The machine" in text
    assert sorted(sections.divide(published.read_text()).items(), key=str) == sorted(sections.divide(text + "\n" + by_hand).items(), key=str)
    again = command([CILKC, "bench", "--from", tmp_path / "results.json", "-o", tmp_path / "again"])
    assert again.status == 0 and (tmp_path / "again" / "report.md").read_text() == text


@pytest.mark.parametrize("words, status, said", [
    (["--filter", "nothing-like-it"], 2, "no case is called 'nothing-like-it'"),
    (["--rounds", "0"], 2, "'0' is not a number from 1 to"),
    (["--workers", "x"], 2, "'x' is not a number from 1 to 1024"),
    (["--frobnicate"], 2, "--frobnicate"),
    (["--from", "none.json"], 1, "cilkc bench: error: none.json: No such file or directory"),
    (["--from", "."], 1, "cilkc bench: error: .: Is a directory"),
    (["--from", "other.json"], 2, "other.json holds no results of this program"),
    (["--from", "binary"], 2, "binary holds no results of this program"),
    (["-o", "other.json/x"], 1, "cilkc bench: error: "),
    (["--table4", "--costs", "x"], 2, "'x' is not of the form"),
    (["--table4", "--filter", "x"], 2, "invalid choice: 'x'"),
    (["--table4", "--again"], 1, "table4.json: No such file or directory"),
    (["--tm580", "--rounds", "-1"], 2, "'-1' is not a number from"),
    (["--ranks", "--numbers", "4,"], 2, "'' is not a number from 1 to 64"),
    (["--table-schedulers", "--rounds", "0"], 2, "'0' is not a number"),
])
def test_wrong_arguments(words, status, said, tmp_path):
    """Names of files are those of the working folder."""
    (tmp_path / "other.json").write_text('{"format": 1}')
    (tmp_path / "binary").write_bytes(b"\xff")
    done = command([CILKC, "bench", "-o", "out", *words], cwd=tmp_path)
    assert done.status == status and said in done.err and "Traceback" not in done.err, str(done)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_programs(number, tmp_path):
    """The signal goes to the command alone, as from a harness."""
    words = [CILKC, "bench", "--filter", "fib-long", "nqueens", "heat", "-o", tmp_path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while len(started := cell.family(child.pid)) < 4:
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(number)
        _, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (128 + number, "stopped\n")
    deadline = time.monotonic() + 60            # the last ones are on their way to their end
    while any(os.path.exists("/proc/%d" % pid) for pid in started):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_every_sample_is_measured_or_named():
    measured = {case.source for case in cases.all_cases()}
    for sample in (ROOT / "samples").glob("*.cilk"):
        assert str(sample) in measured or sample.stem in cases.NOT_MEASURED


def test_quartiles():
    assert measure.spread([4, 1, 3, 2, 5]) == {"median": 3, "q1": 2, "q3": 4}
    assert measure.ratio([2, 4], [1, 2])["median"] == 2
    assert measure.ratio([], [1]) is None


def test_a_failing_program_is_a_problem():
    job = measure.Job("x", ["false"])
    measure.interleave([job], 3)
    assert job.times == [] and "exit status 1" in str(job.problem)


def test_model_finds_its_constants():
    points = [(w / p, s, 1.01 * w / p + 0.7 * s) for w, s in ((1, 0.01), (2, 0.5), (1, 0.9)) for p in (2, 4)]
    found = knary.fit(points)
    assert abs(found["c1"] - 1.01) < 1e-6 and abs(found["c_inf"] - 0.7) < 1e-6
    assert knary.nodes(3, 4) == 21 and knary.span(3, 4, 1) == 7 and knary.span(3, 4, 4) == 21


def test_parts_of_figure_7_are_summed():
    found = micro.sum_of_parts({"elision": 1.0, "state saving": 1.1, "closures": 2.0, "THE": 1.4, "all of eager": 3.0})
    assert abs(found["parts"] - 2.5) < 1e-9 and abs(found["off"] + 1 / 6) < 1e-9
    assert micro.sum_of_parts({"elision": 1.0, "all of eager": 3.0}) is None


@pytest.mark.parametrize("macros", [macros for _, macros in micro.FIGURE7], ids="-".join)
def test_versions_of_figure_7_compute_fib(macros, tmp_path):
    built = command([
        "gcc",
        "-O2",
        "-Wall",
        *("-D" + m for m in macros),
        ROOT / "bench" / "micro" / "figure7.c",
        "-o",
        tmp_path / "fib",
    ])
    assert built.status == 0, str(built)
    assert command([tmp_path / "fib", "20"]).out == "6765\n"


def test_nothing_is_inlined_where_the_breakdown_says_so(tmp_path):
    """A leaf that ran in place would not take the spawn whose cost is measured: some 13,000 of the 22,000 spawns of
    fib(20) are leaves."""
    source = ROOT / "bench" / "programs" / "fib_long.cilk"
    assert command([CILKC, "-O3", "-cilk-profile", *micro.AS_WRITTEN, source, "-o", tmp_path / "fib"]).status == 0
    done = command([tmp_path / "fib", "--nproc", "1", "--stats", "2", "20"])
    threads = int([line for line in done.err.splitlines() if line.strip().startswith("Threads")][0].split()[-1])
    assert threads >= micro.spawns_of_fib(20), str(done)


def test_targets_are_data():
    one, several = measure.Job("lazy1", ["x"]), measure.Job("lazy2", ["x"])
    one.times, several.times = [1.0], [0.5]
    fib = next(case for case in cases.CASES if case.name == "fib")
    data = {"options": {"workers": 2}, "cases": [report.case_data(fib, "tiny", [one, several], 2)]}
    assert report.targets(data) == [
        {"what": "fib, lazy, T1/T2", "limit": 1.90, "at_most": False, "measured": 2.0, "met": True}
    ]
    assert (
        report.wording("lazy2/eager2") == "2 workers, lazy / eager"
        and report.wording("openmp-gcc-1/lazy1") == "one worker: openmp-gcc / lazy"
    )


def test_warning_on_a_busy_machine():
    assert machine.warning((0.1, 3, 3)) is None
    assert "not idle" in machine.warning((2.0, 0, 0))


def test_different_clocks_make_no_ratio():
    one, several = measure.Job("lazy1", ["x"], clock="processor"), measure.Job("lazy2", ["x"])
    one.times, several.times = [1.0], [0.5]
    data = report.case_data(cases.CASES[0], "tiny", [one, several], 2)
    assert data["ratios"] == {}


def test_a_folder_named_like_the_command_is_no_input(tmp_path):
    (tmp_path / "bench").mkdir()
    done = command([CILKC, "bench", "--list"], cwd=tmp_path)
    assert done.status == 0 and "fib" in done.out, str(done)


@pytest.mark.parametrize("flag", ["-fno-inline-recursion", "-finline-recursion=2"])
def test_unrolling_switch_links(flag, tmp_path):
    done = command([CILKC, "-O2", flag, ROOT / "samples" / "fib.cilk", "-o", tmp_path / "fib"])
    assert done.status == 0, str(done)
    assert "fib(20) = 6765" in command([tmp_path / "fib", "--nproc", "2", "20"]).out


def test_space_bound():
    """Closures on P workers take at most P times the memory of those on one, and a constant."""
    done = command([sys.executable, "-m", "bench.space", "--seeds", "1", "queens", "inlets"], cwd=ROOT)
    assert done.status == 0 and "no figure is above" in done.out, str(done)
    assert [line.split("|")[1].strip() for line in done.out.splitlines() if line.startswith("|")][2:] == [
        "queens",
        "inlets",
    ]


def test_memory_of_the_race_detector_is_within_its_limit_and_published(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n## What it costs\n\nold\n\n## Other\n\nkept\n")
    done = command([sys.executable, "-m", "bench.race", "--tiny", "--rounds", "1", "--publish", page], cwd=ROOT)
    assert done.status == 0 and "No figure is over the limit." in done.out, str(done)
    text = page.read_text()
    assert "old" not in text and text.index("`rotate 3`") < text.index("## Other") and text.endswith("kept\n")
    over = [("a", "1", {"median": 9, "q1": 8, "q3": 10}, 1.0, 2.0, 24.1), ("b", "2", None, 0.001, 2.0, 23.9)]
    script = "from bench import race; print(race.table(%r))" % over
    done = command([sys.executable, "-c", script], cwd=ROOT)
    assert "Over the limit: a 1." in done.out and "| `b 2` | 0.001 |  | 2.0 | 23.9 | 24 |" in done.out, str(done)


def test_ranks_are_counted_beside_the_papers_and_timed(tmp_path):
    words = [CILKC, "bench", "--ranks", "--quick", "--rounds", "1", "--filter", "queens", "ray", "-o", tmp_path]
    done = command([*words, "--numbers", "1,3"])
    assert done.status == 0, str(done)
    rows = [line.split(" | ") for line in done.out.splitlines() if line.startswith("| ") and "ranks" not in line]
    assert [(row[0], row[1]) for row in rows] == [
        ("| queens(15)", "1"),
        ("| queens(15)", "3"),
        ("| ray(500,500)", "1"),
        ("| ray(500,500)", "3"),
    ]
    assert rows[0][3] == "0 (48)" and rows[0][4] == "0 (18.5)"
    fast = command([*words, "--speed", "--transport", "local"])
    assert fast.status == 0 and "| nqueens, threads |" in fast.out, str(fast)
