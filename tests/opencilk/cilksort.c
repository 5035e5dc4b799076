/* Cilksort: four quarters, two merges, insertion sort below; recursion through static helpers in old style. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define KILO 64
typedef long ELM;
static ELM *binsplit(ELM val, ELM *low, ELM *high) {
    ELM *mid;
    while (low != high) {
        mid = low + ((high - low + 1) >> 1);
        if (val <= *mid) high = mid - 1; else low = mid;
    }
    return *low > val ? low - 1 : low;
}
static void seqmerge(ELM *low1, ELM *high1, ELM *low2, ELM *high2, ELM *lowdest) {
    while (low1 <= high1 && low2 <= high2) *lowdest++ = *low1 < *low2 ? *low1++ : *low2++;
    while (low1 <= high1) *lowdest++ = *low1++;
    while (low2 <= high2) *lowdest++ = *low2++;
}
void cilkmerge(low1, high1, low2, high2, lowdest)
    ELM *low1, *high1, *low2, *high2, *lowdest;
{
    ELM *split1, *split2;
    long int lowsize;
    if (high2 - low2 > high1 - low1) {
        ELM *t = low1; low1 = low2; low2 = t;
        t = high1; high1 = high2; high2 = t;
    }
    if (high1 < low1) { memcpy(lowdest, low2, sizeof(ELM) * (high2 - low2)); return; }
    if (high2 - low2 < KILO) { seqmerge(low1, high1, low2, high2, lowdest); return; }
    split1 = ((high1 - low1 + 1) / 2) + low1;
    split2 = binsplit(*split1, low2, high2);
    lowsize = split1 - low1 + split2 - low2;
    *(lowdest + lowsize + 1) = *split1;
    cilk_spawn cilkmerge(low1, split1 - 1, low2, split2, lowdest);
    cilk_spawn cilkmerge(split1 + 1, high1, split2 + 1, high2, lowdest + lowsize + 2);
    cilk_sync;
    return;
}
static void insertion(ELM *a, long n) {
    for (long i = 1; i < n; i++) {
        ELM v = a[i];
        long j = i;
        for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
        a[j] = v;
    }
}
void cilksort(ELM *low, ELM *tmp, long size) {
    long quarter = size / 4;
    ELM *A, *B, *C, *D, *tmpA, *tmpB, *tmpC, *tmpD;
    if (size < KILO) { insertion(low, size); return; }
    A = low; tmpA = tmp;
    B = A + quarter; tmpB = tmpA + quarter;
    C = B + quarter; tmpC = tmpB + quarter;
    D = C + quarter; tmpD = tmpC + quarter;
    cilk_spawn cilksort(A, tmpA, quarter);
    cilk_spawn cilksort(B, tmpB, quarter);
    cilk_spawn cilksort(C, tmpC, quarter);
    cilk_spawn cilksort(D, tmpD, size - 3 * quarter);
    cilk_sync;
    cilk_spawn cilkmerge(A, A + quarter - 1, B, B + quarter - 1, tmpA);
    cilk_spawn cilkmerge(C, C + quarter - 1, D, low + size - 1, tmpC);
    cilk_sync;
    cilkmerge(tmpA, tmpC - 1, tmpC, tmpA + size - 1, A);
}
int main(int argc, char **argv) {
    long size = 20000, i;
    ELM *array = (ELM *)malloc(size * sizeof(ELM)), *tmp = (ELM *)malloc(size * sizeof(ELM));
    for (i = 0; i < size; ++i) array[i] = (i * 48271) % size;
    cilksort(array, tmp, size);
    int success = 1;
    for (i = 1; i < size; ++i) if (array[i] < array[i - 1]) success = 0;
    printf("%s %ld %ld\n", success ? "sorted" : "SORTING FAILURE", array[size / 3], (long)argc);
    return !success;
}
