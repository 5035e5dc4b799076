/* team.h - all schedulers, and a scheduler at work: the object that its `create` made
 * (<cilk-sched.h>). */
#ifndef CILK_RT_TEAM_H
#define CILK_RT_TEAM_H

#include "data/slots.h"


typedef struct cilk_team {
  /* any function may be NULL in it: then the runtime does what `steal` does (fiber.c); without `create` self is NULL */
  const Cilk_scheduler *sched;
  void *self;
  int vprocs;
  cilk_nest *nest; /* Cilk_with's (nest.h); NULL: the context's own, whose vprocs are the workers */
  /* nests within, with seats asleep that an idle worker may take; ctx->seats_lock, and `first` as a hint without it */
  cilk_nest *first, *last;
  /* debug build: how often next and find returned NULL since the last fiber; relaxed */
  uint32_t vain;
} cilk_team;

/* Makes the scheduler that `spec`, NAME or NAME:options, names. False if there is none: reported on stderr, with all
 * names, and with `orders` what --sched takes besides; `asker` asked. */
bool cilk_team_make(cilk_team *t, const char *spec, int vprocs, const char *asker, bool orders);
/* in a forked child: a new one. The old one is left as it is: its vprocs were cut off anywhere */
void cilk_team_again(cilk_team *t, const char *spec);
bool cilk_team_is_own(const cilk_team *t); /* one of rt/extensions/sched */
static inline void cilk_team_destroy(cilk_team *t) {
  if (t->sched && t->sched->destroy) t->sched->destroy(t->self);
  *t = (cilk_team){.sched = NULL};
}
extern const Cilk_scheduler cilk_sched_steal;
bool cilk_team_list(void); /* --sched=list, on stdout: false where it cannot be written */

#endif
