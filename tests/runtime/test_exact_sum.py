"""<cilk/reducer_exact.h>: the sum of doubles is the exact one, rounded once, for each number of workers and in each
schedule.

The program's numbers are made again here, and added up by math.fsum, which rounds the exact sum once, too. The same
numbers in a plain reducer, which rounds each addition, have another sum: so they do need an exact one.
"""

import math
import struct

import pytest

from conftest import CILKC, ROOT, STRATEGIES, built, command

pytestmark = pytest.mark.tier("check")

COUNT = 20000
PROGRAM = r"""#include <cilk/reducer_exact.h>
#include <cilk/reducer_opadd.h>
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static double number(uint64_t i) {
    uint64_t h = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return ldexp((double)(int64_t)(h >> 20) - 8796093022208.0, (int)(h %% 181) - 90);
}
static void show(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%%016llx\n", (unsigned long long)bits);
}
int main(void) {
    cilk_exact_reducer exact = { { 0 }, 0, 0 };
    cilk_opadd_reducer(double) plain = 0;
    #pragma cilk grainsize 50
    cilk_for (int i = 0; i < %d; i++) {
        cilk_exact_add(&exact, number(i));
        if (i %% 3 == 0) cilk_exact_sub(&exact, number(i - i %% 7));
        plain += number(i);
    }
    show(cilk_exact_value(&exact));
    show(plain);
    union { float f; unsigned u; } single = { cilk_exact_value_float(&exact) };
    printf("%%08x\n", single.u);
    return 0;
}
""" % COUNT
SETTINGS = [
    ("1", ""),
    ("1", "--force-steal always"),
    ("2", ""),
    ("2", "--force-steal random"),
    ("4", ""),
    ("4", "--force-steal random"),
]


def number(i):
    h = (i + 1) * 0x9E3779B97F4A7C15 % 2**64
    return math.ldexp((h >> 20) - 8796093022208, h % 181 - 90)


def expected():
    numbers = [number(i) for i in range(COUNT)]
    exact = math.fsum(numbers + [-numbers[i - i % 7] for i in range(0, COUNT, 3)])
    return struct.pack(">d", exact).hex()


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_the_sum_is_exact_in_each_schedule(spawn, tmp_path):
    (tmp_path / "sum.c").write_text(PROGRAM)
    program = built([CILKC, "-fopencilk", "-O2", "--spawn=" + spawn, tmp_path / "sum.c", "-lm"])
    outputs = set()
    for workers, options in SETTINGS:
        result = command([program], env={"CILK_NWORKERS": workers, "CILK_OPTIONS": options})
        exact, plain, single = result.out.split()
        assert exact == expected() and plain != exact, str(result)
        outputs.add((exact, single))
    assert len(outputs) == 1


def test_the_elision_has_the_same_sum(tmp_path):
    (tmp_path / "sum.c").write_text(PROGRAM)
    program = built(
        ["gcc", "-std=gnu17", "-O2", "-w", "-include", ROOT / "stdlib" / "cilk" / "cilk_stub.h", "-idirafter",
         ROOT / "stdlib", tmp_path / "sum.c", "-lm"]
    )
    assert command([program]).out.split()[0] == expected()


ENDS = r"""#include <cilk/reducer_exact.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    cilk_exact s = { { 0 }, 0, 0 };
    char word[64];
    while (scanf("%63s", word) == 1) cilk_exact_add(&s, strtod(word, 0));
    printf("%a %a\n", cilk_exact_value(&s), (double)cilk_exact_value_float(&s));
    return 0;
}
"""
# Around rounding, the least numbers, overflow in between, infinities and NaNs: sums worked out by hand.
CASES = [
    ("", "0x0p+0 0x0p+0"),
    ("-0x0p+0", "0x0p+0 0x0p+0"),
    ("0x1p+0 0x1p-53", "0x1p+0 0x1p+0"),
    ("0x1p+0 0x1p-53 0x1p-1074", "0x1.0000000000001p+0 0x1p+0"),
    ("0x1p+0 0x1p-24 0x1p-1000", "0x1.000001p+0 0x1.000002p+0"),
    ("0x1.8p-1074", "0x0.0000000000002p-1022 0x0p+0"),
    ("0x1.8p-149", "0x1.8p-149 0x1p-148"),
    ("0x1.fffffep+127 0x1p+103", "0x1.ffffffp+127 inf"),
    ("0x1.fffffffffffffp+1023 0x1.fffffffffffffp+1023 -0x1.fffffffffffffp+1023", "0x1.fffffffffffffp+1023 inf"),
    ("0x1p+1023 0x1p+1023", "inf inf"),
    ("-0x1p+1023 -0x1p+1023", "-inf -inf"),
    ("inf 1", "inf inf"),
    ("-inf", "-inf -inf"),
    ("inf -inf", "nan nan"),
]


@pytest.mark.parametrize("numbers, sums", CASES)
def test_ends_of_the_range(numbers, sums, tmp_path):
    (tmp_path / "ends.c").write_text(ENDS)
    assert command([built([CILKC, "-O1", tmp_path / "ends.c"])], stdin=numbers.encode()).out.strip() == sums
