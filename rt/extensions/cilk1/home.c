/* home.c - a worker's ready closures: an array of lists by level (PPoPP'95, section 3).
 *
 * The array is its owner's: no atomic, no lock. The owner posts at a level's head and works on the head of the deepest.
 * Thieves are to get the tail of the shallowest: the owner keeps one closure, at least, in the pool's public list
 * (lock) while it has more than it works on. A thief that takes the last one raises `attention`. The owner then shows
 * the next one at its next post, send or end of a thread. So there is something to steal while the owner runs a long
 * thread. What is public is no deeper than the array had it then; the owner takes it back, the youngest first, when the
 * array is empty.
 *
 * A continuation in a closure that leaves makes what it refers to `shared`: from then on all senders count arguments
 * atomically, and the sender that completes it posts it. Otherwise senders would have to ask its owner, which may be in
 * a long thread. */
#include "abroad.h"
#include "data/slots.h"
#include "data/policy.h"
#include "data/pool.h"
#include "steal/sleep.h"
#include "stamps.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(cilk1_closure, join) == offsetof(cilk_closure, state) &&
                   offsetof(cilk1_closure, flags) == offsetof(cilk_closure, blocks) &&
                   offsetof(cilk1_closure, next) == offsetof(cilk_closure, next),
    "both kinds share the free lists");
_Static_assert(sizeof(cilk1_closure) <= CILK1_ARGS, "the arguments follow the header");

/* ---- memory ---- */

void *cilk1_alloc(cilk_worker *w, const cilk1_thread *t) {
  cilk1_pool *p = w->pool;
  uint32_t k = (t->size - 1) / CILK_FREE_UNIT;
  cilk1_closure *c;
  if (cilk1_is_large(t->size)) c = cilk1_large_new(cilk1_home_of(p)->run, t->size);
  else {
    if ((c = (cilk1_closure *)(void *)w->free_list[k])) w->free_list[k] = (cilk_closure *)(void *)c->next;
    else c = cilk_pool_alloc(t->size);
    cilk1_know(cilk1_home_of(p), c);
  }
  c->flags = p->flags;
  c->pool = p;
  c->plain = p->flags ? NULL : p;
  c->stamp = c->when = 0;
  c->serial = 0;
  cilk1_most(p);
  return c;
}

/* Back to where any kind of closure is made of it. A continuation that still refers to it must not find a pool
 * there. */
static void forget(cilk1_closure *c, uint32_t k) {
  cilk_worker *w = cilk_me();
  c->pool = c->plain = NULL;
  c->next = (cilk1_closure *)(void *)w->free_list[k];
  w->free_list[k] = (cilk_closure *)(void *)c;
}

/* No worker looks at c any more. */
void cilk1_release(cilk1_closure *c) {
  cilk_check(c->join == 0);
  uint32_t size = c->thread->size;
  cilk1_run *run = cilk1_home_of(c->pool)->run;
  bool all = cilk1_goes_to_all(c);
#ifdef CILK_DEBUG
  if (!cilk_me()->ext || !cilk_me()->ext->ctx->opt.simulate)   /* without: a thread that is not a worker (dist) */
    free((void *)(uintptr_t)c->when);
  c->when = c->serial = 0;
#endif
  c->flags = 0;
  c->pool = c->plain = NULL;
  /* What came from elsewhere goes to all: it would pile up here. */
  if (cilk1_is_large(size)) cilk1_large_free(run, c, size);
  else if (all) cilk_pool_free(c, size);
  else forget(c, (size - 1) / CILK_FREE_UNIT);
}

/* ---- the pools of a worker ---- */

void cilk1_level_room(cilk1_pool *p, uint32_t level) {
  if (level < p->nlevels) return;
  uint32_t n = p->nlevels ? p->nlevels : 64;
  while (n <= level && n < INT32_MAX / 2) n *= 2;
  cilk1_level *l = n > level ? realloc(p->levels, n * sizeof *l) : NULL;
  if (!l) cilk_fatal("out of memory (threads spawned %u deep); infinite recursion?", level);
  memset(l + p->nlevels, 0, (n - p->nlevels) * sizeof *l);
  p->levels = l;
  p->nlevels = n;
}

/* cilk1.lock is held. */
static cilk1_home *make(cilk_worker *w, cilk1_run *run) {
  cilk_worker_ext *x = w->ext;
  void *at = NULL;
  if (posix_memalign(&at, 64, sizeof(cilk1_home)) != 0) cilk_fatal("out of memory");
  cilk1_home *h = memset(at, 0, sizeof(cilk1_home));
  h->run = run;
  h->worker = w;
  h->pool.root = run->root;
  h->pool.worker = w;
  h->pool.deepest = -1;
  h->pool.shallowest = INT32_MAX;
  h->forced = x->ctx->policy->every && x->ctx->policy->asked;
  h->closed = x->ctx->nproc == 1 && !cilk1_abroad;
  h->always = h->forced || cilk1_measures(x->ctx);
  h->pool.flags = cilk1_measures(x->ctx) ? CILK1_SLOW : 0;
  store_relaxed(&h->pool.attention, CILK1_WANTED);
  cilk1_level_room(&h->pool, 0);
  h->of_worker = x->cilk1.pools;
  store_relaxed(&x->cilk1.pools, h);
  cilk_spin_lock(&run->lock);
  h->of_run = run->homes;
  run->homes = h;
  cilk_spin_unlock(&run->lock);
  return h;
}

cilk1_home *cilk1_home_get(cilk_worker *w, cilk1_run *run) {
  cilk_worker_ext *x = w->ext;
  cilk1_home *h;
  if (run->now) return run->now;
  cilk_spin_lock(&x->cilk1.lock);
  for (h = x->cilk1.pools; h && h->run != run; h = h->of_worker);
  if (!h) h = make(w, run);
  cilk_spin_unlock(&x->cilk1.lock);
  return h;
}

cilk1_home *cilk1_home_new(cilk_worker *w, cilk1_run *run) {
  cilk_spin_lock(&w->ext->cilk1.lock);
  cilk1_home *h = make(w, run);
  cilk_spin_unlock(&w->ext->cilk1.lock);
  return h;
}

/* The computation is over, or nearly: h is out of its worker's list. */
void cilk1_home_free(cilk1_home *h) {
  cilk_worker_ext *x = h->worker->ext;
  cilk_spin_lock(&x->cilk1.lock);
  cilk1_home **at = &x->cilk1.pools;
  while (*at != h) at = &(*at)->of_worker;
  store_relaxed(at, h->of_worker);
  cilk_spin_unlock(&x->cilk1.lock);
  for (uint32_t k = 0; k < CILK_FREE_CLASSES; k++)
    for (cilk1_closure *c = h->pool.free_list[k], *next; c; c = next) {
      next = c->next;
      c->flags = 0;
      forget(c, k);
    }
  free(h->known);
  free(h->pool.levels);
  free(h);
}

/* ---- the array ---- */

cilk1_closure *cilk1_take_deepest(cilk1_pool *p) {
  int32_t l = p->deepest;
  /* a thief's pool holds one closure, at any level: not down to 0 each time */
  while (l >= p->shallowest && !p->levels[l].head) l--;
  if (l < p->shallowest) {
    p->deepest = -1;
    p->shallowest = INT32_MAX;
    return NULL;
  }
  p->deepest = l;
  cilk1_closure *c = p->levels[l].head;
  p->levels[l].head = c->next;
  return c;
}

cilk1_closure *cilk1_take_shallowest(cilk1_pool *p, uint64_t now) {
  int32_t l = p->shallowest;
  while (l <= p->deepest && !p->levels[l].head) l++;
  p->shallowest = l;
  if (l > p->deepest) {
    p->deepest = -1;
    p->shallowest = INT32_MAX;
    return NULL;
  }
  while (!p->levels[l].head || p->levels[l].tail->when > now)
    if (++l > p->deepest) return NULL;
  cilk1_level *at = &p->levels[l];
  cilk1_closure *c = at->tail;
  if (c == at->head) at->head = NULL;
  else {
    at->tail = c->prev;
    c->prev->next = NULL;
  }
  return c;
}

/* ---- the public list ---- */

/* c may be taken from here on: what its continuations refer to, if it is this worker's, is counted atomically. A
 * continuation that is dead already finds memory without a pool, which is left alone, or another closure of this worker
 * that waits: that may as well be shared. (It is not looked at where that would be an error.) */
void cilk1_share(cilk1_home *h, cilk1_closure *c) {
#ifndef CILK_ASAN
  const cilk1_thread *t = c->thread;
  for (uint32_t i = 0; i < t->nslots; i++)
    if (t->slots[i].flags & CILK1_SLOT_CONT) {
      cilk_cont k;
      memcpy(&k, (char *)c + t->slots[i].offset, sizeof k);
      cilk1_closure *s = k.closure;
      if (s && s->pool == &h->pool && load_relaxed(&s->join) != 0 && !(load_relaxed(&s->flags) & CILK1_SHARED)) {
        store_relaxed(&s->plain, NULL);   /* others see NULL or a pool that is not theirs */
        /* pairs with the acquire load of a sender that has k from elsewhere */
        __atomic_fetch_or(&s->flags, (uint64_t)CILK1_SHARED, __ATOMIC_RELEASE);
      }
    }
#else
  (void)h;
  (void)c;
#endif
}

/* One closure to the public list; a worker is woken if none looks. */
void cilk1_publish(cilk1_home *h, cilk1_closure *c) {
  cilk_worker_ext *x = h->worker->ext;
  cilk_context *ctx = x->ctx;
  cilk_waiting waiting;
  bool idle = cilk_idle(ctx) != 0;
  if (idle) cilk_waiting_for(&waiting, ctx, h->run->root);
  cilk1_share(h, c);
  c->next = NULL;
  cilk_spin_lock(&x->cilk1.lock);
  if (h->first) h->last->next = c;
  else store_relaxed(&h->first, c);
  h->last = c;
  cilk_spin_unlock(&x->cilk1.lock);
  /* Hints: what they miss is found by the watcher (sleep.c). */
  if (idle && !cilk_searching(ctx)) cilk_announce(ctx, &waiting);
}

/* Takes the shallowest and oldest closure whose thread may run elsewhere out of the array. */
static cilk1_closure *take_travelling(cilk1_pool *p) {
  for (int32_t l = p->shallowest; l <= p->deepest; l++) {
    cilk1_level *at = &p->levels[l];
    cilk1_closure *found = NULL;
    for (cilk1_closure *c = at->head; c; c = c->next)
      if (c->thread->flags & CILK1_THREAD_REMOTE) found = c;
    if (!found) continue;
    if (found != at->head) found->prev->next = found->next;
    else at->head = found->next;
    if (found == at->tail) at->tail = found->prev;
    else found->next->prev = found->prev;
    return found;
  }
  return NULL;
}

/* `all`: even the last one, since this worker is busy with a thread. But not while threads below it on the stack
 * have shallower ones to spawn. */
void cilk1_show(cilk1_home *h, bool all) {
  cilk1_pool *p = &h->pool;
  cilk1_closure *away = load_relaxed(&h->asked) ? take_travelling(p) : NULL;
  if (away) {
    store_relaxed(&h->asked, 0u);
    cilk1_publish(h, away);
  }
  if (h->closed || load_relaxed(&h->first)) return;
  bool deep = p->waits && h->worker->pool == p && p->shallowest > (int32_t)p->level;
  cilk1_closure *c = deep ? NULL
                     : all || p->deepest > p->shallowest ||
                             (p->deepest >= 0 && p->levels[p->deepest].head != p->levels[p->deepest].tail)
                         ? cilk1_take_shallowest(p, UINT64_MAX)
                         : NULL;
  if (c) cilk1_publish(h, c);
  else cilk1_want(h);                        /* the next one that is posted */
}

cilk1_closure *cilk1_take_public(cilk1_home *h) {
  cilk_worker_ext *x = h->worker->ext;
  cilk1_closure *c = NULL;
  if (!load_acquire(&h->first))           /* only the owner puts something there; pairs with the thief's release */
    return NULL;
  cilk_spin_lock(&x->cilk1.lock);
  for (cilk1_closure **at = &h->first; (c = *at); at = &c->next)
    if (!c->next) {
      h->last = at == &h->first ? NULL : (cilk1_closure *)(void *)((char *)at - offsetof(cilk1_closure, next));
      store_relaxed(at, NULL);
      if (!h->first) cilk1_want(h);
      break;
    }
  cilk_spin_unlock(&x->cilk1.lock);
  return c;
}

void cilk1_post_any(cilk1_home *h, cilk1_closure *c) {
  cilk1_level_room(&h->pool, c->level + 1);
  cilk1_post(&h->pool, c);
  cilk1_show(h, true);
}

/* ---- from worker to worker ---- */

/* c has left h; any worker may say so. */
void cilk1_leave(cilk1_home *h) { __atomic_fetch_add(&h->gone, 1, __ATOMIC_RELAXED); }

/* c has come to this worker's h. */
void cilk1_enter(cilk1_home *h, cilk1_closure *c) {
  c->pool = &h->pool;
  c->flags |= CILK1_FOREIGN;
  h->pool.closures++;
  cilk1_most(&h->pool);
}

/* How many of h's closures are alive; owner. */
void cilk1_count_gone(cilk1_home *h) {
  int64_t gone = load_relaxed(&h->gone);
  h->pool.closures -= gone - h->seen_gone;
  h->seen_gone = gone;
}

cilk_root_run *cilk_root_of_pool(cilk1_pool *pool) { return pool->root; }
