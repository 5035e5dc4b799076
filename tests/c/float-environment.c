// NONDET
// #pragma STDC FENV_ACCESS ON: roundings and exceptions happen where they are written. (gcc ignores the pragma.)
#pragma STDC FENV_ACCESS ON
#include <fenv.h>
#include <math.h>
__attribute__((noinline)) static double third(void) { volatile double one = 1; return one / 3; }
static double sum(double a, double b) { return a + b; }
static void invalid(double x) { double unused = x / x; (void)unused; }
int main(void) {
  fesetround(FE_UPWARD);
  double up = third(), above = sum(1, 1e-30);
  fesetround(FE_DOWNWARD);
  double down = third(), below = sum(1, 1e-30);
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  invalid(HUGE_VAL);
  return !(up > down && above > below && fetestexcept(FE_INVALID));
}
