// Scratch space by strand: a reducer that keeps the left view only, with a buffer inside; a 6 KB view.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
typedef struct { int used; char bytes[6000]; } scratch;
static void clear(void *v) { ((scratch *)v)->used = 0; }
static void forget(void *l, void *r) { (void)l, (void)r; }
static scratch cilk_reducer(clear, forget) pad;
static int digits(int n) {
    pad.used = 0;
    for (int k = 0; k < 300; k++) pad.used += sprintf(pad.bytes + pad.used, "%d", n + k);
    int s = 0;
    for (int k = 0; k < pad.used; k++) s = (s * 10 + pad.bytes[k] - '0') % 9973;
    return s;
}
int main(void) {
    int v[50];
    cilk_for (int i = 0; i < 50; i++) v[i] = digits(i * 3);
    long s = 0;
    for (int i = 0; i < 50; i++) s = s * 7 % 1000003 + v[i];
    printf("%ld\n", s);
    return 0;
}
