// A histogram in a reducer whose view is a struct with an array; and one array of counters, each a reducer.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { unsigned long bins[32]; } Histogram;
void hist_identity(void *view) { memset(view, 0, sizeof(Histogram)); }
void hist_reduce(void *left, void *right) {
    Histogram *l = left;
    const Histogram *r = right;
    for (int i = 0; i < 32; ++i) l->bins[i] += r->bins[i];
}
static void zero(void *v) { *(int *)v = 0; }
static void plus(void *a, void *b) { *(int *)a += *(int *)b; }
static int cilk_reducer(zero, plus) counters[8];
int main(void) {
    Histogram cilk_reducer(hist_identity, hist_reduce) h = {{0}};
    const int n = 10000;
    unsigned char *data = malloc(n);
    for (int i = 0; i < n; ++i) data[i] = (unsigned char)(i * i >> 3);
    cilk_for (int i = 0; i < n; ++i) {
        h.bins[data[i] & 31]++;
        counters[data[i] & 7] += 1;
    }
    for (int i = 0; i < 32; ++i) printf("%lu%c", h.bins[i], i % 8 == 7 ? '\n' : ' ');
    for (int i = 0; i < 8; ++i) printf("%d ", counters[i]);
    puts("");
    free(data);
    return 0;
}
