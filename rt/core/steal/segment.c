/* segment.c - the owner's operations on its deque outside generated code: segments begin and end, READY closures come
 * and go. */
#include "steal/segment.h"
#include "data/context.h"
#include "data/policy.h"
#include "steal/steal.h"

#include <string.h>

void cilk_segment_begin(cilk_worker *w, cilk_segment *s, cilk_link *link, cilk_closure *full) {
  cilk_worker_ext *x = w->ext;
  memset(s, 0, sizeof *s);
  s->base = load_relaxed(&w->tail);
  s->link = link;
  s->full = full;
  s->slow = full != NULL;
  cilk_worker_lock(w);
  if (load_relaxed(&x->head) > s->base)   /* inside an unwinding segment that was stolen from: H is above T */
    store_relaxed(&x->head, s->base);
  s->outer = x->seg;
  x->seg = s;
  if (x->signal || (x->ctx->policy->every && !x->calm))
    cilk_flag_raise(w);                   /* the signal came before the code it is for */
  cilk_exc_update(w);
  cilk_worker_unlock(w);
}

void cilk_segment_end(cilk_worker *w, cilk_segment *s) {
  cilk_worker_ext *x = w->ext;
  cilk_worker_lock(w);
  cilk_check(x->seg == s);
  if (x->requester)                       /* what is below this segment is there for the taking */
    cilk_serve(w, s->base);
  if (s->unwinding)    /* it was kept up for the older frames; a signal since then is still in x->signal */
    store_relaxed(&w->release, x->calm);
  cilk_closure **t = s->base + s->kept;
  store_release(&w->tail, t);             /* pairs with the thief's acquire, for what is below */
  if (load_relaxed(&x->head) > t) store_relaxed(&x->head, t);
  x->seg = s->outer;
  cilk_exc_update(w);
  cilk_worker_unlock(w);
}

/* Pushes READY closures; no segment is running above T. Thieves may take them as soon as T is stored. */
void cilk_deque_push_ready(cilk_worker *w, cilk_closure *oldest_first[], size_t n) {
  cilk_closure **t = load_relaxed(&w->tail);
  if ((size_t)(w->ext->memory.deque_end - t) < n)
    cilk_fatal("the ready deque is full (--stack sets its depth); infinite recursion?");
  for (size_t i = 0; i < n; i++) t[i] = oldest_first[i];
  store_release(&w->tail, t + n);         /* pairs with the thief's acquire load of T in cilk_steal */
}

/* The owner's pop between segments. The lock keeps thieves out, so no Dekker is needed. */
cilk_closure *cilk_deque_pop_ready(cilk_worker *w, cilk_closure **floor) {
  cilk_worker_ext *x = w->ext;
  cilk_closure *c = NULL;
  if (load_relaxed(&w->tail) == floor) return NULL;
  cilk_worker_lock(w);
  cilk_closure **t = load_relaxed(&w->tail), **h = load_relaxed(&x->head);
  while (!c && t > floor && h < t) {
    c = cilk_take_ready(w, *--t);
    store_relaxed(&w->tail, t);
  }
  if (!c && t > floor) {                  /* all stolen */
    store_relaxed(&w->tail, floor);
    store_relaxed(&x->head, h < floor ? h : floor);
    cilk_exc_update(w);
  }
  cilk_worker_unlock(w);
  return c;
}
