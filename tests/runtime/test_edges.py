"""The edges of the runtime (tests/edges/*.cilk): how programs end, fork, locks, threads of others, what the machine
allows.

Each program is built with both spawn strategies and run on 1, 2 and 4 workers. Comments say what must come out:
    // EXIT: n       the exit status (default 0)
    // OUT: text     a line of stdout; all of them together are all of it
    // ERR: regex    found in stderr; without any, stderr is empty
    // NPROC: n ...  other numbers of workers
    // TIMES: n      so many runs of each, for what only chance brings about
    // OPTIONS: ...  options of the runtime
    // ENV: A=b ...
"""

import os
import re
import select
import signal
import subprocess
import time

import pytest

from conftest import CILKC, STRATEGIES, Notes, command, compiled, files
from tiers import crossed

pytestmark = pytest.mark.tier("check")



def note(text, name):
    return re.findall(r"^// %s: ?(.*)$" % name, text, re.M)


def words(text, name, default=()):
    return [word for line in note(text, name) for word in line.split()] or list(default)


def check(program, text, options, status, folder):
    env = dict(word.split("=", 1) for word in words(text, "ENV"))
    for _ in range(int(words(text, "TIMES", "1")[0])):
        result = command([program] + options + words(text, "OPTIONS") + words(text, "ARGS"), cwd=folder, env=env)
        assert result.status == status, "expected status %d\n%s" % (status, result)
        assert result.out == "".join(line + "\n" for line in note(text, "OUT")), str(result)
        if not note(text, "ERR"):
            assert result.err == "", str(result)
        for pattern in note(text, "ERR"):
            assert re.search(pattern, result.err, re.M), "no %r\n%s" % (pattern, result)


@pytest.mark.sample(3)
@pytest.mark.parametrize("path, spawn", crossed(files("tests/edges/*.cilk"), STRATEGIES, one_in=4))
def test_edge(path, spawn, tmp_path):
    text = path.read_text()
    program = tmp_path / "program"
    compiled([CILKC, "-O2", "--spawn=" + spawn, path] + words(text, "FLAGS") + ["-o", program])
    for nproc in words(text, "NPROC", ("1", "2", "4")):
        check(program, text, ["--nproc", nproc], Notes(path).exit or 0, tmp_path)


# ---- what the machine allows

FIB = """#include <stdio.h>
#include <stdlib.h>
cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync; return a + b; }
cilk int main(int argc, char **argv)
{
    int r;
    r = spawn fib(argc > 2 ? 1 : 20);
    sync;
    printf("%d %d %s\\n", r, Cilk_active_size, argc > 1 ? argv[1] : "");
    return 0;
}
"""


@pytest.fixture(scope="module")
def fib(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edges")
    (folder / "fib.cilk").write_text(FIB)
    for spawn in STRATEGIES:
        compiled([CILKC, "-O2", "--spawn=" + spawn, folder / "fib.cilk", "-o", folder / spawn])
    return lambda spawn, *words, **more: command([folder / spawn] + list(words), **more)


def outcome(done):
    """1 if it worked; 0 if it reported too little memory."""
    assert done.status == 0 or (
        done.status == 1 and re.search(r"fatal error: .*(memory|address space)", done.err)
    ), str(done)
    return int(done.status == 0)


@pytest.mark.parametrize("nproc, spawn", crossed([pytest.param(n, id=str(n)) for n in (2, 4, 8, 16)], STRATEGIES, rest="all"))
def test_address_space_is_divided_among_the_workers(fib, spawn, nproc, tmp_path):
    """With more of it a program does not fail where it worked with less, and a hundred megabytes are enough for sixteen
    workers."""
    program = fib(spawn, "--version").command[0]
    steps = [40, 60, 100, 125, 150, 200, 300, 400, 600, 800, 1000, 1200, 2000]
    worked = [
        outcome(command(["sh", "-c", "ulimit -v %d; exec %s --nproc %d" % (megabytes * 1000, program, nproc)]))
        for megabytes in steps
    ]
    assert worked == sorted(worked) and worked[2] == 1, worked


def groups(folder, own, files):
    """A tree of control groups: files by path."""
    (folder / "self").write_text(own)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text + "\n")
    return {"CILK_CGROUP": str(folder)}


@pytest.mark.parametrize("own,files,expected", [
    # a group above
    ("0::/a/b\n", {"cpu.max": "max 100000", "a/cpu.max": "100000 100000", "a/b/cpu.max": "max 100000"}, 1),
    # half a processor
    ("0::/a/b\n", {"a/b/cpu.max": "50000 100000"}, 1),
    # in a container
    ("0::/not/visible\n", {"cpu.max": "100000 100000"}, 1),
    ("3:memory:/m\n2:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "20000", "cpu/a/cpu.cfs_period_us": "100000"}, 1),
    ("2:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000"}, None),
    ("0::/a\n", {"a/cpu.max": "max 100000"}, None),
    ("0::/a\n", {"a/cpu.max": "6400000 100000"}, None),
    ("nonsense", {}, None),
])
def test_a_quota_of_processor_time_bounds_the_number_of_workers(fib, own, files, expected, tmp_path):
    unlimited = int(fib("lazy", env={"CILK_CGROUP": str(tmp_path)}).out.split()[1])
    env = groups(tmp_path, own, files)
    for words in ((), ("--nproc", "0")):
        assert int(fib("lazy", *words, env=env).out.split()[1]) == (expected or unlimited)
    assert int(fib("lazy", "--nproc", "3", env=env).out.split()[1]) == 3


@pytest.mark.parametrize("own,file,large", [
    ("0::/a/b\n", "a/memory.max", ""),
    ("5:memory:/a\n", "memory/a/memory.limit_in_bytes", ""),
    ("0::/a/b\n", "a/memory.max", "int a[1000]; a[n % 9] = n;"),
])
def test_a_limit_of_memory_bounds_what_closures_may_fill(own, file, large, tmp_path):
    """Frames of a recursion without end become closures; they are stopped well before the group's limit, not by the
    machine's memory. Closures that are larger than a piece of a slab count, too."""
    (tmp_path / "endless.cilk").write_text("cilk int down(int n) { " + large + " int r; r = spawn down(n + 1); sync; return r; }\n"
                                           "cilk int main(void) { int r; r = spawn down(0); sync; return r; }\n")
    compiled([CILKC, "-O0", "--spawn=eager", tmp_path / "endless.cilk", "-o", tmp_path / "endless"])
    folder = tmp_path / "groups"
    folder.mkdir()
    env = groups(folder, own, {file: str(50 << 20)})
    words = [tmp_path / "endless", "--nproc", "2", "--force-steal", "random"]
    bound = ["prlimit", "--as=%d" % (4 << 30)]              # where nothing else stops it
    done = command([*bound, *words] if large else [*words, "--pthread-stacksize", "8g"], env=env)
    assert done.status == 1 and re.search(r"fatal error: closures fill 3\d megabytes, 70 %", done.err), str(done)


# ---- options and statistics

@pytest.mark.parametrize("words,hint", [
    (["--nprocs", "4"], "unknown option --nprocs: did you mean --nproc?"),
    (["-nprocs", "4"], "unknown option -nprocs: did you mean --nproc?"),
    (["--nproc=4"], "unknown option --nproc=4: did you mean --nproc 4?"),
    (["--stat", "1"], "unknown option --stat: did you mean --stats?"),
    (["--nproc", "2", "--sed", "5"], ""),
    (["--", "--nprocs", "4"], ""),
    (["--verbose"], ""),
    (["-np", "4"], ""),
    (["7", "--nprocs"], ""),
])
def test_a_word_that_is_nearly_an_option_is_pointed_out(fib, words, hint):
    """It goes to the program, like any word that is not an option of Cilk's."""
    done = fib("lazy", *words)
    first = next(word for word in words if word not in ("--", "--nproc", "2"))
    assert done.status == 0 and done.out.split()[2] == first, str(done)
    assert done.err.startswith(hint) and bool(done.err) == bool(hint), str(done)


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_times_of_a_worker_add_up(tmp_path, spawn):
    """A computation that has nothing for the second worker: this worker did no work, and no worker took part for longer
    than the whole computation."""
    (tmp_path / "alone.cilk").write_text(
        "#include <unistd.h>\nstatic void rest(void) { usleep(300000); }\ncilk int main(void) { rest(); return 0; }\n"
    )
    compiled([CILKC, "--spawn=" + spawn, tmp_path / "alone.cilk", "-o", tmp_path / "alone"])
    for _ in range(20):                                     # on a busy machine a worker may lose its processor anywhere
        err = command([tmp_path / "alone", "--nproc", "3", "--stats", "4"]).err
        rows = {
            name: tuple(map(float, numbers))
            for name, *numbers in re.findall(r"^ +(\d+|TOT) +([\d.]+) +([\d.]+) +([\d.]+)$", err, re.M)
        }
        assert sorted(rows) == ["0", "1", "2", "TOT"], err
        assert all(abs(working + stealing - total) < 2e-6 for working, stealing, total in rows.values()), err
        assert rows["0"][0] > 0.25, err
        if max(rows["1"][0], rows["2"][0]) < rows["0"][0] / 2:
            return
    pytest.fail(err)


# ---- programs that hang

HUNG = """#include <unistd.h>
static Cilk_lockvar guard;
static volatile int held;
static void wait_long(void) { held = 1; sleep(1000); }
static void announce(void) { while (!held) usleep(1000); if (write(1, "\\n", 1) != 1) _exit(1); }
cilk void holds(void) { Cilk_lock(guard); wait_long(); }
cilk void wants(void) { announce(); Cilk_lock(guard); }
cilk int main(void)
{
    spawn holds();
    spawn wants();
    sync;
    return 0;
}
"""


def reports(program, how):
    """What it reports, later and later: on a busy machine its workers may not have come that far."""
    words = [program, "--nproc", "3", *(["--watchdog", "1"] if how == "watchdog" else [])]
    for seconds in (0.1, 1, 5, 30) if how == "quit" else (0,):
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            try:
                assert child.stdout.readline() == "\n"
                if how == "watchdog":
                    for _ in range(60):
                        yield "".join(child.stderr.readline() for _ in range(4))
                else:
                    time.sleep(seconds)
                    child.send_signal(signal.SIGQUIT)
                    err = child.communicate(timeout=300)[1]
                    assert child.returncode == -signal.SIGQUIT, err
                    yield err
            finally:
                child.kill()


@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("how", ("quit", "watchdog"))
def test_a_hung_program_says_what_its_workers_do(tmp_path, spawn, how):
    """SIGQUIT prints where each worker is and then ends the program as usual; --watchdog prints, and the program goes on."""
    (tmp_path / "hung.cilk").write_text(HUNG)
    compiled([CILKC, "-cilk-debug", "--spawn=" + spawn, tmp_path / "hung.cilk", "-o", tmp_path / "hung"])
    waits = r"waits for the lock at 0x\w+ \(guard, taken at \S*hung.cilk:6 by worker \d\)$"
    for err in reports(tmp_path / "hung", how):
        begin = re.search(r"^Cilk: (SIGQUIT|--watchdog): [\d.]+ s after the computation began:\n", err, re.M)
        assert begin and len(re.findall(r"^  worker [012] ", err[begin.end() :], re.M)) == 3, err
        if re.search(waits, err, re.M) and re.search(r"looks for work for [\d.]+ s$", err, re.M):
            return
    pytest.fail(err)


WAITS = """#include <pthread.h>
#include <unistd.h>
static pthread_barrier_t all;
static void meet(int n) { char c; int ends[2]; if (n != 1 || pipe(ends)) pthread_barrier_wait(&all); else if (read(ends[0], &c, 1)) _exit(1); }
int main(void)
{
    pthread_barrier_init(&all, 0, 4);
    for (int i = 0; i < 3; i++) cilk_spawn meet(i);
    cilk_sync;
    return 0;
}
"""


@pytest.mark.waits
@pytest.mark.tier("test")
def test_a_program_whose_workers_all_wait_says_so(tmp_path):
    """With -cilk-debug it prints the report, with each worker's call that waits; else a line on a terminal."""
    (tmp_path / "waits.c").write_text(WAITS)
    for name, flags in (("debug", ["-cilk-debug"]), ("plain", [])):
        compiled([CILKC, *flags, "-fopencilk", "-O1", tmp_path / "waits.c", "-o", tmp_path / name])
    ours, its = os.openpty()
    names = dict(os.environ, CILK_NWORKERS="2")
    with (
        subprocess.Popen([tmp_path / "debug"], stderr=subprocess.PIPE, text=True, env=names) as debug,
        subprocess.Popen([tmp_path / "plain"], stderr=its, env=names) as plain,
    ):
        try:
            for silent in (debug.stderr, ours):
                assert select.select([silent], [], [], 60)[0]
            lines = [debug.stderr.readline() for _ in range(3)]
            assert re.match(r"Cilk: all workers wait: [\d.]+ s after the computation began:\n", lines[0]), lines
            waits = sorted(re.sub(r"^  worker [01] .*; waits in ", "", line) for line in lines[1:])
            assert waits[0] == "pthread_barrier_wait\n" and re.fullmatch(
                r"(pthread_barrier_wait|read of descriptor \d+ \(a pipe\))\n", waits[1]
            ), lines
            line = os.read(ours, 1000).decode()
            assert re.match(r"Cilk: all workers have waited for 1\d s\. Ctrl-.* \(or kill -QUIT %d\) " % plain.pid, line), line
        finally:
            debug.kill()
            plain.kill()
            os.close(ours)
            os.close(its)


def test_a_program_in_the_background_reports_and_goes_on(tmp_path):
    """A shell has SIGQUIT ignored there."""
    (tmp_path / "p.cilk").write_text(
        "#include <signal.h>\n#include <stdio.h>\n"
        "cilk int main(void) { raise(SIGQUIT); puts(\"on\"); return 0; }\n"
    )
    compiled([CILKC, tmp_path / "p.cilk", "-o", tmp_path / "p"])
    result = command(["sh", "-c", "trap '' QUIT; exec %s" % (tmp_path / "p")])
    assert (result.status, result.out) == (0, "on\n") and result.err.startswith("Cilk: SIGQUIT: "), str(result)


SPINS = """static volatile int go;
static void spin(void) { while (!go) ; }
static int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1), b = fib(n - 2); cilk_sync; return a + b; }
static void waits(void) { cilk_spawn spin(); go = 1; cilk_sync; }
int main(void)
{
    for (int i = 0; i < 100000000; i++, go = 0) {
        fib(12);                            // of such spawns the lazy strategy makes calls
        waits();
    }
    return 0;
}
"""


@pytest.mark.tier("all")
def test_a_debug_run_reports_a_child_that_waits_for_what_follows_its_spawn(tmp_path):
    """The lazy strategy runs it as a call, sooner or later, and no thief can go on with its parent then."""
    (tmp_path / "spins.c").write_text(SPINS)
    compiled([CILKC, "-cilk-debug", "-fopencilk", "--spawn=lazy", tmp_path / "spins.c", "-o", tmp_path / "spins"])
    names = dict(os.environ, CILK_NWORKERS="2")
    with subprocess.Popen([tmp_path / "spins"], stderr=subprocess.PIPE, text=True, env=names) as child:
        lines = [child.stderr.readline() for _ in range(5)]
        child.kill()
    assert re.match(r"Cilk: a worker keeps what others look for: [\d.]+ s after the computation began:\n", lines[0]), lines
    report = "".join(lines[1:3])
    assert re.search(r"^  worker [01] runs .*; no spawn, sync or return for [\d.]+ s$", report, re.M), lines
    assert re.search(r"^  worker [01] looks for work for [\d.]+ s$", report, re.M), lines
    assert "--spawn=eager" in lines[4], lines


# ---- the runtime in a shared library

PLUGIN = """cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync; return a + b; }
extern int EXPORT(fib)(CilkContext *const, int);
int compute(int n)
{
    CilkContext *context = Cilk_init(0, 0);
    int r = EXPORT(fib)(context, n);
    Cilk_terminate(context);
    return r;
}
"""
HOST = """#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
static int is_default(int sig) { struct sigaction a; sigaction(sig, 0, &a); return !(a.sa_flags & SA_SIGINFO) && a.sa_handler == SIG_DFL; }
int main(int argc, char **argv)
{
    int round, sum = 0, (*compute)(int);
    for (round = 0; round < 5; round++) {
        void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
        if (!library || !(compute = (int (*)(int))dlsym(library, "compute"))) { puts(dlerror()); return 1; }
        sum += compute(15);
        dlclose(library);
    }
    printf("%d %d %d %d\\n", sum, is_default(SIGSEGV), is_default(SIGBUS), is_default(SIGQUIT));
    return 0;
}
"""


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_an_unloaded_library_leaves_no_signal_handler(tmp_path, spawn):
    (tmp_path / "plugin.cilk").write_text(PLUGIN)
    (tmp_path / "host.c").write_text(HOST)
    compiled(
        [CILKC, "-O2", "-fPIC", "-shared", "--spawn=" + spawn, tmp_path / "plugin.cilk", "-o", tmp_path / "plugin.so"]
    )
    compiled(["gcc", tmp_path / "host.c", "-o", tmp_path / "host", "-ldl"])
    done = command([tmp_path / "host", tmp_path / "plugin.so"], env={"CILK_NPROC": "2"})
    assert (done.status, done.out) == (0, "%d 1 1 1\n" % (5 * 610)), str(done)


OWN_HANDLER = """#include <signal.h>
#include <stdio.h>
static void mine(int sig) { (void)sig; }
cilk int one(void) { return 1; }
extern int EXPORT(one)(CilkContext *const);
int main(int argc, char **argv)
{
    CilkContext *context = Cilk_init(&argc, argv);
    struct sigaction a = { .sa_handler = mine };
    int r = EXPORT(one)(context);
    sigaction(SIGBUS, &a, 0);
    Cilk_terminate(context);
    sigaction(SIGBUS, 0, &a);
    printf("%d %d ", r, a.sa_handler == mine);
    sigaction(SIGSEGV, 0, &a);
    printf("%d\\n", a.sa_handler == SIG_DFL);
    return 0;
}
"""


def test_a_signal_handler_that_the_program_has_set_since_stays(tmp_path):
    (tmp_path / "p.cilk").write_text(OWN_HANDLER)
    compiled([CILKC, "-O1", "p.cilk", "-o", "p"], cwd=tmp_path)
    done = command([tmp_path / "p", "--nproc", "2"])
    assert (done.status, done.out) == (0, "1 1 1\n"), str(done)


def test_a_worker_that_took_no_part_has_no_time(fib):
    """A computation that is over before the others wake: they neither worked nor searched. Once in twenty runs is
    enough, on a busy machine."""
    for _ in range(20):
        err = fib("lazy", "--nproc", "4", "--stats", "4", "very", "short").err
        if re.search(r"^ +[123] +0\.0+ +0\.0+ +0\.0+$", err, re.M):
            return
    pytest.fail(err)
