"""Several machines (--dist): right answers with any number of ranks, of late and doubled messages, and of dead
ranks; messages that are wrong; output, statuses, refusals. What else may go wrong: test_dist_faults.py.

The ranks are processes of this machine (tests/dist, --dist=local); one test has those of MPI. tests/dist/soak.py
does the same without end. What is right is what one rank prints, and that is held against numbers that are known."""

import os
import re
import resource
import subprocess
import sys

import pytest

from conftest import BUILD, CILKC, ROOT, RT_INCLUDES, command, compiled

sys.path.insert(0, str(ROOT / "tests" / "dist"))
import ranks as dist                                                     # noqa: E402

pytestmark = pytest.mark.tier("test")
KNOWN = {
    "fib.cilk1": "10946 10946 10946\n",
    "pfold.cilk1": None,
    "knary.cilk1": "%d\n" % (sum(4**i for i in range(6))),
    "queens.cilk1": "92\n",
    "nqueens.cilk": "352\n",
    "search.cilk": "76 5776\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("dist")


@pytest.mark.parametrize("name", sorted(dist.PROGRAMS))
def test_every_number_of_ranks_gives_the_right_answer(name, folder):
    program = dist.built(name, folder)
    arguments = dist.PROGRAMS[name][0]
    right = dist.expected(program, arguments)
    assert KNOWN[name] in (None, right)
    for ranks, nproc, delay, twice in ((2, 1, 0, 0), (4, 1, 300, 2), (3, 2, 0, 1), (4, 4, 1000, 0)):
        result = dist.run(program, arguments, ranks, nproc, delay_us=delay, twice=twice)
        assert result[:3] == (0, right, ""), (ranks, nproc, result)


def table(err):
    """The statistics of each rank, by column."""
    lines = [line.split() for line in err.splitlines()]
    head = next(i for i, line in enumerate(lines) if line[:2] == ["rank", "threads"])
    return [
        dict(zip(lines[head], map(float, line[: len(lines[head])])))
        for line in lines[head + 1 :]
        if line and line[0].isdigit()
    ]


@pytest.mark.parametrize("name", ["queens.cilk1", "nqueens.cilk"])
def test_the_ranks_share_the_work(name, folder):
    program = dist.built(name, folder)
    for _ in range(10):                                     # on a busy machine rank 1 may begin late
        status, out, err, _ = dist.run(program, ["--stats", "1", "14", "4"], 2, 1)
        ranks = table(err)
        assert (status, out, len(ranks)) == (0, "365596\n", 2)
        assert sum(r["steals"] for r in ranks) == sum(r["given"] for r in ranks)
        if ranks[1]["steals"] > 0:
            break
    assert ranks[1]["steals"] > 0 and ranks[1]["bytes"] > 0


@pytest.mark.parametrize("name", ["fib.cilk1", "nqueens.cilk"])
def test_what_a_dead_rank_had_is_done_again(name, folder):
    program = dist.built(name, folder)
    arguments = dist.PROGRAMS[name][1]
    right = dist.expected(program, arguments)
    for wait in (0.002, 0.02, 0.05):
        result = dist.run(program, arguments, 4, 1, [(wait, 0), (wait, 1)])
        assert result[:2] == (0, right), result


# A rank that gets a leaf dies of it.
DEADLY = {}
DEADLY["threads.cilk1"] = """
#include <cilk-remote.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static int here;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) { here = rank; (void)ranks; (void)argc; (void)argv; }
remote thread leaf(cont int k, int n) { if (here) raise(SIGKILL); usleep(2000); send_argument(k, n); }
thread add(cont int k, int x, int y) { send_argument(k, x + y); }
thread sum(cont int k, int from, int to)
{
    cont int x, y;
    if (to - from == 1) {
        spawn leaf(k, from);
        return;
    }
    spawn_next add(k, ?x, ?y);
    spawn sum(x, from, (from + to) / 2);
    spawn sum(y, (from + to) / 2, to);
}
thread show(cont int k, int x) { printf("%d\\n", x); send_argument(k, 0); }
thread main(cont int k) { cont int x; spawn_next show(k, ?x); spawn sum(x, 0, 100); }
"""
DEADLY["procedures.cilk"] = """
#include <cilk-remote.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static int here;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) { here = rank; (void)ranks; (void)argc; (void)argv; }
remote cilk int leaf(int n) { if (here) raise(SIGKILL); usleep(2000); return n; }
cilk int sum(int from, int to)
{
    int x, y = 0;
    if (to - from == 1)
        x = spawn leaf(from);
    else {
        x = spawn sum(from, (from + to) / 2);
        y = spawn sum((from + to) / 2, to);
    }
    sync;
    return x + y;
}
cilk int main(void) { int x; x = spawn sum(0, 100); sync; printf("%d\\n", x); return 0; }
"""


@pytest.mark.parametrize("name", DEADLY)
def test_the_last_rank_does_what_it_has_offered(name, tmp_path):
    (tmp_path / name).write_text(DEADLY[name])
    program = tmp_path / "deadly"
    subprocess.run([CILKC, "-O2", "--dist=local", str(tmp_path / name), "-o", str(program)], check=True)
    for _ in range(10):                                     # on a busy machine rank 1 may begin late
        status, out, err, _ = dist.run(program, ["--stats", "1"], 2, 1)
        assert (status, out) == (0, "4950\n"), err
        if table(err)[0]["again"] > 0:
            break
    assert table(err)[0]["again"] > 0, err


def test_the_end_of_a_computation_leaves_what_its_workers_do_for_other_ranks(folder):
    program = dist.built("guests.cilk1", folder)
    for _ in range(5):                                      # each run would hang with probability 1/2
        assert dist.run(program, [], 4, 2)[:3] == (0, "8192 3200\n", "")


def test_wrong_messages_are_refused(folder):
    program = dist.build_mutated(folder, "-asan")
    results = [dist.messages(program, 1000, seed) for seed in range(4)]
    assert not any(problem for problem, *_ in results) and any(given for _, given, *_ in results), results
    assert all(refused for *_, refused in results), results


def test_a_damaged_message_is_refused_with_its_reason(folder):
    program = folder / "wire"
    words = ["gcc", "-Og", *RT_INCLUDES, ROOT / "tests/dist/wire.c", BUILD / "lib/libcilkdist.a", "-o", program]
    subprocess.run([str(word) for word in words], check=True)
    result = command([program])
    short, kind = "it is shorter than a header", "its kind is unknown"
    reasons = ["right", "its sum is wrong", short, short, "its length is wrong", kind, kind]
    assert (result.status, result.out.splitlines()) == (0, reasons + ["it has bytes that its kind has not"]), result


def test_a_rank_that_was_woken_sleeps_again(folder):
    """Else it looks for messages all the time."""
    program = folder / "woken"
    libraries = [BUILD / "lib" / ("libcilk%s.a" % name) for name in ("dist", "rt")]
    words = ["gcc", *RT_INCLUDES, ROOT / "tests/dist/woken.c", "-o", program]
    subprocess.run([str(word) for word in [*words, *libraries, "-lpthread", "-lm"]], check=True)
    assert command([program], env={"CILK_RANKS": "1"}).out == 3 * "1 0 0\n"


def test_ranks_compare_each_field_of_a_remote_threads_table(folder):
    program = folder / "table"
    words = ["gcc", *RT_INCLUDES, ROOT / "tests/dist/table.c", "-o", program]
    subprocess.run([str(word) for word in [*words, BUILD / "lib/libcilkdist.a"]], check=True)
    assert command([program]).out.split("\n") == ["name", "size", "offset", "bytes", "continuation", "value", ""]


TALK = """
#include <cilk-remote.h>
#include <stdio.h>
#include <unistd.h>
static int here;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) { here = rank; (void)ranks; (void)argc; (void)argv; }
remote thread talk(cont int k, int n)
{
    usleep(30000);
    printf("%d of", n);
    printf(" eight\\n");
    send_argument(k, here);
}
thread all(cont int k, int a, int b, int c, int d, int e, int f, int g, int h)
{
    printf("%s\\n", a + b + c + d + e + f + g + h ? "several" : "one");
    send_argument(k, 7);
}
thread main(cont int k)
{
    cont int a, b, c, d, e, f, g, h;
    spawn_next all(k, ?a, ?b, ?c, ?d, ?e, ?f, ?g, ?h);
    spawn talk(a, 1); spawn talk(b, 2); spawn talk(c, 3); spawn talk(d, 4); spawn talk(e, 5); spawn talk(f, 6); spawn talk(g, 7); spawn talk(h, 8);
}
"""


NEVER = """
#include <cilk-remote.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
remote thread sum(cont int k, int a, int b) { send_argument(k, a + b); }
remote thread never(cont int k) { (void)k; }
remote thread work(cont int k, int n, int lost, int us)
{
    cont int x, y;
    if (n == 0) { usleep(us); send_argument(k, 1); return; }
    spawn_next sum(k, ?x, ?y);
    spawn work(x, n - 1, lost, us);
    if (n == lost) spawn never(y); else spawn work(y, n - 1, lost, us);
}
thread show(cont int k, int x) { printf("%d\\n", x); send_argument(k, 0); }
thread main(cont int k, int argc, char *argv[])
{
    cont int x;
    spawn_next show(k, ?x);
    spawn work(x, atoi(argv[1]), atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 1000);
}
"""


@pytest.fixture(scope="module")
def never(folder):
    (folder / "never.cilk1").write_text(NEVER)
    subprocess.run([CILKC, "-O2", "--dist=local", str(folder / "never.cilk1"), "-o", str(folder / "never")], check=True)
    return folder / "never"


@pytest.mark.parametrize("ranks, nproc", [(2, 1), (3, 2)])
def test_a_remote_thread_that_never_sends_is_reported(never, ranks, nproc):
    """Where it was given, and where rank 0 ran all itself. It is an error, no wait."""
    status, out, err, _ = dist.run(never, ["7", "3"], ranks, nproc)
    assert (status, out) == (1, ""), err
    given = r"nothing is left to run on any rank, but(\n  .*)*rank \d waits for a value of (work|sum|never) \(\S*never"
    assert re.search(r"main cannot go on: (%s|nothing is left to run, but its result was not sent)" % given, err), err


# Whether a thread other than that of main has run a leaf.
ALONE = """
#include <cilk-remote.h>
#include <pthread.h>
#include <stdio.h>
static pthread_t first;
static int others;
remote cilk int leaf(int n)
{
    for (volatile int i = 0; i < 100000; i++)
        n += i & 1;
    if (!pthread_equal(pthread_self(), first)) __atomic_store_n(&others, 1, __ATOMIC_RELAXED);
    return n;
}
cilk int main(void)
{
    int x, all = 0;
    first = pthread_self();
    for (int i = 0; i < 2000; i++)
        all += spawn leaf(i);
    sync;
    x = others;
    printf("%d %d\\n", all, x);
    return 0;
}
"""


def test_a_rank_alone_has_no_more_workers_than_were_asked_for(tmp_path):
    (tmp_path / "alone.cilk").write_text(ALONE)
    program = tmp_path / "alone"
    subprocess.run([CILKC, "-O2", "--dist=local", str(tmp_path / "alone.cilk"), "-o", str(program)], check=True)
    assert dist.run(program, [], 1, 1)[:3] == (0, "%d 0\n" % (2000 * 50000 + 1999 * 1000), "")


# A worker that has nothing else takes a call back that it has offered to rank 1.
CALLS = NEVER[: NEVER.index("thread show")] + """
static int here;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) { here = rank; (void)ranks; (void)argc; (void)argv; }
remote cilk int leaf(void) { usleep(1000); return here; }
cilk int calls(int n)
{
    int x, y = 0;
    if (n == 1)
        x = spawn leaf();
    else {
        x = spawn calls(n / 2);
        y = spawn calls(n - n / 2);
    }
    sync;
    return x + y;
}
cilk int main(void)
{
    int x, there = 0;
    for (int i = 0; i < 40; i += there > 0) {  /* on a busy machine rank 1 may begin late */
        x = spawn calls(6);
        sync;
        there += x;
    }
    x = spawn work(7, 3, 1000);
    sync;
    printf("%d\\n", x);
    return 0;
}
"""


# Arguments and results are longer than what a socket takes at once.
LARGE = r"""
#include <cilk-remote.h>
#include <stdio.h>
#include <unistd.h>
enum { N = 1 << 20 };
struct large { int at; unsigned char bytes[N]; };
static int here;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) { here = rank; (void)ranks; (void)argc; (void)argv; }
remote cilk struct large turned(struct large b)
{
    struct large c = {.at = here};
    for (int i = 0; i < N; i++) c.bytes[i] = b.bytes[N - 1 - i];
    usleep(1000);
    return c;
}
cilk int one(int seed)   /* on which rank; -1000: a byte is wrong */
{
    struct large b, c;
    for (int i = 0; i < N; i++) b.bytes[i] = (unsigned char)(i * (seed + 3) >> 5);
    c = spawn turned(b);
    sync;
    for (int i = 0; i < N; i++)
        if (c.bytes[i] != b.bytes[N - 1 - i]) return -1000;
    return c.at;
}
cilk int main(void)
{
    int x = 0, y = 0, there = 0;
    for (int i = 0; i < 4000 && there >= 0 && there < 3; i++) {
        x = spawn one(i);
        y = spawn one(i + 7);
        sync;
        there += x + y;
    }
    printf("%d\n", there >= 3);
    return 0;
}
"""


def test_long_messages_come_whole(tmp_path):
    (tmp_path / "large.cilk").write_text(LARGE)
    compiled([CILKC, "-O2", "--dist=local", "large.cilk", "-o", "large"], cwd=tmp_path)
    result = command([tmp_path / "large", "--nproc", "1"], env={"CILK_RANKS": "2"}, timeout=120)
    assert (result.status, result.out, result.err) == (0, "1\n", ""), str(result)


# the value takes the courier longer to store than an idle worker waits before it looks for circles of touches
LONG_VALUE = """
#include <cilk-remote.h>
#include <stdio.h>
#include <unistd.h>
enum { N = 1 << 22 };
struct large { unsigned char bytes[N]; };
remote cilk struct large filled(int seed)
{
    struct large c;
    for (int i = 0; i < N; i++) c.bytes[i] = (unsigned char)(i * (seed + 3) >> 5);
    usleep(1000);
    return c;
}
cilk int wrong(int seed)
{
    struct large c;
    int n = 0;
    c = spawn filled(seed);
    sync;
    for (int i = 0; i < N; i++) n += c.bytes[i] != (unsigned char)(i * (seed + 3) >> 5);
    return n;
}
cilk int main(void)
{
    int n = 0;
    for (int i = 0; i < 20; i++) {
        n += spawn wrong(i);
        n += spawn wrong(i + 7);
        sync;
    }
    printf("%d\\n", n);
    return 0;
}
"""


@pytest.mark.parametrize("nproc", ["1", "2"])
def test_a_value_that_is_being_stored_is_no_circle_of_touches(tmp_path, nproc):
    (tmp_path / "long.cilk").write_text(LONG_VALUE)
    compiled([CILKC, "-O2", "--dist=local", "long.cilk", "-o", "long"], cwd=tmp_path)
    for _ in range(3):
        result = command([tmp_path / "long", "--nproc", nproc, "--pthread-stacksize", "64M"], env={"CILK_RANKS": "2"},
                         timeout=120)
        assert (result.status, result.out, result.err) == (0, "0\n", ""), str(result)


def test_it_is_reported_after_calls_that_were_offered(tmp_path):
    (tmp_path / "calls.cilk1").write_text(CALLS)
    program = tmp_path / "calls"
    subprocess.run([CILKC, "-O2", "--dist=local", str(tmp_path / "calls.cilk1"), "-o", str(program)], check=True)
    for _ in range(10):                                     # rank 0 may run all threads itself
        status, out, err, _ = dist.run(program, [], 2, 1)
        assert (status, out) == (1, "") and "main cannot go on" in err, err
        if "nothing is left to run on any rank" in err:
            return
    raise AssertionError(err)


def test_ranks_that_wait_for_late_messages_or_long_threads_are_not_stuck(never):
    """Messages take up to 0.5 s, leaves 0.6 s; rank 0 looks each 0.2 s."""
    assert dist.run(never, ["3", "-1", "1000"], 2, 1, delay_us=500000)[:3] == (0, "8\n", "")
    assert dist.run(never, ["2", "-1", "600000"], 3, 1)[:3] == (0, "4\n", "")


# What rank 1 was given never ends. Rank 0 has its result without that.
NEEDLESS = """
#include <cilk-remote.h>
#include <stdio.h>
#include <unistd.h>
static int here;
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) { here = rank; (void)ranks; (void)argc; (void)argv; }
remote thread needless(cont int k)
{
    if (!here) { send_argument(k, 1); return; }
    fclose(fopen("given", "w"));
    for (;;) pause();
}
thread nothing(int x) { (void)x; }
thread result(cont int k) { while (access("given", F_OK) != 0) usleep(1000); send_argument(k, 7); }
thread main(cont int k)
{
    cont int x;
    spawn_next nothing(?x);
    spawn needless(x);
    spawn result(k);
}
"""


def test_a_result_does_not_wait_for_what_another_rank_has(tmp_path):
    (tmp_path / "needless.cilk1").write_text(NEEDLESS)
    compiled([CILKC, "-O2", "--dist=local", "needless.cilk1", "-o", "needless"], cwd=tmp_path)
    result = command(["./needless", "--nproc", "1"], cwd=tmp_path, timeout=60, env={"CILK_RANKS": "2"})
    assert (result.status, result.out, result.err) == (7, "", ""), str(result)


def test_lines_come_whole_before_what_waits_for_them_and_the_status_is_that_of_main(tmp_path):
    (tmp_path / "talk.cilk1").write_text(TALK)
    program = tmp_path / "talk"
    subprocess.run([CILKC, "-O2", "--dist=local", str(tmp_path / "talk.cilk1"), "-o", str(program)], check=True)
    status, out, err, _ = dist.run(program, [], 3, 1)
    lines = out.splitlines()
    assert (status, err) == (7, "")
    assert sorted(lines[:8]) == ["%d of eight" % n for n in range(1, 9)] and lines[8:] == ["several"]


def test_the_program_is_an_ordinary_one_without_dist(folder):
    done = subprocess.run(
        [CILKC, "run", str(ROOT / "tests/dist/queens.cilk1"), "--", "8", "4"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "92\n", "")


def test_ranks_of_mpi(folder):
    out = folder / "queens-mpi"
    subprocess.run([CILKC, "-O2", "--dist=mpi", str(ROOT / "tests/dist/queens.cilk1"), "-o", str(out)], check=True)
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(
        ["mpirun", "--oversubscribe", "-n", "3", str(out), "--nproc", "1", "--stats", "1", "10", "4"],
        capture_output=True,
        text=True,
        timeout=300,
        env=env,
    )
    assert (done.returncode, done.stdout) == (0, "724\n"), done
    assert len(table(done.stderr)) == 3


@pytest.mark.parametrize("flags, message", [(["--dist=carrier"], "unknown transport 'carrier': expected mpi or local"),
                                            (["--dist=local", "--serial"], "'--serial' is incompatible with '--dist'"),
                                            (["--dist=local", "-shared", "-fPIC"], "'--dist' is for programs, and '-shared' makes a library")])
def test_what_does_not_go_together_is_refused(flags, message, tmp_path):
    result = command([CILKC, *flags, str(ROOT / "tests/dist/queens.cilk1"), "-o", "x"], cwd=tmp_path)
    assert result.status and message in result.err and not (tmp_path / "x").exists()


def test_a_c_main_is_refused(tmp_path):
    (tmp_path / "c.cilk").write_text("cilk int f(int n) { return n; }\nint main(void) { return 0; }\n")
    result = command([CILKC, "--dist=local", "c.cilk", "-o", "x"], cwd=tmp_path)
    assert (
        result.status
        and "with --dist the program begins with a Cilk main" in result.err
        and not (tmp_path / "x").exists()
    )


@pytest.mark.parametrize("ranks", ["0", "65", "two"])
def test_a_wrong_number_of_ranks_is_refused(ranks, folder):
    program = dist.built("queens.cilk1", folder)
    done = subprocess.run(
        [program, "8"], capture_output=True, text=True, timeout=300, env=dict(os.environ, CILK_RANKS=ranks)
    )
    assert (done.returncode, done.stderr) == (1, "cilk: CILK_RANKS must be a number from 1 to 64\n")


def test_ranks_need_no_more_files_than_the_system_permits(folder):
    """Their sockets are many at the start; 24 ranks have 552. The program has the limit that it was given."""
    (folder / "files.cilk").write_text(
        "#include <stdio.h>\n#include <sys/resource.h>\n#include <cilk-remote.h>\n"
        "remote cilk int one(int n) { return n; }\n"
        "cilk int main(void) { struct rlimit r; int n; n = spawn one(1); sync; getrlimit(RLIMIT_NOFILE, &r);\n"
        '  printf("%d %d\\n", n, (int)r.rlim_cur); return 0; }\n'
    )
    program = folder / "files"
    subprocess.run([CILKC, "-O2", "--dist=local", str(folder / "files.cilk"), "-o", str(program)], check=True)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    done = subprocess.run(
        [program, "--nproc", "1"],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, CILK_RANKS="24"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard)),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 200\n", "")


def test_an_option_that_is_wrong_is_reported_once(folder):
    program = dist.built("queens.cilk1", folder)
    done = subprocess.run(
        [program, "--nproc", "zero", "8"],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, CILK_RANKS="3"),
    )
    assert done.returncode == 1 and done.stderr.count("nproc") == 1
