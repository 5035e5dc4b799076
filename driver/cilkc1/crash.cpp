// crash.cpp - signal handlers on an alternate stack; they use nothing but write(2) and lookups in memory that is
// already there.
#include "driver/cilkc1/crash.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <malloc.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "frontend/support/output.h"

#ifdef __SANITIZE_ADDRESS__
// The crash handler has a signal stack of its own in the compiler's thread, which AddressSanitizer would take for its
// own at the end; a compiler exits with its memory.
extern "C" const char *__asan_default_options() { return "use_sigaltstack=0:detect_leaks=0"; }
#endif

namespace cilkc {

namespace {

Progress now;
char *stackLow = nullptr;                 // lowest address of the big stack's guard area
size_t stackSize = 0;
constexpr size_t guardSize = 1 << 20;
volatile sig_atomic_t failing = 0;

void say(const char *s) {
  size_t n = std::strlen(s);
  while (n) {
    ssize_t k = write(2, s, n);
    if (k <= 0) return;
    s += k;
    n -= static_cast<size_t>(k);
  }
}

// "file:line", as far as it is known.
void sayPlace() {
  const char *file = now.file;
  unsigned line = 0;
  if (now.sources && compilingNow.valid()) {
    Presumed p = now.sources->presumed(compilingNow);
    if (p.file) file = p.file->name.c_str(), line = p.line;
  }
  say(file);
  if (!line) return;
  char digits[16];
  int n = 0;
  for (; line; line /= 10) digits[n++] = static_cast<char>('0' + line % 10);
  char text[20] = ":";
  for (int i = 0; i < n; ++i) text[1 + i] = digits[n - 1 - i];
  text[n + 1] = 0;
  say(text);
}

[[noreturn]] void die(const char *what, int status, const char *headline) {
  if (!failing) {
    failing = 1;
    if (const char *file = unfinishedFile()) unlink(file);
    if (headline) {
      sayPlace();
      say(headline);
    } else {
      say("cilkc1: internal error in stage ");
      say(now.stage);
      say(" while compiling ");
      sayPlace();
      if (what) say(": "), say(what);
      say("\n");
    }
  }
  _exit(status);
}

void onCrash(int sig, siginfo_t *info, void *) {
  char *at = static_cast<char *>(info->si_addr);
  if (sig == SIGSEGV && stackLow && at >= stackLow && at < stackLow + guardSize + 4096)
    die(nullptr, 1, ": fatal error: nesting too deep for the compiler's stack [nested-too-deeply]\n");
  die(sig == SIGSEGV   ? "segmentation fault"
      : sig == SIGABRT ? "aborted"
      : sig == SIGFPE  ? "arithmetic exception"
      : sig == SIGILL  ? "illegal instruction"
                       : "bus error",
      70, nullptr);
}

void onKill(int sig) {
  if (const char *file = unfinishedFile()) unlink(file);
  signal(sig, SIG_DFL);
  raise(sig);
}

// Where an allocation fails nothing is unwound: destructors of half-made objects would run, some of them of libraries
// that do not expect it, and the process ends with its memory anyhow.
[[noreturn]] void onNoMemory() { die(nullptr, 1, ": fatal error: out of memory\n"); }

// The stack may take a quarter of what is left where the address space is limited. If it took all that it can get, a
// higher limit could leave less for the rest.
size_t allowedStack(size_t most) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  unsigned long pages = 0;
  if (FILE *f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%lu", &pages) != 1) pages = 0;
    std::fclose(f);
  }
  size_t used = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t share = limit.rlim_cur > used ? (limit.rlim_cur - used) / 4 : 0;
  while (most > share) most /= 2;
  return std::max(most, size_t(1) << 20);
}

struct Job {
  const std::function<int()> *f;
  int result;
};

void *bigStackMain(void *arg) {
  static char alternate[64 * 1024];
  stack_t ss{};
  ss.ss_sp = alternate;
  ss.ss_size = sizeof alternate;
  sigaltstack(&ss, nullptr);
  auto *job = static_cast<Job *>(arg);
  try {
    job->result = (*job->f)();
  } catch (const std::bad_alloc &) {
    die(nullptr, 1, ": fatal error: out of memory\n");
  } catch (const std::exception &e) { internalError(e.what()); } catch (...) {
    internalError("unknown exception");
  }
  return nullptr;
}

}  // namespace

Progress &progress() { return now; }
void internalError(const char *what) { die(what, 70, nullptr); }

int runGuarded(const std::function<int()> &f) {
  struct sigaction sa{};
  sa.sa_sigaction = onCrash;
  sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int sig : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(sig, &sa, nullptr);
  for (int sig : {SIGINT, SIGTERM, SIGHUP})
    if (signal(sig, onKill) == SIG_IGN) signal(sig, SIG_IGN);
  Job job{&f, 70};
  std::set_new_handler(onNoMemory);
  // the thread needs no heap of its own: glibc reserves 64 MB for each, or, where it cannot, maps every block by itself
  mallopt(M_ARENA_MAX, 1);
#ifdef __SANITIZE_ADDRESS__
  const size_t most = size_t(1) << 26;  // AddressSanitizer cannot clean more of a stack when an exception is thrown
#else
  const size_t most = size_t(1) << 30;
#endif
  for (size_t size = allowedStack(most); size >= (size_t(1) << 20); size /= 2) {
    void *p = mmap(nullptr, size + guardSize, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED) continue;
    stackLow = static_cast<char *>(p);
    stackSize = size;
    mprotect(p, guardSize, PROT_NONE);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stackLow + guardSize, size);
    pthread_t t;
    int failed = pthread_create(&t, &attr, bigStackMain, &job);
    pthread_attr_destroy(&attr);
    if (!failed) {
      pthread_join(t, nullptr);
      return job.result;
    }
    munmap(p, size + guardSize);
  }
  stackLow = nullptr;
  bigStackMain(&job);
  return job.result;
}

}  // namespace cilkc
