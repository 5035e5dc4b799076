// Reducers that live in blocks, loops, recursive functions and spawned blocks, with early exits and shadowed names.
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) { *(int *)v = 0; }
static void plus(void *l, void *r) { *(int *)l += *(int *)r; }
typedef int cilk_reducer(zero, plus) counter;
struct stats { int before; counter even, odd[2]; int after; };
static void add(counter *c, int n) { if (n == 0) { *c += 1; return; } cilk_spawn add(c, n - 1); add(c, n - 1); }
static int recursive(int n) {
    counter own = n;
    if (n == 0) return 1;
    cilk_spawn { own += recursive(n - 1); }
    own += 1;
    cilk_spawn { own += recursive(n - 1); }
    cilk_sync;
    return own;
}
static int blocks(int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        counter c = 0;
        cilk_for (int k = 0; k < 50; k++) {
            counter inner = 1;
            inner += k;
            cilk_for (int j = 0; j < 4; j++) inner += j;
            c += inner;
        }
        if (i == 2) continue;
        if (i == 5) { total += 10000 * (c > 3); break; }
        { counter c = 3; cilk_scope { cilk_spawn add(__builtin_addressof(c), 4); c += 2; } total += c; }
        total += c;
    }
    return total;
}
static int members(int n) {
    struct stats s = {1, 2, {3, 4}, 5};
    counter table[3] = {1, 2, 3};
    cilk_for (int i = 0; i < n; i++) {
        if (i % 2 == 0) s.even++; else s.odd[i % 4 == 1]++;
        table[i % 3] += i;
    }
    return s.before + s.even * 3 + s.odd[0] * 5 + s.odd[1] * 7 + s.after + table[0] * 11 + table[1] * 13 + table[2] * 17;
}
static int nested_members(int n) {
    int total = 0;
    cilk_for (int i = 0; i < n; i++) {
        struct stats s = {0, i, {0, 1}, 0};
        counter pair[2] = {i, 0};
        cilk_spawn { s.even += 2; pair[1] += 3; }
        s.odd[0] += i;
        cilk_spawn { s.odd[1] += i; pair[0]++; }
        cilk_sync;
        __atomic_fetch_add(&total, s.even + s.odd[0] * 2 + s.odd[1] * 3 + pair[0] * 5 + pair[1] * 7, __ATOMIC_RELAXED);
    }
    return total;
}
static int early(int n) {
    counter c = 0;
    cilk_spawn add(__builtin_addressof(c), 3);
    c += 5;
    cilk_sync;
    if (n > 3) return c;
    c += n;
    return c * 2;
}
int main(void) {
    printf("%d %d %d %d %d %d\n", recursive(6), blocks(4), blocks(9), members(100), early(1), early(9));
    printf("%d\n", nested_members(40));
    return 0;
}
