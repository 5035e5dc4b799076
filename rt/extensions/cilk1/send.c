/* send.c - spawn, send_argument, and the messages between workers.
 *
 * An argument for a waiting closure of this worker: store, count. For a shared one: store, count atomically; the sender
 * that brings the counter to 0 posts the closure: to its own pool (the paper's choice, section 3: needed for the
 * bounds), or the owner's by --post=owner. For any other: a message to the owner. */
#include "record.h"
#include "simulate.h"
#include "stamps.h"

#include "data/policy.h"
#include "steal/sleep.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is wrong with a continuation; the debug build ---- */

#ifdef CILK_DEBUG
/* The closure of each serial. Old ones are forgotten. */
enum { REMEMBERED = 1 << 20 };
static struct {
  uint32_t serial;
  const cilk1_thread *thread;
} made[REMEMBERED];
static uint32_t last_serial;

static void remember(cilk1_closure *c) {
  do c->serial = __atomic_add_fetch(&last_serial, 1u, __ATOMIC_RELAXED);
  while (!c->serial);
  __atomic_store_n(&made[c->serial % REMEMBERED].thread, c->thread, __ATOMIC_RELAXED);
  __atomic_store_n(&made[c->serial % REMEMBERED].serial, c->serial, __ATOMIC_RELAXED);
}

static const cilk1_slot *slot_at(const cilk1_thread *t, uint32_t offset) {
  for (uint32_t i = 0; t && i < t->nslots; i++)
    if (t->slots[i].offset == offset && !(t->slots[i].flags & CILK1_SLOT_PART)) return &t->slots[i];
  return NULL;
}

void cilk1_send_dead(cilk_cont k) {
  uint32_t at = k.serial % REMEMBERED;
  const cilk1_thread *t = load_relaxed(&made[at].serial) == k.serial ? load_relaxed(&made[at].thread) : NULL;
  const cilk1_slot *s = slot_at(t, k.slot);
  if (t && !t->line)
    cilk_fatal("send_argument through a dead continuation: %s of this computation already has its result", t->name);
  if (s)
    cilk_fatal(
        "send_argument through a dead continuation: argument %u (%s) of a call of %s (%s:%u), which already has all its arguments",
        s->index + 1, s->name, t->name, t->file, t->line);
  cilk_fatal("send_argument through a dead continuation: slot %u of %s, which already has all its arguments", k.slot,
      t ? t->name : "a call that is long over");
}

/* Which arguments are missing: a bit for each, in memory that `when` refers to until the closure is given back. NULL:
 * written by hand, or `when` is a simulator's. */
static uint32_t *missing_of(const cilk1_closure *c) {
  return cilk_me()->ext->ctx->opt.simulate ? NULL : (uint32_t *)(uintptr_t)c->when;
}

static void check(cilk_cont k, size_t size) {
  cilk1_closure *c = k.closure;
  if (!k.serial || load_relaxed(&c->serial) != k.serial || load_relaxed(&c->join) == 0) cilk1_send_dead(k);
  const cilk1_slot *s = slot_at(c->thread, k.slot);
  if (s && s->size < size)                /* less may be an element of an array */
    cilk_fatal("send_argument of %zu bytes to argument %u (%s) of %s, which has %u", size, s->index + 1, s->name,
        c->thread->name, s->size);
  uint32_t *holes = missing_of(c), bit = s ? 1u << s->index % 32 : 0;
  if (s && holes && !(__atomic_fetch_and(&holes[s->index / 32], ~bit, __ATOMIC_RELAXED) & bit))
    cilk_fatal(
        "send_argument to argument %u (%s) of a call of %s (%s:%u), which was sent before: a continuation takes one value",
        s->index + 1, s->name, c->thread->name, c->thread->file, c->thread->line);
}

uint32_t cilk1_hole(cilk1_closure *c, uint32_t slot) {
  const cilk1_slot *s = slot_at(c->thread, slot);
  if (!c->when && !cilk_me()->ext->ctx->opt.simulate &&
      !(c->when = (uintptr_t)calloc(c->thread->nslots / 32 + 1, sizeof(uint32_t))))
    cilk_fatal("out of memory");
  uint32_t *holes = missing_of(c);
  if (s && holes) holes[s->index / 32] |= 1u << s->index % 32;
  return c->serial;
}

bool cilk1_missing(const cilk1_closure *c, const cilk1_slot *s) {
  const uint32_t *holes = missing_of(c);
  return holes && (load_relaxed(&holes[s->index / 32]) >> s->index % 32 & 1);
}
#else
/* The closure may have become another one's since. */
void cilk1_send_dead(cilk_cont k) {
  const cilk1_thread *t = k.closure->pool ? k.closure->thread : NULL;
  if (t && !t->line)
    cilk_fatal("send_argument through a dead continuation: %s of this computation already has its result", t->name);
  uint32_t left = load_relaxed(&k.closure->join);
  if (t && left && left + k.slot)
    cilk_fatal(
        "send_argument to a call of %s (%s:%u) in which an argument was sent before: a continuation takes one value (-cilk-debug says which)",
        t->name, t->file, t->line);
  if (t)
    cilk_fatal(
        "send_argument through a dead continuation: the call of %s (%s:%u) to which it refers already has all its arguments (-cilk-debug says more)",
        t->name, t->file, t->line);
  cilk_fatal(
      "send_argument through a dead continuation: the call to which it refers began long ago (-cilk-debug says more)");
}

uint32_t cilk1_hole(cilk1_closure *c, uint32_t slot) {
  (void)slot;
  return c->serial;
}

static inline void remember(cilk1_closure *c) { (void)c; }
static inline void check(cilk_cont k, size_t size) {
  (void)k;
  (void)size;
}
#endif

/* ---- closures ---- */

cilk_worker *cilk1_worker(void) { return cilk_me(); }

static cilk1_closure *made_by(cilk_worker *w, cilk1_closure *c) {
  remember(c);
  if (cilk1_watched) c->sender = cilk1_watched->made(cilk1_home_of(w->pool), c);
  return c;
}

cilk1_closure *cilk1_spawn(cilk_worker *w, const cilk1_thread *t, uint32_t missing) {
  cilk1_closure *c = cilk1_make(w, t, missing, w->pool->level + 1);
  return made_by(w, c);
}

cilk1_closure *cilk1_spawn_next(cilk_worker *w, const cilk1_thread *t, uint32_t missing) {
  cilk1_closure *c = cilk1_make(w, t, missing, w->pool->level);
  return made_by(w, c);
}

cilk1_closure *cilk1_spawn_at(cilk_worker *w, const cilk1_thread *t, uint32_t missing, uint32_t level) {
  cilk1_closure *c = cilk1_make(w, t, missing, level);
  return made_by(w, c);
}

cilk1_closure *cilk1_first(cilk_worker *w, const cilk1_thread *t) {
  cilk1_closure *c = cilk1_make(w, t, 0, 0);
  return made_by(w, c);
}

void cilk1_ready(cilk_worker *w, cilk1_closure *c) { cilk1_ready_fast(w, c); }

/* cilk1_ready, where another worker wants attention, or everything is measured. */
void cilk1_ready_slow(cilk_worker *w, cilk1_closure *c) {
  cilk1_home *h = cilk1_home_of(w->pool);
  cilk1_stamp(c, cilk1_pause(h));
  cilk1_level_room(&h->pool, c->level + 1);
  cilk1_post(&h->pool, c);
  if (h->run->simulation) cilk1_simulated_post(h, c);
  cilk1_answer(h, true);
  cilk1_resume(h);
}

/* As cilk1_post, at the other end. */
static void post_below(cilk1_pool *p, cilk1_closure *c) {
  cilk1_level *at = &p->levels[c->level];
  cilk1_closure *tail = at->head ? at->tail : NULL;
  if (!tail) {
    cilk1_post(p, c);
    return;
  }
  c->next = NULL;
  c->prev = tail;
  tail->next = c;
  at->tail = c;
}

void cilk1_ready_below(cilk_worker *w, cilk1_closure *c) {
  cilk1_home *h = cilk1_home_of(w->pool);
  cilk1_stamp(c, cilk1_pause(h));
  cilk1_level_room(&h->pool, c->level + 1);
  post_below(&h->pool, c);
  if (h->run->simulation) cilk1_simulated_post(h, c);
  if (load_relaxed(&h->pool.attention) == CILK1_WANTED) cilk1_answer(h, true);
  cilk1_resume(h);
}

void cilk1_tail(cilk_worker *w) {
  cilk1_pool *p = w->pool;
  p->jumps++;
  p->level++;
  cilk1_level_room(p, p->level + 1);
}

/* ---- placement ---- */

/* c, ready, is h's from now on. */
static void arrive(cilk1_home *h, cilk1_closure *c, bool placed) {
  if (c->pool != &h->pool)                /* posted to its owner: it is there already */
    cilk1_enter(h, c);
  if (placed) {
    c->next = h->placed;
    h->placed = c;
  } else cilk1_post_any(h, c);
}

/* Gives the ready closure c to that worker alone; h is busy with the computation. */
static void place(cilk1_home *h, cilk1_closure *c) {
  cilk_context *ctx = h->worker->ext->ctx;
  if (h->run->simulation) {
    cilk1_home *from = cilk1_home_of(c->pool), *to = cilk1_simulated_place(h->run, c);
    cilk1_simulated_send(h, to, c);
    if (to != from) cilk1_simulated_move(from, to, c);
    c->next = to->placed;
    to->placed = c;
    cilk1_simulated_post(h, c);
    return;
  }
  cilk_worker *target = ctx->workers[ctx->opt.force == CILK_FORCE_NEVER ? 0 : c->place % (uint32_t)ctx->nproc];
  cilk1_home *to = cilk1_home_get(target, h->run);
  cilk1_home *from = cilk1_home_of(c->pool);
  if (to != from) cilk1_leave(from);
  if (to->worker == h->worker) {
    arrive(to, c, true);
    cilk1_busy(to);
    return;
  }
  cilk1_message *m = cilk1_message_new(0);
  m->kind = CILK1_PLACE;
  m->closure = c;
  cilk1_message_send(to, m);
}

static uint32_t place_number(cilk_worker *w, int worker) {
  const cilk1_run *run = cilk1_home_of(w->pool)->run;
  int n = run->simulation ? cilk1_simulated_processors(run) : w->nproc;
  return (uint32_t)((worker % n + n) % n);
}

void cilk1_ready_on(cilk_worker *w, cilk1_closure *c, int worker) {
  cilk1_home *h = cilk1_home_of(w->pool);
  cilk1_stamp(c, cilk1_pause(h));
  c->place = place_number(w, worker);
  place(h, c);
  cilk1_resume(h);
}

void cilk1_place(cilk_worker *w, cilk1_closure *c, int worker) {
  c->place = place_number(w, worker);
  c->flags |= CILK1_PLACED;
  c->plain = NULL;
}

/* ---- send_argument ---- */

/* The last argument of c has come. h is what this worker has of the sender's computation. */
static void complete(cilk1_home *h, cilk1_closure *c) {
  cilk1_home *owner = cilk1_home_of(c->pool);
  if (h->run != owner->run) {             /* a continuation that came from one computation into another */
    h = cilk1_home_get(h->worker, owner->run);
    cilk1_busy(h);
  }
  if (c->flags & CILK1_PLACED) {
    place(h, c);
    return;
  }
  if (h->run->simulation) {
    h = cilk1_simulated_receiver(owner, c);
    cilk1_simulated_post(h, c);
    if (owner != h) cilk1_simulated_move(owner, h, c);
    owner = h;
  }
  if (owner == h) cilk1_post_any(h, c);
  else if (h->worker->ext->ctx->opt.post_owner) {
    cilk1_message *m = cilk1_message_new(0);
    m->kind = CILK1_POST;
    m->closure = c;
    cilk1_message_send(owner, m);
  } else {
    cilk1_leave(owner);
    cilk1_enter(h, c);
    cilk1_post_any(h, c);
  }
}

/* From a worker that has h, at that time on the longest path. */
void cilk1_send_through(cilk1_home *h, cilk_cont k, const void *value, size_t size, uint64_t stamp) {
  cilk1_closure *c = k.closure;
  if (!load_relaxed(&c->pool)) cilk1_send_dead(k);
  cilk1_home *owner = cilk1_home_of(c->pool);
  uint64_t flags = load_acquire(&c->flags); /* pairs with cilk1_share: before, its owner counted by plain accesses */
  if (!(flags & CILK1_SHARED) && owner->worker != h->worker) {
    cilk1_message *m = cilk1_message_new(size);
    m->kind = CILK1_SEND;
    m->k = k;
    m->stamp = stamp;
    m->size = size;
    if (size) memcpy(m->value, value, size);
    cilk1_message_send(owner, m);
    return;
  }
  if (load_relaxed(&c->join) == 0) cilk1_send_dead(k);
  if (size) memcpy((char *)c + k.slot, value, size);
  if (stamp) cilk1_stamp(c, stamp);
  if (h->run->simulation) cilk1_simulated_send(h, owner, c);
  /* acq_rel: the sender that completes it sees the other senders' arguments. */
  uint32_t left = flags & CILK1_SHARED ? __atomic_sub_fetch(&c->join, k.slot, __ATOMIC_ACQ_REL) : (c->join -= k.slot);
  if (left == 0) complete(h, c);
  else if ((int32_t)left < 0) /* more was sent than was missing */ cilk1_send_dead(k);
}

void cilk1_send(cilk_worker *w, cilk_cont k, const void *value, size_t size) {
  cilk1_closure *c = k.closure;
  if (!c) cilk_fatal("send_argument through a continuation that refers to nothing");
  check(k, size);
  cilk1_home *h = cilk1_home_of(w->pool);
  uint64_t at = cilk1_pause(h);
  if (cilk1_watched) cilk1_watched->sent(h, c->sender, k.slot, at);
  cilk1_send_through(h, k, value, size, at);
  cilk1_resume(h);
}

void cilk1_send4(cilk_worker *w, cilk_cont k, uint32_t value) {
#ifdef CILK_DEBUG
  cilk1_send(w, k, &value, sizeof value);
#else
  cilk1_send4_fast(w, k, value);
#endif
}

void cilk1_send8(cilk_worker *w, cilk_cont k, uint64_t value) {
#ifdef CILK_DEBUG
  cilk1_send(w, k, &value, sizeof value);
#else
  cilk1_send8_fast(w, k, value);
#endif
}

/* ---- messages ---- */

cilk1_message *cilk1_message_new(size_t size) {
  cilk1_message *m = malloc(sizeof *m + size);
  if (!m) cilk_fatal("out of memory (an argument of %zu bytes for another worker)", size);
  return m;
}

/* The computation is not over while a message is under way, nor while its sender goes on: `to` stays. */
void cilk1_message_send(cilk1_home *to, cilk1_message *m) {
  cilk1_activity(to->run, 1);
  if (cilk_me()->ext) /* else a thread that is not a worker (rt/extensions/dist) */
    cilk_count(cilk_me(), CILK_N_MESSAGE);
  cilk1_message *was = load_relaxed(&to->inbox);
  do m->next = was;
  while (!__atomic_compare_exchange_n(&to->inbox, &was, m, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  cilk1_want(to);
  /* seq_cst, after the push: a worker that parks looks at its inbox between (search.c) */
  cilk_unpark(to->worker);
}

/* The owner, at a scheduling point: others' messages; then what thieves are to see. In a thread that goes on, the
 * only closure is shown, too. */
void cilk1_answer(cilk1_home *h, bool in_thread) {
  /* Before the look: what a thread stored before raising it is seen here; what comes later raises it again. A plain
   * store could come to memory after the look. */
  (void)__atomic_exchange_n(&h->pool.attention, h->always ? CILK1_WANTED : h->pool.stack_low, __ATOMIC_ACQUIRE);
  if (load_acquire(&h->inbox)) {
    cilk1_message *young = __atomic_exchange_n(&h->inbox, NULL, __ATOMIC_SEQ_CST), *old = NULL;
    while (young) {
      cilk1_message *next = young->next;
      young->next = old;
      old = young;
      young = next;
    }
    while (old) {
      cilk1_message *m = old;
      old = m->next;
      cilk1_busy(h);
      if (m->kind == CILK1_SEND) cilk1_send_through(h, m->k, m->value, m->size, m->stamp);
      else if (m->kind == CILK1_DO) {
        struct cilk1_pool *pool = h->worker->pool;
        h->worker->pool = &h->pool;
        m->act(h, m);
        h->worker->pool = pool;
      } else arrive(h, m->closure, m->kind == CILK1_PLACE);
      cilk1_activity(h->run, -1);
      free(m);
    }
  }
  cilk1_show(h, in_thread);
}
