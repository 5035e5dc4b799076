/* policy.c - scheduling policies: what a worker does when it has nothing to run.
 *
 * The default is randomised work stealing: victims in random order, a short search, then sleep (sleep.c). The testing
 * policies (--force-steal, CILK_FORCE) drive a program through its slow clones: `always` treats every pop as stolen from, `random`
 * about every fourth; what is taken goes to the context's orphans, for this worker or any other. `never` lets worker 0 do all.
 * A policy is a table; a further one (round robin, gang, replay) is one more table here. */
#include "internal.h"

uint64_t cilk_random(cilk_worker *w)
{
  uint64_t r = w->ext->random;            /* xorshift64*; never 0 */
  r ^= r >> 12;
  r ^= r << 25;
  r ^= r >> 27;
  w->ext->random = r;
  return r * 0x2545F4914F6CDD1Dull;
}

/* One attempt at each other worker, from a random one on. Where there are several memory nodes, those of the own node come first; as every
 * round goes on to the others, work anywhere is found as soon as the own node has none. */
static cilk_closure *steal_round(cilk_worker *w)
{
  cilk_context *ctx = w->ext->ctx;
  int n = ctx->nproc;
  cilk_closure *c = cilk_orphan_take(w);
  if (c || n == 1)
    return c;
  int first = (int)((cilk_random(w) >> 32) * (uint64_t)n >> 32);
  uint32_t here = load_relaxed(&w->ext->node);
  for (int far = 0; far <= (ctx->nodes != 0); far++)
    for (int i = 0; i < n; i++) {
      int id = first + i < n ? first + i : first + i - n;
      uint64_t parked = load_relaxed(&ctx->parked[id / 64]) >> id % 64;
      if (parked & 1) {                   /* they have nothing; nor has the rest of the word, often */
        if (parked == UINT64_MAX >> id % 64 && id / 64 * 64 + 63 < n)
          i += 63 - id % 64;
        continue;
      }
      cilk_worker *victim = ctx->workers[id];
      if (victim == w || (ctx->nodes && (load_relaxed(&victim->ext->node) != here) != far))
        continue;
      if ((c = cilk_steal(w, victim)))
        return c;
    }
  return NULL;
}

/* When the thief may try again: now, or after a pause if what it stole the last times was not worth it (config.h). */
static uint64_t pause_after_small_pieces(cilk_worker_ext *x, uint64_t now)
{
  if (x->found_at && now - x->found_at < CILK_SMALL_NS) {
    if (x->small < CILK_SMALL_MOST)
      x->small++;
  } else
    x->small = 0;
  return x->small < CILK_SMALL_FEW ? now : now + (1000ull << x->small);
}

static cilk_closure *find_by_stealing(cilk_worker *w, const uint32_t *flag, uint32_t value)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  uint64_t began = cilk_now_ns(), period = 0;
  uint64_t from = pause_after_small_pieces(w->ext, began);
  store_relaxed(&w->ext->idle_since, began);
  if (ctx->nodes)
    cilk_node_update(w);
  uint64_t until = cilk_search_begin(w) ? began + CILK_IDLE_SPIN_NS : 0;   /* no processor is free: one look is enough */
  while (!cilk_reached(flag, value)) {
    if (from && cilk_now_ns() < from) {
      for (int i = 0; i < 20; i++)
        cilk_pause();
      if ((c = cilk_orphan_take(w)))
        break;
      continue;
    }
    from = 0;
    if (until) {
      if ((c = steal_round(w)))
        break;
      if (cilk_now_ns() >= until)
        until = 0;
      else if (ctx->opt.yield)
        sched_yield();
      else
        for (int i = 0; i < 20; i++)
          cilk_pause();
    }
    if (ctx->lazy)
      cilk_hunger_arm(w);
    if (until)
      continue;
    cilk_park(w, !w->ext->waiting);
    /* What was published until now, an answer to the arming among it, is seen here; what comes later wakes this worker. */
    if (cilk_reached(flag, value) || (c = steal_round(w))) {
      cilk_park_leave(w);
      break;
    }
    cilk_count(w, CILK_N_SLEEP);
    if (cilk_park_wait(w, cilk_watch(w, began, &period))) {
      period = 0;                         /* woken: something was published */
      until = cilk_now_ns() + CILK_IDLE_SPIN_NS / 2;
    }
  }
  cilk_search_end(w, c != NULL);
  w->ext->found_at = c ? cilk_now_ns() : 0;
  uint64_t idle_ns = cilk_now_ns() - load_relaxed(&w->ext->idle_since);
  store_relaxed(&w->ext->idle_ns, load_relaxed(&w->ext->idle_ns) + idle_ns);
  store_relaxed(&w->ext->idle_since, 0u);
  if (c) {
    cilk_count(w, CILK_N_FOUND);
    cilk_stats_searched(w, idle_ns);
    cilk_hunger_resume(w, idle_ns);
  }
  return c;
}

/* Worker 0 does everything. The others wait for the end. */
static cilk_closure *find_never(cilk_worker *w, const uint32_t *flag, uint32_t value)
{
  cilk_closure *c = NULL;
  cilk_search_begin(w);
  while (!cilk_reached(flag, value) && !(c = w->id == 0 ? cilk_orphan_take(w) : NULL)) {
    cilk_park(w, false);
    if (cilk_reached(flag, value))
      cilk_park_leave(w);
    else
      cilk_park_wait(w, w->id == 0 ? CILK_SLEEP_MAX_NS : 0);
  }
  cilk_search_end(w, false);
  return c;
}

static bool force_always(cilk_worker *w)
{
  (void)w;
  return true;
}

static bool force_random(cilk_worker *w) { return cilk_random(w) >> 62 == 0; }

static const cilk_policy policies[] = {
  [CILK_FORCE_OFF] = { "random", find_by_stealing, NULL },
  [CILK_FORCE_NEVER] = { "never", find_never, NULL },
  [CILK_FORCE_ALWAYS] = { "always", find_by_stealing, force_always },
  [CILK_FORCE_RANDOM] = { "sometimes", find_by_stealing, force_random },
};

const cilk_policy *cilk_policy_choose(const cilk_options *o) { return &policies[o->force]; }
