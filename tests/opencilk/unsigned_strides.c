// Strides of unsigned loops that go around: `i -= -2u` adds 2, `i += -2u` subtracts it; constants and variables.
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
static unsigned long hits, mix;
static void hit(unsigned long i) { __atomic_fetch_add(&hits, 1, 0); __atomic_fetch_add(&mix, i * i + 3 * i, 0); }
#define RUN(T, from, end, step) \
    cilk_for (T i = from; i end; i step) hit(i); \
    printf("%lu %lu\n", hits, mix); \
    hits = mix = 0;
#define FORMS(T, minus, three) \
    RUN(T, 3, < 11, -= minus) \
    RUN(T, 3, <= 11, -= minus) \
    RUN(T, 3, != 11, -= minus) \
    RUN(T, 11, > 2, += minus) \
    RUN(T, 11, >= 2, += minus) \
    RUN(T, 11, != 1, += minus) \
    RUN(T, 7, < 3, -= minus) \
    RUN(T, 3, > 7, += minus) \
    RUN(T, 30, != 3, -= three) \
    RUN(T, 0, < (T)200, = i + three)
int main(void) {
    unsigned minus = -2u, three = 3;
    unsigned long long_minus = -2ul, long_three = 3;
    FORMS(unsigned, -2u, 3u)
    FORMS(unsigned long, -2ul, 3u)
    FORMS(uint8_t, -2u, 3u)
    FORMS(uint16_t, -2, 3)
    FORMS(unsigned, minus, three)
    FORMS(unsigned long, long_minus, long_three)
    FORMS(uint8_t, minus, three)
    RUN(unsigned, 0, < 3000000000u, += 3000000000u)
    RUN(unsigned, 4000000000u, > 1000000000u, -= 3000000000u)
    unsigned far = 3000000000u;
    RUN(unsigned, 0, < 3000000000u, += far)
    RUN(unsigned, 4000000000u, > 1000000000u, -= far)
    return 0;
}
