/* Pointers, arrays, members, lvalues that are not simple. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static int bad;
#define CHECK(e) do { if (!(e)) { printf("line %d: %s\n", __LINE__, #e); bad = 1; } } while (0)

struct point { int x, y; };
struct nested { struct point p[3]; union { int i; float f; struct { char lo, hi; }; }; struct point *link; };
static struct nested make(int n) { struct nested r = { { { n, n + 1 }, { n + 2, n + 3 } }, .i = 0x4142 }; return r; }
static int twice(int n) { return 2 * n; }
static int apply(int (*f)(int), int n) { return f(n) + (*f)(n) + (**f)(n); }
static int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int matrix(int n, int m, int a[n][m]) { return a[n - 1][m - 1] + (int)sizeof a[0]; }

int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 }, *p = a, *q = &a[4], (*pa)[5] = &a, m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    CHECK(q - p == 4); CHECK(*(p + 2) == 3); CHECK(2[a] == 3); CHECK(*p++ == 1 && *p == 2); CHECK(*++p == 3); CHECK((*p)++ == 3 && a[2] == 4); a[2] = 3;
    CHECK((*pa)[1] == 2); CHECK(sizeof *pa == 20); CHECK((char *)(pa + 1) - (char *)pa == 20); CHECK(&a[5] == *(&a + 1)); CHECK(m[1][2] == 6 && *(*(m + 1) + 1) == 5 && sizeof m[0] == 12);
    p = a; p += 3; CHECK(*p == 4); p -= 2; CHECK(*p == 2); CHECK(p < q && q > p && p != q && p <= p && !(p == q)); CHECK(p[-1] == 1); CHECK(*(p - -1) == 3);
    unsigned char idx = 200; char big[256]; memset(big, 0, sizeof big); big[idx] = 9; CHECK(*(big + idx) == 9); unsigned one = 1; CHECK(q[-(int)one] == 4);
    void *v = a; CHECK((char *)(v + 4) == (char *)&a[1]); v++; CHECK(v == (char *)a + 1); CHECK(sizeof(void) == 1 && sizeof *v == 1);
    CHECK(make(5).p[1].y == 8); CHECK(make(1).p[0].x == 1); CHECK(make(1).lo == 0x42 && make(1).hi == 0x41); struct nested n = make(3), *pn = &n; CHECK(pn->p->x == 3 && (*pn).p[2].x == 0 && pn->i == 0x4142);
    n.link = n.p + 1; CHECK(pn->link->x == 5); pn->link++->y = 77; CHECK(n.p[1].y == 77 && n.link == &n.p[2]); CHECK((n = make(9)).p[0].y == 10); CHECK((1 ? n : *pn).p[0].x == 9); CHECK((0, n).p[1].x == 11);
    CHECK(apply(twice, 2) == 12 && apply(&twice, 1) == 6 && (&twice)(4) == 8 && (*twice)(4) == 8 && (twice)(4) == 8); int (*table[])(int) = { twice, twice }; CHECK(table[1](5) == 10);
    CHECK(sum(5, a) == 15); CHECK(matrix(2, 3, m) == 6 + 12); CHECK(sum(3, (int[]){ 7, 8, 9 }) == 24); struct point *lit = &(struct point){ 4, 5 }; lit->x++; CHECK(lit->x == 5);
    CHECK((struct point){ .y = 3 }.y == 3); CHECK(((int[]){ 1, 2, 3 })[1] == 2); CHECK(sizeof((char[]){ "abc" }) == 4); const char *str = "hello" + 1; CHECK(!strcmp(str, "ello")); CHECK("xyz"[1] == 'y' && *"q" == 'q' && 1["ab"] == 'b');
    CHECK(offsetof(struct nested, link) == 32 && offsetof(struct nested, p[1].y) == 12 && offsetof(struct nested, hi) == 25); int k = 2; CHECK(__builtin_offsetof(struct nested, p[k].x) == 16);
    _Static_assert(offsetof(struct point, y) == 4, "constant"); CHECK(&*p == p && &p[2] == p + 2); struct point *null = 0; CHECK(&null->y == (int *)4); CHECK(!null); CHECK(null == NULL && 0 == null);
    int vla[k + 1][k]; CHECK(sizeof vla == 24 && sizeof vla[0] == 8); vla[2][1] = 6; CHECK(*(vla[2] + 1) == 6); int (*pv)[k] = vla; CHECK((char *)(pv + 2) - (char *)pv == 16); int t = 1; CHECK(sizeof(int[t++]) == 4 && t == 2); CHECK(sizeof t++ == 4 && t == 2);
    int *restrict r = a; int *const cp = a; *cp = 10; CHECK(*r == 10); volatile int vi = 3; vi += vi; CHECK(vi == 6); int **pp = &p; CHECK(**pp == *p); *pp = a; CHECK(p == a);
    union u { int i; double d; char *s; } u = (union u)2.5; CHECK(u.d == 2.5); u = (union u)"s"; CHECK(*u.s == 's'); CHECK((union u){ 3 }.i == 3);
    char buf[8] = "abc", *w = buf; while (*w) *w++ += 1; CHECK(!strcmp(buf, "bcd")); int i = 0; a[i++] = i; CHECK(i == 1); i = 5; i = i++ + 1 - 1; (void)i; int z = sizeof(int) ? 4 : 0; CHECK(z == 4);
    extern int later[]; CHECK(later[1] == 2); CHECK((long)(char *)8 == 8 && (int *)(long)4 + 1 == (int *)8); CHECK((0 ? (char *)p : 0) == 0);
    return bad;
}
int later[] = { 1, 2 };
