// Specifiers in any order, typedef scope, typeof, _Atomic, _Generic on types, VLA types, enums, thread-locals, tentative definitions.
#include <limits.h>
static int line;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)
#define SAME(a, b) _Static_assert(__builtin_types_compatible_p(a, b), #a " = " #b)
#define IS(t, e) _Static_assert(_Generic(e, t: 1, default: 0), #e " is " #t)
long unsigned int typedef long_tail; SAME(long_tail, unsigned long);
int long const static unsigned long ull = 1; IS(unsigned long long, ull);
short signed ss; IS(short, ss);
long double _Complex ldc; SAME(typeof(ldc), _Complex long double);
double long volatile ld; IS(long double, ld);
char signed unsigned_not; IS(signed char, unsigned_not);
int typedef *ip, arr3[3], fn(void);
const arr3 ca = { 1, 2, 3 }; IS(const int *, ca);
SAME(typeof(&ca), const int (*)[3]);
typeof(int *) p1, p2; IS(int *, p2);
typeof(ull) copy_type; IS(unsigned long long, copy_type);
_Atomic(int) at1; _Atomic int at2; _Atomic long *pat;
unsigned __int128 big = (unsigned __int128)1 << 100;
typedef enum { E1 = 1, E2 = E1 * 4, E3 } en; IS(int, E3);
enum { NEGV = -5, WIDE = 0x80000000 }; 
enum fwd *pf; enum fwd { F1 };
struct list { struct list *next; struct node *other; }; struct node { struct list l; };
int tent; int tent; extern int tent; int tent = 6;
int tarr[]; int tarr[4];
static _Thread_local int tls = 3; extern __thread int tls2; __thread int tls2 = 4;
extern const char later_array[]; const char later_array[] = "later";
__extension__ typedef long long ext_ll;
_Alignas(64) char aligned_buf[3];
int attr_aligned __attribute__((aligned(128)));
int labelled __asm__("decl_types_labelled") = 9; extern int by_label __asm__("decl_types_labelled");
typedef int T;
static int scope(void) { int T = 3; { typedef char T; T x = 'a'; return x + sizeof(T); } return T; }
static int scope2(unsigned T) { return (int)T + 1; }
struct T { T T; };
static int shadowed = 1;
static int vlas(int n) {
  int a[n], b[n][n + 1];
  typedef int row[n];
  row *pr = (row *)b;
  n += 5;
  row r;
  typeof(a) s;
  int (*q)[n] = 0;
  a[0] = (int)(sizeof a + sizeof r + sizeof s);
  CHECK(sizeof(b) / sizeof(int) == (n - 5) * (n - 4) && sizeof *pr == (n - 5) * sizeof(int) && sizeof *q == n * sizeof(int));
  for (int i = 1; i < 3; i++) { char c[i]; c[0] = 1; a[0] += (int)sizeof c; }
  int z = sizeof(int[n++]);
  return a[0] + z + n + (int)(s - s);
}
static int multi(int n) {
  int m[2][n][3], (*p)[n][3] = m;
  m[1][n - 1][2] = 5;
  return p[1][n - 1][2] + (int)(sizeof m[0] / sizeof(int)) + (int)(&m[1] - &m[0]);
}
int main(void) {
  struct T t = { .T = 4 };
  CHECK(scope() == 97 + 1 && scope2(3) == 4 && t.T == 4 && big >> 90 == 1024);
  CHECK(E3 == 5 && WIDE == 2147483648u && tent == 6 && tarr[3] == 0 && tls == 3 && tls2 == 4);
  CHECK(sizeof later_array == 6 && (unsigned long)aligned_buf % 64 == 0 && (unsigned long)&attr_aligned % 128 == 0 && by_label == 9);
  at1 = 5; at1 += 2; at2++; at2 *= 3;
  CHECK(at1 == 7 && at2 == 3);
  CHECK(vlas(3) == 36 + 3 + 32 + 9);
  CHECK(multi(4) == 5 + 12 + 1);
  int shadowed = 2; { extern int tent; int shadowed = tent; CHECK(shadowed == 6); }
  CHECK(shadowed == 2);
  { struct list { int only; }; CHECK(sizeof(struct list) == sizeof(int)); struct node; struct node { char c; }; CHECK(sizeof(struct node) == 1); }
  static int counter[] = { [INT_MAX - INT_MAX + 2] = 3 };
  CHECK(sizeof counter == 12);
  typeof(({ int w = 3; w; })) se = 4;
  __auto_type au = &se; *au = 5;
  CHECK(se == 5);
  fn *never = 0; ip ipp = &se;
  CHECK(!never && *ipp == 5);
  return line;
}
