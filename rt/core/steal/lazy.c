/* lazy.c - when lazy frames become closures: hungry thieves, the workers that answer, and how soon frames are exposed.
 *
 * A thief that found nothing raises the release flag of every other worker and notes the time. The victim answers at
 * its next test:
 *   - if its deque holds something, thieves can help themselves: the flag goes down, one that sleeps is woken;
 *   - if no thief is hungry any more, the flag goes down;
 *   - else the segment is released.
 * That alone starves thieves when the victim has just gone into a long child, because nothing is tested until it
 * returns. Each worker is therefore in one of two modes. In *coarse* mode its flag stays up and each test before a
 * spawn releases, even with a full deque. The frame goes on in its slow clone, which pushes, so that everything that a
 * long child would hide is on the deque, as under the eager strategy. A worker becomes coarse when a computation
 * starts, when it answers a thief later than CILK_LATE_NS, and at a new place of a slow clone: the spawns after a sync,
 * or where a thief goes on, need not be as those before. It becomes fine again when CILK_COARSE_TESTS tests came within
 * CILK_COARSE_NS. The ratio of the two bounds what coarse mode can cost: a release takes some 0.5 us, and goes on only
 * where tests are more than 50 us apart.
 *
 * Bound. In coarse mode nothing is hidden. A frame can be hidden only if it was entered in fine mode, that is, while
 * tests came every few microseconds. The first child that breaks this habit hides the frames below it until it
 * returns, once, because its answer is late and the worker is coarse from then on. A change from fine to coarse work
 * costs thieves one child's time where a fine frame meets it, or a slow clone at a place where the worker was within
 * the last CILK_COARSE_AGAIN_NS. A slow clone that comes to a new place costs them nothing.
 *
 * Indolent and sedative programs (TM-580) have the first half only: no worker becomes coarse. Where an indolent frame
 * is tested after a call, no release begins. */
#include "steal/lazy.h"
#include "base/module.h"
#include "data/context.h"
#include "data/closure.h"
#include "data/deque.h"
#include "data/root.h"
#include "observe/hook.h"
#include "steal/sleep.h"

/* The thief found nothing anywhere. */
void cilk_hunger_arm(cilk_worker *thief) {
  cilk_context *ctx = thief->ext->ctx;
  uint64_t now = 0;
  for (int i = 0; i < ctx->nproc; i++) {
    uint64_t parked = load_relaxed(&ctx->parked[i / 64]) >> i % 64;
    if (parked & 1) {
      if (parked == UINT64_MAX >> i % 64) i |= 63;
      continue;
    }
    cilk_worker *v = ctx->workers[i];
    if (v == thief || (load_relaxed(&v->release) & ~(uint32_t)CILK_FLAG_CALM) ||
        load_relaxed(&v->ext->stats.idle_since))
      continue;                           /* an idle one has nothing to release */
    if (!now) now = cilk_now_ns();
    store_relaxed(&v->ext->hungry_since, now);   /* a measurement only: may be off when two thieves race */
    cilk_flag_raise(v);                   /* read by the victim's next test; nothing is passed along */
  }
}

/* The same in all contexts. Relaxed: several threads may store it, each before a context of its own begins. */
static enum cilk_spawning spawning = CILK_SPAWNING_LAZY;

bool cilk_hunger_init(void) {
  store_relaxed(&spawning, cilk_spawning());
  return load_relaxed(&spawning) != CILK_SPAWNING_EAGER;
}

static void become_coarse(cilk_worker *w, uint64_t now) {
  cilk_worker_ext *x = w->ext;
  if (load_relaxed(&spawning) > CILK_SPAWNING_LAZY) return;
  if (!x->coarse.level) CILK_HOOK(coarse, w);
  x->coarse.level = 1;
  x->coarse.tests = 0;
  x->coarse.since = now;
}

static bool adapts(cilk_worker *w) {
  return w->ext->ctx->lazy && w->nproc > 1 && w->ext->ctx->opt.force != CILK_FORCE_NEVER;
}

/* The worker enters a computation: thieves count as hungry, and nothing is known about its spawns. */
void cilk_hunger_start(cilk_worker *w, uint64_t now) {
  if (adapts(w)) {
    become_coarse(w, now);
    store_relaxed(&w->ext->hungry_since, 0u);
    cilk_flag_raise(w);
  }
}

/* When each worker last became coarse at a place. The clock is read a few times in CILK_COARSE_AGAIN_NS: `left` passes
 * go by before. Relaxed: where two places meet in a row, each counts as new. */
enum { PLACES = 1024, PASSES = 1024 };
static struct place {
  uint64_t key, coarse, read;
  uint32_t passes, left;
} places[PLACES];

void cilk_hunger_place(cilk_worker *w, const cilk_closure *c) {
  if (!adapts(w) || w->ext->coarse.level || load_relaxed(&spawning) != CILK_SPAWNING_LAZY || cilk_ordered(w) ||
      w->ext->ctx->turns)                 /* their schedules do not depend on addresses */
    return;
  uint64_t key =
      ((uint64_t)(uintptr_t)c->sig << 16 ^ (uint64_t)c->entry << 12 ^ (uint64_t)w->id) * UINT64_C(0x9E3779B97F4A7C15);
  struct place *p = &places[key >> 54];
  uint32_t left = load_relaxed(&p->left), passes = load_relaxed(&p->passes);
  bool known = load_relaxed(&p->key) == key;
  if (known && left) {
    store_relaxed(&p->left, left - 1);
    return;
  }
  uint64_t now = cilk_now_ns(), each = (now - load_relaxed(&p->read)) / (passes + 1u) + 1;
  known = known && now - load_relaxed(&p->coarse) < CILK_COARSE_AGAIN_NS;
  passes = known ? (uint32_t)(CILK_COARSE_AGAIN_NS / 8 / each) : 0;
  passes = passes > PASSES ? PASSES : passes;
  store_relaxed(&p->read, now);
  store_relaxed(&p->passes, passes);
  store_relaxed(&p->left, passes);
  if (known) return;
  store_relaxed(&p->key, key);
  store_relaxed(&p->coarse, now);
  become_coarse(w, now);
  cilk_flag_raise(w);
}

/* The worker found work after so many ns: its mode is what it was, the idle time does not count, nor what thieves asked
 * in that time. */
void cilk_hunger_resume(cilk_worker *w, uint64_t idle_ns) {
  if (adapts(w)) {
    store_relaxed(&w->ext->hungry_since, 0u);
    if (w->ext->coarse.level) {
      w->ext->coarse.since += idle_ns;
      cilk_flag_raise(w);
    }
  }
}

/* Victim, at a test that saw the flag (which is down again): release? */
bool cilk_hunger_answer(cilk_worker *w, int point) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  if (w->nproc == 1) return false;
  uint64_t since = load_relaxed(&x->hungry_since), now = cilk_now_ns();
  if (since) {
    store_relaxed(&x->hungry_since, 0u);
    if (now - since > CILK_LATE_NS && now > since) become_coarse(w, now);
  }
  if (x->coarse.level) {
    if (++x->coarse.tests >= CILK_COARSE_TESTS) {
      if (now - x->coarse.since < CILK_COARSE_NS) x->coarse.level = 0;
      x->coarse.since = now;
      x->coarse.tests = 0;
    }
  }
  if (x->coarse.level) {
    cilk_flag_raise(w);
    if (point == CILK_AT_SPAWN) return true;
  }
  if (load_relaxed(&x->head) < load_relaxed(&w->tail)) {
    cilk_link *l = load_acquire(&x->seg->link); /* a thief may be replacing it by one of the same computation */
    cilk_waiting waiting;
    cilk_waiting_for(&waiting, ctx, l ? l->root : NULL);
    cilk_announce(ctx, &waiting);
    CILK_HOOK(release_spared, w);
    return false;
  }
  if (load_relaxed(&spawning) == CILK_SPAWNING_INDOLENT && point != CILK_AT_SPAWN) {
    cilk_flag_raise(w); /* for the next spawn */
    return false;
  }
  return cilk_idle(ctx) != 0;
}
