// N queens: solutions are counted by an opadd reducer; the board is copied with alloca.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
#include <alloca.h>
void zero_l(void *v) { *(long *)v = 0; }
void add_l(void *l, void *r) { *(long *)l += *(long *)r; }
long cilk_reducer(zero_l, add_l) solutions = 0;
int ok(int n, char *a) {
    for (int i = 0; i < n; i++) {
        char p = a[i];
        for (int j = i + 1; j < n; j++) {
            char q = a[j];
            if (q == p || q == p - (j - i) || q == p + (j - i)) return 0;
        }
    }
    return 1;
}
void nqueens(int n, int j, char *a) {
    if (n == j) { solutions += 1; return; }
    cilk_for (int i = 0; i < n; i++) {
        char *b = alloca((j + 1) * sizeof(char));
        memcpy(b, a, j * sizeof(char));
        b[j] = i;
        if (ok(j + 1, b)) nqueens(n, j + 1, b);
    }
}
int main(void) {
    char a[16];
    for (int n = 1; n <= 8; n++) {
        solutions = 0;
        nqueens(n, 0, a);
        printf("%d: %ld\n", n, solutions);
    }
    return 0;
}
