"""docs/slurm.md: its scripts, run by slurmctld and slurmd on this machine. A job that is ended goes on from its image,
and prints its answer once; one that is cancelled does not come back."""

import os
import re
import shutil
import subprocess
import time

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("all")

TIMEOUT = 600
QUEENS = {12: 14200, 13: 73712, 14: 365596, 16: 14772512}       # solutions, as the OEIS has them (A000170)
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static int n;
cilk long place(int row, unsigned columns, unsigned left, unsigned right)
{
    long count = 0;
    inlet void add(long some) { count += some; }
    unsigned free = ((1u << n) - 1) & ~(columns | left | right);
    if (row == n)
        return 1;
    while (free) {
        unsigned queen = free & -free;
        free ^= queen;
        add(spawn place(row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1));
    }
    sync;
    return count;
}
cilk int main(int argc, char **argv)
{
    long count;
    n = atoi(argv[1]);
    count = spawn place(0, 0, 0, 0);
    sync;
    printf("queens %ld\\n", count);
    return 0;
}
"""
CONFIGURATION = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={top}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.log
SlurmdSpoolDir={top}/spool
StateSaveLocation={top}/state
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName={host} NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
"""


class Cluster:
    def __init__(self, top):
        self.top, self.running = top, []
        key = top / "munge.key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o400)
        top.chmod(0o755)
        for name in ("spool", "state"):
            (top / name).mkdir()
        (top / "slurm.conf").write_text(CONFIGURATION.format(host=os.uname().nodename, top=top))
        self.environment = dict(os.environ, SLURM_CONF=str(top / "slurm.conf"))
        self.start("munged", "--force", "--foreground", "--key-file=%s" % key, "--socket=%s/munge.socket" % top,
                   "--pid-file=%s/munged.pid" % top, "--log-file=%s/munged.log" % top, "--seed-file=%s/seed" % top)
        self.wait(lambda: (top / "munge.socket").exists())
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        self.wait(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T"))

    def start(self, *words):
        with open(self.top / (words[0] + ".out"), "wb") as out:
            self.running.append(subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out))

    def run(self, *words):
        return command(list(words), env=self.environment, cwd=self.top).out

    def submit(self, *words):
        return int(re.search(r"batch job (\d+)", self.run("sbatch", *words))[1])

    def state(self, job):
        """None: it is over."""
        return self.run("squeue", "-h", "-j", str(job), "-o", "%T").split("\n")[0] or None

    def wait(self, holds):
        until = time.monotonic() + TIMEOUT
        while not holds():
            assert time.monotonic() < until, self.logs()
            time.sleep(0.1)

    def logs(self):
        return "\n".join(path.read_text() for path in sorted(self.top.glob("*.log")) + sorted(self.top.glob("slurm-*.out")))

    def close(self):
        for process in reversed(self.running):
            process.terminate()
            process.wait(60)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if not shutil.which("slurmctld") or not shutil.which("slurmd") or os.geteuid() != 0:
        pytest.skip("slurmctld and slurmd are not installed, or the tests do not run as root")
    top = tmp_path_factory.mktemp("slurm")
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "slurm.md").read_text(), re.S)
    for name, text in zip(("job.sh", "mpi.sh", "ranks.sh"), blocks):
        (top / name).write_text(text)
    (top / "prog.cilk").write_text(PROGRAM)
    for words in (("-include", "cilk-malloc.h", "prog.cilk", "-o", "prog"),
                  ("--dist=local", ROOT / "tests" / "dist" / "queens.cilk1", "-o", "queens")):
        done = command([CILKC, "build", "-O2", *words], cwd=top)
        assert done.status == 0, str(done)
    made = Cluster(top)
    yield made
    made.close()


def test_an_array_of_jobs(cluster):
    job = cluster.submit("--array=12-14%2", "job.sh")
    cluster.wait(lambda: cluster.state(job) is None)
    for task in (12, 13, 14):
        assert (cluster.top / ("slurm-%d_%d.out" % (job, task))).read_text() == "queens %d\n" % QUEENS[task]
    assert not list(cluster.top.glob("*.img"))


def started(cluster, job, image):
    """Waits until the job's program would write its image, or the job is over."""
    cluster.wait(lambda: handles_term(image) or cluster.state(job) is None)


@pytest.mark.waits
def test_a_job_that_is_ended_goes_on(cluster):
    """By the signal before the time limit, which is sent by hand, and by Slurm. The two minutes before the next start are
    cut short."""
    job = cluster.submit("--array=16", "job.sh")
    out, image = cluster.top / ("slurm-%d_16.out" % job), cluster.top / "prog.16.img"
    for words in (("scancel", "--batch", "--signal=USR2"), ("scontrol", "requeue"), ("scancel", "--batch", "--signal=USR2")):
        started(cluster, job, "prog.16.img")
        cluster.run(*words, str(job))
        cluster.wait(lambda: cluster.state(job) in ("PENDING", None))
        assert image.stat().st_size > 0, words
        cluster.run("scontrol", "update", "JobId=%d" % job, "StartTime=now")
    cluster.wait(lambda: cluster.state(job) is None)
    text = out.read_text()
    assert text.count("the computation is in") == 3, text
    assert text.count("queens") == 1 and "queens %d\n" % QUEENS[16] in text and not image.exists()


def test_a_job_that_is_cancelled_does_not_come_back(cluster):
    job = cluster.submit("--array=17", "job.sh")
    started(cluster, job, "prog.17.img")
    cluster.run("scancel", str(job))
    cluster.wait(lambda: cluster.state(job) is None)
    assert "queens" not in (cluster.top / ("slurm-%d_17.out" % job)).read_text()
    assert (cluster.top / "prog.17.img").stat().st_size > 0


def handles_term(word):
    """Does a process with this word handle SIGTERM?"""
    for folder in os.listdir("/proc"):
        try:
            with open("/proc/%s/cmdline" % folder, "rb") as file:
                words = file.read()
            if words.startswith(b"./prog\0") and word.encode() in words:
                with open("/proc/%s/status" % folder) as file:
                    return int(re.search(r"SigCgt:\s*(\w+)", file.read())[1], 16) >> 14 & 1
        except OSError:
            pass
    return False


def test_ranks_of_one_node(cluster):
    job = cluster.submit("ranks.sh")
    cluster.wait(lambda: cluster.state(job) is None)
    assert "%d\n" % QUEENS[13] in (cluster.top / ("slurm-%d.out" % job)).read_text()
