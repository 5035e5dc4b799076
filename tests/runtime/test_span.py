"""Work and span of -cilk-span: what --stats prints and Cilk_user_work and Cilk_user_critical_path give."""

import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

# Ratios work/span of three pieces of a main: two equal children, a chain of spawns, two children with a sync between.
PIECES = r"""
#include <stdio.h>
static void burn(long n) { volatile long s = 0; long i; for (i = 0; i < n; i++) s += i; }
cilk int leaf(long n) { burn(n); return 1; }
cilk void chain(int depth, long n) { if (depth > 0) { burn(n); spawn chain(depth - 1, n); sync; } }
cilk int main(void) {
    int a, b, k;
    long n = 8000000;
    long long work[4], span[4];
    work[0] = Cilk_user_work; span[0] = Cilk_user_critical_path;
    a = spawn leaf(n); b = spawn leaf(n); sync;
    work[1] = Cilk_user_work; span[1] = Cilk_user_critical_path;
    spawn chain(20, n / 20); sync;
    work[2] = Cilk_user_work; span[2] = Cilk_user_critical_path;
    a += spawn leaf(n); sync; b += spawn leaf(n); sync;
    work[3] = Cilk_user_work; span[3] = Cilk_user_critical_path;
    for (k = 0; k < 3; k++) {
        double w = (double)(work[k + 1] - work[k]), s = (double)(span[k + 1] - span[k]);
        printf("%.3f\n", s > 0 ? w / s : 0.0);
    }
    return a + b != 4;
}
"""


def best(tries, measure, good):
    """A busy machine stretches single threads: one good measurement of several is enough."""
    for _ in range(tries):
        seen = measure()
        if good(seen):
            return seen
    return seen


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_pieces_have_their_parallelism(strategy, tmp_path):
    (tmp_path / "pieces.cilk").write_text(PIECES)
    program = tmp_path / "pieces"
    compiled([CILKC, "-O2", "-cilk-span", "--spawn=" + strategy, tmp_path / "pieces.cilk", "-o", program])

    def ratios(nproc):
        result = command([program, "--nproc", str(nproc)])
        assert result.status == 0, str(result)
        return [float(line) for line in result.out.split()]

    def good(seen):
        two, chain, serial = seen
        # not 2, nor 20; a stolen parent is cold
        return 1.6 < two <= 2.001 and 0.999 <= chain < 1.1 and 0.999 <= serial < 1.1

    for nproc in (1, 2, 4):
        seen = best(40, lambda nproc=nproc: ratios(nproc), good)
        assert good(seen), (nproc, *seen)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_without_the_flag_both_are_zero(strategy, tmp_path):
    (tmp_path / "pieces.cilk").write_text(PIECES)
    program = tmp_path / "pieces"
    compiled([CILKC, "-O2", "--spawn=" + strategy, tmp_path / "pieces.cilk", "-o", program])
    assert command([program, "--nproc", "2"]).out.split() == ["0.000"] * 3


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_statistics_of_fib(strategy, tmp_path):
    program = tmp_path / "fib"
    compiled([CILKC, "-O2", "-cilk-span", "--spawn=" + strategy, ROOT / "samples" / "fib.cilk", "-o", program])
    threads = set()

    def parallelism(nproc):
        result = command([program, "--nproc", str(nproc), "--stats", "2", "20"])
        assert result.status == 0 and "Span = " in result.err, str(result)
        threads.add(re.search(r"^ +Threads.* (\d+)$", result.err, re.M).group(1))
        return float(re.search(r"^Parallelism = ([0-9.]+)$", result.err, re.M).group(1))

    for nproc in (1, 2):
        assert best(40, lambda nproc=nproc: parallelism(nproc), lambda p: p > 1.5) > 1.5  # some 100 on an idle machine
    assert len(threads) == 1                     # how many threads a program has does not depend on the schedule


# Procedures that end at a sync of their own, and that do not; spawns in loops, and calls that wait.
ENDINGS = r"""
#include <stdio.h>
#include <stdlib.h>
static int table[512];
cilk void without(int low, int high) {
    if (high - low <= 1) { table[low]++; return; }
    spawn without(low, (low + high) / 2);
    spawn without((low + high) / 2, high);
}
cilk int with(int n) {
    int x, y;
    if (n < 2) return n;
    x = spawn with(n - 1);
    y = spawn with(n - 2);
    sync;
    return x + y;
}
cilk void loop(int n) {
    for (int i = 0; i < n; i++) { spawn without(i, i + 3); if (i % 4 == 3) sync; }
    if (n % 2) return;
    spawn without(0, 5);
}
cilk int main(int argc, char **argv) {
    int r;
    spawn without(0, 300);
    r = spawn with(12);
    sync;
    spawn loop(30);
    spawn loop(31);
    sync;
    printf("%d\n", r + table[7]);
    return 0;
}
"""


@pytest.mark.parametrize("flag", ["-cilk-profile", "-cilk-span"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_there_are_as_many_threads_whatever_is_stolen(strategy, flag, tmp_path):
    (tmp_path / "endings.cilk").write_text(ENDINGS)
    compiled([CILKC, "-O2", "-w", flag, "--spawn=" + strategy, "endings.cilk", "-o", "endings"], cwd=tmp_path)
    threads = []
    for words in (["1"], ["1", "--force-steal", "always"], ["2", "--force-steal", "always"], ["4", "--force-steal", "random"]):
        result = command([tmp_path / "endings", "--nproc", *words, "--stats", "2"])
        threads.append(re.search(r"^ +Threads.* (\d+)$", result.err, re.M).group(1))
    assert len(set(threads)) == 1, threads


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_section_is_counted_alone(strategy, tmp_path):
    """<timing.cilkh>: the serial part of main before and after a section is not the section's; the whole program's
    numbers are named apart."""
    (tmp_path / "section.cilk").write_text(r"""
#include <timing.cilkh>
static void burn(long n) { volatile long s = 0; long i; for (i = 0; i < n; i++) s += i; }
cilk void leaf(long n) { burn(n); }
cilk int main(void) {
    struct section timed;
    long n = 6000000;
    burn(6 * n);
    section_begins(timed);
    spawn leaf(n); spawn leaf(n); sync;
    section_ends(timed);
    burn(6 * n);
    section_print(&timed);
    return 0;
}
""")
    program = tmp_path / "section"
    compiled([CILKC, "-O2", "-Wall", "-cilk-span", "--spawn=" + strategy, tmp_path / "section.cilk", "-o", program])

    def run():
        result = command([program, "--nproc", "1", "--stats", "1"])
        found = re.search(
            r"^time: [0-9.]+ s\nsection: work ([0-9.]+) s, span ([0-9.]+) s, parallelism ([0-9.]+)$", result.err, re.M
        )
        assert found and len(re.findall(r"^Total work", result.err, re.M)) == 1, str(result)
        return float(found.group(3)), float(re.search(r"^Parallelism = ([0-9.]+)$", result.err, re.M).group(1))

    section, whole = best(40, run, lambda seen: 1.6 < seen[0] <= 2.05 and seen[1] < 1.3)
    assert 1.6 < section <= 2.05 and whole < 1.3, (section, whole)
    plain = tmp_path / "plain"
    compiled([CILKC, "-O2", tmp_path / "section.cilk", "-o", plain])
    assert re.fullmatch(r"time: [0-9.]+ s\n", command([plain, "--nproc", "1"]).err)


def test_waiting_is_work_and_interruptions_are_not(tmp_path):
    """A thread keeps the time that it slept; what other processes took from it on a busy machine does not count."""
    (tmp_path / "wait.cilk").write_text(r"""
#include <stdio.h>
#include <unistd.h>
cilk void nap(void) { usleep(30000); }
cilk int main(void) {
    long long work = Cilk_user_work, span = Cilk_user_critical_path;
    spawn nap(); spawn nap(); sync;
    printf("%lld %lld\n", (Cilk_user_work - work) / 1000000, (Cilk_user_critical_path - span) / 1000000);
    return 0;
}
""")
    program = tmp_path / "wait"
    compiled([CILKC, "-cilk-span", tmp_path / "wait.cilk", "-o", program])
    for nproc in ("1", "2"):
        work, span = best(
            40,
            lambda nproc=nproc: tuple(map(int, command([program, "--nproc", nproc]).out.split())),
            lambda seen: seen[0] < 600 and seen[1] < 300,
        )
        assert 59 <= work < 600 and 29 <= span < 300 and span < work, (work, span)
