#include <cilk/cilk.h>
int g; int f(int n) { g = n; return n; }
int main(void) { int x = cilk_spawn f(1); int y = f(2); cilk_sync; return x + y; }
