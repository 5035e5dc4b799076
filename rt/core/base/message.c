/* message.c - fatal errors: of the runtime (`<worker>: fatal error: ...`) and of user code (Cilk_die, Cilk_assert). And
 * the end of the process: once, by the first thread that comes, with one message and one status.
 *
 * exit(3) from two threads at once is undefined in C libraries of before 2024, and a fatal message cut short by
 * another thread's exit is useless. Therefore every way in which the runtime ends the process begins with
 * cilk_exit_claim, where later threads wait for the end. */
#define _GNU_SOURCE
#include "base/message.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t ending; /* id of the thread that ends the process; 0: none; atomic */

static uint32_t thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

/* Returns in the first thread that calls it, and again in the same one (false then). */
bool cilk_exit_claim(void) {
  uint32_t me = thread_id(), owner = 0;
  if (__atomic_compare_exchange_n(&ending, &owner, me, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return true;
  if (owner == me) return false;
  for (;;) pause();
}

/* In a forked child: the thread that was ending the process is in the parent. */
static void forked(void) { store_relaxed(&ending, 0u); }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, forked); }

static int message_fd = 2; /* set before there are workers */
static void (*before_message)(void);
void (*cilk_message_at_signal)(int sig);

void cilk_message_goes(int fd, void (*before)(void)) {
  message_fd = fd;
  before_message = before;
}

void cilk_message_note(const char *text) {
  if (before_message) before_message();
  (void)!write(message_fd, text, strlen(text));
}

static char repeat[4096];

/* The words as they are given to a shell; none: there is nothing to repeat. */
void cilk_repeat_note(int n, const char *const *words) {
  if (!n) {
    repeat[0] = 0;
    return;
  }
  size_t at = (size_t)snprintf(repeat, sizeof repeat, "to repeat this run:");
  for (int i = 0; i < n && at < sizeof repeat - 1; i++) {
    bool plain = words[i][0] && !strpbrk(words[i], " \t\n\"'\\$`*?[](){}<>|&;#~!");
    /* a quote in a word is rare enough */
    at += (size_t)snprintf(repeat + at, sizeof repeat - at, plain ? " %s" : " '%s'", words[i]);
  }
  if (at >= sizeof repeat - 1) repeat[0] = 0; /* too long to be of use */
  else repeat[at] = '\n';
}

void cilk_repeat_say(void) {
  static uint32_t said;
  if (repeat[0] && !__atomic_exchange_n(&said, 1u, __ATOMIC_SEQ_CST)) cilk_message_note(repeat);
}

static void on_end(int sig) {
  if (cilk_message_at_signal) cilk_message_at_signal(sig);
  cilk_repeat_say();
  signal(sig, SIG_DFL);
  raise(sig);
}

/* Unless the program has handlers of its own. Faults are stackguard.c's. */
void cilk_repeat_on_signals(void) {
  static const int ends[] = {SIGABRT, SIGINT, SIGTERM};
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction old;
    if (sigaction(ends[i], NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
      signal(ends[i], on_end);
  }
}

CILK_NORETURN void cilk_exit_process(int status) {
  static bool under_way; /* only the thread that has the claim comes here */
  cilk_exit_claim();
  if (under_way) /* called by an atexit handler */
    _exit(status);
  under_way = true;
  if (status) cilk_repeat_say();
  exit(status);
}

int cilk_dump_core; /* --dump-core: abort() instead of exit(1) */

static CILK_NORETURN void die(void) {
  fflush(stdout);
  cilk_repeat_say();
  if (load_relaxed(&cilk_dump_core)) abort();
  cilk_exit_process(1);
}

void cilk_fatal(const char *format, ...) {
  va_list args;
  char text[2048];
  int n = cilk_self.id >= 0 ? snprintf(text, sizeof text, "%d: fatal error: ", cilk_self.id)
                            : snprintf(text, sizeof text, "global: fatal error: ");
  va_start(args, format);
  vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  cilk_exit_claim();
  fprintf(stderr, "%s\n", text);
  die();
}

CILK_SHARED CILK_NORETURN void cilk_rt_die(const char *message) {
  cilk_exit_claim();
  fprintf(stderr, "fatal error: %s\n", message);
  die();
}

CILK_SHARED CILK_NORETURN void cilk_rt_assert_failed(const char *expression, int line, const char *file) {
  cilk_exit_claim();
  fprintf(stderr,
      "fatal error: Assertion failed: %s line %d file %s\n"
      "This is either a bug in the program or a wrong assertion.\n"
      "Run with --dump-core to get a core file for a debugger.\n",
      expression, line, file);
  die();
}
