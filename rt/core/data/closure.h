/* closure.h - full closures: what the runtime knows of a procedure instance that was stolen, released or resumed (the
 * struct is in abi.h, the states are in PROTOCOLS.md, section 2).
 *
 * Guarded by the closure's lock: state, join, children, pending, worker, aborts, and what link.h says of the links in
 * `children`. The worker or list that has the closure owns `next`. Parent links are written once, before any other
 * thread knows the closure. */
#ifndef CILK_RT_CLOSURE_H
#define CILK_RT_CLOSURE_H

#include "data/context.h"
#include "data/link.h"
#include "data/root.h"
#include "base/spin.h"

/* Debug build: a full closure carries this; what does not was overwritten, or freed. */
#define CILK_MAGIC UINT64_C(0xC11C5C105E000001)
#define CILK_MAGIC_FREE UINT64_C(0xC11C5DEAD0000001)
extern long cilk_full_closures;          /* alive now; counted in the debug build only */

extern long cilk_locked_closures;        /* now, by all threads; counted in the debug build only (fork.c) */

static inline void cilk_closure_lock(cilk_closure *c) {
  cilk_spin_lock(&c->lock);
#ifdef CILK_DEBUG
  __atomic_add_fetch(&cilk_locked_closures, 1, __ATOMIC_SEQ_CST);     /* pairs with await_closures */
#endif
}
static inline void cilk_closure_unlock(cilk_closure *c) {
  cilk_spin_unlock(&c->lock);             /* first: the turn may pass in there */
#ifdef CILK_DEBUG
  __atomic_sub_fetch(&cilk_locked_closures, 1, __ATOMIC_SEQ_CST);
#endif
}

/* ---- the state. This is the one function that changes it; data/states.def lists the transitions ---- */
void cilk_closure_check_change(const cilk_closure *c, uint32_t from, uint32_t to);   /* debug build */
static inline void cilk_closure_change(cilk_closure *c, uint32_t from, uint32_t to) {
#ifdef CILK_DEBUG
  cilk_closure_check_change(c, from, to);
#endif
  (void)from;
  store_relaxed(&c->state, to);
}

void cilk_closure_become_full(cilk_closure *c, cilk_link *links, cilk_worker *w, uint32_t state);
void cilk_closure_release_blocks(cilk_closure *c);
/* The memory of cilk_rt_closure_free (places.c). */
void cilk_closure_free(cilk_closure *c);
/* of the chain `blocks`: where it is, and the next one */
const void *cilk_closure_block(const void *block, const void **start, size_t *bytes);

/* ---- ownership, checked in the debug build ---- */

/* The calling thread holds the closure's lock. */
static inline void cilk_assert_locked(const cilk_closure *c) {
  cilk_check(c->magic == CILK_MAGIC);
  cilk_spin_held(&c->lock);
  (void)c;
}

/* c is w's, in that state: in its hand (TAKEN), or run by it (RUNNING). */
static inline void cilk_assert_own(const cilk_closure *c, const cilk_worker *w, uint32_t state) {
  cilk_check(c->magic == CILK_MAGIC && load_relaxed(&c->state) == state && c->worker == w);
  (void)c;
  (void)w;
  (void)state;
}

/* ---- the link of a closure to its parent ---- */

/* The computation that it is a part of. */
static inline cilk_root_run *cilk_closure_root(const cilk_closure *c) { return c->link->root; }

/* An abort has marked the link: a new link below it inherits that. */
static inline bool cilk_link_marked(const cilk_link *l) { return load_seq_cst(&l->aborted) != 0; }

/* No result is wanted through the link any more. */
static inline bool cilk_link_aborted(const cilk_link *l, const cilk_context *ctx) {
  return cilk_link_marked(l) || load_relaxed(&ctx->exiting) != 0;
}
static inline bool cilk_closure_aborted(const cilk_closure *c, const cilk_context *ctx) {
  return cilk_link_aborted(c->link, ctx);
}

/* Makes the child known to its parent, under the parent's lock: an abort that walks the parent's children finds the
 * child from here on. True if one has passed before. */
bool cilk_link_adopt(cilk_link *l, cilk_closure *child);

/* ---- the two lists of a closure; its lock is held ---- */
void cilk_children_add(cilk_closure *parent, cilk_link *l);      /* join++ */
void cilk_children_remove(cilk_closure *parent, cilk_link *l);   /* join unchanged */
void cilk_pending_add(cilk_closure *parent, cilk_link *l);
/* oldest first; NULL if none; join--; it stays among the children, for its place */
cilk_link *cilk_pending_take(cilk_closure *parent);
/* nothing is delivered, their maps are kept; join -= their number, which it returns */
unsigned cilk_pending_drop(cilk_closure *parent);

#endif
