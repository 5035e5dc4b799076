// Large structs, unions, long double and vectors as arguments and results of spawned functions.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
struct big { long n[20]; char tag[9]; };
union mixed { double d; struct { int a, b, c; } s; };
struct small { char c; short s; };
struct fl { float x, y, z; };
static struct big make(int n, struct big seed) {
    if (n == 0) return seed;
    struct big l, r;
    l = cilk_spawn make(n - 1, seed);
    seed.n[n] += n;
    r = cilk_spawn make(n - 1, seed);
    cilk_sync;
    for (int i = 0; i < 20; i++) l.n[i] = l.n[i] * 3 + r.n[i];
    snprintf(l.tag, sizeof l.tag, "t%d%s", n, "x");
    return l;
}
static union mixed mix(int n) { union mixed m; memset(&m, 0, sizeof m); if (n & 1) m.d = n; else m.s.a = n, m.s.c = -n; return m; }
static struct small tiny(int n) { struct small s = {(char)n, (short)(n * 100)}; return s; }
static struct fl floats(float a, struct fl f) { struct fl r = {a * f.x, a + f.y, a - f.z}; return r; }
static long double power(long double x, int n) {
    if (n == 0) return 1;
    long double h = cilk_spawn power(x, n / 2);
    cilk_sync;
    return n % 2 ? h * h * x : h * h;
}
typedef int v4 __attribute__((vector_size(16)));
static v4 lanes(v4 a, int k) { return a * k + (v4){1, 2, 3, 4}; }
int main(void) {
    struct big seed = {{1, 2, 3}, "seed"}, b;
    b = cilk_spawn make(5, seed);
    union mixed m[4];
    struct small s[4];
    for (int i = 0; i < 4; i++) { m[i] = cilk_spawn mix(i); s[i] = cilk_spawn tiny(i); }
    struct fl f = cilk_spawn floats(1.5f, (struct fl){1, 2, 3});
    long double p = cilk_spawn power(1.25L, 33);
    v4 v = cilk_spawn lanes((v4){1, 1, 2, 2}, 5);
    cilk_sync;
    for (int i = 0; i < 20; i++) printf("%ld ", b.n[i]);
    printf("%s\n", b.tag);
    for (int i = 0; i < 4; i++) printf("%d %d %d ", i & 1 ? (int)m[i].d : m[i].s.a + m[i].s.c, s[i].c, s[i].s);
    printf("\n%.2f %.2f %.2f %.6Lf %d %d %d %d\n", f.x, f.y, f.z, p, v[0], v[1], v[2], v[3]);
    return 0;
}
