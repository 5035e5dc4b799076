// Views that are arrays, and views of a greater alignment than the machine's: the reducer and each view are aligned.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef int hist[26];
typedef struct __attribute__((aligned(64))) { long a[8]; } line;
void hist_zero(void *), hist_add(void *, void *);
static void line_zero(void *v) { *(line *)v = (line){{0}}; }
static int off(const void *p, int n) { return (uintptr_t)p % n != 0; }
static void line_add(void *l, void *r) {
    for (int i = 0; i < 8; i++) ((line *)l)->a[i] += ((line *)r)->a[i];
    ((line *)l)->a[7] += 1000000 * (off(l, 64) + off(r, 64));
}
static void zero(long *v) { *v = 0; }
static void add(long *l, long *r) { *l += *r; }
#define SUM cilk_reducer((void (*)(void *))zero, (void (*)(void *, void *))add)
static char before;
static hist cilk_reducer(hist_zero, hist_add) whole = {1, 2, 3};
static char between;
static long SUM wide;
struct { char c; long SUM sum; char d; line cilk_reducer(line_zero, line_add) l; } parts;
void hist_zero(void *v) { memset(v, 0, sizeof(hist)); }
void hist_add(void *l, void *r) {
    int *a = l, *b = r;
    for (int i = 0; i < 26; i++) a[i] += b[i];
}
static void count(const char *t, int n) {
    if (n < 8) {
        for (int i = 0; i < n; i++) whole[t[i] - 'a']++;
        wide += n + off(&wide, 8);
        return;
    }
    cilk_spawn count(t, n / 2);
    count(t + n / 2, n - n / 2);
    cilk_sync;
}
int main(void) {
    char text[1000];
    for (int i = 0; i < 1000; i++) text[i] = 'a' + (i * i + 3 * i) % 26;
    count(text, 1000);
    char c = 1;
    hist cilk_reducer(hist_zero, hist_add) local = {[3] = 5};
    line cilk_reducer(line_zero, line_add) sum = {{1}};
    int *const view = local;
    cilk_for (int i = 0; i < 1000; i++) {
        local[text[i] - 'a'] += i & 3;
        sum.a[i & 7] += i;
        sum.a[6] += 100000 * off(&sum, 64);
        parts.sum += i;
        parts.l.a[5] += 1 + 100000 * (off(&parts.l, 64) + off(&parts.sum, 8));
    }
    hist copy;
    memcpy(copy, whole, sizeof copy);
    for (int i = 0; i < 26; i++) printf("%d %d %d ", whole[i], copy[i], local[i]);
    for (int i = 0; i < 8; i++) printf("%ld ", sum.a[i]);
    printf("%zu %zu %zu %d %ld %ld %ld %d\n", sizeof whole, sizeof parts, _Alignof(line), view[2], wide, parts.sum, parts.l.a[5], c + before + between);
    return 0;
}
