/* seat_stack.h - the C stack and the deque of an engine's seat.
 *
 * A worker that sits down in an engine changes to a stack and a deque of its own for that seat. So an engine can be
 * paused while C code waits in it (Cilk_wait, a call from C, a run of another engine). The frames stay where they are,
 * the seat is *set aside*, and the worker goes on with the loop below. Only the thread of that worker may go on with
 * these frames: when the engine runs again, the seat is *due* on that worker. A stack belongs to its worker for ever,
 * and serves other seats later.
 *
 * `ground` has the worker's fields of the other side. While the stack is in use, that is the side below. While its seat
 * is set aside, it is the stack's own. Other threads read `worker` only. PROTOCOLS.md, section 13. */
#ifndef CILK_RT_SEAT_STACK_H
#define CILK_RT_SEAT_STACK_H

#include "nest/nest.h"

/* What a worker has on one stack: fields of cilk_worker and cilk_worker_ext. */
typedef struct cilk_ground {
  cilk_memory memory;
  cilk_closure **head, **tail, **floor;
  struct cilk_segment *seg, *loop;
  cilk_team *team;
  struct cilk_seat *seat, *seat_floor;
  struct cilk_root_run *called, *waiting, *inlet;
  const struct cilk_segment *inlet_above;
  const uint32_t *until;
  bool outside;
  struct cilk_seat_stack *stack;
} cilk_ground;

typedef struct cilk_seat_stack {
  cilk_worker *worker;             /* constant while it has a seat */
  cilk_memory memory;              /* constant */
  cilk_ground ground;
  cilk_seat *seat;                 /* NULL: it is on the free list, or soon will be */
  bool runs;                       /* it has C frames, or the loop below is about to return to it */
  /* where the first loop of C code on it keeps the seat_floor from before; NULL: there is no such loop */
  cilk_seat **first;
  const uint32_t *flag;            /* of the loop below */
  uint32_t value;
  void (*run)(struct cilk_seat_stack *st);
  void *here, *below;              /* stack pointers: where its code goes on; where the code below goes on */
  struct cilk_seat_stack *top;     /* the stack that `here` is on: this stack, or one above it */
  void *fiber, *fiber_below;       /* ThreadSanitizer's, of this stack, and of `below` */
  struct cilk_seat_stack *next;    /* in the worker's free list */
  struct cilk_seat_stack *other;   /* in the list of all of a worker */
} cilk_seat_stack;

/* `until` of a worker at the bottom of such a stack: the loop below says until when. */
extern const uint32_t cilk_until_below;

/* one for s, with its ground as s finds it */
cilk_seat_stack *cilk_seat_stack_take(cilk_worker *w, cilk_seat *s);
/* the seat was left: for another one, when no code runs on it */
void cilk_seat_stack_drop(cilk_seat_stack *st);
/* the worker's fields and its ground change places; nothing of the worker's is in hand */
void cilk_seat_stack_exchange(cilk_seat_stack *st);
/* From the code of `here` (NULL: the thread's own stack) to the stack above it: that runs `run`, or goes on. Returns
 * when its seat is left, or set aside. */
void cilk_seat_stack_go(cilk_worker *w, const cilk_seat_stack *here, const uint32_t *flag, uint32_t value,
    void (*run)(cilk_seat_stack *st));
/* From the code of `top`, st or a stack above it, to the code below st. Returns at the next cilk_seat_stack_go. */
void cilk_seat_stack_away(cilk_seat_stack *st, cilk_seat_stack *top);
/* another loop is below st, with that seat_floor */
void cilk_seat_stack_rebase(cilk_seat_stack *st, cilk_seat_stack *top, cilk_seat *floor);

/* Seats that were set aside. */
void cilk_seat_owe(cilk_seat *s);                       /* s is due on its worker; seats_lock is held */
/* makes a seat of n due, and returns its worker; NULL: there is no such seat, or n is paused */
cilk_worker *cilk_seat_of_aside(cilk_nest *n);
/* a seat that is due on w, and that w may enter from where it is; or NULL */
cilk_seat *cilk_seat_due(cilk_worker *w);
/* The outermost seat that w must set aside before it can enter one that is due. NULL: none, or all seats that are due
 * had a turn in vain. */
cilk_seat *cilk_seat_in_the_way(cilk_worker *w);
/* must w leave what runs, and w->ext->leave if that is set, for a seat that is due? */
bool cilk_seat_wanted(cilk_worker *w);

#endif
