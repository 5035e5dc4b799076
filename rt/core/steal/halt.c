/* halt.c - stops of all workers, and rests of some.
 *
 * The thread that wants a worker to halt stores `halt`, then wakes it (CAS of `park`), and signals; a worker that
 * parks has stored PARKED before it reads `halt`. One of them sees the other (PROTOCOLS.md, section 18). */
#define _GNU_SOURCE
#include "steal/halt.h"
#include "data/policy.h"
#include "data/root.h"
#include "steal/sleep.h"
#include "steal/steal.h"

#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const char cilk_stop_too_late[] = "the computation is at its end";

static void futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

void cilk_stop_here(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  for (uint32_t halt; (halt = load_seq_cst(&x->halt)) & CILK_HALT_STOP;) {
    uint32_t number = load_seq_cst(&x->ctx->stops);
    if (load_seq_cst(&x->halt) != halt)
      /* else it is the number of this stop: the next stop takes its number after the end of this stop */
      continue;
    if (load_seq_cst(&x->halted) != number) {
      store_seq_cst(&x->halted, number);  /* after all that it did; pairs with all_halted */
      __atomic_fetch_add(&x->ctx->stop_events, 1u, __ATOMIC_SEQ_CST);
      futex_wake(&x->ctx->stop_events);
    }
    syscall(SYS_futex, &x->halt, FUTEX_WAIT_PRIVATE, halt, NULL, NULL, 0);
  }
}

static void change(cilk_worker *w, uint32_t set, uint32_t clear) {
  uint32_t *halt = &w->ext->halt, was = load_seq_cst(halt);
  while (!__atomic_compare_exchange_n(halt, &was, ((was & ~clear) | set) + CILK_HALT_CHANGE, false, __ATOMIC_SEQ_CST,
      __ATOMIC_SEQ_CST));
  futex_wake(halt);
  cilk_unpark(w);
  if (set) cilk_hurry(w);
}

static bool halted(const cilk_context *ctx, int i) {
  return load_seq_cst(&ctx->workers[i]->ext->halted) == load_relaxed(&ctx->stops);
}

static bool all_halted(const cilk_context *ctx) {
  for (int i = 0; i < ctx->nproc; i++)
    if (!halted(ctx, i)) return false;
  return true;
}

static bool runs(cilk_context *ctx) { return load_seq_cst(&ctx->begun) != load_seq_cst(&ctx->ended); }

/* NULL: nothing is known that keeps the workers from halting. */
static const char *hindrance(cilk_context *ctx) {
  if (!runs(ctx)) return cilk_stop_too_late;
  if (load_seq_cst(&ctx->nests)) return "a computation has a scheduler of its own (Cilk_with)";
  if (load_seq_cst(&ctx->nested))         /* a computation of threads is one of these, too */
    return load_acquire(&ctx->work_source) ? "threads of Cilk-1 cannot travel"
                                           : "C code waits for Cilk procedures: its frames are no closures";
  return NULL;
}

const char *cilk_stop_begin(cilk_context *ctx, uint64_t ns) {
  static char text[160];
  const char *why = hindrance(ctx);
  if (why) return why;
  uint64_t until = cilk_now_ns() + ns;
  __atomic_fetch_add(&ctx->stops, 1u, __ATOMIC_SEQ_CST);
  for (int i = 0; i < ctx->nproc; i++) change(ctx->workers[i], CILK_HALT_STOP, 0);
  for (;;) {
    uint32_t seen = load_seq_cst(&ctx->stop_events);
    /* first: the last of them may have ended the computation, and its root is gone then */
    bool all = all_halted(ctx);
    if ((why = hindrance(ctx))) break;
    if (all) return NULL;
    if (cilk_now_ns() > until) {
      int i = 0;
      while (halted(ctx, i) && i < ctx->nproc - 1) i++;
      bool lock = load_relaxed(&ctx->workers[i]->ext->wait.lock);
      snprintf(text, sizeof text, "worker %d has come to no spawn or sync within %.1f s%s", i, (double)ns / 1e9,
          lock ? ": it waits for a lock, which another procedure holds" : "");
      why = text;
      break;
    }
    struct timespec t = {0, 1000000};
    syscall(SYS_futex, &ctx->stop_events, FUTEX_WAIT_PRIVATE, seen, &t, NULL, 0);
  }
  cilk_stop_end(ctx);
  return why;
}

void cilk_stop_end(cilk_context *ctx) {
  for (int i = 0; i < ctx->nproc; i++) change(ctx->workers[i], 0, CILK_HALT_STOP);
}

void cilk_activate(cilk_context *ctx, int n) {
  n = n < 1 ? 1 : n > ctx->nproc - ctx->spares ? ctx->nproc - ctx->spares : n;
  store_seq_cst(&ctx->active, (uint32_t)n);
  for (int i = 0; i < ctx->nproc - ctx->spares; i++)
    if (i < n) change(ctx->workers[i], 0, CILK_HALT_REST);
    else change(ctx->workers[i], CILK_HALT_REST, 0);
}
