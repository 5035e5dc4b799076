/* span.c - work and span for -cilk-span.
 *
 * Generated code says where the threads of each instance begin and end. An instance's closure holds its work so far (children that have
 * joined included) and its span: the longest path from the start of the computation to here. A child's path begins where its parent
 * spawned it. A finished child's totals go through the worker (the parent was not stolen) or through the link (it was), and count
 * at a thread boundary of the parent; at a sync the longest of the joined paths becomes the span. */
#include "internal.h"

bool cilk_span_used;                      /* set once, by the first instance of a span build */

/* The longest path that ends in a child that has joined. */
static inline uint64_t *longest(cilk_closure *c) { return &c->reserved[0]; }

static void join(cilk_closure *c, uint64_t work, uint64_t span)
{
  c->work += work;
  if (span > *longest(c))
    *longest(c) = span;
}

void cilk_rt_span_begin(cilk_closure *c)
{
  cilk_worker_ext *x = cilk_me()->ext;
  if (!load_relaxed(&cilk_span_used))
    store_relaxed(&cilk_span_used, true);
  c->work = 0;
  c->span = *longest(c) = x->spawn_span;
  x->return_work = x->return_span = 0;
  x->thread_began = cilk_now_ns();
}

void cilk_rt_span_end(cilk_closure *c)
{
  cilk_worker_ext *x = cilk_me()->ext;
  uint64_t t = cilk_now_ns() - x->thread_began;
  c->work += t;
  c->span += t;
  x->spawn_span = c->span;
}

void cilk_rt_span_joined(cilk_closure *c)
{
  cilk_worker_ext *x = cilk_me()->ext;
  join(c, x->return_work, x->return_span);
  x->return_work = x->return_span = 0;
  x->thread_began = cilk_now_ns();
}

void cilk_rt_span_synched(cilk_closure *c)
{
  if (*longest(c) > c->span)
    c->span = *longest(c);
  cilk_me()->ext->thread_began = cilk_now_ns();
}

void cilk_rt_span_return(cilk_closure *c)
{
  cilk_worker_ext *x = cilk_me()->ext;
  cilk_rt_span_end(c);
  x->return_work = c->work;
  x->return_span = c->span > *longest(c) ? c->span : *longest(c);
}

void cilk_span_carry(cilk_worker *w, cilk_link *l)
{
  l->work = w->ext->return_work;
  l->span = w->ext->return_span;
  w->ext->return_work = w->ext->return_span = 0;
}

void cilk_span_deliver(cilk_closure *parent, cilk_link *l) { join(parent, l->work, l->span); }

void cilk_span_resume(cilk_worker *w) { w->ext->thread_began = cilk_now_ns(); }

long long cilk_rt_user_work(cilk_closure *c) { return c && load_relaxed(&cilk_span_used) ? (long long)c->work : 0; }
long long cilk_rt_user_critical_path(cilk_closure *c) { return c && load_relaxed(&cilk_span_used) ? (long long)c->span : 0; }
