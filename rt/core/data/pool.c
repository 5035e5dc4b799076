/* pool.c - memory of closures and links.
 *
 * Small closures and links share size classes of 64 bytes. Generated code takes from and puts on the worker's own
 * lists (cilk_self.free_list). What the runtime itself frees was stolen, as a rule, and would pile up on another
 * worker than the one it was made on. It therefore goes to a pool of the whole process, in *bundles*: a worker keeps
 * what it frees until there are cilk_alloc_batch of a class, and acquires the pool's lock once for all of them; a
 * worker that takes a bundle out gets it whole. With one closure at a time, 512 workers waited for nothing but that
 * lock. An empty list is filled from what the worker itself keeps, then from the pool, then from a new slab. Slabs
 * are kept until the process ends. Large closures come from the C library each time.
 *
 * Everything in a list or the pool has state ATTACHED and no blocks, which is what the fast path expects of a new
 * closure. */
#define _GNU_SOURCE
#include "data/pool.h"
#include "base/arena.h"
#include "base/fault.h"
#include "base/limits.h"

#include <stdlib.h>
#include <unistd.h>

static struct pool {
  uint32_t lock __attribute__((aligned(64)));
  bool held;                              /* lock: taken by a thread that is forking; written under lock */
  cilk_closure *bundles;                  /* each is a list of closures by `next` */
} pools[CILK_FREE_CLASSES];

/* The next bundle, in a bundle's first closure: the maker of a closure in that memory writes `sig` first. */
static cilk_closure *bundle_after(const cilk_closure *first) { return (cilk_closure *)(uintptr_t)first->sig; }
static void set_bundle_after(cilk_closure *first, cilk_closure *next) {
  first->sig = (const cilk_sig *)(const void *)next;
}

#ifndef CILK_ASAN
static struct slab {
  struct slab *next;
} *slabs;   /* so that leak checkers see them; atomic, only ever put on */
#endif
static size_t slab_bytes;                           /* relaxed */
int cilk_alloc_batch = CILK_ALLOC_BATCH;

static inline size_t class_of(size_t bytes) { return (bytes + CILK_FREE_UNIT - 1) / CILK_FREE_UNIT - 1; }

#ifdef CILK_ASAN
extern void __lsan_ignore_object(const void *) __attribute__((weak));
#endif

static void *system_alloc(size_t bytes) {
  void *p = CILK_FAILS(MALLOC) ? NULL : cilk_heap_alloc((bytes + 63) & ~(size_t)63, 64);
  if (!p) cilk_fatal("out of memory (a closure of %zu bytes)", bytes);
#ifdef CILK_ASAN
  /* exit() may come in the middle of a computation, when only registers or nothing at all still points at a frame. What
   * frames point at counts as reachable then. Closures that the runtime forgets are found by -cilk-debug. */
  if (__lsan_ignore_object) __lsan_ignore_object(p);
#endif
  return p;
}

#ifndef CILK_ASAN
/* Released frames leave the C stack, and large closures take little of a deque. So no guard page and no full deque
 * stops a recursion without end in time; the system would kill some process when no memory is left at all. */
static size_t limit = SIZE_MAX;
/* Bytes of closures outside of slabs; relaxed. Closures of an image are freed without having been counted: the number
 * may be less than 0. */
static ptrdiff_t large_bytes;

void cilk_pool_limit(void) {
  size_t n = cilk_limit_memory();
  store_relaxed(&limit, n == SIZE_MAX ? n : n / 100 * CILK_MEMORY_PERCENT);
}

static void check_limit(void) {
  /* two counters, no turn of a schedule */
  ptrdiff_t large = __atomic_load_n(&large_bytes, __ATOMIC_RELAXED);
  size_t all = __atomic_load_n(&slab_bytes, __ATOMIC_RELAXED) + (large > 0 ? (size_t)large : 0);
  if (all > load_relaxed(&limit))
    cilk_fatal("closures fill %zu megabytes, %d %% of the memory that this process may use; infinite recursion?",
        all >> 20, CILK_MEMORY_PERCENT);
}

static void large_changes(ptrdiff_t bytes) {
  __atomic_fetch_add(&large_bytes, bytes, __ATOMIC_RELAXED);
  if (bytes > 0) check_limit();
}

/* A list of n or fewer fresh pieces of class k, NULL ended. */
static cilk_closure *new_slab(unsigned k, int n) {
  size_t size = (size_t)(k + 1) * CILK_FREE_UNIT, bytes = 64 + size * (size_t)n;
  char *s = system_alloc(bytes);
  struct slab *slab = (struct slab *)(void *)s;
  slab->next = load_relaxed(&slabs);
  /* only leak checkers follow them */
  while (!__atomic_compare_exchange_n(&slabs, &slab->next, slab, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  __atomic_fetch_add(&slab_bytes, bytes, __ATOMIC_RELAXED);
  check_limit();
  cilk_closure *list = NULL;
  for (int i = n - 1; i >= 0; i--) {
    cilk_closure *c = (cilk_closure *)(void *)(s + 64 + size * (size_t)i);
    c->state = CILK_ATTACHED;
    c->blocks = NULL;
    c->next = list;
    list = c;
  }
  return list;
}
#else
void cilk_pool_limit(void) {}
static void large_changes(ptrdiff_t bytes) { (void)bytes; }
#endif

size_t cilk_pool_bytes(void) { return load_relaxed(&slab_bytes); }

/* Before and after a fork (fork.c). No wait is very long: a signal handler that calls fork may have
 * interrupted a holder. Such a lock is its holder's still, in the parent and, if that is the thread that forked, in the
 * child. A child whose parent has the holder meets a lock that stays taken, and reports that (cilk_spin_wait). */
void cilk_pool_hold(void) {
  for (int k = 0; k < CILK_FREE_CLASSES; k++) {
    bool held = false;
    for (int i = 0; i < CILK_FORK_ROUNDS && !(held = cilk_spin_trylock(&pools[k].lock)); i++) cilk_spin_yield();
    if (held) pools[k].held = true;
  }
}

void cilk_pool_let_go(void) {
  for (int k = 0; k < CILK_FREE_CLASSES; k++)
    if (pools[k].held) {
      pools[k].held = false;
      cilk_spin_unlock(&pools[k].lock);
    }
}

static void give(unsigned k, cilk_closure *bundle) {
  struct pool *p = &pools[k];
  cilk_spin_lock(&p->lock);
  set_bundle_after(bundle, p->bundles);
  store_relaxed(&p->bundles, bundle);
  cilk_spin_unlock(&p->lock);
}

static cilk_closure *take(unsigned k) {
  struct pool *p = &pools[k];
  if (!load_relaxed(&p->bundles)) /* a hint; the lock decides */
    return NULL;
  cilk_spin_lock(&p->lock);
  cilk_closure *bundle = p->bundles;
  if (bundle) store_relaxed(&p->bundles, bundle_after(bundle));
  cilk_spin_unlock(&p->lock);
  return bundle;
}

/* What the worker keeps of class k. */
static cilk_closure *take_kept(cilk_worker_ext *x, unsigned k) {
  cilk_closure *bundle = x->freed.list[k];
  x->freed.list[k] = NULL;
  x->freed.count[k] = 0;
  return bundle;
}

/* Fills the worker's empty list of class k and takes one piece. */
static CILK_COLD void *pool_refill(unsigned k) {
  cilk_closure *list = NULL;
  if (cilk_self.ext) {
    cilk_count(&cilk_self, CILK_N_BATCH);
    list = take_kept(cilk_self.ext, k);
  }
  if (!list) list = take(k);
  if (!list) {
#ifdef CILK_ASAN /* one, and cilk_pool_free gives it back to the C library, so that late uses are seen */
    list = system_alloc((size_t)(k + 1) * CILK_FREE_UNIT);
    list->state = CILK_ATTACHED;
    list->blocks = NULL;
    list->next = NULL;
#else
    list = new_slab(k, load_relaxed(&cilk_alloc_batch));
#endif
  }
  cilk_closure *rest = list->next;
  if (!cilk_self.ext) { /* no worker: nowhere to keep the rest */
    while (rest) {
      cilk_closure *next = rest->next;
      cilk_pool_free(rest, (size_t)(k + 1) * CILK_FREE_UNIT);
      rest = next;
    }
  } else cilk_self.free_list[k] = rest;
  return list;
}

void *cilk_pool_alloc(size_t bytes) {
  size_t k = class_of(bytes);
  if (k >= CILK_FREE_CLASSES) {
    cilk_closure *c = system_alloc(bytes);
    large_changes((ptrdiff_t)bytes);
    c->state = CILK_ATTACHED;
    c->blocks = NULL;
    return c;
  }
  cilk_closure *c = cilk_self.free_list[k];
  if (!c) return pool_refill((unsigned)k);
  cilk_self.free_list[k] = c->next;
  return c;
}

void cilk_pool_free(void *m, size_t bytes) {
  size_t k = class_of(bytes);
#ifdef CILK_ASAN
  k = CILK_FREE_CLASSES;
#endif
  if (k >= CILK_FREE_CLASSES) {
    cilk_heap_free(m);
    large_changes(-(ptrdiff_t)bytes);
    return;
  }
  cilk_closure *c = m;
  c->state = CILK_ATTACHED;
  c->blocks = NULL;
  cilk_worker_ext *x = cilk_self.ext;
  c->next = x ? x->freed.list[k] : NULL;
  if (!x) {
    give((unsigned)k, c);
    return;
  }
  x->freed.list[k] = c;
  if (++x->freed.count[k] >= (uint32_t)load_relaxed(&cilk_alloc_batch)) give((unsigned)k, take_kept(x, (unsigned)k));
}

/* As generated code does: onto the list that the next allocation takes from. */
void cilk_pool_free_own(void *m, size_t bytes) {
  if (!cilk_self.ext) { /* no worker, whose list would be drained */
    cilk_pool_free(m, bytes);
    return;
  }
  size_t k = class_of(bytes);
  cilk_closure *c = m;
  c->state = CILK_ATTACHED;
  c->blocks = NULL;
  c->next = cilk_self.free_list[k];
  cilk_self.free_list[k] = c;
}

/* The pool between two processes (travel/): its bundles, by class. No worker keeps anything. */
void cilk_pool_bundles(cilk_closure *bundles[CILK_FREE_CLASSES], bool put) {
  for (int k = 0; k < CILK_FREE_CLASSES; k++)
    if (put) store_relaxed(&pools[k].bundles, bundles[k]);
    else bundles[k] = pools[k].bundles;
}

void cilk_pool_drain(cilk_worker *w) {
  for (unsigned k = 0; k < CILK_FREE_CLASSES; k++)
    while (w->free_list[k]) {
      cilk_closure *c = w->free_list[k];
      w->free_list[k] = c->next;
      cilk_pool_free(c, (size_t)(k + 1) * CILK_FREE_UNIT);
    }
  for (unsigned k = 0; k < CILK_FREE_CLASSES; k++)
    if (w->ext->freed.list[k]) give(k, take_kept(w->ext, k));
}
