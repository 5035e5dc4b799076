/* The states of a closure: the checked build ends the process at a change that is not in the list of transitions. */
#include "stage.h"

#include <sys/wait.h>

/* Does a closure in the state `is` survive that change? In a process of its own. */
static bool survives(uint32_t is, uint32_t from, uint32_t to) {
  frame *f = full(&run.link, 0, is);
  pid_t child = fork();
  if (!child) {
    freopen("/dev/null", "w", stderr);
    cilk_closure_change(&f->h, from, to);
    _exit(state(f) == to ? 0 : 1);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child);
  return status == 0;
}

#ifdef CILK_DEBUG
enum { CHECKED = true };
#else
enum { CHECKED = false };
#endif

SCENARIO(a_change_of_state_that_is_not_listed_ends_the_process) {
  static const uint32_t wrong[][2] = {
      {CILK_READY, CILK_RUNNING},         /* no worker has taken it */
      {CILK_READY, CILK_SUSPENDED}, {CILK_SUSPENDED, CILK_RUNNING},
      {CILK_SUSPENDED, CILK_TAKEN},       /* only what is READY can be taken */
      {CILK_DELIVERING, CILK_RUNNING},    /* a delivery excludes its threads */
      {CILK_DELIVERING, CILK_TAKEN}, {CILK_HANDED, CILK_READY},          /* it is on no deque any more */
      {CILK_RUNNING, CILK_READY}, {CILK_RETURNED, CILK_READY}, {CILK_RETURNED, CILK_ATTACHED}, /* the pool does that */
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    EXPECT(survives(wrong[i][0], wrong[i][0], wrong[i][1]) == !CHECKED);
}

SCENARIO(a_change_from_another_state_ends_the_process) {
  EXPECT(survives(CILK_READY, CILK_READY, CILK_TAKEN));
  EXPECT(survives(CILK_DELIVERING, CILK_READY, CILK_TAKEN) == !CHECKED);
  EXPECT(survives(CILK_RUNNING, CILK_RUNNING, CILK_SUSPENDED));
  EXPECT(survives(CILK_TAKEN, CILK_RUNNING, CILK_SUSPENDED) == !CHECKED);
}
