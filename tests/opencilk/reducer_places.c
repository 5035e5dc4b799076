// Reducers on the heap, in arrays, as struct members, in static locals, by pointer, and in typedefs.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
void zero(void *v) { *(long *)v = 0; }
void plus(void *l, void *r) { *(long *)l += *(long *)r; }
typedef long cilk_reducer(zero, plus) counter;
struct account { const char *name; counter in, out; int id; };
static struct account bank[3] = {{"a", 1, 2, 0}, {"b", 3, 4, 1}, {"c", 5, 6, 2}};
extern counter shared;
counter shared = 1000;
static long calls(long n) {
    static counter total = 7;
    cilk_for (long i = 0; i < n; i++) total += i;
    return total;
}
static void bump(counter *c, long by) { *c += by; ++*c; }
static void twice(long cilk_reducer(zero, plus) *c) {
    cilk_spawn bump(c, 10);
    bump(c, 20);
    cilk_sync;
}
struct pair { long n, m; };
static void empty(void *v) { *(struct pair *)v = (struct pair){0}; }
static void both(void *l, void *r) { ((struct pair *)l)->n += ((struct pair *)r)->n; ((struct pair *)l)->m += ((struct pair *)r)->m; }
typedef struct pair cilk_reducer(empty, both) pairs;
static void through(pairs *p, counter *c, int i) {              // each use looks up, and the pointer is an ordinary one
    struct pair old = *p, *view = &*p;
    old.n += i;
    *p = old;
    view->m++;
    p->n += 2;
    (*p).m += 3;
    p[1].n -= i;
    *c++ += 5;
    ++*c;
    (*c)--, c[1] += i;
}
static void uses_pointers(int n) {
    pairs two[2] = {{1, 2}, {3, 4}};
    counter three[3] = {10, 20, 30};
    cilk_for (int i = 0; i < n; i++) through(__builtin_addressof(two[0]), __builtin_addressof(three[0]), i);
    struct pair copy = two[1];
    two[1] = two[0];
    printf("%ld %ld %ld %ld %ld %ld %ld\n", two[0].n, two[0].m, copy.n, two[1].n, three[0], three[1], three[2]);
}
typedef int (*function)(int);
static int twice_of(int n) { return 2 * n; }
static int square_of(int n) { return n * n; }
static void none(void *v) { *(function *)v = 0; }
static void last(void *l, void *r) { if (*(function *)r) *(function *)l = *(function *)r; }
static int calls_a_view(int n) {
    function cilk_reducer(none, last) f = twice_of;
    cilk_for (int i = 0; i < n; i++) if (i == n / 2) f = square_of;
    return f(n) + (*f)(n + 1) + (f ? 1 : 0);
}
int main(void) {
    counter *heap = malloc(4 * sizeof(counter));
    counter locals[5];
    counter one = 1, *two = heap;
    (void)two;
    for (int i = 0; i < 4; i++) heap[i] = i;
    for (int i = 0; i < 5; i++) locals[i] = 100 * i;
    cilk_for (int i = 0; i < 300; i++) {
        heap[i % 4] += i;
        locals[i % 5]++;
        bank[i % 3].in += i;
        bank[i % 3].out++;
        shared -= 1;
        one |= 1;
    }
    for (int k = 0; k < 3; k++) twice(__builtin_addressof(heap[2]));
    for (int i = 0; i < 4; i++) printf("%ld ", heap[i]);
    for (int i = 0; i < 5; i++) printf("%ld ", locals[i]);
    for (int i = 0; i < 3; i++) printf("%s %ld %ld %d ", bank[i].name, bank[i].in, bank[i].out, bank[i].id);
    printf("%ld %ld\n", shared, calls(10));
    printf("%ld %ld %d %d\n", calls(100), (long)sizeof(counter), calls_a_view(0), calls_a_view(9));
    free(heap);
    uses_pointers(70);
    return 0;
}
