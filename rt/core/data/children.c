/* children.c - the two lists of a closure's links.
 *
 * `children` is doubly linked and NULL ended, so that a delivery takes its link out at once. `pending` is a ring whose
 * entry point is its youngest link, so that deliveries run in the order in which the children returned. What is pending
 * is among the children too. */
#include "data/closure.h"

bool cilk_link_adopt(cilk_link *l, cilk_closure *child) {
  if (!l->parent) {
    l->child = child;
    return false;
  }
  cilk_closure_lock(l->parent);
  l->child = child;
  bool marked = load_relaxed(&l->aborted) != 0;
  cilk_closure_unlock(l->parent);
  return marked;
}

void cilk_children_add(cilk_closure *parent, cilk_link *l) {
  l->prev = NULL;
  l->next = parent->children;
  if (l->next) l->next->prev = l;
  parent->children = l;
  parent->join++;
}

void cilk_children_remove(cilk_closure *parent, cilk_link *l) {
  if (l->prev) l->prev->next = l->next;
  else parent->children = l->next;
  if (l->next) l->next->prev = l->prev;
  l->next = l->prev = NULL;
}

void cilk_pending_add(cilk_closure *parent, cilk_link *l) {
  cilk_link *young = parent->pending;
  if (young) {
    l->next_waiting = young->next_waiting;
    young->next_waiting = l;
  } else l->next_waiting = l;
  parent->pending = l;
}

cilk_link *cilk_pending_take(cilk_closure *parent) {
  cilk_link *young = parent->pending;
  if (!young) return NULL;
  cilk_link *old = young->next_waiting;
  if (old == young) parent->pending = NULL;
  else young->next_waiting = old->next_waiting;
  parent->join--;
  old->joined = true;
  return old;
}

unsigned cilk_pending_drop(cilk_closure *parent) {
  unsigned n = 0;
  for (cilk_link *l; (l = cilk_pending_take(parent)); n++)
    if (l->views == CILK_NO_VIEWS && l->right == CILK_NO_VIEWS) {
      cilk_children_remove(parent, l);
      cilk_link_free(l);
    } else l->stage = CILK_LINK_KEPT;
  return n;
}
