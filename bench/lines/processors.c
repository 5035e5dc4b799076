/* processors.c - virtual processors and their clocks.
 *
 * A thread that the program makes exists, with stack and thread-local storage, but waits in the system from its
 * beginning to its end. The thread that runs the program goes from one to the other: it changes to the stack and to the
 * register that thread-local storage is found by (x86-64: fs). That takes some 20 ns, nothing else of the process runs,
 * and no lock of the C library is ever held by somebody else: code changes hands only in here.
 *
 * The heap has those that can go on by themselves, by the time when they do: ready processors, and sleepers with an
 * end. The least one runs, until it is AHEAD of the next. */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

static processor all[LINES_PROCESSORS], *heap[LINES_PROCESSORS + 1];
static int processors = 1, in_heap, held;
static processor *first_waiter, **last_waiter = &first_waiter;
processor *lines_me = all;

/* ---- the heap: by the clock, then by number, so that the order is always the same ---- */

static bool before(const processor *a, const processor *b) {
  return a->clock != b->clock ? a->clock < b->clock : a->id < b->id;
}

static void put(int place, processor *p) {
  heap[place] = p;
  p->place = place;
}

static void settle(int place, processor *p) {
  for (; place > 1 && before(p, heap[place / 2]); place /= 2) put(place, heap[place / 2]);
  for (int child; (child = 2 * place) <= in_heap; place = child) {
    if (child < in_heap && before(heap[child + 1], heap[child])) child++;
    if (!before(heap[child], p)) break;
    put(place, heap[child]);
  }
  put(place, p);
}

static void insert(processor *p) {
  in_heap++;
  settle(in_heap, p);
}

static processor *take(void) {
  if (in_heap == 0) {
    fprintf(stderr, "lines: every processor waits for another one\n");
    abort();
  }
  processor *p = heap[1], *last = heap[in_heap--];
  if (p != last) settle(1, last);
  p->place = 0;
  return p;
}

/* ---- going from one to the other ---- */

__attribute__((naked, noinline)) static void change(void **sp __attribute__((unused)), void *to __attribute__((unused)),
    void *fs __attribute__((unused))) {
  __asm__("push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n\t"
          "mov %rsp, (%rdi); mov %rsi, %rsp; wrfsbase %rdx\n\t"
          "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; ret");
}

static void run_next(void) {
  processor *from = lines_me, *to = take();
  if (from == to) return;
  __asm__ __volatile__("rdfsbase %0" : "=r"(from->fs));
  lines_me = to;
  change(&from->sp, to->sp, to->fs);
}

void lines_pass(uint64_t ns) {
  processor *me = lines_me;
  me->clock += ns + me->debt;
  me->debt = 0;
  if (!held && in_heap && heap[1]->clock + AHEAD < me->clock) {
    insert(me);
    run_next();
  }
}

void lines_hold(int by) { held += by; }

/* ---- sleeping ---- */

static void forget(processor *p) {
  for (processor **at = &first_waiter; *at; at = &(*at)->next_waiter)
    if (*at == p) {
      *at = p->next_waiter;
      if (!*at) last_waiter = at;
      return;
    }
}

bool lines_sleep(const void *what, uint64_t until) {
  processor *me = lines_me;
  uint64_t began = me->clock;
  me->asleep = true;
  me->woken = false;
  me->waits_for = what;
  me->next_waiter = NULL;
  *last_waiter = me;
  last_waiter = &me->next_waiter;
  if (until != UINT64_MAX) {
    me->clock = until > began ? until : began;
    insert(me);
  }
  run_next();
  if (me->asleep) {                       /* its time is over */
    forget(me);
    me->asleep = false;
  }
  lines_pass(COST_AWAKE);
  return me->woken;
}

int lines_wake(const void *what, int most) {
  int n = 0;
  for (processor **at = &first_waiter; *at && n < most;) {
    processor *p = *at;
    if (p->waits_for != what) {
      at = &p->next_waiter;
      continue;
    }
    *at = p->next_waiter;
    if (!*at) last_waiter = at;
    p->asleep = false;
    p->woken = true;
    if (!p->place) {
      p->clock = lines_me->clock;
      insert(p);
    } else if (lines_me->clock < p->clock) {
      p->clock = lines_me->clock;
      settle(p->place, p);
    }
    n++;
  }
  return n;
}

unsigned lines_running(void) {
  unsigned n = 0;
  for (int i = 1; i <= in_heap; i++) n += !heap[i]->asleep;
  return n;
}

void lines_interrupt(uint64_t ns) {
  for (int i = 1; i <= in_heap; i++)
    if (!heap[i]->asleep) heap[i]->debt += ns;
}

/* ---- new ones ---- */

processor *lines_new(void) {
  if (!(getauxval(AT_HWCAP2) & 2)) {      /* HWCAP2_FSGSBASE */
    fprintf(stderr, "lines: this kernel does not let a program change its thread register\n");
    exit(1);
  }
  if (processors == LINES_PROCESSORS) {
    fprintf(stderr, "lines: more than %d threads\n", LINES_PROCESSORS);
    abort();
  }
  processor *p = &all[processors];
  p->id = processors++;
  return p;
}

/* It begins with `first`, on a stack that ends at sp. */
void lines_ready(processor *p, void *sp, void *fs, void (*first)(void)) {
  void **s = (void **)((uintptr_t)sp & ~(uintptr_t)15);
  *--s = NULL;                            /* where a return address would be: the stack is aligned as after a call */
  *--s = (void *)(uintptr_t)first;
  for (int i = 0; i < 6; i++) *--s = NULL;
  p->sp = s;
  p->fs = fs;
  p->clock = lines_me->clock + COST_AWAKE;
  insert(p);
}

void lines_each(void (*f)(processor *p)) {
  for (int i = 0; i < processors; i++) f(&all[i]);
}
