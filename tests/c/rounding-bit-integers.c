// FLAGS: -frounding-math -std=gnu23
// Integers of any size convert; those of up to 128 bits as fesetround says.
#include <fenv.h>

static double narrow(signed _BitInt(100) n) { return n; }
static double wide(signed _BitInt(200) n) { return n; }
static inline __attribute__((always_inline)) unsigned _BitInt(200) back(double d) { return d; }

int main(void) {
  double large = 0x1p150;
  fesetround(FE_UPWARD);
  double up = narrow(((signed _BitInt(100))1 << 90) + 1);
  fesetround(FE_DOWNWARD);
  double down = narrow(((signed _BitInt(100))1 << 90) + 1);
  fesetround(FE_TONEAREST);
  if (!(up > down)) return 1;
  return wide(-((signed _BitInt(200))1 << 150)) != -large || back(large) != (unsigned _BitInt(200))1 << 150;
}
