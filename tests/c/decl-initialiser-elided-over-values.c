// Initialisers that meet what the list has said before (C17 6.7.9 p17-20), where gcc and clang agree: elided braces start afresh over a struct's value and go on
// in what braces have said; a static compound literal's union keeps the member it was given; a range says for every element what it says for the first, and
// leaves in each what it doesn't name.
#include <stdio.h>
struct pair { int a, b; };
union any { char c[8]; int i; struct pair p; };
struct out { int k; struct pair p; union any u; int l; };
typedef int v4 __attribute__((vector_size(16)));
struct vec { v4 v; };

static void show(const char *name, const void *object, unsigned long bytes) {
  printf("%s:", name);
  for (unsigned long i = 0; i < bytes; ++i) printf(" %x", ((const unsigned char *)object)[i]);
  printf("\n");
}
#define SHOW(object) show(#object, &object, sizeof object)

// Unions in static compound literals.
static union any s1[2] = { [1] = (union any){ .c = { 1, 5 } }, [1].c[3] = 2 };
static struct out s2[2] = { [0] = (struct out){ .u = { .c = { 1, 2 } }, .l = 3 }, [0].u.c[6] = 4, [0].k = 5 };
static struct out s3[3] = { [0 ... 2].u = (union any){ .p = { 1, 2 } }, [1].u.p.b = 3, [2].u.c[0] = 4 };
static struct { union any u[3]; } s4 = { .u[0] = (union any){ .i = 7 }, .u[0 ... 1].c[5] = 8 };
static struct vec s5 = { .v = (v4){ 1, 2, 3 }, .v = 5 };
// A union's first member without a designator, after another one.
static union any s6[2] = { [1].p.b = 9, [1] = 4 }, s7[2] = { [1].c[7] = 9, [1] = 4 };
// Ranges over elements that differ.
static struct { union any u; int z; } s8[4] = { [1] = { .u = { .c = { 1, 2, 3 } } }, [2] = { { .i = 7 }, 8 }, [0 ... 3].u.c[1] = 9, 10 };
static struct out s9[3] = { [1] = { 1, { 2, 3 }, { { 4, 5 } }, 6 }, [0 ... 2] = 7 };
static union { struct out o; int n[3]; } s10[4] = { [3] = { .o = { 1, { 2, 3 } } }, [1].n[2] = 4, [0 ... 3].o.u.c = { [3] = 90, [1] = 42 }, 91 };
static union any s11[3] = { [1].c[6] = 72, [0 ... 2] = 16 }, s12[2] = { [1].c = { [5] = 71 }, [0].p = 21, [0 ... 1].p.a = 4 };

static struct pair made(int a) { return (struct pair){ a, a + 1 }; }

int main(void) {
  static union any t1[2] = { [0] = (union any){ .c = { 1, 5 } }, [0].c[3] = 2 };
  SHOW(s1); SHOW(s2); SHOW(s3); SHOW(s4); SHOW(s5); SHOW(s6); SHOW(s7); SHOW(s8); SHOW(s9); SHOW(s10); SHOW(s11); SHOW(s12); SHOW(t1);

  struct pair p = made(20);
  struct out o = { 1, p, { { 2, 3 } }, 4 };
  v4 v = { 1, 2, 3, 4 };
  struct out a1 = { .p = made(1), .p = 5 }, a2 = { .p = p, .p = 5, .l = 6 }, a3 = { .p = (struct pair){ 1, 2 }, .p = 5 }, a4 = { .p = { 1, 2 }, .p = 5 };
  struct out a5[2] = { [0] = o, [0] = 5 }, a6[2] = { [0 ... 1] = o, [1] = 5, 6, 7 }, a7[3] = { [1] = o, [0].l = 5, 6, 7 };
  struct out a8[3] = { [1] = o, [0 ... 2] = 5 }, a9[2] = { o, [0].p = p, [0].p = 5 };
  struct vec a10 = { .v = v, .v = 5 };
  SHOW(a1); SHOW(a2); SHOW(a3); SHOW(a4); SHOW(a5); SHOW(a6); SHOW(a7); SHOW(a8); SHOW(a10);
  printf("%d %d\n", a9[0].p.a, a9[0].p.b);
  return 0;
}
