#include <cilk/cilk.h>
int a[100];
int main(void) { int x = 0; cilk_spawn { x++; } x = 2; cilk_sync; return x; }
