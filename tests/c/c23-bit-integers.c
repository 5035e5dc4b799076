// FLAGS: -std=c23
// _BitInt(N): sizes, ranks, wrapping, conversions, arithmetic against the same in 128 bits, calls, bit-fields, constants with the suffix wb.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SAME(e, T) _Generic((e), T: 1, default: 0)
static_assert(BITINT_MAXWIDTH >= ULLONG_WIDTH);
static_assert(sizeof(_BitInt(2)) == 1 && sizeof(_BitInt(9)) == 2 && sizeof(_BitInt(17)) == 4 && sizeof(_BitInt(33)) == 8 && sizeof(_BitInt(65)) == 16);
// No promotion; the wider has the greater rank; of the same width the standard type has it.
static_assert(SAME((_BitInt(5))1 + (_BitInt(5))1, _BitInt(5)) && SAME((_BitInt(5))1 + (_BitInt(9))1, _BitInt(9)));
static_assert(SAME((_BitInt(5))1 + 'a', int) && SAME((_BitInt(40))1 + 1, _BitInt(40)) && SAME((_BitInt(40))1 + 1L, long));
static_assert(SAME((_BitInt(32))1 + 1, int) && SAME((unsigned _BitInt(32))1 + 1, unsigned) && SAME((_BitInt(32))1 + 1u, unsigned));
static_assert(SAME((unsigned _BitInt(40))1 + (_BitInt(40))1, unsigned _BitInt(40)) && SAME(+(_BitInt(3))1, _BitInt(3)) && SAME(~(_BitInt(3))1, _BitInt(3)));
static_assert(SAME(3wb, _BitInt(3)) && SAME(0wb, _BitInt(2)) && SAME(3uwb, unsigned _BitInt(2)) && SAME(0x80wb, _BitInt(9)) && SAME(1UWB, unsigned _BitInt(1)));
static_assert((unsigned _BitInt(5))32 == 0 && (_BitInt(5))16 == -16 && -1wb < 0 && (unsigned _BitInt(3))-1 == 7);
static_assert(170141183460469231731687303715884105727wb == (__int128)(((unsigned __int128)-1) >> 1));

typedef _BitInt(77) wide;
typedef unsigned _BitInt(24) medium;
static wide table[4] = {1, -2, (wide)3 << 70, -((wide)1 << 76)};
static _BitInt(7) small[5] = {[1] = 63, [3] = -64};
struct mixed { char tag; wide w; medium m : 20; medium rest : 4; _BitInt(11) k; };

static wide product(wide a, wide b) { return a * b; }
static medium next(medium m) { return m + 1; }
static struct mixed made(int i) { return (struct mixed){'t', (wide)i << 60, i, i, i}; }
static long many(char a, wide b, char c, wide d, int e, wide f, wide g, medium h) {
  return a + 2 * (long)b + 3 * c + 4 * (long)d + 5 * e + 6 * (long)f + 7 * (long)g + 8 * (long)h;
}
static long listed(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 10 + (long)va_arg(ap, wide) + (long)va_arg(ap, _BitInt(20));
  va_end(ap);
  return sum;
}
// A reference in 128 bits: the low n bits, as a signed number.
static __int128 cut(__int128 v, int n) { return (__int128)((unsigned __int128)v << (128 - n)) >> (128 - n); }

int main(void) {
  int bad = 0;
  unsigned long long seed = 1;
  for (int i = 0; i < 2000; i++) {
    __int128 x = 0, y = 0;
    for (int k = 0; k < 3; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      x = x << 43 ^ (__int128)(seed >> 20);
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      y = y << 43 ^ (__int128)(seed >> 20);
    }
    if (i % 3 == 0) y = cut(y, 9);
    wide a = x, b = y;
    __int128 p = cut(x, 77), q = cut(y, 77);
    bad += (__int128)a != p || (__int128)b != q;
    bad += (__int128)(wide)(a + b) != cut(p + q, 77) || (__int128)(wide)(a - b) != cut(p - q, 77) || (__int128)(wide)(a * b) != cut(p * q, 77);
    if (q) bad += (__int128)(a / b) != cut(p / q, 77) || (__int128)(a % b) != p % q;
    bad += (__int128)(a & b) != (p & q) || (__int128)(a ^ b) != (p ^ q) || (__int128)~a != ~p || (a < b) != (p < q) || (a == b) != (p == q);
    bad += (__int128)(a >> i % 77) != p >> i % 77 || (__int128)(wide)(a << i % 77) != cut(p << i % 77, 77);
    bad += (double)a != (double)p || (float)(medium)a != (float)(int)(p & 0xffffff) || (bool)a != (p != 0) || !a != !p;
    bad += (__int128)(_BitInt(13))a != cut(p, 13) || (__int128)(unsigned _BitInt(13))a != (p & 8191) || (signed char)a != (signed char)p;
    wide kept = a;
    kept += 3; kept <<= 1; kept -= b; kept *= 5; kept ^= a; kept++; --kept;
    bad += (__int128)kept != cut((cut((cut((p + 3) << 1, 77) - q) * 5, 77) ^ p), 77);
    unsigned _BitInt(5) u = x;
    u++;
    bad += u != (unsigned)((x + 1) & 31);
  }
  if (bad) return printf("%d wrong\n", bad), 1;
  if (product((wide)1 << 40, 3) >> 38 != 12 || next(0xffffff) != 0 || table[3] != table[3] * 1 || table[2] >> 70 != 3 || small[1] + small[3] != -1) return 2;
  struct mixed m = made(-5), copy;
  memcpy(&copy, &m, sizeof m);
  if (copy.w >> 60 != -5 || copy.m != 0xffffb || copy.rest != 11 || copy.k != -5 || copy.tag != 't') return 3;
  copy.rest += 6;
  if (copy.rest != 1 || copy.m != 0xffffb) return 4;
  if (many(1, 2, 3, 4, 5, 6, 7, 8) != 1 + 4 + 9 + 16 + 25 + 36 + 49 + 64) return 5;
  if (listed(2, (wide)4, (_BitInt(20))-3, (wide)7, (_BitInt(20))-1) != 16) return 6;
  wide from = -2.75;
  switch ((_BitInt(6))from) { case -2: break; default: return 7; }
  static wide counter = -1;
  if (counter-- != -1 || counter != -2) return 8;
  _BitInt(50) *p = &(_BitInt(50)){(_BitInt(50))1 << 47};
  if (*p * 2 != 1L << 48 || *p - *p || -*p >= 0) return 9;
  return (from ? 10wb : from) != 10;
}
