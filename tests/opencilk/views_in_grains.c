// Bodies of loops whose views cannot be kept in variables: addresses of views, pointers to reducers, calls; and some whose views can.
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) { *(long *)v = 0; }
static void plus(void *l, void *r) { *(long *)l += *(long *)r; }
typedef long cilk_reducer(zero, plus) counter;
static counter total, other, third;
static long add(long n) { total += n; return n; }
struct pair { counter a, b; };
static long by_pointer(long n, counter *p) {
    cilk_for (long i = 0; i < n; i++) {
        total += i;
        *p += 3 * i;
        total++;
    }
    return total;
}
static long by_address(long n) {
    cilk_for (long i = 0; i < n; i++) {
        long *view = &total;
        total = total + 1;
        *view += i;
        total += 2;
    }
    return total;
}
static long mixed(long n, const int *restrict a, long *restrict out) {
    counter local = 5;
    double scale = 1;
    struct pair both = {1, 2};
    cilk_for (long i = 0; i < n; i++) {
        if (a[i] < 0) continue;
        local += a[i];
        other ^= a[i];
        other -= __builtin_popcount(a[i]);
        out[i] = a[i] * 2L;
        both.a += i, both.b++;
        third += i % 3 ? 1 : add(i) > 3;
    }
    return local + both.a * 3 + both.b + (long)scale;
}
int main(void) {
    static int a[1000];
    static long out[1000];
    for (int i = 0; i < 1000; i++) a[i] = i * 37 % 101 - 20;
    printf("%ld\n", by_address(500));
    total = 0;
    counter separate = 0;
    printf("%ld\n", by_pointer(300, __builtin_addressof(total)));
    long m = by_pointer(300, __builtin_addressof(separate));
    printf("%ld %ld\n", m, separate);
    total = 0;
    m = mixed(1000, a, out);
    printf("%ld %ld %ld %ld\n", m, total, third, out[999]);
    other = 0;
    cilk_for (int i = 0; i < 1000; i++) other += a[i];
    cilk_for (int i = 0; i < 1000; i++) { if (a[i] > 3) other++; else third--; }
    printf("%ld %ld\n", other, third);
    return 0;
}
