// Functions that return with children running: the join is implicit, at every exit, and after the value of `return`.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int done[100];
static void slow(int i) { int s = 0; for (int k = 0; k < 100 * (i % 7); k++) s += k % 3; done[i] = s + 1; }
static int returns(int n) {
    cilk_spawn slow(n);
    if (n % 3 == 0) return n;
    cilk_spawn slow(n + 1);
    if (n % 3 == 1) { cilk_spawn slow(n + 2); return -n; }
    for (int i = 0; i < 3; i++) {
        cilk_spawn slow(n + 3 + i);
        if (n > 50) return i;
    }
    return 99;
}
static void nothing(int n) { if (n == 0) return; cilk_spawn slow(n); if (n == 1) return; slow(n - 1); }
static int value(int *p) { return *p; }
static void store(int *p, int v) { *p = v; }
static int *fill(int n) {
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) cilk_spawn store(a + i, i * 3);
    return a;
}
static int before_join(int n) {
    int x = n;
    cilk_spawn slow(n);
    return value(&x) + 1;
}
static void late(const char *s) { nanosleep(&(struct timespec){ 0, 5000000 }, NULL); puts(s); }
int main(void) {
    for (int n = 0; n < 90; n += 10) {
        printf("%d ", returns(n));
        for (int i = n; i < n + 7; i++) { printf("%d ", done[i]); done[i] = 0; }
    }
    nothing(0); nothing(1); nothing(9);
    printf("\n%d %d %d\n", done[1], done[9], done[8]);
    int *a = fill(20), s = 0;
    for (int i = 0; i < 20; i++) s += a[i];
    printf("%d %d\n", s, before_join(41));
    free(a);
    cilk_spawn late("main waits for its children");
}
