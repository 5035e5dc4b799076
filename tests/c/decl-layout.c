// Sizes and offsets that the ABI fixes: packed, aligned, pack, bit-fields, anonymous members, empty structs, enums.
#include <stddef.h>
#define SIZE(t, n, a) _Static_assert(sizeof(t) == n, #t); _Static_assert(_Alignof(t) == a, #t " alignment")
struct a { char c; int i; short s; }; SIZE(struct a, 12, 4);
struct b { char c; int i; short s; } __attribute__((packed)); SIZE(struct b, 7, 1);
struct __attribute__((packed)) c { char c; int i __attribute__((aligned(8))); }; SIZE(struct c, 16, 8);
struct d { char c; double d; } __attribute__((aligned(32))); SIZE(struct d, 32, 32);
#pragma pack(push, 2)
struct e { char c; double d; int i : 3, j : 30; }; SIZE(struct e, 16, 2);
#pragma pack(pop)
struct f { int a : 3, b : 30; char c; }; SIZE(struct f, 12, 4);
struct g { char c; int : 0; char d; }; SIZE(struct g, 5, 1);
struct g2 { int a : 3, : 0; int b : 4; char c, d; }; SIZE(struct g2, 8, 4);
_Static_assert(offsetof(struct g2, c) == 5 && offsetof(struct g2, d) == 6, "after a bit-field of no width");
struct h { long a : 40; int b : 20; }; SIZE(struct h, 8, 8);
struct i { int n; struct { char x; long y; }; union { char p; short q; }; }; SIZE(struct i, 32, 8);
struct j {}; SIZE(struct j, 0, 1);
struct k { int n; char flex[]; }; SIZE(struct k, 4, 4);
struct l { _Alignas(16) char c; char d; }; SIZE(struct l, 16, 16);
union m { char c[5]; int i; }; SIZE(union m, 8, 4);
struct n { _Bool a : 1, b : 1; unsigned char c : 7; }; SIZE(struct n, 2, 1);
struct o { char a; long double b; __int128 c; }; SIZE(struct o, 48, 16);
enum small { s0, s1 = 200 } __attribute__((packed)); SIZE(enum small, 1, 1);
enum neg { m1 = -1, big = 3000000000 }; SIZE(enum neg, 8, 8);
enum plain { p0 }; SIZE(enum plain, 4, 4);
typedef int un __attribute__((aligned(1)));
struct q { char c; un u; }; SIZE(struct q, 5, 1);
typedef float v4 __attribute__((vector_size(16))); SIZE(v4, 16, 16);
typedef int hi __attribute__((mode(HI))), di __attribute__((mode(DI))); typedef unsigned qi __attribute__((__mode__(__QI__)));
SIZE(hi, 2, 2); SIZE(di, 8, 8); SIZE(qi, 1, 1);
_Static_assert(offsetof(struct i, y) == 16 && offsetof(struct i, q) == 24, "anonymous");
_Static_assert(_Generic((enum plain)0, unsigned: 1, default: 0) == 1, "enum");
_Static_assert(_Generic(p0, int: 1, default: 0) == 1, "enumerator");
typedef int over __attribute__((aligned(8))); typedef over over2; typedef short under __attribute__((aligned(1)));
_Static_assert(_Alignof(over) == 8 && __alignof__(over2) == 8 && _Alignof(under) == 1 && _Alignof(over *) == 8 && _Alignof(int[3]) == 4, "typedef");
int main(void) {
  struct f x = { 0 };
  x.a = 5; x.b = 0x1fffffff; x.c = 1;
  struct e y = { .i = -2, .j = 0x0fffffff };
  y.i++;
  struct h z = { .a = -1 };
  z.b = 77;
  struct n w = { 1, 0, 100 };
  w.b = 3;
  return !(x.a == -3 && x.b == 0x1fffffff && y.i == -1 && y.j == 0x0fffffff && z.a == -1 && z.b == 77 && w.b == 1 && w.c == 100);
}
