// A library in the style of a course: parallel map, filter and reduce over void pointers and callbacks with a context.
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void (*map_fn)(void *out, const void *in, void *ctx);
typedef bool (*pred_fn)(const void *in, void *ctx);
typedef void (*fold_fn)(void *acc, const void *in);
struct array { char *data; size_t n, size; };
#define AT(a, i) ((void *)((a)->data + (i) * (a)->size))
static struct array map(const struct array *a, size_t size, map_fn f, void *ctx) {
    struct array r = {malloc(a->n * size + 1), a->n, size};
    cilk_for (size_t i = 0; i < a->n; i++) f(AT(&r, i), AT(a, i), ctx);
    return r;
}
static size_t scan(size_t *v, size_t n) { size_t s = 0; for (size_t i = 0; i < n; i++) { size_t t = v[i]; v[i] = s; s += t; } return s; }
static struct array filter(const struct array *a, pred_fn keep, void *ctx) {
    size_t *flags = calloc(a->n + 1, sizeof *flags);
    cilk_for (size_t i = 0; i < a->n; i++) flags[i] = keep(AT(a, i), ctx);
    struct array r = {NULL, scan(flags, a->n + 1), a->size};
    r.data = malloc(r.n * r.size + 1);
    cilk_for (size_t i = 0; i < a->n; i++)
        if (flags[i + 1] != flags[i]) memcpy(AT(&r, flags[i]), AT(a, i), a->size);
    free(flags);
    return r;
}
static void reduce(const struct array *a, size_t lo, size_t hi, void *acc, const void *zero, size_t size, fold_fn leaf, fold_fn join) {
    if (hi - lo < 16) { for (size_t i = lo; i < hi; i++) leaf(acc, AT(a, i)); return; }
    char right[size];
    memcpy(right, zero, size);
    cilk_spawn reduce(a, lo, (lo + hi) / 2, acc, zero, size, leaf, join);
    reduce(a, (lo + hi) / 2, hi, right, zero, size, leaf, join);
    cilk_sync;
    join(acc, right);
}
static void square(void *out, const void *in, void *ctx) { *(double *)out = *(const int *)in * *(const int *)in / *(double *)ctx; }
static bool multiple(const void *in, void *ctx) { return *(const int *)in % *(int *)ctx == 0; }
static void sum(void *acc, const void *in) { *(double *)acc += *(const double *)in; }
int main(void) {
    int v[500];
    for (int i = 0; i < 500; i++) v[i] = i * 3 % 101;
    struct array a = {(char *)v, 500, sizeof(int)};
    int seven = 7;
    double two = 2;
    struct array f = filter(&a, multiple, &seven), m = map(&f, sizeof(double), square, &two);
    double total = 0, zero = 0;
    reduce(&m, 0, m.n, &total, &zero, sizeof total, sum, sum);
    printf("%zu %.2f\n", f.n, total);
    free(f.data), free(m.data);
    return 0;
}
