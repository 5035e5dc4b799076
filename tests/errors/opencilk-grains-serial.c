// FLAGS: -fopencilk
// A grain before a loop that a macro has made serial, and a loop that a jump leaves.
#include <cilk/cilk_stub.h>
int v[9];
void serial(int n) {
    // WARNING: 7:1 pragmas
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < n; i++) v[i] = 0;
    cilk_for (int i = 0; i < n; i++) if (v[i]) break;
}
