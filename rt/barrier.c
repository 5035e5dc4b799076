/* barrier.c - the thief's half of the asymmetric fence.
 *
 * A pop stores T and then loads E with no machine fence between (abi.h). The thief stores E and then loads T; between the two it
 * calls cilk_heavy_fence, which makes every running worker execute a full barrier. So at least one side sees the other's store
 * (Dekker). membarrier(2) does that; where the kernel lacks it, on x86 a change of page protection does, because it interrupts
 * every processor that runs a thread of this process. Elsewhere generated code fences itself (cilk_rt_needs_fence), and an
 * ordinary fence is the thief's half. */
#define _GNU_SOURCE
#include "internal.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MEMBARRIER_CMD_PRIVATE_EXPEDITED_
#define MEMBARRIER_CMD_PRIVATE_EXPEDITED_ (1 << 3)
#define MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_ (1 << 4)
#endif

#if defined(CILK_TSAN) || !(defined(__x86_64__) || defined(__aarch64__))
#define CILK_SYMMETRIC 1
#endif

#ifdef CILK_SYMMETRIC
/* Pops are sequentially consistent exchanges in this flavour; ThreadSanitizer models those, not fences. */
const int cilk_rt_needs_fence = 1;
void cilk_heavy_fence_init(void) {}
void cilk_heavy_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
#else
const int cilk_rt_needs_fence = 0;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *page;                        /* the fallback's page; NULL when membarrier works */
static size_t page_bytes;
static uint32_t page_lock;

static int membarrier(int command) { return (int)syscall(SYS_membarrier, command, 0, 0); }

static void choose(void)
{
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_) == 0 && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_) == 0
      && !getenv("CILK_NO_MEMBARRIER"))
    return;
#if defined(__x86_64__)
  page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  void *p = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    cilk_fatal("no memory for a fence page");
  (void)mlock(p, page_bytes);             /* so that the page stays mapped; best effort */
  page = p;
#else
  cilk_fatal("this kernel has no membarrier(2), which the runtime needs on this processor");
#endif
}

void cilk_heavy_fence_init(void) { pthread_once(&once, choose); }

void cilk_heavy_fence(void)
{
  if (!page) {
    if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_) != 0)
      cilk_fatal("membarrier(2) failed");
    return;
  }
  /* Taking a right away from a dirty page makes the kernel flush the translation on all processors that run this process, by an
   * interrupt that they answer before the call returns: entering the kernel is a full barrier there. */
  cilk_spin_lock(&page_lock);
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
    cilk_fatal("mprotect failed");
  *(volatile char *)page = 1;
  if (mprotect(page, page_bytes, PROT_READ) != 0)
    cilk_fatal("mprotect failed");
  cilk_spin_unlock(&page_lock);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#endif
