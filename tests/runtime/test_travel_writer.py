"""A process of its own writes an image while the workers go on; signals that end a process with a checkpoint; refusals
are reported (docs/travel.md)."""

import contextlib
import os
import re
import signal
import subprocess

import pytest

from conftest import CILKC, command, compiled, eventually

pytestmark = pytest.mark.tier("test")

# works for as long as the file `go` is not there
WORKS = """#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static int children;
static void child(int sig) { children += sig == SIGCHLD; }
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(int argc, char *argv[])
{
    int r = 0, n = 0;
    char *memory = argc > 2 ? malloc(100) : NULL;           /* of the C library: there is no checkpoint */
    signal(SIGCHLD, child);
    if (memory) memory[0] = 1;
    do {
        r = spawn work(15);
        sync;
        n++;
    } while (access(argv[1], F_OK) != 0);
    if (memory) n += memory[0];
    printf("%d %d %d\\n", r, children, wait(NULL) < 0 && errno == ECHILD);
    fflush(stdout);
    return n == 0;
}
"""
RIGHT = "610 0 1\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("writer")
    (folder / "p.cilk").write_text(WORKS)
    compiled([CILKC, "-O2", "-w", "p.cilk", "-o", "p"], cwd=folder)
    return folder / "p"


@contextlib.contextmanager
def running(words, **how):
    """It is ended where the test fails: it may wait for a file for ever."""
    with subprocess.Popen(words, text=True, **how) as process:
        try:
            yield process
        except BaseException:
            for pid in [*children_of(process.pid), process.pid]:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            raise


def children_of(pid):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open("/proc/%s/stat" % name) as stat:
            found += [int(name)] if int(stat.read().rpartition(")")[2].split()[1]) == pid else []
    return found


def slow_disk(tmp_path, body):
    """An fsync of that body, for LD_PRELOAD."""
    (tmp_path / "slow.c").write_text(
        "#include <stdio.h>\n#include <signal.h>\n#include <unistd.h>\n#include <stdlib.h>\n"
        "int fsync(int fd) { (void)fd; %s return 0; }\n" % body
    )
    compiled(["gcc", "-shared", "-fPIC", "slow.c", "-o", "slow.so"], cwd=tmp_path)
    return dict(os.environ, LD_PRELOAD=str(tmp_path / "slow.so"), HERE=str(tmp_path))


WAITS = 'char name[4000]; snprintf(name, sizeof name, "%%s/%s", getenv("HERE")); while (access(name, F_OK)) usleep(1000);'


def test_workers_go_on_while_the_image_is_written(tmp_path, program):
    """The disk waits until the program is at its end. The program gets no signal and no child of that, and its end
    waits for the image."""
    env = slow_disk(tmp_path, WAITS % "out")
    words = ["--nproc", "2", "--checkpoint", tmp_path / "image", "--every", "1ms", tmp_path / "go"]
    with open(tmp_path / "got", "w") as got, running(
        [program, *words], env=env, stdout=got, stderr=subprocess.PIPE
    ) as process:
        eventually(lambda: children_of(process.pid), "no process writes")
        (tmp_path / "go").touch()
        eventually(lambda: (tmp_path / "got").read_text() == RIGHT, "the workers wait")
        assert process.poll() is None and not (tmp_path / "image").exists()
        (tmp_path / "out").touch()
        assert process.wait(100) == 0 and process.stderr.read() == ""
    assert (tmp_path / "image").exists()
    result = command([program, "--restart", tmp_path / "image"])
    assert (result.status, result.out) == (0, RIGHT), str(result)


def is_gone(pid):
    try:
        with open("/proc/%d/status" % pid) as status:
            return "(zombie)" in status.read()
    except FileNotFoundError:
        return True


def test_no_writer_survives_the_program(tmp_path, program):
    """It could put an older image in the place of a later one."""
    env = slow_disk(tmp_path, 'FILE *f = fopen("writer", "w"); fprintf(f, "%d\\n", (int)getpid()); fclose(f); pause();')
    number = tmp_path / "writer"
    with running(
        [program, "--checkpoint", tmp_path / "image", "--every", "1ms", tmp_path / "go"], env=env, cwd=tmp_path
    ) as process:
        eventually(lambda: number.exists() and number.read_text().endswith("\n"), "no process writes")
        writer = int(number.read_text())
        assert writer != process.pid
        process.kill()
    eventually(lambda: is_gone(writer), "the writer survives")
    assert not (tmp_path / "image").exists()


def test_without_a_process_the_workers_wait(tmp_path, program):
    """A thread that watches the workers may be in malloc, so there is no other process."""
    env = slow_disk(tmp_path, "kill(getpid(), SIGKILL);")
    result = command(
        [program, "--watchdog", "1000", "--checkpoint", tmp_path / "image", "--every", "1ms", tmp_path / "go"], env=env
    )
    assert result.status == -signal.SIGKILL, str(result)


@pytest.mark.parametrize("name", ["TERM", "SIGINT", "HUP", "XCPU"])
def test_a_signal_ends_the_process_with_a_checkpoint(tmp_path, program, name):
    number = getattr(signal, name if name.startswith("SIG") else "SIG" + name)
    words = ["--nproc", "2", "--checkpoint", tmp_path / "image", "--checkpoint-on", name]
    with running([program, *words, tmp_path / "go"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        eventually(lambda: handles(process.pid, number), "no handler")
        process.send_signal(number)
        out, err = process.communicate(timeout=100)
    assert (process.returncode, out) == (-number, ""), err
    assert err == "cilk: %s: the computation is in %s\n" % (number.name, tmp_path / "image")
    (tmp_path / "go").touch()
    result = command([program, "--restart", tmp_path / "image"])
    assert (result.status, result.out) == (0, RIGHT), str(result)


def handles(pid, number):
    """Does the process have a handler of that signal?"""
    with open("/proc/%d/status" % pid) as status:
        caught = int(next(line for line in status if line.startswith("SigCgt:")).split()[1], 16)
    return caught >> number - 1 & 1


def test_a_second_signal_ends_what_has_no_checkpoint(tmp_path, program):
    words = ["--checkpoint", tmp_path / "image", "--checkpoint-on", "TERM", tmp_path / "go", "more"]
    with running([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        eventually(lambda: handles(process.pid, signal.SIGTERM), "no handler")
        process.send_signal(signal.SIGTERM)
        lines = [process.stderr.readline(), process.stderr.readline()]
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(100) == -signal.SIGTERM
    assert re.match(r"cilk: no checkpoint: `memory' of the procedure main points to memory of malloc", lines[0])
    assert lines[1] == "cilk: SIGTERM: the program goes on until there is a checkpoint; another SIGTERM ends it\n"


def test_refusals_are_counted_and_reported_at_the_end(tmp_path, program):
    words = ["--checkpoint", tmp_path / "image", "--every", "1ms", tmp_path / "go", "more"]
    said = tmp_path / "said"
    with open(said, "w") as file, running([program, *words], stdout=subprocess.PIPE, stderr=file) as process:
        eventually(lambda: said.read_text().count("times in a row") >= 3, "refusals are not counted")
        (tmp_path / "go").touch()
        assert process.wait(100) == 0
    lines = said.read_text().splitlines(keepends=True)
    reason = r"`memory' of the procedure main points to memory of malloc, or a stack: .*Cilk_malloc.*docs/travel.md.*\n"
    heads = [re.match(r"cilk: (.*?): " + reason, line).group(1) for line in lines]
    assert heads[:4] == ["no checkpoint"] + ["no checkpoint, %d times in a row" % n for n in (2, 4, 8)]
    refused, all_of_them = map(int, re.fullmatch(r"(\d+) of (\d+) checkpoints failed", heads[-1]).groups())
    assert refused == all_of_them >= 8


@pytest.mark.parametrize(
    "words, message",
    [
        (["--checkpoint", "image", "--checkpoint-on", "KILL"], "checkpoint-on: must be TERM, INT, HUP, XCPU or USR1"),
        (["--checkpoint", "image", "--checkpoint-on"], "checkpoint-on: argument missing"),
        (["--checkpoint-on", "TERM"], "checkpoint-on: it needs --checkpoint"),
    ],
)
def test_wrong_options_are_errors(tmp_path, program, words, message):
    result = command([program, *words], cwd=tmp_path)
    assert result.status != 0 and message in result.err and list(tmp_path.iterdir()) == [], str(result)
