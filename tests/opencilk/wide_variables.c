// Loops over variables of 128 bits, near the ends of their types, too.
#include <cilk/cilk.h>
#include <stdio.h>
typedef __int128 wide;
typedef unsigned __int128 uwide;
static unsigned long hits, mix;
static void hit(uwide i) {
    __atomic_fetch_add(&hits, 1, 0);
    __atomic_fetch_add(&mix, (unsigned long)(i >> 64) * 31 + (unsigned long)i * 3 + 1, 0);
}
#define RUN(T, from, end, step) \
    cilk_for (T i = from; i end; i step) hit(i); \
    printf("%lu %lu\n", hits, mix); \
    hits = mix = 0;
int main(void) {
    const uwide most = ~(uwide)0, half = (uwide)1 << 127;
    const wide top = (wide)(most >> 1), bottom = -top - 1, big = (wide)1 << 100;
    wide three = 3, far = big;
    unsigned five = 5;
    RUN(wide, bottom, < bottom + 9, ++)
    RUN(wide, top - 9, < top, ++)
    RUN(wide, top, > top - 9, --)
    RUN(wide, bottom + 9, > bottom, --)
    RUN(wide, -40, <= 40, += three)
    RUN(wide, 40, >= -40, -= three)
    RUN(wide, -9 * big, < 9 * big, += big)
    RUN(wide, 9 * big, != -9 * big, -= far)
    RUN(wide, -9 * big, != 9 * big, += far)
    RUN(wide, big, < 5, ++)
    RUN(wide, 1, != 1, ++)
    RUN(wide, -3, < 5l, += 2)
    RUN(uwide, 0, < 9, ++)
    RUN(uwide, most - 9, < most, ++)
    RUN(uwide, most, > most - 9, --)
    RUN(uwide, half, < half + 100, += five)
    RUN(uwide, most - 100, <= most - 10, += 7)
    RUN(uwide, 100, >= 7, -= 7)
    RUN(uwide, (uwide)big * 3, != (uwide)big * 9, += (uwide)big)
    return 0;
}
