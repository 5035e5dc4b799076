/* init.c - Cilk_init and Cilk_terminate: a context is a set of workers with their options; several may be alive at
 * once. */
#define _GNU_SOURCE
#include "process/init.h"
#include "steal/barrier.h"
#include "fibers/blocking.h"
#include "data/work_source.h"
#include "data/closure.h"
#include "base/fault.h"
#include "process/fork.h"
#include "base/limits.h"
#include "base/module.h"
#include "steal/lazy.h"
#include "steal/node.h"
#include "data/pool.h"
#include "process/report.h"
#include "schedule/search.h"
#include "schedule/stackguard.h"
#include "observe/stats.h"
#include "schedule/threads.h"
#include "observe/trace.h"
#include "data/slots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Contexts whose workers have not ended yet. The check for leaks waits for all of them: another context's worker may
 * still be about to free closures. acq_rel: the last one sees what the others have freed. */
static uint32_t with_workers;

int cilk_workers_room;
int cilk_more_workers;

/* The system grants no more threads, and no option asks for more. First there are no spares. */
static bool have_workers(cilk_context *ctx, int n) {
  int nproc = ctx->nproc - ctx->spares;
  ctx->spares = n > nproc ? n - nproc : 0;
  ctx->nproc = n;
  if (n < nproc) ctx->opt.nproc = n;
  if (n == 1) ctx->nodes = 0;
  cilk_team_destroy(&ctx->team);
  return cilk_team_make(&ctx->team, ctx->opt.sched, n, "Bad option argument for -sched", true);
}

int cilk_context_create(int *argc, char **argv, cilk_context **out) {
  const int error = errno;             /* a program's, which sees none of the runtime's own */
  cilk_options o;
  int status = cilk_options_parse(&o, argc, argv);
  if (status) return status;
  int recorded = o.replay_file ? cilk_record_workers(o.replay_file) : o.nproc;
  if (recorded > 0 && o.replay.on && recorded != o.nproc) {
    fprintf(stderr, "cannot replay %s: it has %d workers, --sched=turns has %d\n", o.replay_file, recorded, o.nproc);
    recorded = 0;
  }
  o.nproc = recorded;
  if (recorded <= 0) {
    fprintf(stderr, "Failed parsing command line\n");
    return 2;
  }
  if (strcmp(o.sched, "list") == 0) return cilk_team_list() ? 1 : 2;
  int spares = o.replay.on || o.force == CILK_FORCE_NEVER ? 0 : cilk_spares();
  int nproc = o.elastic ? o.elastic : o.nproc;   /* o.nproc of them run at first */
  if (!o.elastic && nproc < cilk_workers_room && !o.replay.on && !o.record_file && !o.replay_file && !o.simulate)
    nproc = cilk_workers_room;
  nproc += cilk_more_workers;
  if (nproc + spares > CILK_MAX_PROC) spares = CILK_MAX_PROC - nproc;
  cilk_team team;
  if (!cilk_team_make(&team, o.sched, nproc + spares, "Bad option argument for -sched", true)) {
    fprintf(stderr, "Failed parsing command line\n");
    return 2;
  }
  void *p = NULL;
  if (CILK_FAILS(MALLOC) || posix_memalign(&p, 64, sizeof(cilk_context)) != 0) cilk_fatal("out of memory");
  cilk_context *ctx = memset(p, 0, sizeof(cilk_context));
  ctx->runtime = &cilk_this_runtime;
  ctx->opt = o;
  ctx->nproc = nproc + spares;
  ctx->spares = spares;
  ctx->lazy = cilk_hunger_init();
  ctx->policy = cilk_fault_policy(cilk_policy_choose(&o));
  ctx->team = team;
  ctx->processors = (uint32_t)cilk_limit_processors();
  if (o.processors) ctx->processors = o.processors;
  if (o.pin_mask && (uint32_t)__builtin_popcountll(o.pin_mask) < ctx->processors)
    ctx->processors = (uint32_t)__builtin_popcountll(o.pin_mask);
  ctx->nodes_pretended = o.nodes >= 0;
  ctx->nodes = ctx->nproc > 1 ? cilk_nodes(o.nodes) : 0;
  if (ctx->policy->together) ctx->policy->together->make(ctx);
  /* Options of the whole process: the context that is made last decides. */
  store_relaxed(&cilk_dump_core, o.dump_core);
  store_relaxed(&cilk_alloc_batch, o.alloc_batch);
  pthread_mutex_init(&ctx->call, NULL);
  pthread_mutex_init(&ctx->mutex, NULL);
  pthread_cond_init(&ctx->changed, NULL);
  cilk_heavy_fence_init();
  cilk_pool_limit();
  cilk_guard_init(cilk_report_here);
  cilk_fork_init();
  cilk_report_init();
  __atomic_fetch_add(&with_workers, 1, __ATOMIC_RELAXED);
  bool fewer = !o.nproc_chosen && !o.elastic && !o.record_file && !o.replay_file && !o.replay.on && !o.simulate &&
               !cilk_workers_room && !cilk_more_workers;
  for (int made; (made = cilk_workers_start(ctx, fewer)) < ctx->nproc;)
    if (!have_workers(ctx, made)) return 2;
  cilk_ticker_begin(ctx);
  cilk_context_enlist(ctx);
  cilk_trace_begin(ctx);
  *out = ctx;
  errno = error;
  return 0;
}

CILK_SHARED struct CilkContext *Cilk_init(int *argc, char **argv) {
  cilk_context *ctx = NULL;
  int none = 1;
  char *empty[] = {(char *)"cilk", NULL};
  if (cilk_context_create(argc ? argc : &none, argc ? argv : empty, &ctx) != 0) return NULL;
  if (cilk_travel_may(&ctx->opt)) return ctx;
  Cilk_terminate(ctx);
  return NULL;
}

/* No computation comes any more: reports, ends the workers. The context itself stays. */
void cilk_context_stop(cilk_context *ctx) {
  if (ctx->opt.stats && ctx->ever_ran) cilk_stats_report(ctx);        /* the workers' counters go with them */
  if (ctx->work_source && ctx->ever_ran) ctx->work_source->report(ctx);
  cilk_trace_end(ctx);
  if (ctx->ticker) cilk_ticker_end(ctx);
  cilk_workers_stop(ctx);
}

CILK_SHARED void Cilk_terminate(struct CilkContext *ctx) {
  if (!ctx) return;
  cilk_context_strike_off(ctx);           /* a fork from here on does not look at its workers any more */
  cilk_context_stop(ctx);
  bool last = __atomic_sub_fetch(&with_workers, 1, __ATOMIC_ACQ_REL) == 0;
  if (last && load_relaxed(&cilk_full_closures) != 0)   /* counted in the debug build */
    cilk_fatal("memory leak: %ld closures are left over", load_relaxed(&cilk_full_closures));
  cilk_guard_end();
  pthread_cond_destroy(&ctx->changed);
  pthread_mutex_destroy(&ctx->mutex);
  pthread_mutex_destroy(&ctx->call);
  cilk_team_destroy(&ctx->team);
  if (ctx->policy->together) ctx->policy->together->end(ctx);
  free(ctx);
}
