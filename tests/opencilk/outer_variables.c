// FLAGS: -fcilkplus
// Loops over variables of the function, as Cilk Plus took them in C: iterations have copies, the last value stays.
#include <cilk/cilk.h>
#include <stdio.h>
static int fib(int n) {
    if (n < 2) return n;
    int x = _Cilk_spawn fib(n - 1), y = fib(n - 2);
    _Cilk_sync;
    return x + y;
}
static long run(int n, int from) {
    int i, j, v[300];
    int *p;
    long l, s = 0;
    short sh;
    unsigned char uc;
    unsigned long ul;
    _Cilk_for (i = 0; i < n; i++) v[i] = i;
    s += i;
    _Cilk_for (i = from; i < n; i += 7) v[i] += i;
    s = s * 7 + i;
    _Cilk_for (l = n; l > from; l -= 3) v[l - 1] ^= l;
    s = s * 7 + l;
    _Cilk_for (p = v; p < v + n; p++) *p += 1;
    s = s * 7 + (p - v);
    _Cilk_for (p = v + n - 1 - n % 2; p != v + 1; p -= 2) *p += 3;
    s = s * 7 + (p - v);
    _Cilk_for (uc = 0; uc < 200; uc += 9) v[uc]++;
    s = s * 7 + uc;
    _Cilk_for ((sh) = 5; sh != 25; sh += 4) v[sh] -= 2;
    s = s * 7 + sh;
    _Cilk_for (i = n; i < from; i++) v[0] = 99;
    s = s * 7 + i;
    _Cilk_for (i = 0; i <= 9; i++) _Cilk_for (int k = 0; k < 10; ++k) v[i * 10 + k] += i * k;
    _Cilk_spawn { _Cilk_for (j = 3; j < 9; j++) v[j] -= j; }
    _Cilk_sync;
    s = s * 7 + i * 100 + j;
    _Cilk_for (ul = fib(5); ul < (unsigned long)fib(10); ul += fib(3)) v[ul]++;
    s = s * 7 + (long)ul;
    _Cilk_for (from = 3; from < 9; from++) v[from] += from;
    s = s * 7 + from;
    int *q = &j;
    _Cilk_for (j = 2; j < 8; j++) { int *own = &j; v[*own] += *own; }
    s += *q;
#pragma cilk grainsize = 4
    _Cilk_for (i = 0; i < n; i++) { if (i & 1) continue; int t = _Cilk_spawn fib(i % 5); _Cilk_sync; v[i] += t; }
    for (i = 0; i < n; i++) s = (s * 7 + v[i]) % 1000000007;
    return s;
}
int main(void) { printf("%ld %ld\n", run(300, 4), run(250, 200)); return 0; }
