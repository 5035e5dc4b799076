// Children that are not joined by hand use reducers of the block: its end, break, continue, goto and return join them.
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) { *(int *)v = 0; }
static void plus(void *l, void *r) { *(int *)l += *(int *)r; }
typedef int cilk_reducer(zero, plus) counter;
static int seen[64];
static void add(counter *c, int n) { for (int i = 0; i < 50; i++) *c += n; *c -= 49 * n; seen[n] = 1; }
static int returns(int n) {
    counter c = 1;
    for (int i = 0; i < n; i++) cilk_spawn add(__builtin_addressof(c), i);
    c += 2;
    return c;
}
static void falls_off(int n) {
    counter c = n;
    cilk_spawn add(__builtin_addressof(c), n);
    c++;
}
static int loops(int n) {
    int rounds = 0;
    for (int i = 0; i < n; i++) {
        counter c = i;
        cilk_spawn add(__builtin_addressof(c), i);
        if (i == 3) continue;
        c += 2;
        if (i == 7) break;
        cilk_spawn { c += 5; }
        if (i == 9) goto out;
        rounds++;
    }
out:
    return rounds;
}
static int early(int n) {
    counter c = 0;
    cilk_spawn add(__builtin_addressof(c), 1);
    if (n > 3) return c;
    cilk_spawn add(__builtin_addressof(c), 2);
    { counter d = 4; cilk_spawn add(__builtin_addressof(d), 3); c += 1; }
    return c;
}
int main(void) {
    for (int n = 0; n < 12; n++) {
        falls_off(n);
        printf("%d %d %d\n", returns(n), loops(n), early(n));
    }
    int s = 0;
    for (int i = 0; i < 64; i++) s += seen[i];
    printf("%d\n", s);
    cilk_for (int i = 0; i < 20; i++) {
        counter c = i;
        cilk_spawn add(__builtin_addressof(c), i);
        c += 1;
    }
    return 0;
}
