"""Pedigrees (<cilk/cilk_api.h>): the name of a strand, and the random numbers made of it, depend on the program alone.

Expected: the serial form, which is a plain C program, prints the same with each strategy, number of workers, grain
and schedule. Names of some strands are written out by hand, from the rule in the header. A few tests of randomness
run on numbers of three fixed seeds.
"""

import itertools
import math
from collections import Counter

import pytest

from conftest import CILKC, ROOT, STRATEGIES, built, command

pytestmark = pytest.mark.tier("check")
HERE = ROOT / "tests" / "pedigrees"
SETTINGS = [("1", ""), ("2", ""), ("4", ""), ("8", ""), ("1", "--force-steal always"), ("2", "--force-steal random"),
            ("4", "--force-steal random"), ("8", "--force-steal random"), ("3", "--sched=replay:7")]


def run(program, workers="1", options="", *arguments):
    result = command([program, *arguments], env={"CILK_NWORKERS": workers, "CILK_OPTIONS": options})
    assert result.status == 0, str(result)
    return result.out


def serial():
    return run(built([CILKC, "-fopencilk", "--serial", "-O1", HERE / "streams.c"]))


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_equal_in_each_schedule(spawn):
    program = built([CILKC, "-fopencilk", "-O2", "--spawn=" + spawn, HERE / "streams.c"])
    for workers, options in SETTINGS:
        assert run(program, workers, options) == serial(), (workers, options)


@pytest.mark.parametrize("grain", ["1", "7", "2000"])
def test_equal_with_each_grain(grain):
    program = built([CILKC, "-fopencilk", "-O2", "-DGRAIN=" + grain, HERE / "streams.c"])
    for workers, options in SETTINGS[1::3]:
        assert run(program, workers, options) == serial(), (workers, options)


def test_names_of_strands():
    lines = dict(line.split(": ") for line in serial().splitlines()[:-1])
    assert lines["start"] == "0"
    assert lines["a"] == "0 0" and lines["after"] == "2"          # a spawn, a sync
    assert lines["b"] == "0 2"
    here = int(lines["for"])
    assert lines["it"] == "0 0 %d" % here                         # its own strand, iteration 0, the loop
    assert lines["deep"].split()[:5] == ["0"] * 5                 # nest(5): called, and five children


def test_seeds_give_other_numbers():
    program = built([CILKC, "-fopencilk", "-O2", HERE / "streams.c"])
    assert len({run(program, "2", "", *seed).splitlines()[-1] for seed in ((), ("1",), ("2",))}) == 3


# ---- is it random? |z| < 4.5 is exceeded by chance once in 150,000 times

def monobit(numbers):
    ones = sum(n.bit_count() for n in numbers)
    return (2 * ones - 64 * len(numbers)) / math.sqrt(64 * len(numbers))


def runs(numbers):
    bits = "".join("%064d" % int(bin(n)[2:]) for n in numbers)
    found = 1 + sum(a != b for a, b in zip(bits, bits[1:]))
    share = bits.count("1") / len(bits)
    return (found - 2 * len(bits) * share * (1 - share)) / (2 * math.sqrt(len(bits)) * share * (1 - share))


def bytes_equal(numbers):
    count = Counter(byte for n in numbers for byte in n.to_bytes(8, "little"))
    expected = 8 * len(numbers) / 256
    chi = sum((count[b] - expected) ** 2 / expected for b in range(256))
    return (chi - 255) / math.sqrt(2 * 255)


def correlation(numbers):
    x = [n / 2**64 - 0.5 for n in numbers]
    return 12 * sum(a * b for a, b in zip(x, x[1:])) / math.sqrt(len(x) - 1)


def birthdays(numbers):
    """Equal values of the upper and the lower 24 bits: about as many as there are equal pairs by chance."""
    pairs = sum(
        c * (c - 1) // 2
        for part in (lambda n: n >> 40, lambda n: n & 0xFFFFFF)
        for c in Counter(map(part, numbers)).values()
    )
    expected = 2 * len(numbers) * (len(numbers) - 1) / 2 / 2**24
    return (pairs - expected) / math.sqrt(expected)


def neighbours(numbers):
    """Two draws after each other differ in half of their bits."""
    differ = sum((a ^ b).bit_count() for a, b in zip(numbers, numbers[1:]))
    n = 64 * (len(numbers) - 1)
    return (2 * differ - n) / math.sqrt(n)


@pytest.mark.parametrize("seed", ["1", "2", "20261125"])
def test_numbers_look_random(seed):
    program = built([CILKC, "-fopencilk", "-O2", HERE / "numbers.c"])
    streams = [[int(word, 16) for word in line.split()] for line in run(program, "2", "", seed).splitlines()]
    every = list(itertools.chain(*streams))
    assert len(every) == 3 * 4096 and len(set(every)) == len(every)
    for numbers in streams:
        for test in (monobit, runs, bytes_equal, correlation, birthdays, neighbours):
            assert abs(test(numbers)) < 4.5, (test.__name__, test(numbers))


# ---- what the program pays

MAIN = """unsigned long f(void);
int main(void) {
    unsigned long x = cilk_spawn f();
    cilk_sync;
    return (int)(x & 0);
}
"""
DRAWS = """#include <cilk/cilk_api.h>
static void g(void) {}
unsigned long f(void) { cilk_spawn g(); return __cilkrts_get_dprand(); }
"""


def test_a_program_without_them_has_none(cilkc, tmp_path):
    """No call in the code, nothing of them in the program; and one that asks for a draw has both."""
    (tmp_path / "without.c").write_text("#include <cilk/cilk_api.h>\n" + MAIN + "unsigned long f(void) { return 1; }\n")
    (tmp_path / "with.c").write_text(MAIN + DRAWS)
    for name, has in (("without", False), ("with", True)):
        assert cilkc("-fopencilk", "-O2", name + ".c", "-o", name).status == 0
        assert ("cilk_rt_pedigree_begin" in command(["nm", tmp_path / name]).out) == has


def test_files_agree(cilkc, tmp_path):
    """A file that spawns without pedigrees is refused beside one that draws: its children would have equal names."""
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "draws.c").write_text(DRAWS)
    for form in ([], ["--serial"]):
        wrong = cilkc("-fopencilk", *form, "main.c", "draws.c", "-o", "p")
        assert (
            wrong.status == 1
            and "compile all of it with -cilk-pedigree" in wrong.err
            and "main.c: compiled without pedigrees" in wrong.err
        ), str(wrong)
        for flag in ("-cilk-pedigree", "-lopencilk-pedigrees"):
            right = cilkc("-fopencilk", *form, flag, "main.c", "draws.c", "-o", "p")
            assert right.status == 0, str(right)
    (tmp_path / "plain.c").write_text(
        "#include <cilk/cilk_api.h>\nunsigned long f(void) { return __cilkrts_get_dprand(); }\n"
    )
    wrong = cilkc("-fopencilk", "main.c", "plain.c", "-o", "p")
    assert wrong.status == 1 and "-cilk-pedigree" in wrong.err, str(wrong)
