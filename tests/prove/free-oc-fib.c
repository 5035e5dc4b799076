#include <cilk/cilk.h>
int fib(int n) { if (n < 2) return n; int x = cilk_spawn fib(n-1); int y = fib(n-2); cilk_sync; return x+y; }
int main(void) { return fib(10); }
