/* places.c - the places of maps in the order of a closure's strands.
 *
 * The children of a closure are in the order in which they went out, the youngest first, and each is a place in that
 * order:
 *
 *   base, child 1, right of child 1, child 2, right of child 2, ..., the strand of the closure itself
 *
 * `views` of the closure's own link is the base. `right` of a child's link is what is right of that child, up to the
 * next one. So a child that returns has two neighbours, one on each side. Its map and the neighbours that are there are
 * joined and go to the left neighbour's right side. Then the link is no place any more. `reduce` runs without the lock.
 * So what is to be joined is taken from its places first. The link keeps its place in the order meanwhile, and what
 * came there is joined in the next round.
 *
 * The youngest child's map is the exception. Where something is left of it already, it is not joined with that, but
 * *kept*. The next strand of the closure goes on with that map. So views keep their addresses over a call that was
 * awaited, whatever returned meanwhile. Of kept links there is at most one but for aborts, since it is joined to the
 * left when a younger child has returned. */
#include "data/places.h"
#include "data/deque.h"

static bool is_place(const cilk_link *l) { return !l->future && l->stage != CILK_LINK_GONE; }

/* The first of these, children by ->next, that is a place. */
static cilk_link *place_from(cilk_link *l) {
  while (l && !is_place(l)) l = l->next;
  return l;
}

/* What is right of l. NULL: the base. */
static struct cilk_views **right_of(cilk_closure *p, cilk_link *l) { return l ? &l->right : &p->link->views; }

/* l is not a place any more. */
static void gone(cilk_closure *p, cilk_link *l) {
  l->stage = CILK_LINK_GONE;
  if (l->joined) {
    cilk_children_remove(p, l);
    cilk_link_free(l);
  }
}

/* Takes the map that is directly right of l (NULL: the base), or else the map that l keeps. */
static struct cilk_views *take(cilk_closure *p, cilk_link *l) {
  struct cilk_views **at = right_of(p, l), *m = *at;
  *at = CILK_NO_VIEWS;
  if (m == CILK_NO_VIEWS && l && l->stage == CILK_LINK_KEPT) {
    m = l->views;
    gone(p, l);
  }
  return m;
}

static struct cilk_views *join(cilk_worker *w, cilk_closure *p, struct cilk_views *left, struct cilk_views *right) {
  if (left == CILK_NO_VIEWS || right == CILK_NO_VIEWS) return left == CILK_NO_VIEWS ? right : left;
  cilk_closure_unlock(p);
  left = cilk_views_join(w, left, right);
  cilk_closure_lock(p);
  return left;
}

/* l is RETURNED, m its child's map. One of m and what is right of l is there. */
static void give(cilk_worker *w, cilk_closure *p, cilk_link *l, struct cilk_views *m) {
  for (;;) {
    if (l->right != CILK_NO_VIEWS) {
      struct cilk_views *right = l->right;
      l->right = CILK_NO_VIEWS;
      m = join(w, p, m, right);
      continue;
    }
    cilk_link *k = place_from(l->next);
    struct cilk_views **left = right_of(p, k);
    bool kept = k && k->stage == CILK_LINK_KEPT;
    if (*left == CILK_NO_VIEWS && !kept) {
      *left = m;
      gone(p, l);
      return;
    }
    bool youngest = place_from(p->children) == l;
    if (youngest && kept) {
      struct cilk_views *older = k->views;
      k->stage = CILK_LINK_RETURNED;
      give(w, p, k, older);               /* l is right of k: k does not come here */
    } else if (youngest) {
      l->views = m;
      l->stage = CILK_LINK_KEPT;
      return;
    } else m = join(w, p, take(p, k), m);
  }
}

void cilk_views_give(cilk_worker *w, cilk_closure *p, cilk_link *l) {
  struct cilk_views *m = w->views;
  cilk_check(l->stage == CILK_LINK_RETURNED);
  w->views = CILK_NO_VIEWS;
  if (m == CILK_NO_VIEWS && l->right == CILK_NO_VIEWS) gone(p, l);
  else give(w, p, l, m);
}

void cilk_link_joined(cilk_closure *p, cilk_link *l) {
  p->join--;
  l->joined = true;
  if (l->stage == CILK_LINK_GONE) gone(p, l);
}

bool cilk_views_gather_some(cilk_worker *w, cilk_closure *c) {
  cilk_link *l = place_from(c->children);
  if (*right_of(c, l) == CILK_NO_VIEWS && !(l && l->stage == CILK_LINK_KEPT)) return false;
  struct cilk_views *own = w->views;
  w->views = CILK_NO_VIEWS;
  w->views = join(w, c, take(c, l), own);
  return true;
}

void cilk_views_leave(cilk_worker *w, cilk_closure *c) {
  struct cilk_views **at = right_of(c, place_from(c->children));
  cilk_check(*at == CILK_NO_VIEWS);
  *at = w->views;
  w->views = CILK_NO_VIEWS;
}

static bool at_touch(const cilk_closure *c) {
  return c->sig->nentries > c->entry && (c->sig->entries[c->entry].flags & CILK_ENTRY_TOUCH);
}

void cilk_views_enter_some(cilk_worker *w, cilk_closure *c) {
  w->views = take(c, place_from(c->children));
  /* After a sync all is one map. After a touch the child's map is the strand's, and keeps its views. */
  if (c->join == 0 && !at_touch(c))
    while (cilk_views_gather(w, c));
}

void cilk_views_forget_closure(struct cilk_views *views, const cilk_closure *c) {
  const void *start;
  size_t bytes;
  cilk_views_forget(views, c, c->sig->closure_size);
  for (const void *b = c->blocks; b;) {
    b = cilk_closure_block(b, &start, &bytes);
    cilk_views_forget(views, start, bytes);
  }
}

void cilk_rt_closure_free(cilk_closure *c) {
  const cilk_worker *w = cilk_me();
  if (w->views && w->views != CILK_NO_VIEWS && w->ext->seg && w->ext->seg->unwinding &&
      load_relaxed(&c->state) == CILK_ATTACHED)
    cilk_views_forget_closure(w->views, c);
  cilk_closure_free(c);
}
