/* Static initialisers: nested, designated, overridden, strings, addresses with offsets, unions, flexible members, big sparse arrays, compound literals, self reference. */
#include <string.h>
#include <stddef.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
struct in { char c; short s; }; struct out { int a; struct in i[2]; char name[6]; double d; const char *p; struct out *self; union { int n; float f; } u; };
static struct out o = { 1, { { 'a', -2 }, { 'b', 3 } }, "hello", 2.5, "text" + 1, &o, { .f = 1.0f } };
static int big[1 << 20] = { [5] = 1, [1000] = 2, [10 ... 12] = 7 };
static const char *tab[] = { "x", [3] = "y", [5] = 0 };
static char str[] = "abc\0def", exact[3] = "xyz", wide[10] = { "w" };
static int *ip = &big[1000]; static char *cp = (char *)&o + offsetof(struct out, name); static short *sp = &o.i[1].s; static int (*fp)(const char *, const char *) = strcmp;
static struct { int n; char data[]; } flex = { 3, "abc" };
static struct in *lit = (struct in[]) { { 'p', 1 }, { 'q', 2 } }; static int *nums = (int[]) { 1, 2, 3 };
static const long addr = (long)&big; static int same = &big[3] - &big[1]; static unsigned char uc = 300 & 255; static float f = 1; static long double ld = 1.25L; static _Bool yes = 5, pt = &big;
static struct out over = { .a = 1, .i[1] = { 'z', 9 }, .i[1].s = 4, .name = { 'q' }, .d = 1, .d = 2 };
static int two[2][3] = { { 1, 2 }, 3, 4 }; static __int128 i128 = (__int128)1 << 100; static wchar_t ws[] = L"wide"; static int matrix[][2] = { 1, 2, 3 };
static const struct { int k; const char *s; } kv[] = { { 1, "one" }, { 2, "two" }, { 3, NULL } };
union un { char b[8]; long l; }; static union un un = { "AB" }; static union un un2 = { .l = 5 };
static struct out copy = (struct out) { 42 };
int later; extern int later; static int *lp = &later; int later = 6;
extern int arr[]; int arr[3] = { 1, 2, 3 }; int tent; int tent; static double dz = -0.0;
int main(void) {
  CHECK(o.a == 1 && o.i[0].s == -2 && o.i[1].c == 'b' && !strcmp(o.name, "hello") && o.d == 2.5 && !strcmp(o.p, "ext") && o.self == &o && o.u.n == 0x3f800000);
  CHECK(big[5] == 1 && big[11] == 7 && big[13] == 0 && *ip == 2 && big[(1 << 20) - 1] == 0);
  CHECK(sizeof tab == 6 * sizeof *tab && !strcmp(tab[3], "y") && !tab[1]);
  CHECK(sizeof str == 8 && str[4] == 'd' && exact[2] == 'z' && wide[1] == 0 && !strcmp(cp, "hello") && *sp == 3 && fp("a", "a") == 0);
  CHECK(flex.n == 3 && !strcmp(flex.data, "abc")); CHECK(lit[1].c == 'q' && nums[2] == 3); CHECK(addr == (long)big && same == 2 && uc == 44 && f == 1 && ld == 1.25L && yes == 1 && pt);
  CHECK(over.i[1].s == 4 && over.i[1].c == 'z' && over.d == 2 && over.name[0] == 'q'); CHECK(two[0][2] == 0 && two[1][0] == 3 && two[1][1] == 4);
  CHECK(i128 >> 99 == 2 && ws[3] == 'e' && sizeof ws == 20 && sizeof matrix == 16 && matrix[1][0] == 3); CHECK(!strcmp(kv[1].s, "two") && !kv[2].s && kv[2].k == 3);
  CHECK(un.b[1] == 'B' && un2.l == 5 && copy.a == 42 && *lp == 6 && arr[2] == 3 && tent == 0 && 1 / dz < 0);
  static int local = 3; static int *pl = &local; ++*pl; CHECK(local == 4);
  struct out a = { .name = "loc", .d = local, .self = &a }; CHECK(a.d == 4 && a.self == &a && a.name[3] == 0 && a.a == 0);
  int auto2[5] = { [1 ... 3] = local }; CHECK(auto2[0] == 0 && auto2[3] == 4); char s2[20] = "init"; CHECK(s2[19] == 0 && s2[3] == 't');
  int z = 2; struct in ia[3] = { { 'a' }, [2] = { z, z + 1 } }; CHECK(ia[2].s == 3 && ia[1].c == 0);
  double darr[4] = { 1, 2.5 }; CHECK(darr[1] == 2.5 && darr[3] == 0); int nest[2][2] = { { local, 1 }, { 2 } }; CHECK(nest[0][0] == 4 && nest[1][1] == 0);
  return fails ? 1 : 0;
}
