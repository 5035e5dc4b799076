// Children that are slow still find what they were given: an iteration and a block join them before they end.
#include <cilk/cilk.h>
#include <stdio.h>
#include <time.h>
static void zero(void *v) { *(int *)v = 0; }
static void plus(void *l, void *r) { *(int *)l += *(int *)r; }
typedef int cilk_reducer(zero, plus) counter;
static int seen[8], kept[8];
static void wait(void) { nanosleep(&(struct timespec){ 0, 3000000 }, NULL); }
static void reads(const int *x, int i) { wait(); seen[i] = *x; }
static void counts(counter *c, int i) { wait(); kept[i] = *c += 1; }
static void blocks(void) {
    for (int i = 0; i < 4; i++) {
        counter c = 100 * i;
        cilk_spawn counts(__builtin_addressof(c), i);
    }
}
int main(void) {
    #pragma cilk grainsize 8
    cilk_for (int i = 0; i < 4; i++) {
        int x = 10 * i;
        cilk_spawn reads(&x, i);
    }
    blocks();
    for (int i = 0; i < 4; i++) printf("%d %d\n", seen[i], kept[i]);
    int n = 1, *p = &n, found = 0;
    cilk_spawn { (*p)++; found = n; }
    cilk_sync;
    printf("%d\n", found);
    return 0;
}
