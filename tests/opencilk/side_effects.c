// Spawned calls whose arguments have side effects, and receivers whose places change: all is settled by the parent.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static int id(int n) { int s = 0; for (int i = 0; i < 200; i++) s += i & n; return n + s - s; }
static void store(int *to, int v) { *to = id(v); }
static int next_id;
static int fresh(void) { return ++next_id; }
int main(void) {
    int a[20] = {0}, i = 0, *p = a;
    while (i < 5) { a[i] = cilk_spawn id(10 * i); i++; }
    for (; i < 10; i++) cilk_spawn store(p + i, i * i);
    cilk_sync;
    p = a + 10;
    for (int k = 0; k < 5; k++) cilk_spawn store(p++, fresh());
    int n = 3;
    a[15] = cilk_spawn id(n--);
    a[16] = cilk_spawn id(--n);
    a[17] = cilk_spawn id((n += 5, n * 2));
    n = 100;
    int *q = &a[18];
    *q = cilk_spawn id(n ? n : 3);
    q = &a[19];
    n = 0;
    *q = cilk_spawn id(fresh() * 10 + fresh());
    q = NULL;
    cilk_sync;
    for (i = 0; i < 20; i++) printf("%d ", a[i]);
    printf("\n%d %d\n", n, next_id);
    char *buffer[3];
    for (int k = 0; k < 3; k++) {
        char text[8];
        snprintf(text, sizeof text, "t%d", k);
        buffer[k] = malloc(8);
        cilk_spawn snprintf(buffer[k], 8, "%s!", text);
        cilk_sync;
    }
    for (int k = 0; k < 3; k++) { printf("%s ", buffer[k]); free(buffer[k]); }
    return puts("") < 0;
}
