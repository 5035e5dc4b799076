/* home.h - what one worker has of one computation of Cilk-1, and the computation itself.
 *
 * Guarded by the lock of the worker's pools (`cilk1.lock` of the worker): the list of its pools, and of each
 * the public list. Only a computation's lock is taken under it. The rest is the owner's, but for the inbox and
 * `attention`. */
#ifndef CILK_RT_CILK1_HOME_H
#define CILK_RT_CILK1_HOME_H

#include "data/context.h"
#include "data/root.h"
#include "data/worker.h"
#include "cilk1.h"

typedef struct cilk1_home cilk1_home;

/* A computation: one call of a thread from C or Cilk-5. */
typedef struct cilk1_run {
  cilk_root_run *root;
  /* pools that are busy, messages and Cilk-5 procedures under way; seq_cst: the worker that brings it to 0 ends the
   * computation */
  uint32_t active;
  uint32_t lock;                           /* homes, called, large; a leaf */
  cilk1_home *homes;                       /* all of its pools, by ->of_run */
  size_t size;                             /* of the result */
  void *result;                            /* where it is kept until the end; written before `active` falls */
  bool sent;                               /* the same */
  uint32_t guests;                         /* it runs work of another machine, too; relaxed */
  struct cilk1_called *called;             /* Cilk-5 procedures under way; lock */
  cilk1_thread thread;                     /* that waits for the result */
  struct cilk1_simulation *simulation;     /* NULL: real */
  cilk1_home *now;                         /* simulator: whose thread runs */
  cilk1_closure **large;                   /* closures larger than free lists have; lock */
  size_t nlarge, large_room;
} cilk1_run;

/* A message from one worker to another. */
typedef struct cilk1_message {
  struct cilk1_message *next;
  enum { CILK1_SEND, CILK1_POST, CILK1_PLACE, CILK1_DO } kind;
  /* DO: by the receiver, of whose worker the pool is h's meanwhile */
  void (*act)(cilk1_home *h, struct cilk1_message *m);
  cilk1_closure *closure;                  /* POST, PLACE: ready, the receiver's from now on */
  cilk_cont k;                             /* SEND */
  uint64_t stamp;
  size_t size;
  char value[];
} cilk1_message;

struct cilk1_home {
  cilk1_pool pool;                         /* the hot part; first */
  cilk1_run *run;
  cilk_worker *worker;                     /* the owner; constant */
  cilk1_home *of_worker, *of_run;          /* lists: the worker's (its lock), the run's (the run's lock) */
  uint32_t running;                        /* frames of run_pool on its stack; owner */
  bool busy;                               /* counted in run->active; owner */
  bool always;                             /* attention never goes down: measuring */
  bool closed;                             /* nothing need be published: one worker */
  bool forced;                             /* the policy treats some of what is taken as stolen */
  cilk1_closure *placed;                   /* ready, for this worker only; by ->next; owner */
  int64_t seen_gone;                       /* of `gone`, subtracted from closures already; owner */
  /* measuring (stamps.c) */
  /* the running thread: when its clock was started last, its length until then; its start on the longest path */
  uint64_t began, so_far, stamp;
  uint64_t work, span;
  struct cilk1_row *tally;                 /* tally.c */
  uint32_t node;                           /* record.c: of the running thread */
  cilk1_closure **known;                   /* waiting.c; owner */
  size_t nknown, known_room;
  uint32_t tallied, tally_room;
  /* simulator: this is a virtual processor */
  uint32_t virtual;
  uint32_t in_vain;                       /* attempts in its own rank, since the last one elsewhere */
  uint64_t clock, requests, steals, sends;
  cilk1_closure *hand;                     /* stolen, to be run at `clock`: no thief may have it */
  /* written by others */
  /* public: ready closures, oldest first, by ->next; lock; `first` read as a hint */
  cilk1_closure *first __attribute__((aligned(64))), *last;
  /* another machine wants something (abroad.h), and the public list has nothing that travels; relaxed */
  uint32_t asked;
  int64_t gone;                            /* closures that have left so far; atomic add, relaxed */
  /* youngest first; pushed by anybody (seq_cst CAS), emptied by the owner (exchange) */
  cilk1_message *inbox;
};

static inline cilk1_home *cilk1_home_of(cilk1_pool *p) { return (cilk1_home *)(void *)p; }

/* Asks the owner to look: the reason is stored before. By a read-modify-write, as the owner's cilk1_answer takes it
 * down: a store that covers another one's would hide what came with that. */
static inline void cilk1_want(cilk1_home *h) {
  (void)__atomic_exchange_n(&h->pool.attention, CILK1_WANTED, __ATOMIC_RELEASE);
}

/* home.c: the owner's */
/* the worker's pool of that computation, made if there is none; run is active */
cilk1_home *cilk1_home_get(cilk_worker *w, cilk1_run *run);
cilk1_home *cilk1_home_new(cilk_worker *w, cilk1_run *run);                /* one more of them */
void cilk1_home_free(cilk1_home *h);
void cilk1_level_room(cilk1_pool *p, uint32_t level);
/* at any level; and shows it to thieves if they see nothing */
void cilk1_post_any(cilk1_home *h, cilk1_closure *c);
cilk1_closure *cilk1_take_deepest(cilk1_pool *p);                          /* NULL: none */
cilk1_closure *cilk1_take_shallowest(cilk1_pool *p, uint64_t now);         /* of those that are ready by then */
cilk1_closure *cilk1_take_public(cilk1_home *h);                           /* the owner's own, the youngest */
/* publishes the shallowest, if thieves see nothing */
void cilk1_show(cilk1_home *h, bool all);
void cilk1_publish(cilk1_home *h, cilk1_closure *c);                       /* c, in hand, is for anybody */
void cilk1_leave(cilk1_home *h);                                           /* one of its closures has left */
void cilk1_enter(cilk1_home *h, cilk1_closure *c);                         /* c has come */
void cilk1_count_gone(cilk1_home *h);
/* c may leave: what its continuations refer to is shared from now on */
void cilk1_share(cilk1_home *h, cilk1_closure *c);
void cilk1_release(cilk1_closure *c);                                      /* gives its memory back */

/* Where memory is checked, all of it comes from the C library. */
static inline bool cilk1_is_large(uint32_t size) {
#ifdef CILK_ASAN
  (void)size;
  return true;
#else
  return (size - 1) / CILK_FREE_UNIT >= CILK_FREE_CLASSES;
#endif
}

/* Will its memory go to the process, and not to a free list of this worker? */
static inline bool cilk1_goes_to_all(const cilk1_closure *c) {
  return (c->flags & CILK1_FOREIGN) || cilk1_is_large(c->thread->size);
}

static inline void cilk1_most(cilk1_pool *p) {
  int64_t n = cilk1_alive(p);
  p->most = n > p->most ? n : p->most;
}

/* send.c */
/* attention: messages, then what thieves should see */
void cilk1_answer(cilk1_home *h, bool in_thread);
cilk1_message *cilk1_message_new(size_t size);
void cilk1_message_send(cilk1_home *to, cilk1_message *m);
void cilk1_send_through(cilk1_home *h, cilk_cont k, const void *value, size_t size, uint64_t stamp);

#ifdef CILK_DEBUG
bool cilk1_missing(const cilk1_closure *c, const cilk1_slot *s);           /* it waits for that argument */
#endif

/* waiting.c */
void cilk1_know(cilk1_home *h, cilk1_closure *c); /* c is memory that h did not have before */
cilk1_closure *cilk1_large_new(cilk1_run *run, size_t size);
void cilk1_large_free(cilk1_run *run, cilk1_closure *c, size_t size);
/* all is quiet: a line for each kind of closure that waits; text */
char *cilk1_waiting_threads(cilk1_run *run, char *text, size_t room);
size_t cilk1_forget_waiting(cilk1_run *run);

/* run.c */
/* it has something: the computation is not over */
void cilk1_busy(cilk1_home *h);
void cilk1_run_thread(cilk_worker *w, cilk1_home *h, cilk1_closure *c); /* c is in hand; h is w->pool */
uint64_t cilk1_active(cilk_context *ctx); /* the sum of `active`; UINT64_MAX: a message waits */
/* to and from `active`; at 0 the computation ends */
void cilk1_activity(cilk1_run *run, int by);

#endif
