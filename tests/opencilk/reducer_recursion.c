// Reducers updated in recursive children, before and after spawns and syncs, read in between, passed by pointer, many at once.
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) { *(unsigned long *)v = 0; }
static void plus(void *l, void *r) { *(unsigned long *)l += *(unsigned long *)r; }
typedef unsigned long cilk_reducer(zero, plus) sum_t;
struct poly { unsigned long base, value; };     /* a string's hash: not commutative */
static void one(void *v) { struct poly *p = v; p->base = 1; p->value = 0; }
static void then(void *l, void *r) { struct poly *a = l, *b = r; a->value = a->value * b->base + b->value; a->base *= b->base; }
static struct poly cilk_reducer(one, then) trace = {1, 0};
static sum_t nodes, leaves, depths[12];
static void mark(unsigned c) { trace.value = trace.value * 1000003 + c; trace.base *= 1000003; }
static void leaf(sum_t *count, int depth) { ++*count; *count += depth; mark(depth); }
static void walk(int depth, unsigned name) {
    nodes++;
    depths[depth] += name;
    mark(name);
    if (depth == 0) { leaf(__builtin_addressof(nodes), 0); leaves++; return; }
    cilk_spawn walk(depth - 1, name * 2);
    mark(3);
    if (name % 3) {
        cilk_spawn walk(depth - 1, name * 2 + 1);
        cilk_sync;
        mark(5);
        walk(depth / 2, name);
    }
    nodes += 2;
    cilk_sync;
    mark(7);
    cilk_for (unsigned i = 0; i < name % 5; i++) { mark(i); depths[0] += i; }
}
int main(void) {
    cilk_spawn walk(7, 1);
    walk(6, 5);
    cilk_sync;
    printf("%lu %lu %lx\n", nodes, leaves, trace.value);
    for (int i = 0; i < 12; i++) printf("%lu ", depths[i]);
    sum_t many[100] = {0};
    cilk_for (int i = 0; i < 1000; i++) many[i % 100] += i;
    unsigned long h = 0;
    for (int i = 0; i < 100; i++) h = h * 31 + many[i];
    printf("\n%lu\n", h);
    return 0;
}
