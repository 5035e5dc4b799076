// Minimum, maximum, bitwise and floating reducers of all scalar types, written with macros; with identities that are not zero.
#include <cilk/cilk.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#define REDUCER(name, T, start, op)                                   \
    static void name##_id(void *v) { *(T *)v = (start); }              \
    static void name##_op(void *l, void *r) { T *a = (T *)l, *b = (T *)r; op; } \
    typedef T cilk_reducer(name##_id, name##_op) name;
REDUCER(max_int, int, INT_MIN, if (*b > *a) *a = *b)
REDUCER(min_long, long, LONG_MAX, *a = *b < *a ? *b : *a)
REDUCER(xor_u, unsigned, 0, *a ^= *b)
REDUCER(or_ull, unsigned long long, 0, *a |= *b)
REDUCER(and_uc, unsigned char, 0xff, *a &= *b)
REDUCER(mul_u, unsigned, 1, *a *= *b)
REDUCER(max_d, double, -DBL_MAX, if (*b > *a) *a = *b)
REDUCER(all, _Bool, 1, *a = *a && *b)
typedef const char *text;
REDUCER(last, text, NULL, if (*b) *a = *b)
REDUCER(sum_s, short, 0, *a += *b)
REDUCER(sum_ld, long double, 0, *a += *b)
static max_int biggest = INT_MIN;
int main(void) {
    min_long smallest = LONG_MAX;
    xor_u x = 0;
    or_ull o = 0;
    and_uc a = 0xff;
    mul_u m = 1;
    max_d d = -DBL_MAX;
    all positive = 1;
    last word = NULL;
    sum_s s = 0;
    sum_ld ld = 0;
    static const char *const words[] = {"one", "two", "three"};
    cilk_for (int i = 1; i <= 777; i++) {
        int v = (i * 7907) % 1013 - 300;
        if (v > biggest) biggest = v;
        if (smallest > v) smallest = v;
        x ^= v * v;
        o |= 1ull << (i % 50);
        a &= ~(1 << (i % 3));
        m *= 2 * i + 1;
        d = v / 3.0 > d ? v / 3.0 : d;
        positive = positive && v > -1000;
        if (i % 100 == 0) word = words[i % 3];
        s += v, ++s, s--;
        ld += i / 4;
    }
    printf("%d %ld %u %llx %x %u %.3f %d %s %d %.1Lf\n", biggest, smallest, x, o, a, m, d, positive, word, s, ld);
    return 0;
}
