// Part of waits_near.c.
#include <stdlib.h>
#include "waits.h"
static int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
void wait_for_flag(int n) {
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) { int a = cilk_spawn fib(n); int b = fib(n); cilk_sync; if (a != b) abort(); }
}
void through(void (*f)(int), int n) { f(n); }
int through_spawning(void (*f)(int), int n) { cilk_spawn f(n); int x = fib(5); cilk_sync; return x; }
