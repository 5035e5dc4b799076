/* enter.c - a C function enters the procedure that has its body. On a worker it is a nested root, as a call from C is.
 * Elsewhere it takes a context that runs nothing, and makes one if there is none: main may be such a computation for
 * its whole life, and waits for threads whose calls must not wait for it. argv is the program's own, so the options
 * come from the environment: CILK_NWORKERS (or CILK_NPROC), and CILK_OPTIONS for all others. A context lives until the
 * process exits. */
#include "calls/enter.h"
#include "base/message.h"
#include "process/init.h"
#include "steal/halt.h"
#include "travel/travel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };

typedef struct entry {
  cilk_context *ctx;
  struct entry *next;                     /* release, acquire */
  uint32_t busy;                          /* a thread calls, or is about to */
  char *words;                            /* of CILK_OPTIONS: the context's options keep pointers into it */
} entry;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static entry *entered;                    /* the first; release, acquire */

static bool take(entry *e) {
  uint32_t no = 0;
  return __atomic_compare_exchange_n(&e->busy, &no, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Reports, as Cilk_terminate does, unless a computation runs: then exit() was called in its midst, and the process just
 * goes. */
static void at_exit(void) {
  cilk_api_ends();
  if (cilk_me()->id >= 0) return;
  for (entry *e = load_acquire(&entered); e; e = load_acquire(&e->next))
    if (take(e)) Cilk_terminate(e->ctx);
}

/* The words of CILK_OPTIONS come after those of argv. They are in a copy: NULL if there are none. */
static char *split(int *argc, char **argv) {
  const char *words = getenv("CILK_OPTIONS");
  char *rest, *copy = words ? strdup(words) : NULL;
  for (char *w = copy ? strtok_r(copy, " \t", &rest) : NULL; w && *argc < WORDS; w = strtok_r(NULL, " \t", &rest))
    argv[(*argc)++] = w;
  argv[*argc] = NULL;
  return copy;
}

__attribute__((constructor(101))) static void listen(void) {
  char *argv[WORDS + 1] = {NULL};
  int argc = 1;
  char *copy = split(&argc, argv);
  cilk_travel_listen(argc, argv);
  free(copy);
}

static entry *make(uint32_t busy) {
  static char name[] = "cilk", option[] = "--nproc";
  char *argv[WORDS + 1] = {name};
  int argc = 1;
  char *workers = getenv("CILK_NWORKERS");
  char number[16];
  if (cilk_api_wanted()) {
    snprintf(number, sizeof number, "%d", cilk_api_wanted());
    workers = number;
  }
  if (workers && *workers) {
    char *end;
    long n = strtol(workers, &end, 10);
    if (*end || n < 0 || n > CILK_MAX_PROC)
      cilk_fatal("CILK_NWORKERS: '%s' is not a number of workers, which is 0 to %d", workers, CILK_MAX_PROC);
    argv[argc++] = option;
    argv[argc++] = workers;
  }
  char *copy = split(&argc, argv);
  cilk_context *ctx = NULL;
  int status = cilk_context_create(&argc, argv, &ctx);
  if (status) {
    fprintf(stderr, "The options are those of CILK_OPTIONS\n");
    cilk_exit_process(status == 1 ? 0 : 1);
  }
  if (argc > 1) cilk_fatal("CILK_OPTIONS: '%s' is not an option", argv[1]);
  entry *e = malloc(sizeof *e);
  if (!e) cilk_fatal("out of memory");
  *e = (entry){ctx, NULL, busy, copy};
  return e;
}

bool cilk_change_workers(int n) {
  cilk_context *ctx = entered->ctx;
  n = n ? n : cilk_api_workers();
  /* a schedule has its own number */
  if (n == ctx->opt.nproc || ctx->opt.replay.on || ctx->opt.record_file || ctx->opt.replay_file) return true;
  if (n > ctx->nproc - ctx->spares) return false;
  ctx->opt.nproc = n;
  cilk_activate(ctx, n);
  return true;
}

static void make_first(void) {
  cilk_api_begins();
  cilk_workers_room = &cilk_param_linked ? CILK_PARAM_WORKERS : 0;
  entry *first = make(0);
  cilk_workers_room = 0;
  if (first->ctx->nproc - first->ctx->spares > first->ctx->opt.nproc) cilk_activate(first->ctx, first->ctx->opt.nproc);
  store_release(&entered, first);
  atexit(at_exit);
}

cilk_context *cilk_entered_if_made(void) {
  entry *first = load_acquire(&entered);
  return first ? first->ctx : NULL;
}

cilk_context *cilk_entered_context(void) {
  pthread_once(&once, make_first);
  return entered->ctx;
}

static entry *free_entry(void) {
  entry *e = entered, *last = e;
  for (; e; last = e, e = load_acquire(&e->next))
    if (take(e)) return e;
  e = make(1);
  pthread_mutex_lock(&adding);
  while (last->next) last = last->next;
  store_release(&last->next, e);
  pthread_mutex_unlock(&adding);
  return e;
}

void cilk_rt_enter(const cilk_root *root, void *args, void *result) {
  if (cilk_me()->id >= 0) {
    cilk_rt_call_root(NULL, root, args, result);
    return;
  }
  cilk_entered_context();
  entry *e = free_entry();
  cilk_travel_enter(e->ctx, root, args);
  cilk_rt_call_root(e->ctx, root, args, result);
  cilk_travel_end(e->ctx);
  store_release(&e->busy, 0);
}
