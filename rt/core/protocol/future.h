/* future.h - futures: what the runtime does when one is touched that has no value yet, and when it gets one
 * (PROTOCOLS.md, section 16).
 *
 * The waiter is suspended as at a sync, for one more link among its children, which has no child (link->future) and
 * for whose end the waiter waits. The state BUSY is a lock, and a leaf: it is acquired with closures' locks held,
 * and no lock is acquired under it. */
#ifndef CILK_RT_FUTURE_H
#define CILK_RT_FUTURE_H

#include "data/closure.h"

/* Its value is stored: pairs with the release in cilk_future_fill. */
static inline bool cilk_future_full(const cilk_future *f) { return load_acquire(&f->state) >= CILK_FUTURE_FULL; }
/* ends the program if nothing was spawned into it */
void cilk_future_check(cilk_future *f);

/* The one that the child of this link fills. */
static inline cilk_future *cilk_link_future(cilk_link *l) {
  char *value = l->entry->flags & CILK_ENTRY_RECEIVER ? *(char **)cilk_link_record(l)
                                                      : (char *)l->parent + l->entry->record_offset;
  return (cilk_future *)(value - CILK_FUTURE_HEADER);
}

/* c, whose lock is held, was suspended at a touch, and what it waited for has come: it can go on though children are
 * out. */
static inline bool cilk_touched(const cilk_closure *c) {
  return c->sig->nentries > c->entry && (c->sig->entries[c->entry].flags & CILK_ENTRY_TOUCH) &&
         !(c->children && c->children->future);
}

/* the value is stored, or will never be; f is not looked at afterwards */
void cilk_future_fill(cilk_worker *w, cilk_future *f);
/* its parent's lock is held: it waits no more; false: the filler has it already */
bool cilk_future_leave(cilk_link *l);
/* l waits no more: its parent goes on. No lock is held. Frees the link */
void cilk_future_wake(cilk_worker *w, cilk_link *l);

#endif
