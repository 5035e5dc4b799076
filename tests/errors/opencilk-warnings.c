// FLAGS: -fopencilk
// What compiles, and is a mistake nevertheless: each is a warning.
#include <cilk/cilk.h>
int f(int), v[100];
void g(long *);
void zero(void *v) { *(long *)v = 0; }
void plus(void *l, void *r) { *(long *)l += *(long *)r; }
long cilk_reducer(zero, plus) sum;
long *kept;
int read_early(void) { int x = cilk_spawn f(1); return x + f(2); }              // WARNING: receiver-read
int read_before(void) { int x = cilk_spawn f(1), y = f(x); cilk_sync; return y; }   // WARNING: receiver-read
int written(void) { int x = cilk_spawn f(1); x = 3; cilk_sync; return x; }      // WARNING: receiver-written
int twice(void) { int x; x = cilk_spawn f(1); x = cilk_spawn f(2); cilk_sync; return x; }   // WARNING: receiver-written
void changes(void) { cilk_for (int i = 0; i < 9; i++) { v[i] = 0; i += 1; } }   // WARNING: cilk-for-variable
void increments(void) { cilk_for (int i = 0; i < 9; i++) { v[i++] = 0; } }      // WARNING: cilk-for-variable
void lives(int n) {
    if (n) {
        int x;
        x = cilk_spawn f(n);                                                    // WARNING: receiver-scope
    }
    cilk_sync;
}
int joined(int n) {
    if (n) {
        int x;
        x = cilk_spawn f(n);
        cilk_sync;
        return x;
    }
    return 0;
}
void passes(void) { cilk_spawn g(&sum); cilk_sync; }                            // WARNING: view-in-child
void passes_to_call(void) { g(&sum); }
void empty_scope(int n) { cilk_scope; f(n); }                                   // WARNING: empty-body
void empty(void) { cilk_for (int i = 0; i < 9; i++); }                          // WARNING: empty-body
