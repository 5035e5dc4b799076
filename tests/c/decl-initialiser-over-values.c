// A struct's value that is given whole, and what the rest of the list says of its parts (C17 6.7.9 p19): what comes later counts, and
// braces make zero what they don't name. gcc clears the value, so the figures are the standard's.
#include <string.h>
struct in { int a, b, c; };
struct out { struct in x; int y[2]; struct in z; unsigned f : 3, g : 5; };
typedef int v4 __attribute__((vector_size(16)));

static int made;
static struct out make(int k) {
  ++made;
  return (struct out){ { k, k + 1, k + 2 }, { k + 3, k + 4 }, { k + 5, k + 6, k + 7 }, 5, 21 };
}
static int is(const struct out *o, int xa, int xb, int xc, int y0, int y1, int za, int zb, int zc, unsigned f, unsigned g) {
  return o->x.a == xa && o->x.b == xb && o->x.c == xc && o->y[0] == y0 && o->y[1] == y1 && o->z.a == za && o->z.b == zb && o->z.c == zc &&
         o->f == f && o->g == g;
}

static __attribute__((noinline)) void dirty(void) {
  volatile char stack[400];
  for (int i = 0; i < 400; ++i) stack[i] = 0x55;
}
// Bytes that are stored twice leave as many others to be zeroed.
static __attribute__((noinline)) int rest(struct in in) {
  struct { struct in first, second; } two = { .second = in, .second.a = 5, .second.b = in.c, .second.c = 7 };
  return two.first.a | two.first.b | two.first.c | (two.second.a != 5) | (two.second.b != in.c) | (two.second.c != 7);
}

int main(void) {
  struct out o = make(10);
  struct { struct out m; int k; } r = { .m = o, .m.z = { 1, 2 }, .k = 4 };
  if (!is(&r.m, 10, 11, 12, 13, 14, 1, 2, 0, 5, 21) || r.k != 4) return 1;
  // Most of the list is constant, and the value is not the first.
  struct out p[2] = { [1].y[0] = 5, 6, { 7, 8, 9 }, [0] = o, [0].z.b = 88, [0].x.c = 99 };
  if (!is(&p[0], 10, 11, 99, 13, 14, 15, 88, 17, 5, 21) || !is(&p[1], 0, 0, 0, 5, 6, 7, 8, 9, 0, 0)) return 2;
  // A range of elements, of which some have values.
  struct out q[3] = { [1] = o, [0 ... 2].x = { .b = 1 } };
  if (!is(&q[0], 0, 1, 0, 0, 0, 0, 0, 0, 0, 0) || !is(&q[1], 0, 1, 0, 13, 14, 15, 16, 17, 5, 21) || !is(&q[2], 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)) return 3;
  struct out t[3] = { [0 ... 2] = o, [1].z = { 3 }, [1].x.a = 77 };
  if (!is(&t[0], 10, 11, 12, 13, 14, 15, 16, 17, 5, 21) || !is(&t[1], 77, 11, 12, 13, 14, 3, 0, 0, 5, 21) ||
      !is(&t[2], 10, 11, 12, 13, 14, 15, 16, 17, 5, 21)) return 4;
  // A part of some of a range's elements.
  struct in g = { 1, 2, 3 }, h[5] = { [0 ... 4] = g, [1 ... 3].b = 6 };
  for (int i = 0; i < 5; ++i)
    if (h[i].a != 1 || h[i].b != (i % 4 ? 6 : 2) || h[i].c != 3) return 9;
  // A union's other member.
  struct tagged { int k; union { int i; short s[2]; } u; int l; } x = { 1, { 0x50005 }, 7 }, y[1] = { [0] = x, [0].u = { .s[1] = 3 } };
  if (y[0].k != 1 || y[0].u.s[0] || y[0].u.s[1] != 3 || y[0].l != 7) return 10;
  dirty();
  if (rest(g)) return 11;
  // Braces in braces, and braces with nothing inside.
  struct { struct { struct out m[2]; } w; } u = { { { o, o } } }, v = { .w = u.w, .w.m[1] = { .x = { 5 }, .x = { .c = 6 } }, .w.m[1].z.a = 8, .w.m[0].y = { 1 } };
  if (!is(&v.w.m[0], 10, 11, 12, 1, 0, 15, 16, 17, 5, 21) || !is(&v.w.m[1], 0, 0, 6, 0, 0, 8, 0, 0, 0, 0)) return 5;
  struct { struct out m; } e = { .m = make(30), .m.y = {}, .m.f = 2 };
  if (!is(&e.m, 30, 31, 32, 0, 0, 35, 36, 37, 2, 21) || made != 2) return 6;
  // Vectors and strings.
  v4 one = { 1, 2, 3, 4 };
  struct { v4 v[2]; int k; } w = { .v = { one + 1, one + 5 }, .v[0] = { 7 }, .k = 1 };
  if (w.v[0][0] != 7 || w.v[0][1] || w.v[0][3] || w.v[1][3] != 9) return 7;
  struct text { char s[8]; struct { char t[4]; } i; } c = { "abcdefg", { "xyz" } }, d[2] = { [1] = { "1" }, [0] = c, [0].s = "q", [0].i = { { 'w' } } };
  if (memcmp(d[0].s, "q\0\0\0\0\0\0", 8) || memcmp(d[0].i.t, "w\0\0", 4) || strcmp(d[1].s, "1")) return 8;
  return 0;
}
