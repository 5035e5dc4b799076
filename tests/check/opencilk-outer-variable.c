// RUN: -fopencilk -c %s -o /dev/null
// STATUS: 1
// A cilk_for over a variable of the function, as in Cilk Plus' C: the message has the declaration to write.
void clear(int *v, int n) {
    long i;
    int *p;
    // CHECK: cilk_for declares its loop variable: each iteration has one of its own
    // CHECK: write `cilk_for (long i = ..`
    cilk_for (i = 0; i < n; i++) v[i] = 0;
    // CHECK: write `cilk_for (int *p = ..`
    cilk_for (p = v; p < v + n; p++) *p = 1;
}
