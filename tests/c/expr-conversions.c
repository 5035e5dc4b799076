/* Usual arithmetic conversions, promotions, literals: types by _Generic, values by check. */
#include <stddef.h>
#include <stdio.h>
static int bad;
#define CHECK(e) do { if (!(e)) { printf("line %d: %s\n", __LINE__, #e); bad = 1; } } while (0)
#define IS(e, T) _Generic((e), T: 1, default: 0)

struct bits { unsigned u3 : 3; int i5 : 5; unsigned u31 : 31; unsigned u32 : 32; unsigned long u40 : 40; _Bool b : 1; };
enum small { S0, S1 }; enum neg { N = -1, P };

int main(void)
{
    char c = 1; short s = 2; unsigned short us = 3; unsigned u = 4; long l = 5; unsigned long ul = 6; long long ll = 7;
    float f = 1; double d = 2; long double ld = 3; _Bool b = 1; __int128 q = 1; unsigned __int128 uq = 2;
    struct bits x = { 7, -1, 1, 0xffffffff, 1ul << 39, 1 };
    CHECK(IS(c + c, int)); CHECK(IS(s + us, int)); CHECK(IS(us << 1ul, int)); CHECK(IS(u + 1, unsigned));
    CHECK(IS(u + l, long)); CHECK(IS(ul + ll, unsigned long long)); CHECK(IS(l + ll, long long)); CHECK(IS(ul + l, unsigned long));
    CHECK(IS(f + l, float)); CHECK(IS(f + d, double)); CHECK(IS(d + ld, long double)); CHECK(IS(b + b, int)); CHECK(IS(q + ul, __int128)); CHECK(IS(q + uq, unsigned __int128));
    CHECK(IS(-c, int)); CHECK(IS(+s, int)); CHECK(IS(~us, int)); CHECK(IS(!d, int)); CHECK(IS(1 < 2.0, int));
    CHECK(IS(x.u3 + 0, int)); CHECK(IS(x.u31 + 0, int)); CHECK(IS(x.u32 + 0, unsigned)); CHECK(IS(+x.b, int));
    CHECK(x.u3 - 8 < 0); CHECK(x.u32 - 0xffffffffu == 0); CHECK(x.i5 == -1);
    CHECK(IS(1, int)); CHECK(IS(2147483648, long)); CHECK(IS(0x80000000, unsigned)); CHECK(IS(1u, unsigned)); CHECK(IS(1ll, long long));
    CHECK(IS(0xffffffffffffffff, unsigned long)); CHECK(IS(1.0f, float)); CHECK(IS(1.0L, long double)); CHECK(IS('a', int)); CHECK(IS(L'a', int));
    CHECK(IS(u'a', unsigned short)); CHECK(IS(U'a', unsigned)); CHECK(IS("a", char *)); CHECK(IS(L"a", int *)); CHECK(IS(u8"a"[0], char));
    CHECK(IS(1.0f16, _Float16)); CHECK(IS(1.0f128, _Float128)); CHECK(IS(1.0f32 + 1.0f, _Float32)); CHECK(IS(1.0f64 + 1.0, _Float64)); CHECK(IS(1.0f128 + 1.0L, _Float128));
    CHECK(IS((enum small)0 + 0u, unsigned)); CHECK(IS(N, int)); CHECK((enum neg)N < 0);
    CHECK(IS(sizeof 1, size_t)); CHECK(IS((char *)0 - (char *)0, ptrdiff_t)); CHECK(IS(1 ? 1 : 2.0, double)); CHECK(IS(1 ? (void *)0 : (int *)0, int *));
    CHECK(IS(1 ? (void *)(size_t)1 : (int *)0, void *)); CHECK(IS(1 ? (const int *)0 : (int *)0, const int *)); CHECK(IS(1 ? 0 : (int *)0, int *));
    CHECK(-1 > 0u); CHECK((unsigned char)-1 > 0); CHECK(-1L < 0u); CHECK((short)-1 < (unsigned short)1);
    CHECK((int)3.99 == 3); CHECK((int)-3.99 == -3); CHECK((unsigned char)300 == 44); CHECK((signed char)200 == -56); CHECK((_Bool)0.1); CHECK((_Bool)&x); CHECK(!(_Bool)0.0);
    c = 127; c++; CHECK(c == -128); us = 65535; us++; CHECK(us == 0); b++; CHECK(b == 1); b--; CHECK(b == 0); b -= 1; CHECK(b == 1);
    s = 10; s *= 2.55; CHECK(s == 25); s /= 2u; CHECK(s == 12); s <<= 3; CHECK(s == 96); s %= 7; CHECK(s == 5); u = 1; u -= 2; CHECK(u == ~0u);
    x.u3 = 9; CHECK(x.u3 == 1); CHECK((x.u3 = 15) == 7); x.u3++; CHECK(x.u3 == 0); x.i5 += 20; CHECK(x.i5 == -13); x.u40 <<= 1; CHECK(x.u40 == 0);
    q = (__int128)1 << 100; CHECK((q >> 99) == 2); CHECK((double)q == 0x1p100); uq = -1; CHECK(uq > q); CHECK((long)(uq >> 64) == -1); CHECK(q / 3 * 3 + q % 3 == q);
    f = 16777217; CHECK(f == 16777216); d = 1e308; CHECK(d * 10 > d); CHECK((float)1e-50 == 0); CHECK((long)1e18 == 1000000000000000000); CHECK((unsigned long)1.8e19 == 18000000000000000000ul);
    CHECK(sizeof(c + 0) == 4 && sizeof c == 1 && sizeof "abc" == 4 && sizeof(char[3]) == 3 && _Alignof(double) == 8);
    CHECK((1, 2) == 2); CHECK((u = 3, u + 1) == 4); CHECK((0 ?: 5) == 5); CHECK((7 ?: 5) == 7); CHECK(IS(0 ?: 2.5, double)); CHECK((f ?: d) == f);
    CHECK(1 - 2 - 3 == -4); CHECK(-7 / 2 == -3 && -7 % 2 == -1); CHECK(1 << 2 + 1 == 8); CHECK((5 & 6 | 8 ^ 3) == 15); CHECK(-8 >> 1 == -4);
    CHECK('\377' == -1 && 'ab' == 'a' * 256 + 'b' && L'\x1234' == 0x1234);
    return bad;
}
