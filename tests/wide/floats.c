// Wide _BitInts to and from every floating type: what programs print is compared with clang's. W is a multiple of 8.
#include <stdio.h>
#include <string.h>

typedef _BitInt(W) sw;
typedef unsigned _BitInt(W) uw;
static unsigned long long seed = 3;
static unsigned long long next(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 20 ^ seed << 30;
}
static void bytes(const void *p, int n) {
  const unsigned char *b = p;
  while (n-- > 0) printf("%02x", b[n]);
  puts("");
}
#define BACK(T, from) do { T v_ = from; bytes(&v_, W / 8); } while (0)

static const double constant = (double)(((uw)1 << 190) + 3);
static const sw truncated = (sw)-0x1.8p150L;

int main(void) {
  printf("%a\n", constant);
  bytes(&truncated, W / 8);
  for (int i = 0; i < 40; i++) {
    uw a = 0;
    int n = next() % (W / 16);
    for (int k = 0; k < n; k++) a = a << 16 ^ (next() & 0xffff);
    if (i % 5 == 0) a |= (uw)1 << (W - 1);
    sw s = a;
    float f = a, f2 = s;
    double d = a, d2 = s;
    long double l = a, l2 = s;
    __float128 q = a, q2 = s;
    printf("%a %a %a %a %La %La\n", f, f2, d, d2, l, l2);
    bytes(&q, sizeof q);
    bytes(&q2, sizeof q2);
    if (f < 0x1p127) BACK(uw, f);
    if (d < 0x1p199) BACK(uw, d);
    if (l < 0x1p199L) {
      BACK(uw, l);
      BACK(uw, q);
      BACK(sw, l2);
      BACK(sw, q2);
    }
    _Float16 h = (sw)(a & 0xfffff);
    printf("%a\n", (double)h);
    BACK(uw, (_Float16)(a >> (W - 16)));
  }
  return 0;
}
