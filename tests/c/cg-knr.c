/* K&R definitions, unprototyped calls, implicit int, promoted parameters. */
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
struct s { int a, b, c, d, e; };
int add(), many();
char narrow(c, s, f, u) char c; short s; float f; unsigned char u; { return c + s + (int)f + (u == 200); }
static kr(a, b, p) char *p; { return a + b + *p; }
double dsum(n, x, y) double x; int n; double y; { return n + x + y; }
int rec(s, n) struct s s; int n; { s.e++; return n ? rec(s, n - 1) : s.e; }
struct s mk(a) int a; { struct s r; r.a = a; r.e = a * 2; return r; }
int noargs() { return 11; }
float fret(x) float x; { return x * 2; }
int arrp(a) int a[3]; { return a[2]; }
int main(argc, argv) int argc; char **argv; {
  char c = 3; short s = -4; float f = 2.5f; struct s st = { 1, 2, 3, 4, 5 }; int arr[3] = { 7, 8, 9 };
  CHECK(add(1, 2) == 3); CHECK(narrow(c, s, f, (unsigned char)200) == 2); CHECK(narrow(1, 2, 3.7, 456) == 7); CHECK(kr(1, 2, "\3") == 6); CHECK(dsum(1, 2.5, f) == 6); CHECK(rec(st, 3) == 9); CHECK(mk(4).e == 8); CHECK(noargs() == 11 && noargs(1, 2) == 11);
  CHECK(fret(f) == 5); CHECK(arrp(arr) == 9); int (*p)() = add; CHECK(p(3, 4) == 7); CHECK(many(1, 2L, 3.0, &st, 5, 6, 7, 8, 9.0) == 1 + 2 + 3 + 1 + 5 + 6 + 7 + 8 + 9);
  CHECK(argc == 1 && argv[0] && !argv[1]);
  return fails ? 1 : 0;
}
int add(a, b) { return a + b; }
int many(a, b, c, p, e, f, g, h, i) long b; double c, i; struct s *p; { return a + b + c + p->a + e + f + g + h + i; }
