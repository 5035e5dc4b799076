// Constant expressions: widths, wrapping, promotions, floats of every format, complex, addresses, builtins.
#include <float.h>
#include <limits.h>
#include <stddef.h>
static int line;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)
#define S(c) _Static_assert(c, #c)
S(-1 > 0u); S((unsigned char)300 == 44); S((signed char)200 == -56); S(-7 / 2 == -3 && -7 % 2 == -1); S(-8 >> 1 == -4);
S(1 ? 2 : 1 / 1); S(0 || 3); S(!(0 && 1 / 1)); S(0xffffffff + 1 == 0); S(0xffffffffL + 1 == 0x100000000L);
S(sizeof(1 ? (char)1 : (char)2) == 4); S(~0u == UINT_MAX); S((1ull << 63) >> 63 == 1); S('\377' == (char)255); S('ab' == 24930);
S((int)2.9 == 2 && (int)-2.9 == -2); S((_Bool)0.5); S((unsigned long)-1 == ULONG_MAX); S(sizeof(struct { char a[3]; short b; }) == 6);
S((short)40000 < 0); S(1u - 2 > 0); S((unsigned short)1 - 2 < 0); S((__int128)1 << 100 > 0); S(-(__int128)1 < 0); S(INT_MIN == -2147483647 - 1);
S(__builtin_choose_expr(1, 5, (char *)0) == 5); S(__builtin_types_compatible_p(int, signed)); S(!__builtin_types_compatible_p(int, unsigned));
S(__builtin_clz(1) == 31 && __builtin_ctzl(8) == 3 && __builtin_popcountll(255) == 8 && __builtin_ffs(0) == 0 && __builtin_parity(7) == 1);
S(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap16(0x0102) == 0x0201 && __builtin_bswap64(1) == 1ull << 56);
S(__builtin_constant_p(3) && __builtin_strlen("four") == 4 && __builtin_expect(5, 1) == 5 && __builtin_abs(-3) == 3);
S(__builtin_offsetof(struct { int a; char b[4]; }, b[2]) == 6); S(_Generic(1.0f, float: 1, default: 0)); S(_Alignof(double) == 8);
S(__builtin_add_overflow_p(INT_MAX, 1, (int)0) && !__builtin_add_overflow_p(INT_MAX, 1, 0L));
enum { A = 1 << 4, B = A | 3, C = B % 5, D = -B };
float f = 0.1f; double d = 0.1, hex = 0x1.8p3, big = 1e308 * 10, tiny = 4.9e-324, sum = 0.1 + 0.2, third = 1.0 / 3;
float fsum = 0.1f + 0.2f, fdiv = 1.0f / 3, fbig = 16777217; long double ld = 0.1L, lsum = 0.1L + 0.2L, lhex = 0x1p-16445L;
double fromint = 9007199254740993LL, neg = -0.0; unsigned long toint = (unsigned long)1e19; int sat = (int)3.99f;
__float128 q = 0.1Q, qs = 1.0Q / 3; _Float64 f64 = 0.5F64;
double _Complex z = (1.0 + 2.0i) * (3.0 - 1.0i), zd = (1.0 + 2.0i) / (0.5i); float re = __real__ (3.0f + 4.0fi); 
double inf = __builtin_inf(), nan_ = __builtin_nan(""), hv = __builtin_huge_val(); float fab = __builtin_fabsf(-2.5f);
int isn = __builtin_isnan(__builtin_nan("")), isi = __builtin_isinf(1.0), sg = __builtin_signbit(-0.0) != 0;
struct s { int a, b[4]; struct { char c, e[3]; } n; } obj, arr[3];
int *ip = &obj.b[2], *ip2 = &arr[1].b[3] - 1; char *cp = &arr[2].n.e[1], *cp2 = (char *)&arr[1] + 4; void *vp = &obj.n, *self = &self;
long dist = &arr[2].b[1] - &arr[2].b[0], cast = (long)&obj + 4; size_t o = (size_t)&((struct s *)0)->n.e[2];
int nonnull = &obj != 0, eqaddr = &obj.a == (int *)&obj, cond = &obj ? 1 : 2, notp = !&obj;
int (*fp)(void) = 0 ? 0 : (int (*)(void))0; const char *str = "abcdef" + 2; char ch = "xyz"[1]; char *absolute = (char *)0x1234;
static int labels(int i) { static void *const t[] = { &&a, &&b }; static const int rel[] = { &&a - &&a, &&b - &&a }; goto *(i < 2 ? t[i] : &&a + rel[1]); a: return 1; b: return 2; }
int main(void) {
  volatile double vd = 0.1, ve = 0.2, vo = 1; volatile float vf = 0.1f, vg = 0.2f, v1 = 1; volatile long double vl = 0.1L, vm = 0.2L;
  CHECK(D == -19 && C == 4);
  CHECK(sum == vd + ve && third == vo / 3 && fsum == vf + vg && fdiv == v1 / 3 && lsum == vl + vm && ld == vl && f == vf);
  CHECK(hex == 12 && big > DBL_MAX && tiny > 0 && tiny / 2 == 0 && fbig == 16777216.0f && lhex > 0);
  CHECK(fromint == 9007199254740992.0 && 1 / neg < 0 && toint == 10000000000000000000ul && sat == 3);
  CHECK((double)q == 0.1 && q != (__float128)0.1 && (double)qs == 1.0 / 3 && f64 == 0.5);
  CHECK(__real__ z == 5 && __imag__ z == 5 && __real__ zd == 4 && __imag__ zd == -2 && re == 3);
  CHECK(inf > DBL_MAX && nan_ != nan_ && hv == inf && fab == 2.5f && isn && !isi && sg);
  CHECK(ip == obj.b + 2 && ip2 == &arr[1].b[2] && cp == arr[2].n.e + 1 && cp2 == (char *)arr[1].b && vp == &obj.n && self == &self);
  CHECK(dist == 1 && cast == (long)&obj.b && o == 23 && nonnull && eqaddr && cond == 1 && !notp && !fp && *str == 'c' && ch == 'y' && (long)absolute == 0x1234);
  CHECK(labels(0) == 1 && labels(1) == 2 && labels(2) == 2);
  switch (3) { case sizeof(int) - 1: break; default: CHECK(0); }
  int local[(int)(sizeof(long) / 2.0 * 1)]; CHECK(sizeof local == 16);
  return line;
}
