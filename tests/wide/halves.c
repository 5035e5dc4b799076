// Wide _BitInts across compilers: arguments in every position, results, members, variable arguments. Compiled with and without -DCALLEE.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TYPES(X) X(129) X(192) X(200) X(256) X(1000)
#define DECLARE(n)                                                                                                                            \
  typedef _BitInt(n) s##n;                                                                                                                    \
  typedef unsigned _BitInt(n) u##n;                                                                                                           \
  struct r##n { char c; s##n v; };                                                                                                            \
  s##n first##n(s##n a, int b, double c);                                                                                                     \
  u##n last##n(int a, long b, char c, short d, int e, int f, int g, u##n h, float i, u##n j);                                                 \
  struct r##n record##n(struct r##n a, s##n b, struct r##n c);                                                                                \
  u##n listed##n(int count, ...);                                                                                                                 \
  extern s##n object##n[2];
TYPES(DECLARE)
_BitInt(100) narrow(_BitInt(100) a, _BitInt(65) b, int c, _BitInt(128) d, _BitInt(3) e);

#ifdef CALLEE
#define DEFINE(n)                                                                                                                             \
  s##n object##n[2] = {(s##n)-5 << 70, (s##n)7 << 100};                                                                                       \
  s##n first##n(s##n a, int b, double c) { return a * b + (s##n)c; }                                                                          \
  u##n last##n(int a, long b, char c, short d, int e, int f, int g, u##n h, float i, u##n j) {                                                \
    return h - j + a + b + c + d + e + f + g + (int)i;                                                                                        \
  }                                                                                                                                           \
  struct r##n record##n(struct r##n a, s##n b, struct r##n c) { return (struct r##n){a.c + c.c, a.v * b - c.v}; }                             \
  u##n listed##n(int count, ...) {                                                                                                                \
    va_list ap;                                                                                                                               \
    va_start(ap, count);                                                                                                                          \
    u##n sum = 0;                                                                                                                             \
    for (int i = 0; i < count; i++) {                                                                                                             \
      sum = sum * 3 + va_arg(ap, u##n);                                                                                                       \
      sum += va_arg(ap, int) + (u##n)va_arg(ap, double);                                                                                      \
    }                                                                                                                                         \
    va_end(ap);                                                                                                                               \
    return sum;                                                                                                                               \
  }
TYPES(DEFINE)
_BitInt(100) narrow(_BitInt(100) a, _BitInt(65) b, int c, _BitInt(128) d, _BitInt(3) e) { return a - b * c + (_BitInt(100))d * e; }
#else
#define SHOW(T, n, e)                                                                                                                         \
  do {                                                                                                                                        \
    T v = (e);                                                                                                                                \
    for (int i = 0; i < n; i += 32) printf("%08x ", (unsigned)(v >> i));                                                                      \
    puts(#e);                                                                                                                                 \
  } while (0)
#define CALL(n)                                                                                                                               \
  {                                                                                                                                           \
    s##n a = (s##n)0x123456789abcdef << 66, b = -a + 3;                                                                                       \
    SHOW(s##n, n, first##n(a, -7, 2.5));                                                                                                      \
    SHOW(u##n, n, last##n(1, 2, 3, 4, 5, 6, 7, a, 8, b));                                                                                     \
    struct r##n r = record##n((struct r##n){1, a}, 5, (struct r##n){2, b});                                                                   \
    SHOW(s##n, n, r.v + r.c);                                                                                                                 \
    SHOW(u##n, n, listed##n(3, (u##n)a, 1, 1.5, (u##n)b, 2, 2.5, (u##n)1, 3, 3.5));                                                           \
    SHOW(s##n, n, object##n[0] * 3 + object##n[1]);                                                                                           \
  }
int main(void) {
  TYPES(CALL)
  SHOW(_BitInt(100), 100, narrow((_BitInt(100))1 << 90, -5, 1000000, (_BitInt(128))1 << 70, -3));
  return 0;
}
#endif
