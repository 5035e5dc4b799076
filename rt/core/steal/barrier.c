/* barrier.c - the thief's half of the asymmetric fence.
 *
 * A pop stores T and then loads E with no machine fence between (abi.h). The thief stores E and then loads T;
 * between the two it calls cilk_heavy_fence, which makes the victim execute a full barrier, so at least one side
 * sees the other's store (Dekker). membarrier(2) does that to all running threads at once. Where the kernel lacks
 * it, or fails (it may be out of memory for a moment), the victim alone is sent a signal, whose handler answers by
 * letting `fence_done` catch up with `fence_asked`. By then each side sees what the other stored before. A victim
 * that does not answer for a while (it is not running, or the program blocked the signal) keeps its entry: the thief
 * retreats.
 *
 * The signal is SIGURG, which is ignored by default and therefore does no harm if it comes late, after the handler
 * is gone. The handler is installed when it is needed first. Where a program has a handler of its own already, that
 * is called, too.
 *
 * Elsewhere generated code fences itself (cilk_rt_needs_fence), and an ordinary fence is the thief's half. */
#define _GNU_SOURCE
#include "steal/barrier.h"
#include "base/fault.h"
#include "data/policy.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MEMBARRIER_CMD_PRIVATE_EXPEDITED_
#define MEMBARRIER_CMD_PRIVATE_EXPEDITED_ (1 << 3)
#define MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_ (1 << 4)
#endif

#if defined(CILK_TSAN) || !CILK_ARCH_FENCELESS_POP
#define CILK_SYMMETRIC 1
#endif

#ifdef CILK_SYMMETRIC
/* Pops are sequentially consistent exchanges in this flavour; ThreadSanitizer models those, not fences. */
const int cilk_rt_needs_fence = 1;
void cilk_heavy_fence_init(void) {}
bool cilk_heavy_fence(cilk_worker *victim) {
  (void)victim;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return true;
}
#else
const int cilk_rt_needs_fence = 0;

static bool no_membarrier;                /* atomic, relaxed: only ever set */
static struct sigaction previous;

static int membarrier(int command) { return (int)syscall(SYS_membarrier, command, 0, 0); }

/* On the victim. */
static void on_signal(int sig, siginfo_t *info, void *context) {
  cilk_worker_ext *x = cilk_self.ext;
  if (x && cilk_self.id >= 0) {
    uint32_t asked = load_seq_cst(&x->fence_asked);   /* E as the thief stored it before is seen from here on */
    store_seq_cst(&x->fence_done, asked);             /* a thread that sees it sees T as this thread stored it */
  }
  if (info->si_code == SI_TKILL && info->si_pid == getpid()) return;                               /* a thief's */
  if (previous.sa_flags & SA_SIGINFO) previous.sa_sigaction(sig, info, context);
  else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) previous.sa_handler(sig);
}

static void install(void) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = on_signal;
  a.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&a.sa_mask);
  sigaction(SIGURG, &a, &previous);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

void cilk_heavy_fence_init(void) {
  if (getenv("CILK_NO_MEMBARRIER")        /* for tests */
      || membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_) != 0 ||
      membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_) != 0)
    store_relaxed(&no_membarrier, true);
}

/* The victim's lock is held, so there is one thief at a time. */
static bool ask_by_signal(cilk_worker_ext *x) {
  uint32_t asked = load_relaxed(&x->fence_asked);
  bool answered = load_acquire(&x->fence_done) == asked; /* else it is not listening: not much time is spent on it */
  store_seq_cst(&x->fence_asked, ++asked);
  if (syscall(SYS_tgkill, getpid(), x->tid, SIGURG) != 0)
    return false; /* the thread is gone, or signals cannot be queued now */
  uint64_t until = cilk_now_ns() + (answered ? CILK_FENCE_WAIT_NS : CILK_ASK_MAX_NS);
  for (int spins = 0; load_seq_cst(&x->fence_done) != asked; spins++) {
    if (spins < CILK_LOCK_SPINS) cilk_pause();
    else {
      if (cilk_now_ns() > until) return false;
      sched_yield();
    }
  }
  return true;
}

bool cilk_heavy_fence(cilk_worker *victim) {
  if (!load_relaxed(&no_membarrier) && !CILK_FAILS(MEMBARRIER) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_) == 0)
    return true;
  pthread_once(&once, install);
  return ask_by_signal(victim->ext);
}
#endif
