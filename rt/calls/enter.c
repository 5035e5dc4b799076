/* enter.c - a C function enters the procedure that has its body. On a worker it is a nested root, as a call from C is. Elsewhere the process has one context for all such calls,
 * which the first of them makes; argv is the program's own, so its options come from the environment: CILK_NWORKERS (or CILK_NPROC), and CILK_OPTIONS for all others.
 * The context lives until the process exits. */
#include "calls/enter.h"
#include "base/message.h"
#include "process/init.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cilk_context *entered;              /* written once, release; read without `once`: acquire */

/* Reports, as Cilk_terminate does, unless a computation runs: then exit() was called in its midst, and the process just goes. */
static void at_exit(void)
{
  cilk_api_ends();
  if (cilk_me()->id >= 0 || pthread_mutex_trylock(&entered->call) != 0)
    return;
  pthread_mutex_unlock(&entered->call);
  Cilk_terminate(entered);
}

static void make(void)
{
  static char name[] = "cilk", option[] = "--nproc";
  char *argv[WORDS + 1] = { name };
  int argc = 1;
  char *workers = getenv("CILK_NWORKERS");
  static char number[16];
  cilk_api_begins();
  if (cilk_api_wanted()) {
    snprintf(number, sizeof number, "%d", cilk_api_wanted());
    workers = number;
  }
  if (workers && *workers) {
    argv[argc++] = option;
    argv[argc++] = workers;
  }
  const char *words = getenv("CILK_OPTIONS");
  char *rest, *copy = words ? strdup(words) : NULL;   /* options keep pointers into it */
  for (char *w = copy ? strtok_r(copy, " \t", &rest) : NULL; w && argc < WORDS; w = strtok_r(NULL, " \t", &rest))
    argv[argc++] = w;
  argv[argc] = NULL;
  cilk_context *ctx = NULL;
  int status = cilk_context_create(&argc, argv, &ctx);
  if (status) {
    fprintf(stderr, "The options are those of CILK_OPTIONS and CILK_NWORKERS\n");
    cilk_exit_process(status == 1 ? 0 : 1);
  }
  if (argc > 1)
    cilk_fatal("CILK_OPTIONS: '%s' is no option", argv[1]);
  store_release(&entered, ctx);
  atexit(at_exit);
}

cilk_context *cilk_entered_if_made(void) { return load_acquire(&entered); }

cilk_context *cilk_entered_context(void)
{
  pthread_once(&once, make);
  return entered;
}

void cilk_rt_enter(const cilk_root *root, void *args, void *result)
{
  cilk_rt_call_root(cilk_me()->id >= 0 ? NULL : cilk_entered_context(), root, args, result);
}
