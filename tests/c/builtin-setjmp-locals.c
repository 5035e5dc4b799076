/* FLAGS: -finstrument-functions */
/* Variables changed between __builtin_setjmp and __builtin_longjmp keep their values; -finstrument-functions; a function of other aliasing rules. */
#include <stdio.h>

static int entries;
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *from) { (void)f; (void)from; entries++; }
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *from) { (void)f; (void)from; }

static void *buffer[5];
__attribute__((noinline)) static void back(void) { __builtin_longjmp(buffer, 1); }
__attribute__((noinline)) static void middle(void) { back(); }

__attribute__((noinline)) static int tries(int x) {
  int a = 0;
  if (__builtin_setjmp(buffer) == 0)
    for (;;) {
      a += 3;
      middle();
    }
  return a ? x + a : -1;
}

static int word;
static float *pun = (float *)&word;
__attribute__((noinline, optimize("-fno-strict-aliasing"))) static int clear(int *p) {
  *p = 1;
  *pun = 0;
  return *p;
}

int main(void) {
  printf("%d %d\n", tries(4), clear(&word));
  printf("%d\n", entries);
  return 0;
}
