// The callbacks of reducers, chosen by _Generic from the type of the view.
#include <cilk/cilk.h>
#include <stdio.h>
#define SUM(name, T) \
    static void zero_##name(void *view) { *(T *)view = 0; } \
    static void add_##name(void *left, void *right) { *(T *)left += *(T *)right; }
SUM(c, unsigned char)
SUM(l, long)
SUM(d, double)
#define OF(prefix, T) _Generic((T)0, unsigned char: prefix##c, long: (prefix##l), default: prefix##d)
#define SUM_REDUCER(T) T cilk_reducer(OF(zero_, T), OF(add_, T))
static SUM_REDUCER(long) all = 5;
static void tally(SUM_REDUCER(long) *to, int n) {
    cilk_for (int i = 0; i < n; i++) *to += i;
}
int main(void) {
    SUM_REDUCER(unsigned char) bytes = 1;
    SUM_REDUCER(double) halves = 0;
    cilk_for (int i = 0; i < 3900; i++) {
        bytes += i;
        halves += i / 2.0;
    }
    tally(__builtin_addressof(all), 1000);
    printf("%d %g %ld\n", bytes, halves, all);
    return 0;
}
