// Functions with variable arguments that spawn: through every kind of call, with lists that are walked twice and handed on.
#include <stdarg.h>
#include <stdio.h>
static int fib(int n) {
    if (n < 2) return n;
    int a = cilk_spawn fib(n - 1), b = fib(n - 2);
    cilk_sync;
    return a + b;
}
static int sum(int n, ...) {
    va_list list;
    int r[16], s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) r[i] = cilk_spawn fib(va_arg(list, int));
    va_end(list);
    cilk_sync;
    for (int i = 0; i < n; i++) s += r[i];
    va_start(list, n);
    s = s * 100 + va_arg(list, int);
    va_end(list);
    return s;
}
struct pair { double a; long b; };
static struct pair mixed(const char *kinds, double scale, ...) {
    va_list list, copy;
    struct pair p = {0, 0};
    va_start(list, scale);
    va_copy(copy, list);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': p.b += va_arg(list, int); break;
        case 'd': p.a += scale * va_arg(list, double); break;
        case 'L': p.a += (double)va_arg(list, long double); break;
        case 'p': { struct pair q = va_arg(list, struct pair); p.a += q.a; p.b += q.b; break; }
        case 'f': { int r = cilk_spawn va_arg(list, int (*)(int))(10); cilk_sync; p.b += r; break; }
        }
    p.b = p.b * 10 + va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return p;
}
static int into(char *to, const char *form, va_list list) {
    int n = 0;
    cilk_spawn { n = vsprintf(to, form, list); }
    cilk_sync;
    return n;
}
static int text(char *to, const char *form, ...) {
    va_list list;
    va_start(list, form);
    int n = cilk_spawn into(to, form, list);
    cilk_sync;
    va_end(list);
    return n;
}
static long loop(int n, ...) {
    long v[8], s = 0;
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++) v[i] = va_arg(list, long);
    va_end(list);
    cilk_for (int i = 0; i < n; i++) v[i] *= fib(i + 5);
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}
int main(void) {
    char line[80];
    int (*pointer)(int, ...) = sum;
    int a = cilk_spawn sum(5, 10, 11, 12, 13, 14), b = sum(2, 3, 4), c = cilk_spawn pointer(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    struct pair p = cilk_spawn mixed("iddpLfi", 0.5, 1, 2.5, 3.5, (struct pair){4, 5}, 0.5L, fib, 7);
    cilk_sync;
    int n = text(line, "%s %d %.2f %c %ld", "text", 5, 2.5, 'x', 1L << 40);
    printf("%d %d %d %g %ld %d %s %ld\n", a, b, c, p.a, p.b, n, line, loop(4, 1L, 2L, 3L, 4L));
    return 0;
}
