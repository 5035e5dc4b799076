// Initialisers: designators, ranges, overrides, elided braces, strings, flexible members, unions, anonymous members, compound literals.
#include <stddef.h>
#include <string.h>
#include <wchar.h>
#include <uchar.h>
static int line;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)

struct point { int x, y; };
struct box { struct point a, b; const char *name; };
struct deep { int n; struct { struct point p[2]; int z; }; union { int i; float f; char c[8]; } u; };

struct box g1 = { 1, 2, 3, 4, "elided" };
struct box g2 = { { 1, 2 }, .b.y = 7, "after" };
struct box g3 = { .b = { 5, 6 }, .a = { 7 }, .name = "x" };
struct box g4 = { .a = { 1, 2 }, .a = { 3 } };
struct box g5 = { .a = { 1, 2 }, .a.y = 9 };
struct box g6[] = { [2].a.x = 1, 2, 3, 4, "two", { .name = "three" }, [0] = { { 8 } } };
struct deep d1 = { 1, 2, 3, 4, 5, 6, { 7 } };
struct deep d2 = { .p[1].y = 5, 6, .u.f = 1.5f };
struct deep d3 = { .n = 1, .z = 3, .p = { { 1, 2 }, { 3, 4 } }, .u = { .c = "abcdefg" } };
int a1[] = { 1, 2, [5] = 6, 7, [0] = 9 };
int a2[10] = { [0 ... 9] = 4, [3] = 5, [5 ... 6] = 1 };
int a3[3][2] = { 1, 2, 3, 4, 5 };
int a4[3][2] = { { 1 }, { 2 }, { 3 } };
int a5[][2] = { [1][1] = 4, 5, 6 };
struct point a6[4] = { [0 ... 2] = { 1, 2 }, [1] = { 5 } };
char s1[] = "hello", s2[3] = "abc", s3[10] = "hi", s4[] = { "braced" }, s5[] = ("paren");
char s6[][4] = { "ab", "cd", { 'x', 'y' } };
unsigned char s7[] = "\xff\x01";
wchar_t w1[] = L"wide", w2[] = { L"braced" };
char16_t u1[] = u"u16";
char32_t u2[] = U"u32";
char u3[] = u8"u8";
const char *strs[] = { "a", "b" "c", [4] = "e" };
struct flex { int n; short data[]; };
static struct flex f1 = { 3, { 1, 2, 3 } };
static struct flex f2 = { .n = 1, .data = { [4] = 9 } };
struct cflex { char n; char text[]; } f3 = { 5, "flexible" };
union un { char c; int i; double d; } un1 = { 300 }, un2 = { .d = 2.5 }, un3 = { .c = 1, .i = 0x01020304 };
struct bits { unsigned a : 3, : 2, b : 4; signed c : 5; unsigned : 0; unsigned d : 1; } bits1 = { 5, 9, -3, 1 }, bits2 = { .c = -1 };
int *p1 = &a1[2], *p2 = a1 + 3, **pp = &p1;
ptrdiff_t dif = &a1[5] - &a1[1];
const char *cp = &"string"[3];
struct point *pt = &(struct point){ 10, 20 };
int *lit = (int[]){ 1, 2, 3 };
struct point copy = (struct point){ 3, 4 };
struct point copies[] = { (struct point){ 1, 2 }, { .y = 5 }, (struct point){ .y = 6 } };
int fromlit[] = (int[]){ 7, 8, 9 };
int (*fp)(const char *, const char *) = strcmp;
size_t off = offsetof(struct deep, p[1].y), off2 = (size_t)&((struct box *)0)->b.y;
long addr = (long)&a1[1];
char *nullp = (void *)0;
struct { int a; struct {} e; int b; } emptyin = { 1, {}, 2 };
struct old { int f, g; } old1 = { g: 4, f: 3 };
int old2[3] = { [1] 5 };
_Bool bo = 3, bo2 = 0.5;
double dd[] = { 1, 2.5f, 'a' };
float _Complex fc = 1.0f + 2.0fi;
int trail[] = { 1, 2, };
int scalar = { 5 };
enum col { red, green, blue } names[blue + 1] = { [green] = blue };
typedef int vec __attribute__((vector_size(16)));
vec v1 = { 1, 2, 3 };
struct nest { int a[2][2]; struct point p; int e; } n1 = { 1, 2, 3, 4, 5, 6, 7 }, n2 = { { { 1 }, 2, 3 }, { 5 }, 7 };
struct nest n3 = { .a[1] = { 8, 9 }, .p.y = 1, 2 };
const int ci = 42;
static int from_const = ci + 1;

static int side;
static int eff(int v) { side++; return v; }

int main(void) {
  CHECK(g1.a.x == 1 && g1.b.y == 4 && !strcmp(g1.name, "elided"));
  CHECK(g2.a.y == 2 && g2.b.x == 0 && g2.b.y == 7 && !strcmp(g2.name, "after"));
  CHECK(g3.a.x == 7 && g3.a.y == 0 && g3.b.y == 6);
  CHECK(g4.a.x == 3 && g4.a.y == 0);
  CHECK(g5.a.x == 1 && g5.a.y == 9);
  CHECK(sizeof g6 / sizeof *g6 == 4 && g6[2].b.y == 4 && !strcmp(g6[2].name, "two") && !strcmp(g6[3].name, "three") && g6[0].a.x == 8 && g6[1].name == 0);
  CHECK(d1.p[0].x == 2 && d1.p[1].y == 5 && d1.z == 6 && d1.u.i == 7);
  CHECK(d2.n == 0 && d2.p[1].y == 5 && d2.z == 6 && d2.u.f == 1.5f);
  CHECK(d3.z == 3 && d3.p[1].x == 3 && !strcmp(d3.u.c, "abcdefg"));
  CHECK(sizeof a1 / sizeof *a1 == 7 && a1[0] == 9 && a1[1] == 2 && a1[5] == 6 && a1[6] == 7 && a1[3] == 0);
  CHECK(a2[0] == 4 && a2[3] == 5 && a2[4] == 4 && a2[5] == 1 && a2[6] == 1 && a2[9] == 4);
  CHECK(a3[1][0] == 3 && a3[2][1] == 0 && a4[2][0] == 3 && a4[0][1] == 0);
  CHECK(sizeof a5 == 24 && a5[1][1] == 4 && a5[2][0] == 5 && a5[2][1] == 6 && a5[0][0] == 0);
  CHECK(a6[0].y == 2 && a6[1].x == 5 && a6[1].y == 0 && a6[2].y == 2 && a6[3].x == 0);
  CHECK(sizeof s1 == 6 && s2[2] == 'c' && s3[9] == 0 && sizeof s4 == 7 && sizeof s5 == 6 && !strcmp(s5, "paren"));
  CHECK(sizeof s6 == 12 && !strcmp(s6[1], "cd") && s6[2][1] == 'y' && s7[0] == 255 && sizeof s7 == 3);
  CHECK(sizeof w1 == 20 && w1[3] == 'e' && w2[5] == 'd' && sizeof u1 == 8 && u2[1] == '3' && sizeof u3 == 3);
  CHECK(sizeof strs == 5 * sizeof(char *) && !strcmp(strs[1], "bc") && !strs[3] && !strcmp(strs[4], "e"));
  CHECK(f1.data[2] == 3 && f2.data[4] == 9 && f2.data[0] == 0 && !strcmp(f3.text, "flexible"));
  CHECK(un1.c == 300 % 256 && un2.d == 2.5 && un3.i == 0x01020304);
  CHECK(bits1.a == 5 && bits1.b == 9 && bits1.c == -3 && bits1.d == 1 && bits2.c == -1 && bits2.a == 0);
  CHECK(p1 == &a1[2] && p2 == &a1[3] && *pp == p1 && dif == 4 && *cp == 'i' && pt->y == 20 && lit[2] == 3);
  CHECK(copy.y == 4 && copies[0].y == 2 && copies[1].y == 5 && copies[2].y == 6 && sizeof fromlit == 12 && fromlit[2] == 9);
  CHECK(fp("a", "a") == 0 && off == offsetof(struct deep, p) + 12 && off2 == 12 && addr == (long)(a1 + 1) && !nullp);
  CHECK(emptyin.b == 2 && old1.f == 3 && old1.g == 4 && old2[1] == 5 && bo == 1 && bo2 == 1 && dd[2] == 97.0);
  CHECK(__real__ fc == 1 && __imag__ fc == 2 && sizeof trail == 8 && scalar == 5 && names[1] == blue && v1[1] == 2 && v1[3] == 0);
  CHECK(n1.a[1][1] == 4 && n1.p.y == 6 && n1.e == 7 && n2.a[0][1] == 0 && n2.a[1][0] == 2 && n2.a[1][1] == 3 && n2.p.x == 5 && n2.e == 7);
  CHECK(n3.a[1][1] == 9 && n3.p.x == 0 && n3.p.y == 1 && n3.e == 2 && from_const == 43);
  // The same in automatic storage, with values that are known at run time only.
  int k = eff(3);
  struct box l1 = { k, k + 1, { k + 2 }, "l" };
  struct box l2 = l1, l3[] = { l1, { .a = l2.b, .name = "z" }, [3] = { k } };
  CHECK(l1.b.x == 5 && l1.b.y == 0 && l2.a.y == 4 && sizeof l3 == 4 * sizeof(struct box) && l3[1].a.x == 5 && l3[2].name == 0 && l3[3].a.x == 3);
  int la[] = { [0 ... 3] = eff(7), k };
  CHECK(side == 2 && la[0] == 7 && la[3] == 7 && la[4] == 3 && sizeof la == 20);
  struct deep l4 = { .p[1] = { .y = k }, .u.c = { 'a', [5] = 'b' } };
  CHECK(l4.p[1].y == 3 && l4.p[0].x == 0 && l4.u.c[5] == 'b' && l4.u.c[1] == 0);
  char ls[] = "auto", lb[8] = { 'x' };
  CHECK(sizeof ls == 5 && lb[0] == 'x' && lb[7] == 0);
  union un lu = { .i = k };
  struct bits lbits = { k, k, -k, 1 };
  CHECK(lu.i == 3 && lbits.a == 3 && lbits.b == 3 && lbits.c == -3);
  struct { struct point p; int q; } l5 = { (struct point){ k, k }, 9 };
  CHECK(l5.p.y == 3 && l5.q == 9);
  int x = { k }, *lp = &(int){ k + 1 };
  CHECK(x == 3 && *lp == 4);
  static const struct point stat[2] = { { 1, 2 }, { 3 } };
  CHECK(stat[1].x == 3 && stat[1].y == 0);
  vec lv = { k, k };
  CHECK(lv[1] == 3 && lv[2] == 0);
  __auto_type au = 1.5f;
  CHECK(sizeof au == 4 && au == 1.5f);
  return line;
}
