/* system.c - the calls of the system that the runtime makes, in virtual time (the linker's --wrap sends them here).
 * Also here is what else is counted by calls: steals, and waiting for the runtime's locks.
 *
 * The machine has as many processors as LINES_WORKERS says. What is not here goes to the system as it is. */
#define _GNU_SOURCE
#include "lines.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <linux/futex.h>
#include <sys/syscall.h>

#define EPOCH 1000000000000u              /* when the first clock began: no time is 0 */
#define WHERE __builtin_return_address(0)

static uint64_t in_ns(const struct timespec *t) { return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec; }

/* ---- time ---- */

int __wrap_clock_gettime(clockid_t clock, struct timespec *t) {
  (void)clock;
  lines_pass(COST_CLOCK);
  uint64_t now = EPOCH + lines_me->clock;
  *t = (struct timespec){(time_t)(now / 1000000000u), (long)(now % 1000000000u)};
  return 0;
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *left) {
  (void)left;
  lines_sleep(NULL, lines_me->clock + in_ns(t));
  lines_count.wakeups++;
  return 0;
}

int __wrap_sched_yield(void) {
  lines_count.yields++;
  lines_pass(COST_SYSTEM);
  return 0;
}

void lines_pause(void) { lines_pass(COST_PAUSE); }

int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set) {
  (void)pid;
  const char *text = getenv("LINES_WORKERS");
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < (text ? atoi(text) : 1); i++) CPU_SET_S((size_t)i, bytes, set);
  return 0;
}

/* ---- system calls by number ---- */

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *limit) {
  lines_count.futex_calls++;
  lines_pass(COST_SYSTEM);
  lines_touch(word, sizeof *word, false, (const void *)(uintptr_t)futex);
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAKE) {
    int n = lines_wake(word, (int)value);
    lines_count.wakes += (uint64_t)n;
    lines_pass((uint64_t)n * COST_WAKE);
    return n;
  }
  if (*(volatile uint32_t *)word != value) {
    errno = EAGAIN;
    return -1;
  }
  bool woken = lines_sleep(word, limit ? lines_me->clock + in_ns(limit) : UINT64_MAX);
  lines_count.wakeups++;
  if (woken) return 0;
  errno = ETIMEDOUT;
  return -1;
}

/* The kernel lets one broadcast go at a time. */
static long membarrier(int command) {
  static uint64_t free_at;
  if (command != 1 << 3)                  /* MEMBARRIER_CMD_PRIVATE_EXPEDITED */
    return 0;
  unsigned others = lines_running();
  lines_count.broadcasts++;
  lines_count.interrupts += others;
  uint64_t begin = free_at > lines_me->clock ? free_at : lines_me->clock;
  free_at = begin + COST_BROADCAST + others * (uint64_t)COST_INTERRUPT;
  lines_interrupt(COST_INTERRUPTED);
  lines_pass(free_at - lines_me->clock);
  return 0;
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  switch (number) {
    case SYS_futex: return futex((uint32_t *)a[0], (int)a[1], (uint32_t)a[2], (const struct timespec *)a[3]);
    case SYS_membarrier: return membarrier((int)a[0]);
    case SYS_gettid: return 1000 + lines_me->id;
    case SYS_tgkill: fprintf(stderr, "lines: signals to threads are not simulated\n"); abort();
  }
  return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- threads ---- */

int __real_pthread_mutex_trylock(pthread_mutex_t *m);
int __wrap_pthread_mutex_lock(pthread_mutex_t *m) {
  lines_touch(m, 4, true, WHERE);
  int error = pthread_mutex_trylock(m);
  if (error == EBUSY) lines_count.mutex_waits++;
  while (error == EBUSY) {
    lines_sleep(m, UINT64_MAX);
    lines_touch(m, 4, true, WHERE);
    error = pthread_mutex_trylock(m);
  }
  return error;
}

int __real_pthread_mutex_unlock(pthread_mutex_t *m);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *m) {
  lines_touch(m, 4, true, WHERE);
  int error = __real_pthread_mutex_unlock(m);
  lines_wake(m, 1);
  return error;
}

/* No other processor runs between the unlocking and the sleep. */
static bool wait_for(pthread_cond_t *c, pthread_mutex_t *m, uint64_t until) {
  lines_hold(1);
  __wrap_pthread_mutex_unlock(m);
  lines_touch(c, 4, true, WHERE);
  lines_hold(-1);
  bool woken = lines_sleep(c, until);
  lines_count.wakeups++;
  __wrap_pthread_mutex_lock(m);
  return woken;
}

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  wait_for(c, m, UINT64_MAX);
  return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  return wait_for(c, m, in_ns(until) - EPOCH) ? 0 : ETIMEDOUT;
}

static int wake(pthread_cond_t *c, int most) {
  lines_touch(c, 4, true, WHERE);
  uint64_t n = (uint64_t)lines_wake(c, most);
  lines_count.wakes += n;
  lines_pass(n * COST_WAKE);
  return 0;
}
int __wrap_pthread_cond_signal(pthread_cond_t *c) { return wake(c, 1); }
int __wrap_pthread_cond_broadcast(pthread_cond_t *c) { return wake(c, LINES_PROCESSORS); }

int __real_pthread_once(pthread_once_t *once, void (*f)(void));
int __wrap_pthread_once(pthread_once_t *once, void (*f)(void)) {
  lines_hold(1);
  int error = __real_pthread_once(once, f);
  lines_hold(-1);
  return error;
}

typedef struct birth {
  sem_t born, over;
  pthread_t thread;
} birth;

static void first(void) {
  processor *me = lines_me;
  me->result = me->start(me->argument);
  me->over = true;
  lines_wake(me, 1);
  lines_sleep(NULL, UINT64_MAX);
}

/* The thread itself, which stays here until it is joined, with its stack and its thread-local storage on loan. */
static void *lend(void *argument) {
  processor *p = argument;
  birth *b = p->born;
  void *fs;
  sigset_t every;
  sigfillset(&every);
  pthread_sigmask(SIG_BLOCK, &every, NULL);
  __asm__ __volatile__("rdfsbase %0" : "=r"(fs));
  lines_ready(p, (char *)__builtin_frame_address(0) - 16384, fs, first);
  sem_post(&b->born);
  while (sem_wait(&b->over) != 0);
  return p->result;
}

static processor *by_thread[LINES_PROCESSORS];

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  processor *p = lines_new();
  birth *b = p->born = calloc(1, sizeof *b);
  if (!b) return EAGAIN;
  p->start = start;
  p->argument = argument;
  sem_init(&b->born, 0, 0);
  sem_init(&b->over, 0, 0);
  int error = __real_pthread_create(&b->thread, attributes, lend, p);
  if (error) return error;
  while (sem_wait(&b->born) != 0);
  *thread = b->thread;
  by_thread[p->id] = p;
  lines_pass(COST_SYSTEM);
  return 0;
}

int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result) {
  for (int i = 0; i < LINES_PROCESSORS; i++)
    if (by_thread[i] && pthread_equal(((birth *)by_thread[i]->born)->thread, thread)) {
      while (!by_thread[i]->over) lines_sleep(by_thread[i], UINT64_MAX);
      sem_post(&((birth *)by_thread[i]->born)->over);
      by_thread[i] = NULL;
    }
  return __real_pthread_join(thread, result);
}

/* ---- the runtime's own functions that are counted. The first version's cilk_steal has a third parameter ---- */

void *__real_cilk_steal(void *thief, void *victim, void *want);
void *__wrap_cilk_steal(void *thief, void *victim, void *want) {
  uint64_t before = lines_me->remote;
  void *got = __real_cilk_steal(thief, victim, want);
  lines_count.attempts++;
  lines_count.steals += got != NULL;
  *(got ? &lines_count.remote_steals : &lines_count.remote_failed) += lines_me->remote - before;
  return got;
}

void __real_cilk_spin_wait(uint32_t *lock);
void __wrap_cilk_spin_wait(uint32_t *lock) {
  uint64_t began = lines_me->clock;
  lines_count.lock_waits++;
  __real_cilk_spin_wait(lock);
  lines_count.lock_wait_ns += lines_me->clock - began;
}
