/* crash.c - the message of a program that ends by a fault of its own: an address, a division, a trap, a stack that
 * is full. It is a member of the archive of its own, since serial programs and those of the tools have it without
 * the rest of the runtime. Its data count as the program's (RT_SECTIONS in the Makefile), so it keeps nothing but a
 * pointer. */
#define _GNU_SOURCE
#include "base/crash.h"
#include "base/config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#pragma weak __libc_single_threaded       /* an older library at run time */
#define ONE_THREAD_IS_KNOWN
#endif

enum { NULL_PAGE = 4096 };                /* a member of what a null pointer should point to is there, too */
enum { NEAR = 1 << 20 };                  /* the gap that the kernel keeps below the stack of a process */

static const char *what(int sig, const siginfo_t *info) {
  switch (sig) {
    case SIGFPE: return info->si_code == FPE_INTDIV ? "an integer is divided by zero" : "arithmetic fails";
    case SIGILL: return "an instruction traps";
    case SIGSEGV:
      if (info->si_code == SEGV_MAPERR && (uintptr_t)info->si_addr < NULL_PAGE) return "a null pointer is followed";
  }
  return "an invalid address is used";
}

void cilk_crash_say(int sig, const siginfo_t *info, const char *overflow, const char *more, const char *by,
    cilk_crash_place *place) {
  char text[1024], address[40] = "", where[400];
  bool memory = sig == SIGSEGV || sig == SIGBUS;
  if (!overflow && memory && info->si_code != SI_KERNEL)     /* the processor does not say which address it was */
    snprintf(address, sizeof address, " (address 0x%jx)", (uintmax_t)(uintptr_t)info->si_addr);
  if (!place || !place(where, sizeof where)) where[0] = 0;
  int n = snprintf(text, sizeof text, "Cilk runtime system: %s%s in %s%s%s%s.\n", overflow ? overflow : what(sig, info),
      overflow ? " overflow" : "", by, address, where[0] ? ", which " : "", where);
  if (overflow)
    n += snprintf(text + n, sizeof text - (size_t)n,
        "Your program may have infinite recursion; if not, give it more with %s.\n", more);
  else
    n += snprintf(text + n, sizeof text - (size_t)n,
        "%s-g -fsanitize=%s shows the line, `cilkc debug` the variables.\n",
        sig == SIGILL ? "Compilers put one where the program's behaviour is undefined. " : "",
        memory && (info->si_code != SEGV_MAPERR || (uintptr_t)info->si_addr >= NULL_PAGE) ? "address" : "undefined");
  (void)!write(2, text, (size_t)n);
}

static cilk_crash_place *place_of_serial;

/* As soon as the handler returns, when all registers are those of the fault again. The access alone would fault once
 * more only where it is done with these registers: valgrind does not keep them all. */
void cilk_crash_repeat(int sig) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, sig);
  pthread_sigmask(SIG_BLOCK, &one, NULL);
  raise(sig);
}

/* The first thread's stack, at whose upper end the kernel puts the program's name. */
static bool stack_is_full(const siginfo_t *info) {
  struct rlimit limit;
  uintptr_t top = getauxval(AT_EXECFN), at = (uintptr_t)info->si_addr;
  if (!top || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= top)
    return false;
  uintptr_t end = top - limit.rlim_cur;
  return at + NEAR >= end && at < end + NEAR;
}

static void on_fault(int sig, siginfo_t *info, void *context) {
  (void)context;
  bool full = (sig == SIGSEGV || sig == SIGBUS) && stack_is_full(info);
  signal(sig, SIG_DFL);
  if (info->si_code > 0)
    cilk_crash_say(sig, info, full ? "stack" : NULL, "ulimit -s <kilobytes>", "the serial run", place_of_serial);
  cilk_crash_repeat(sig);
}

void cilk_crash_watch(cilk_crash_place *place) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  stack_t stack = {.ss_size = CILK_HANDLER_STACK};
  struct sigaction old, a = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  if (place)                              /* a tool watches before main does */
    place_of_serial = place;
  stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, NULL);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
    if (sigaction(faults[i], NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
      sigaction(faults[i], &a, NULL);
}

/* False once there was a second thread; also where the C library does not say so. */
static bool one_thread(void) {
#ifdef ONE_THREAD_IS_KNOWN
  return &__libc_single_threaded && __libc_single_threaded;
#else
  return false;
#endif
}

void cilk_crash_waits(const volatile void *lock) {
  char where[400];
  if (!place_of_serial || !one_thread()) return;
  where[place_of_serial(where, sizeof where - 1)] = 0;
  fprintf(stderr,
      "Cilk runtime system: the lock at %p is already held, and the serial run%s%s, deadlocks.\n"
      "`cilkc race` names the line where it was acquired.\n",
      (const void *)(uintptr_t)lock, where[0] ? ", which " : "", where);
  _exit(125);
}
