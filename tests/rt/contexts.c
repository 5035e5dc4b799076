/* contexts: several contexts in several threads at once, made and ended repeatedly; calls from C in a row on each. */
#define main fib_main
#include "fib.c"
#undef main
#include <pthread.h>

static int rounds = 20;

static void *user(void *argument) {
  long nproc = (long)argument;
  char number[16];
  for (int i = 0; i < rounds; i++) {
    snprintf(number, sizeof number, "%ld", nproc);
    char *argv[] = {(char *)"contexts", (char *)"--nproc", number, (char *)"rest", NULL};
    int argc = 4;
    struct CilkContext *ctx = Cilk_init(&argc, argv);
    EXPECT(ctx && argc == 2 && !strcmp(argv[1], "rest") && argv[2] == NULL);
    for (int n = 0; n < 15; n++) {
      int r;
      cilk_rt_call_root(ctx, &root, &n, &r);
      EXPECT(r == serial(n));
    }
    Cilk_terminate(ctx);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[3];
  if (argc > 1) rounds = atoi(argv[1]);
  for (long i = 0; i < 3; i++) EXPECT(pthread_create(&t[i], NULL, user, (void *)(i + 1)) == 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  EXPECT(cilk_rt_self() == -1);
  printf("ok\n");
  return 0;
}
