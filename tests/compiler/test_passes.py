"""The order of LLVM's passes: what is vectorised, and that the code so made is right where its pointers overlap."""

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("check")

KERNEL = """\
static void update(double a, double *x, double *y, int n) { for (n--; n >= 0; n--) y[n] -= a * x[n]; }
void block(double (*b)[16], double (*a)[16], double (*c)[16])
{
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++)
      update(a[i][k], c[k], b[i], 16);
}
"""
MAIN = """\
#include <stdio.h>
void block(double (*b)[16], double (*a)[16], double (*c)[16]);
static double m[64][16];
int main(void)
{
  for (int shift = 0; shift < 40; shift += 3) {
    for (int i = 0; i < 64 * 16; i++) (&m[0][0])[i] = (i % 7 - 3 + 1.0 / (i + 1)) / 64;
    block(m + 17, (double (*)[16])(&m[4][0] + shift), (double (*)[16])(&m[16][0] + shift));
    double s = 0;
    for (int i = 0; i < 64 * 16; i++) s += (i % 97 + 1) * (&m[0][0])[i];
    printf("%a\\n", s);
  }
  return 0;
}
"""


@pytest.mark.parametrize("level", ["-O2", "-O3"])
def test_loops_of_constant_length_are_vectorised(level, tmp_path):
    """16 rounds over two arrays that may overlap: a loop with a test at run time, not straight scalar code."""
    (tmp_path / "kernel.c").write_text(KERNEL)
    (tmp_path / "main.c").write_text(MAIN)
    text = compiled([CILKC, level, "-S", "--target=x86_64-linux-gnu", "kernel.c", "-o", "-"], cwd=tmp_path).out
    assert "mulpd" in text, text
    compiled([CILKC, level, "kernel.c", "main.c", "-o", "ours"], cwd=tmp_path)
    compiled(["gcc", "-O1", "-ffp-contract=off", "kernel.c", "main.c", "-o", "gccs"], cwd=tmp_path)
    assert command([tmp_path / "ours"]).out == command([tmp_path / "gccs"]).out
