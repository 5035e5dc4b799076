// Errors found by children: flags, error codes as results, exit in a child, an early stop by a shared flag.
#include <cilk/cilk.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum status { OK, BAD_INPUT, TOO_DEEP };
typedef enum status status_t;
static status_t parse(const char *s, int lo, int hi, long *value) {
    if (hi - lo > 64) return TOO_DEEP;
    if (hi - lo == 1) {
        if (s[lo] < '0' || s[lo] > '9') { errno = EINVAL; return BAD_INPUT; }
        *value = s[lo] - '0';
        return OK;
    }
    int mid = (lo + hi) / 2;
    long l = 0, r = 0;
    status_t sl = cilk_spawn parse(s, lo, mid, &l);
    status_t sr = parse(s, mid, hi, &r);
    cilk_sync;
    if (sl != OK) return sl;
    if (sr != OK) return sr;
    *value = l + r;
    return OK;
}
static volatile int stop;
static int find(const int *a, int n, int key) {
    int at = -1;
    cilk_for (int i = 0; i < n; i++) {
        if (__atomic_load_n(&stop, __ATOMIC_RELAXED)) continue;
        if (a[i] == key) { __atomic_store_n(&at, i, __ATOMIC_RELAXED); __atomic_store_n(&stop, 1, __ATOMIC_RELAXED); }
    }
    return at;
}
static void finish(int n) {
    if (n == 3) { printf("exit in a child\n"); exit(0); }
}
int main(void) {
    const char *inputs[] = {"1234", "12x4", "9", "00000000000000000000000000000000000000000000000000000000000000000", "77777"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        long v = -1;
        status_t s = parse(inputs[i], 0, (int)strlen(inputs[i]), &v);
        printf("%d %ld\n", s, v);
    }
    int a[500];
    for (int i = 0; i < 500; i++) a[i] = i * 3;
    int at = find(a, 500, 600);
    printf("%d %d\n", at, stop);
    for (int i = 0; i < 5; i++) { cilk_spawn finish(i); cilk_sync; }
    return 1;
}
