"""--checkpoint and --restart (docs/travel.md): programs that are killed come to the same end; what cannot travel, and
files that are no checkpoints, are errors; the last good file stays."""

import contextlib
import os
import random
import re
import resource
import signal
import subprocess
import sys

import pytest

from conftest import BUILD, CILKC, FIB_THREADS, STRATEGIES, TESTS, built, command, compiled, elision_of, eventually, module_of, need, ok

pytestmark = pytest.mark.tier("check")

HERE = TESTS / "travel"
EVERYTHING = HERE / "everything.cilk"
LONG = [15, 24]                                             # its arguments: some 0.2 s
kills = module_of(HERE / "killed.py")
forge = module_of(HERE / "forge.py")


def everything(strategy, *flags):
    return built([CILKC, "-O2", "--spawn=" + strategy, "-include", "cilk-malloc.h", EVERYTHING, *flags])


@pytest.fixture(scope="module")
def expected():
    return ok(command([elision_of(EVERYTHING), *LONG])).out


def pipes_of(pid):
    """Its descriptors of pipes; one may be closed meanwhile."""
    found = []
    for name in os.listdir("/proc/%d/fd" % pid):
        with contextlib.suppress(OSError):
            if os.readlink("/proc/%d/fd/%s" % (pid, name)).startswith("pipe:"):
                found.append(name)
    return found


def refusals(err):
    """The reasons: at the first refusal, again at powers of two, and at the end if there was no checkpoint at all."""
    line = r"cilk: (?:no checkpoint(?:, \d+ times in a row)?|\d+ of \d+ checkpoints failed): (.*)\n"
    assert re.fullmatch("(?:%s)*" % line, err), err
    return set(re.findall(line, err))


def image_of(program, image, arguments=LONG, nproc=2):
    """A checkpoint from the middle of a run. On a busy machine a run may end before its first one."""
    for _ in range(20):
        result = command([program, "--nproc", nproc, "--checkpoint", image, "--every", "2ms", *arguments])
        assert result.status == 0, str(result)
        if image.exists():
            return result
    pytest.fail("no checkpoint in 20 runs")


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("flags", [(), ("-cilk-debug",)], ids=["release", "debug"])
def test_a_killed_program_comes_to_the_same_end(tmp_path, strategy, flags, expected):
    rng = random.Random(strategy)
    status, out, err, killed, restarts = kills.run_with_kills(
        everything(strategy, *flags), LONG, tmp_path / "image", rng, kills=6
    )
    assert (status, out, err) == (0, expected, ""), (out, err)
    assert killed and restarts


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("nproc", (1, 2, 4))
def test_a_checkpoint_goes_on_with_any_number_of_workers(tmp_path, strategy, nproc, expected):
    """It starts in the middle: what was done before is not done again."""
    program, image = everything(strategy), tmp_path / "image"
    assert image_of(program, image, nproc=4 // nproc).out == expected
    result = command([program, "--restart", image, "--nproc", nproc])
    assert (result.status, result.out, result.err) == (0, expected, ""), str(result)


@pytest.mark.sample(2)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_rebuilt_program_goes_on(tmp_path, strategy, expected):
    """Other addresses of all functions and globals: another level of optimisation, and more text before and after."""
    image = tmp_path / "image"
    image_of(everything(strategy), image)
    (tmp_path / "more.c").write_text("int more_data[5000] = { 1 }; int more(int n) { return more_data[n] * 7; }\n")
    compiled(
        [CILKC, "-O1", "-g", "--spawn=" + strategy, "-include", "cilk-malloc.h", "more.c", EVERYTHING, "-o", "rebuilt"],
        cwd=tmp_path,
    )
    result = command([tmp_path / "rebuilt", "--restart", image, "--nproc", "2"])
    assert result.status == 0, str(result)
    assert (result.out, result.err) == (expected, ""), str(result)


def changed(tmp_path, *pairs):
    text = EVERYTHING.read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "everything.cilk").write_text(text)
    compiled(
        [CILKC, "-O2", "--spawn=eager", "-include", "cilk-malloc.h", "everything.cilk", "-o", "changed"], cwd=tmp_path
    )
    return tmp_path / "changed"


def test_a_changed_procedure_is_refused_by_its_name(tmp_path):
    image = tmp_path / "image"
    image_of(everything("eager"), image)
    program = changed(tmp_path, ("long slack = 0, stretched;", "long slack = 0; int stretched;"))
    result = command([program, "--restart", image])
    assert result.status == 1 and result.out == "", str(result)
    assert re.search(r"the procedure main has changed since", result.err), str(result)


def test_a_procedure_that_is_gone_is_refused_by_its_name(tmp_path):
    image = tmp_path / "image"
    image_of(everything("eager"), image)
    program = changed(
        tmp_path,
        ("cilk int main(", "cilk int start("),
        (
            "    return 0;\n}\n",
            "    return 0;\n}\ncilk int main(int c, char *v[]) { int r; r = spawn start(c, v); sync; return r; }\n",
        ),
    )
    result = command([program, "--restart", image])
    assert result.status == 1 and re.search(r"the procedure main has changed|no procedure", result.err), str(result)


def test_another_strategy_is_refused(tmp_path):
    image = tmp_path / "image"
    image_of(everything("eager"), image)
    result = command([everything("lazy"), "--restart", image])
    assert result.status == 1 and "the other spawn strategy" in result.err, str(result)


def test_damaged_files_are_errors(tmp_path):
    """Cut off, a bit or a piece changed, foreign, of another version: an error each, never a crash or a run."""
    program, image, bad = everything("eager"), tmp_path / "image", tmp_path / "bad"
    image_of(program, image)
    good, rng = image.read_bytes(), random.Random(1)
    cases = [
        (b"", "it is empty"),
        (b"#!/bin/sh\necho hello\n" * 9, "no checkpoint"),
        (good[:-8], "it is torn"),
        (good[:20], "no checkpoint"),
        (good + bytes(8), "it is torn"),
        (good[:8] + (77).to_bytes(8, "little") + good[16:], "version 77"),
    ]
    for _ in range(20):
        at, mutant = rng.randrange(32, len(good)), bytearray(good)
        mutant[at] ^= 1 << rng.randrange(8)
        cases.append((bytes(mutant), "damaged"))
    for text, message in cases:
        bad.write_bytes(text)
        result = command([program, "--restart", bad])
        assert result.status == 1 and message in result.err and result.out == "", "%s: %s" % (message, result)
    result = command([program, "--restart", tmp_path / "nowhere"])
    assert result.status == 1 and "No such file" in result.err
    result = command([program, "--restart", tmp_path])
    assert result.status == 1 and "it is no file" in result.err


def test_each_number_of_the_runtime_is_checked(tmp_path):
    """Offsets, lengths, names, counts and pointers, each with a right checksum: --restart runs nothing of them."""
    program, file, bad = everything("lazy"), tmp_path / "image", tmp_path / "bad"
    while True:                                             # in some runs no child runs at that moment: no links
        image_of(program, file, arguments=[11, 60])
        image = forge.Image(file.read_bytes())
        if image.has("LINK"):
            break
    for what, (data, message) in forge.forgeries(image).items():
        bad.write_bytes(data)
        result = command([program, "--restart", bad])
        assert result.status == 1 and result.out == "" and result.err.count("\n") == 1, "%s: %s" % (what, result)
        assert re.search(message, result.err), "%s: %s" % (what, result)


def test_a_result_that_is_delivered_needs_no_variable_any_more(tmp_path):
    """Its link stays as long as a view waits there. A delivery that is still to come is in the list of those."""
    program = built([CILKC, "-O2", "-include", "cilk-malloc.h", HERE / "kept.cilk"])
    file, bad = tmp_path / "image", tmp_path / "bad"
    while True:                                             # in some runs main has taken the view by then
        result = command([program, "--nproc", 2, "--checkpoint", file], env={"IMAGE": str(file)})
        assert (result.status, result.out, result.err) == (0, "3 10 20\n", ""), str(result)
        if forged := forge.waiting(forge.Image(file.read_bytes())):
            break
        file.unlink()
    result = command([program, "--nproc", 2, "--restart", file], env={"IMAGE": str(file)})
    assert (result.status, result.out, result.err) == (0, "3 10 20\n", ""), str(result)
    bad.write_bytes(forged)
    result = command([program, "--inspect", bad])
    assert result.status == 1 and "a result that waits is not among those of its closure" in result.err, str(result)


@pytest.mark.tier("test")
def test_forged_files_are_errors(tmp_path):
    """Damaged, but with a right checksum, in this program and in another build of it: images.c makes and judges 300
    each. A crash is none of its two answers."""
    image, other, bad = tmp_path / "image", tmp_path / "other", tmp_path / "bad"
    sources = ["-include", "cilk-malloc.h", EVERYTHING, HERE / "images.c"]
    programs = [built([CILKC, level, *sources]) for level in ("-O2", "-O1")]
    image_of(programs[0], image, arguments=[11, 60])
    image_of(programs[0], other, arguments=[9, 90])
    result = command([programs[0], "--inspect", image])
    assert result.status == 0 and re.search(
        r"\d+ closures, \d+ links, \d+ bytes, of this program; it can go on here\n$", result.out
    ), str(result)
    for seed, program in enumerate(programs):
        result = command([program, "--inspect", bad], env={"IMAGES": "%s %s %s 300 %d" % (image, other, bad, seed)})
        found = re.search(r"^(\d+) refused, (\d+) accepted, 0 wrong", result.out, re.M)
        assert result.status == 0 and found and int(found[1]) > 100, str(result)


@pytest.mark.tier("all")
@pytest.mark.parametrize(
    "more", [[], ["--views"], pytest.param(["--from", "s390x"], marks=pytest.mark.s390x)], ids=["here", "views", "s390x"]
)
def test_forged_files_are_no_errors_of_a_sanitizer(more):
    """A thousand, by a runtime that AddressSanitizer and UBSan watch."""
    words = [HERE / "soak.py", "images", "--sanitize", "--times", "1", *more]
    result = command([sys.executable, *words], timeout=280, env={"CILKC_BUILD": str(BUILD)})
    assert result.status == 0 and re.search(r"images: 1 runs, 0 wrong; 1000 images each: \d{3} refused", result.out), str(result)


def until_reported(run):
    """The first run that reports something: a run may be at its end before its first checkpoint."""
    for _ in range(300):
        done = run()
        if done.stderr:
            break
    return done


def test_without_room_on_the_disk_the_last_file_stays(tmp_path, expected):
    """A limit of file sizes stands for a full disk: writes fail in the middle, also of an image of the first
    moments."""
    program, image = everything("eager"), tmp_path / "image"
    image_of(program, image)
    before = image.read_bytes()

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = until_reported(lambda: subprocess.run(
        [program, "--checkpoint", image, "--every", "5ms", *map(str, LONG)],
        preexec_fn=small,
        capture_output=True,
        text=True,
        timeout=300,
    ))
    assert done.returncode == 0 and done.stdout == expected
    assert refusals(done.stderr) == {"%s: File too large" % image}, done.stderr
    assert image.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["image"]
    gone = tmp_path / "gone"                                # the folder is there at the start
    gone.mkdir()
    words = ["sh", "-c", '"$@" & sleep 0.05; until rm -rf "$0"; do :; done 2>&-; wait $!', gone, program, "--checkpoint", gone / "image", "--every", "5ms"]
    done = until_reported(lambda: (
        gone.mkdir(exist_ok=True),
        subprocess.run([*words, *map(str, LONG)], capture_output=True, text=True, timeout=300),
    )[1])
    assert (done.returncode, done.stdout) in ((0, expected), (1, "")) and "No such file or directory" in done.stderr


REFUSED = {
    "threads": (
        "#include <pthread.h>\n#include <unistd.h>\nstatic void *wait(void *p) { return sleep(100), p; }",
        "pthread_t t; pthread_create(&t, 0, wait, 0);",
        "the program has started threads of its own",
    ),
    "files": (
        "#include <stdio.h>",
        'FILE *f = fopen("/proc/self/status", "r"); USE_UNUSED(f);',
        "the program has opened /proc/",
    ),
    "global": (
        "#include <stdlib.h>\nstatic void *memory;",
        "memory = malloc(10);",
        "the global `memory' points to memory of malloc, or a stack",
    ),
    "heap": (
        "#include <stdlib.h>\nvoid **memory;",
        "memory = Cilk_malloc(100); memory[3] = malloc(1000);",
        "word 3 of a block of the Cilk heap, to which the global `memory' leads, points to memory of malloc",
    ),
    "aligned": (
        "#include <stdlib.h>\nextern void *Cilk_memalign(size_t align, size_t size);\nvoid **memory;",
        "memory = Cilk_memalign(64, 100); memory[3] = malloc(1000);",
        "word 3 of a block of the Cilk heap, to which the global `memory' leads, points to memory of malloc",
    ),
    "library": (
        "#include <string.h>\nstatic void *(*memory)(void *, const void *, size_t);",
        "memory = memcpy;",
        "the global `memory' points to /",
    ),
    "variable": (
        "#include <stdlib.h>",
        "char *memory; memory = malloc(10); *memory = 1;",
        "`memory' of the procedure main points to memory of malloc",
    ),
    "nested": (
        "extern int EXPORT(work)(CilkContext *const, int);\nstatic int call(int n) { return EXPORT(work)((CilkContext *)0, n); }",
        "inside = 1;",
        "C code waits for Cilk procedures",
    ),
    "lock": ("#include <sched.h>", "locked = 1;", "waits for a lock, which another procedure holds"),
    "private": ("private int scratch;", "scratch = 1;", "the program has private variables"),
    "locals": (
        "#include <cilk-start.h>\nstatic int key;",
        "Cilk_local_set(&key, &key);",
        "the program has used Cilk_start or Cilk_local_set",
    ),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_travel_is_refused(tmp_path, what):
    """The program goes on, and the message comes once."""
    before, code, message = REFUSED[what]
    (tmp_path / "p.cilk").write_text(
        """%s
#include <stdio.h>
static int inside, locked, coming;
static Cilk_lockvar door;
static volatile char *wanted;
cilk int nothing(void) { return 1; }
cilk int work(int n)
{
    int a, b;
    if (n < 2) { if (wanted && *wanted == 7) return 0; return n; }
    a = spawn work(n - 1);
    b = spawn work(n - 2);
    sync;
    return a + b;
}
cilk int hold(int n)
{
    int a, tries = 0;
    __atomic_fetch_add(&coming, 1, __ATOMIC_RELAXED);
    Cilk_lock(&door);
    while (__atomic_load_n(&coming, __ATOMIC_RELAXED) < 2 && tries++ < 20000) sched_yield();
    a = spawn work(n);
    sync;
    Cilk_unlock(&door);
    return a;
}
%s
cilk int main(void)
{
    int r, s;
    %s
    for (int i = 0; i < 12; i++) {
        Cilk_checkpoint();
        if (locked) { coming = 0; r = spawn hold(27); s = spawn hold(27); sync; }
        else %s { r = spawn work(27); sync; }
    }
    printf("%%d\\n", r);
    %s
    return 0;
}
"""
        % ("" if what == "nested" else before, before if what == "nested" else "", code,
           "if (inside) r = call(27); else" if what == "nested" else "",
           "USE_UNUSED(*memory);" if what == "variable" else "")
    )
    compiled([CILKC, "-g", "p.cilk", "-w", "-o", "p"], cwd=tmp_path)
    # it is chance whether the program still runs, and whether the other worker has come to the lock
    for _ in range(300):
        result = command([tmp_path / "p", "--nproc", "2", "--checkpoint", tmp_path / "image", "--every", "2ms"])
        assert result.status == 0 and result.out == "196418\n", str(result)
        said = result.err.splitlines()
        if any(line.startswith("cilk: no checkpoint: ") and message in line for line in said):
            break
    else:
        pytest.fail(str(result))
    assert len(said) < 12


def test_threads_of_cilk_1_are_refused_while_they_run(tmp_path):
    """Before the first one, and after the last one, a Cilk-5 procedure goes on with its checkpoint."""
    (tmp_path / "p.cilk1").write_text("""#include <stdio.h>
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
""" + FIB_THREADS + """\
cilk int main(int argc, char *argv[])
{
    int r = 0, s = 0;
    if (argc > 1) { s = spawn fib(argc > 2 ? 30 : 5); sync; }
    for (int i = 0; i < 12; i++) { Cilk_checkpoint(); r = spawn work(27); sync; }
    if (argc == 1) { s = spawn fib(5); sync; }
    printf("%d\\n", r + s);
    return 0;
}
""")
    compiled([CILKC, "-O2", "p.cilk1", "-w", "-o", "p"], cwd=tmp_path)
    for words in ([], ["first"]):
        image = tmp_path / "-".join(["image", *words])
        kills.first_image([tmp_path / "p"], image, words)
        result = command([tmp_path / "p", "--restart", image, "--nproc", "2"])
        assert (result.status, result.out, result.err) == (0, "196423\n", ""), str(result)
    done = until_reported(lambda: subprocess.run(
        [tmp_path / "p", "--nproc", "2", "--checkpoint", tmp_path / "image", "--every", "2ms", "first", "long"],
        capture_output=True,
        text=True,
        timeout=300,
    ))
    assert done.stdout == "1028458\n" and refusals(done.stderr) == {"threads of Cilk-1 cannot travel"}, done.stderr


def test_standard_input_that_was_read_is_refused(tmp_path):
    """Where it is a file: its place in there would be another one."""
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(void) { int r, c = getchar(); for (int i = 0; i < 10; i++) { Cilk_checkpoint(); r = spawn work(27); sync; } printf("%c %d\\n", c, r); return 0; }
""")
    (tmp_path / "input").write_text("xyz\n")
    compiled([CILKC, "p.cilk", "-w", "-o", "p"], cwd=tmp_path)

    def run():
        with open(tmp_path / "input") as file:
            return subprocess.run(
                [tmp_path / "p", "--checkpoint", tmp_path / "image", "--every", "2ms"],
                stdin=file,
                capture_output=True,
                text=True,
                timeout=300,
            )

    done = until_reported(run)
    assert (done.returncode, done.stdout) == (0, "x 196418\n"), done
    assert refusals(done.stderr) == {"the program has read its standard input"}, done.stderr


def test_a_program_with_address_sanitizer_is_refused(tmp_path):
    (tmp_path / "p.cilk").write_text("cilk int main(void) { return 0; }\n")
    compiled([CILKC, "-fsanitize=address", "p.cilk", "-o", "p"], cwd=tmp_path)
    result = command([tmp_path / "p", "--checkpoint", tmp_path / "image"])
    assert result.status == 1 and re.match("--checkpoint: this program cannot travel: AddressSanitizer .*\n$", result.err), str(result)


def test_a_main_in_c_is_refused(tmp_path):
    (tmp_path / "p.cilk").write_text("cilk int f(int n) { return n; }\n")
    (tmp_path / "m.c").write_text(
        "#include <cilk.h>\nextern int EXPORT(f)(CilkContext *const, int);\n"
        "int main(int argc, char **argv) { CilkContext *c = Cilk_init(&argc, argv); return c ? EXPORT(f)(c, 0) : 7; }\n"
    )
    compiled([CILKC, "p.cilk", "m.c", "-o", "p"], cwd=tmp_path)
    result = command([tmp_path / "p", "--checkpoint", tmp_path / "image"])
    assert result.status == 7 and "the program's main is C" in result.err, str(result)


def test_a_signal_and_the_program_ask_for_checkpoints(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(int argc, char *argv[])
{
    int r, i;
    int asked = argc > 2 ? Cilk_checkpoint() : 0;
    if (argc == 2) printf("begun\\n"), fflush(stdout);
    for (i = 0; access(argv[argc - 1], F_OK) != 0 && i < 100000; i++) { r = spawn work(20); sync; }
    printf("%d %d\\n", asked, i < 100000);
    return 0;
}
""")
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    image = tmp_path / "image"
    result = command([tmp_path / "p", "--checkpoint", image, "asked", image])
    assert result.out == "0 1\n" and image.exists(), str(result)
    result = command([tmp_path / "p", "asked", image])
    assert result.out == "-1 1\n", str(result)
    image.unlink()
    with subprocess.Popen([tmp_path / "p", "--checkpoint", image, image], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGUSR1)
        assert process.communicate(timeout=300)[0] == "0 1\n"


def test_a_checkpoint_is_made_while_a_report_is_written(tmp_path):
    """The report's pipe is none of the program's. Here the report waits, as what reads it is slow."""
    (tmp_path / "p.cilk").write_text("""#include <unistd.h>
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(int argc, char *argv[]) { int r; while (access(argv[argc - 1], F_OK) != 0) { r = spawn work(20); sync; } return r; }
""")
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(writing, b"x" * 512):
            pass
    os.set_blocking(writing, True)
    image, done = tmp_path / "image", tmp_path / "done"
    words = [tmp_path / "p", "--watchdog", "1", "--checkpoint", image, done]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writing) as process:
        os.close(writing)
        try:
            eventually(lambda: len(pipes_of(process.pid)) == 3, "no report")
            process.send_signal(signal.SIGUSR1)
            eventually(image.exists, "no checkpoint")
        except BaseException:
            process.kill()
            raise
        done.touch()
        while os.read(reading, 1 << 16):
            pass
    os.close(reading)
    assert process.returncode == 6765 % 256


@pytest.mark.parametrize("words", [["--every", "5s"], ["--checkpoint", "x", "--every", "5"], ["--checkpoint", "x", "--every", "0s"], ["--checkpoint", "x", "--every", "1000000h"],
                                   ["--checkpoint", ""],
                                   ["--checkpoint", "x", "--sched=replay:1"], ["--elastic", "1", "--nproc", "2"]])
def test_wrong_options_are_errors(tmp_path, words):
    result = command([everything("eager"), *words], cwd=tmp_path)
    assert result.status == 1 and "Bad option argument" in result.err, str(result)


def test_arguments_are_those_of_the_checkpoint(tmp_path):
    program, image = everything("eager"), tmp_path / "image"
    image_of(program, image)
    result = command([program, "--restart", image, "5"])
    assert result.status == 1 and "'5' is one too many" in result.err, str(result)


@pytest.mark.tier("test")
@pytest.mark.sample(2, "all")
@pytest.mark.parametrize("name,arguments", [("queens", ["22", "100"]), ("cilksort", ["2000000"]), ("matmul", ["1024"]), ("knapsack", ["46"])])
def test_samples_that_are_killed_come_to_the_same_end(tmp_path, name, arguments):
    """They check their results themselves. With inlets and aborts, what they print last does not depend on the
    schedule."""
    program = built([CILKC, "-O2", "-include", "cilk-malloc.h", TESTS.parent / "samples" / (name + ".cilk")])
    plain = command([program, *arguments])
    status, out, err, killed, restarts = kills.run_with_kills(
        program, arguments, tmp_path / "image", random.Random(name), kills=4, first=4
    )
    assert status == 0 and out.splitlines()[-1] == plain.out.splitlines()[-1], (out, err)
    assert killed and restarts


@pytest.mark.aarch64
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_another_processor_goes_on_and_back(tmp_path, strategy):
    """From x86-64 to AArch64 and back: widths and byte order are the same, addresses go by names."""
    need("qemu-aarch64", "aarch64-linux-gnu-gcc")
    here, there = everything(strategy), everything(strategy, "--target=aarch64-linux-gnu")
    qemu = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", there, "--nproc", "2"]
    arguments = ["13", "40"]
    plain = command([here, *arguments])
    kills.first_image([here], tmp_path / "one", arguments)
    result = command([*qemu, "--restart", tmp_path / "one", "--checkpoint", tmp_path / "two", "--every", "10ms"])
    assert (result.status, result.out, result.err) == (0, plain.out, ""), str(result)
    result = command([here, "--restart", tmp_path / "two"])
    assert (result.status, result.out, result.err) == (0, plain.out, ""), str(result)
