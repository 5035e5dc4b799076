"""The suppressions for valgrind's thread tools: Cilk programs are silent with them, and a race of the program's own
threads is not. And a fault ends a program there as it does elsewhere."""

import re
import signal

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("test")

PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include <cilk.h>
static int shared_one;
static void *thread(void *unused) { (void)unused; shared_one++; return 0; }
static Cilk_lockvar lock;
static int count;
cilk int fib(int n)
{
    int x, y;
    if (n < 2) return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    Cilk_lock(lock);
    count++;
    Cilk_unlock(lock);
    return x + y;
}
cilk int main(int argc, char **argv)
{
    int x;
    Cilk_lock_init(lock);
    x = spawn fib(12);
    sync;
    printf("%d %d\n", x, count);
    if (argc > 1) {
        pthread_t a, b;
        pthread_create(&a, 0, thread, 0);
        pthread_create(&b, 0, thread, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
    }
    return 0;
}
"""


@pytest.mark.parametrize("tool", ["helgrind", "drd"])
def test_suppressions(tool, tmp_path):
    (tmp_path / "p.cilk").write_text(PROGRAM)
    program = tmp_path / "p"
    compiled([CILKC, "-g", "-O1", tmp_path / "p.cilk", "-o", program])
    folder = command([CILKC, "--print-include-dir"]).out.strip()
    valgrind = ["valgrind", "--tool=" + tool, "--error-exitcode=9", "-q"]

    def run(*suppressions, args=()):
        words = [*valgrind, *suppressions, program, "--nproc", "2", "--force-steal", "random", *args]
        result = command(words, timeout=600)
        assert result.out == "144 232\n", str(result)
        return result

    ours = "--suppressions=%s/cilk.supp" % folder
    assert run().status == 9
    silent = run(ours)
    assert silent.status == 0 and not silent.err, str(silent)
    race = run(ours, args=["threads"])
    assert race.status == 9 and re.search(r": thread \(p\.cilk:6\)", race.err), str(race)


# Before each load its register has a valid address.
FAULTS = {
    "parallel": (
        [],
        "#include <stdlib.h>\n",
        "cilk int main(void) { int *five = malloc(4); *five = 5; "
        'printf("%d\\n", *null + *five); free(five); return 0; }',
    ),
    "serial": (
        ["--serial"],
        "",
        'static int load(void) { return *null; }\ncilk int main() { printf("%d\\n", load()); return 0; }',
    ),
}


@pytest.mark.parametrize("mode", FAULTS)
def test_no_program_goes_on_after_a_fault(mode, tmp_path):
    flags, header, body = FAULTS[mode]
    (tmp_path / "p.cilk").write_text("#include <stdio.h>\n%sstatic int *volatile null;\n%s\n" % (header, body))
    compiled([CILKC, "-O1", *flags, tmp_path / "p.cilk", "-o", tmp_path / "p"])
    result = command(["valgrind", "-q", tmp_path / "p"], timeout=600)
    assert result.status == -signal.SIGSEGV and result.out == "", str(result)
    assert "a null pointer is followed" in result.err, str(result)
