/* stage.h - the runtime's workers as a test plays them: step by step, in an order that the test chooses.
 *
 * A scenario builds by hand what PROTOCOLS.md describes: full closures, links, segments, entries of a deque. It lets
 * one worker do one thing, and looks at states, marks, join counters, flags and deliveries. Each of the WORKERS is a
 * thread that waits for orders: generated code and a part of the runtime find their worker in the thread-local
 * cilk_self. on() gives an order and waits until it is carried out.
 *
 * An interleaving is forced in one of two ways:
 *   hooks    the linker's --wrap puts functions of ours before a few of the runtime's (fence, clock, system calls), so
 *            that something else can happen there;
 *   sweep()  one worker's call is executed instruction by instruction (the processor's trap flag), and after the k-th
 *            instruction another worker makes a call of its own; for k = 0, 1, 2, ... until the first call is over
 *            sooner. What must hold afterwards must hold for every k. Where the second worker has to wait for a lock
 *            that the first one holds, the first goes on at once. On processors other than x86-64 the second call comes
 *            after the first one only.
 * Neither shows what weak memory does: the other worker always sees all stores that have been executed.
 *
 * A program's scenarios are listed when it is called without arguments; NAME runs one of them. */
#ifndef TESTS_RT_STEPS_STAGE_H
#define TESTS_RT_STEPS_STAGE_H

#define _GNU_SOURCE
#include "rt/core/fibers/blocking.h"
#include "rt/core/protocol/deliver.h"
#include "rt/core/steal/drain.h"
#include "rt/core/observe/events.h"
#include "rt/core/protocol/finish.h"
#include "rt/core/steal/lazy.h"
#include "rt/core/fibers/fiber.h"
#include "rt/extensions/nest/nest.h"
#include "rt/core/fibers/orphan.h"
#include "rt/core/data/policy.h"
#include "rt/core/data/pool.h"
#include "rt/core/protocol/release.h"
#include "rt/core/schedule/schedule.h"
#include "rt/core/schedule/search.h"
#include "rt/core/steal/segment.h"
#include "rt/core/steal/sleep.h"
#include "rt/core/steal/steal.h"

#include <errno.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPECT(e) \
  do { \
    if (!(e)) { \
      fprintf(stderr, "%s:%d: failed: %s%s\n", __FILE__, __LINE__, #e, where()); \
      _exit(1); \
    } \
  } while (0)

#ifndef STRIDE
/* of sweeps, in instructions: the checked build has more of them, and finds what it finds by its checks */
#define STRIDE 1
#endif

/* seconds of processor time that a scenario may take, and ten times as much in all */
enum { WORKERS = 4, DEQUE = 1000, PATIENCE = 100 };

/* ---- procedures ------------------------------------------------------------------------------------------------ */

typedef struct frame {
  cilk_closure h;
  long record;                            /* of the next spawn; the child's number in `delivered` */
  void (*inlet)(struct frame *f, int value);   /* called by each delivery */
  void (*thread)(struct frame *f);        /* what the slow clone does */
} frame;

static struct {
  frame *to;
  long record;
  int value;
} delivered[64];
static unsigned deliveries;

static void deliver(cilk_closure *parent, void *record, void *result) {
  frame *f = (frame *)parent;
  delivered[deliveries].to = f;
  delivered[deliveries].record = *(long *)record;
  delivered[deliveries++].value = *(int *)result;
  if (f->inlet) f->inlet(f, *(int *)result);
}

static void slow(cilk_worker *w, cilk_closure *c) {
  (void)w;
  if (((frame *)c)->thread) ((frame *)c)->thread((frame *)c);
}

/* Entry 1 is after a spawn with an inlet, the others are at the start and at a sync. */
static const cilk_entry entries[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver, offsetof(frame, record), sizeof(long), sizeof(int), CILK_ENTRY_INLET, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
};
static const cilk_sig sig = {CILK_ABI_VERSION, CILK_SIG_BLOCKS, slow, "frame", "stage.h",
    (sizeof(frame) + 15) / 16 * 16, 3, entries, NULL, 0, 0};

/* ---- workers --------------------------------------------------------------------------------------------------- */

typedef long order(void *a, void *b, long n);

static struct actor {
  pthread_t thread;
  cilk_worker *w;
  cilk_worker_ext *x;
  sem_t go, over, event;                  /* event: the order is carried out, waits for a lock, or sleeps */
  pthread_cond_t woken;
  uint32_t *sleeps_on;                    /* futex; NULL: awake */
  bool done;
  order *what;
  void *a, *b;
  long n, result;
  uint32_t waits;
} actors[WORKERS];
static __thread struct actor *self;

static cilk_context ctx;
static cilk_worker *workers[WORKERS];
static cilk_root_run run;                 /* the computation that everything belongs to */
static void no_thunk(void *args, void *result) {
  (void)args;
  (void)result;
}
static const cilk_root root = {no_thunk, "root", 0, sizeof(int)};
static int root_value;
static long sweep_at = -1;

static const char *where(void) {
  static char text[60];
  if (sweep_at >= 0) snprintf(text, sizeof text, " (between, at instruction %ld)", sweep_at);
  return text;
}

static void *actor_main(void *argument) {
  struct actor *me = self = argument;
  cilk_worker *w = cilk_me();
  w->ext = me->x;
  w->id = (int)(me - actors);
  w->nproc = WORKERS;
  me->x->hot = w;
  me->x->tid = (int)gettid();
  cilk_deque_create(w);
  me->w = workers[w->id] = w;
  sem_post(&me->over);
  for (;;) {
    sem_wait(&me->go);
    me->result = me->what(me->a, me->b, me->n);
    me->done = true;
    sem_post(&me->event);
    sem_post(&me->over);
  }
  return NULL;
}

static void begin_order(int i, order *what, void *a, void *b, long n) {
  struct actor *t = &actors[i];
  t->what = what;
  t->a = a;
  t->b = b;
  t->n = n;
  t->waits = 0;
  t->done = false;
  sem_init(&t->event, 0, 0);
  sem_post(&t->go);
}

static long finish_order(int i) {
  while (sem_wait(&actors[i].over) != 0);
  return actors[i].result;
}

/* Worker i carries the order out now. */
static long on(int i, order *what, void *a, void *b, long n) {
  begin_order(i, what, a, b, n);
  return finish_order(i);
}

static void await_event(int i) { while (sem_wait(&actors[i].event) != 0); }

/* Inside of another worker's order: begins it, and returns when it is over, waits for a lock, or sleeps. finish_order
 * follows after that other one. */
static void meanwhile(int i, order *what, void *a, void *b, long n) {
  begin_order(i, what, a, b, n);
  await_event(i);
}

/* No other actor does anything any more: the order is carried out, or sleeps for ever. */
static void finish_or_fail(int i) {
  while (!actors[i].done) {
    EXPECT(!actors[i].sleeps_on);         /* it sleeps, and no actor woke it */
    await_event(i);
  }
  finish_order(i);
}

/* ---- hooks ----------------------------------------------------------------------------------------------------- */

void __real_cilk_spin_wait(uint32_t *lock);
void __wrap_cilk_spin_wait(uint32_t *lock);
void __wrap_cilk_spin_wait(uint32_t *lock) {
  if (self && !self->waits) {
    self->waits = 1;
    sem_post(&self->event);
  }
  __real_cilk_spin_wait(lock);
}

static void (*at_fence)(cilk_worker *victim);
static unsigned fences;
bool __real_cilk_heavy_fence(cilk_worker *victim);
bool __wrap_cilk_heavy_fence(cilk_worker *victim);
bool __wrap_cilk_heavy_fence(cilk_worker *victim) {
  fences++;
  if (at_fence) at_fence(victim);
  return true;                            /* no worker runs beside the one whose turn it is */
}

static uint64_t (*at_clock)(void);
uint64_t __real_cilk_now_ns(void);
uint64_t __wrap_cilk_now_ns(void);
uint64_t __wrap_cilk_now_ns(void) { return at_clock ? at_clock() : __real_cilk_now_ns(); }

static void (*at_sleep)(void);
int __real_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest) {
  return at_sleep ? at_sleep(), 0 : __real_nanosleep(time, rest);
}

/* Sleep: no timeout ends it, so that a lost wake-up is seen. Where a worker sleeps or is woken it is not looked at
 * instruction by instruction. */
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool in_kernel;
static unsigned wakes;

static long futex(uint32_t *word, int what, uint32_t value) {
  long r = 0;
  pthread_mutex_lock(&sleep_lock);
  if (what == FUTEX_WAIT_PRIVATE && load_relaxed(word) != value) {
    errno = EAGAIN;
    r = -1;
  } else if (what == FUTEX_WAIT_PRIVATE) {
    self->sleeps_on = word;
    sem_post(&self->event);
    while (self->sleeps_on) pthread_cond_wait(&self->woken, &sleep_lock);
  } else
    for (int i = 0; i < WORKERS && r < (long)value; i++)
      if (actors[i].sleeps_on == word) {
        actors[i].sleeps_on = NULL;
        pthread_cond_signal(&actors[i].woken);
        wakes++;
        r++;
      }
  pthread_mutex_unlock(&sleep_lock);
  return r;
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
  va_list list;
  long a[6], r;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number != SYS_futex || !self) return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  in_kernel = true;
  r = futex((uint32_t *)a[0], (int)a[1], (uint32_t)a[2]);
  in_kernel = false;
  return r;
}

/* ---- one instruction at a time --------------------------------------------------------------------------------- */

static void (*between)(void);
static long steps_left;
static bool struck;

static struct {
  order *what;
  void *a, *b;
  long n;
} stepped_order;

#ifdef __x86_64__
enum { TRAP_FLAG = 0x100 };

static void on_trap(int number, siginfo_t *info, void *context) {
  ucontext_t *u = context;
  (void)number;
  (void)info;
  if (in_kernel || steps_left-- > 0) return;
  u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
  if (!struck) {
    struck = true;
    between();
  }
}

static long stepped(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
      :
      : "i"(TRAP_FLAG)
      : "memory", "cc");
  long r = stepped_order.what(stepped_order.a, stepped_order.b, stepped_order.n);
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
      :
      : "i"(~TRAP_FLAG)
      : "memory", "cc");
  return r;
}
#else
static long stepped(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return stepped_order.what(stepped_order.a, stepped_order.b, stepped_order.n);
}
#endif

static void stage_reset(void);

/* For each k: `set` builds the stage and says by first() what worker i does; after k instructions of that comes
 * `other`; in the end `check`. */
static void first(order *what, void *a, void *b, long n) {
  stepped_order.what = what;
  stepped_order.a = a;
  stepped_order.b = b;
  stepped_order.n = n;
}

static int other_worker;                  /* which worker has an order by `meanwhile` in it; -1: none */
static long first_result;

static void sweep_by(long stride, int i, void (*set)(void), void (*other)(void), void (*check)(void)) {
  for (long k = 0;; k += stride) {
    stage_reset();
    other_worker = -1;
    set();
    between = other;
    steps_left = sweep_at = k;
    struck = false;
    begin_order(i, stepped, NULL, NULL, 0);
    while (!actors[i].done && !actors[i].sleeps_on) await_event(i);
    bool inside = struck;
    struck = true;
    if (!inside)                          /* the call is over, or sleeps */
      other();
    if (other_worker >= 0) finish_order(other_worker);
    finish_or_fail(i);
    first_result = actors[i].result;
    check();
    if (!inside) break;
  }
  sweep_at = -1;
}

static void sweep(int i, void (*set)(void), void (*other)(void), void (*check)(void)) {
  sweep_by(STRIDE, i, set, other, check);
}

/* ---- what workers do ------------------------------------------------------------------------------------------- */

static int worker_of(const cilk_worker *w) {
  int i = 0;
  while (workers[i] != w) i++;
  return i;
}

static void push(int i, frame *f, uint32_t entry) {
  cilk_closure **t = load_relaxed(&workers[i]->tail);
  f->h.entry = entry;
  *t = &f->h;
  store_release(&workers[i]->tail, t + 1);
}

static long pop_order(void *value, void *b, long n) {
  cilk_closure **t = load_relaxed(&cilk_self.tail) - 1;
  (void)b;
  (void)n;
  (void)__atomic_exchange_n(&cilk_self.tail, t, __ATOMIC_SEQ_CST);
  return load_seq_cst(&cilk_self.exc) > t ? cilk_rt_pop_exception(value, sizeof(int)) : CILK_CONTINUE;
}
static int pop(int i, int value) { return (int)on(i, pop_order, &value, NULL, 0); }

static long test_order(void *a, void *b, long point) {
  (void)a;
  (void)b;
  return load_relaxed(&cilk_self.release) ? cilk_rt_release((int)point) : CILK_CONTINUE;
}
static int test(int i) { return (int)on(i, test_order, NULL, NULL, CILK_AFTER_CALL); }

static long release_frame_order(void *f, void *b, long n) {
  (void)b;
  (void)n;
  cilk_rt_release_frame(&sig, f, 1);
  return 0;
}

static long sync_order(void *f, void *b, long n) {
  (void)b;
  (void)n;
  return cilk_rt_sync(f);
}

static long return_order(void *f, void *b, long n) {
  (void)b;
  int value = (int)n;
  cilk_rt_return(f, &value, sizeof value);
  return 0;
}

static long abort_order(void *f, void *b, long n) {
  (void)b;
  (void)n;
  cilk_rt_abort(f);
  return 0;
}

static long deliver_order(void *link, void *b, long n) {
  (void)b;
  int value = (int)n;
  cilk_deliver(cilk_me(), link, &value, sizeof value);
  return 0;
}

static long steal_order(void *victim, void *b, long n) {
  (void)b;
  (void)n;
  return (long)cilk_steal(cilk_me(), victim);
}
static frame *steal(int i, int victim) { return (frame *)on(i, steal_order, workers[victim], NULL, 0); }

/* As at the end of a successful steal, without the search for the victim's answer. */
static long take_order(void *victim, void *b, long n) {
  cilk_worker *v = victim;
  (void)b;
  (void)n;
  cilk_worker_lock(v);
  cilk_closure *c = cilk_take_head(cilk_me(), v);
  cilk_exc_update(v);
  cilk_worker_unlock(v);
  return (long)c;
}
static frame *take(int i, int victim) { return (frame *)on(i, take_order, workers[victim], NULL, 0); }

/* The scheduler's loop until `*flag` is 1. */
static long schedule_order(void *flag, void *b, long n) {
  (void)b;
  (void)n;
  cilk_schedule(cilk_me(), NULL, flag, 1);
  return 0;
}

/* ---- what there is --------------------------------------------------------------------------------------------- */

static frame *attached(long record) {
  frame *f = (frame *)cilk_rt_closure_alloc(&sig);
  f->h.entry = 1;
  f->h.next = NULL;
  f->record = record;
  f->inlet = NULL;
  f->thread = NULL;
  return f;
}

static frame *full(cilk_link *own, int worker, uint32_t state) {
  frame *f = attached(0);
  cilk_closure_become_full(&f->h, own, workers[worker], CILK_READY);
  store_relaxed(&f->h.state, state);
  if (own->parent) own->child = &f->h;
  return f;
}

/* A child that is out, on that worker's stack. */
static cilk_link *child_of(frame *parent, int worker, long record) {
  parent->h.entry = 1;
  parent->record = record;
  cilk_link *l = cilk_link_new(&parent->h, workers[worker], &run.link);
  cilk_children_add(&parent->h, l);
  return l;
}

/* The next pop asks the runtime. */
static bool raised(int i) {
  cilk_closure **e = load_relaxed(&workers[i]->exc), **t = load_relaxed(&workers[i]->tail);
  return e > t || (e == t && t > load_relaxed(&actors[i].x->head));
}
static bool flagged(int i) { return load_relaxed(&workers[i]->release) != 0; }
static bool signalled(int i) { return actors[i].x->signal && raised(i) && flagged(i); }
static uint32_t state(const frame *f) { return load_relaxed(&f->h.state); }
static bool is_child(const frame *parent, const cilk_link *l) {
  for (cilk_link *c = parent->h.children; c; c = c->next)
    if (c == l) return c->stage == CILK_LINK_OUT;
  return false;
}
static unsigned children(const frame *f) {
  unsigned n = 0;
  for (cilk_link *c = f->h.children; c; c = c->next) n += c->stage == CILK_LINK_OUT;
  return n;
}
static bool was_delivered(const frame *to, long record) {
  for (unsigned i = 0; i < deliveries; i++)
    if (delivered[i].to == to && delivered[i].record == record) return true;
  return false;
}

/* ---- the stage ------------------------------------------------------------------------------------------------- */

static void stage_reset(void) {
  for (int i = 0; i < WORKERS; i++) {
    cilk_worker *w = workers[i];
    cilk_worker_ext *x = actors[i].x;
    x->lock = x->signal = 0;
    x->seg = NULL;
    x->requester = NULL;
    x->next = NULL;
    x->wait.root = x->wait.called = NULL;
    x->wait.until = NULL;
    x->wait.outside = false;
    x->wait.inlet = NULL;
    x->wait.inlet_above = NULL;
    x->gift = NULL;
    x->coarse.level = 0;
    x->hungry_since = 0;
    x->stats.idle_since = 0;
    x->search.small = 0;
    x->search.found_at = 0;
    x->head = x->own.deque;
    w->tail = w->exc = x->own.deque;
    w->release = 0;
    w->views = CILK_NO_VIEWS;
  }
  ctx.nproc = WORKERS;
  ctx.orphans = NULL;
  ctx.orphan_lock = 0;
  ctx.exiting = ctx.nested = ctx.begun = ctx.ended = 0;
  ctx.spares = 0;
  ctx.lazy = false;
  memset(&run, 0, sizeof run);
  run.link.root = &run;
  run.link.worker = workers[0];
  run.link.views = CILK_NO_VIEWS;
  run.root = &root;
  run.result = &root_value;
  run.ctx = &ctx;
  run.team = &ctx.team;
  cilk_fp_save(&run.fp);
  deliveries = fences = 0;
  at_fence = NULL;
  at_clock = NULL;
}

/* So many workers run something of the computation; thieves are called. */
static void stage_busy(unsigned n) {
  ctx.processors = WORKERS;
  ctx.open = 1;
  ctx.census = n;
  ctx.watcher = 0;
  memset(ctx.parked, 0, sizeof ctx.parked);
  for (int i = 0; i < WORKERS; i++) {
    actors[i].x->park = 0;
    actors[i].x->search.counted = false;
  }
}

/* So many pieces that no call under the microscope needs more: malloc's lock is none that `meanwhile` knows. */
static void fill_pools(void) {
  enum { PIECES = 4000, LARGEST = 6 * CILK_FREE_UNIT };
  static void *p[PIECES];
  for (int size = CILK_FREE_UNIT; size <= LARGEST; size += CILK_FREE_UNIT) {
    for (int i = 0; i < PIECES; i++) p[i] = cilk_pool_alloc((size_t)size);
    for (int i = 0; i < PIECES; i++) cilk_pool_free(p[i], (size_t)size);
  }
}

static void stage_open(void) {
  cilk_options o;
  memset(&o, 0, sizeof o);
  o.nproc = WORKERS;
  o.stack_entries = DEQUE;
  o.stack_bytes = CILK_STACK_MIN;
  ctx.addresses = SIZE_MAX;
  ctx.opt = o;
  ctx.runtime = &cilk_this_runtime;
  ctx.nproc = WORKERS;
  ctx.workers = workers;
  ctx.policy = cilk_policy_choose(&o);
  ctx.team.sched = &cilk_sched_steal;
  ctx.team.vprocs = WORKERS;
  pthread_mutex_init(&ctx.call, NULL);
  pthread_mutex_init(&ctx.mutex, NULL);
  pthread_cond_init(&ctx.changed, NULL);
  fill_pools();
  static cilk_worker_ext ext[WORKERS];
  static cilk_worker_ext *exts[WORKERS];
  ctx.extensions = exts;
  for (int i = 0; i < WORKERS; i++) {
    struct actor *t = &actors[i];
    t->x = exts[i] = &ext[i];
    t->x->ctx = &ctx;
    t->x->team = &ctx.team;
    t->x->random = (uint64_t)i + 1;
    cilk_deque_reserve(&t->x->own, DEQUE, SIZE_MAX);
    sem_init(&t->go, 0, 0);
    sem_init(&t->over, 0, 0);
    sem_init(&t->event, 0, 0);
    pthread_cond_init(&t->woken, NULL);
    if (pthread_create(&t->thread, NULL, actor_main, t) != 0) exit(2);
    finish_order(i);
  }
#ifdef __x86_64__
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = on_trap;
  a.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &a, NULL);
#endif
}

/* ---- scenarios ------------------------------------------------------------------------------------------------- */

static struct scenario {
  const char *name;
  void (*play)(void);
} scenarios[100];
static int nscenarios;

#define SCENARIO(name) \
  static void name(void); \
  __attribute__((constructor)) static void name##_listed(void) { \
    scenarios[nscenarios++] = (struct scenario){#name, name}; \
  } \
  static void name(void)

int main(int argc, char **argv) {
  for (int i = 0; i < nscenarios && argc < 2; i++) printf("%s\n", scenarios[i].name);
  for (int i = 0; i < nscenarios && argc > 1; i++)
    if (strcmp(scenarios[i].name, argv[1]) == 0) {
      setrlimit(RLIMIT_CPU, &(struct rlimit){PATIENCE, PATIENCE});   /* a call that never ends is a failure */
      alarm(10 * PATIENCE);
      stage_open();
      stage_reset();
      scenarios[i].play();
      _exit(0);
    }
  return argc > 1;
}

#endif
