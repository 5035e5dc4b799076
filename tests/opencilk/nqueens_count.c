// N queens of the Cilk distribution: an array of counts as receivers, children share an alloca'd block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#include <cilk/cilk.h>
static int ok(int n, char *a) {
    int i, j; char p, q;
    for (i = 0; i < n; i++) {
        p = a[i];
        for (j = i + 1; j < n; j++) { q = a[j]; if (q == p || q == p - (j - i) || q == p + (j - i)) return 0; }
    }
    return 1;
}
static int nqueens(int n, int j, char *a) {
    char *b;
    int i, *count, solNum = 0;
    if (n == j) return 1;
    count = (int *)alloca(n * sizeof(int));
    (void)memset(count, 0, n * sizeof(int));
    b = (char *)alloca((j + 1) * n * sizeof(char));
    for (i = 0; i < n; i++) {
        char *mine = b + i * (j + 1);
        memcpy(mine, a, j * sizeof(char));
        mine[j] = i;
        if (ok(j + 1, mine)) count[i] = cilk_spawn nqueens(n, j + 1, mine);
    }
    cilk_sync;
    for (i = 0; i < n; i++) solNum += count[i];
    return solNum;
}
int main(int argc, char *argv[]) {
    int n = 7;
    char *a = (char *)alloca(n * sizeof(char));
    int res = nqueens(n, 0, a);
    if (res == 0) printf("No solution found.\n");
    else printf("Total number of solutions : %d\n", res);
    return 0;
}
