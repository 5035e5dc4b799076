/* deque.c - the ready deque's memory, the segments on it, and the owner's operations outside generated code.
 *
 * The deque of a worker is one array of closure pointers in reserved virtual memory with a guard page behind it; T (cilk_self.tail)
 * and H (ext->head) move in it. Each activation that the scheduler calls begins a segment at the present T. The entries of a
 * segment are closures with an activation on this stack (ATTACHED, or at its bottom one RUNNING); the entries between segments are
 * READY closures without one: put there by a release, or a slow clone's that stayed for a delivery (`kept`). Thieves take from H whatever is there, so older work goes first.
 *
 * E is written under the worker's lock only, always by cilk_exc_update or by a thief's claim. */
#define _GNU_SOURCE
#include "internal.h"

#include <sys/mman.h>
#include <unistd.h>

#define EXC_ALWAYS ((cilk_closure **)UINTPTR_MAX)

/* For a worker whose thread is not there yet. */
size_t cilk_deque_reserve(cilk_worker_ext *x, size_t entries, size_t most)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t bytes = (entries * sizeof(cilk_closure *) + page - 1) / page * page;
  if (bytes > most)
    bytes = most / page * page;
  char *map = MAP_FAILED;
  for (;; bytes = bytes / 2 / page * page) {   /* where address space is short, a shallower one does */
    map = bytes ? mmap(NULL, bytes + CILK_GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    if (!bytes || (map != MAP_FAILED && mprotect(map, bytes, PROT_READ | PROT_WRITE) == 0))
      break;
    if (map != MAP_FAILED)
      munmap(map, bytes + CILK_GUARD_BYTES);
  }
  if (map == MAP_FAILED)
    cilk_fatal("no memory for a deque of %zu entries; see --stack", entries);
  x->deque_map = map;
  x->deque_map_bytes = bytes + CILK_GUARD_BYTES;
  x->deque = (cilk_closure **)(void *)map;
  x->deque_end = (cilk_closure **)(void *)(map + bytes);
  return bytes + CILK_GUARD_BYTES;
}

void cilk_deque_create(cilk_worker *w)
{
  cilk_worker_ext *x = w->ext;
  store_relaxed(&x->head, x->deque);
  store_relaxed(&w->tail, x->deque);
  store_relaxed(&w->exc, x->deque);
}

void cilk_deque_destroy(cilk_worker_ext *x) { munmap(x->deque_map, x->deque_map_bytes); }

/* The segment that the entry at `place` belongs to, if it has an activation; lock held. */
cilk_segment *cilk_segment_at(cilk_worker_ext *x, cilk_closure **place)
{
  cilk_segment *s = x->seg;
  while (s && s->base > place)
    s = s->outer;
  return s;
}

/* Lock held. The value that E has while no thief claims: beyond every T when somebody wants the owner's attention, or the segment
 * unwinds or is being released; one above the place of the bottom closure when that is no longer what the slow clone pushed; else H. */
void cilk_exc_update(cilk_worker *w)
{
  cilk_worker_ext *x = w->ext;
  cilk_segment *s = x->seg;
  cilk_closure **head = load_relaxed(&x->head), **e = head;
  if (x->signal || x->requester || (s && (s->unwinding || s->releasing)) || x->ctx->policy->force_pop)
    e = EXC_ALWAYS;
  else if (s && s->kept && s->base + 1 > head)
    e = s->base + 1;
  store_relaxed(&w->exc, e);              /* read by the owner's pops only */
}

void cilk_segment_begin(cilk_worker *w, cilk_segment *s, cilk_link *link, cilk_closure *full)
{
  cilk_worker_ext *x = w->ext;
  memset(s, 0, sizeof *s);
  s->base = load_relaxed(&w->tail);
  s->link = link;
  s->full = full;
  s->slow = full != NULL;
  cilk_worker_lock(w);
  if (load_relaxed(&x->head) > s->base)   /* inside an unwinding segment that was stolen from: H stands above T */
    store_relaxed(&x->head, s->base);
  s->outer = x->seg;
  x->seg = s;
  if (x->signal || x->ctx->policy->force_pop)
    store_relaxed(&w->release, 1u);       /* the signal came before the code it is for */
  cilk_exc_update(w);
  cilk_worker_unlock(w);
}

void cilk_segment_end(cilk_worker *w, cilk_segment *s)
{
  cilk_worker_ext *x = w->ext;
  cilk_worker_lock(w);
  cilk_check(x->seg == s);
  if (x->requester)                       /* what lies below this segment is there for the taking */
    cilk_serve(w, s->base);
  if (s->unwinding)
    store_relaxed(&w->release, 0u);       /* it was kept up for the older frames; a signal since then is still in x->signal */
  cilk_closure **t = s->base + s->kept;
  store_release(&w->tail, t);             /* pairs with the thief's acquire, for what lies below */
  if (load_relaxed(&x->head) > t)
    store_relaxed(&x->head, t);
  x->seg = s->outer;
  cilk_exc_update(w);
  cilk_worker_unlock(w);
}

/* Pushes READY closures; no segment is running above T. Thieves may take them as soon as T is stored. */
void cilk_deque_push_ready(cilk_worker *w, cilk_closure *oldest_first[], size_t n)
{
  cilk_closure **t = load_relaxed(&w->tail);
  if ((size_t)(w->ext->deque_end - t) < n)
    cilk_fatal("the ready deque is full (--stack sets its depth); infinite recursion?");
  for (size_t i = 0; i < n; i++)
    t[i] = oldest_first[i];
  store_release(&w->tail, t + n);         /* pairs with the thief's acquire load of T in cilk_steal */
}

/* The owner's pop between segments. The lock keeps thieves out, so no Dekker is needed. */
cilk_closure *cilk_deque_pop_ready(cilk_worker *w, cilk_closure **floor)
{
  cilk_worker_ext *x = w->ext;
  cilk_closure *c = NULL;
  if (load_relaxed(&w->tail) == floor)
    return NULL;
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
