/* Records by value: parameters, results, assignment chains, members of results, ?:, unions, arrays in records, empty records, overlap through pointers. */
#include <string.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
struct s1 { char c; }; struct s2 { int a, b; }; struct s3 { double d; int i; }; struct s4 { long v[9]; char t; }; struct e {}; struct f { float a, b, c, d; }; struct m { struct s2 s; union { int i; double d; } u; };
struct s1 r1(struct s1 x) { x.c++; return x; } struct s2 r2(struct s2 x, struct s1 y) { x.a += y.c; return x; } struct s3 r3(int n, struct s3 x) { x.d *= n; return x; }
struct s4 r4(struct s4 x, int i) { x.v[i] = -1; return x; } struct e re(struct e x, int *n) { ++*n; return x; } struct f rf(struct f x) { x.d = x.a + x.b; return x; }
static struct s4 g; struct s4 self(void) { struct s4 t = g; t.v[0]++; g.v[1] = 77; return t; }
struct m mm(int i) { struct m x = { { i, i + 1 }, { .d = i } }; return x; }
struct node { struct node *next; int v; };
struct arr { int a[4]; }; struct arr mkarr(int n) { struct arr x = { { n, n + 1, n + 2, n + 3 } }; return x; }
int main(void) {
  struct s1 a = { 'a' }; CHECK(r1(a).c == 'b' && a.c == 'a'); struct s2 b = { 1, 2 }; b = r2(b, a); CHECK(b.a == 98 && b.b == 2); struct s3 c = { 1.5, 3 }; CHECK(r3(4, c).d == 6);
  for (int i = 0; i < 9; i++) g.v[i] = i; g.t = 'z'; struct s4 d = r4(g, 3); CHECK(d.v[3] == -1 && g.v[3] == 3 && d.v[8] == 8 && d.t == 'z');
  g = self(); CHECK(g.v[0] == 1 && g.v[1] == 1); struct s4 x, y, z; x = y = z = d; CHECK(x.v[8] == 8 && y.t == 'z'); CHECK((x = g).v[0] == 1); CHECK((b.a ? x : y).v[3] == 3);
  int n = 0; struct e em; em = re(em, &n); re(re(em, &n), &n); CHECK(n == 3 && sizeof em == 0); struct f f = rf((struct f) { 1, 2, 3 }); CHECK(f.d == 3 && f.c == 3);
  CHECK(mm(4).s.b == 5 && mm(4).u.d == 4); struct m q = mm(9); q.u.i = 3; struct m *pq = &q; CHECK(pq->s.a == 9 && (*pq).u.i == 3); memcpy(&x, &d, sizeof x); CHECK(!memcmp(&x, &d, sizeof(long) * 9));
  CHECK(mkarr(3).a[2] == 5); int *p = mkarr(5).a; (void)p; struct arr two[2]; two[1] = mkarr(1); two[0] = two[1]; CHECK(two[0].a[3] == 4);
  struct node l3 = { 0, 3 }, l2 = { &l3, 2 }, l1 = { &l2, 1 }; int s = 0; for (struct node *k = &l1; k; k = k->next) s += k->v; CHECK(s == 6); l1 = *l1.next; CHECK(l1.v == 2);
  struct s2 *ps = &(struct s2) { 5, 6 }; CHECK(ps->b == 6); ps = (struct s2[]) { { 1, 2 }, { 3, 4 } }; CHECK(ps[1].a == 3); for (int i = 0; i < 3; i++) { struct s2 *w = &(struct s2) { i, .b = w == 0 }; CHECK(w->a == i); }
  union { struct s2 s; long l; } u = { .s = { 1, 0 } }; CHECK(u.l == 1); volatile struct s2 v = { 3, 4 }; struct s2 nv = v; CHECK(nv.b == 4); v = nv; struct s2 (*fp)(struct s2, struct s1) = r2; CHECK((*fp)(nv, a).a == 100);
  struct s4 *pg = &g; *pg = *pg; CHECK(g.v[2] == 2); struct s2 sx = ({ struct s2 t = { 8, 9 }; t; }); CHECK(sx.b == 9); sx = (sx.a = 1, sx); CHECK(sx.a == 1);
  return fails ? 1 : 0;
}
