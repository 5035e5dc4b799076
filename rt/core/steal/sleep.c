/* sleep.c - idle workers: how they go to sleep, and how they are woken.
 *
 * Each worker sleeps on a futex word of its own (`park`). `parked` has a bit for each worker that any thread may
 * wake to look for work. The *census*, one word, counts the workers that run something (busy) and those that look
 * for work awake (searching). A publisher of work wakes one worker, and only if none is searching and a processor is
 * free; a searcher that finds something and was the last one wakes the next. Work thus spreads like a chain, and a
 * publication costs at most one wake-up, however many workers sleep.
 *
 * No sleeper is lost. A worker that goes to sleep sets its word and its bit, changes the census, then looks once
 * more. A publisher makes its work visible, changes the census (by nothing), then looks at the bits. Since all
 * changes of one word have one order, the publisher sees the bit if the worker's change comes first, and otherwise
 * the worker sees the work. A searcher on which a publisher relied changes the census in the same way before it
 * sleeps.
 *
 * Eager pushes are silent, and with all processors busy publications wake no worker. For these cases one sleeping
 * worker is the *watcher*, which alone wakes up by itself now and then, and wakes a successor when it finds
 * something. While processors are free its period is short. When they are all busy (there are more workers than
 * processors) it is long, because more workers would only take turns; but a program whose workers wait for something
 * outside, or for each other, gets all of them in time. */
#define _GNU_SOURCE
#include "steal/sleep.h"
#include "observe/hook.h"
#include "base/fault.h"
#include "data/policy.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AWAKE = 0, PARKED = 1, RECRUITED = 2 };        /* ext->park */

#define BUSY 1u /* ctx->census: busy in the lower half, searching in the upper */
#define SEARCHING (1u << 16)
static uint32_t busy(uint32_t census) { return census & 0xFFFFu; }
static uint32_t searching(uint32_t census) { return census >> 16; }
static bool enough(uint32_t census) { return searching(census) > busy(census) / CILK_BUSY_TO_SEARCHER; }
static bool room(const cilk_context *ctx, uint32_t census) {
  return busy(census) + searching(census) < ctx->processors;
}

/* ctx->watcher: id + 1, and whether its period is long; 0: none */
#define SLOW (1u << 31)

/* Looks for a short while: calls from C that come one after the other, or end soon, need no system call on either
 * side. */
bool cilk_spin(bool (*until)(const void *), const void *what) {
  uint64_t began = 0, now = 0; /* the clock is not read before the first looks are over */
  do {
    for (int i = 0; i < CILK_CALL_LOOKS; i++) {
      if (until(what)) return true;
      cilk_pause();
    }
    sched_yield(); /* a busy machine has better things to do */
    now = cilk_now_ns();
    began = began ? began : now;
  } while (now - began < CILK_CALL_SPIN_NS);
  return false;
}

/* ---- waking ---- */

/* Wakes this worker if it is parked with that word; the word says why. seq_cst: what the caller stored before is
 * seen by the worker's last look, or the worker's word is seen here. */
static bool hand_over(cilk_worker *w, uint32_t why) {
  uint32_t *word = &w->ext->park, parked = PARKED;
  if (!__atomic_compare_exchange_n(word, &parked, why, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return false;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return true;
}

void cilk_unpark(cilk_worker *w) { hand_over(w, AWAKE); }

static bool any_parked(cilk_context *ctx) {
  for (int k = 0; k * 64 < ctx->nproc; k++)
    if (load_acquire(&ctx->parked[k])) return true;
  return false;
}

/* Wakes one parked worker to search; it is in the census already. Always the first ones, whose caches are warm; the
 * watcher only if there is no other. */
static bool recruit(cilk_context *ctx) {
  uint32_t watcher = load_relaxed(&ctx->watcher) & ~SLOW; /* a hint: a leaving watcher looks after a successor */
  for (int last = 0; last < 2; last++)
    for (int k = 0; k * 64 < ctx->nproc; k++)
      for (uint64_t bits = load_acquire(&ctx->parked[k]); bits; bits &= bits - 1) {
        int id = k * 64 + __builtin_ctzll(bits);
        uint64_t bit = bits & -bits;
        if (!last && (uint32_t)id + 1 == watcher) continue;
        /* The bit says where to look, the word decides: a worker may wake up by itself at this moment, and park
         * again. */
        if ((__atomic_fetch_and(&ctx->parked[k], ~bit, __ATOMIC_ACQ_REL) & bit) &&
            hand_over(ctx->workers[id], RECRUITED))
          return true;
      }
  return false;
}

/* Wakes one worker if none searches (of very many, too few), and a processor is free or `crowd` says that this does
 * not matter. */
static void recruit_one(cilk_context *ctx, uint32_t census, bool crowd) {
  while (!enough(census) && (crowd || busy(census) < ctx->processors) && any_parked(ctx)) {
    if (!__atomic_compare_exchange_n(&ctx->census, &census, census + SEARCHING, false, __ATOMIC_SEQ_CST,
            __ATOMIC_SEQ_CST))
      continue;
    if (recruit(ctx)) return;
    /* Others relied on the one counted here, and a worker may have parked since: look again, after this change of the
     * census. */
    census = __atomic_sub_fetch(&ctx->census, SEARCHING, __ATOMIC_SEQ_CST);
  }
}

/* A worker that waits for a nested root looks for nothing else, and has no bit. If there are too many, n is negative:
 * any worker may be one of them. */
void cilk_waiting_for(cilk_waiting *list, cilk_context *ctx, const cilk_root_run *run) {
  list->n = 0;
  for (; run && ctx->nproc > 1; run = run->outer)
    if (run->nested) {
      if (list->n == CILK_WAITING_NAMES) {
        list->n = -1;
        return;
      }
      /* of a group, another one may wait by now: it looks by itself in time */
      list->workers[list->n++] = load_relaxed(&run->link.worker);
    }
}

/* Work has become visible. */
void cilk_announce(cilk_context *ctx, const cilk_waiting *waiting) {
  if (ctx->nproc == 1) return;
  /* after the publication; pairs with the one in cilk_park */
  uint32_t census = __atomic_fetch_add(&ctx->census, 0u, __ATOMIC_SEQ_CST);
  for (int i = 0; i < waiting->n; i++) cilk_unpark(waiting->workers[i]);
  for (int i = 0; i < ctx->nproc && waiting->n < 0; i++) cilk_unpark(ctx->workers[i]);
  if (load_seq_cst(&ctx->open)) /* pairs with cilk_open: a worker that it wakes sees the work */
    recruit_one(ctx, census, false);
}

/* The computation takes longer than a moment: thieves may come, and there must be a watcher. */
void cilk_open(cilk_context *ctx) {
  cilk_unpark(ctx->workers[0]);
  if (ctx->nproc == 1) return;
  store_seq_cst(&ctx->open, 1u);
  uint32_t watcher = load_seq_cst(&ctx->watcher) & ~SLOW;
  /* of an earlier computation, asleep; or awake, and about to see that a new one began */
  if (watcher) cilk_unpark(ctx->workers[watcher - 1]);
  else recruit_one(ctx, __atomic_fetch_add(&ctx->census, 0u, __ATOMIC_SEQ_CST), true);
}

void cilk_open_to_all(cilk_context *ctx) {
  for (int i = 0; i < ctx->nproc; i++) cilk_unpark(ctx->workers[i]);
}

/* The watcher sees by itself that the computation is over. Woken now, it may still be awake when the next one begins,
 * and come to it unasked. */
void cilk_dismiss(cilk_context *ctx) {
  uint32_t watcher = load_seq_cst(&ctx->watcher) & ~SLOW;
  if (watcher) cilk_unpark(ctx->workers[watcher - 1]);
}

/* ---- the census ---- */

/* A worker that begins to run something, or tries a seat, has counted itself before it looks here. */
static void stand_still(cilk_context *ctx) {
  /* pairs with cilk_freeze, which looks at the census and at `seating` after its store, and with cilk_thaw */
  while (load_seq_cst(&ctx->frozen)) cilk_pause();
}

/* An idle worker. True: no worker runs anything, and none begins to before cilk_thaw. */
bool cilk_freeze(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  uint32_t no = 0;
  if (w->nproc == 1) return true;
  if (!__atomic_compare_exchange_n(&ctx->frozen, &no, 1u, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return false;
  /* they have changed the census after all that they did */
  if (busy(load_seq_cst(&ctx->census)) == 0 && load_seq_cst(&ctx->blocked) == 0 && load_seq_cst(&ctx->seating) == 0)
    return true;
  cilk_thaw(w);
  return false;
}

void cilk_thaw(cilk_worker *w) { store_seq_cst(&w->ext->ctx->frozen, 0u); }

/* The worker runs something from here on, or does not any more. */
void cilk_work_begin(cilk_worker *w) {
  if (w->nproc == 1) return;
  __atomic_fetch_add(&w->ext->ctx->census, BUSY, __ATOMIC_SEQ_CST);
  stand_still(w->ext->ctx);
}

void cilk_work_end(cilk_worker *w) {
  if (w->nproc > 1) __atomic_fetch_sub(&w->ext->ctx->census, BUSY, __ATOMIC_SEQ_CST);
}

/* A worker that searches tries a seat: what it waits for changes, and a worker that looks for circles reads
 * that. It is not counted as busy, since publishers would rely on it then: it may be at its last look. */
void cilk_seating_begin(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  __atomic_fetch_add(&ctx->seating, 1u, __ATOMIC_SEQ_CST); /* pairs with cilk_freeze, as the census does */
  stand_still(ctx);
}

void cilk_seating_end(cilk_worker *w) { __atomic_fetch_sub(&w->ext->ctx->seating, 1u, __ATOMIC_SEQ_CST); }

/* What relied on this worker relies on another one now. If there is no watcher one must come, even if all processors
 * are busy: after this change of the census either a parked worker's bit is seen here, or it sees no
 * watcher, and becomes it. */
static void pass_on(cilk_context *ctx, uint32_t census) {
  if (load_seq_cst(&ctx->open)) recruit_one(ctx, census, load_seq_cst(&ctx->watcher) == 0);
}

/* It runs nothing any more and will not search, because it rests or waits for the system. What relied on it, since it
 * would look for work when it is done, or because it watched, relies on another one, as in cilk_search_end. */
void cilk_withdraw(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  if (w->nproc == 1) return;
  /* pairs with cilk_announce's and cilk_park's */
  pass_on(ctx, __atomic_sub_fetch(&ctx->census, BUSY, __ATOMIC_SEQ_CST));
}

unsigned cilk_searching(cilk_context *ctx) { return searching(load_relaxed(&ctx->census)); }

/* How many workers could take something. Until the thieves are called, none. */
unsigned cilk_idle(cilk_context *ctx) {
  return load_relaxed(&ctx->open) ? (unsigned)ctx->nproc - busy(load_relaxed(&ctx->census)) : 0;
}

/* It has nothing to run any more. True: there is a processor for it, so it may search awake. A worker that waits for a
 * nested root is not counted, since it will not take just any work. */
bool cilk_search_begin(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  if (w->nproc == 1) return true;
  x->search.waits = x->wait.root;
  const uint32_t self = x->search.counted || x->search.waits ? 0 : SEARCHING;
  bool may = true;
  /* there is room for everybody: a loop would go round many times where many come at once */
  if ((uint32_t)w->nproc <= ctx->processors) __atomic_fetch_add(&ctx->census, self - BUSY, __ATOMIC_SEQ_CST);
  else {
    uint32_t census = load_relaxed(&ctx->census);
    do may = x->search.counted || room(ctx, census - BUSY);
    while (!__atomic_compare_exchange_n(&ctx->census, &census, census - BUSY + (may ? self : 0), false,
        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  }
  x->search.counted |= may && !x->search.waits;
  return may;
}

/* It has found something, or is done. It may have sat down in an engine: it waits for that root from then on. What it
 * was when it began to search counts. */
void cilk_search_end(cilk_worker *w, bool found) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  if (w->nproc == 1) return;
  uint32_t watcher = load_relaxed(&ctx->watcher); /* where it is this worker, others change it only if it is SLOW */
  bool watched = (watcher & ~SLOW) == (uint32_t)w->id + 1;
  if (watched) __atomic_compare_exchange_n(&ctx->watcher, &watcher, 0u, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  uint32_t census = __atomic_add_fetch(&ctx->census, BUSY - (x->search.counted ? SEARCHING : 0u), __ATOMIC_SEQ_CST);
  stand_still(ctx);
  /* The next computation may have begun. Its cilk_open woke no worker if this worker watched then, or was counted.
   * Other workers come to that computation, and search there: worker 0 runs it. `begun` is stored before cilk_open
   * reads the watcher and the census. So cilk_open misses this worker there, or this worker sees `begun`. It does not
   * matter that cilk_park has taken the count back by now: cilk_open may have come before that. */
  bool leaves = (watched || w->id == 0) && load_seq_cst(&ctx->begun) != load_seq_cst(&ctx->ended);
  /* Nothing relies on a worker that waits for a nested root, unless it was recruited late (cilk_park). */
  bool chain = x->search.waits ? x->search.counted : found || leaves;
  x->search.counted = false;
  if (chain) pass_on(ctx, census);
}

void cilk_search_decline(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  if (!x->search.counted) return;
  x->search.counted = false;
  /* pairs with cilk_announce's and cilk_park's */
  pass_on(x->ctx, __atomic_sub_fetch(&x->ctx->census, SEARCHING, __ATOMIC_SEQ_CST));
}

/* ---- sleeping ---- */

/* From here on others can wake the worker; any publisher of work, if it is listed. The caller looks at everything that
 * it could be woken for once more, then calls cilk_park_wait or cilk_park_leave. */
void cilk_park(cilk_worker *w, bool listed) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  store_seq_cst(&x->park, (uint32_t)PARKED);
  if (listed) __atomic_fetch_or(&ctx->parked[w->id / 64], (uint64_t)1 << w->id % 64, __ATOMIC_SEQ_CST);
  uint32_t census = __atomic_sub_fetch(&ctx->census, x->search.counted ? SEARCHING : 0u, __ATOMIC_SEQ_CST);
  /* recruited late, when it had found something by itself: what it was woken for is for others */
  if (x->search.counted && !listed) recruit_one(ctx, census, false);
  x->search.counted = false;
}

/* True if another thread woke it. */
bool cilk_park_leave(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  uint64_t *word = &x->ctx->parked[w->id / 64], bit = (uint64_t)1 << w->id % 64;
  if (load_relaxed(word) & bit) __atomic_fetch_and(word, ~bit, __ATOMIC_ACQ_REL);
  uint32_t why = __atomic_exchange_n(&x->park, (uint32_t)AWAKE, __ATOMIC_SEQ_CST);
  if (why == RECRUITED) {
    x->search.counted = true;
    CILK_HOOK(recruited, w);
  }
  return why != PARKED;
}

/* Sleeps until another thread wakes it, or for ns (0: no limit). */
bool cilk_park_wait(cilk_worker *w, uint64_t ns) {
  cilk_worker_ext *x = w->ext;
  struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  CILK_HOOK(sleep, w);
  do
    if (!CILK_FAILS(FUTEX)) syscall(SYS_futex, &x->park, FUTEX_WAIT_PRIVATE, PARKED, ns ? &t : NULL, NULL, 0);
  while (!ns && load_seq_cst(&x->park) == PARKED);
  bool woken = cilk_park_leave(w);
  CILK_HOOK(wake, w, woken);
  return woken;
}

/* Parked: how long may it sleep before it looks by itself? `since` is when it ran out of work, *period what it slept
 * last. 0: no limit. */
uint64_t cilk_watch(cilk_worker *w, uint64_t since, uint64_t *period) {
  cilk_context *ctx = w->ext->ctx;
  bool crowd = busy(load_relaxed(&ctx->census)) >= ctx->processors;
  /* Doubles; later on a hundredth of the time that there was nothing, so that much at most can be lost when there is
   * something. */
  uint64_t now = cilk_now_ns(), ns = *period * 2;
  if (ns > CILK_SLEEP_MAX_NS)
    ns = (now - since) / CILK_SLEEP_PART < CILK_SLEEP_MAX_NS ? CILK_SLEEP_MAX_NS : (now - since) / CILK_SLEEP_PART;
  if (ns < CILK_SLEEP_MIN_NS) ns = CILK_SLEEP_MIN_NS;
  if (ns > CILK_SLEEP_IDLE_NS) ns = CILK_SLEEP_IDLE_NS;
  if (crowd) ns = CILK_SLEEP_LONG_NS;
  *period = crowd ? 0 : ns;
  /* it looks for parts of a nested root, or for a seat from which it comes to what is due here: a watcher passes these
   * by */
  if (w->ext->wait.root || load_relaxed(&w->ext->nest.due)) return ns;
  uint32_t me = (uint32_t)w->id + 1, slow = ns > CILK_SLEEP_MAX_NS ? SLOW : 0, is = load_seq_cst(&ctx->watcher);
  while (is == 0 || (is & ~SLOW) == me || ((is & SLOW) && !slow)) /* the slow one's next sleep is without a limit */
    if (__atomic_compare_exchange_n(&ctx->watcher, &is, me | slow, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return ns;
  return 0;
}
