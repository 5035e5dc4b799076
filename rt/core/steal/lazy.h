/* lazy.h - when the lazy strategy releases. */
#ifndef CILK_RT_LAZY_H
#define CILK_RT_LAZY_H

#include "data/closure.h"

/* a context is made; is the program's strategy one that releases? */
bool cilk_hunger_init(void);
void cilk_hunger_arm(cilk_worker *thief);                                   /* thief: found nothing */
bool cilk_hunger_answer(cilk_worker *w, int point);                         /* victim: must this test release? */
void cilk_hunger_start(cilk_worker *w, uint64_t now);                       /* the worker enters a computation */
void cilk_hunger_resume(cilk_worker *w, uint64_t idle_ns);                  /* the worker found work */
void cilk_hunger_place(cilk_worker *w, const cilk_closure *c);              /* its slow clone goes on at its entry */

#endif
