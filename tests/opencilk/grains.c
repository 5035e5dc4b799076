// What follows `#pragma cilk grainsize`: any expression, with macros in it, before a loop at any place.
#include <stdio.h>
#define FEW 3
#define GRAIN (FEW * SOME)
#define SOME 5
#define EACH _Pragma("cilk grainsize 1") cilk_for
enum { Eight = 8 };
static int a[1000];
static struct { int n; short grain[2]; } plan = {7, {4, 9}}, *at = &plan;
static int asked;
static inline int grain(int n) { asked++; return n / 10 + 1; }
static void places(int c) {
    if (c)
#pragma cilk grainsize = GRAIN + FEW
        cilk_for (int i = 0; i < 1000; i++) a[i] += i;
    else
        a[3] = 1;
    for (int k = 0; k < 2; k++)
        #pragma cilk grainsize 7
        cilk_for (int i = 0; i < 100; i++) a[i] += i;
    if (c) EACH (int i = 0; i < 100; i++) a[i]++;
    else EACH (int i = 0; i < 100; i++) a[i]--;
    switch (c) {
    case 1:
#pragma cilk grainsize = 9
        cilk_for (int i = 0; i < 100; i++) a[i] += i;
    }
}
int main(void) {
    int n = 1000, p = 4;
    #pragma cilk grainsize = 100
    cilk_for (int i = 0; i < n; i++) a[i] = i;
    #pragma cilk grainsize = n/(4*p) + 1
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma cilk grainsize GRAIN
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma cilk grainsize(Eight)
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma cilk grainsize = n > 100 ? grain(n) : 1
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma cilk grainsize (2 * FEW) - sizeof(int)
    _Cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma cilk grainsize = at->grain[1] + plan.n - 'a' % 3 + 0x10u
    _Cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma cilk grainsize = -1
    cilk_for (int i = 0; i < n; i++) a[i] += i;
#undef FEW
#define FEW p
    #pragma cilk grainsize FEW
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma clang loop vectorize(enable) interleave(enable)
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    #pragma clang loop unroll_count(4)
    #pragma cilk grainsize 16
    cilk_for (int i = 0; i < n; i++) a[i] += i;
    places(0);
    places(1);
    long s = 0;
    for (int i = 0; i < n; i++) s = (s * 7 + a[i]) % 1000003;
    printf("%ld\n", s);
    return asked > 1;
}
