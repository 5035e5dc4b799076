// What a range gives to unions, and designators that go on in the same member of one of its elements, or in another one. Empty braces over a part of what a
// string or a row of constants gives.
#include <stdio.h>

union both { int i; unsigned char c[4]; };
struct in { int before; union both u; union { short s; unsigned char d[4]; }; };

#define RANGES(A, B, C, D)                                                                                                                  \
  union both A[5] = { [0 ... 4].c[1] = 7, [1].c[3] = 2, [2].i = 0x01010101, [4].c[0] = 5, [3].c = { 9 } };                                  \
  union both B[3][3] = { [0 ... 2] = { [0 ... 1].c = { 1, 2 } }, [1][0].c[3] = 3, [2][1].c[2] = 4, [0][2].c[1] = 6 };                       \
  struct in C[4] = { [1 ... 3] = { 1, { .c = { 2, 3 } }, .d = { 4, 5 } }, [2].u.c[3] = 6, [3].d[3] = 7, [1].s = 8 };                        \
  union both D[6] = { [0 ... 3].c[0] = 1, [2 ... 5].i = 3, [0].c[1] = 2, [1].i = 0x7f, [3].c[3] = 4, [2].i = 1 };

RANGES(a, b, c, d)

static struct { char s[8]; int z; } text[3] = { { "abcdef", .s[2] = 0, .z = 4 }, [1 ... 2] = { "uvwxyz", 5 }, [2].s = { 'q' } };

static void bytes(const char *name, const void *p, unsigned n)
{
  printf("%s", name);
  for (unsigned i = 0; i < n; i++)
    printf(" %d", ((const unsigned char *)p)[i]);
  puts("");
}

int main(void)
{
  RANGES(e, f, g, h)
  bytes("a", a, sizeof a);
  bytes("b", b, sizeof b);
  bytes("c", c, sizeof c);
  bytes("d", d, sizeof d);
  bytes("e", e, sizeof e);
  bytes("f", f, sizeof f);
  bytes("g", g, sizeof g);
  bytes("h", h, sizeof h);
  bytes("text", text, sizeof text);
  return 0;
}
