/* link.h - a link: a child that is out.
 *
 * It is made when the parent is stolen, released, or detached from its activation, and consumed exactly once:
 * delivered, queued and delivered later, or dropped because it was aborted. It keeps its parent alive.
 * Constant: parent, entry, root, worker. Guarded by the parent's lock: child, next, prev, writes of `aborted`. */
#ifndef CILK_RT_LINK_H
#define CILK_RT_LINK_H

#include "base/base.h"

struct cilk_root_run;

struct cilk_link {
  cilk_closure *parent;            /* NULL for a root */
  const cilk_entry *entry;         /* of the spawn; NULL for a root */
  /* the computation that this child belongs to; it is the child itself when parent is NULL */
  struct cilk_root_run *root;
  cilk_worker *worker;             /* whose stack has the child's bottom activation while child is NULL */
  cilk_closure *child;             /* the child's closure once it is full; of a root until its result is there */
  cilk_link *next, *prev;          /* among parent's children, the youngest first, NULL ended */
  uint32_t aborted;                /* atomic; only ever set */
  uint32_t bytes;                  /* of this allocation */
  uint32_t result_offset;          /* of the place for the result, from the start of the link */
  uint8_t stage;                   /* below; parent's lock */
  bool joined;                     /* it counts no more in parent's join; parent's lock */
  uint64_t work, span;             /* -cilk-span: the child's totals, once it has returned */
  /* no child: the parent is suspended at a touch of this; it is the first of its children then */
  cilk_future *future;
  cilk_link *next_waiting;         /* of `future`'s waiters (its lock); or among parent's pending, a ring */
  /* the base of the child's places (child's lock); once it has returned, the map that it left (parent's lock) */
  struct cilk_views *views;
  /* the map that is right of the child in parent's order (places.c; parent's lock) */
  struct cilk_views *right;
};

/* A link stays among its parent's children as long as a map needs the place: */
enum {
  CILK_LINK_OUT,              /* its child is out */
  CILK_LINK_RETURNED,         /* the child has returned: the delivery waits, or runs; aborts do not come here */
  CILK_LINK_KEPT,             /* delivered, or dropped: the map of the child is here still */
  CILK_LINK_GONE
};           /* no place any more: it only counts in parent's join */

/* The map of a strand that has no views yet (views/views.h). */
#define CILK_NO_VIEWS ((struct cilk_views *)(uintptr_t)1)

enum { CILK_LINK_HEADER = 128 };   /* the record follows here, then the result, both 64-byte aligned */

static inline void *cilk_link_record(cilk_link *l) { return (char *)l + CILK_LINK_HEADER; }
static inline void *cilk_link_result(cilk_link *l) { return (char *)l + l->result_offset; }

/* A link from a child running on `worker` to `parent`, its record copied out of the parent's slots; in the computation
 * of `base`. */
cilk_link *cilk_link_new(cilk_closure *parent, cilk_worker *worker, const cilk_link *base);
void cilk_link_free(cilk_link *l);

#endif
