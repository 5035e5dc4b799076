/* calls: many short calls from C in a row, CALLS of them with pauses of 0 to 40 us between: worker 0 is asleep, or
 * about to be, or looks for the next one. A call that finds no worker awake and wakes none would never end. A busy
 * machine makes as many as half a minute has room for. */
#include <time.h>
#define main fib_main
#include "fib.c"
#undef main

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  int one = 1, r, calls = argc > 1 ? atoi(argv[1]) : 1000;
  volatile int wait;
  time_t end = time(NULL) + 30;
  for (int i = 0; i < calls && time(NULL) < end; i++) {
    cilk_rt_call_root(ctx, &root, &one, &r);
    EXPECT(r == 1);
    for (wait = i * 7919 % 20000; wait > 0; wait--);
  }
  Cilk_terminate(ctx);
  printf("ok\n");
  return 0;
}
