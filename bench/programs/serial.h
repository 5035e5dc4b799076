/* Serial work of a length that the caller chooses: a C function in which no worker can be asked for anything. */
#include "bench.h"

#define PER_MS 450000 /* steps in about a millisecond on machines of the 2020s */

static unsigned long serial(long milliseconds, unsigned long x)
{
    long i, n = milliseconds * PER_MS;

    for (i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}
