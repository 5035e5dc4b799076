// Quicksort as in Cilk's first handouts: a pivot in the middle, pointers into one array.
#include <stdio.h>
#include <stdlib.h>
#include <cilk/cilk.h>

static int *partition(int *begin, int *end) {
    int pivot = begin[(end - begin) / 2];
    while (begin <= end) {
        while (*begin < pivot) begin++;
        while (*end > pivot) end--;
        if (begin <= end) { int t = *begin; *begin++ = *end; *end-- = t; }
    }
    return begin;
}
void sort(int *begin, int *end) {
    if (begin < end) {
        int *middle = partition(begin, end);
        cilk_spawn sort(begin, middle - 1);
        sort(middle, end);
        cilk_sync;
    }
}
int main(int argc, char *argv[]) {
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    int *a = (int *)malloc(n * sizeof(int));
    unsigned x = 12345;
    for (int i = 0; i < n; ++i) a[i] = (x = x * 1103515245u + 12345u) >> 8;
    sort(a, a + n - 1);
    for (int i = 1; i < n; ++i)
        if (a[i - 1] > a[i]) { printf("wrong at %d\n", i); return 1; }
    printf("%d %d %d\n", a[0], a[n / 2], a[n - 1]);
    free(a);
    return 0;
}
