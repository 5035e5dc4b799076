/* private: worker 0 shares the copy of the calling thread, every other worker has its own. */
#include "clones.h"

static __thread int counter = 5;
static void *address(void) { return &counter; }
static const cilk_private descriptor __attribute__((section("cilk_private"), used)) = {address, sizeof counter};

static void thunk(void *args, void *result) {
  (void)args;
  (void)result;
  if (cilk_rt_self() == 0) counter++;
}
static const cilk_root root = {thunk, "count", 0, 0};

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  for (int i = 0; i < 10; i++) {
    EXPECT(counter == 5 + 2 * i);
    cilk_rt_call_root(ctx, &root, NULL, NULL);
    EXPECT(counter == 6 + 2 * i);
    counter++;
  }
  Cilk_terminate(ctx);
  printf("ok\n");
  return 0;
}
