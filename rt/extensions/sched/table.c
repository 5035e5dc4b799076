/* table.c - the schedulers of sched.def, for data/team.c, which has the first one itself. */
#include "data/slots.h"

#define CILK_SCHED(id) extern const Cilk_scheduler cilk_sched_##id;
#include "sched/sched.def"
#undef CILK_SCHED

const Cilk_scheduler *cilk_more_schedulers(int i) {
  static const Cilk_scheduler *const all[] = {
#define CILK_SCHED(id) &cilk_sched_##id,
#include "sched/sched.def"
#undef CILK_SCHED
      NULL};
  return all[i + 1];
}
