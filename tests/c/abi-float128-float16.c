// FLAGS: -std=gnu17
// _Complex _Float128 goes through memory; _Float16 is not promoted where there is no prototype.
#include <stdarg.h>
#include <stdio.h>
typedef _Complex _Float128 quad;
struct pair { _Float128 a, b; };
static quad __attribute__((noinline)) divided(quad x, quad y) { return x / y; }
static quad __attribute__((noinline)) swapped(quad x) { return __builtin_complex(__imag__ x, __real__ x); }
static struct pair __attribute__((noinline)) turned(struct pair p, int n) { return (struct pair){p.b + n, p.a}; }
static quad __attribute__((noinline)) listed(int n, ...) {
  va_list ap;
  va_start(ap, n);
  quad r = 0;
  while (n--) r += va_arg(ap, quad) * va_arg(ap, int);
  va_end(ap);
  return r;
}
static _Float16 halfold(a, b) _Float16 a; int b; { return a * b; }
static float floatold(a) float a; { return a * 2; }
static _Float16 unprototyped();
int main(void) {
  volatile quad a = 3, b = __builtin_complex((_Float128)1, (_Float128)2);
  quad c = divided(a, b), d = swapped(b), e = listed(2, a, 2, b, 3), f = a * b / b;
  printf("%.3f %.3f %.0f %.0f %.0f %.0f %.3f %.3f\n", (double)__real__ c, (double)__imag__ c, (double)__real__ d, (double)__imag__ d, (double)__real__ e, (double)__imag__ e, (double)__real__ f, (double)__imag__ f);
  struct pair p = turned((struct pair){1, 2}, 5);
  printf("%.0f %.0f\n", (double)p.a, (double)p.b);
  volatile _Float16 h = 1.5f16;
  volatile float g = 2.5f;
  printf("%.1f %.1f %.1f\n", (double)halfold(h, 3), (double)floatold(g), (double)unprototyped(h));
  return 0;
}
static _Float16 unprototyped(_Float16 x) { return x + 1; }
