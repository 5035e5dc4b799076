/* abroad.h - what is done for other machines (rt/extensions/dist), where a program is linked for these. */
#ifndef CILK_RT_CILK1_ABROAD_H
#define CILK_RT_CILK1_ABROAD_H

#include "data/work_source.h"
#include "home.h"

typedef struct cilk1_abroad {
  const cilk_work_source *work_source;   /* in place of cilk1_work_source, which it calls */
  /* the result is there; by the worker that has it, before `active` falls for that */
  void (*over)(cilk1_run *run);
  cilk_future *(*offer)(const cilk_root *root, const void *args);   /* see offer.c */
  void (*taken)(cilk_future *f, void *to, size_t n);
} cilk1_abroad_table;

/* constant once the first computation begins; NULL: there is one machine */
extern const cilk1_abroad_table *cilk1_abroad;
extern const cilk_work_source cilk1_work_source;

#pragma GCC visibility push(default)
extern uint32_t cilk_rt_offers_wanted;       /* generated code reads it; relaxed */
cilk_future *cilk_rt_offer(const cilk_root *root, const void *args);
void cilk_rt_taken(cilk_future *f, void *to, size_t n);
#pragma GCC visibility pop

#endif
