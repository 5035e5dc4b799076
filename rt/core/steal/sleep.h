/* sleep.h - idle workers: parking, waking, the census. */
#ifndef CILK_RT_SLEEP_H
#define CILK_RT_SLEEP_H

#include "data/context.h"
#include "data/root.h"

/* What wakes workers. cilk_unpark wakes a given worker; cilk_announce, after work became visible, a worker that may
 * search; cilk_open the first thief of a computation; cilk_dismiss the watcher when a computation ends. */
void cilk_unpark(cilk_worker *w);
typedef struct cilk_waiting {
  int n;
  cilk_worker *workers[CILK_WAITING_NAMES];
} cilk_waiting;
/* lists the workers that wait for this computation, which is alive: they are woken by name */
void cilk_waiting_for(cilk_waiting *list, cilk_context *ctx, const cilk_root_run *run);
/* a part of a computation can be stolen; the computation may be over by now */
void cilk_announce(cilk_context *ctx, const cilk_waiting *waiting);
void cilk_open(cilk_context *ctx);                                          /* the present computation, to thieves */
/* in a replay: to all of them, which come one by one */
void cilk_open_to_all(cilk_context *ctx);
/* the computation is over: the watcher need not watch */
void cilk_dismiss(cilk_context *ctx);

bool cilk_spin(bool (*until)(const void *), const void *what);              /* false: not within CILK_CALL_SPIN_NS */
bool cilk_freeze(cilk_worker *w);                                           /* stuck.c */
void cilk_thaw(cilk_worker *w);
void cilk_work_begin(cilk_worker *w);
void cilk_seating_begin(cilk_worker *w);                                    /* seats.c */
void cilk_seating_end(cilk_worker *w);
void cilk_work_end(cilk_worker *w);
/* instead of cilk_work_end: w rests or waits for the system, and does not look for work */
void cilk_withdraw(cilk_worker *w);
bool cilk_search_begin(cilk_worker *w);
void cilk_search_end(cilk_worker *w, bool found);
/* w was recruited, but runs something without a search: other workers have to search */
void cilk_search_decline(cilk_worker *w);
unsigned cilk_searching(cilk_context *ctx);
unsigned cilk_idle(cilk_context *ctx);
void cilk_park(cilk_worker *w, bool listed);
bool cilk_park_wait(cilk_worker *w, uint64_t ns);
bool cilk_park_leave(cilk_worker *w);
uint64_t cilk_watch(cilk_worker *w, uint64_t since, uint64_t *period);

#endif
