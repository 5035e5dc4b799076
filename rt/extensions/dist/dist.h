/* dist.h - several machines: what one rank knows (docs/travel.md).
 *
 * A *rank* is a process of the program. Rank 0 runs main; the others serve until it is over. A rank whose workers have
 * nothing asks a rank drawn at random for a closure. That *victim* gives the shallowest ready one whose thread is
 * marked, keeps it, and remembers it as *given*: by number, with the continuations that were in it. The *thief* has a
 * closure for each of these that waits for one value and, when it has come, sends it home. So on both sides threads,
 * continuations and sends are as always. When a rank dies, others do again what they had given to it.
 *
 * The courier's thread alone talks to the transport. `lock` guards the letters and what was given; it is a leaf, but
 * for the pool of closures. */
#ifndef CILK_RT_DIST_H
#define CILK_RT_DIST_H

#include "cilk1/abroad.h"
#include "dist/transport.h"
#include "dist/wire.h"

enum {
  CILK_MOST_CONTS = 64,              /* in one closure that travels: a bit for each */
  CILK_MOST_LEVEL = 1 << 20
};

/* Statistics of this rank, which its last message carries. Owner: the courier; the counters are relaxed atomics. */
typedef struct cilk_rank_stats {
  uint64_t threads, requests, steals, given, again, refused, messages, bytes, work_bytes, lost, processor_us;
} cilk_rank_stats;

typedef struct cilk_dist {
  int rank, size;
  cilk_context *ctx;                      /* set when the workers are there */
  int workers;                            /* that run the program: --nproc */
  cilk1_run *serves;                      /* ranks but 0: the computation of what they have taken; atomic */
  uint32_t program;                       /* a number of what can travel */
  pthread_mutex_t lock;
  uint32_t hungry[CILK_MAX_PROC];         /* workers that have found nothing here; atomic */
  cilk_rank_stats stats;
} cilk_dist;
extern cilk_dist cilk_dist_here;

static inline void cilk_dist_count(uint64_t *of, uint64_t n) { __atomic_fetch_add(of, n, __ATOMIC_RELAXED); }

/* remote.c: the table of what can travel, between marks that the linker sets. */
extern const cilk_remote __start_cilk_remote[] __attribute__((weak, visibility("hidden")));
extern const cilk_remote __stop_cilk_remote[] __attribute__((weak, visibility("hidden")));
void cilk_remote_begin(void);             /* checks it; ends the process where it cannot be */
bool cilk_remote_procedures(void);        /* some are procedures of Cilk-5 */
int64_t cilk_remote_index(const void *what);               /* -1: it does not travel */
const void *cilk_remote_at(uint32_t index, uint64_t kind); /* NULL: there is none */

/* give.c: the victim. */
bool cilk_give(int to);                   /* false: nothing to give is to be seen */
void cilk_give_wanted(void);              /* asks the workers to show what travels */
const char *cilk_given_value(int from, const cilk_wire *m, const char *value);   /* NULL, or what is wrong with it */
void cilk_given_back(int from, uint64_t id);               /* that rank does not run it */
void cilk_given_lost(int to);             /* the rank is dead */
bool cilk_given_any(void);
uint64_t cilk_given_text(char *text, size_t room);          /* how many others have; which, in lines */
void cilk_given_over(cilk1_run *run);     /* its result is there */

/* offer.c: procedures of Cilk-5. */
#define CILK_OFFER_ID ((uint64_t)1 << 63) /* in the numbers of what was given: it is a call of a procedure */
int cilk_envoys(void);                    /* how many more workers there are to be */
cilk_future *cilk_offer(const cilk_root *root, const void *args);
void cilk_offer_taken(cilk_future *f, void *to, size_t n);
void cilk_offers_ask(bool wanted);        /* a rank asks, and there is nothing; or none asks any more */
void cilk_offers_look(void);              /* now and then */
bool cilk_offers_open(void);
bool cilk_offer_give(int to);             /* as cilk_give */
const char *cilk_offer_value(int from, const cilk_wire *m, const char *value);
void cilk_offers_again(int to, uint64_t id);               /* id 0: all that the rank has */
void cilk_call_came(const cilk_root *root, const char *args, int from, uint64_t id);
void cilk_call_cancel(int from, uint64_t id);
void cilk_call_own(const cilk_worker *w);
bool cilk_calls_any(void);

/* take.c: the thief. */
void cilk_send_home(int to, uint64_t id, uint32_t index, const void *value, uint32_t size);
extern const cilk_work_source cilk_dist_work_source;
int cilk_hungry(int *one);
bool cilk_take_wanted(void);              /* a worker has nothing, and could run something */
const char *cilk_take(int from, const cilk_wire *m, const char *payload);
uint32_t cilk_room_of(const cilk1_closure *c);
cilk_cont cilk_nowhere(cilk_worker *w, uint32_t room, uint32_t level);   /* takes a value, and drops it */

/* hello.c: the courier's. The first message to each rank; it returns its length. */
enum { CILK_HELLO_ROOM = 512 };
typedef enum cilk_welcome { CILK_WELCOME, CILK_DAMAGED, CILK_UNLIKE } cilk_welcome;
size_t cilk_hello(char *text, bool ready);
bool cilk_hello_is(const char *message, size_t n);
cilk_welcome cilk_hello_check(int from, const char *message, size_t n, char *why, size_t room);

/* stuck.c: the courier's. What it has sent and got; now and then, rank 0; what comes of that. */
void cilk_stuck_sent(uint32_t kind);
void cilk_stuck_got(uint32_t kind);
void cilk_stuck_ask(uint64_t now);
void cilk_stuck_answer(uint64_t id);
const char *cilk_stuck_state(const cilk_wire *m, const char *payload);

/* courier.c */
bool cilk_letters_wait(void);
void cilk_courier_begin(void);            /* returns when the ranks are there */
/* the workers are there, too; NULL: there will be none, and the program ends */
void cilk_courier_workers(cilk_context *ctx);
/* rank 0: main is over; returns when the others have reported. Other ranks: nothing */
void cilk_courier_end(void);
void cilk_letter(int to, cilk_wire head, const void *payload);   /* any thread */

#endif
