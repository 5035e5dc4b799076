/* GNU expressions: statement expressions, typeof, __auto_type, computed goto, ranges, builtins that choose. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static int bad;
#define CHECK(e) do { if (!(e)) { printf("line %d: %s\n", __LINE__, #e); bad = 1; } } while (0)
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __auto_type t_ = (a); (a) = (b); (b) = t_; } while (0)

static int add(int n, ...) { va_list ap, aq; int s = 0; va_start(ap, n); va_copy(aq, ap); while (n--) s += va_arg(ap, int); s += va_arg(aq, int) * 100; va_end(ap); va_end(aq); return s; }
struct big { long a, b, c; };
static double mixed(const char *t, ...)
{
    va_list ap; double s = 0; va_start(ap, t);
    for (; *t; t++) switch (*t) {
        case 'd': s += va_arg(ap, double); break;
        case 'i': s += va_arg(ap, int); break;
        case 'l': s += va_arg(ap, long); break;
        case 'p': s += *va_arg(ap, int *); break;
        case 'L': s += va_arg(ap, long double); break;
        case 'b': { struct big x = va_arg(ap, struct big); s += x.a + x.c; break; }
    }
    va_end(ap);
    return s;
}
static int valist(int n, va_list ap) { return n ? va_arg(ap, int) + valist(n - 1, ap) : 0; }
static int forward(int n, ...) { va_list ap; va_start(ap, n); int r = valist(n, ap); va_end(ap); return r; }
static int interpret(const char *code)
{
    static void *labels[] = { &&stop, &&inc, &&dbl };
    int acc = 0;
    goto *labels[*code++ - '0'];
inc: acc++; goto *labels[*code++ - '0'];
dbl: acc *= 2; goto *labels[*code++ - '0'];
stop: return acc;
}
static int classify(int c) { switch (c) { case '0' ... '9': return 1; case 'a' ... 'z': case 'A' ... 'Z': return 2; case -5 ... -1: return 3; default: return 0; } }
static const char *name(void) { return __func__; }
static int nested(int n) { int base = 10; int twice(int k) { return 2 * k + base; } base = 20; return twice(n) + twice(1); }

int main(void)
{
    int i = 3, j = 4;
    CHECK(MAX(i++, 2) == 3 && i == 4); SWAP(i, j); CHECK(MAX(1.5, 1) == 1.5); CHECK(({ int k = 5; k * 2; }) == 10); ({ ; }); CHECK(({ struct big x = { 1, 2, 3 }; x; }).c == 3);
    CHECK(add(3, 1, 2, 3) == 106); int seven = 7; CHECK(mixed("dilpLb", 1.5, 2, 3L, &seven, 2.5L, (struct big){ 1, 2, 3 }) == 20); CHECK(mixed("dddddddddd", 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.) == 10); CHECK(forward(3, 4, 5, 6) == 15);
    CHECK(interpret("1210") == 3); CHECK(classify('5') == 1 && classify('q') == 2 && classify(-3) == 3 && classify('!') == 0); CHECK(!strcmp(name(), "name")); CHECK(sizeof __func__ == 5); CHECK(nested(1) == 44);
    CHECK(__builtin_choose_expr(1, 5, (char *)0) == 5); CHECK(__builtin_types_compatible_p(int, const int) && !__builtin_types_compatible_p(int, long) && __builtin_types_compatible_p(int[], int[5]) && !__builtin_types_compatible_p(char, signed char));
    CHECK(__builtin_constant_p(3) && __builtin_constant_p("x")); CHECK(__builtin_expect(i == 4, 1)); typeof(i) t = 3; typeof(&t) pt = &t; CHECK(*pt == 3); typeof(int[3]) arr; CHECK(sizeof arr == 12);
    CHECK(_Generic(i, int: "int", default: "other")[0] == 'i'); CHECK(_Generic("x", char *: 1, const char *: 2) == 1); CHECK(_Generic((const int)1, int: 1, default: 2) == 1); CHECK(_Generic(main, int (*)(void): 1, default: 0)); _Generic(i, int: j, default: i) = 9; CHECK(j == 9);
    { __label__ here; int n = 0; here: if (n++ < 3) goto here; CHECK(n == 4); } l1: ;
    long dist = &&l3 - &&l1; (void)dist; l3: ; __extension__ long long ext = __extension__ 5LL; CHECK(ext == 5);
    struct { int a; union { int b; float c; }; struct { int d; }; } anon = { 1, { 2 }, { 3 } }; CHECK(anon.b == 2 && anon.d == 3); anon.d++; CHECK(anon.d == 4);
    int zero[0]; CHECK(sizeof zero == 0); struct { int n; char data[]; } *flex = 0; CHECK(sizeof *flex == 4); enum { E1 = 5, E2, E3 = E1 * 2 }; CHECK(E2 == 6 && E3 == 10); for (int k = 0, w = 5; k < w; k++, w--) i = k; CHECK(i == 2);
    switch (i) { int hidden; case 2: hidden = 4; CHECK(hidden == 4); } int jumped = 0; if (0) { dead: i = 1; } else i = 2; if (!jumped++) if (i == 2) goto dead; CHECK(i == 1 || i == 2);
    CHECK((i = 1 ? 2 : 3, i) == 2); do i++; while (i < 5); CHECK(i == 5); int cnt = 0; for (;;) { if (++cnt == 3) continue; if (cnt > 5) break; } CHECK(cnt == 6); CHECK(__alignof__(struct big) == 8 && __alignof__(i) == 4);
    return bad;
}
