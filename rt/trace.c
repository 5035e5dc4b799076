/* trace.c - rings of events and the thread that writes them out (trace.h). */
#include "trace.h"
#include "events.h"
#include "policy.h"

#ifdef CILK_TRACE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct cilk_trace {
  uint64_t put __attribute__((aligned(64)));   /* by the worker; release: the record is there */
  uint64_t lost;                          /* by the worker; relaxed */
  uint64_t got __attribute__((aligned(64)));   /* by the writer; release: the place is free */
  struct record {
    uint64_t ns;
    const void *object, *other;
    uint64_t kind;
  } ring[CILK_TRACE_RING];
};

static const char *const names[CILK_EVENTS] = {
#define CILK_EVENT_KIND(id, name, object, other) [CILK_EV_##id] = name,
#include "events.def"
#undef CILK_EVENT_KIND
};

void cilk_event(cilk_worker *w, enum cilk_event kind, const void *object, const void *other)
{
  struct cilk_trace *t = w->ext ? w->ext->trace : NULL;
  if (!t)
    return;
  uint64_t n = load_relaxed(&t->put);
  if (n - load_acquire(&t->got) == CILK_TRACE_RING) {   /* pairs with the writer's release */
    store_relaxed(&t->lost, load_relaxed(&t->lost) + 1);
    return;
  }
  t->ring[n % CILK_TRACE_RING] = (struct record){ cilk_now_ns(), object, other, kind };
  store_release(&t->put, n + 1);          /* pairs with the writer's acquire */
}

void cilk_rt_trace_spawn(cilk_closure *c) { CILK_EVENT(SPAWN, cilk_me(), c, NULL); }

void cilk_trace_worker(cilk_worker_ext *x)
{
  void *p = NULL;
  if (!getenv("CILK_TRACE"))
    return;
  if (posix_memalign(&p, 64, sizeof(struct cilk_trace)) != 0)
    cilk_fatal("out of memory");
  x->trace = p;
  x->trace->put = x->trace->got = x->trace->lost = 0;
}

void cilk_trace_free(cilk_worker_ext *x)
{
  free(x->trace);
  x->trace = NULL;
}

/* ---- the writer: one at a time, for the context that came first ---- */

static FILE *out;
static pthread_t thread;
static cilk_context *traced;
static uint32_t over;                     /* atomic */

static void empty(cilk_context *ctx)
{
  for (int i = 0; i < ctx->nproc; i++) {
    struct cilk_trace *t = ctx->extensions[i]->trace;
    if (!t)
      continue;
    uint64_t n = t->got, last = load_acquire(&t->put);
    for (; n != last; n++) {
      struct record r = t->ring[n % CILK_TRACE_RING];
      fprintf(out, "%" PRIu64 " %d %s %p %p\n", r.ns, i, names[r.kind], r.object, r.other);
    }
    store_release(&t->got, n);
  }
}

static void *writer(void *ctx)
{
  struct timespec pause = { 0, CILK_TRACE_PAUSE_NS };
  for (bool last = false; !last;) {
    last = load_acquire(&over);           /* pairs with cilk_trace_end: what came before it is written in this round */
    empty(ctx);
    if (!last)
      nanosleep(&pause, NULL);
  }
  return NULL;
}

void cilk_trace_begin(cilk_context *ctx)
{
  const char *name = getenv("CILK_TRACE");
  if (!name || traced)
    return;
  if (!(out = fopen(name, "we")))
    cilk_fatal("CILK_TRACE: %s cannot be written", name);
  traced = ctx;
  store_relaxed(&over, 0u);
  if (pthread_create(&thread, NULL, writer, ctx) != 0)
    cilk_fatal("CILK_TRACE: no thread to write it");
}

void cilk_trace_end(cilk_context *ctx)
{
  if (ctx != traced)
    return;
  store_release(&over, 1u);
  pthread_join(thread, NULL);
  uint64_t lost = 0;
  for (int i = 0; i < ctx->nproc; i++)
    lost += load_relaxed(&ctx->extensions[i]->trace->lost);
  if (lost)
    fprintf(out, "%" PRIu64 " events lost\n", lost);
  fclose(out);
  traced = NULL;
}
#else
typedef int cilk_no_trace;
#endif
