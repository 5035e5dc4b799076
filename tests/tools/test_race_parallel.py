"""`cilkc race --nproc N`: the detector on several workers against brute force, and beside the serial one.

Where it finds nothing the serial detector must find nothing, and where the serial one finds something it must have seen
one of the two lines, or have given the program up. The programs are those of test_race.py; schedules are chosen by seeds.
"""

import json
import os
import subprocess

import pytest

from conftest import ROOT, command
from test_race import CILKC, PROGRAMS, announced, counts, detect, found, sizes
from tiers import tier

pytestmark = pytest.mark.tier("test")

FLAGS = ["-w", "-cilk-tool=strands", "-DCILK_RACE=1"]
SEEDS = [(workers, seed) for workers in (2, 4) for seed in range(6)]


@sizes(20000, 40000, 400000)
def test_random_programs_on_workers_that_steal(tmp_path, count):
    program = tmp_path / "strands"
    assert command(["cc", "-std=gnu17", "-O1", "-I", ROOT, ROOT / "tests/race/strands.c", "-o", program]).status == 0
    result = subprocess.run([program, "1", str(count)], capture_output=True, text=True, timeout=400)
    assert result.returncode == 0, result.stdout


def test_report_names_the_workers(tmp_path):
    """A program without races has no serial run; one with a future has one, for a reason that is named."""
    source = tmp_path / "sum.cilk"
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "cilk void fill(char *p, int n) { if (n < 2) { *p = 1; return; } spawn fill(p, n / 2);"
        " spawn fill(p + n / 2, n - n / 2); sync; }\n"
        "cilk int one(void) { return 1; }\n"
        "cilk int main(void) { char *p = malloc(999); int n = 0; spawn fill(p, 999); sync;\n"
        "#ifdef ASK\n future int f = spawn one(); n = touch(f) - 1;\n#endif\n"
        " for (int i = 0; i < 999; i++) n += p[i]; free(p); printf(\"%d\\n\", n); return 0; }\n"
    )
    result = detect(source, "--nproc", "2")
    assert json.loads(result.stdout) == {"races": [], "workers": 2} and result.stderr == "999\n"
    result = detect(source, "--nproc", "2", "-DASK")
    assert json.loads(result.stdout) == {"races": []} and result.stderr.endswith("one worker, because of futures\n999\n")


@tier("all")
def test_children_that_run_when_the_program_exits_are_seen(tmp_path):
    """Both sleep, so the parallel run ends before they write."""
    source = tmp_path / "exit.cilk"
    source.write_text(
        "#include <stdlib.h>\n#include <unistd.h>\nint x;\n"
        "cilk void late(int n) { usleep(300000);\n x = n; }\n"
        "cilk void other(int n) { if (n) { spawn other(n - 1); spawn other(n - 1); sync; } }\n"
        "cilk int main(void) { spawn late(1); spawn late(2); spawn other(10); exit(0); }\n"
    )
    result = detect(source, "--nproc", "4")
    assert found(result) == [(5, 5, "race")] and result.returncode == 1, result.stderr


def supported(path, tmp_path, level):
    program = tmp_path / "program"
    assert command([CILKC, *FLAGS, level, path, "-o", program]).status == 0
    return program


def first_look(program, arguments, stdin, tmp_path, workers, seed):
    """The lines that it saw; None: it gave up."""
    report = tmp_path / ("report%d-%d" % (workers, seed))
    subprocess.run([program, "--sched=replay:%d:%d" % (seed, workers), *arguments], input=stdin, text=True, timeout=300,
                   capture_output=True,
                   env={**os.environ, "CILK_STRANDS_REPORT": str(report), "CILK_STRANDS_ALL": "1"})
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    if any("cannot" in row for row in rows):
        return None
    return {row["suspect"]["line"] for row in rows if "suspect" in row}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@tier("all")
def test_no_race_is_missed_on_any_schedule(path, level, tmp_path):
    pairs, arguments, stdin = announced(path)
    program = supported(path, tmp_path, level)
    for workers, seed in SEEDS:
        lines = first_look(program, arguments, stdin, tmp_path, workers, seed)
        if lines is None:
            continue
        assert [pair for pair in pairs if not {pair[0], pair[1]} & lines] == [], (workers, seed)
        assert pairs or not lines, (workers, seed)


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@tier("all")
def test_verdict_is_that_of_the_serial_detector(path, workers):
    pairs, arguments, stdin = announced(path)
    result = detect(path, "--nproc", workers, arguments=arguments, stdin=stdin)
    assert found(result) == pairs, str(result.stderr)
    assert result.returncode == (1 if counts(pairs) else 0)
