/* main.c - the start-up object of programs whose main is a Cilk procedure. A member of the archive of its own: the linker takes it
 * only when the program has no C `main`. */
#include "internal.h"

int cilk_context_create(int *argc, char **argv, cilk_context **out);

int main(int argc, char **argv, char **envp)
{
  cilk_context *ctx = NULL;
  switch (cilk_context_create(&argc, argv, &ctx)) {
  case 0: break;
  case 1: return 0;
  default: return 1;
  }
  ctx->main_root = &cilk_main_root;
  struct { int argc; char **argv, **envp; } args = { argc, argv, envp };
  int status = 0;
  cilk_rt_call_root(ctx, &cilk_main_root, &args, &status);
  Cilk_terminate(ctx);
  return status;
}
