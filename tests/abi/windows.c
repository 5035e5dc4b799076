// Functions with the attribute ms_abi, one half under -DCALLEE, the other without: each argument has one place, odd sizes go by reference.
#include <stdio.h>
#define MS __attribute__((ms_abi))
typedef struct { char a; } S1;
typedef struct { short a, b; } S4;
typedef struct { int a, b, c; } S12;
typedef struct { double d; } SD;
typedef struct { long a, b; } S16;
typedef int (MS *Callback)(int, double);

#ifdef CALLEE
#define BODY(...) { __VA_ARGS__ }
#else
#define BODY(...) ;
#endif

MS int integers(int a, int b, int c, int d, int e, int f) BODY(return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;)
MS double mixed(float a, int b, double c, char d, double e, float f) BODY(return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;)
MS S12 records(S1 a, S4 b, S12 c, SD d, S16 e)
    BODY(S12 r = {a.a + b.a + c.a, (int)d.d + b.b + c.b, (int)e.a + c.c}; c.a = 99; e.b = 3; return r;)
MS long double wide(long double x, __int128 y, _Complex float z) BODY(return x + y + __real__ z;)
MS __int128 result16(__int128 y) BODY(return y * 3;)
MS S4 result4(S4 x) BODY(x.a++; return x;)
MS _Complex double complexes(_Complex double x, _Complex float y) BODY(return x + y;)
MS int many(const char *s, ...) BODY(return s[0];)
int MS callBack(int (MS *p)(int, double), int x) BODY(return p(x, 2.5);)

#ifndef CALLEE
static MS int minus(int a, double b) { return (int)(a - b); }
int times(int a, double b) __attribute__((ms_abi));
int MS times(int a, double b) { return (int)(a * b); }

struct Operations {
  int (MS *one)(int, double);
  Callback two;
  MS S12 (*three)(S1, S4, S12, SD, S16);
};

int main(void) {
  S12 s = {1, 2, 3};
  S16 q = {7, 8};
  printf("%d %g\n", integers(1, 2, 3, 4, 5, 6), mixed(1, 2, 3, 4, 5, 6));
  S12 r = records((S1){1}, (S4){2, 3}, s, (SD){4.5}, q);
  printf("%d %d %d, %d %ld\n", r.a, r.b, r.c, s.a, q.b);
  printf("%Lg %ld %d\n", wide(1.5L, 4, 3.0f), (long)result16(12), result4((S4){3, 4}).a);
  _Complex double c = complexes(1.0 + 2.0i, 3.0f);
  Callback p = times;
  printf("%g %g %d %d\n", __real__ c, __imag__ c, callBack(p, 4), callBack(minus, 9));
  struct Operations o = {times, minus, records};
  printf("%d %d %d %d\n", o.one(2, 3), o.two(9, 3), o.three((S1){1}, (S4){2, 3}, s, (SD){4.5}, q).b, many("x", 1, 2.0));
  return 0;
}
#endif
