/* places.h - where the maps of a closure's strands are, in the order of the serial execution. See PROTOCOLS.md,
 * section 17.
 *
 * The closure's lock is held around all calls here but the last, and held again when they return. Those that take a
 * worker may let it go meanwhile, to run `reduce`. */
#ifndef CILK_RT_PLACES_H
#define CILK_RT_PLACES_H

#include "data/closure.h"

/* Most closures have no map. */
static inline bool cilk_views_none(const cilk_closure *c) { return !c->children && c->link->views == CILK_NO_VIEWS; }

/* c is in hand, and about to run: its strand's map becomes cilk_self.views. */
void cilk_views_enter_some(cilk_worker *w, cilk_closure *c);
static inline void cilk_views_enter(cilk_worker *w, cilk_closure *c) {
  cilk_check(w->views == CILK_NO_VIEWS);
  if (!cilk_views_none(c)) cilk_views_enter_some(w, c);
}

/* c runs here. Takes one map that comes directly before its strand's and joins the two. False: there is none, and the
 * lock was held all the time. */
bool cilk_views_gather_some(cilk_worker *w, cilk_closure *c);
static inline bool cilk_views_gather(cilk_worker *w, cilk_closure *c) {
  return !cilk_views_none(c) && cilk_views_gather_some(w, c);
}

/* After cilk_views_gather was false: c stops running, and its strand's map waits at its place. */
void cilk_views_leave(cilk_worker *w, cilk_closure *c);
/* The child of l, RETURNED, has left the map cilk_self.views, which goes to its place in p. l is freed if it is
 * joined; else it is counted in p's join. */
void cilk_views_give(cilk_worker *w, cilk_closure *p, cilk_link *l);
/* The link counts no more in p's join, and goes if it has no map. */
void cilk_link_joined(cilk_closure *p, cilk_link *l);
/* Without the lock. c was aborted, and ends in the middle: its memory has no reducers any more. */
void cilk_views_forget_closure(struct cilk_views *views, const cilk_closure *c);

#endif
