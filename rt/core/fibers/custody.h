/* custody.h - which fibers a scheduler has, and whether it withholds one that could run (custody.c). */
#ifndef CILK_RT_CUSTODY_H
#define CILK_RT_CUSTODY_H

#include "data/closure.h"
#include "data/team.h"

/* An idle worker, now and then: a message if all workers are idle although the scheduler has something that could
 * run. */
void cilk_custody_look(cilk_worker *w, const uint32_t *flag, uint32_t value);

/* Debug build: c comes into a scheduler's keeping; goes out of it, false if it was not there; so many times was it
 * asked in vain. */
#ifdef CILK_DEBUG
void cilk_custody_in(cilk_team *t, cilk_closure *c, Cilk_why why);
bool cilk_custody_out(const cilk_closure *c);
/* by `next` or `find`: it must have been there */
void cilk_custody_returned(const cilk_team *t, const cilk_closure *c);
void cilk_custody_vain(cilk_team *t);
/* onto a Cilk_queue, off it */
void cilk_custody_queued(const cilk_closure *c, bool on);
#else
static inline void cilk_custody_in(cilk_team *t, cilk_closure *c, Cilk_why why) { (void)t, (void)c, (void)why; }
static inline bool cilk_custody_out(const cilk_closure *c) { return (void)c, true; }
static inline void cilk_custody_returned(const cilk_team *t, const cilk_closure *c) { (void)t, (void)c; }
static inline void cilk_custody_vain(cilk_team *t) { (void)t; }
static inline void cilk_custody_queued(const cilk_closure *c, bool on) { (void)c, (void)on; }
#endif

#endif
