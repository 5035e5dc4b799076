"""--checkpoint and --restart (docs/travel.md): programs of other kinds that are killed; programs that were rebuilt with
another type; files that are torn anywhere, or of another program; how many workers a restart may have."""

import os
import random
import re
import signal
import subprocess
import time

import pytest

from conftest import CILKC, FIB_THREADS, STRATEGIES, TESTS, built, command, compiled, elision_of, module_of

pytestmark = pytest.mark.tier("test")

HERE = TESTS / "travel"
TREAPS = HERE / "treaps.cilk"
kills = module_of(HERE / "killed.py")


def program_of(name, strategy):
    return built([CILKC, "-O2", "--spawn=" + strategy, "-include", "cilk-malloc.h", HERE / name])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "name, arguments",
    [("treaps.cilk", [2000, 300]), ("wave.cilk", [60, 14]), ("quick.cilk", [60, 120]), ("gather.cilk", [12, 9])],
)
def test_programs_that_are_killed_come_to_the_same_end(tmp_path, name, arguments, strategy):
    """Heaps of small blocks, futures, and OpenCilk's main, whose options are in the environment; views of reducers."""
    options = "CILK_OPTIONS" if name == "quick.cilk" else None
    status, out, err, killed, restarts = kills.run_with_kills(
        program_of(name, strategy), arguments, tmp_path / "image", random.Random(name), kills=4, options=options,
        first=2
    )
    serial = elision_of(HERE / name, "-Dcilk_reducer(identity,reduce)=")
    assert (status, out, err) == (0, command([serial, *arguments]).out, "")
    assert killed and restarts


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A checkpoint of treaps.cilk from the middle of its run, and what the whole run prints."""
    file = tmp_path_factory.mktemp("travel") / "image"
    kills.first_image([program_of("treaps.cilk", "lazy")], file, ["2000", "200"])
    return file, command([elision_of(TREAPS), 2000, 200]).out


def rebuilt(tmp_path, *pairs, flags=("-O1",)):
    text = TREAPS.read_text()
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "treaps.cilk").write_text(text)
    words = [CILKC, *flags, "--spawn=lazy", "-include", "cilk-malloc.h", "treaps.cilk", "-o", "rebuilt"]
    compiled(words, cwd=tmp_path)
    return tmp_path / "rebuilt"


CHANGES = {
    "a member more": (
        ("unsigned key, rank; int", "unsigned key, gap, rank; int"),
        "the struct treap has changed since",
    ),
    "members in another order": (
        ("unsigned key, rank; int", "unsigned rank, key; int"),
        "the struct treap has changed since",
    ),
    "a member of another type": (
        ("int size; char *tag", "float size; char *tag"),
        "the struct treap has changed since",
    ),
    "a global of another type": (
        ("static long results[64]", "static unsigned long results[64]"),
        "the global `results' has changed since",
    ),
    "a longer global": (
        ("static long results[64]", "static long results[65]"),
        "the global `results' has changed since",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_type_is_refused_by_its_name(tmp_path, image, change):
    pair, message = CHANGES[change]
    result = command([rebuilt(tmp_path, pair), "--restart", image[0]])
    assert result.status == 1 and result.out == "" and message in result.err, str(result)


@pytest.mark.parametrize("pairs", [[], [("static int filled;", "static int filled; static float more[100];"),
                                        ("/* treaps.cilk", "struct unused { int a; };\n\n/* treaps.cilk")]])
def test_what_is_new_in_a_program_is_no_change(tmp_path, image, pairs):
    result = command([rebuilt(tmp_path, *pairs), "--restart", image[0], "--nproc", "3"])
    assert (result.status, result.out, result.err) == (0, image[1], ""), str(result)


def test_a_pointer_to_a_function_that_is_gone_is_refused(tmp_path):
    """A variable of a procedure has it: no name of the new program is what it was."""
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
long NAME(long x) { return x + 1; }
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(void)
{
    long (*chosen)(long) = NAME;
    int r;
    for (int i = 0; i < 100; i++) { r = spawn work(27); sync; }
    printf("%ld\\n", chosen(r));
    return 0;
}
""")
    for name in ("before", "after"):
        compiled([CILKC, "-O0", "-DNAME=" + name, "p.cilk", "-o", name], cwd=tmp_path)
    kills.first_image([tmp_path / "before"], tmp_path / "image", [])
    result = command([tmp_path / "after", "--restart", tmp_path / "image"])
    assert result.status == 1 and result.out == "", str(result)
    assert "a variable of the procedure main points to before, which this program does not have" in result.err
    result = command([tmp_path / "before", "--restart", tmp_path / "image"])
    assert (result.status, result.out) == (0, "196419\n"), str(result)


def test_a_global_in_other_parts_is_refused_by_its_name(tmp_path):
    """LLVM splits an array of which only some elements are used. Else the values of its parts would be lost."""
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
static long table[4] = { 10, 20, 30, 40 };
cilk int work(int n)
{
    int a, b;
    if (n < 2) { table[1]++; return n; }
    a = spawn work(n - 1);
    b = spawn work(n - 2);
    sync;
    return a + b;
}
cilk int main(int argc, char *argv[])
{
    int r;
    table[2] += argc;
    for (int i = 0; i < 12; i++) { Cilk_checkpoint(); r = spawn work(23); sync; }
    printf("%d %ld %ld\\n", r, table[1], table[2]);
    return !argv;
}
""")
    for level in ("0", "2"):
        compiled([CILKC, "-O" + level, "p.cilk", "-o", level], cwd=tmp_path)
        kills.first_image([tmp_path / level], tmp_path / ("image" + level), [])
    for here, there in (("0", "2"), ("2", "0")):
        result = command([tmp_path / there, "--restart", tmp_path / ("image" + here)])
        assert result.status == 1 and result.out == "", str(result)
        assert "the global `table' is in other parts here" in result.err, str(result)


def test_a_file_of_another_program_is_refused(image):
    result = command([program_of("wave.cilk", "lazy"), "--restart", image[0]])
    assert result.status == 1 and result.out == "", str(result)
    assert result.err == "--restart %s: this program has no procedure main of treaps.cilk\n" % image[0]


def test_files_that_are_torn_anywhere_are_errors(tmp_path, image):
    """At each second page of 4 kB the file ends; each other page was never written."""
    good, bad, program = image[0].read_bytes(), tmp_path / "bad", program_of("treaps.cilk", "lazy")
    for at in range(0, len(good), 4096):
        torn = good[:at] + (b"" if at // 4096 % 2 else bytes(len(good[at:at + 4096])) + good[at + 4096:])
        if torn == good:
            torn = good[:at]
        bad.write_bytes(torn)
        result = command([program, "--restart", bad])
        assert result.status == 1 and result.out == "", (at, str(result))
        said = re.fullmatch(r"--restart .*bad: it is (empty|no checkpoint|torn|damaged).*\n", result.err)
        assert said, (at, str(result))


PROCEDURES = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <pthread.h>
cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync; return a + b; }
static void *reads(void *p) { (void)p; getchar(); return NULL; }
cilk int main(int argc, char *argv[])
{
    pthread_t thread;
    int r = 0;
    (void)argv, (void)argc, (void)thread, (void)reads;
    CODE;
    for (int i = 0; i < 40; i++) { Cilk_checkpoint(); r = spawn fib(24); sync; }
    printf("%d\\n", r);
    return 0;
}
"""


def with_code(tmp_path, code):
    (tmp_path / "p.cilk").write_text(PROCEDURES.replace("CODE", code))
    compiled([CILKC, "-w", "-O2", "p.cilk", "-o", "p"], cwd=tmp_path)
    return tmp_path / "p"


HINDRANCES = {
    "a thread that waits for input": (
        "pthread_create(&thread, NULL, reads, NULL); usleep(20000)",
        "the program has started threads of its own",
    ),
    "a pipe": ("getchar()", "the program has read its standard input"),
    "another file by the number of stdout": ('stdout = freopen("/dev/null", "w", stdout)', "the program has opened /dev/null"),
}


@pytest.mark.parametrize("what", HINDRANCES)
def test_what_a_restart_could_not_find_again_is_refused(tmp_path, what):
    """The thread has the lock of stdin, which no flush may wait for."""
    code, message = HINDRANCES[what]
    program = with_code(tmp_path, code)
    for _ in range(300):                                    # a run may be at its end before its first checkpoint
        with subprocess.Popen(
            [program, "--nproc", "2", "--checkpoint", tmp_path / "image"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as run:
            if "thread" not in what:
                run.stdin.write("ab\n")
                run.stdin.flush()
            try:
                status = run.wait(timeout=60)
            finally:
                run.kill()
            err = run.stderr.read()
        assert status == 0, err
        if message in err:                                  # on a busy machine a worker may come too late
            break
    assert "cilk: no checkpoint: " + message in err
    assert not (tmp_path / "image").exists()


def test_input_that_was_read_to_its_end_is_no_hindrance(tmp_path):
    program = with_code(tmp_path, "while (getchar() != EOF) argc++")
    for _ in range(300):
        run = subprocess.run(
            [program, "--nproc", "2", "--checkpoint", tmp_path / "image"],
            input="abc\n", capture_output=True, text=True, timeout=60,
        )
        assert (run.returncode, run.stdout) == (0, "46368\n") and "standard input" not in run.stderr, str(run)
        if (tmp_path / "image").exists():
            break
    assert command([program, "--restart", tmp_path / "image"]).out == "46368\n"


def test_only_a_file_is_replaced(tmp_path):
    """A folder and a pipe stay; a link stays a link; the program may change its folder meanwhile."""
    program = with_code(tmp_path, 'if (chdir("/") != 0) return 7')
    os.mkfifo(tmp_path / "pipe")
    no_folder, no_file = "No such file or directory", "it is no file"
    for name, why in ((".", no_file), ("pipe", no_file), ("nowhere/image", no_folder), (tmp_path / "nowhere/image", no_folder)):
        result = command([program, "--checkpoint", name], cwd=tmp_path)
        assert (result.status, result.out, result.err) == (1, "", "--checkpoint %s: %s\n" % (name, why)), str(result)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "target").write_text("older\n")
    (tmp_path / "link").symlink_to("folder/target")
    for name, image in (("link", "folder/target"), ("plain", "plain")):
        for _ in range(300):                                # a run may be at its end before its first checkpoint
            result = command([program, "--nproc", "2", "--checkpoint", name], cwd=tmp_path)
            assert (result.status, result.out) == (0, "46368\n"), str(result)
            if (tmp_path / image).exists() and (tmp_path / image).stat().st_size > 100:
                break
        assert command([program, "--restart", tmp_path / name]).out == "46368\n"
    assert (tmp_path / "link").is_symlink()


def test_only_a_file_is_read(tmp_path):
    """A pipe is refused although no process ever writes to it."""
    program = with_code(tmp_path, "")
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "/dev/full"):
        for option in ("--restart", "--inspect"):
            result = command([program, option, name], cwd=tmp_path, timeout=60)
            assert (result.status, result.out, result.err) == (1, "", "--restart %s: it is no file\n" % name), str(result)


DIES = """#include <signal.h>
#include <unistd.h>
int fsync(int fd) { (void)fd; kill(getpid(), SIGKILL); return 0; }
"""


def test_nothing_is_left_of_a_file_whose_writer_dies(tmp_path):
    """The program goes on, since the writer is a process of its own. Where the file system has files without names."""
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        pytest.skip("the file system has no files without names")
    program = with_code(tmp_path, "")
    (tmp_path / "dies.c").write_text(DIES)
    compiled(["gcc", "-shared", "-fPIC", "dies.c", "-o", "dies.so"], cwd=tmp_path)
    (tmp_path / "images").mkdir()
    for _ in range(300):
        result = command(
            [program, "--nproc", "2", "--checkpoint", tmp_path / "images" / "image"],
            env=dict(os.environ, LD_PRELOAD=str(tmp_path / "dies.so")),
        )
        assert (result.status, result.out) == (0, "46368\n"), str(result)
        if result.err:
            break
    assert "cilk: no checkpoint: the process that wrote it was ended by signal 9\n" in result.err, str(result)
    assert list((tmp_path / "images").iterdir()) == []


CALLS = r"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void note(const char *what, const char *name)
{
    char text[1000];
    const char *base = strrchr(name, '/');
    int fd = open(getenv("CALLS"), O_WRONLY | O_APPEND | O_CREAT, 0666);
    int n = snprintf(text, sizeof text, "%s %s\n", what, base ? base + 1 : name);
    if (write(fd, text, (size_t)n) != n) abort();
    close(fd);
}
int fsync(int fd)
{
    char link[64], name[500];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name - 1);
    name[n > 0 ? n : 0] = 0;
    note("fsync", name);
    return 0;
}
int rename(const char *from, const char *to)
{
    note("rename", from);
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
"""


def test_a_file_is_on_the_disk_before_it_gets_its_name(tmp_path):
    """A machine may fail between any two calls: the file's bytes come first, then the name, then the folder."""
    (tmp_path / "calls.c").write_text(CALLS)
    compiled(["gcc", "-w", "-shared", "-fPIC", "calls.c", "-o", "calls.so"], cwd=tmp_path)
    folder = tmp_path / "images"
    folder.mkdir()
    for _ in range(20):                                     # a run may be at its end before its first checkpoint
        result = command(
            [program_of("treaps.cilk", "lazy"), "--nproc", "2", "--checkpoint", folder / "image", "--every", "5ms", "2000", "200"],
            env=dict(os.environ, LD_PRELOAD=str(tmp_path / "calls.so"), CALLS=str(tmp_path / "log")),
        )
        assert result.status == 0, str(result)
        if (tmp_path / "log").exists():
            break
    log = re.sub(r"image\.\d+\.new|#\d+ \(deleted\)", "new", (tmp_path / "log").read_text())
    assert log and re.fullmatch(r"(fsync new\nrename new\nfsync images\n)+", log), log


FAILS = r"""#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int fails(const char *what) { errno = EIO; return strcmp(getenv("FAILS"), what) == 0; }
int fsync(int fd)
{
    struct stat s;
    const char *what = fstat(fd, &s) == 0 && S_ISDIR(s.st_mode) ? "folder" : "fsync";
    return fails(what) ? -1 : (int)syscall(SYS_fsync, fd);
}
int rename(const char *from, const char *to) { return fails("rename") ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to); }
extern void *__libc_malloc(size_t);
/* the buffer of an image (rt/extensions/travel/write.c) */
void *malloc(size_t n) { return n == 1 << 18 && fails("malloc") ? (errno = ENOMEM, NULL) : __libc_malloc(n); }
"""


def test_where_a_call_fails_the_last_file_stays(tmp_path):
    """The bytes do not come to the disk, or the name does not, or there is no memory; the program goes on, and no other
    file is left. Where the folder does not, the new file is there."""
    (tmp_path / "fails.c").write_text(FAILS)
    compiled(["gcc", "-w", "-shared", "-fPIC", "fails.c", "-o", "fails.so"], cwd=tmp_path)
    program, image, right = program_of("treaps.cilk", "lazy"), tmp_path / "images" / "image", None
    image.parent.mkdir()
    messages = {
        "fsync": "cilk: no checkpoint: %s: Input/output error\n" % image,
        "rename": "cilk: no checkpoint: %s: Input/output error\n" % image,
        "malloc": "cilk: no checkpoint: %s: Cannot allocate memory\n" % image,
        "folder": "cilk: no checkpoint: %s is written, but the name may not outlive the machine: Input/output error\n" % image,
    }
    for fails, message in messages.items():
        image.write_text("older")
        for _ in range(300):                                # a run may be at its end before its first checkpoint
            words = [program, "--nproc", "2", "--checkpoint", image, "--every", "5ms", "2000", "200"]
            result = command(words, env=dict(os.environ, LD_PRELOAD=str(tmp_path / "fails.so"), FAILS=fails))
            right = right or command([elision_of(TREAPS), 2000, 200]).out
            assert (result.status, result.out) == (0, right), str(result)
            if message in result.err:
                break
        assert message in result.err, (fails, str(result))
        assert list(image.parent.iterdir()) == [image], fails
        assert (image.read_bytes() == b"older") == (fails != "folder"), fails


def test_what_was_printed_before_a_checkpoint_is_not_lost(tmp_path):
    """The process is killed when its checkpoint is there; what it had printed is neither lost nor printed again."""
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
#include <stdlib.h>
cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync; return a + b; }
cilk int main(void)
{
    int r, s = 0;
    printf("before\\n");
    Cilk_checkpoint();
    while (getenv("FOR_EVER")) { r = spawn fib(15); sync; }
    for (int i = 0; i < 400; i++) { r = spawn fib(24); sync; s += r; }
    printf("after %d\\n", s);
    return 0;
}
""")
    compiled([CILKC, "-O2", "p.cilk", "-o", "p"], cwd=tmp_path)
    image = tmp_path / "image"
    with open(tmp_path / "out", "w") as out:
        run = subprocess.Popen(
            [tmp_path / "p", "--nproc", "2", "--checkpoint", image], stdout=out, env=dict(os.environ, FOR_EVER="yes")
        )
        until = time.monotonic() + 100
        while not image.exists() and run.poll() is None and time.monotonic() < until:
            time.sleep(0.0005)
        run.kill()
        assert run.wait() == -9 and image.exists()
    assert (tmp_path / "out").read_text() == "before\n"
    assert command([tmp_path / "p", "--restart", image, "--nproc", "2"]).out == "after 18547200\n"


SIZED = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
cilk void nothing(void) {}
cilk int work(int n, long *mine)
{
    int a, b;
    __atomic_fetch_add(&mine[Self], 1, __ATOMIC_RELAXED);
    if (n < 2) return n;
    a = spawn work(n - 1, mine);
    b = spawn work(n - 2, mine);
    sync;
    return a + b;
}
cilk int main(void)
{
    int r, size = ASK;
    long *mine = Cilk_calloc((size_t)size, sizeof *mine), all = 0;
    for (int i = 0; i < 60; i++) {
        while (i % 20 == 19 && getenv("IMAGE") && access(getenv("IMAGE"), F_OK)) {
            Cilk_checkpoint();
            for (int k = 0; k < 1000; k++) { spawn nothing(); sync; }
        }
        r = spawn work(20, mine);
        sync;
    }
    for (int i = 0; i < SIZE; i++) all += mine[i];
    printf("%d %d %ld\\n", r, SIZE, all);
    return 0;
}
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_arrays_of_one_element_per_worker_stay_large_enough(tmp_path, strategy):
    """Cilk_active_size keeps its value, and a restart with more workers than that is refused, if it was asked for."""
    (tmp_path / "p.cilk").write_text(SIZED)
    image, right = tmp_path / "image", "6765 3 1313460\n"
    for name, ask, size in (("asks", "Cilk_active_size", "Cilk_active_size"), ("knows", "9", "3")):
        compiled(
            [CILKC, "-O2", "--spawn=" + strategy, "-DASK=" + ask, "-DSIZE=" + size, "p.cilk", "-o", name], cwd=tmp_path
        )
    written = {"env": {"IMAGE": str(image)}, "timeout": 60}        # the checkpoint has two thirds of the work before it
    result = command([tmp_path / "asks", "--nproc", "3", "--checkpoint", image], **written)
    assert result.out == right, str(result)
    for nproc in (1, 3):
        result = command([tmp_path / "asks", "--nproc", nproc, "--restart", image])
        assert (result.status, result.out, result.err) == (0, right, ""), str(result)
    again = tmp_path / "again"
    later = {"env": {"IMAGE": str(again)}, "timeout": 60}
    command([tmp_path / "asks", "--nproc", "1", "--restart", image, "--checkpoint", again], **later)
    for words in (["--nproc", "4", "--restart", image], ["--elastic", "4", "--nproc", "2", "--restart", image]):
        result = command([tmp_path / "asks", *words])
        assert result.status == 1 and result.out == "", str(result)
        assert "the program has asked for Cilk_active_size, which was 3" in result.err, str(result)
    result = command([tmp_path / "asks", "--nproc", "3", "--restart", again])
    assert (result.status, result.out) == (0, right), str(result)
    image.unlink()
    command([tmp_path / "knows", "--nproc", "1", "--checkpoint", image], **written)
    result = command([tmp_path / "knows", "--nproc", "4", "--restart", image])
    assert result.status == 0 and result.out.startswith("6765 3 "), str(result)


@pytest.mark.parametrize("how", ("constructor", "blocked"))
def test_a_signal_before_main_asks_for_a_checkpoint(tmp_path, how):
    """It comes from a constructor of the program, or waits since before exec. Without the option it ends the process."""
    (tmp_path / "p.cilk").write_text("""#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void early(void) { if (getenv("SIGNAL")) raise(SIGUSR1); }
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(int argc, char *argv[])
{
    int r = argc, i;
    for (i = 0; access(argv[1], F_OK) != 0 && i < 100000; i++) { r = spawn work(15); sync; }
    printf("%d\\n", r && i < 100000);
    return 0;
}
""")
    program = built([CILKC, "-O2", tmp_path / "p.cilk"])

    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        os.kill(os.getpid(), signal.SIGUSR1)

    def run(*words):
        return subprocess.run(
            [program, *words, tmp_path / "image"],
            env=dict(os.environ, **({"SIGNAL": "yes"} if how == "constructor" else {})),
            preexec_fn=block if how == "blocked" else None,
            capture_output=True,
            text=True,
            timeout=300,
        )

    done = run("--nproc", "2", "--checkpoint", tmp_path / "image")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", ""), str(done)
    done = run("--nproc", "2")
    assert done.returncode == (-signal.SIGUSR1 if how == "constructor" else 0), str(done)


REFUSED = {
    "started": (
        ".cilk",
        """#include <stdio.h>
#include <cilk-start.h>
cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync; return a + b; }
cilk int main(void)
{
    int r, s;
    Cilk_computation *c = Cilk_start(fib, 20);
    Cilk_wait(c, &s);
    for (int i = 0; i < 200; i++) { r = spawn fib(23); sync; }
    printf("%d %d\\n", r, s);
    return 0;
}
""",
        "the program has used Cilk_start or Cilk_local_set",
        "28657 6765\n",
    ),
    "threads": (
        ".cilk1",
        "#include <stdio.h>\n" + FIB_THREADS + """\
thread show(cont int k, int x) { printf("%d\\n", x); send_argument(k, 0); }
thread main(cont int k) { cont int x; spawn_next show(k, ?x); spawn fib(x, 31); }
""",
        "threads of Cilk-1 cannot travel",
        "1346269\n",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_part_in_an_image_is_refused(tmp_path, what):
    """The program goes on. It may be at its end before its first checkpoint."""
    suffix, text, message, right = REFUSED[what]
    (tmp_path / ("p" + suffix)).write_text(text)
    compiled([CILKC, "-O2", "p" + suffix, "-o", "p"], cwd=tmp_path)
    options = ["--nproc", "4", "--checkpoint", str(tmp_path / "image"), "--every", "1ms"]
    for _ in range(300):
        result = command([tmp_path / "p", *options])
        assert (result.status, result.out) == (0, right), str(result)
        if message in result.err:
            break
    assert "cilk: no checkpoint: " + message in result.err, str(result)
    assert not (tmp_path / "image").exists()


def test_a_program_with_thread_sanitizer_is_refused(tmp_path):
    (tmp_path / "p.cilk").write_text("cilk int main(void) { return 0; }\n")
    compiled([CILKC, "-fsanitize=thread", "p.cilk", "-o", "p"], cwd=tmp_path)
    result = command([tmp_path / "p", "--checkpoint", tmp_path / "image"])
    assert result.status == 1, str(result)
    assert re.fullmatch("--checkpoint: this program cannot travel: ThreadSanitizer .*\n", result.err), str(result)


AFTER_MAIN = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void after(void) { struct sigaction a; sigaction(SIGUSR1, NULL, &a); puts(a.sa_handler == SIG_IGN ? "ignored" : "taken"); }
%s
"""
MAINS = {
    "cilk": "cilk int f(void) { return 1; }\ncilk int main(void) { int x; atexit(after); x = spawn f(); sync; return !x; }",
    "opencilk": "#include <cilk/cilk.h>\nint f(void) { return 1; }\n"
    "int main(void) { atexit(after); int x = cilk_spawn f(); cilk_sync; return !x; }",
}


@pytest.mark.parametrize("language", MAINS)
def test_a_signal_after_main_is_ignored(tmp_path, language):
    (tmp_path / "p.cilk").write_text(AFTER_MAIN % MAINS[language])
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    words = ["--checkpoint", str(tmp_path / "image")]
    given = {"CILK_OPTIONS": " ".join(words)} if language == "opencilk" else {}
    result = command([tmp_path / "p", *words * (not given)], env=given)
    assert (result.status, result.out, result.err) == (0, "ignored\n", ""), str(result)


def test_where_main_is_c_the_options_are_refused(tmp_path):
    """Main is of a unit that no Cilk word occurs in: what it calls is a computation of its own each time."""
    (tmp_path / "p.cilk").write_text("""#include <cilk/cilk.h>
int fib(int n) { int x, y; if (n < 2) return n; x = cilk_spawn fib(n - 1); y = fib(n - 2); cilk_sync; return x + y; }
""")
    (tmp_path / "main.c").write_text("int fib(int);\nint main(void) { return fib(20) != 6765; }\n")
    compiled([CILKC, "-O2", "p.cilk", "main.c", "-o", "p"], cwd=tmp_path)
    options = "--nproc 2 --checkpoint %s" % (tmp_path / "image")
    result = command([tmp_path / "p"], env=dict(os.environ, CILK_OPTIONS=options))
    assert result.status == 1 and re.fullmatch(
        r"--checkpoint: the program's main is C, whose frames are no closures; .*\n", result.err
    ), str(result)
