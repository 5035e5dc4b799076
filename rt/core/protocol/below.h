/* below.h - a walk over all links below a closure, in the order in which the children went out.
 *
 *   cilk_below walk = cilk_below_of(c);                       c's lock is held, and is still held at the end
 *   for (cilk_link *l; (l = cilk_below_next(&walk));) { ... cilk_below_enter(&walk, l); ... }
 *
 * The walk holds the locks of the closures on the path from c to where it is, ancestors first, and nothing below can
 * be taken apart during it: what is seen at a link is guarded by its parent's lock, and a child that is entered by
 * its own. Two walks do not meet, because the second waits at the first closure that both want. */
#ifndef CILK_RT_BELOW_H
#define CILK_RT_BELOW_H

#include "data/closure.h"

/* From there on, the first whose child is out, or that is a touch. */
static inline cilk_link *cilk_below_out(cilk_link *l) {
  while (l && l->stage != CILK_LINK_OUT) l = l->next;
  return l;
}

typedef struct cilk_below {
  cilk_closure *top, *at;                 /* where it began; whose children it goes through */
  cilk_link *next;                        /* NULL: that was the last of them */
} cilk_below;

static inline cilk_below cilk_below_of(cilk_closure *c) {
  cilk_assert_locked(c);
  return (cilk_below){c, c, cilk_below_out(c->children)};
}

/* NULL: that was all. */
static inline cilk_link *cilk_below_next(cilk_below *b) {
  while (!b->next) {                      /* up again, by the link by which it came */
    if (b->at == b->top) return NULL;
    cilk_link *own = b->at->link;
    cilk_closure_unlock(b->at);
    b->at = own->parent;
    b->next = cilk_below_out(own->next);
  }
  cilk_link *l = b->next;
  b->next = cilk_below_out(l->next);
  return l;
}

/* What comes next is below l->child, whose lock the caller has taken; the walk lets it go. */
static inline void cilk_below_enter(cilk_below *b, cilk_link *l) {
  cilk_closure *child = l->child;
  b->at = child;
  b->next = cilk_below_out(child->children);
}

#endif
