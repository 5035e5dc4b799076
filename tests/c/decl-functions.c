// Function declarators and definitions: K&R, prototypes, function pointers, redeclarations, inline, tags in parameter lists.
#include <stdarg.h>
static int line;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)
int kr(a, b, c, d) char a; float b; short c[]; double (*d)(); { return a + (int)(b * 2) + c[1] + (int)d(3.0); }
double kd(x) double x; { return x * 2; }
kimplicit(a, b) { return a - b; }
int old();
int old(x, f) int x; float f; { return x + (int)f; }
int narrow(float, char);
int narrow(f, c) float f; char c; { return (int)(f * 4) + c; }
int proto(int, char *, double, ...);
static int twice(int);
int (*select_fn(int w))(int);
int (*(*table[2])(int))(int) = { select_fn, select_fn };
static int thrice(int x) { return 3 * x; }
int (*select_fn(int w))(int) { return w ? twice : thrice; }
static int twice(int x) { return 2 * x; }
typedef int fn(int);
fn later, *pfn = later;
int later(int x) { return x + 100; }
struct outer { int v; };
int tagged(struct inner { int a, b; } *p) { struct inner q = *p; q.a++; return q.a + q.b; }
int vsum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int vla_param(int n, int m, int a[n][m], int (*b)[m]) { return a[1][2] + b[0][1] + (int)(sizeof(*b) / sizeof(int)) + (int)(sizeof(a[0]) / sizeof(int)); }
int static_param(int a[static 2], int b[const restrict], int c[volatile 3]) { return a[1] + b[0] + c[2]; }
static inline int sq(int x) { return x * x; }
inline int ext_inline(int x) { return x + 1; }
extern int ext_inline(int);
extern inline __attribute__((gnu_inline)) int never_emitted(int x) { return x + 2; }
static __attribute__((always_inline)) inline int ai(int x) { return x + 3; }
_Noreturn void stop(void);
void stop(void) { for (;;) ; }
const int cret(void) { return 4; }
int extern_in_block(void) { extern int hidden; extern int hidden_fn(int); return hidden + hidden_fn(1); }
int hidden = 5;
int hidden_fn(int x) { return x + hidden; }
static int shared_static = 8;
int sees_static(void) { extern int shared_static; return shared_static; }
int count_evals(int n, int a[n++]) { return n + a[0]; }
void nothing() {}
int apply(int f(int), int v) { return f(v); }
int main(int argc, char **argv) {
  short c[] = { 1, 2 };
  CHECK(kr('a', 1.5f, c, kd) == 97 + 3 + 2 + 6);
  CHECK(kimplicit(5, 3) == 2 && old(1, 2.5) == 3 && narrow(1.5f, 'b') == 6 + 98);
  CHECK(select_fn(1)(4) == 8 && select_fn(0)(4) == 12 && table[1](1)(5) == 10 && (**table[0])(0)(1) == 3);
  CHECK(pfn(1) == 101 && (*pfn)(2) == 102 && (***pfn)(3) == 103);
  struct inner { int z[10]; };
  CHECK(sizeof(struct inner) == 40);
  CHECK(vsum(3, 1, 2, 3) == 6);
  int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  CHECK(vla_param(2, 3, m, m) == 6 + 2 + 3 + 3);
  int three[3] = { 1, 2, 3 };
  CHECK(static_param(three, three, three) == 2 + 1 + 3);
  CHECK(sq(4) == 16 && ext_inline(1) == 2 && ai(1) == 4 && cret() == 4);
  CHECK(extern_in_block() == 5 + 6 && sees_static() == 8 && count_evals(1, three) == 3);
  CHECK(apply(twice, 21) == 42 && apply(&thrice, 2) == 6);
  nothing();
  int block_fn(int);
  CHECK(block_fn(2) == 4 && argc >= 1 && argv[0]);
  return line;
}
int block_fn(int x) { return x + 2; }
