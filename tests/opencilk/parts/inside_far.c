// Part of inside_near.c: the child ends only when the continuation of `inside` is stolen.
#include <stdlib.h>
static int flag;
static void waits(void) { while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {} }
int inside(int n)
{
    __atomic_store_n(&flag, 0, __ATOMIC_RELEASE);
    cilk_spawn waits();
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    cilk_sync;
    return n;
}
int (*pointer)(int) = inside;
static int compare(const void *a, const void *b) { return inside(*(const int *)a) - *(const int *)b; }
void sorts(void)
{
    int v[3] = {3, 1, 2};
    qsort(v, 3, sizeof *v, compare);
}
