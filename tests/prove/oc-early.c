#include <cilk/cilk.h>
int f(int n) { return n; }
int main(void) { int x = cilk_spawn f(1); int y = x + f(2); cilk_sync; return x + y; }
