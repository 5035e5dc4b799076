// Monte Carlo with a generator state for each iteration; counts in long reducers of two names; k-means steps with arrays as views.
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint64_t next(uint64_t *s) { *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17; return *s; }
static void zero(void *v) { *(long *)v = 0; }
static void plus(void *l, void *r) { *(long *)l += *(long *)r; }
static inline long labs_(long v) { return v < 0 ? -v : v; }
#define K 4
typedef struct { long sum[K], count[K]; } means;
static void m_zero(void *v) { memset(v, 0, sizeof(means)); }
static void m_plus(void *l, void *r) { for (int k = 0; k < K; k++) { ((means *)l)->sum[k] += ((means *)r)->sum[k]; ((means *)l)->count[k] += ((means *)r)->count[k]; } }
int main(void) {
    long cilk_reducer(zero, plus) inside = 0;
    cilk_for (int i = 0; i < 300; i++) {
        uint64_t s = 88172645463325252ull + i;
        for (int k = 0; k < 100; k++) {
            double x = next(&s) / 18446744073709551616.0, y = next(&s) / 18446744073709551616.0;
            if (x * x + y * y <= 1) inside++;
        }
    }
    printf("%ld\n", inside);
    int data[600];
    long centre[K] = {10, 200, 500, 900};
    for (int i = 0; i < 600; i++) data[i] = i * 577 % 1000;
    for (int round = 0; round < 5; round++) {
        means cilk_reducer(m_zero, m_plus) m = {{0}, {0}};
        cilk_for (int i = 0; i < 600; i++) {
            int best = 0;
            for (int k = 1; k < K; k++) if (labs_(data[i] - centre[k]) < labs_(data[i] - centre[best])) best = k;
            m.sum[best] += data[i];
            m.count[best]++;
        }
        for (int k = 0; k < K; k++) if (m.count[k]) centre[k] = m.sum[k] / m.count[k];
    }
    for (int k = 0; k < K; k++) printf("%ld ", centre[k]);
    printf("\n");
    return 0;
}
