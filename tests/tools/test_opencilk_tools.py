"""OpenCilk's tools: -fcilktool=cilkscale and its variants, -fsanitize=cilk, <cilk/cilkscale.h>, <cilk/cilksan.h>,
<cilk/cilk_api.h>.

Expected: tables in Cilkscale's form, whose numbers follow from the program's shape; races that are there by
construction.
"""

import csv
import io
import time

import pytest

from conftest import CILKC, STRATEGIES, compiled, command

pytestmark = pytest.mark.tier("check")

HEADER = ["tag", "work (%s)", "span (%s)", "parallelism", "burdened_span (%s)", "burdened_parallelism"]
MEASURED = r"""#include <cilk/cilkscale.h>
#include <stdio.h>
static volatile double sink[8];
static void spin(int i) { for (int k = 0; k < 400000; k++) sink[i] += k; }
int main(void) {
    wsp_t start = wsp_getworkspan();
    #pragma cilk grainsize 1
    cilk_for (int i = 0; i < 8; i++) spin(i);
    wsp_t middle = wsp_getworkspan();
    spin(0);
    wsp_t end = wsp_getworkspan();
    wsp_t loop = wsp_sub(middle, start), serial = wsp_sub(end, middle);
    wsp_dump(loop, "loop");
    wsp_dump(serial, "serial");
    wsp_dump(wsp_add(loop, serial), "both");
    fprintf(stderr, "%d\n", loop.work > 0 && wsp_zero().work == 0);
    return 0;
}
"""


def table(text, unit):
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == [word.replace("%s", unit) for word in HEADER], text
    assert [row[0] for row in rows[1:]] == ["loop", "serial", "both", ""], text
    return {row[0]: [float(x) for x in row[1:]] for row in rows[1:]}


def build(tmp_path, text, *flags):
    (tmp_path / "p.c").write_text(text)
    compiled([CILKC, "-O1", *flags, tmp_path / "p.c", "-o", tmp_path / "p"])
    return tmp_path / "p"


def shape(rows, slack):
    loop, serial, both, whole = (rows[tag] for tag in ("loop", "serial", "both", ""))
    assert abs(loop[2] / 8 - 1) < slack and abs(serial[2] - 1) < slack          # eight equal iterations; one strand
    assert abs(both[0] / (loop[0] + serial[0]) - 1) < 0.01 and both[0] <= whole[0] * 1.01
    # burdens lengthen the span
    assert all(row[3] >= row[1] * 0.999 and row[4] <= row[2] * 1.001 for row in rows.values())


def test_cilkscale_counts(tmp_path):
    """-instructions: the same table in each run, on standard output or in CILKSCALE_OUT. No -fopencilk is needed."""
    program = build(tmp_path, MEASURED, "-fcilktool=cilkscale-instructions")
    first = command([program])
    assert first.err == "1\n" and first.status == 0, str(first)
    shape(table(first.out, "instructions"), 0.01)
    second = command([program], env={"CILKSCALE_OUT": str(tmp_path / "table.csv"), "CILK_NWORKERS": "2"})
    assert second.out == "" and (tmp_path / "table.csv").read_text() == first.out


def test_cilkscale_takes_time(tmp_path):
    """In seconds. No number is asserted. Work, span and burdened span are in order, and a serial run has no more work
    than time passed."""
    program, before = build(tmp_path, MEASURED, "-fcilktool=cilkscale"), time.monotonic()
    rows = table(command([program]).out, "seconds")
    passed = time.monotonic() - before
    assert rows["loop"][0] > rows["loop"][1] > 0 and passed > rows[""][0] >= rows["both"][0]


def test_cilkscale_benchmark(tmp_path):
    """Wall time alone, of a program that runs in parallel."""
    program = build(tmp_path, MEASURED, "-fcilktool=cilkscale-benchmark")
    rows = list(csv.reader(io.StringIO(command([program], env={"CILK_NWORKERS": "2"}).out)))
    assert (
        rows[0] == ["tag", "time (seconds)"]
        and [row[0] for row in rows[1:]] == ["loop", "serial", "both", ""]
        and all(float(row[1]) >= 0 for row in rows[1:])
    )
    for _ in range(30):                                     # a busy machine may run it without a steal
        stats = command(
            [program], env={"CILK_NWORKERS": "2", "CILK_OPTIONS": "--stats 2", "CILKSCALE_OUT": "/dev/null"}
        )
        if "Steals" in stats.out + stats.err:
            return
    pytest.fail(str(stats))


@pytest.mark.parametrize("tool", ["cilkscale-benchmark", "cilkscale-instructions"])
def test_cilkscale_reports_a_file_that_cannot_be_written(tool, tmp_path):
    program = build(tmp_path, MEASURED, "-fcilktool=" + tool)
    result = command([program], env={"CILKSCALE_OUT": str(tmp_path / "absent" / "table.csv")})
    assert result.status == 125 and "CILKSCALE_OUT cannot be written" in result.err, str(result)


def test_cilkscale_without_the_tool(tmp_path):
    result = command([build(tmp_path, MEASURED, "-fopencilk")])
    assert (result.out, result.err) == ("", "0\n")


RACES = r"""#include <cilk/cilksan.h>
#include <stdio.h>
static int x, y, z, w;
static Cilksan_fake_mutex mutex;
static void locked(void) { __cilksan_acquire_lock(&mutex); x++; __cilksan_release_lock(&mutex); }
static void atomic(void) { __cilksan_begin_atomic(); y++; __cilksan_end_atomic(); }
static void unchecked(void) { __cilksan_disable_checking(); z++; __cilksan_enable_checking(); }
static void racy(void) { w++; }
int main(void) {
    cilk_spawn locked();
    locked();
    cilk_sync;
    cilk_spawn atomic();
    atomic();
    cilk_sync;
    cilk_spawn unchecked();
    unchecked();
    cilk_sync;
    RACE
    printf("%d %d %d %d %d\n", x, y, z, w, __cilksan_is_checking_enabled());
    return 0;
}
"""


def test_cilksan_reports_at_exit(tmp_path):
    """The program itself reports, on stderr or in CILKSAN_OUT, and its status is its own."""
    program = build(tmp_path, RACES, "-fsanitize=cilk", "-DRACE=cilk_spawn racy(); racy(); cilk_sync;")
    result = command([program])
    assert result.status == 0 and result.out == "2 2 2 2 1\n", str(result)
    lines = result.err.splitlines()
    assert all("w" in line and "p.c:8:" in line for line in lines if ": race:" in line) and any(
        ": race:" in line for line in lines
    ), result.err
    count = sum(": race:" in line for line in lines)
    assert "Cilksan detected %d distinct races." % count in lines
    command([program], env={"CILKSAN_OUT": str(tmp_path / "races")})
    assert (tmp_path / "races").read_text() == result.err


def test_cilksan_is_quiet_without_races(tmp_path):
    result = command([build(tmp_path, RACES, "-fsanitize=cilk", "-DRACE=")])
    assert (result.status, result.out, result.err) == (0, "2 2 2 0 1\n", "Cilksan detected 0 distinct races.\n"), str(
        result
    )


@pytest.mark.parametrize("taken_out", ["__cilksan_acquire_lock(&mutex);", "__cilksan_begin_atomic();", "__cilksan_disable_checking();"])
def test_each_annotation_matters(taken_out, tmp_path):
    """Without it the same accesses are reported."""
    pair = {
        "acquire": "__cilksan_release_lock(&mutex);",
        "begin": "__cilksan_end_atomic();",
        "disable": "__cilksan_enable_checking();",
    }
    text = RACES.replace(taken_out, "").replace(next(v for k, v in pair.items() if k in taken_out), "")
    assert ": race:" in command([build(tmp_path, text, "-fsanitize=cilk", "-DRACE=")]).err


def test_cilksan_without_the_tool(tmp_path):
    assert command([build(tmp_path, RACES, "-fopencilk", "-DRACE=")]).out == "2 2 2 0 0\n"


@pytest.mark.parametrize("flags, words", [(["-fcilktool=other"], "unknown tool 'other'"), (["-fsanitize=cilk", "-fsanitize=thread"], "incompatible"),
                                          (["-fcilktool=cilkscale", "-fsanitize=cilk"], "incompatible")])
def test_flags_that_do_not_go_together(flags, words, cilkc, tmp_path):
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    result = cilkc(*flags, "p.c", "-o", "p")
    assert result.status == 2 and words in result.err, str(result)


API = r"""#include <cilk/cilk_api.h>
#include <stdio.h>
static int order;
static void first(void) { printf("first %d\n", order++); }
static void second(void) { printf("second %d\n", order++); }
static void last(void) { printf("last\n"); }
static void before(void) { printf("before last\n"); }
static void quiet(void) {}
static long total;
static void zero(void *v) { *(long *)v = 0; }
static void plus(void *l, void *r) { *(long *)l += *(long *)r; }
static void add(int n) { *(long *)__cilkrts_reducer_lookup(&total, sizeof total, zero, plus) += n; }
static void probe(int *at) { *at = __cilkrts_running_on_workers() && __cilkrts_get_worker_number() < __cilkrts_get_nworkers(); }
static int parallel(void) {
    int ok[100], all = 1;
    cilk_for (int i = 0; i < 100; i++) probe(&ok[i]);
    for (int i = 0; i < 100; i++) all &= ok[i];
    for (int i = 0; i < 1000; i++) cilk_spawn add(i);
    cilk_sync;
    return all;
}
static int (*volatile enter)(void) = parallel;
static int outside(void) { return enter(); }
int main(void) {
    int refused = 0;
    printf("%d %d\n", __cilkrts_is_initialized(), __cilkrts_running_on_workers());
    printf("%d %d %d\n", __cilkrts_set_param("nworkers", "3"), __cilkrts_set_param("nworkers", "x"), __cilkrts_set_param("stack size", "3"));
    __cilkrts_atinit(first);
    __cilkrts_atinit(second);
    __cilkrts_atexit(last);
    __cilkrts_atexit(before);
    for (int i = 0; i < 40; i++) refused += __cilkrts_atinit(first) != 0;
    for (int i = 0; i < 40; i++) refused += 100 * (__cilkrts_atexit(quiet) != 0);
    printf("%d %u %d\n", refused, __cilkrts_get_nworkers(), __cilkrts_get_total_workers());
    fflush(stdout);
    order = -1000;
    printf("%d\n", outside());
    printf("%d %ld %d %d\n", __cilkrts_is_initialized(), total, __cilkrts_running_on_workers(), __cilkrts_set_param("nworkers", "2"));
    __cilkrts_end_cilk();
    return 0;
}
"""


def test_the_api(tmp_path):
    """main is no Cilk function here, so that it sees the time before the workers. CILK_NWORKERS gives way to
    __cilkrts_set_param."""
    program = build(tmp_path, API, "-fopencilk")
    lines = command([program], env={"CILK_NWORKERS": "2"}).out.splitlines()
    assert lines[:3] == ["0 0", "0 1 1", "1010 3 3"]                          # of 42 each ten are refused
    assert lines[3:5] == ["first -1000", "second -999"] and [line.split()[0] for line in lines[5:]] == 30 * ["first"] + ["1", "1", "before", "last"]
    assert lines[-4:] == ["1", "1 499500 0 0", "before last", "last"], lines


@pytest.mark.tier("test")
def test_functions_at_the_exit_of_the_serial_form(tmp_path):
    assert command([build(tmp_path, API, "-fopencilk", "--serial")]).out.splitlines()[-2:] == ["before last", "last"]


def test_a_wrong_number_of_workers(tmp_path):
    """The message names the variable, and not an option that is not there."""
    text = "static void f(void) {}\nint main(void) { cilk_spawn f(); cilk_sync; return 0; }\n"
    program = build(tmp_path, text, "-fopencilk")
    for number in ("two", "-1", "3x", "1000000", "99999999999999999999"):
        wrong = command([program], env={"CILK_NWORKERS": number})
        expected = "global: fatal error: CILK_NWORKERS: '%s' is not a number of workers, which is 0 to 1024\n" % number
        assert (wrong.status, wrong.err) == (1, expected), str(wrong)
    assert command([program], env={"CILK_NWORKERS": " 2"}).status == 0


@pytest.mark.parametrize("flags, defined", [
    (["-fopencilk"], []),
    (["-fcilkplus"], []),
    (["-fcilktool=cilkscale"], ["__cilkscale__"]),
    (["-fsanitize=cilk"], ["__cilksan__"]),
])
def test_macros_that_are_predefined(flags, defined, cilkc, tmp_path):
    lines = ["_Static_assert(__cilk == 301, \"\");"]
    for name in ("__cilkscale__", "__cilksan__"):
        lines += ["#ifn%s %s" % ("def" if name in defined else "otdef", name), "#error", "#endif"]
    (tmp_path / "p.c").write_text("\n".join(lines).replace("#ifnotdef", "#ifdef") + "\n")
    result = cilkc(*flags, "-c", "p.c")
    assert result.status == 0, str(result)


def test_the_runtime_starts_before_the_outermost_scope(tmp_path):
    """So that what a program times in the scope is without the start."""
    text = r"""#include <cilk/cilk_api.h>
#include <stdio.h>
static void f(void) {}
int main(void) {
    cilk_scope {
        printf("%d %d\n", __cilkrts_is_initialized(), __cilkrts_running_on_workers());
        cilk_spawn f();
    }
    return 0;
}
"""
    assert command([build(tmp_path, text, "-fopencilk")]).out == "1 1\n"



SUM = """#include <stdio.h>
int main(void) {
    int v[100];
    cilk_for (int i = 0; i < 100; i++) v[i] = i;
    printf("%d\\n", v[99]);
    return 0;
}
"""


def test_flags_of_other_compilers(tmp_path):
    """Makefiles of Cilk Plus and OpenCilk name their libraries and folders."""
    for flags in (["-fcilkplus", "-lcilkrts"], ["-fopencilk", "--opencilk-resource-dir=/none", "-lopencilk-pedigrees"]):
        result = command([build(tmp_path, SUM, *flags)])
        assert (result.status, result.out) == (0, "99\n"), str(result)


def test_headers_of_cilk_plus_bring_assert(cilkc, tmp_path):
    for header in ("reducer.h", "cilk_api.h", "common.h"):
        (tmp_path / "p.c").write_text("#include <cilk/%s>\nint main(void) { assert(1 + 1 == 2); return 0; }\n" % header)
        result = cilkc("-fopencilk", "-Werror", "p.c", "-o", "p")
        assert result.status == 0, str(result)


def test_the_runtime_of_tapir(cilkc, tmp_path):
    (tmp_path / "p.c").write_text("int f(void) { return 7; }\nint g(void) { int x = cilk_spawn f(); cilk_sync; return x; }\n")
    parallel, chosen, cilk, serial, tapir = (
        cilkc("-fopencilk", *flags, "-S", "p.c", "-o", "-")
        for flags in ([], ["-ftapir=opencilk"], ["-ftapir=cilk"], ["--serial"], ["-ftapir=serial"])
    )
    assert parallel.out == chosen.out == cilk.out != serial.out == tapir.out != "", str(tapir)
    result = cilkc("-fopencilk", "-ftapir=cuda", "-c", "p.c")
    assert result.status == 1 and "'-ftapir=cuda'" in result.err, str(result)


def test_variables_without_effect(tmp_path):
    """OpenCilk's own, which set what is different here or not there: the program runs, and reports nothing."""
    names = "CILK_STACKSIZE CILK_DEQDEPTH CILK_FIBER_POOL CILK_PIN CILK_ALERT CILK_DEBUG CILKSAN_STATS CILKSAN_CHECK_ATOMICS CILKSAN_COLOR_REPORT CILKSAN_DEBUGGER"
    result = command([build(tmp_path, SUM, "-fopencilk")], env=dict.fromkeys(names.split(), "1"))
    assert (result.status, result.out, result.err) == (0, "99\n", ""), str(result)


MEETING = r"""#include <cilk/cilk_api.h>
#include <stdio.h>
#include <unistd.h>
static int here;
static void meet(int n) {
    __atomic_fetch_add(&here, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&here, __ATOMIC_SEQ_CST) < n) usleep(100);
}
int main(int argc, char **argv) {
    int refused = __cilkrts_set_param("nworkers", argv[1]), n = (int)__cilkrts_get_nworkers();
    #pragma cilk grainsize 1
    cilk_for (int i = 0; i < n; i++) meet(n);
    printf("%d %d %d\n", refused, n, __cilkrts_set_param("nworkers", "1000") != 0);
    return 0;
}
"""


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_a_main_that_spawns_sets_the_number_of_workers(spawn, tmp_path):
    """The iterations wait for each other, so as many workers must run as the program asked for. 0 is what the
    environment says: CILK_NWORKERS before CILK_NPROC."""
    program = build(tmp_path, MEETING, "-fopencilk", "--spawn=" + spawn)
    for asked, workers in (("4", 4), ("1", 1), ("0", 3), ("7", 7)):
        result = command([program, asked], env={"CILK_NWORKERS": "3", "CILK_NPROC": "2"})
        assert (result.status, result.out) == (0, "0 %d 1\n" % workers), str(result)
