/* Complex arithmetic, conversions, parameters and results of all complex types. */
#include <complex.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
float complex ff(float complex a, float complex b) { return a * b; }
double complex fd(double complex a, int k, double complex b) { return a / b + k; }
long double complex fl(long double complex a) { return -a; }
_Complex int fi(_Complex int a) { return a + 1; }
static double complex g = 3.0 + 4.0 * I; static float complex gf[2] = { 1.0f, 2.0fi };
struct s { double complex c; int n; };
struct s mk(double complex c) { struct s r = { c * 2, 5 }; return r; }
int main(void) {
  CHECK(creal(g) == 3 && cimag(g) == 4 && cabs(g) == 5 && crealf(gf[0]) == 1 && cimagf(gf[1]) == 2);
  float complex a = 1 + 2 * I, b = 3 - 1 * I; a = ff(a, b); CHECK(crealf(a) == 5 && cimagf(a) == 5);
  double complex d = fd(g, 2, 2); CHECK(creal(d) == 3.5 && cimag(d) == 2);
  long double complex l = fl(1.5L - 2.5L * I); CHECK(creall(l) == -1.5L && cimagl(l) == 2.5L);
  _Complex int i = fi(2 + 3i); CHECK(__real__ i == 3 && __imag__ i == 3);
  i *= 2; CHECK(__real__ i == 6 && __imag__ i == 6);
  d = 1; CHECK(d == 1 && cimag(d) == 0); d += I; CHECK(d == 1 + I && d != 1);
  CHECK(conj(d) == 1 - I && ~d == 1 - I);
  __imag__ d = 9; CHECK(cimag(d) == 9); __real__ d += 2; CHECK(creal(d) == 3);
  double r = d; CHECK(r == 3); int n = d; CHECK(n == 3);
  d++; CHECK(creal(d) == 4 && cimag(d) == 9);
  if (!(g * 0)) ; else fails++;
  d = n ? g : 0; CHECK(d == g);
  struct s s = mk(1 + I); CHECK(s.c == 2 + 2 * I && s.n == 5);
  float complex z = g; CHECK(crealf(z) == 3);
  double complex p[3] = { 1, I, 1 + I }, sum = 0; for (int k = 0; k < 3; k++) sum += p[k] * k; CHECK(sum == 2 + 3 * I);
  return fails ? 1 : 0;
}
