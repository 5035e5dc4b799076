// Views that strands make are aligned to a cache line, and as their type is; they are whole, also when they are large.
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef char byte;
typedef struct { char c[4100]; } page;
typedef struct __attribute__((aligned(128))) { long a[3]; } wide;
typedef struct __attribute__((aligned(1024))) { short a; } wider;
static int off;
static void check(const void *view, uintptr_t alignment) {
    if ((uintptr_t)view % (alignment > 64 ? alignment : 64)) __atomic_fetch_add(&off, 1, __ATOMIC_RELAXED);
}
#define REDUCER(T, E, count) \
    static void T##_zero(void *v) { check(v, _Alignof(T)); memset(v, 0, sizeof(T)); } \
    static void T##_add(void *l, void *r) { for (int i = 0; i < (count); i++) ((E *)l)[i] += ((E *)r)[i]; } \
    typedef T cilk_reducer(T##_zero, T##_add) T##_sum;
REDUCER(byte, char, 1)
REDUCER(int, int, 1)
REDUCER(page, char, 4100)
REDUCER(wide, long, 3)
REDUCER(wider, short, 1)
static byte_sum a[3];
static int_sum b = 1;
static page_sum c;
static wide_sum d[2];
static wider_sum e;
struct literal { int name; byte_sum count; } *literal = &(struct literal){7, 3};
static void tree(int n) {
    a[n % 3]++, b++, c.c[n * 400 + 7]++, d[n & 1].a[n % 3]++, e.a++, literal->count++;
    if (n == 0) return;
    cilk_spawn tree(n - 1);
    tree(n - 1);
}
static long local_literals(int n) {
    struct literal *l = &(struct literal){n, 1};
    byte_sum *many = (byte_sum[]){1, 2, 3};
    cilk_for (int i = 0; i < 100; i++) { l->count++; many[i % 3] += 1; }
    return l->count * 1000 + many[0] * 100 + many[1] * 10 + many[2];
}
int main(void) {
    tree(9);
    long s = 0;
    for (int i = 0; i < 4100; i++) s = s * 3 % 100003 + c.c[i];
    printf("%d %d %d %d %ld %ld %ld %d %d %d\n", a[0], a[1], a[2], b, s, d[0].a[2], d[1].a[0], e.a, literal->count, off);
    printf("%ld\n", local_literals(4));
    return 0;
}
