// A range of elements of which only a part is designated: what follows goes on in the last element, and ranges in ranges that are
// overridden in part keep the rest in every element.
#include <stdio.h>
struct in { int a, b, c; };
union un { int i; short h[2]; };
struct out { struct in x; int y[3]; union un u; unsigned p : 5, q : 9; };

static void show(const char *name, const void *object, unsigned long bytes) {
  const unsigned char *c = object;
  printf("%s:", name);
  for (unsigned long i = 0; i < bytes; ++i) printf(" %x", c[i]);
  printf("\n");
}
#define SHOW(object) show(#object, &object, sizeof object)

static struct in s1[5] = { [1 ... 3].b = 6, 8, 9, 10 };
static struct out s2[4] = { [0 ... 2].y[1] = 5, 7, 11, [3] = { .u.h = { [0 ... 1] = 20, [0] = 26 } } };
static struct { struct out e[3]; int k; } s3 = { .e[0 ... 1] = { .q = 9, .u = { .h = { [0 ... 1] = 20, [0] = 26 } } }, .e[1 ... 2].y[0 ... 1] = 3, 4, 5 };
static int s4[3][4] = { [0 ... 2][1 ... 2] = 7, 8, [1][1] = 3 };

int main(void) {
  int v = 5;
  struct in a1[5] = { [1 ... 3].b = v, 8, v, 10 };
  struct in a2[4] = { [2].c = v, [2 ... 3].a = 7, 1, [3] = { 27 }, 26 };
  struct out a3[4] = { [0 ... 2].y[1] = v, 7, 11, [3] = { .u.h = { [0 ... 1] = v, [0] = 26 } } };
  struct { struct out e[3]; int k; } a4 = { .e[0 ... 1] = { .q = v, .u = { .h = { [0 ... 1] = 20, [0] = v } } }, .e[2].y[0 ... 1] = v, 4, 5 };
  int a5[3][4] = { [0 ... 2][1 ... 2] = v, 8, [1][1] = 3 };
  SHOW(s1); SHOW(s2); SHOW(s3); SHOW(s4);
  SHOW(a1); SHOW(a2); SHOW(a3); SHOW(a4); SHOW(a5);
  return 0;
}
