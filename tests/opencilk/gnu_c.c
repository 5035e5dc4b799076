// FLAGS: -Wno-cilk-spawn-return
// GNU C around spawns: statement expressions, typeof, nested ranges, attributes, zero-length arrays, inline asm, __auto_type, builtins.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define likely(x) __builtin_expect(!!(x), 1)
static int __attribute__((noinline)) fib(int n) {
    if (likely(n < 2)) return n;
    __typeof__(n) a = cilk_spawn fib(n - 1);
    __auto_type b = fib(n - 2);
    cilk_sync;
    return a + b;
}
__attribute__((const, hot)) static long cube(long n) { return n * n * n; }
static int kind(int c) {
    switch (c) {
    case 'a' ... 'z': return cilk_spawn fib(5);
    case '0' ... '9': { int r = cilk_spawn fib(6); cilk_sync; return r; }
    default: return -1;
    }
}
static int fall(int n) {
    int r = 0;
    switch (n) {
    case 0: r = cilk_spawn fib(3); __attribute__((fallthrough));
    case 1: cilk_sync; r++; break;
    }
    return r;
}
typedef struct { double n[5]; } five;
static five fives(double x) { return (five){{x, x, x, x, x}}; }
static unsigned char small(void) { return 255; }
static const char *word(void) { return "word"; }
static int types(int n) {
    const char *(*name)(void) = word;
    __auto_type a = cilk_spawn fives(n + 0.5);
    const __auto_type w = cilk_spawn name();
    __auto_type s = (cilk_spawn small());
    cilk_sync;
    a.n[4] += 1;
    return (int)(a.n[0] * a.n[4]) + w[0] + s + 1 + (int)sizeof s;
}
struct __attribute__((packed)) odd { char c; int n; long l; };
int main(void) {
    struct odd o = {1, 2, 3};
    o.l = cilk_spawn cube(5);
    cilk_sync;
    int m = MAX(fib(7), fib(6)), x = 5;
    __asm__ volatile("" : "+r"(x));
    cilk_for (int i = 0; i < 4; i++) { int y = MAX(i, 2); __asm__ volatile("" : "+r"(y)); (void)y; }
    int v[] = {[0 ... 3] = 7, [4] = 1};
    cilk_for (int i = 0; i < 5; i++) v[i] = ({ int t = v[i]; t * t + x; });
    int mapped = __builtin_popcount(m) ?: 9;
    unsigned long long big = cilk_spawn __builtin_bswap64(1);
    int len = cilk_spawn __builtin_strlen("four");
    cilk_sync;
    printf("%ld %d %d %d %d %d %llx %d\n", o.l, m, v[1], v[4], mapped, kind('q') + kind('5') + kind('#'), big, len);
    printf("%d %d %d %d\n", types(3), fall(0), fall(1), _Generic(fib(3), int: fib(4), default: 0));
    _Static_assert(sizeof(struct odd) == 13, "packed");
    return 0;
}
