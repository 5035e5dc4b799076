"""Where something comes to its end: memory for the compiler, stacks of programs, disks, and tools that are killed. A
right result or one clear message."""

import functools
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from cilkc_driver.start import COMMANDS
from conftest import BUILD, CILKC, FIB, FIB_THREADS, ROOT, STRATEGIES, command, compiled, eventually

pytestmark = pytest.mark.tier("check")

PROGRAM = FIB + """cilk int main(int argc, char **argv) { int r; r = spawn fib(argc > 1 ? 45 : 12); sync; return r == 0; }
"""
LOST = "cilkc: error: standard output: No space left on device"
TOOLS = {
    "race": ["race"],
    "profile": ["profile"],
    "trace": ["trace", "-o", "trace.html"],
    "dag": ["dag", "-o", "dag.svg"],
    "memory": ["memory"],
    "prove": ["prove"],
    "explore": ["explore", "--schedules", "2"],
}
FIB1 = "#include <stdio.h>\n" + FIB_THREADS + """\
thread done(cont int k, int r) { send_argument(k, r == 0); }
thread main(cont int k, int argc, char *argv[])
{
    cont int r;
    fclose(fopen("begun", "w"));
    spawn_next done(k, ?r);
    spawn fib(r, 60);
}
"""


def compiled_in(megabytes, level, folder):
    out = folder / "out.o"
    out.unlink(missing_ok=True)
    before = set(os.listdir(folder))
    child = subprocess.run(
        [BUILD / "cilkc1", level, "big.i", "-o", "out.o"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)),
    )
    assert set(os.listdir(folder)) - before == ({"out.o"} if child.returncode == 0 else set())
    return child.returncode, child.stderr


@pytest.mark.slow                           # AddressSanitizer has a smaller stack
def test_a_constant_of_many_terms(tmp_path):
    (tmp_path / "sum.c").write_text("int sum = 0" + "+1" * 250000 + ";\nint main(void) { return sum != 250000; }\n")
    compiled([CILKC, "sum.c", "-o", "sum"], cwd=tmp_path)
    assert command([tmp_path / "sum"]).status == 0


@pytest.mark.slow                           # AddressSanitizer wants more address space than all of these limits
@pytest.mark.parametrize("level", ["-O0", pytest.param("-O2", marks=pytest.mark.tier("all"))])
def test_the_compiler_works_or_says_that_memory_is_out(level, tmp_path):
    """Once it works with some memory, it works with more; below that nothing is left and one line says why."""
    (tmp_path / "big.i").write_text("".join(
        "int f%d(int x) { int a[10] = { x, %d }; while (x--) a[x %% 10] += x * %d; return a[3]; }\n" % (i, i, i)
        for i in range(150)
    ))
    steps = list(range(2, 180, 44)) + list(range(180, 400, 17))
    worked, reported = [], 0
    for megabytes in steps:
        status, err = compiled_in(megabytes, level, tmp_path)
        worked.append(status == 0)
        if status == 1:
            assert err.count("\n") == 1 and err.endswith("fatal error: out of memory\n"), (megabytes, err)
            reported += 1
        elif status != 0:
            # The system cannot even begin it: nothing of ours has run.
            assert not reported and (status == -signal.SIGSEGV and not err or status == 127 and "shared" in err), (
                megabytes,
                status,
                err,
            )
    assert worked[-1] and worked == sorted(worked), list(zip(steps, worked))


@pytest.mark.slow                           # as above
def test_zeros_between_initialised_elements_take_no_memory(tmp_path):
    (tmp_path / "far.i").write_text(
        "int t[] = { 5, [1 << 28] = 1 }; char *s[1 << 26] = { [1 << 25] = (char *)&t[1 << 28] };\n"
    )
    child = subprocess.run(
        [BUILD / "cilkc1", "-O0", "--emit=asm", "far.i", "-o", "far.s"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20)),
    )
    assert child.returncode == 0, child.stderr
    assert len((tmp_path / "far.s").read_text()) < 5000


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tools_lost_output_is_reported(tool, tmp_path):
    (tmp_path / "fib.cilk").write_text(PROGRAM)
    with open("/dev/full", "w") as full:
        child = subprocess.run(
            [CILKC, *TOOLS[tool], "fib.cilk"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300
        )
    if child.returncode == 0:
        assert tool == "race"               # it says what it has to say on stderr
    else:
        found_nothing = 2 if tool in ("prove", "explore") else 1    # 1 is their verdict: something was found
        assert child.returncode == found_nothing and child.stderr.splitlines()[-1] == LOST, child


@pytest.mark.parametrize(
    "words", [["check", "--json", "fib.cilk"], ["emit", "--stage", "tokens", "fib.cilk"], ["-S", "fib.cilk", "-o", "-"],
     ["explain", "--list"]],
    ids=lambda words: words[0],
)
def test_a_lost_output_names_the_stream(words, tmp_path):
    (tmp_path / "fib.cilk").write_text(PROGRAM)
    with open("/dev/full", "w") as full:
        child = subprocess.run(
            [CILKC, *words],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300,
        )
    assert child.returncode == 1 and (
        child.stderr == LOST + "\n"
        or "cannot write 'standard output': No space left on device [output-file]" in child.stderr
    ), child


@pytest.mark.parametrize(
    "words", [["--version"], ["--help=common"], ["bench", "--list"], ["help", "--man"], ["completion", "bash"],
              *([name, "--help"] for name in COMMANDS)], ids=" ".join,
)
@pytest.mark.sample(4)
def test_an_answer_without_a_reader(words):
    """On a full disk it is one message; at a closed pipe there is none to report to."""
    closed, writer = os.pipe()
    os.close(closed)
    with open("/dev/full", "w") as full, open(writer, "w") as pipe:
        lost, unread = (subprocess.run([CILKC, *words], stdout=end, stderr=subprocess.PIPE, text=True, timeout=300)
                        for end in (full, pipe))
    status = 2 if words[0] in ("race", "prove", "explore") else 1       # their 1 is a finding
    assert (lost.returncode, lost.stderr.replace("cilkc bench:", "cilkc:")) == (status, LOST + "\n"), lost
    assert (unread.returncode, unread.stderr) == (1, ""), unread


def test_a_message_that_is_lost_ends_nothing(tmp_path):
    """Progress is shown where a tool takes long: by print(), as here."""
    text = "import sys; sys.path.insert(0, %r); from cilkc_driver import start; "
    text += "show = lambda words: print('lost', file=sys.stderr, flush=True); sys.exit(start.main(%r, [], show))"
    with open("/dev/full", "w") as full:
        child = subprocess.run([sys.executable, "-c", text % (str(ROOT / "driver"), str(ROOT))], stderr=full, timeout=60)
    assert child.returncode == 0


@pytest.mark.tier("test")
def test_a_closed_output_is_not_the_report(tmp_path):
    """The report of the run is the next file that is opened, and would be what the program prints into."""
    text = '#include <stdio.h>\ncilk int main(void) { puts("printed"); return 0; }\n'
    (tmp_path / "prints.cilk").write_text(text)
    for words in (["race", "prints.cilk"], ["run", "prints.cilk", "--", "--sched=record:record"]):
        result = command(["sh", "-c", 'exec "$@" >&- <&-', "sh", CILKC, *words], cwd=tmp_path)
        lost = [line for line in result.err.splitlines() if "no races" not in line]
        assert result.status == 0 and lost == [], str(result)
    replayed = command([CILKC, "run", "prints.cilk", "--", "--sched=replay:record"], cwd=tmp_path)
    assert replayed.status == 0 and replayed.out == "printed\n", str(replayed)


def test_a_lost_output_without_dev_null(tmp_path):
    """As in a container that has no /dev/null: a message, no traceback."""
    start = "import os, sys; os.devnull = '/none/null'; sys.path.insert(0, %r); from cilkc_driver.start import main; from commands.dispatch import run; "
    start += "sys.exit(main(%r, ['explain', 'spawn-outside-procedure'], run))"
    with open("/dev/full", "w") as full:
        child = subprocess.run(
            [sys.executable, "-c", start % (str(ROOT / "driver"), str(ROOT))],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )
    lines = child.stderr.splitlines()
    assert child.returncode == 1 and len(lines) == 1 and lines[0].startswith("cilkc: error: "), child


def of_folder(folder):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            at, state = (
                os.readlink("/proc/%s/cwd" % pid),
                open("/proc/%s/stat" % pid).read().rsplit(")", 1)[1].split()[0],
            )
        except OSError:
            continue
        if at == str(folder) and state != "Z":
            found.append(int(pid))
    return found


ENDED = dict(TOOLS, see=["see", "--without", "profile"], simulate=["simulate", "-P", "2,4"])
ENDED.pop("prove", None)         # it runs no program that it proves


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("tool", ENDED)
def test_a_tool_that_is_ended_takes_its_program_along(tool, number, tmp_path):
    """The program would run for minutes. The signal goes to the tool alone, as from a harness, not as from a
    terminal."""
    (tmp_path / "temporary").mkdir()
    long = PROGRAM.replace("argc > 1", "argc == 1").replace("{ int r;", '{ int r; fclose(fopen("begun", "w"));')
    (tmp_path / "fib.cilk").write_text("#include <stdio.h>\n" + long)
    (tmp_path / "fib.cilk1").write_text(FIB1)
    child = subprocess.Popen(
        [CILKC, *ENDED[tool], "fib.cilk1" if tool == "simulate" else "fib.cilk"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=dict(os.environ, TMPDIR=str(tmp_path / "temporary")),
    )
    while not (tmp_path / "begun").exists():
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)
    child.send_signal(number)
    status = child.wait(300)
    eventually(lambda: not of_folder(tmp_path), "a process goes on")
    _, err = child.communicate(timeout=300)
    assert status != 0 and "Traceback" not in err, (status, err)
    if number != signal.SIGKILL:
        assert os.listdir(tmp_path / "temporary") == []


@pytest.mark.parametrize("frames", ["fast", "slow", "inlined"])
@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.sample(2, "all")
def test_the_end_of_the_stack_is_named(spawn, frames, tmp_path):
    """Recursion without end: in fast clones, in ones whose every frame was stolen, and in ones that were inlined into
    themselves."""
    (tmp_path / "deep.cilk").write_text(
        "cilk long down(long n) { long x, y = 0; if (n == 0) return 0; x = spawn down(n + 1);\n"
        "  if (n % 3 == 5) y = spawn down(n - 1); sync; return x + y; }\n"
        "cilk int main(void) { long r; r = spawn down(1); sync; return r != 0; }\n"
    )
    compiled(
        [CILKC, "-O2" if frames == "inlined" else "-O0", "-w", "--spawn=" + spawn, "deep.cilk", "-o", "deep"],
        cwd=tmp_path,
    )
    for nproc in 1, 2:
        result = command(
            [tmp_path / "deep", "--nproc", nproc, "--pthread-stacksize", "1m",
             *(["--force-steal", "always"] if frames == "slow" else [])],
            timeout=300,
        )
        # Where every frame was stolen, the deque or the C stack comes to its end first.
        assert (
            result.status == 1
            and "overflow" in result.err
            and "infinite recursion" in result.err
            and result.err.count("\n") <= 3
        ), str(result)


def test_a_stack_on_which_no_program_can_start(tmp_path):
    """By chance, the system skips up to half of a stack of 16 KB."""
    (tmp_path / "fib.cilk").write_text(PROGRAM)
    compiled([CILKC, "fib.cilk", "-o", "fib"], cwd=tmp_path)
    for kilobytes, words, status in (16, [], 1), (31, ["--help"], 1), (32, [], 0):
        child = subprocess.run(
            [tmp_path / "fib", *words],
            env={}, stderr=subprocess.PIPE, text=True, timeout=60,
            preexec_fn=functools.partial(resource.setrlimit, resource.RLIMIT_STACK, (kilobytes << 10, kilobytes << 10)),
        )
        refusal = "the limit of the stack is below 32 KB (ulimit -s), too little to start\n"
        assert (child.returncode, child.stderr) == (status, refusal if status else ""), child
