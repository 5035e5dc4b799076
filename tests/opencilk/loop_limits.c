// Ranges at the ends of their types, empty and single ranges, large strides; loops whose end or stride have other types.
#include <cilk/cilk.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
static void zero(void *v) { *(unsigned long *)v = 0; }
static void plus(void *l, void *r) { *(unsigned long *)l += *(unsigned long *)r; }
static unsigned long cilk_reducer(zero, plus) sum, cilk_reducer(zero, plus) times;
#define SHOW(what) (printf("%s %lu %lu\n", what, times, sum), sum = times = 0)
#define BODY { sum += (unsigned long)i; times++; }
int main(void) {
    cilk_for (int i = INT_MIN; i < INT_MIN + 3; i++) BODY
    SHOW("INT_MIN");
    cilk_for (int i = INT_MAX - 3; i < INT_MAX; i++) BODY
    SHOW("INT_MAX");
    cilk_for (unsigned i = UINT_MAX - 2; i < UINT_MAX; ++i) BODY
    SHOW("UINT_MAX");
    cilk_for (long i = LONG_MAX - 6; i < LONG_MAX; i += 2) BODY
    SHOW("LONG_MAX");
    cilk_for (unsigned long i = ULONG_MAX; i > ULONG_MAX - 4; --i) BODY
    SHOW("ULONG_MAX");
    cilk_for (int i = -2000000000; i < 2000000000; i += 1000000000) BODY
    SHOW("wide");
    cilk_for (int i = INT_MAX - 1; i > INT_MIN + 100; i -= INT_MAX) BODY
    SHOW("huge stride");
    cilk_for (signed char i = -100; i < 100; i += 3) BODY
    SHOW("char");
    cilk_for (unsigned short i = 65530; i > 65500; i--) BODY
    SHOW("short");
    unsigned long long big = 12;
    cilk_for (int i = 0; i < big; i++) BODY
    SHOW("long end");
    short few = 4;
    cilk_for (unsigned long i = 1; i <= few; i += few / 2) BODY
    SHOW("short end");
    size_t n = 0;
    cilk_for (size_t i = 0; i < n; i++) BODY
    cilk_for (int i = 5; i <= 4; i++) BODY
    cilk_for (int i = 3; i != 3; i++) BODY
    SHOW("empty");
    cilk_for (int i = 7; i <= 7; i++) BODY
    SHOW("one");
    const int k = 9;
    cilk_for (int i = k; i >= -k; i -= k) BODY
    SHOW("const");
    cilk_for (int64_t i = INT64_MIN; i <= INT64_MIN + 1; i++) BODY
    SHOW("INT64_MIN");
    cilk_for (uint8_t i = 250; i != 4; i++) BODY
    SHOW("uint8_t wraps");
    cilk_for (int16_t i = INT16_MAX - 1; i != INT16_MIN + 2; i++) BODY
    SHOW("int16_t wraps");
    long long end = 3;
    cilk_for (unsigned i = UINT32_MAX - 2; i != end; i++) BODY
    SHOW("unsigned wraps before a long end");
    cilk_for (uint8_t i = 3; i != 253; i -= 2) BODY
    SHOW("uint8_t wraps downwards");
    return 0;
}
