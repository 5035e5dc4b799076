"""Programs and runtime built with --sanitize: they link, give the right answer on several workers, and nothing is
reported."""

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

PROGRAMS = [
    ("samples/queens.cilk", ["8"]),
    ("samples/cilksort.cilk", ["20000"]),
    ("tests/run/inlet-void-spawn.cilk", []),
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
