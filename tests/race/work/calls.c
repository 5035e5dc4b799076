/* A kernel that is called again and again: argv[1] times, in the way that argv[2] names. */
#include <stdlib.h>

static int cells[4];
static void set(int i) { cells[i] = i; }
static __attribute__((noinline)) int pair(void)
{
  cilk_spawn set(0);
  set(1);
  cilk_sync;
  return cells[0] + cells[1];
}
static __attribute__((noinline)) int loop(void)
{
  cilk_for (int i = 0; i < 4; i++) cells[i] = i;
  return cells[3];
}
static void calls(long n)
{
  while (n--) pair();
}
static int pass_on(void) { return pair(); }

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 1, sum = 0;
  switch (argv[2][0]) {
  case 'c':
    for (long i = 0; i < n; i++) sum += pair();
    break;
  case 'l':
    for (long i = 0; i < n; i++) sum += loop();
    break;
  case 'i':
    for (long i = 0; i < n; i++) sum += pass_on();
    break;
  case 'p':
    cilk_spawn calls(n / 2);
    cilk_sync;
    calls(n - n / 2);
    break;
  case 's':
    for (long i = 0; i < n; i++) {
      cilk_spawn pair();
      cilk_sync;
    }
    break;
  }
  return sum < 0;
}
