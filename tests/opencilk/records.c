// Members of structs as receivers and arguments: nested, through pointers, arrays in structs, unions, flexible arrays, bit-fields nearby.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
struct point { double x, y; };
struct shape { struct point corner[4]; unsigned kind : 3, used : 1; int area; union { int i; float f; } u; };
struct table { int n; struct shape rows[]; };
static double d(int n) { return n / 4.0; }
static int i(int n) { return n * 3; }
static struct point pt(double x, double y) { return (struct point){.y = y, .x = x}; }
static void build(struct shape *s, int n) {
    s->kind = n & 7, s->used = 1;
    s->corner[0].x = cilk_spawn d(n);
    s->corner[0].y = cilk_spawn d(n + 1);
    for (int k = 1; k < 4; k++) s->corner[k] = cilk_spawn pt(k * n, -k);
    (*s).area = cilk_spawn i(n);
    if (n & 1) s->u.f = cilk_spawn d(3 * n); else s->u.i = cilk_spawn i(n + 5);
    s->used = 0;
    cilk_sync;
}
static double value(const struct shape s) { return s.corner[3].x * s.kind + s.corner[0].y + s.area + s.used; }
int main(void) {
    int n = 9;
    struct table *t = malloc(sizeof *t + n * sizeof t->rows[0]);
    t->n = n;
    cilk_for (int k = 0; k < t->n; k++) build(&t->rows[k], k);
    double v[9], s = 0;
    for (int k = 0; k < n; k++) v[k] = cilk_spawn value(t->rows[k]);
    struct { int a; struct { int b[3]; } in; } local;
    local.a = cilk_spawn i(2);
    local.in.b[2] = cilk_spawn i(4);
    *(&local.in.b[0] + 1) = cilk_spawn i(6);
    local.in.b[0] = 1;
    cilk_sync;
    for (int k = 0; k < n; k++) { s += v[k]; printf("%.2f ", k & 1 ? t->rows[k].u.f : t->rows[k].u.i); }
    printf("%.3f %d %d %d\n", s, local.a, local.in.b[1], local.in.b[2] + local.in.b[0]);
    free(t);
    return 0;
}
