"""Programs and runtime built with --sanitize: they link, give the right answer on several workers, and nothing is
reported."""

import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

PROGRAMS = [
    ("samples/queens.cilk", ["8"]),
    ("samples/cilksort.cilk", ["20000"]),
    ("tests/run/inlet-void-spawn.cilk", []),
    ("tests/run/storage-scopes.cilk", []),
    ("tests/run/storage-arrays-and-initialisers.cilk", []),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["thread", "address"])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("path,args", PROGRAMS)
def test_no_report(path, args, strategy, kind, tmp_path):
    program = tmp_path / "program"
    compiled([CILKC, "-O1", "-g", "--sanitize=" + kind, "--spawn=" + strategy, ROOT / path, "-o", program])
    for nproc in ("2", "4"):
        result = command([program, "--nproc", nproc] + args, cwd=tmp_path)
        assert result.status == 0 and "Sanitizer" not in result.err and "runtime error" not in result.err, str(result)


def test_a_race_of_the_program_is_reported(tmp_path):
    """Copies of aggregates are checked, too."""
    (tmp_path / "race.cilk").write_text("""
struct big { long a[40]; } shared_one, other;
cilk void put(int n) { int i; for (i = 0; i < n; i++) { other.a[3] = i; shared_one = other; } }
cilk int main(void) { int k; for (k = 0; k < 40; k++) { spawn put(20000); spawn put(20000); sync; } return 0; }
""")
    program = tmp_path / "race"
    compiled([CILKC, "-O1", "-g", "--sanitize=thread", tmp_path / "race.cilk", "-o", program])
    result = command([program, "--nproc", "2"], env={"TSAN_OPTIONS": "exitcode=66"})
    assert result.status == 66 and "data race" in result.err and "race.cilk" in result.err, str(result)


def test_undefined_alone_takes_the_plain_runtime(tmp_path):
    program = tmp_path / "program"
    compiled([CILKC, "-O1", "--sanitize=undefined", ROOT / "samples" / "queens.cilk", "-o", program])
    assert command([program, "--nproc", "2", "8"]).status == 0


def test_the_address_sanitizer_sees_a_procedures_overrun(tmp_path):
    (tmp_path / "over.cilk").write_text("""
#include <stdlib.h>
cilk int get(int *p, int i) { return p[i]; }
cilk int main(void) { int x, *p = malloc(40); x = spawn get(p, 10); sync; return x & 0; }
""")
    program = tmp_path / "over"
    compiled([CILKC, "-O1", "-g", "--sanitize=address", tmp_path / "over.cilk", "-o", program])
    result = command([program, "--nproc", "2"])
    assert result.status != 0 and "heap-buffer-overflow" in result.err and "over.cilk:3" in result.err, str(result)


OBJECTS = r"""
#include <cilk.h>
#include <stdlib.h>
struct pair { int a[3], end; };
cilk int one(void) { return 1; }
cilk struct pair pair_of(int n) { struct pair p = {{n}, n}; return p; }
cilk void add(int *p, int i) { p[i] += 1; }
cilk void zoned(int i) { int one; spawn add(&i, 0); spawn add(&one, 0); sync; }
cilk long plain(long a, long b, long c, long d, long e, long f, long g, long h, long i)
{
    int x;
    x = spawn one(); a += b; sync;
    return a + b + c + d + e + f + g + h + i + x;
}
cilk int use(int kind, int i, struct pair given)
{
    int array[4] = {0}, before = 0, after = 0, *p = array, x;
    struct pair pair = {{0}, 0}, received;
    spawn add(&before, 0); x = spawn one(); received = spawn pair_of(1); spawn add(&after, 0); sync;
    switch (kind) {
    case 0: array[i] = 1; break;
    case 1: pair.a[i] = 1; break;
    case 2: p = &before; p[i] = 1; break;
    case 3: spawn add(array, i); break;
    case 4: { int vla[x + 3]; vla[0] = 0; spawn add(vla, 0); sync; vla[i] = 1; break; }
    case 5: p = Cilk_alloca(16); p[i] = 1; break;
    case 6: p = __builtin_alloca(16); p[i] = 1; break;
    case 7: given.a[i] = 1; break;
    case 8: received.a[i] = 1; break;
    case 9: p = (int[]){1, 2, 3, 4}; spawn add(p, 0); p[i] = 1; break;
    case 10: { int none[x - 1]; spawn add(p, 0); sync; none[i] = 1; break; }
    case 11: { int inner[4]; spawn add(p = inner, 0); sync; if (!i) inner[0] = 1; }
             if (i) p[i - 1] = 1; break;
    case 12: spawn zoned(i); sync; x = spawn plain(1, 2, 3, 4, 5, 6, 7, 8, 9); sync; break;
    case 13: for (int k = 0; k < 2; k++) { if (k == i) *p = 1; int inner = 1; spawn add(p = &inner, 0); sync; } break;
    }
    sync;
    return array[0] + pair.end + before + after + given.end + received.end;
}
cilk int main(int argc, char **argv)
{
    struct pair given = {{0}, 0};
    int x, i;
    for (i = 1; i + 1 < argc; i += 2) { x = spawn use(atoi(argv[i]), atoi(argv[i + 1]), given); sync; }
    return 0;
}
"""

OUTSIDE, HEAP, ENDED = "stack-buffer-(under|over)flow", "heap-buffer-overflow", "stack-use-after-scope"
# kind, an index that is right, those that are wrong, the report, a piece of its line, the variable that is named
WRONG = [
    (0, 3, [4, -1], OUTSIDE, "case 0:", "array"),
    (1, 2, [4, -1], OUTSIDE, "case 1:", "pair"),
    (2, 0, [1, -1], OUTSIDE, "case 2:", "before"),
    (3, 3, [4], OUTSIDE, "cilk void add", "array"),
    (4, 3, [4, -1], HEAP, "case 4:", None),
    (5, 3, [4, -1], HEAP, "case 5:", None),
    (6, 3, [4], HEAP, "case 6:", None),
    (7, 2, [4], OUTSIDE, "case 7:", "given"),
    (8, 2, [4], OUTSIDE, "case 8:", "received"),
    (9, 3, [4], OUTSIDE, "case 9:", None),
    (10, None, [0], HEAP, "case 10:", None),
    (11, 0, [1], ENDED, "if (i) p[i - 1]", "inner"),
    (12, 0, [], "", "", None),
    (13, 2, [1], ENDED, "case 13:", "inner"),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy, steals, level", [
    ("eager", "never", "-O0"),
    ("eager", "always", "-O2"),
    ("lazy", "always", "-O0"),
    ("lazy", "never", "-O2"),
])
def test_locals_of_procedures_that_spawn(strategy, steals, level, tmp_path):
    """They are in the closure, in the fast clone and, after a steal, in the slow one. A closure that is used again has
    the zones of its new procedure alone."""
    (tmp_path / "objects.cilk").write_text(OBJECTS)
    program, lines = tmp_path / "objects", OBJECTS.split("\n")
    compiled(
        [CILKC, level, "-g", "-fsanitize=address", "--spawn=" + strategy, tmp_path / "objects.cilk", "-o", program]
    )

    def run(*words):
        return command([program, "--nproc", "2", "--force-steal", steals, *words])

    right = [word for row in WRONG if row[1] is not None for word in row[:2]]
    result = run(*right, *right)
    assert result.status == 0 and not result.err, str(result)
    for kind, _, wrong, report, piece, name in WRONG:
        for index in wrong:
            result = run(kind, index)
            pattern = r"ERROR: AddressSanitizer: (\S+).*?#0 \S+ in \w+ \S*?objects\.cilk:(\d+)"
            first = re.search(pattern, result.err, re.S)
            assert first and re.fullmatch(report, first[1]), "%d %d: %s" % (kind, index, result)
            assert piece in lines[int(first[2]) - 1], "%d %d: %s" % (kind, index, result)
            named = re.search(r"^the access .*'(\w+)' \(line \d+\) of procedure 'use'$", result.err, re.M)
            assert (named and named[1]) == name, "%d %d: %s" % (kind, index, result)


def test_use_after_scope_in_c(tmp_path):
    (tmp_path / "ended.c").write_text("""
int main(int argc, char **argv) { int *volatile p; { int x[2] = {argc}; p = x; } return p[0] == 9; }
""")
    program = tmp_path / "ended"
    for level in ("-O0", "-O2"):
        for flags, status in ([], 1), (["-fno-sanitize-address-use-after-scope"], 0):
            compiled([CILKC, level, "-fsanitize=address", *flags, tmp_path / "ended.c", "-o", program])
            result = command([program])
            assert bool(result.status) == bool(status) and (ENDED in result.err) == bool(status), str(result)


def test_leaks_are_the_programs_own(tmp_path):
    """exit() in a procedure abandons frames, which are not leaks; memory that the program lost is one."""
    (tmp_path / "leave.cilk").write_text("""
#include <stdlib.h>
static void leave(int status) { exit(status); }
cilk int f(int n) { volatile int i; for (i = 0; i < 10000; i++) ; return n; }
cilk int lose(int n) { char *volatile p = malloc(100); p[0] = (char)n; p = 0; return n; }
cilk int main(int argc, char **argv)
{
    int x;
    if (argc > 1) { x = spawn lose(7); sync; return x - 7; }
    x = spawn f(9);
    sync;
    leave(x);
    return 1;
}
""")
    program = tmp_path / "leave"
    for strategy in STRATEGIES:
        compiled(
            [CILKC, "-O1", "-g", "--sanitize=address", "--spawn=" + strategy, tmp_path / "leave.cilk", "-o", program]
        )
        for nproc in ("1", "2", "4"):
            result = command([program, "--nproc", nproc])
            assert result.status == 9 and "Sanitizer" not in result.err, str(result)
        # make check-asan switches leaks off
        result = command([program, "--nproc", "2", "lose"], env={"ASAN_OPTIONS": ""})
        assert result.status != 0 and "100 byte(s)" in result.err, str(result)
