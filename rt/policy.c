/* policy.c - scheduling policies: what a worker does when it has nothing to run.
 *
 * The default is randomised work stealing: victims in random order, a short search, then sleeps that get longer. The testing
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
      cilk_worker *victim = ctx->workers[first + i < n ? first + i : first + i - n];
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
  uint64_t began = cilk_now_ns(), sleep_ns = CILK_SLEEP_MIN_NS;
  uint64_t from = pause_after_small_pieces(w->ext, began);
  store_relaxed(&w->ext->idle_since, began);
  if (ctx->nodes)
    cilk_node_update(w);
  __atomic_fetch_add(&ctx->idle, 1u, __ATOMIC_SEQ_CST);
  for (;;) {
    uint32_t word = load_seq_cst(&ctx->wake_word);
    if (cilk_reached(flag, value))
      break;
    if (from && cilk_now_ns() < from) {
      for (int i = 0; i < 20; i++)
        cilk_pause();
      if (!(c = cilk_orphan_take(w)))
        continue;
      break;
    }
    from = 0;
    if ((c = steal_round(w)))
      break;
    if (ctx->lazy)
      cilk_hunger_arm(w);
    uint64_t now = cilk_now_ns();
    if (now - began < CILK_IDLE_SPIN_NS) {
      if (ctx->opt.yield)
        sched_yield();
      else
        for (int i = 0; i < 20; i++)
          cilk_pause();
      continue;
    }
    if (ctx->lazy && (cilk_reached(flag, value) || (c = steal_round(w))))
      break;                              /* an answer that came between the search and the arming */
    cilk_count(w, CILK_N_SLEEP);
    cilk_sleep(ctx, word, sleep_ns);
    if (load_seq_cst(&ctx->wake_word) != word) {
      sleep_ns = CILK_SLEEP_MIN_NS;       /* woken: something was published */
      began = cilk_now_ns() - CILK_IDLE_SPIN_NS / 2;
    } else if (sleep_ns < CILK_SLEEP_MAX_NS)
      sleep_ns = sleep_ns * 2 < CILK_SLEEP_MAX_NS ? sleep_ns * 2 : CILK_SLEEP_MAX_NS;
  }
  __atomic_fetch_sub(&ctx->idle, 1u, __ATOMIC_SEQ_CST);
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
  cilk_context *ctx = w->ext->ctx;
  for (;;) {
    uint32_t word = load_seq_cst(&ctx->wake_word);
    cilk_closure *c = w->id == 0 ? cilk_orphan_take(w) : NULL;
    if (c || cilk_reached(flag, value))
      return c;
    cilk_sleep(ctx, word, CILK_SLEEP_MAX_NS);
  }
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
