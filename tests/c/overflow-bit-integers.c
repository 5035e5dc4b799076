/* FLAGS: -std=gnu2x */
/* __builtin_{add,sub,mul}_overflow of _BitInt and ordinary integers. The exact result is worked out in four words, apart from the compiler's _BitInt. */
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 word2;
typedef struct {
  unsigned long long w[4];
} exact;   /* two's complement */

static exact widen(word2 v, int negative) {
  exact r = {{(unsigned long long)v, (unsigned long long)(v >> 64), negative ? ~0ull : 0, negative ? ~0ull : 0}};
  return r;
}
static exact added(exact a, exact b, int minus) {
  exact r;
  word2 carry = minus;
  for (int i = 0; i < 4; i++) {
    carry += (word2)a.w[i] + (minus ? ~b.w[i] : b.w[i]);
    r.w[i] = (unsigned long long)carry;
    carry >>= 64;
  }
  return r;
}
static exact multiplied(exact a, exact b) {
  exact r = {{0}};
  for (int i = 0; i < 4; i++) {
    word2 carry = 0;
    for (int k = 0; i + k < 4; k++) {
      carry += (word2)a.w[i] * b.w[k] + r.w[i + k];
      r.w[i + k] = (unsigned long long)carry;
      carry >>= 64;
    }
  }
  return r;
}
/* The exact value in so many bits, read as an object of the type would be. */
static exact wrapped(exact x, int width, int sign) {
  int negative = sign && x.w[(width - 1) / 64] >> (width - 1) % 64 & 1;
  for (int bit = width; bit < 256; bit++) {
    unsigned long long one = 1ull << bit % 64;
    if (negative) x.w[bit / 64] |= one;
    else x.w[bit / 64] &= ~one;
  }
  return x;
}

static int failures, checks;
static void check(const char *what, int op, exact a, exact b, int overflow, int predicted, word2 got, int negative, int width, int sign) {
  exact all = op == 2 ? multiplied(a, b) : added(a, b, op), kept = wrapped(all, width, sign), mine = widen(got, negative);
  int want = memcmp(&all, &kept, sizeof all) != 0;
  checks++;
  if (overflow == want && predicted == want && !memcmp(&mine, &kept, sizeof mine)) return;
  failures++;
  printf("%s: op %d: overflow %d, predicted %d, wanted %d, value %llx %llx, wanted %llx %llx\n", what, op, overflow, predicted, want, mine.w[1], mine.w[0],
      kept.w[1], kept.w[0]);
}

#define ONE(A, B, R, width, sign, op, name)                                                                                                     \
  {                                                                                                                                             \
    R r = (R)0x55;                                                                                                                              \
    int o = __builtin_##name##_overflow(a, b, &r), p = __builtin_##name##_overflow_p(a, b, (R)0);                                               \
    check(#A " " #B " " #R, op, widen((word2)a, a < 0), widen((word2)b, b < 0), o, p, (word2)r, r < 0, width, sign);                            \
  }
#define TRY(n, A, B, R, width, sign)                                                                                                            \
  __attribute__((noinline)) static void try##n(A a, B b) {                                                                                      \
    ONE(A, B, R, width, sign, 0, add) ONE(A, B, R, width, sign, 1, sub) ONE(A, B, R, width, sign, 2, mul)                                       \
  }                                                                                                                                             \
  static void run##n(void) {                                                                                                                    \
    static const word2 v[] = {0, 1, 3, ~(word2)0, ~(word2)1, ~(word2)0 >> 1, (word2)1 << 127, (word2)1 << 49, 0x1234567890abcdef, 1 << 16, 0xffff}; \
    for (int i = 0; i < 11; i++)                                                                                                                \
      for (int k = 0; k < 11; k++) try##n((A)v[i], (B)v[k]);                                                                                    \
  }

typedef _BitInt(2) s2;
typedef _BitInt(17) s17;
typedef _BitInt(33) s33;
typedef _BitInt(50) s50;
typedef _BitInt(61) s61;
typedef _BitInt(65) s65;
typedef _BitInt(100) s100;
typedef _BitInt(128) s128;
typedef unsigned _BitInt(1) u1;
typedef unsigned _BitInt(7) u7;
typedef unsigned _BitInt(17) u17;
typedef unsigned _BitInt(63) u63;
typedef unsigned _BitInt(66) u66;
typedef unsigned _BitInt(127) u127;

TRY(1, s50, s61, long, 64, 1)
TRY(2, s17, s17, s17, 17, 1)
TRY(3, u17, u17, u17, 17, 0)
TRY(4, long, int, s33, 33, 1)
TRY(5, u63, s2, u63, 63, 0)
TRY(6, s100, s65, s100, 100, 1)
TRY(7, s65, u66, u7, 7, 0)
TRY(8, u127, u127, u127, 127, 0)
TRY(9, s128, s128, s128, 128, 1)
TRY(10, u1, u1, s2, 2, 1)
TRY(11, unsigned, s33, s50, 50, 1)
TRY(12, u66, u66, __int128, 128, 1)
TRY(13, short, u7, u1, 1, 0)
TRY(14, s61, s61, unsigned long, 64, 0)

/* The whole object is written: bits of it that the value does not need are not left over. */
static int stored(s50 x, s61 y) {
  long z;
  memset(&z, 0x55, sizeof z);
  return __builtin_add_overflow(x, y, &z) == 0 && z == (long)x + (long)y;
}

int main(void) {
  run1(), run2(), run3(), run4(), run5(), run6(), run7(), run8(), run9(), run10(), run11(), run12(), run13(), run14();
  if (!stored(0xffff0000, 0xffff) || !stored(-(1ll << 49), -(1ll << 59))) failures++;
  printf("%d checks\n", checks);
  return failures != 0;
}
