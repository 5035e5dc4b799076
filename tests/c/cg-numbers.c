/* Integer and floating conversions at the limits, __int128, long double, shifts, unsigned wrap-around, promotions, _Bool, compound assignment through narrower types, _Float16 and __float128. */
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
typedef __int128 i128; typedef unsigned __int128 u128;
static signed char sc = -1; static unsigned char uc = 255; static short ss = -32768; static unsigned u = 0xffffffffu; static int imin = -2147483647 - 1; static long lm = -1; static float f = 16777217.0f; static double d = 1e18; static long double ld = 1.0L; static unsigned long ulmax = ~0ul; static _Bool bo;
static i128 big = ((i128)1 << 90) + 7; static u128 ub = ~(u128)0;
int main(void) {
  CHECK(sc + uc == 254 && (unsigned)sc == 0xffffffffu && (unsigned char)sc == 255 && sc < uc && (long)u == 0xffffffffL && (int)u == -1 && u > lm && (short)70000 == 4464); CHECK(-ss == 32768 && (ss >> 15) == -1 && (unsigned short)ss == 32768);
  CHECK(u + 1 == 0 && u * u == 1 && u / 2 == 0x7fffffff && (u >> 31) == 1 && (imin >> 31) == -1 && (1u << 31) == 2147483648u && (1L << 40) >> 38 == 4); CHECK(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -3 == 1 && (sc ^ uc) == ~255 && !sc == 0 && !!uc == 1);
  uc += 3; CHECK(uc == 2); uc -= 5; CHECK(uc == 253); sc *= 100; CHECK(sc == -100); sc /= 3; CHECK(sc == -33); ss += 1.9; CHECK(ss == -32766); u >>= 4; CHECK(u == 0xfffffff); u <<= 40 - 36; int i = 10; i *= 1.55; CHECK(i == 15); i -= 'a'; CHECK(i == -82); i %= 7; CHECK(i == -5); i |= 8L; i ^= 1; i &= ~0u;
  CHECK(f == 16777216.0f && (int)3.99 == 3 && (int)-3.99 == -3 && (unsigned char)200.7 == 200 && (long)d == 1000000000000000000L && (float)0.1 != 0.1 && (double)ulmax == 18446744073709551616.0 && (unsigned long)1.8e19 == 18000000000000000000ul); CHECK((unsigned)3e9 == 3000000000u && (float)ulmax == 18446744073709551616.0f);
  CHECK(ld / 3 * 3 == 1 && (long double)d == 1e18L && (long)(ld * 5.7L) == 5 && ld < 1.0000000000000001L && sizeof ld == 16); ld += 1; ld *= 2.5; CHECK(ld == 5); ld++; CHECK(ld == 6 && (int)ld == 6 && -ld < 0);
  bo = 0.5; CHECK(bo == 1); bo = 256; CHECK(bo); bo = (char *)0; CHECK(!bo); bo++; bo++; CHECK(bo == 1); bo--; CHECK(bo == 0); bo ^= 1; CHECK(bo); CHECK((_Bool)0.1f && sizeof bo == 1);
  CHECK(big >> 90 == 1 && (big & 7) == 7 && big * 3 / 3 == big && big % 1000 == (i128)(((u128)1 << 90) % 1000 + 7) % 1000 && (long)big == 7 && -big < 0 && ub + 1 == 0 && (u128)-1 == ub && (double)big > 1.2e27 && (i128)1e20 == (i128)100000000000000000000.0); big <<= 20; CHECK(big >> 110 == 1); big -= 1; big |= 1; ub /= 10; ub %= 1000000007; CHECK(ub > 0);
  CHECK((1 ? -1 : 0u) > 0 && (0 ? 1 : 2.5) == 2.5 && sizeof(1 ? (char)1 : (short)2) == 4 && (i ?: 3) == i); int n = 5; n = n++ + 0 * n; CHECK(n == 5); n += n += 0; CHECK(n == 10); int a = 1, b = 2, c = (a = b, b = 3, a + b); CHECK(c == 5); a = b = c; CHECK(a == 5 && b == 5); CHECK((a, b, 7) == 7);
  __float128 q = 1; q /= 3; CHECK(q * 3 == 1 && (double)q > 0.33 && (int)(q * 10) == 3); _Float16 h = 1.5; h += 2; CHECK(h == 3.5f16 && (float)h * 2 == 7 && sizeof h == 2); h = 2049; CHECK(h == 2048);
  char *p = "hello", *e = p + 4; CHECK(e - p == 4 && p[1] == 'e' && 1[p] == 'e' && *(e - 1) == 'l' && p < e && (p += 2) == e - 2 && *p++ == 'l' && *--e == 'l' && (long)p % 2 == (long)p % 2); int arr[3][4] = { { 0 } }, (*pa)[4] = arr; CHECK((char *)(pa + 1) - (char *)pa == 16 && &arr[2][1] - &arr[0][0] == 9 && sizeof arr[0] == 16);
  CHECK('\377' < 0 && L'\xff' == 255 && "\x41\102"[1] == 'B' && sizeof "abc" == 4 && sizeof L"ab" == 12 && u8"é"[0] != 0 && 'ab' == 24930 && 0x1p4 == 16 && 1e-2f < 0.02 && 0b101 == 5 && 07 + 1 == 8);
  enum { E1 = -1, E2 = 5 } en = E2; CHECK(en > E1 && sizeof en == 4); enum big { B = 1l << 40 }; CHECK(sizeof(enum big) == 8 && B >> 40 == 1); volatile int v = 3; v++; v += v; CHECK(v == 8); const int ci = 3; CHECK(*(const int *)&ci == 3);
  return fails ? 1 : 0;
}
