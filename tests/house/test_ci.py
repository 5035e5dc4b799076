"""`.ci/run`: what it calls in which order, its status, and its last line. make, timeout and date are scripts here."""

import os

import pytest

from conftest import ROOT, command

pytestmark = pytest.mark.tier("check")
TOOLS = {
    "make": 'echo "make $*" >> calls; case "$*" in test) echo "7 passed in 1s";; esac\n'
            'case "$*" in $FAILS) exit 2;; $SLOW) exit 124;; esac',
    "timeout": 'shift 3; exec "$@"',
    "date": "echo 1 >> time; echo $(($(wc -l < time) * 60 * MINUTES))",
    "git": 'case "$1" in rev-list) echo 13;; *) echo false;; esac',
}


@pytest.fixture
def run(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_text((ROOT / ".ci/run").read_text())
    for name, text in TOOLS.items():
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n%s\n" % text)
        (tmp_path / "bin" / name).chmod(0o755)

    def call(fails="-", slow="-", minutes=0):
        path = "%s:%s" % (tmp_path / "bin", os.environ["PATH"])
        result = command(["sh", tmp_path / ".ci/run"], cwd=tmp_path,
                         env={"PATH": path, "FAILS": fails, "SLOW": slow, "MINUTES": str(minutes)})
        calls = [line.split() for line in (tmp_path / "calls").read_text().splitlines()]
        return result, [words[1] for words in calls], result.out.splitlines()[-2:]
    return call


def test_the_tests_run_first_and_all_checks_follow_where_there_is_time(run):
    result, calls, (report, last) = run()
    assert result.status == 0 and calls[:3] == ["lint", "test", "model"] and len(calls) == 12
    assert last == "7 passed in 1s" and "passed: 3 4 5 6 7 8 9 0 1 2; without an end, or not reached:;" in report


def test_a_check_that_runs_out_of_time_does_not_fail_the_run(run):
    result, calls, (report, last) = run(slow="check-tsan*")
    assert result.status == 0 and len(calls) == 12 and "not reached: 1;" in report and last == "7 passed in 1s"


def test_no_check_begins_late(run):
    result, calls, (report, _) = run(minutes=14)
    assert result.status == 0 and calls == ["lint", "test", "model", "mutants"], calls
    assert "passed: 3 4; without an end, or not reached: 5 6 7 8 9 0 1 2;" in report


@pytest.mark.parametrize("fails, calls", [("lint", 1), ("test", 2), ("model*", 3)])
def test_what_fails_fails_the_run(run, fails, calls):
    result, called, _ = run(fails=fails)
    assert result.status != 0 and len(called) == calls
