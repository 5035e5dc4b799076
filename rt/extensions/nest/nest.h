/* nest.h - a scheduler inside of another one: a computation that Cilk_with started, with a team of its own
 * (PROTOCOLS.md, section 13).
 *
 * The nested team has *seats*, as many as it may have vprocs. A seat is a fiber of the outer scheduler; a worker that
 * runs it sits down: from then on it asks the nested scheduler for fibers, until it has none, or the outer scheduler
 * wants the worker back. A worker's seats form a stack, the paper's stack of scheduler actions. A seat without a
 * worker is either in the outer scheduler's keeping or *asleep*: then a fiber that becomes ready inside hands it to the
 * outer scheduler, and idle workers look whether there is something to steal inside. When the computation is over the
 * seats are retired, each by its holder. The nest is freed with the last seat. */
#ifndef CILK_RT_NEST_H
#define CILK_RT_NEST_H

#include "data/computation.h"

typedef struct cilk_seat {
  struct cilk_nest *nest;          /* constant, as number, closure and link are */
  int number;                      /* Cilk_vproc_id of the worker that sits here */
  cilk_closure *closure;           /* its fiber; NULL: it is retired */
  cilk_link link;                  /* the closure's parent link, a root's */
  cilk_worker *worker;             /* in the seat, or NULL; atomic: release by that worker, acquire by thieves */
  cilk_closure *inbox;             /* what others sent (Cilk_post), as of a worker; seq_cst */
  struct cilk_seat *below;         /* where that worker sits in the outer team; NULL: that is the context's own */
  cilk_closure **floor;            /* ... and its floor there */
  uint64_t since;                  /* when it was last asked because the nested team's slice was over */
  /* among those of its nest that are asleep, or set aside; or that are due; ctx->seats_lock */
  struct cilk_seat *next;
  /* an engine's: on which a worker sits here, or where this seat was set aside (seat_stack.h); NULL: neither */
  struct cilk_seat_stack *stack;
} cilk_seat;

struct cilk_nest {
  cilk_team team;
  cilk_team *outer;                /* constant */
  /* between the computation and its group: the seats' root, a part of the outer team */
  cilk_root_run node;
  cilk_group *group;               /* it counts among its members */
  struct cilk_engine *engine;      /* fuel.h, or NULL; constant; a reference */
  cilk_closure *first;             /* the computation's first fiber, until a worker sits down; atomic */
  cilk_closure *orphans; /* its common pool (orphan.c), by ->next; ctx->orphan_lock, and a hint without it */
  uint32_t published; /* grows when something becomes ready inside; seq_cst, and before seats_lock */
  cilk_seat *asleep; /* seats, by ->next; seats_lock, and a hint without it */
  cilk_seat *aside; /* seats that were set aside and wait for fuel, by ->next; seats_lock */
  /* in the outer team's list, while it is `listed`: some seat sleeps, and it is not paused; seats_lock */
  cilk_nest *next, *before;
  bool listed;
  cilk_nest *other, **other_at; /* among all of the context; seats_lock */
  uint32_t over; /* the computation is; seq_cst */
  /* seats that are not retired, and those that keep it for a moment; acq_rel: the one that brings it to 0 frees it */
  uint32_t left;
  cilk_seat seats[];
};

/* ---- a seat is a closure of this signature, with the seat's address in its only slot ---- */
enum { CILK_SEAT_BYTES = CILK_CLOSURE_HEADER + CILK_FREE_UNIT };
extern const cilk_sig cilk_seat_sig;
static inline cilk_seat **cilk_seat_slot(cilk_closure *c) {
  return (cilk_seat **)(void *)((char *)c + CILK_CLOSURE_HEADER);
}

/* A nest for m, which no other thread knows yet, by that scheduler. The context's count of nests goes up. engine may be
 * NULL. */
cilk_nest *cilk_nest_new(cilk_computation *m, cilk_team *outer, const char *scheduler, int vprocs, cilk_worker *w,
    struct cilk_engine *engine);
/* From here on idle workers find all seats but the first asleep, of an engine the first, too: m may be over when this
 * returns, so it knows its nest before. */
void cilk_nest_open(cilk_nest *n);
void cilk_seat_retire(cilk_seat *s); /* no worker sits there, nor can find it */
/* false: something was published since, or it is over */
bool cilk_seat_sleep(cilk_seat *s, uint32_t seen);
/* it sleeps, or is set aside, if the nest is paused and not over */
bool cilk_seat_pause(cilk_seat *s);
/* all that were asleep, by ->next; seats_lock is held */
cilk_seat *cilk_nest_seats(cilk_nest *n);
/* a seat that was asleep (`this`; NULL: any), or NULL */
cilk_seat *cilk_seat_of_nest(cilk_nest *n, const cilk_seat *this);
/* the same, of any nest in which w could look for work now */
cilk_seat *cilk_seat_asleep(cilk_worker *w);
/* it was paused, or is so no more: idle workers look there, or not; seats_lock is held */
void cilk_nest_list(cilk_nest *n);
cilk_seat *cilk_seat_of(cilk_closure *c);

#endif
