/* caller.c - calls of a context whose only worker is the thread that calls.
 *
 * Such a context has no thread. Between computations the worker's hot part is `resting`, in the context. In a call the
 * calling thread's cilk_self has it, and the thread changes to the worker's C stack, which is as deep as
 * --pthread-stacksize says and has a guard. A call therefore costs no switch of threads, thread-local variables are the
 * caller's own, and a process without other threads stays one, whose C library need not lock.
 *
 * A thread that is a worker of another context keeps its hot part, where thieves look. For its call there is a thread
 * that lives as long as the call.
 *
 * Other threads find the worker by ctx->workers[0] only under ctx->mutex, or where its computation cannot end
 * meanwhile: after the call the calling thread may end, and its hot part with it. model/caller.pml */
#define _GNU_SOURCE
#include "schedule/caller.h"
#include "arch/switch.h"
#include "base/fault.h"
#include "protocol/exit.h"
#include "schedule/private.h"
#include "schedule/stackguard.h"
#include "schedule/threads.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the calling thread ---- */

static __thread int tid; /* of the calling thread, once it has called; else 0 */

void cilk_caller_forked(void) { tid = 0; }

typedef struct visit {
  cilk_root_run *run;
  void *below, *above; /* stack pointers: of the caller; not used any more */
} visit;

/* On the worker's stack. */
static void run_there(void *argument) {
  visit *v = argument;
  cilk_run_root(cilk_me(), v->run);
  cilk_stack_switch(&v->above, v->below);
}

/* The worker's hot part moves. The level of a thread that is no worker stays with the thread: roots point to it. */
static void move(cilk_context *ctx, cilk_worker *to, const cilk_worker *from) {
  cilk_level own = to->own_level;
  *to = *from;
  to->own_level = own;
  ctx->extensions[0]->hot = ctx->workers[0] = to;
}

void cilk_caller_run(cilk_context *ctx, cilk_root_run *run) {
  cilk_worker *w = cilk_me(), outside = *w;
  cilk_worker_ext *x = ctx->extensions[0];
  visit v = {.run = run};
  if (!tid) {
    tid = (int)syscall(SYS_gettid);
    cilk_guard_caller();
  }
  pthread_mutex_lock(&ctx->mutex);
  move(ctx, w, &ctx->resting);
  run->link.worker = w;
  x->tid = tid;
  pthread_mutex_unlock(&ctx->mutex);
  cilk_exit_watch(w, true);
  char *top = (char *)x->own.stack_map + x->own.stack_map_bytes;
  cilk_stack_switch(&v.below, cilk_arch_frame(top, cilk_stack_bottom, run_there, &v));
  cilk_exit_watch(w, false);
  pthread_mutex_lock(&ctx->mutex);
  move(ctx, &ctx->resting, w);
  outside.own_level = w->own_level;
  *w = outside;
  pthread_mutex_unlock(&ctx->mutex);
}

/* ---- another thread ---- */

typedef struct errand {
  cilk_context *ctx;
  cilk_root_run *run;
} errand;

static void *run_errand(void *argument) {
  const errand *e = argument;
  cilk_private_copy(e->ctx, false);
  cilk_caller_run(e->ctx, e->run);
  cilk_private_copy(e->ctx, true);
  return NULL;
}

void cilk_caller_run_elsewhere(cilk_context *ctx, cilk_root_run *run) {
  errand e = {ctx, run};
  pthread_t thread;
  cilk_private_start(ctx); /* the calling thread's addresses */
  ctx->errand = true;
  int error = CILK_FAILS(THREAD) ? EAGAIN : pthread_create(&thread, NULL, run_errand, &e);
  if (error) cilk_fatal("cannot create worker 0: %s", strerror(error));
  pthread_join(thread, NULL);
  ctx->errand = false;
  cilk_private_end(ctx);
}
