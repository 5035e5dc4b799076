"""--elastic (docs/travel.md): the number of workers changes while a program runs, as it asks, as a signal says, or as the
process may use more or fewer processors."""

import os
import re
import signal
import subprocess

import pytest

from conftest import CILKC, STRATEGIES, TESTS, built, command, compiled

pytestmark = pytest.mark.tier("check")

HERE = TESTS / "travel"
two_processors = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one processor only")


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("flags", [(), ("-cilk-debug",)], ids=["release", "debug"])
def test_the_number_of_workers_changes_all_the_time(strategy, flags):
    """The program itself asks 200 times; each leaf is counted once."""
    program = built([CILKC, "-O2", "--spawn=" + strategy, HERE / "elastic.cilk", *flags])
    for nproc in (1, 4):
        result = command([program, "--elastic", "4", "--nproc", nproc, "200", nproc])
        assert (result.status, result.out, result.err) == (0, "200 0 200 51200\n", ""), str(result)
    result = command([program, "--nproc", "2", "3"])
    assert result.out == "3 3 3 768\n", "without --elastic it is refused: " + str(result)


def test_workers_that_rest_run_nothing(tmp_path):
    """Only --nproc of them run, until a signal says how many (its value). docs/travel.md has the command for a shell."""
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
#include <unistd.h>
static int ran[8], naps;
cilk int work(int n) { int a, b; ran[Self] = 1; if (n < 2) { if (naps++ < 50) usleep(1000); return n; } a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(int argc, char *argv[])
{
    int r, n = 0;
    r = spawn work(16); /* others would have the time to steal */
    sync;
    for (int i = 0; i < 4; i++) n += ran[i];
    printf("%d\\n", n), fflush(stdout);
    for (int i = 0; n < 2 && i < 100000; i++) {
        r = spawn work(22);
        sync;
        n = 0;
        for (int k = 0; k < 4; k++) n += ran[k];
    }
    printf("%d\\n", n >= 2);
    return argc * 0 * r * !argv;
}
""")
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    with subprocess.Popen(
        [tmp_path / "p", "--elastic", "4", "--nproc", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, CILK_PROCESSORS="4"),
    ) as process:
        assert process.stdout.readline() == "1\n"
        [line] = re.findall(r"^    (.*-q) 8 PID", (TESTS.parent / "docs/travel.md").read_text(), re.M)
        sent = command(["sh", "-c", "%s 4 %d" % (line, process.pid)])
        assert (sent.status, sent.err) == (0, ""), str(sent)
        assert process.stdout.read() == "1\n"


WINDOWS = """#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int ran[8];
cilk int work(int n) { int a, b; ran[Self] = 1; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(int argc, char *argv[])
{
    int r, n;
    for (int i = 0; i < 30000 && access(argv[1], F_OK) != 0; i++) {
        memset(ran, 0, sizeof ran);
        for (int k = 0; k < 20; k++) { r = spawn work(18); sync; }
        n = ran[0] + ran[1] + ran[2] + ran[3];
        printf("%d\\n", n), fflush(stdout);
    }
    return argc * 0 * r;
}
"""


@two_processors
def test_a_plain_signal_asks_for_all_processors(tmp_path):
    """As many as the process may use: two here. Nothing has changed since the start, so one worker runs until then."""
    (tmp_path / "p.cilk").write_text(WINDOWS)
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    (tmp_path / "self").write_text("0::/\n")
    (tmp_path / "cpu.max").write_text("200000 100000\n")
    with subprocess.Popen(
        [tmp_path / "p", "--elastic", "4", "--nproc", "1", tmp_path / "end"],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, CILK_CGROUP=str(tmp_path), CILK_PROCESSORS="4"),
    ) as process:
        assert [process.stdout.readline() for _ in range(5)] == ["1\n"] * 5
        process.send_signal(signal.SIGUSR2)
        assert any(line == "2\n" for line in process.stdout), "the second worker never ran"
        (tmp_path / "end").touch()
        assert "3\n" not in process.stdout.read()


@two_processors
@pytest.mark.parametrize("what", ("quota", "affinity"))
def test_workers_follow_what_the_process_may_use(tmp_path, what):
    """The program is not asked: a control group's quota, or the affinity of its processors, becomes another one while
    it runs."""
    (tmp_path / "p.cilk").write_text(WINDOWS)
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    mine, quota, end = sorted(os.sched_getaffinity(0))[:2], tmp_path / "group" / "cpu.max", tmp_path / "end"
    quota.parent.mkdir()
    (quota.parent / "self").write_text("0::/\n")

    def allow(n):
        if what == "quota":
            quota.write_text("%d00000 100000\n" % n)
        else:
            os.sched_setaffinity(process.pid, mine[:n])

    quota.write_text("max 100000\n" if what == "affinity" else "100000 100000\n")
    narrow = (lambda: os.sched_setaffinity(0, mine[:1])) if what == "affinity" else None
    with subprocess.Popen(
        [tmp_path / "p", "--elastic", "4", "--nproc", "1", end],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=narrow,
        env=dict(os.environ, CILK_CGROUP=str(quota.parent), CILK_PROCESSORS="4"),
    ) as process:
        assert process.stdout.readline() == "1\n"
        allow(2)
        assert any(line == "2\n" for line in process.stdout), "the second worker never ran"
        allow(1)
        assert any(line == "1\n" for line in process.stdout), "the second worker never came to rest"
        end.touch()


def test_a_worker_that_rests_runs_its_threads_first():
    program = built([CILKC, "-O2", "-cilk-debug", HERE / "rests.cilk1"])
    for nproc in (2, 1, 4, 2):
        result = command([program, "--elastic", "4", "--nproc", nproc], timeout=60)
        assert (result.status, result.out, result.err) == (0, "0\n", ""), str(result)
