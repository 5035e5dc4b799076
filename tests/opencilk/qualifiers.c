// const, volatile, restrict, register, static, extern, inline and _Noreturn around spawning functions; const receivers' initialisers.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
extern int compute(const int *restrict a, const int n);
static inline int half(register int n) { return n / 2; }
inline static long sum(const long *const a, size_t n) {
    if (n <= 3) { long s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
    const long left = cilk_spawn sum(a, n / 2);
    const long right = sum(a + n / 2, n - n / 2);
    cilk_sync;
    return left + right;
}
static _Noreturn void quit(int code) {
    const int c = cilk_spawn half(2 * code);
    cilk_sync;
    printf("quit %d\n", c);
    exit(c);
}
int compute(const int *restrict a, const int n) {
    volatile int flag = 0;
    static int calls;
    auto int s = 0;
    register int k = 0;
    int parts[4];
    for (; k < 4; k++) parts[k] = cilk_spawn half(a[k % n]);
    flag = 1;
    cilk_sync;
    for (k = 0; k < 4; k++) s += parts[k];
    calls++;
    return s + flag + 1000 * calls;
}
static const int table[] = {4, 8, 15, 16, 23, 42};
static volatile int shared_counter;
static void touch(volatile int *p, int by) { *p += by; }
const char *name(int n) {
    const char *l = n > 0 ? cilk_spawn name(n - 1) : "zero";
    cilk_sync;
    return *l == 'z' ? "one" : l;
}
int main(void) {
    long a[33];
    for (long i = 0; i < 33; i++) a[i] = i * i;
    int first = compute(table, 6), second = compute(table + 2, 4);
    printf("%ld %d %d\n", sum(a, 33), first, second);
    cilk_scope { cilk_spawn touch(&shared_counter, 5); }
    printf("%d %s\n", shared_counter, name(3));
    quit(0);
}
