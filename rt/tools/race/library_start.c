/* library_start.c - <cilk-start.h>: which bag a handle represents (bags.c). A wait for it puts all that the computation
 * did before the waiter (a join edge). */
#include <stdlib.h>
#include "library.h"
#include "rt/core/abi.h"
#include "rt/core/base/array.h"

struct cilk_computation;
struct cilk_computation *cilk_rt_started(void);
struct cilk_computation *cilk_rt_with(const char *, int);
struct cilk_computation *cilk_rt_engine(const char *, int);
struct cilk_computation *cilk_rt_start_with(const void *);
int Cilk_wait(struct cilk_computation *, void *);

static struct handle {
  struct cilk_computation *computation;
  node bag;
} *handles;
static size_t handle_count, handle_room;

static void bags(void (*visit)(node *)) {
  for (size_t i = 0; i < handle_count; i++) visit(&handles[i].bag);
}

static struct cilk_computation *started(struct cilk_computation *c) {
  race_started_bags = bags;
  if (!CILK_ROOM_FOR(handles, handle_count, handle_room, 64)) race_die("out of memory");
  handles[handle_count++] = (struct handle){c, race_started_bag()};
  return c;
}

struct cilk_computation *cilk_race_libc_cilk_rt_started(void) { return started(cilk_rt_started()); }
struct cilk_computation *cilk_race_libc_cilk_rt_with(const char *scheduler, int vprocs) {
  return started(cilk_rt_with(scheduler, vprocs));
}

struct cilk_computation *cilk_race_libc_cilk_rt_engine(const char *scheduler, int vprocs) {
  return started(cilk_rt_engine(scheduler, vprocs));
}

struct cilk_computation *cilk_race_libc_cilk_rt_start_with(const void *attributes) {
  return started(cilk_rt_start_with(attributes));
}

int cilk_race_libc_Cilk_wait(struct cilk_computation *c, void *result) {
  for (size_t i = handle_count; i--;) /* the last ones are waited for first, as a rule */
    if (handles[i].computation == c) {
      race_waited_for(handles[i].bag);
      handles[i] = handles[--handle_count];
      break;
    }
  if (result) writes(result, cilk_rt_serial_size(c));
  return Cilk_wait(c, result);
}

/* Here an engine runs to its end at once. */
int cilk_race_libc_Cilk_engine_run(struct cilk_computation *c, long long ns, void *result) {
  (void)ns;
  return cilk_race_libc_Cilk_wait(c, result);
}
