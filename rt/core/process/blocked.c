/* blocked.c - in which system call a thread waits, and for what, by what the kernel says of it in /proc.
 *
 * A function of the C library that waits is found by its code: the program counter, or a return address on the stack
 * above the system call, is in it. Where functions are is looked up ahead, since the dynamic linker has a lock. */
#define _GNU_SOURCE
#include "process/blocked.h"

#include <dlfcn.h>
#include <link.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma weak dladdr1
#pragma weak pthread_barrier_wait
#pragma weak pthread_rwlock_rdlock
#pragma weak pthread_rwlock_wrlock

enum { WORDS = 16 };                      /* of the stack: the frames of the library's own helpers */

#define FUNCTION(name) {#name, 0, 0}
static struct {
  const char *name;
  uint64_t begin, end;
} functions[] = {FUNCTION(pthread_barrier_wait), FUNCTION(pthread_mutex_lock), FUNCTION(pthread_cond_wait),
    FUNCTION(pthread_rwlock_rdlock), FUNCTION(pthread_rwlock_wrlock)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

void cilk_blocked_names(void) {
  void *const at[FUNCTIONS] = {(void *)(uintptr_t)pthread_barrier_wait, (void *)(uintptr_t)pthread_mutex_lock,
      (void *)(uintptr_t)pthread_cond_wait, (void *)(uintptr_t)pthread_rwlock_rdlock,
      (void *)(uintptr_t)pthread_rwlock_wrlock};
  for (int i = 0; i < FUNCTIONS; i++) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (functions[i].end || !at[i] || !dladdr1 || !dladdr1(at[i], &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
      continue;
    functions[i].begin = (uint64_t)(uintptr_t)at[i];
    functions[i].end = functions[i].begin + symbol->st_size;
  }
}

/* The text of one of the thread's files; false: there is none. */
static bool content(int tid, const char *file, char *text, size_t room) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/task/%d/%s", tid, file);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, text, room - 1) : -1;
  if (fd >= 0) close(fd);
  text[n > 0 ? n : 0] = 0;
  return n > 0;
}

bool cilk_blocked_at(int tid, cilk_blocked *b) {
  char text[2048], *p;
  if (!content(tid, "syscall", text, sizeof text)) return false;
  b->call = strtol(text, &p, 10);
  if (p == text || b->call < 0)           /* "running"; or a page fault, a signal */
    return false;
  for (int i = 0; i < 6; i++) b->arguments[i] = strtoull(p, &p, 16);
  b->stack = strtoull(p, &p, 16);
  b->code = strtoull(p, &p, 16);
  const char *pauses = content(tid, "status", text, sizeof text) ? strstr(text, "\nvoluntary_ctxt_switches:") : NULL;
  b->pauses = pauses ? strtoull(pauses + sizeof "\nvoluntary_ctxt_switches:" - 1, NULL, 10) : 0;
  return true;
}

static const struct {
  long call;
  const char *name;
  bool outside, file;
} calls[] = {
    {SYS_futex, "futex (a mutex, a condition, a semaphore, a barrier, the end of a thread)", false, false},
    {SYS_read, "read", false, true},
    {SYS_write, "write", false, true},
    {SYS_readv, "readv", false, true},
    {SYS_writev, "writev", false, true},
    {SYS_flock, "flock", true, true},
    {SYS_fcntl, "fcntl", true, true},
    {SYS_ppoll, "poll", true, false},
    {SYS_pselect6, "select", true, false},
    {SYS_epoll_pwait, "epoll", true, false},
    {SYS_clock_nanosleep, "sleep", true, false},
    {SYS_nanosleep, "sleep", true, false},
    {SYS_wait4, "wait for a process", true, false},
    {SYS_waitid, "wait for a process", true, false},
    {SYS_rt_sigsuspend, "wait for a signal", true, false},
    {SYS_rt_sigtimedwait, "wait for a signal", true, false},
#ifdef SYS_poll
    {SYS_poll, "poll", true, false},
    {SYS_select, "select", true, false},
    {SYS_epoll_wait, "epoll", true, false},
    {SYS_pause, "wait for a signal", true, false},
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

static int known(long call) {
  int i = 0;
  while (i < CALLS && calls[i].call != call) i++;
  return i;
}

/* Not the ends of the program's own pipes, but for its standard input and output. */
bool cilk_blocked_outside(const cilk_blocked *b) {
  struct stat s;
  int i = known(b->call), fd = (int)b->arguments[0];
  return i == CALLS || calls[i].outside || (calls[i].file && (fd <= 2 || fstat(fd, &s) != 0 || !S_ISFIFO(s.st_mode)));
}

static const char *function_of(const cilk_blocked *b) {
  uint64_t words[1 + WORDS] = {b->code};
  struct iovec to = {words + 1, sizeof words - sizeof *words},
               from = {(void *)(uintptr_t)b->stack, sizeof words - sizeof *words};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0) memset(words + 1, 0, sizeof words - sizeof *words);
  for (int k = 0; k <= WORDS; k++)
    for (int i = 0; i < FUNCTIONS; i++)
      if (words[k] >= functions[i].begin && words[k] < functions[i].end) return functions[i].name;
  return NULL;
}

void cilk_blocked_describe(const cilk_blocked *b, char *text, size_t room) {
  struct stat s;
  int i = known(b->call), fd = (int)b->arguments[0];
  const char *name = b->call == SYS_futex ? function_of(b) : NULL;
  if (name) snprintf(text, room, "%s", name);
  else if (i == CALLS) snprintf(text, room, "system call %ld", b->call);
  else if (calls[i].file)
    snprintf(text, room, "%s of descriptor %d (%s)", calls[i].name, fd,
        fstat(fd, &s) != 0    ? "closed"
        : S_ISFIFO(s.st_mode) ? "a pipe"
        : S_ISSOCK(s.st_mode) ? "a socket"
        : S_ISCHR(s.st_mode)  ? "a device"
                              : "a file");
  else snprintf(text, room, "%s", calls[i].name);
}
