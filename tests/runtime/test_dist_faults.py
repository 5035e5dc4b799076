"""Several machines (--dist), what goes wrong: ranks that stop, that die in the middle of a message, or that are of
another build or machine; launchers that die. No process is left over, and every refusal names the rank.

An answer is right if one rank prints the same."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import CILKC, ROOT, eventually, need

sys.path.insert(0, str(ROOT / "tests" / "dist"))
import ranks as dist                                                     # noqa: E402

pytestmark = pytest.mark.tier("test")
LONG = dist.PROGRAMS["nqueens.cilk"][1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("faults")


def run(program, arguments, number, **more):
    return subprocess.run(
        [str(program), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, CILK_RANKS=str(number), **more),
    )


def start(words, **more):
    return subprocess.Popen(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, **more),
    )


def processes_of(program):
    """Those that run this file, but for zombies."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(program):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


# Rank 2 stops before it serves. The others go on with 40 steps of two threads each.
STEPS = """
#include <cilk-remote.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int stops;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[])
{
    if (rank && argc > 1 && rank == atoi(argv[1])) raise(SIGSTOP);
}
remote thread work(cont int k, int us) { usleep(us); send_argument(k, 1); }
thread steps(cont int k, int left, int x, int y)
{
    cont int a, b;
    if (left == 0) { send_argument(k, 0); return; }
    spawn_next steps(k, left - x, ?a, ?b);
    spawn work(a, 20000);
    spawn work(b, 20000);
}
thread end(cont int k, int status) { printf("done\\n"); fflush(stdout); send_argument(k, status); }
thread main(cont int k)
{
    cont int x;
    spawn_next end(k, ?x);
    spawn steps(x, 40, 1, 0);
}
"""


@pytest.fixture(scope="module")
def steps(folder):
    (folder / "steps.cilk1").write_text(STEPS)
    subprocess.run([CILKC, "-O2", "--dist=local", str(folder / "steps.cilk1"), "-o", str(folder / "steps")], check=True)
    return folder / "steps"


def test_a_rank_that_does_not_answer_is_not_waited_for(steps):
    """Rank 1 asks rank 2, which has stopped, sooner or later; it goes on with rank 0."""
    with start([steps, "--nproc", "1", "--stats", "1", "2"], CILK_RANKS="3") as launcher:
        ids = dist.ids_of(launcher, 3)
        assert launcher.stdout.readline() == "done\n"
        os.kill(ids[2], signal.SIGCONT)
        _, err = launcher.communicate(timeout=300)
    assert launcher.returncode == 0
    row = next(line.split() for line in err.splitlines() if re.match(r" +1 ", line))
    assert int(row[3]) >= 10, err


def test_a_rank_that_stops_and_goes_on_loses_nothing(folder):
    program = dist.built("nqueens.cilk", folder)
    right = dist.expected(program, LONG)
    for wait in (0.01, 0.1):
        with start([program, "--nproc", "1", *LONG], CILK_RANKS="3") as launcher:
            ids = dist.ids_of(launcher, 3)
            time.sleep(wait)
            for one in ids[1:]:
                os.kill(one, signal.SIGSTOP)
            time.sleep(0.3)
            for one in ids[1:]:
                os.kill(one, signal.SIGCONT)
            out, err = launcher.communicate(timeout=300)
        assert (launcher.returncode, out, err) == (0, right, "")


@pytest.mark.parametrize("name", ["fib.cilk1", "nqueens.cilk"])
def test_a_rank_may_die_in_the_middle_of_a_message(name, folder):
    program, torn = dist.built(name, folder), folder / "torn.so"
    if not torn.exists():
        subprocess.run(
            ["gcc", "-shared", "-fPIC", str(ROOT / "tests/dist/torn.c"), "-o", str(torn), "-ldl"], check=True
        )
    arguments = dist.PROGRAMS[name][1]
    right = dist.expected(program, arguments)
    for number in (1, 2, 5):
        done = run(
            program,
            ["--nproc", "1", "--stats", "1", *arguments],
            3,
            CILK_RANK_1="env LD_PRELOAD=%s TORN=%d %s" % (torn, number, program),
        )
        assert (done.returncode, done.stdout) == (0, right), done
        assert "was rejected" not in done.stderr


# What rank 1 runs is cancelled, and prints on: its pipe is full when all ends.
NOISY = """
#include <cilk-remote.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
remote cilk int noisy(int seconds)
{
    for (time_t end = time(NULL) + seconds; time(NULL) < end;) printf("%0200d\\n", seconds);
    return 0;
}
cilk int slow(void) { usleep(300000); return 1; }
cilk int main(void)
{
    inlet void take(int r) { if (r) abort; }
    take(spawn slow());
    take(spawn noisy(20));
    sync;
    return 0;
}
"""


def test_a_rank_that_prints_much_ends_with_the_others(folder):
    """It reports its numbers: it is not killed after a while, and what it sent before its end is read."""
    (folder / "noisy.cilk").write_text(NOISY)
    subprocess.run([CILKC, "-w", "-O2", "--dist=local", str(folder / "noisy.cilk"), "-o", str(folder / "noisy")], check=True)
    given = 0
    for _ in range(4):
        done = run(folder / "noisy", ["--nproc", "1", "--stats", "1"], 2)
        assert done.returncode == 0 and "(lost)" not in done.stderr, done.stderr
        given += int(re.search(r"^ +0 +\d+ +\d+ +\d+ +(\d+)", done.stderr, re.M)[1])
        assert set(done.stdout.split("\n")[:-1]) <= {"%0200d" % 20}      # the last one is cut off where all ended
    assert given


@pytest.mark.parametrize("killed", ["launcher", "rank 0"])
@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGKILL])
def test_no_rank_outlives_its_launcher_or_rank_0(killed, sig, folder):
    program = dist.built("nqueens.cilk", folder)
    with start([program, "--nproc", "1", "18", "5"], CILK_RANKS="4") as launcher:
        ids = dist.ids_of(launcher, 4)
        os.kill(launcher.pid if killed == "launcher" else ids[0], sig)
        launcher.communicate(timeout=300)
    assert launcher.returncode == -sig
    eventually(lambda: not processes_of(program), "a rank goes on")


@pytest.mark.parametrize("killed, sig", [("mpirun", signal.SIGTERM), ("mpirun", signal.SIGKILL), ("rank", signal.SIGKILL)])
def test_no_rank_of_mpi_is_left_over(killed, sig, folder):
    program = dist.built("nqueens.cilk", folder, transport="mpi")
    words, env = dist.command(program, ["18", "5"], 3, 1, "mpi")
    with start(words, **env) as mpirun:
        eventually(lambda: len(processes_of(program)) >= 3, "the ranks did not start")
        time.sleep(0.5)                                     # they may be within MPI_Init, or later
        os.kill(mpirun.pid if killed == "mpirun" else processes_of(program)[0], sig)
        mpirun.communicate(timeout=300)
    assert mpirun.returncode
    eventually(lambda: not processes_of(program), "a rank goes on")


def test_a_closed_standard_output_is_no_socket(folder):
    program = dist.built("queens.cilk1", folder)
    done = run("/bin/sh", ["-c", 'exec "$0" --nproc 1 9 4 <&- >&-', str(program)], 3)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_ends_ends_the_program(folder):
    (folder / "much.cilk").write_text(
        "#include <stdio.h>\n#include <cilk-remote.h>\nremote cilk int one(int n) { return n; }\n"
        'cilk int main(void) { int n; n = spawn one(1); sync; for (;;) if (printf("%d\\n", n) < 0) return 3; }\n'
    )
    program = folder / "much"
    subprocess.run([CILKC, "-O2", "--dist=local", str(folder / "much.cilk"), "-o", str(program)], check=True)
    with start([program, "--nproc", "1"], CILK_RANKS="3") as launcher:
        launcher.stdout.readline()
        launcher.stdout.close()
        assert launcher.wait(timeout=300) == -signal.SIGPIPE
    eventually(lambda: not processes_of(program), "a rank goes on")


def test_another_build_is_refused_by_its_name(folder):
    program, other = dist.built("queens.cilk1", folder), dist.built("queens.cilk1", folder, "-O1")
    done = run(program, ["--nproc", "1", "9", "4"], 3, CILK_RANK_1=str(other))
    assert done.returncode == 1 and done.stdout in ("", "352\n")
    assert "rank 1 runs a different build of the program from rank 0: %s and %s\n" % (other, program) in done.stderr
    eventually(lambda: not processes_of(program) and not processes_of(other), "a rank goes on")


def test_ranks_may_have_unlike_numbers_of_workers(folder):
    program = dist.built("queens.cilk1", folder)
    done = run(program, ["10", "4"], 3, CILK_RANK_1="%s --nproc 3" % program, CILK_RANK_2="%s --nproc 1" % program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "724\n", "")


def test_a_rank_with_wrong_options_is_named(folder):
    program = dist.built("queens.cilk1", folder)
    done = run(program, ["9", "4"], 3, CILK_RANK_1="%s --nproc zero" % program)
    assert done.returncode == 1 and "fatal error: rank 1 has rejected its options\n" in done.stderr, done


def test_a_rank_that_cannot_start_is_a_dead_one(folder):
    program = dist.built("queens.cilk1", folder)
    done = run(program, ["--nproc", "1", "9", "4"], 3, CILK_RANK_1="/nowhere/prog")
    assert (done.returncode, done.stdout) == (0, "352\n"), done


@pytest.mark.parametrize(
    "processor, byte_order", [pytest.param("aarch64", "little", marks=pytest.mark.tier("all")), ("s390x", "big")]
)
def test_an_unlike_processor_is_refused_by_its_name(processor, byte_order, folder):
    need("qemu-" + processor, processor + "-linux-gnu-gcc")
    here = os.uname().machine
    if here == processor:
        pytest.skip("it is this processor")
    program = dist.built("nqueens.cilk", folder)
    other = dist.built("nqueens.cilk", folder, "--target=%s-linux-gnu" % processor)
    emulated = "qemu-%s -L /usr/%s-linux-gnu %s" % (processor, processor, other)
    done = run(program, ["--nproc", "1", "9", "4"], 2, CILK_RANK_1=emulated)
    assert done.returncode == 1
    assert re.search(
        r"fatal error: rank 1 runs on %s, %s endian, 64 bits, rank 0 on %s, \w+ endian, 64 bits: all ranks need the "
        "same kind of processor\n" % (processor, byte_order, here),
        done.stderr,
    ), done
    alone = subprocess.run(
        [*emulated.split(), "--nproc", "1", "9", "4"],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, CILK_RANKS="2"),
    )
    assert (alone.returncode, alone.stdout) == (0, "352\n"), alone
