// FLAGS: -fopencilk
// Variables that the iterations of a loop share.
#include <cilk/cilk.h>
#include <stdio.h>
#include <pthread.h>
int f(int), v[100], whole;
struct pair { int a, b; };
static void zero(void *view) { *(long *)view = 0; }
static void plus(void *left, void *right) { *(long *)left += *(long *)right; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total(void) { int sum = 0; cilk_for (int i = 0; i < 9; i++) sum += v[i]; return sum; }     // WARNING: 11:65 parallel-updates
void global(void) { cilk_for (int i = 0; i < 9; i++) { v[i] = 0; whole++; } }                   // WARNING: parallel-updates
void shared_temporary(void) {
    int t;
    cilk_for (int i = 0; i < 9; i++) {
        t = f(i);                                                                               // WARNING: parallel-updates
        v[i] = t * t;
    }
}
int largest(void) {
    int max = 0;
    cilk_for (int i = 0; i < 9; i++)
        if (v[i] > max)
            max = v[i];                                                                         // WARNING: parallel-updates
    return max;
}
int member(void) {
    struct pair p = {0, 0};
    int bins[3] = {0}, few = 0;
    cilk_for (int i = 0; i < 9; i++) {
        p.b += i;                                                                               // WARNING: parallel-updates
        bins[1]++;                                                                              // WARNING: parallel-updates
        if (i % 3) continue;
        few++;
    }
    return p.b + bins[1] + few;
}
void through_pointer(long *p) { cilk_for (int i = 0; i < 9; i++) *p += i; }                     // WARNING: parallel-updates
void nested(void) {
    cilk_for (int i = 0; i < 9; i++) {
        int row = 0;
        cilk_for (int j = 0; j < 9; j++) row += j;                                              // WARNING: parallel-updates
        v[i] = row;
    }
}
long fine(int n) {
    long cilk_reducer(zero, plus) sum = 0;
    _Atomic long counted = 0;
    int found = 0, once = 0;
    cilk_for (int i = 0; i < n; i++) {
        int t = f(i);
        t += i;
        sum += t;
        counted += t;
        v[i] += t;
        if (t == 7) found = 1;
        if (i == 3) once = t;
        for (int j = 0; j < 3; j++) t *= j;
    }
    cilk_for (int i = 0; i < n; i++) found = 1;
    return sum + counted + found + once;
}
int locked(int n) {
    int sum = 0;
    cilk_for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        sum += i;
        pthread_mutex_unlock(&lock);
    }
    return sum;
}
