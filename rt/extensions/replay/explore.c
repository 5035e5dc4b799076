/* explore.c - what a build with -cilk-explore calls (codegen/events/explore.cpp): points of user code, and functions
 * that wait in a way of their own. */
#define _GNU_SOURCE
#include "base/spin.h"
#include "replay/controlled_schedule.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>


CILK_SHARED void cilk_rt_point(uint32_t kind, const void *place, const cilk_point_site *site) {
  cilk_worker *w = cilk_me();
  if (w->id >= 0 && w->ext && w->ext->ctx->turns) cilk_turn_point(w, &(cilk_place){(int)kind, place, site});
}

/* Another worker goes on, if there is one. False: there are no turns. */
static bool others(int kind) {
  cilk_worker *w = cilk_me();
  if (w->id < 0 || !w->ext || !w->ext->ctx->turns) return false;
  if (kind == CILK_PLACE_YIELD) cilk_turn_point(w, &(cilk_place){kind, NULL, NULL});
  else cilk_spin_turn();
  return true;
}

#define WAITS(type, name, try, busy) \
  CILK_SHARED int cilk_rt_point_##name(type *p); \
  CILK_SHARED int cilk_rt_point_##name(type *p) { \
    int e; \
    while ((e = try(p)) != 0 && (busy)) \
      if (!others(CILK_PLACE_ATOMIC)) return name(p); \
    return e; \
  }
WAITS(pthread_mutex_t, pthread_mutex_lock, pthread_mutex_trylock, e == EBUSY)
WAITS(pthread_spinlock_t, pthread_spin_lock, pthread_spin_trylock, e == EBUSY)
WAITS(pthread_rwlock_t, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, e == EBUSY)
WAITS(pthread_rwlock_t, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, e == EBUSY)
WAITS(mtx_t, mtx_lock, mtx_trylock, e == thrd_busy)
WAITS(sem_t, sem_wait, sem_trywait, errno == EAGAIN)

/* ---- condition variables: a worker that waits lets others go on until one of them has woken it. A signal wakes the
 * one that has waited longest. */

struct waiter {
  const void *on;
  uint32_t woken;
  struct waiter *next;
};
static struct waiter *waiters;
static uint32_t waiters_lock;             /* a leaf; threads that are not workers signal, too */
enum { TIMES_OUT_AFTER = 1000 };          /* turns */

/* The waiters of `on`, the longest first, at most so many. */
static void wake(const void *on, int most) {
  cilk_spin_lock(&waiters_lock);
  for (struct waiter *a = waiters; a && most; a = a->next)
    if (a->on == on && !load_relaxed(&a->woken)) {
      store_release(&a->woken, 1u);       /* pairs with wait_on */
      most--;
    }
  cilk_spin_unlock(&waiters_lock);
}

static bool wait_on(const void *on, int most, pthread_mutex_t *m) {
  struct waiter me = {on, 0, NULL}, **at;
  cilk_spin_lock(&waiters_lock);
  for (at = &waiters; *at; at = &(*at)->next);
  *at = &me;
  cilk_spin_unlock(&waiters_lock);
  pthread_mutex_unlock(m);
  while (!load_acquire(&me.woken) && most-- && others(CILK_PLACE_ATOMIC));
  cilk_spin_lock(&waiters_lock);
  for (at = &waiters; *at != &me; at = &(*at)->next);
  *at = me.next;
  cilk_spin_unlock(&waiters_lock);
  cilk_rt_point_pthread_mutex_lock(m);
  return me.woken;
}

static bool has_turns(void) {
  cilk_worker *w = cilk_me();
  return w->id >= 0 && w->ext && w->ext->ctx->turns;
}

/* The types of <threads.h> are those of <pthread.h> under other names. */
#define CONDITION(prefix, type, mutex, late) \
  CILK_SHARED int cilk_rt_point_##prefix##_wait(type *c, mutex *m); \
  CILK_SHARED int cilk_rt_point_##prefix##_timedwait(type *c, mutex *m, const struct timespec *until); \
  CILK_SHARED int cilk_rt_point_##prefix##_signal(type *c); \
  CILK_SHARED int cilk_rt_point_##prefix##_broadcast(type *c); \
  CILK_SHARED int cilk_rt_point_##prefix##_wait(type *c, mutex *m) { \
    return has_turns() ? (wait_on(c, -1, (pthread_mutex_t *)m), 0) : prefix##_wait(c, m); \
  } \
  CILK_SHARED int cilk_rt_point_##prefix##_signal(type *c) { return wake(c, 1), prefix##_signal(c); } \
  CILK_SHARED int cilk_rt_point_##prefix##_broadcast(type *c) { return wake(c, -1), prefix##_broadcast(c); } \
  CILK_SHARED int cilk_rt_point_##prefix##_timedwait(type *c, mutex *m, const struct timespec *until) { \
    return !has_turns()                                        ? prefix##_timedwait(c, m, until) \
           : wait_on(c, TIMES_OUT_AFTER, (pthread_mutex_t *)m) ? 0 \
                                                               : (late); \
  }
CONDITION(pthread_cond, pthread_cond_t, pthread_mutex_t, ETIMEDOUT)
CONDITION(cnd, cnd_t, mtx_t, thrd_timedout)

CILK_SHARED unsigned cilk_rt_point_sleep(unsigned s);
CILK_SHARED int cilk_rt_point_usleep(useconds_t us);
CILK_SHARED int cilk_rt_point_nanosleep(const struct timespec *time, struct timespec *left);
CILK_SHARED int cilk_rt_point_sched_yield(void);
CILK_SHARED void cilk_rt_point_thrd_yield(void);
CILK_SHARED unsigned cilk_rt_point_sleep(unsigned s) { return others(CILK_PLACE_YIELD) ? 0 : sleep(s); }
CILK_SHARED int cilk_rt_point_usleep(useconds_t us) { return others(CILK_PLACE_YIELD) ? 0 : usleep(us); }
CILK_SHARED int cilk_rt_point_nanosleep(const struct timespec *time, struct timespec *left) {
  return others(CILK_PLACE_YIELD) ? 0 : nanosleep(time, left);
}
CILK_SHARED int cilk_rt_point_sched_yield(void) { return others(CILK_PLACE_YIELD) ? 0 : sched_yield(); }
CILK_SHARED void cilk_rt_point_thrd_yield(void) {
  if (!others(CILK_PLACE_YIELD)) sched_yield();
}
