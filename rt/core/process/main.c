/* main.c - the start-up object of programs whose main is a Cilk procedure. A member of the archive of its own: the
 * linker takes it only when the program has no C `main`. */
#include "process/init.h"
#include "base/crash.h"
#include "base/message.h"
#include "data/slots.h"

#include <errno.h>

/* --serial: no workers; the options are taken as always, so that the same command line serves both programs. */
static int serial_main(int argc, char **argv, char **envp) {
  cilk_options o;
  switch (cilk_options_parse(&o, &argc, argv)) {
    case 0: break;
    case 1: return 0;
    default: return 1;
  }
  cilk_crash_watch(NULL);
  if (Cilk_each_rank) Cilk_each_rank(0, 1, argc, argv);
  errno = 0;                           /* as at the start of any program: the options' files may be absent */
  if (cilk_main_root.result_size == 0) {
    ((void (*)(int, char **, char **))(void *)cilk_main_root.thunk)(argc, argv, envp);
    return 0;
  }
  return ((int (*)(int, char **, char **))(void *)cilk_main_root.thunk)(argc, argv, envp);
}

__attribute__((constructor(101))) static void listen(int argc, char **argv) { cilk_travel_listen(argc, argv); }

int main(int argc, char **argv, char **envp) {
  if (cilk_main_root.args_size == CILK_ROOT_SERIAL) return serial_main(argc, argv, envp);
  cilk_context *ctx = NULL;
  switch (cilk_context_create(&argc, argv, &ctx)) {
    case 0: break;
    case 1: return 0;
    default: return 1;
  }
  ctx->main_root = &cilk_main_root;
  struct {
    int argc;
    char **argv, **envp;
  } args = {argc, argv, envp};
  int status = 0;
  if (Cilk_each_rank) Cilk_each_rank(0, 1, argc, argv);
  cilk_travel_begin(ctx, &args.argc, &args.argv, &args.envp);
  cilk_rt_call_root(ctx, &cilk_main_root, &args, &status);
  cilk_travel_end(ctx);
  Cilk_terminate(ctx);
  if (status) cilk_repeat_say();
  return status;
}
