// N bodies: structs of three doubles by value, forces by cilk_for, energy by a recursive sum, so that rounding is fixed.
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
typedef struct { double x, y, z; } vec;
typedef struct { vec p, v, f; double m; } body;
static inline vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec scale(vec a, double k) { vec r = {.x = a.x * k, .y = a.y * k, .z = a.z * k}; return r; }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec force(const body *b, int n, int i, int lo, int hi) {
    if (hi - lo <= 8) {
        vec f = {0};
        for (int j = lo; j < hi; j++) {
            if (j == i) continue;
            vec d = add(b[j].p, scale(b[i].p, -1));
            double r2 = dot(d, d) + 1e-3;
            f = add(f, scale(d, b[i].m * b[j].m / (r2 * sqrt(r2))));
        }
        return f;
    }
    vec l = cilk_spawn force(b, n, i, lo, (lo + hi) / 2), r = force(b, n, i, (lo + hi) / 2, hi);
    cilk_sync;
    return add(l, r);
}
static double energy(const body *b, int n) {
    if (n == 1) return b->m * dot(b->v, b->v) / 2;
    double l, r;
    l = cilk_spawn energy(b, n / 2);
    r = energy(b + n / 2, n - n / 2);
    cilk_sync;
    return l + r;
}
int main(void) {
    enum { N = 40 };
    static body b[N];
    for (int i = 0; i < N; i++) b[i] = (body){{i % 7, i % 5 * 1.5, i % 3 * 2.0 + i / 10.0}, {0, 0, 0}, {0, 0, 0}, 1 + i % 4};
    for (int t = 0; t < 5; t++) {
        cilk_for (int i = 0; i < N; i++) b[i].f = force(b, N, i, 0, N);
        cilk_for (body *p = b; p < b + N; p++) {
            p->v = add(p->v, scale(p->f, 0.01 / p->m));
            p->p = add(p->p, scale(p->v, 0.01));
        }
    }
    printf("%.10f %.10f\n", energy(b, N), b[7].p.x);
    return 0;
}
