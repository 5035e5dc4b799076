// OpenCilk's spelling, in a C file.
#include <stdio.h>

int fib(int n) {
  int x, y;
  if (n < 2) return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  int squares[8];
  cilk_for(int i = 0; i < 8; i++) squares[i] = i * i;
  printf("fib(8) = %d, 7 * 7 = %d\n", fib(8), squares[7]);
  return 0;
}
