/* Bit-fields wider than int keep their width in arithmetic, as gcc has it. */
#include <stdio.h>

struct s { unsigned long long a : 40; unsigned long long b : 60; long long c : 35; unsigned long long d : 64; unsigned int e : 31; };

static struct s x = {0x1ffffffff, 0x100000, -1, 1, 7};

static void show(const char *what, unsigned long long v) { printf("%s %llx\n", what, v); }

int main(void) {
  show("shift", x.a << 8);
  show("shift back", x.a << 8 >> 8);
  show("add", x.a + 0xff00000000);
  show("product", x.b * x.b);
  show("mixed", x.a * x.b);
  show("long", x.a * 256ull);
  show("sub", x.a - 0x200000000);
  show("not", ~x.a);
  show("neg", -x.a);
  show("signed", (unsigned long long)(x.c + 0));
  show("choice", (x.a ? x.a : 0) << 8);
  show("sizes", sizeof(x.a + 0) + sizeof(x.c << 1));
  printf("%d %d %d\n", x.c < 0, x.a - 0x200000000 > 0, x.e - 8 < 0);
  printf("%llx %lld\n", (unsigned long long)x.a, (long long)x.c);
  x.a <<= 3, x.a += 1, x.c *= 3, x.a++;
  show("stored", x.a);
  show("stored signed", (unsigned long long)x.c);
  x.b = x.a = 0xfffffffffff;
  show("chained", x.b);
  switch (x.a) { case 0xffffffffff: puts("full"); break; default: puts("?"); }
  double f = x.a;
  printf("%.0f %d\n", f, x.a == 0xffffffffff);
  return 0;
}
