/* FLAGS: -finstrument-functions */
/* Variables changed between __builtin_setjmp and __builtin_longjmp keep their values; the buffer of the jump is in the frame that it leaves; -finstrument-functions; a function of other aliasing rules. */
#include <stdio.h>
#include <string.h>

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

__attribute__((noinline)) static void fromCopy(void) {
  void *copy[32];
  memcpy(copy, buffer, sizeof buffer);
  __builtin_longjmp(copy, 1);
}
__attribute__((noinline)) static void fromCopyBeside(int n) {   // the frame's size is not known, so that it has two registers that point to it
  void *copy[32];
  char variable[n];
  memset(variable, 0, (size_t)n);
  __asm__("" : : "r"(variable) : "memory");
  memcpy(copy, buffer, sizeof buffer);
  __builtin_longjmp(copy, 1);
}
__attribute__((noinline)) static int copied(int n) {
  volatile int times = 0;
  if (__builtin_setjmp(buffer) == 0) {
    times++;
    if (n) fromCopyBeside(n);
    else fromCopy();
  }
  return times;
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
  printf("%d %d\n", copied(0), copied(5));
  printf("%d\n", entries);
  return 0;
}
