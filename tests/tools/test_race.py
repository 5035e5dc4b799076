"""`cilkc race`: the programs of tests/race, the detector itself against brute force, the command.

A program says with `// RACE: 12 15` which two lines race, with `// RACE: 12 15 early` or another type what else is
reported, several of them separated by commas; one without such a comment has nothing. What is reported must be exactly
that, at every level. Most programs are families of procedures that run one after the other.
"""

import json
import os
import pathlib
import re
import signal
import subprocess

import pytest

from conftest import BUILD, ROOT, RT_INCLUDES, command, compiled
from tiers import TIERS, crossed, tier

pytestmark = pytest.mark.tier("check")

CILKC = ROOT / "cilkc"
PROGRAMS = sorted((ROOT / "tests/race").glob("*.cilk*"))
LEVELS = ("-O0", "-O2", "-O3")
NOTES = {"unordered", "split", "view", "sequence"}        # which do not count for the exit status


def announced(path):
    text = path.read_text()
    pairs = sorted(
        (min(int(a), int(b)), max(int(a), int(b)), what or "race")
        for line in re.findall(r"^// RACE: (.*)$", text, re.M)
        for a, b, what in re.findall(r"(\d+) (\d+)(?: ([\w-]+))?(?:, |$)", line)
    )
    arguments = re.search(r"^// ARGS: (.*)$", text, re.M)
    stdin = re.search(r"^// STDIN: (.*)$", text, re.M)
    return pairs, (arguments.group(1).split() if arguments else []), (stdin.group(1) + "\n" if stdin else "")


def detect(path, *flags, arguments=(), stdin=""):
    words = [str(CILKC), "race", "--json", *(str(flag) for flag in flags), str(path)] + (
        ["--", *arguments] if arguments else []
    )
    return subprocess.run(words, capture_output=True, text=True, timeout=300, input=stdin)


def found(result):
    """(line, line, type) of what is reported, notes included."""
    report = json.loads(result.stdout)
    return sorted(
        {
            (*sorted(a["line"] for a in row["accesses"]), row["type"])
            for row in report["races"] + report.get("notes", [])
        }
    )


def counts(pairs):
    return any(what not in NOTES for *_, what in pairs)


def levels():
    """Each program at each level: a hash of its name chooses the level that the first tiers try."""
    for path in PROGRAMS:
        yield from crossed([pytest.param(path, id=path.stem)], LEVELS, "check", "all")


@pytest.mark.parametrize("path, level", levels())
def test_program(path, level):
    pairs, arguments, stdin = announced(path)
    result = detect(path, level, arguments=arguments, stdin=stdin)
    assert result.stdout, str(result.stderr)
    assert found(result) == pairs, str(result.stderr)
    assert result.returncode == (1 if counts(pairs) else 0)


def test_there_are_many_of_both_kinds():
    """Pairs that are reported, and main and other procedures that end without one."""
    pairs = sum(len(announced(path)[0]) for path in PROGRAMS)
    procedures = sum(len(re.findall(r"^cilk \w+ \w+\(void\)", path.read_text(), re.M)) for path in PROGRAMS)
    assert pairs >= 300 and procedures >= 2 * pairs


# ---- the detector against brute force ----

def oracle(tmp_path, *seeds, name="oracle"):
    program = tmp_path / "oracle"
    cc = [
        "cc",
        "-std=gnu17",
        "-O1",
        *RT_INCLUDES,
        str(ROOT / "tests/race" / (name + ".c")),
        str(BUILD / "lib/libcilkrace.a"),
        str(ROOT / "rt/core/base/crash.c"),
        "-lpthread",
        "-o",
        str(program),
    ]
    assert command(cc).status == 0
    return subprocess.run([str(program)] + [str(s) for s in seeds], capture_output=True, text=True, timeout=400)


def sizes(*counts):
    """How many programs are tried in each tier."""
    return pytest.mark.parametrize("count", [pytest.param(n, marks=tier(name)) for n, name in zip(counts, TIERS)])


@sizes(800, 2500, 20000)
def test_random_programs_race_where_their_dags_say(tmp_path, count):
    result = oracle(tmp_path, 1, count)
    assert result.returncode == 0, result.stdout


@sizes(400, 2000, 6000)
def test_random_threads_race_where_their_dags_say(tmp_path, count):
    result = oracle(tmp_path, 1, count, name="oracle_threads")
    assert result.returncode == 0, result.stdout


@sizes(500, 1500, 10000)
def test_locks_are_held_until_anybody_gives_them_back(tmp_path, count):
    result = oracle(tmp_path, 1, count, "kept")
    assert result.returncode == 0, result.stdout


READERS = """int table[64];
static int sum(int from) { int s = 0; while (from < 64 && table[from] >= 0) s += table[from++]; return s; }
cilk int read(int low, int high)
{
    int a, b;
    if (high - low == 1)
        return sum(low & 63);
    a = spawn read(low, low + (high - low) / 2);
    b = spawn read(low + (high - low) / 2, high);
    sync;
    return a + b;
}
cilk int main(int argc, char **argv) { int r; r = spawn read(0, %d); sync; return r != 0; }
"""


@pytest.mark.parametrize("level", LEVELS)
def test_children_that_only_read_what_others_read_are_not_remembered(tmp_path, level):
    """One reader stands for all that are parallel to it: the detector's memory does not grow with their number."""
    memory = []
    for children in (1000, 16000):
        (tmp_path / "p.cilk").write_text(READERS % children)
        report = tmp_path / ("report%d" % children)
        subprocess.run(
            [str(CILKC), level, "-w", "-cilk-tool=race", "p.cilk", "-o", "p"], cwd=tmp_path, check=True, timeout=300
        )
        subprocess.run([str(tmp_path / "p")], check=True, timeout=300, env={"CILK_RACE_REPORT": str(report)})
        end = [json.loads(line) for line in report.read_text().splitlines()][-1]
        memory.append(end["memory"])
    assert memory[1] < memory[0] + 10000, memory


# ---- the command ----

SPIN_LOCK = """#include <stdatomic.h>
static %s;
static int count, other;
static void take(void) { %s }
static void give(void) { %s }
cilk void add(void) { take(); count++; give(); }
cilk void plain(void) { other++; }
cilk int main(void) { spawn add(); spawn add(); spawn plain(); spawn plain(); sync; return count != 2; }
"""


@pytest.mark.parametrize("lock, take, give", [
    ("atomic_flag l = ATOMIC_FLAG_INIT", "while (atomic_flag_test_and_set(&l)) ;", "atomic_flag_clear(&l);"),
    ("_Atomic int l", "int none = 0; while (!atomic_compare_exchange_weak(&l, &none, 1)) none = 0;", "l = 0;"),
    ("int l", "while (__atomic_exchange_n(&l, 1, __ATOMIC_ACQUIRE)) ;", "__atomic_store_n(&l, 0, __ATOMIC_RELEASE);"),
    ("int l", "while (__sync_lock_test_and_set(&l, 1)) ;", "__sync_lock_release(&l);"),
], ids=["flag", "compare-and-exchange", "exchange", "sync"])
def test_a_lock_made_of_atomic_operations_is_a_lock(tmp_path, lock, take, give):
    (tmp_path / "p.cilk").write_text(SPIN_LOCK % (lock, take, give))
    rows = json.loads(detect(tmp_path / "p.cilk").stdout)["races"]
    assert [row["object"] for row in rows] == ["other"], rows


def test_a_lock_made_of_atomic_operations_that_is_not_recognised_is_hinted_at(tmp_path):
    """The race under it is reported, with a hint; one without any atomic operation has no such hint. Here the lock is a
    queue of nodes."""
    (tmp_path / "p.cilk").write_text(
        SPIN_LOCK
        % (
            "struct node { _Atomic int waits; } first, here[2]; static _Atomic(struct node *) last = &first",
            "struct node *me = here + count, *before; me->waits = 1; before = atomic_exchange(&last, me); while (before->waits) ;",
            "atomic_store(&atomic_load(&last)->waits, 0);",
        )
    )
    rows = json.loads(detect(tmp_path / "p.cilk").stdout)["races"]
    hints = {row["object"]: "a lock that the program makes of atomic operations" in row["hint"] for row in rows}
    assert hints == {"count": True, "other": False}, rows
    named = {row["object"]: "by `atomic_exchange(&last, me)`," in row["hint"] for row in rows}
    assert named == {"count": True, "other": False}, rows


@pytest.mark.tier("test")
@pytest.mark.waits
def test_a_long_run_is_remarked_on(tmp_path):
    """A loop that waits for a sibling does not end in a serial run. This program sleeps, which costs less. A signal
    ends the tool without a message of its own."""
    (tmp_path / "p.cilk").write_text("#include <unistd.h>\ncilk int main(void) { sleep(100); return 0; }\n")
    with subprocess.Popen(
        [str(CILKC), "race", "p.cilk"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, CILKC_PROGRESS="1"),
    ) as process:
        said = process.stderr.readline()
        process.terminate()
        said += process.stderr.read()
    assert process.returncode == 128 + signal.SIGTERM, (process.returncode, said)
    assert said.startswith("cilkc race: the program has run for 10 s. It runs serially here") and said.count("\n") == 1, said


def test_the_manuals_example(tmp_path):
    text = (ROOT / "docs/race.md").read_text()
    (tmp_path / "words.cilk").write_text(re.search(r"```c\n(.*?)```", text, re.S).group(1))
    result = subprocess.run(
        [str(CILKC), "race", "words.cilk"], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert result.stdout == "10 words\n" and result.returncode == 1
    warning, _, report = result.stderr.partition("1 warning generated.\n")
    assert "[-Wparallel-updates]" in warning and report == re.search(r"```text\n(.*?)```", text, re.S).group(1)


ROTATE = """#include <stdlib.h>
int *pool[8];
cilk void keep(int *p) { p[0]++; }
cilk int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]);
    for (int r = 0; r < rounds; r++) {
        int *p = Cilk_malloc(4096);
        for (int i = 0; i < 64; i++) spawn keep(p + 16 * i);
        sync;
        Cilk_free(pool[r % 8]);
        pool[r % 8] = p;
    }
    return argc > 9;
}
"""


def test_memory_is_bounded_by_what_is_alive(tmp_path):
    """Ten times as many rounds leave as much alive: the memory of the detector does not grow with the run."""
    (tmp_path / "p.cilk").write_text(ROTATE)
    command([CILKC, "build", "-cilk-tool=race", tmp_path / "p.cilk", "-o", tmp_path / "p"])
    most = []
    for rounds in ("3000", "30000"):
        environment = {**os.environ, "CILK_RACE_REPORT": str(tmp_path / "report")}
        pid = os.posix_spawn(tmp_path / "p", [str(tmp_path / "p"), rounds], environment)
        _, status, usage = os.wait4(pid, 0)
        assert status == 0 and (tmp_path / "report").exists()
        most.append(usage.ru_maxrss)
    assert most[1] < most[0] + 2000, most


@pytest.fixture(scope="session")
def counted(tmp_path_factory):
    """The programs of race/work, linked with a detector that counts how many blocks of its code run."""
    folder, work = tmp_path_factory.mktemp("counted"), ROOT / "tests/race/work"
    # beside the build, where `make mutants` has changed them
    root = BUILD.parent if (BUILD.parent / "rt/tools/race").is_dir() else ROOT
    objects = [folder / (name + ".o") for name in ("bags", "futures", "shadow")]
    for object in objects:
        source = root / "rt/tools/race" / (object.stem + ".c")
        compiled(["cc", "-std=gnu17", "-O1", "-fPIE", "-fsanitize-coverage=trace-pc", "-I", root, "-c", source, "-o", object])
    compiled(["cc", "-O2", "-fPIE", "-c", work / "blocks.c", "-o", folder / "blocks.o"])
    for source, words in (("calls.c", ["-fopencilk"]), ("futures.cilk", [])):
        program = folder / source.partition(".")[0]
        words = [*words, "-w", "-O1", "-cilk-tool=race", work / source, *objects, folder / "blocks.o", "-o", program]
        compiled([CILKC, *words])
    return folder


WAYS = {
    "calls": {"calls": 1000000, "loops": 100000, "in-calls": 100000, "procedures": 100000, "spawns": 100000},
    "futures": {"renewed": 100000, "declared-again": 100000, "children": 100000, "forwards": 100000, "backwards": 100000, "syncs": 100000},
}
# Which have as many futures, or children, at one time.
ALIVE = ("declared-again", "children", "forwards", "backwards", "syncs")


@pytest.mark.sample(3, "test")
@pytest.mark.parametrize("program, way", [pytest.param(p, way, id=way) for p, ways in WAYS.items() for way in ways])
def test_the_work_of_the_detector_is_linear_in_the_number_of_calls(counted, tmp_path, program, way):
    """A kernel that is repeated costs the same each time, and leaves nothing."""
    few, many = 2000, WAYS[program][way]

    def run(n, most):
        report = tmp_path / str(n)
        result = subprocess.run(
            [counted / program, str(n), way[0]],
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, "CILK_RACE_REPORT": str(report), "BLOCKS": str(most)},
        )
        assert result.returncode == 0, "%s: more than %d blocks for %d calls" % (way, most, n)
        blocks = int(re.search(r"(\d+) blocks", result.stderr).group(1))
        return blocks, json.loads(report.read_text().splitlines()[-1])["memory"]

    blocks, _ = run(few, 2**63)
    more_blocks, memory = run(many, int(1.2 * blocks / few * many))
    assert more_blocks > blocks / few * many / 2
    assert way in ALIVE or memory < 8 << 20


def test_the_compilers_warnings_are_shown_and_a_hint_in_one_line_has_columns(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "int x; cilk int g(void) { return ++x; } cilk int main(void) { int a, b; a = spawn g(); b = a; "
        "b += spawn g(); sync; return b; }\n"
    )
    result = detect(tmp_path / "p.cilk")
    assert "receiver-read" in result.stderr
    assert any(re.search(r"on line 1.* \(column \d+\)", row["hint"]) for row in json.loads(result.stdout)["races"]), result.stdout


def test_a_program_that_fails_has_status_2_and_3_with_races(tmp_path):
    (tmp_path / "f.cilk").write_text(
        "int x; cilk void f(void) { x++; } cilk int main(void) { spawn f(); spawn f(); sync; return 3; }\n"
    )
    result = detect(tmp_path / "f.cilk")
    assert result.returncode == 3 and found(result) == [(1, 1, "race")] and "ended with status 3" in result.stderr
    (tmp_path / "g.cilk").write_text(
        "int x; cilk void f(void) { x++; } cilk int main(void) { spawn f(); spawn f(); sync; *(volatile int *)0 = 1; return 0; }\n"
    )
    result = detect(tmp_path / "g.cilk")
    assert result.returncode == 3 and found(result) == [(1, 1, "race")] and "SIGSEGV" in result.stderr
    (tmp_path / "g.cilk").write_text("cilk int main(void) { return 3; }\n")
    assert detect(tmp_path / "g.cilk").returncode == 2
    (tmp_path / "h.cilk").write_text("cilk int main(void) { return nothing; }\n")
    assert detect(tmp_path / "h.cilk").returncode == 2
    assert detect(tmp_path / "missing.cilk").returncode == 2


@pytest.mark.parametrize("ending, why", [("raise(2)", "was ended by SIGINT"), ("exit(3)", "ended with status 3")])
def test_a_run_that_fails_shows_no_absence_of_races(tmp_path, ending, why):
    (tmp_path / "p.cilk").write_text(
        "#include <signal.h>\n#include <stdlib.h>\nint x; cilk void f(void) { x++; }\n"
        "cilk int main(void) { %s; spawn f(); spawn f(); sync; return 0; }\n" % ending
    )
    words = [CILKC, "race", "-w", "--html", tmp_path / "p.html", "--sarif", tmp_path / "p.sarif", tmp_path / "p.cilk"]
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)
    unseen = "the program %s; there may be races that were not seen" % why
    assert result.returncode == 2
    assert result.stderr == "cilkc race: not complete: the program %s (up to there: no races)\ncilkc: error: %s\n" % (why, unseen)
    page = (tmp_path / "p.html").read_text()
    assert "<h1>cilkc race: not complete: the program %s (up to there: no races)</h1>" % why in page and "<p>%s</p>" % unseen in page
    invocation, = json.loads((tmp_path / "p.sarif").read_text())["runs"][0]["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"] == [{"level": "error", "message": {"text": unseen}}]


@pytest.mark.parametrize(("value", "why"), [
    (0, "the semaphore is 0, and what posts it comes later"),
    (1, "the lock is already held: this deadlocks. It was acquired on line 5, by `sem_wait(&s)` in take, and not released"),
])
def test_what_the_serial_program_waits_for_is_named(tmp_path, value, why):
    source = tmp_path / "waits.cilk"
    source.write_text("""#include <semaphore.h>
static sem_t s;
cilk void take(void)
{
    if (%d) sem_wait(&s);
    sem_wait(&s);
}
cilk int main(void) { sem_init(&s, 0, %d); spawn take(); sem_post(&s); sync; return 0; }
""" % (value, value))
    result = detect(source)
    assert result.returncode == 2
    assert "waits.cilk:6: " in result.stderr and why in result.stderr


@pytest.mark.parametrize("name, made, unlock, why", [
    ("forgotten", "Cilk_lock_init(l);", "if (i % 2)", "6: Cilk_lock(l): race detector: fatal error: the lock is already held: "
     "this deadlocks. It was acquired on line 6, by `Cilk_lock(l)` in add, and not released"),
    ("not-initialised", "l[0] = 1;", "", "6: Cilk_lock(l): race detector: fatal error: the lock was not initialised"),
], ids=["forgotten", "not-initialised"])
def test_a_lock_that_cannot_be_taken_is_named(tmp_path, name, made, unlock, why):
    (tmp_path / "l.cilk").write_text("""#include <cilk.h>
Cilk_lockvar l;
int x;
cilk void add(int i)
{
    Cilk_lock(l);
    x++;
    %s Cilk_unlock(l);
}
cilk int main(void)
{
    %s
    for (int i = 0; i < 4; i++) spawn add(i);
    sync;
    return 0;
}
""" % (unlock, made))
    result = detect(tmp_path / "l.cilk", "-w")
    assert result.returncode == 2 and "l.cilk:" + why in result.stderr, str(result.stderr)


def test_several_files_output_and_report(tmp_path):
    (tmp_path / "a.cilk").write_text('#include <stdio.h>\nextern void add(void);\ncilk void f(void) { add(); }\n'
                                     'cilk int main(void) { spawn f(); spawn f(); sync; puts("done"); return 0; }\n')
    (tmp_path / "b.c").write_text("static int hidden;\nvoid add(void) { hidden += N; }\n")
    words = [
        str(CILKC),
        "race",
        "-DN=2",
        "--report",
        str(tmp_path / "r.json"),
        str(tmp_path / "a.cilk"),
        str(tmp_path / "b.c"),
    ]
    result = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert result.stdout == "done\n" and result.returncode == 1
    race, = json.loads((tmp_path / "r.json").read_text())["races"]
    assert race["object"] == "hidden" and [a["procedure"] for a in race["accesses"]] == ["add", "add"]
    assert all(a["file"].endswith("b.c") and a["line"] == 2 for a in race["accesses"])


@pytest.mark.parametrize("sanitizer", ["address", "undefined"])
def test_with_sanitizers(sanitizer):
    for name in ("lists-and-trees", "locals-and-globals", "alloca-and-variable-arrays"):
        path = ROOT / "tests/race" / (name + ".cilk")
        result = detect(path, "-fsanitize=" + sanitizer)
        assert found(result) == announced(path)[0], result.stderr


@pytest.mark.sample(8, "test", 2)
@pytest.mark.parametrize("path", sorted((ROOT / "samples").glob("*.cilk")), ids=lambda p: p.stem)
def test_samples(path):
    """They have no races, but for the one that is there to show a race."""
    result = detect(path, arguments=announced(path)[1])
    races = json.loads(result.stdout)["races"]
    if path.stem == "race":
        race, = races
        assert race["object"] == "counter" and result.returncode == 1
        line = path.read_text().splitlines()[race["accesses"][0]["line"] - 1]
        assert "counter = counter + 1" in line
    else:
        assert races == [] and result.returncode == 0, result.stderr


def test_code_that_is_not_seen_is_named(tmp_path):
    """Objects from another compiler, archives of them, libraries by name, C files for another compiler; not those that
    were made for the detector."""
    (tmp_path / "p.cilk").write_text(
        "void add(void);\ncilk void f(void) { add(); }\ncilk int main(void) { spawn f(); spawn f(); sync; return 0; }\n"
    )
    (tmp_path / "c.c").write_text("static int hidden;\nvoid add(void) { hidden++; }\n")
    subprocess.run(["cc", "-c", "c.c", "-o", "c.o"], cwd=tmp_path, check=True)
    subprocess.run(["ar", "rcs", "libc1.a", "c.o"], cwd=tmp_path, check=True)
    for words, name in (
        (["c.o"], "c.o"),
        (["-L.", "-lc1", "-lm"], "-lc1"),
        (["libc1.a"], "libc1.a"),
        (["--cc=cc", "c.c"], "c.c"),
    ):
        result = subprocess.run(
            [str(CILKC), "race", "--json", "p.cilk", *words], capture_output=True, text=True, cwd=tmp_path, timeout=300
        )
        assert result.returncode == 0 and json.loads(result.stdout) == {"races": [], "unseen": [name]}, (
            result.stdout + result.stderr
        )
        assert (
            result.stderr
            == "cilkc: note: compiled without the detector: %s; what is done to memory there is not seen\n" % name
        )
    subprocess.run([str(CILKC), "-cilk-tool=race", "-c", "c.c", "-o", "c.o"], cwd=tmp_path, check=True)
    result = subprocess.run(
        [str(CILKC), "race", "--json", "p.cilk", "c.o"], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert found(result) == [(2, 2, "race")] and result.stderr == "", result.stderr


def test_a_page_sarif_and_the_iterations_of_a_loop(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "#include <par.cilkh>\nint a[9];\nvoid body(long i, void *c) { a[i] = a[i + 1]; }\n"
        "cilk int main(void) { spawn par_for(0, 2, body, 0); sync; return 0; }\n"
    )
    words = [str(CILKC), "race", "--json", "--html", "r.html", "-o", "r.sarif", "p.cilk"]
    result = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    race, = json.loads(result.stdout)["races"]
    assert sorted(a["iteration"] for a in race["accesses"]) == [0, 1] and result.returncode == 1
    assert "return their part" in race["hint"] or "give each its own" in race["hint"]
    sarif, = json.loads((tmp_path / "r.sarif").read_text())["runs"]
    assert (
        sarif["results"][0]["ruleId"] == "race"
        and sarif["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    )
    page = (tmp_path / "r.html").read_text()
    assert "void body(long i" in page and "parallel because of the spawn at " in page
    result = subprocess.run(
        [str(CILKC), "race", "-o", "r.txt", "p.cilk"], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert (
        result.returncode == 2
        and "ends in .html, .sarif or .json" in result.stderr
        and not (tmp_path / "r.txt").exists()
    )


MASKED = """#include <immintrin.h>
_Alignas(64) int v[32];
static void vector(int k)
{
    %s;
}
cilk void f(int k) { vector(k); }
cilk int main(void) { spawn f(0); spawn f(1); sync; return 0; }
"""


@pytest.mark.parametrize("set_of, text, apart, meet", [
    ("sse2", "_mm_storeu_si128((__m128i *)(v + %s * k), _mm_set1_epi32(k))", "4", "3"),
    ("sse2", "_mm_maskmoveu_si128(_mm_set1_epi8(1), _mm_set1_epi16(k ? %s : 255), (char *)v)", "-256", "-1"),
    ("avx2", "_mm256_maskstore_epi32(v, _mm256_set1_epi64x(k ? %s : 1ll << 31), _mm256_set1_epi32(k))", "1ll << 63", "-1"),
    ("avx2", "v[9 * k] = _mm256_cvtsi256_si32(_mm256_maskload_epi32(v, _mm256_set_epi32(0, 0, 0, 0, -1, 0, 0, %s)))", "0", "-1"),
    ("avx2", "v[9 * k] = _mm256_cvtsi256_si32(_mm256_mask_i32gather_epi32(_mm256_set1_epi32(1), v, "
     "_mm256_set1_epi32(9), _mm256_set1_epi32(%s), 4))", "0", "-1"),
    ("avx512f", "_mm512_mask_storeu_epi32(v, k ? %s : 0x5555, _mm512_set1_epi32(k))", "0xaaaa", "0xaaab"),
    ("avx512f", "_mm512_mask_compressstoreu_epi32(v + 7 * k, %s, _mm512_set1_epi32(k))", "0xaaa8", "0xaaaa"),
    ("avx512f", "v[8 * k] = _mm512_reduce_add_epi32(_mm512_maskz_expandloadu_epi32(%s, v + 1))", "0xaa0a", "0xaaaa"),
    ("avx512f", "_mm512_mask_i32scatter_epi32(v, %s, _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, "
     "15), _mm512_set1_epi32(k), 4)", "k ? 0xf00f : 0xff0", "0x8000"),
], ids=["store", "bytes", "lanes", "load", "gather", "bits", "compressed", "expanded", "scatter"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.sample(9, "test", 4)
def test_a_vector_instruction_accesses_the_lanes_of_its_mask_at_the_users_line(tmp_path, set_of, text, apart, meet, level):
    cpu = pathlib.Path("/proc/cpuinfo").read_text().split()
    if set_of not in cpu:
        pytest.skip("this processor has no " + set_of)
    for mask, races in ((apart, []), (meet, [(5, 5, "race")])):
        (tmp_path / "p.cilk").write_text(MASKED % (text % mask))
        result = detect(tmp_path / "p.cilk", level, "-m" + set_of)
        assert found(result) == races, result.stdout + result.stderr


def test_threads_of_the_programs_own_are_named(tmp_path):
    """Made in the text or by other objects; what they do is not mixed with what the followed thread does."""
    text = """#include <pthread.h>
int x;
static void *bump(void *p) { for (int i = 0; i < 100000; i++) ++*(int *)p; return p; }
%s
cilk void f(void) { x = 1; }
cilk int main(void)
{
    int own = 0;
    pthread_t thread;
    start(&thread, &own);
    for (int i = 0; i < 1000; i++) { spawn f(); sync; }
    pthread_join(thread, 0);
    return own != 100000;
}
"""
    maker = "void start(pthread_t *t, int *p) { pthread_create(t, 0, bump, p); }"
    (tmp_path / "p.cilk").write_text(text % ("static " + maker))
    result = detect(tmp_path / "p.cilk")
    assert (
        result.returncode == 0
        and "note: the program makes a thread at " in result.stderr
        and "p.cilk:4: what such threads do is not seen" in result.stderr
    ), result.stderr
    assert json.loads(result.stdout)["threads"][0]["line"] == 4
    (tmp_path / "p.cilk").write_text((text % ("static " + maker)).replace(
        "pthread_join(thread, 0);", "pthread_join(thread, 0);\n    own = 0; start(&thread, &own); pthread_join(thread, 0);"))
    assert detect(tmp_path / "p.cilk").stderr.count("the program makes a thread at") == 1
    (tmp_path / "m.c").write_text(
        "#include <pthread.h>\nvoid start(pthread_t *t, void *(*f)(void *), int *p) { pthread_create(t, 0, f, p); }\n"
    )
    (tmp_path / "p.cilk").write_text(
        text.replace("start(&thread, ", "start(&thread, bump, ") % "void start(pthread_t *, void *(*)(void *), int *);"
    )
    result = detect(tmp_path / "p.cilk", "--cc=cc", tmp_path / "m.c")
    assert result.returncode == 0 and json.loads(result.stdout)["races"] == [], result.stderr


def test_a_loop_that_waits_for_a_sibling_is_named(tmp_path):
    (tmp_path / "w.cilk").write_text("""volatile int ready;
cilk void waits(void) { while (!ready) ; }
cilk void sets(void) { ready = 1; }
cilk int main(void) { spawn waits(); spawn sets(); sync; return 0; }
""")
    subprocess.run([str(CILKC), "-w", "-cilk-tool=race", "w.cilk", "-o", "w"], cwd=tmp_path, check=True, timeout=300)
    with subprocess.Popen(
        [str(tmp_path / "w")], stderr=subprocess.PIPE, text=True, env={"CILK_RACE_WATCH": "1"}
    ) as process:
        line = process.stderr.readline()
        process.kill()
    assert line.startswith("w.cilk:2: race detector: note: nothing new has happened"), line


# ---- C calls procedures ----

CALLED = """int total;
cilk void add(int n) { total += n; }
cilk int twice(int n)
{
    spawn add(n);
    spawn add(n);
    sync;
    return total;
}
"""
C_MAIN = """#include <cilk.h>
#include <stdio.h>
extern int EXPORT(twice)(CilkContext *const, int);
int main(int argc, char *argv[])
{
    CilkContext *context = Cilk_init(&argc, argv);
    int r = EXPORT(twice)(context, 10);
    r += EXPORT(twice)(context, 11);
    Cilk_terminate(context);
    printf("%d\\n", r);
    return 0;
}
"""


def test_a_main_in_c(tmp_path):
    """Each call is a computation of its own, and they come one after the other."""
    (tmp_path / "p.cilk").write_text(CALLED)
    (tmp_path / "m.c").write_text(C_MAIN)
    result = subprocess.run(
        [str(CILKC), "race", "--json", "p.cilk", "m.c"], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert found(result) == [(2, 2, "race")] and result.stderr.endswith("62\n"), result.stderr
    (tmp_path / "p.cilk").write_text(CALLED.replace("spawn add(n);\n    spawn", "spawn add(n);\n    sync;\n    spawn"))
    result = subprocess.run(
        [str(CILKC), "race", "--json", "p.cilk", "m.c"], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert found(result) == [] and result.returncode == 0, result.stderr


def test_a_call_from_c_inside_of_a_procedure_waits_for_its_own_children_only(tmp_path):
    """The sync of the called procedure does not sync the caller's child; what the call did is over when it returns."""
    (tmp_path / "p.cilk").write_text("""#include <cilk.h>
int x, y;
int EXPORT(inner)(CilkContext *const, int);
cilk void sets(int *p) { *p = 1; }
cilk int inner(int n) { spawn sets(&y); sync; return n; }
int through_c(int n) { return EXPORT(inner)(0, n); }
cilk int main(void)
{
    int n;
    spawn sets(&x);
    n = through_c(1);
    n += y;
    n += x;
    sync;
    return n < 0;
}
""")
    result = detect(tmp_path / "p.cilk")
    assert found(result) == [(4, 13, "race")], result.stdout + result.stderr


def test_switched_off_for_a_function(tmp_path):
    text = """int hits, misses;
%s void count(void) { hits++; }
%s cilk void child(void) { misses++; count(); }
cilk int main(void) { spawn child(); spawn child(); sync; return 0; }
"""
    for off in ("__attribute__((cilk_no_race))", '__attribute__((no_sanitize("cilk-race")))'):
        (tmp_path / "p.cilk").write_text(text % (off, ""))
        assert found(detect(tmp_path / "p.cilk")) == [(3, 3, "race")]
        (tmp_path / "p.cilk").write_text(text % ("", off))
        assert found(detect(tmp_path / "p.cilk")) == [(2, 2, "race")]
        (tmp_path / "p.cilk").write_text(text % (off, off))
        assert found(detect(tmp_path / "p.cilk")) == []
