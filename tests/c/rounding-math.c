// FLAGS: -frounding-math
// Operations on constants round as fesetround says, and so do two equal operations in different modes.
#include <fenv.h>
#include <math.h>

static double third(double a, double b) { return a / b; }
static float narrow(double d) { return (float)d; }
static float whole(long n) { return n; }

static const double folded = 1.0 / 3.0;  // while compiling

int main(void) {
  double one = 1, three = 3;
  fesetround(FE_UPWARD);
  double up = one / three, constant = 1.0 / 3.0, root = sqrt(2);
  float f = 0.1, g = narrow(1e-1), h = whole(16777217);
  double sum = 1.0 + 1e-30, product = 0.1 * 0.1, difference = 1.0 - 1e-30;
  long double wide = 1.0L / 3;
  fesetround(FE_DOWNWARD);
  double down = one / three, other = 1.0 / 3.0, again = third(1, 3), square = sqrt(2);
  float k = 0.1, l = narrow(1e-1), m = whole(16777217);
  double lower = 1.0 + 1e-30, less = 0.1 * 0.1, least = 1.0 - 1e-30;
  long double narrower = 1.0L / 3;
  fesetround(FE_TONEAREST);
  if (!(up > down && constant > other && up == constant && down == again && root > square)) return 1;
  if (!(f > k && g > l && h > m)) return 2;
  if (!(sum > lower && product > less && difference > least && wide > narrower)) return 3;
  return folded != 1 / three;
}
