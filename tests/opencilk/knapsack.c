// Branch and bound with a benign shared bound: only the best value is printed.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <cilk/cilk.h>
struct item { int value, weight; };
static int best_so_far = INT_MIN;
static int compare(const void *p, const void *q) {
    const struct item *a = p, *b = q;
    double c = (double)b->value / b->weight - (double)a->value / a->weight;
    return c > 0 ? 1 : c < 0 ? -1 : 0;
}
static int knapsack(struct item *e, int c, int n, int v) {
    int with, without, best;
    double ub;
    if (c < 0) return INT_MIN;
    if (n == 0 || c == 0) return v;
    ub = (double)v + c * e->value / e->weight;
    if (ub < __atomic_load_n(&best_so_far, __ATOMIC_RELAXED)) return INT_MIN;
    without = cilk_spawn knapsack(e + 1, c, n - 1, v);
    with = knapsack(e + 1, c - e->weight, n - 1, v + e->value);
    cilk_sync;
    best = with > without ? with : without;
    int seen = __atomic_load_n(&best_so_far, __ATOMIC_RELAXED);
    while (best > seen && !__atomic_compare_exchange_n(&best_so_far, &seen, best, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) ;
    return best;
}
int main(int argc, char *argv[]) {
    struct item items[] = {{5, 2}, {22, 4}, {18, 3}, {12, 7}, {24, 5}, {9, 2}, {31, 9}, {14, 3}, {2, 1}, {27, 8}, {16, 5}, {11, 4}};
    int n = sizeof items / sizeof items[0];
    qsort(items, n, sizeof(struct item), compare);
    int sol = knapsack(items, 25, n, 0);
    printf("Best value for 25 is %d\n", sol);
    return 0;
}
