/* stackguard.c - workers' C stacks, and the message for running off one or off a deque.
 *
 * Each stack is reserved virtual memory with a guard below; so is each deque, with a guard above. A handler for faults,
 * on a stack of its own, recognises those two places and says what happened; any other fault goes to the earlier
 * handler of the signal. Where there is none, the fault is named (crash.c), once: the process ends. */
#define _GNU_SOURCE
#include "schedule/stackguard.h"
#include "base/crash.h"
#include "base/fault.h"
#include "observe/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FAULTS = sizeof faults / sizeof *faults };
static struct sigaction previous[FAULTS];
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static int users;                         /* contexts alive */
static cilk_crash_place *place;           /* of the calling worker */

/* The address of a nested function is that of code on the stack. The linker marks a program with such code. */
static int needs_code(struct dl_phdr_info *object, size_t size, void *protection) {
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++)
    if (object->dlpi_phdr[i].p_type == PT_GNU_STACK && (object->dlpi_phdr[i].p_flags & PF_X))
      *(int *)protection |= PROT_EXEC;
  return 0;
}

void cilk_stack_create(cilk_memory *m, size_t bytes, size_t most) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *map = MAP_FAILED;
  bytes = (bytes + page - 1) / page * page;
  size_t asked = bytes;
  int protection = PROT_READ | PROT_WRITE;
  dl_iterate_phdr(needs_code, &protection);
  if (bytes > most) bytes = most / page * page;
  for (; bytes >= CILK_STACK_MIN; bytes = bytes / 2 / page * page) {
    map = CILK_FAILS(MMAP) ? MAP_FAILED
                           : mmap(NULL, bytes + CILK_GUARD_BYTES, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (map != MAP_FAILED && mprotect(map + CILK_GUARD_BYTES, bytes, protection) == 0) break;
    if (map != MAP_FAILED) munmap(map, bytes + CILK_GUARD_BYTES);
    map = MAP_FAILED;
  }
  if (map == MAP_FAILED) cilk_fatal("no memory for a worker's stack of %zu bytes; see --pthread-stacksize", asked);
  m->stack_map = map;
  m->stack_map_bytes = bytes + CILK_GUARD_BYTES;
  m->stack_guard = map;
  m->stack_guard_end = map + CILK_GUARD_BYTES;
}

void cilk_stack_destroy(cilk_memory *m) { munmap(m->stack_map, m->stack_map_bytes); }

static void say(const char *text) { (void)!write(2, text, strlen(text)); }

/* "Cilk: scheduler 'mine' crashes in find()", if it is a scheduler that does. */
static void say_scheduler(void) {
  cilk_inside in;
  if (!cilk_inside_of(&cilk_self, &in)) return;
  say("Cilk: scheduler '");
  say(in.scheduler);
  say("' crashes in ");
  say(in.function);
  say("()\n");
}

static int index_of(int sig) {
  int i = 0;
  while (faults[i] != sig) i++;
  return i;
}

static void on_fault(int sig, siginfo_t *info, void *context) {
  cilk_worker_ext *x = cilk_self.ext;
  char *at = info->si_addr, by[40] = "a thread that is no worker";
  if (x) snprintf(by, sizeof by, "worker %d", cilk_self.id);
  if (x && (sig == SIGSEGV || sig == SIGBUS)) {
    bool stack = at >= x->memory.stack_guard && at < x->memory.stack_guard_end;
    bool deque = at >= (char *)x->memory.deque_end && at < (char *)x->memory.deque_end + CILK_GUARD_BYTES;
    if (stack || deque) {
      /* another worker that overflows, or ends the process otherwise, prints nothing into this message */
      cilk_exit_claim();
      cilk_crash_say(sig, info, stack ? "stack" : "ready deque",
          stack ? "--pthread-stacksize <bytes>" : "--stack <entries>", by, place);
      cilk_repeat_say();
      if (cilk_dump_core) abort();
      _exit(1);
    }
  }
  struct sigaction *old = &previous[index_of(sig)];
  if (old->sa_flags & SA_SIGINFO) old->sa_sigaction(sig, info, context);
  else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) old->sa_handler(sig);
  else {
    if (info->si_code > 0) {              /* else another process has sent it */
      cilk_exit_claim();
      say_scheduler();
      cilk_crash_say(sig, info, NULL, NULL, by, place);
    }
    if (cilk_message_at_signal) cilk_message_at_signal(sig);
    cilk_repeat_say();
    sigaction(sig, old, NULL);
    cilk_crash_repeat(sig);
  }
}

static void install(void) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = on_fault;
  a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&a.sa_mask);
  for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &a, &previous[i]);
}

/* Unless the program has set a handler of its own since, which may call ours. */
static void restore(int sig, const struct sigaction *old) {
  struct sigaction now;
  if (sigaction(sig, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)
    sigaction(sig, old, NULL);
}

/* The first context installs the handler, the last one takes it back: its code may be unloaded with a shared library
 * after that. */
void cilk_guard_init(cilk_crash_place *what_runs) {
  pthread_mutex_lock(&users_lock);
  place = what_runs;
  if (users++ == 0) install();
  pthread_mutex_unlock(&users_lock);
}

void cilk_guard_end(void) {
  pthread_mutex_lock(&users_lock);
  if (--users == 0)
    for (int i = 0; i < FAULTS; i++) restore(faults[i], &previous[i]);
  pthread_mutex_unlock(&users_lock);
}

/* The calling worker gets a signal stack. */
void cilk_guard_thread(cilk_worker *w) {
  stack_t s;
  memset(&s, 0, sizeof s);
  w->ext->signal_stack = CILK_FAILS(MALLOC) ? NULL : malloc(CILK_HANDLER_STACK);
  if (!w->ext->signal_stack) cilk_fatal("out of memory");
  s.ss_sp = w->ext->signal_stack;
  s.ss_size = CILK_HANDLER_STACK;
  sigaltstack(&s, NULL);
}

void cilk_guard_thread_end(cilk_worker *w) {
  stack_t s;
  memset(&s, 0, sizeof s);
  s.ss_flags = SS_DISABLE;
  sigaltstack(&s, NULL);
  free(w->ext->signal_stack);
  w->ext->signal_stack = NULL;
}

static pthread_key_t callers;
static pthread_once_t callers_once = PTHREAD_ONCE_INIT;
static bool callers_made;

static void free_signal_stack(void *memory) {
  stack_t s;
  memset(&s, 0, sizeof s);
  s.ss_flags = SS_DISABLE;
  sigaltstack(&s, NULL);
  free(memory);
}

static void make_callers(void) {
  if (pthread_key_create(&callers, free_signal_stack) != 0) cilk_fatal("out of thread-specific data");
  callers_made = true;
}

/* The calling thread gets a signal stack, unless the program has given it one. */
void cilk_guard_caller(void) {
  stack_t s;
  if (sigaltstack(NULL, &s) != 0 || !(s.ss_flags & SS_DISABLE)) return;
  pthread_once(&callers_once, make_callers);
  memset(&s, 0, sizeof s);
  s.ss_sp = CILK_FAILS(MALLOC) ? NULL : malloc(CILK_HANDLER_STACK);
  if (!s.ss_sp) cilk_fatal("out of memory");
  s.ss_size = CILK_HANDLER_STACK;
  sigaltstack(&s, NULL);
  pthread_setspecific(callers, s.ss_sp);
}

/* The destructor's code may be unloaded with a shared library. */
__attribute__((destructor)) static void forget_callers(void) {
  if (callers_made) pthread_key_delete(callers);
}
