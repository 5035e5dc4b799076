/* lines.h - the counting of cache lines on many virtual processors: what its files share. README.md says what it is
 * for.
 *
 * Every thread of the program is a *virtual processor* with a clock of its own, in nanoseconds. All of them run on one
 * thread of the system, one at a time: the processor with the least time runs (processors.c). Memory accesses of the
 * instrumented runtime come here (access.c), are looked up as a protocol of coherent caches would (directory.c), and
 * cost time; waiting in the system is done in virtual time (system.c). So a run repeats itself exactly. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINES_PROCESSORS = 1024, LINE_BYTES = 64 };

/* What things cost, in ns: a large machine with two or more sockets. They decide the order of events, and no count by
 * itself. */
enum {
  COST_LOCAL = 1,
  COST_REMOTE = 100,          /* and the line goes to one processor after the other */
  COST_PAUSE = 35,            /* the instruction, by which spinning is slowed down */
  COST_CLOCK = 25,
  COST_SYSTEM = 300,          /* any call of the system */
  COST_WAKE = 1000,           /* waking a worker, for the waker */
  COST_AWAKE = 3000,          /* from then to when the woken worker runs */
  COST_BROADCAST = 1500,      /* membarrier(2), and for each processor that it interrupts ... */
  COST_INTERRUPT = 50,
  COST_INTERRUPTED = 300,     /* for that processor */
  AHEAD = 50                  /* so far may the running processor be ahead of the others */
};

typedef struct processor {
  int id;
  uint64_t clock;
  uint64_t debt;              /* interrupts: added to the clock when it runs next */
  /* processors.c */
  void *sp, *fs;              /* while it does not run */
  int place;                  /* in the heap of those that have something to wait for in time; 0: none */
  bool asleep;
  const void *waits_for;      /* an address, while it sleeps */
  struct processor *next_waiter;
  bool woken;
  /* system.c */
  void *(*start)(void *);
  void *argument, *result;
  bool over;
  void *born;
  uint64_t remote, remote_at_begin;
  uint64_t worked;            /* since lines_begin */
} processor;

extern processor *lines_me;

/* What is counted from lines_begin to lines_end. */
// clang-format off
#define LINES_COUNTERS(X) \
  X(accesses) X(remote) X(queued_ns)                     /* ns that remote touches waited for the line itself */ \
  X(attempts) X(steals) X(remote_steals) X(remote_failed) /* calls of cilk_steal; remote lines in those that got something, and in the others */ \
  X(locks) X(lock_waits) X(lock_wait_ns) X(mutex_waits) \
  X(broadcasts) X(interrupts) X(futex_calls) X(wakes) X(wakeups) X(yields) X(work_ns)
// clang-format on
typedef struct lines_counters {
#define X(name) uint64_t name;
  LINES_COUNTERS(X)
#undef X
} lines_counters;
extern lines_counters lines_count;

/* processors.c */
/* time passes for the processor that runs; others may run before it returns */
void lines_pass(uint64_t ns);
bool lines_sleep(const void *what, uint64_t until);         /* UINT64_MAX: without an end. True: somebody woke it */
int lines_wake(const void *what, int most);                 /* the longest sleepers first; how many there were */
void lines_hold(int by);                                    /* +1: no other processor runs before -1 */
unsigned lines_running(void);                               /* others that are not asleep */
void lines_interrupt(uint64_t ns);                          /* all of them */
processor *lines_new(void);
void lines_ready(processor *p, void *sp, void *fs, void (*first)(void));
void lines_each(void (*f)(processor *p));

/* directory.c */
void lines_touch(const volatile void *p, size_t bytes, bool write, const void *where);
void lines_directory_report(void *file);
void lines_directory_reset(void);

/* generated.c */
void lines_spawn(void);

/* For programs. Between begin and end things are counted; end appends a line of JSON to the file that LINES_OUT
 * names. */
void lines_begin(void);
void lines_end(void);
void lines_work(long ns);     /* user code that takes so long, with a spawn in it */

#endif
