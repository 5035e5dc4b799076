// Functions of C's library as children: memset, memcpy, strlen, qsort, printf, snprintf, malloc, sqrt, variadic callees of one's own.
#include <cilk/cilk.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int total(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static double mixed(const char *form, ...) {
    va_list ap;
    double s = 0;
    va_start(ap, form);
    for (; *form; form++)
        switch (*form) {
        case 'd': s += va_arg(ap, double); break;
        case 'l': s += va_arg(ap, long); break;
        case 's': s += strlen(va_arg(ap, char *));
        }
    va_end(ap);
    return s;
}
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) {
    char a[64], b[64];
    int v[100];
    for (int i = 0; i < 100; i++) v[i] = i * 61 % 100;
    cilk_spawn memset(a, 'x', 63);
    cilk_spawn strcpy(b, "text");
    cilk_spawn qsort(v, 50, sizeof(int), cmp);
    cilk_spawn qsort(v + 50, 50, sizeof(int), cmp);
    cilk_sync;
    a[63] = 0;
    size_t n = cilk_spawn strlen(a), m = cilk_spawn strlen(b);
    double r = cilk_spawn sqrt(2.25);
    int t = cilk_spawn total(4, 1, 2, 3, 4);
    double d = cilk_spawn mixed("dls", 1.5, 40L, "four");
    int *p = cilk_spawn malloc(12);
    int *q;
    q = cilk_spawn calloc(3, 4);
    char line[40];
    cilk_spawn snprintf(line, sizeof line, "%d-%s-%.1f", 7, "seven", 7.7);
    cilk_sync;
    printf("%zu %zu %.2f %d %.1f %d %s\n", n, m, r, t, d, q[2], line);
    cilk_spawn printf("printed by a child\n");
    cilk_sync;
    printf("%d %d %d %d\n", v[0], v[49], v[50], v[99]);
    free(p);
    cilk_spawn free(q);
    return 0;
}
