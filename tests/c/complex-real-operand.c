// Beside a complex operand a real one has no imaginary part, not one of 0: signs of zeros and infinities show it (C17 G.5).
#include <math.h>
#include <stdio.h>

#define SAY(e) do { __auto_type z = (e); printf(#e " = %La %La\n", (long double)__real__ z, (long double)__imag__ z); } while (0)

double r = 2, infinite = 1.0 / 0.0;
int i = 2, zero = 0;
float f = 3;
double _Complex c = 1.5, d = 1.0 + 2.0i;
static double _Complex k1 = 2.0 - (double _Complex)1.5, k2 = 2.0 * 1.0i, k3 = (1.0 - 1.0i) / 2.0, k4 = 3 - 1.0i, k5 = 2.0 - 1.0i * 0.0;

int main(void) {
  SAY(r - c); SAY(c - r); SAY(r + c); SAY(r * c); SAY(-r * d); SAY(zero * -d); SAY(i - c); SAY(f - c); SAY(c / r); SAY(r / d);
  SAY(c / infinite); SAY(k1); SAY(k2); SAY(k3); SAY(k4); SAY(k5); SAY(1.0L - (float _Complex)0.1L);
  double _Complex q = c;
  q -= r; SAY(q);
  q = c; q *= -r; SAY(q);
  q = d; q /= -f; SAY(q);
  double x = 4;
  x -= d; SAY(x + 0i);
  x *= d; SAY(x + 0i);
  if (!signbit(__imag__ (r - c)) || !signbit(__imag__ k1)) return 1;
  return 0;
}
