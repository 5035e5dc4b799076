/* deque.c - the ready deque's memory, the segments on it, and E.
 *
 * The deque of a worker is one array of closure pointers in reserved virtual memory with a guard page after it; T
 * (cilk_self.tail) and H (ext->head) move in it. Each activation that the scheduler calls begins a segment at the
 * present T. The entries of a segment are closures with an activation on this stack (ATTACHED, or at its bottom one
 * RUNNING); the entries between segments are READY closures without one: put there by a release, or a slow clone's that
 * stayed for a delivery (`kept`). Thieves take from H whatever is there, so older work goes first.
 *
 * E is written under the worker's lock only, always by cilk_exc_update or by a thief's claim. */
#define _GNU_SOURCE
#include "data/deque.h"
#include "data/context.h"
#include "base/fault.h"
#include "data/policy.h"

#include <sys/mman.h>
#include <unistd.h>

#define EXC_ALWAYS ((cilk_closure **)UINTPTR_MAX)

/* For a worker whose thread is not there yet. */
size_t cilk_deque_reserve(cilk_memory *m, size_t entries, size_t most) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t bytes = (entries * sizeof(cilk_closure *) + page - 1) / page * page;
  if (bytes > most) bytes = most / page * page;
  char *map = MAP_FAILED;
  for (;; bytes = bytes / 2 / page * page) {   /* where address space is short, a shallower one does */
    map = bytes && !CILK_FAILS(MMAP)
              ? mmap(NULL, bytes + CILK_GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
              : MAP_FAILED;
    if (!bytes || (map != MAP_FAILED && mprotect(map, bytes, PROT_READ | PROT_WRITE) == 0)) break;
    if (map != MAP_FAILED) munmap(map, bytes + CILK_GUARD_BYTES);
  }
  if (map == MAP_FAILED) cilk_fatal("no memory for a deque of %zu entries; see --stack", entries);
  m->deque_map = map;
  m->deque_map_bytes = bytes + CILK_GUARD_BYTES;
  m->deque = (cilk_closure **)(void *)map;
  m->deque_end = (cilk_closure **)(void *)(map + bytes);
  return bytes + CILK_GUARD_BYTES;
}

void cilk_deque_create(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  x->memory = x->own;
  store_relaxed(&x->head, x->own.deque);
  store_relaxed(&w->tail, x->own.deque);
  store_relaxed(&w->exc, x->own.deque);
}

void cilk_deque_destroy(cilk_memory *m) { munmap(m->deque_map, m->deque_map_bytes); }

/* The segment that the entry at `place` belongs to, if it has an activation; lock held. */
cilk_segment *cilk_segment_at(cilk_worker_ext *x, cilk_closure **place) {
  cilk_segment *s = x->seg;
  while (s && s->base > place) s = s->outer;
  return s;
}

/* Lock held. The value that E has while no thief claims: beyond every T when a thread wants the owner's attention, or
 * the segment unwinds or is being released; one above the place of the bottom closure when that is no longer what the
 * slow clone pushed; else H. */
void cilk_exc_update(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_segment *s = x->seg;
  cilk_closure **head = load_relaxed(&x->head), **e = head;
  if (x->signal || x->requester || (s && (s->unwinding || s->releasing))) e = EXC_ALWAYS;
  else if (s && s->kept && s->base + 1 > head) e = s->base + 1;
  store_relaxed(&x->exc, e);
  /* Read by the owner's pops only. Release: a thief that has looked at the head's segment (may_take_head) and leaves
   * the entry has read before the owner has it back, which writes there. Pairs with the pop's load of E; where that is
   * relaxed, all that the owner then writes depends on it. */
  store_release(&w->exc, x->ctx->policy->every ? EXC_ALWAYS : e);
}
