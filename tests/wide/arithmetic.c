// _BitInt of more than 128 bits: what programs print is compared with clang's.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SAME(e, T) _Generic((e), T: 1, default: 0)
static_assert(BITINT_MAXWIDTH >= 4096);
static_assert(sizeof(_BitInt(129)) == 24 && sizeof(_BitInt(192)) == 24 && sizeof(_BitInt(4096)) == 512 && alignof(_BitInt(4096)) == 8);
static_assert(SAME((_BitInt(200))1 + 1, _BitInt(200)) && SAME((_BitInt(200))1 + (__int128)1, _BitInt(200)));
static_assert(SAME(0x1000000000000000000000000000000000wb, _BitInt(134)) && SAME(0xffffffffffffffffffffffffffffffffwb, _BitInt(129)));
static_assert(((unsigned _BitInt(256))1 << 200) >> 199 == 2 && ((_BitInt(256))-5 >> 1) == -3);
static_assert((_BitInt(300))7 * 6 == 42 && 1000000000000000000000000000000000000000000wb / 1000000000000000000000000000000000000000wb == 1000);
static_assert(-1000000000000000000000000000000000000000007wb % 1000000000000000000000000000000000000000000wb == -7);
static_assert((unsigned _BitInt(256))-1 > 0 && (unsigned char)0x1000000000000000000000000000000000000000007wb == 7);
static_assert((_BitInt(200))0x1.8p130 >> 129 == 3 && (unsigned _BitInt(200))(unsigned __int128)-1 >> 127 == 1);
int sized[(unsigned _BitInt(300))5];
static_assert(sizeof sized == 20);
enum { fromWide = (int)(((_BitInt(512))1 << 400) >> 398) };
static_assert(fromWide == 4);

typedef _BitInt(W) sw;
typedef unsigned _BitInt(W) uw;
typedef _BitInt(V) sv;
typedef unsigned _BitInt(V) uv;

#ifdef __clang__   // refuses signed products of more than 128 bits
static int mul_overflow(sw a, sw b, sw *p) {
  _BitInt(2 * W) exact = (_BitInt(2 * W))a * b;
  *p = (sw)exact;
  return *p != exact;
}
#define MUL_OVERFLOW mul_overflow
#else
#define MUL_OVERFLOW __builtin_mul_overflow
#endif

static void show(const char *what, const void *p, int bits) {
  // padding is not shown
  unsigned char b[600];
  memcpy(b, p, (bits + 7) / 8);
  if (bits % 8) b[bits / 8] &= (1 << bits % 8) - 1;
  printf("%s ", what);
  for (int i = (bits + 7) / 8; i-- > 0;) printf("%02x", b[i]);
  puts("");
}
#define SHOW(T, bits, e) do { T v_ = (e); show(#e, &v_, bits); } while (0)

static unsigned long long seed = SEED;
static unsigned long long next(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 20 ^ seed << 30;
}
__attribute__((noinline)) static uw random_u(void) {
  uw r = 0;
  int n = next() % (W / 32 + 1);
  for (int i = 0; i < n; i++) r = r << 32 ^ (next() & 0xffffffff);
  if (next() & 1) r = -r;
  return r;
}
static uw table[3] = {1, (uw)-2, (uw)3 << (W - 2)};
static sw signed_table[2] = {-1, (sw)1 << (W - 2)};
sv narrower = (sv)-12345;
struct mixed { char tag; sw w; uv m : V - 3; unsigned _BitInt(7) k : 5; sw tail : W - 1; } mixed = {'t', -9, 77, 3, -1}, made[2];
__attribute__((noinline)) sw product(sw a, sw b) { return a * b; }
__attribute__((noinline)) struct mixed make(int i) { return (struct mixed){'a' + i, (sw)i << (W - 8), i, i, -i}; }
__attribute__((noinline)) uw sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  uw r = 0;
  for (int i = 0; i < n; i++) r = r * 3 + va_arg(ap, uw) + va_arg(ap, int);
  va_end(ap);
  return r;
}

int main(void) {
  printf("%zu %zu %zu %zu\n", sizeof(sw), alignof(sw), sizeof(struct mixed), sizeof(made));
  for (int i = 0; i < 3; i++) SHOW(uw, W, table[i]);
  for (int i = 0; i < 2; i++) SHOW(sw, W, signed_table[i]);
  SHOW(sv, V, narrower);
  for (int i = 0; i < ROUNDS; i++) {
    uw a = random_u(), b = random_u();
    if (i % 4 == 0) b &= 0xffffffffff;
    sw c = a, d = b;
    uv n = a;
    sv o = b;
    SHOW(uw, W, a + b);
    SHOW(uw, W, a - b);
    SHOW(uw, W, a * b);
    SHOW(sw, W, product(a, b));
    if (b) {
      SHOW(uw, W, a / b);
      SHOW(uw, W, a % b);
      if (!(d == -1)) {
        SHOW(sw, W, c / d);
        SHOW(sw, W, c % d);
      }
    }
    int k = next() % W;
    SHOW(uw, W, a << k);
    SHOW(uw, W, a >> k);
    SHOW(sw, W, c >> k);
    SHOW(sw, W, ~c);
    SHOW(uw, W, -a);
    SHOW(uw, W, (a & b) ^ (a | n));
    SHOW(sw, W, c < d ? o : n);
    printf("%d%d%d%d%d%d%d\n", a < b, a <= b, c < d, c >= d, a == b, c != d, (a && !b) + (c < o) * 2);
    printf("%d %ld %llx %d\n", (int)a, (long)c, (unsigned long long)b, (_Bool)(a >> 3));
    SHOW(sw, W, (sw)(signed char)a + (__int128)c);
    // floats
    double f = (double)a, g = (double)c;
    float h = (float)d;
    printf("%a %a %a\n", f, g, h);
#ifdef LONGDOUBLE
    printf("%La\n", (long double)c);
#endif
    if (g < 0x1p126 && g > -0x1p126) SHOW(sw, W, (sw)g);
    double big = (double)(int)next() * 0x1p90;
    SHOW(sw, W, (sw)big);
    SHOW(uw, W, (uw)(big < 0 ? -big : big));
    sw p;
    uv q;
    printf("%d", __builtin_add_overflow(c, d, &p));
    show("", &p, W);
    printf("%d", MUL_OVERFLOW(c, d, &p));
    show("", &p, W);
    uw pu;
    printf("%d", __builtin_mul_overflow(a, b, &pu));
    show("", &pu, W);
    printf("%d", __builtin_sub_overflow(a, d, &q));
    show("", &q, V);
    a += 3;
    a *= b;
    a++;
    c--;
    c <<= 3;
    c >>= 2;
    SHOW(uw, W, a);
    SHOW(sw, W, c);
    mixed.m = a;
    mixed.tail = c;
    mixed.k += 3;
    SHOW(uv, V, mixed.m);
    SHOW(sw, W, mixed.tail);
    SHOW(uv, V, ++mixed.m);
    printf("%d\n", (int)mixed.k);
    made[i & 1] = make(i);
    SHOW(sw, W, made[i & 1].w - made[0].tail);
    SHOW(uw, W, sum(3, a, 1, b, 2, a ^ b, 3));
    switch (c & 7) {
      case 1: puts("one"); break;
      case 2 ... 4: puts("two to four"); break;
      default: puts("other");
    }
    int array[3] = {i, 2, 3};
    printf("%d\n", array[(a & 1) + 1] + *(array + (c & 1)));
  }
  return 0;
}
