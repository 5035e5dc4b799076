// Unions in which long double meets integers and floats: each member is classified as a whole before it is merged (psABI 3.2.3). With -DCALLEE this is
// the callee; tests/compiler/test_abi.py compiles the halves by two compilers.
#include <stdarg.h>
union inner { long double f0; long f1; long f2[2]; __int128 f3; };
union floatFirst { float f0; union inner f1; long double f2; unsigned f3; };
union floatInner { float f0; union inner f1; };
union x87Only { float f0; long double f1; };
union half { long double f0; long f1; };                   // X87UP after INTEGER: memory
union nestedHalf { float f0; union half f1; };
struct holder { union floatInner f0; };
int callee(union inner a, union floatFirst b, struct holder c, union half d, union nestedHalf e, int last, ...);
#ifdef CALLEE
int callee(union inner a, union floatFirst b, struct holder c, union half d, union nestedHalf e, int last, ...) {
  va_list ap;
  va_start(ap, last);
  union floatFirst f = va_arg(ap, union floatFirst);
  union x87Only g = va_arg(ap, union x87Only);
  union nestedHalf h = va_arg(ap, union nestedHalf);
  int end = va_arg(ap, int);
  va_end(ap);
  return a.f1 == 5 && b.f0 == 2.5f && c.f0.f1.f2[1] == 7 && d.f1 == 8 && e.f0 == 1.5f && last == 9 && f.f1.f2[1] == 10 && g.f1 == 11 && h.f1.f0 == 12 && end == 13;
}
#else
int main(void) {
  union inner a = {.f1 = 5};
  union floatFirst b = {.f0 = 2.5f}, f = {.f1 = {.f2 = {0, 10}}};
  struct holder c = {{.f1 = {.f2 = {6, 7}}}};
  union half d = {.f1 = 8};
  union nestedHalf e = {.f0 = 1.5f}, h = {.f1 = {.f0 = 12}};
  union x87Only g = {.f1 = 11};
  return callee(a, b, c, d, e, 9, f, g, h, 13) ? 0 : 1;
}
#endif
