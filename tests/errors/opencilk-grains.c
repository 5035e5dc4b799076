// FLAGS: -fopencilk
// Grains that are none, and grains of nothing.
int v[9];
void grains(int n) {
    // WARNING: 8:1 pragmas
    // ERROR: 11:5 cilk-for-form
    // ERROR: 15:1 cilk-for-form
#pragma cilk grainsize = int
    cilk_for (int i = 0; i < n; i++) v[i] = 0;
    if (n)
    #pragma cilk grainsize 4
        n = 9;
    #pragma cilk grainsize 4
    cilk_for (int i = 0; i < n; i++) v[i] = 0;
#pragma cilk grainsize 4
    for (int i = 0; i < n; i++) v[i] = 0;
    if (n)
    #pragma cilk grainsize 4
        cilk_for (int i = 0; i < n; i++) v[i] = 0;
    #pragma cilk grainsize 2.5
    cilk_for (int i = 0; i < n; i++) v[i] = 0;  // ERROR: 20:5 cilk-for-form
}
