/* explore.c - what a build with -cilk-explore calls (codegen/events/explore.cpp): points of user code, and functions that wait in a way of their own. */
#define _GNU_SOURCE
#include "base/spin.h"
#include "replay/turn.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>


CILK_SHARED void cilk_rt_point(uint32_t kind, const void *place, const cilk_point_site *site)
{
  cilk_worker *w = cilk_me();
  if (w->id >= 0 && w->ext && w->ext->ctx->turns)
    cilk_turn_point(w, &(cilk_place){ (int)kind, place, site });
}

/* Another worker goes on, if there is one. False: there are no turns. */
static bool others(int kind)
{
  cilk_worker *w = cilk_me();
  if (w->id < 0 || !w->ext || !w->ext->ctx->turns)
    return false;
  if (kind == CILK_PLACE_YIELD)
    cilk_turn_point(w, &(cilk_place){ kind, NULL, NULL });
  else
    cilk_spin_turn();
  return true;
}

#define WAITS(type, name, try, busy) \
  CILK_SHARED int cilk_rt_point_##name(type *p); \
  CILK_SHARED int cilk_rt_point_##name(type *p) \
  { \
    int e; \
    while ((e = try(p)) != 0 && (busy)) \
      if (!others(CILK_PLACE_ATOMIC)) \
        return name(p); \
    return e; \
  }
WAITS(pthread_mutex_t, pthread_mutex_lock, pthread_mutex_trylock, e == EBUSY)
WAITS(pthread_spinlock_t, pthread_spin_lock, pthread_spin_trylock, e == EBUSY)
WAITS(mtx_t, mtx_lock, mtx_trylock, e == thrd_busy)
WAITS(sem_t, sem_wait, sem_trywait, errno == EAGAIN)

CILK_SHARED unsigned cilk_rt_point_sleep(unsigned s);
CILK_SHARED int cilk_rt_point_usleep(useconds_t us);
CILK_SHARED int cilk_rt_point_nanosleep(const struct timespec *time, struct timespec *left);
CILK_SHARED int cilk_rt_point_sched_yield(void);
CILK_SHARED void cilk_rt_point_thrd_yield(void);
CILK_SHARED unsigned cilk_rt_point_sleep(unsigned s) { return others(CILK_PLACE_YIELD) ? 0 : sleep(s); }
CILK_SHARED int cilk_rt_point_usleep(useconds_t us) { return others(CILK_PLACE_YIELD) ? 0 : usleep(us); }
CILK_SHARED int cilk_rt_point_nanosleep(const struct timespec *time, struct timespec *left) { return others(CILK_PLACE_YIELD) ? 0 : nanosleep(time, left); }
CILK_SHARED int cilk_rt_point_sched_yield(void) { return others(CILK_PLACE_YIELD) ? 0 : sched_yield(); }
CILK_SHARED void cilk_rt_point_thrd_yield(void)
{
  if (!others(CILK_PLACE_YIELD))
    sched_yield();
}
