/* span.c - work and span for -cilk-span.
 *
 * Generated code says where the threads of each instance begin and end. An instance's closure holds its work so far
 * (children that have joined included) and its span: the longest path from the start of the computation to here. A
 * child's path begins where its parent spawned it. A finished child's totals go through the worker (the parent was not
 * stolen) or through the link (it was). The totals count at a thread boundary of the parent. At a sync the longest of
 * the joined paths becomes the span.
 *
 * Time that the operating system took from a thread, on a busy machine or with more workers than processors, is not
 * the thread's. Reading the processor time costs a system call, so the wall clock is read at every boundary, and the
 * processor time only where more than CILK_SPAN_LONG_NS has passed: an interruption is hardly shorter. A thread that
 * slept or waited of its own will keeps that time. What reading the clock costs is measured once and taken off every
 * thread.
 *
 * With -cilk-span=count no clock is read: a thread is as long as the units that generated code has counted in it
 * (cilk_self.units), which makes the totals the same in each run on any number of workers. An inlet belongs to the
 * path of its child, on any worker. */
#define _GNU_SOURCE
#include "observe/span.h"
#include "data/policy.h"

#include <sys/resource.h>

bool cilk_span_used;                      /* set once, by the first instance of a span build */
static uint64_t clock_cost;               /* of one reading, ns; set before cilk_span_used */

/* Clocks of the calling worker. `away`: wall minus processor time when both were read last, with the number of waits
 * until then. */
static _Thread_local uint64_t ended, away;
static _Thread_local long waits;

/* Apart, so that counting units needs neither calls nor a stack. */
#define CLOCKED __attribute__((noinline))

/* Reads both clocks; how much of the time since they were read last was taken from this worker. */
static uint64_t taken_away(uint64_t now) {
  struct rusage use;
  uint64_t was = away, waited = 0;
  away = now - cilk_thread_ns();
  if (getrusage(RUSAGE_THREAD, &use) == 0) {
    waited = use.ru_nvcsw != waits;
    waits = use.ru_nvcsw;
  }
  return waited || away < was ? 0 : away - was;
}

bool cilk_span_counted(void) { return &cilk_units_build != NULL; }

static uint64_t taken_units(void) {
  cilk_worker *w = cilk_me();
  uint64_t n = w->units;
  w->units = 0;
  return n;
}

CLOCKED static uint64_t clock_begins(void) {
  uint64_t now = cilk_now_ns();
  if (now - ended > CILK_SPAN_LONG_NS) taken_away(now);                      /* between two threads: no thread's */
  return now;
}
static inline void thread_begins(cilk_worker_ext *x) {
  if (!cilk_span_counted()) x->span.began = clock_begins();
}

CLOCKED static uint64_t clock_ends(uint64_t began) {
  uint64_t now = cilk_now_ns(), t = now - began, cost = load_relaxed(&clock_cost);
  if (t > CILK_SPAN_LONG_NS) {
    uint64_t gone = taken_away(now);
    t = t > gone ? t - gone : 0;
  }
  ended = now;
  return t > cost ? t - cost : 0;
}
/* The next thread begins here, too: a touch may find that it need not wait, and end the thread once more. */
static inline uint64_t thread_ends(cilk_worker_ext *x) {
  if (cilk_span_counted()) return taken_units();
  uint64_t t = clock_ends(x->span.began);
  x->span.began = ended;
  return t;
}

CLOCKED static void first_use(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 200; i++) {
    uint64_t a = cilk_now_ns(), b = cilk_now_ns();
    least = b - a < least ? b - a : least;
  }
  store_relaxed(&clock_cost, least);
  store_relaxed(&cilk_span_used, true);
}

/* The child of a future joins beside its parent, which may run. Only a full closure has such children, and it becomes
 * full while its code does not run. Relaxed: a reader of the totals has waited for the child, by a lock or the
 * future. */
static inline bool joins_alone(const cilk_closure *c) { return load_relaxed(&c->state) == CILK_ATTACHED; }

static inline void add_work(cilk_closure *c, uint64_t work) {
  if (joins_alone(c)) store_relaxed(&c->work, load_relaxed(&c->work) + work);
  else __atomic_fetch_add(&c->work, work, __ATOMIC_RELAXED);
}

static void join(cilk_closure *c, uint64_t work, uint64_t span) {
  uint64_t longest = load_relaxed(&c->longest);
  add_work(c, work);
  if (span <= longest) return;
  if (joins_alone(c)) store_relaxed(&c->longest, span);
  else
    while (span > longest &&
           !__atomic_compare_exchange_n(&c->longest, &longest, span, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void cilk_rt_span_begin(cilk_closure *c) {
  cilk_worker_ext *x = cilk_me()->ext;
  if (!load_relaxed(&cilk_span_used)) first_use();
  c->work = 0;
  c->span = c->longest = x->span.spawned;
  x->span.return_work = x->span.return_span = 0;
  thread_begins(x);
}

/* What a computation that C code waited for has added. */
CLOCKED static void add_called(cilk_closure *c, cilk_worker_ext *x) {
  add_work(c, x->span.called_work);
  c->span += x->span.called_span;
  x->span.called_work = x->span.called_span = 0;
}

void cilk_rt_span_end(cilk_closure *c) {
  cilk_worker_ext *x = cilk_me()->ext;
  if (x->span.called_work) add_called(c, x); /* its span is no longer than its work */
  uint64_t t = thread_ends(x);
  add_work(c, t);
  x->span.spawned = c->span += t;
}

void cilk_rt_span_joined(cilk_closure *c) {
  cilk_worker_ext *x = cilk_me()->ext;
  join(c, x->span.return_work, x->span.joined = x->span.return_span);
  x->span.return_work = x->span.return_span = 0;
  thread_begins(x);
}

void cilk_rt_span_synched(cilk_closure *c) {
  if (c->longest > c->span) c->span = c->longest;
  thread_begins(cilk_me()->ext);
}

void cilk_rt_span_filled(cilk_future *f) { f->waiters = cilk_span_of_future(cilk_me()); }

void cilk_rt_span_touched(cilk_closure *c, const cilk_future *f) {
  cilk_rt_span_end(c);
  uint64_t path = (uintptr_t)f->waiters;
  if (path > c->span) c->span = path;
  thread_begins(cilk_me()->ext);
}

void cilk_rt_span_return(cilk_closure *c) {
  cilk_worker_ext *x = cilk_me()->ext;
  cilk_rt_span_end(c);
  x->span.return_work = c->work;
  x->span.return_span = c->span > c->longest ? c->span : c->longest;
}

void cilk_span_leave(cilk_worker *w, cilk_span_kept *kept) {
  cilk_worker_ext *x = w->ext;
  *kept = (cilk_span_kept){w->units, x->span.spawned, x->span.return_work, x->span.return_span, x->span.joined,
      x->span.called_work, x->span.called_span, x->span.began, cilk_span_counted() ? 0 : cilk_now_ns()};
  w->units = 0;
  x->span.called_work = x->span.called_span = 0;
}

void cilk_span_come_back(cilk_worker *w, const cilk_span_kept *kept, uint64_t work, uint64_t span) {
  cilk_worker_ext *x = w->ext;
  w->units = kept->units;
  x->span.spawned = kept->spawn_span;
  x->span.return_work = kept->return_work;
  x->span.return_span = kept->return_span;
  x->span.joined = kept->joined_span;
  x->span.called_work = kept->called_work + work;
  x->span.called_span = kept->called_span + span;
  if (!cilk_span_counted()) x->span.began = kept->began + (cilk_now_ns() - kept->since);   /* the thread waited */
}

void cilk_span_carry(cilk_worker *w, cilk_link *l) {
  l->work = w->ext->span.return_work;
  l->span = w->ext->span.return_span;
  w->ext->span.return_work = w->ext->span.return_span = 0;
}

void cilk_span_deliver(cilk_worker *w, cilk_closure *parent, cilk_link *l) {
  join(parent, l->work, w->ext->span.joined = l->span);
}

void cilk_rt_units_delivered(cilk_closure *c) {
  uint64_t n = taken_units();
  if (cilk_span_counted()) join(c, n, cilk_me()->ext->span.joined + n);
}

void cilk_span_resume(cilk_worker *w) {
  w->units = 0;                           /* of what was aborted here */
  thread_begins(w->ext);
}

long long cilk_rt_user_work(cilk_closure *c) { return c && load_relaxed(&cilk_span_used) ? (long long)c->work : 0; }
long long cilk_rt_user_critical_path(cilk_closure *c) {
  return c && load_relaxed(&cilk_span_used) ? (long long)c->span : 0;
}
