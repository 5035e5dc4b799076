/* va_arg of every kind of type, va_copy, a va_list as parameter, register exhaustion. */
#include <stdarg.h>
#include <string.h>
struct small { int a, b; }; struct mixed { double d; long l; }; struct big { long a[5]; }; struct three { char c[3]; }; struct fl { float x, y, z; };
struct ld { long double v; };
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static double sum(int n, va_list ap) { double s = 0; while (n--) s += va_arg(ap, double); return s; }
static double sumv(int n, ...) { va_list ap, b; va_start(ap, n); va_copy(b, ap); double s = sum(n, ap); s += sum(n, b); va_end(ap); va_end(b); return s; }
static void all(const char *f, ...) {
  va_list ap; va_start(ap, f);
  for (; *f; f++) switch (*f) {
    case 'i': CHECK(va_arg(ap, int) == -42); break;
    case 'l': CHECK(va_arg(ap, long) == 1L << 40); break;
    case 'd': CHECK(va_arg(ap, double) == 2.5); break;
    case 'L': CHECK(va_arg(ap, long double) == 3.25L); break;
    case 'p': CHECK(!strcmp(va_arg(ap, char *), "str")); break;
    case 's': { struct small s = va_arg(ap, struct small); CHECK(s.a == 1 && s.b == 2); break; }
    case 'm': { struct mixed s = va_arg(ap, struct mixed); CHECK(s.d == 1.5 && s.l == 9); break; }
    case 'b': { struct big s = va_arg(ap, struct big); CHECK(s.a[0] == 10 && s.a[4] == 14); break; }
    case 't': { struct three s = va_arg(ap, struct three); CHECK(s.c[0] == 'x' && s.c[2] == 'z'); break; }
    case 'f': { struct fl s = va_arg(ap, struct fl); CHECK(s.x == 1 && s.y == 2 && s.z == 3); break; }
    case 'e': { struct ld s = va_arg(ap, struct ld); CHECK(s.v == 7.5L); break; }
    case 'c': { _Complex double s = va_arg(ap, _Complex double); CHECK(__real__ s == 1 && __imag__ s == 2); break; }
    case 'q': { __int128 s = va_arg(ap, __int128); CHECK(s == ((__int128)5 << 70)); break; }
  }
  va_end(ap);
}
typedef int (*fn)(int, ...);
static int first(int n, ...) { va_list ap; va_start(ap, n); int r = va_arg(ap, int); va_end(ap); return r; }
int main(void) {
  struct small s = { 1, 2 }; struct mixed m = { 1.5, 9 }; struct big b = { { 10, 11, 12, 13, 14 } }; struct three t = { "xyz" }; struct fl f = { 1, 2, 3 }; struct ld e = { 7.5L };
  _Complex double c = 1 + 2.0i; __int128 q = (__int128)5 << 70;
  CHECK(sumv(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 110);
  all("iiiiiilldLp", -42, -42, -42, -42, -42, -42, 1L << 40, 1L << 40, 2.5, 3.25L, "str");
  all("smbtfecq", s, m, b, t, f, e, c, q);
  all("iiiismqdddddddmcsbi", -42, -42, -42, -42, s, m, q, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, m, c, s, b, -42);
  all("mmmmmmmm", m, m, m, m, m, m, m, m);
  all("fffffqLqecptttt", f, f, f, f, f, q, 3.25L, q, e, c, "str", t, t, t, t);
  fn p = first; CHECK(p(1, 77) == 77);
  char ch = 3; short sh = -4; float fl = 1.5f;
  CHECK(first(0, ch) == 3 && first(0, sh) == -4 && sumv(1, fl) == 3);
  return fails;
}
