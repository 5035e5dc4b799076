// Compound literals with reducers in them, made in strands that were stolen, and where a block is one statement.
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) { *(long *)v = 0; }
static void plus(void *l, void *r) { *(long *)l += *(long *)r; }
typedef long cilk_reducer(zero, plus) sum;
struct named { int name; sum count; };
static long whole(int n) {
    struct named *l = &(struct named){n, 1};
    sum *many = (sum[]){1, 2, 3};
    cilk_for (int i = 0; i < 10; i++) { l->count++; many[i % 3] += 1; }
    return l->count * 1000 + many[0] * 100 + many[1] * 10 + many[2] + l->name;
}
static void add(struct named *l, int n) { l->count += n; if (n > 0) { cilk_spawn add(l, n - 1); add(l, n - 2); } }
static long statements(int n) {
    long s = 0;
    if (n & 1) add(&(struct named){n, 5}, n % 4);
    for (struct named *l = &(struct named){0, 1}; l->name < 3; l->name++) { add(l, l->name); s += l->count; }
    struct named *last = &(struct named){n, 2};
    do cilk_spawn add(last, 2); while (s++ < 20);
    cilk_sync;
    return s * 10 + last->count;
}
int main(void) {
    long v[40], s = 0;
    cilk_for (int i = 0; i < 40; i++) v[i] = whole(i) + statements(i);
    for (int i = 0; i < 40; i++) s = (s * 7 + v[i]) % 1000003;
    cilk_spawn { v[1] = whole(3); }
    v[2] = whole(4);
    v[3] = statements(1);
    cilk_sync;
    printf("%ld %ld %ld %ld\n", s, v[1], v[2], v[3]);
    return 0;
}
