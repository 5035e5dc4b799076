/* fib.c - the fast clones of MIT/LCS/TM-580 by hand, for any C compiler: what a spawn costs there without a runtime, as
 * in the memo's tables 1 and 2.
 *
 * VERSION 0: plain C. 1: indolent, the flag is tested before a spawn, and after it whether the child was released. 2:
 * sedative, one test after it. SPAWNS says how many of the two spawns have the tests: the memo's figures 7 and 8
 * show 1. No steal is ever attempted: the releasing code is there, and does not run. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NORMAL, ATTEMPTED, SAVE };
volatile int wanted;                      /* a thief stores it: indolent */
volatile int mode;                        /* the victim's; sedative: a thief stores ATTEMPTED */
static long shadow[1000], *top = shadow;  /* the shadow stack */

static __attribute__((noinline, cold)) int leave(long a, long b, int entry)
{
  *top++ = a;
  *top++ = b;
  *top++ = entry;
  return 0;
}

#if VERSION == 1
#define BEFORE(a, b, entry) \
  if (__builtin_expect(wanted, 0)) { \
    mode = SAVE; \
    return leave(a, b, -(entry)); \
  }
#define AFTER(a, b, result, entry) \
  if (__builtin_expect(mode == SAVE, 0)) \
    return leave(a, b, entry);
#elif VERSION == 2
#define BEFORE(a, b, entry)
#define AFTER(a, b, result, entry) \
  if (__builtin_expect(mode != NORMAL, 0)) { \
    if (mode == SAVE) \
      return leave(a, b, entry); \
    mode = SAVE; \
    return leave(a, result, -(entry)); \
  }
#else
#define BEFORE(a, b, entry)
#define AFTER(a, b, result, entry)
#endif

int fib(int n)
{
  int x, y;
  if (n < 2)
    return n;
  BEFORE(n, 0, 1)
  x = fib(n - 1);
  AFTER(n, 0, x, 1)
#if SPAWNS > 1
  BEFORE(n, x, 2)
#endif
  y = fib(n - 2);
#if SPAWNS > 1
  AFTER(n, x, y, 2)
#endif
  return x + y;
}

int main(int argc, char **argv)
{
  struct timespec a, b;
  int n = argc > 1 ? atoi(argv[1]) : 36;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
  int result = fib(n);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("fib(%d) = %d\n", n, result);
  fprintf(stderr, "time: %.6f s\n", (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9);
  return 0;
}
