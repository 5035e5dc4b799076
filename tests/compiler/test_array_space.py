"""The array space of a closure (rt/core/abi.h): small arrays of variable length cost no call of the runtime, large ones
do, and so does each in a process whose memory can travel.

Calls are counted by the linker's --wrap. A frame has an array outside of its loop, and one in each round.
"""

import pytest

from conftest import CILKC, STRATEGIES, compiled

pytestmark = pytest.mark.tier("check")

PROGRAM = """
#include <stdio.h>
extern unsigned long calls;
cilk int child(char *a, int n) { a[0] = 1; return n; }
cilk int frame(int n, int rounds) {
  char outer[n];
  int i, sum = 0, x = 0;
  outer[0] = 2;
  for (i = 0; i < rounds; i++) {
    char a[n];
    x = spawn child(a, n);
    sync;
    sum += x + a[0];
  }
  return sum + outer[0];
}
cilk int main(int argc, char **argv) {
  int n, x;
  for (n = 100; n <= 1600; n *= 4) {
    calls = 0;
    x = spawn frame(n, 10);
    sync;
    printf("%d %d %lu\\n", n, x - 10 * n, calls);
  }
  return 0;
}
"""
WRAP = """
#include <stddef.h>
unsigned long calls;
void *__real_cilk_rt_vla(void *closure, size_t n, size_t align, unsigned number);
void *__wrap_cilk_rt_vla(void *closure, size_t n, size_t align, unsigned number)
{
  calls++;
  return __real_cilk_rt_vla(closure, n, align, number);
}
"""


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_small_arrays_call_nothing(spawn, tmp_path):
    (tmp_path / "frames.cilk").write_text(PROGRAM)
    (tmp_path / "wrap.c").write_text(WRAP)
    wrap = "-Wl,--wrap=cilk_rt_vla"
    compiled([CILKC, "-O1", "--spawn=" + spawn, "frames.cilk", "wrap.c", wrap, "-o", "frames"], cwd=tmp_path)
    run = [tmp_path / "frames", "--nproc", "1"]
    # 100 bytes twice fit into one space, 400 bytes once, 1600 never
    assert compiled(run).out == "100 12 0\n400 12 10\n1600 12 11\n"
    travels = [*run, "--checkpoint", tmp_path / "image"]
    assert compiled(travels).out == "100 12 11\n400 12 11\n1600 12 11\n"
