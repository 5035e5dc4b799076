/* cilk-blocking.h: system calls that wait, in Cilk programs, without holding up a worker.
 *
 *     Cilk_blocking { n = read(fd, buffer, sizeof buffer); }
 *     Cilk_blocking_begin(); nanosleep(&t, 0); Cilk_blocking_end();
 *
 * Between the two the worker's place is taken by another thread, which runs what can be stolen from it or anybody; so as many procedures may wait as there are
 * spare threads (64), and all of --nproc go on computing. After the end the procedure continues at once; the thread that had its place rests
 * when it is done with what it runs then. Between the two there are no spawns, no syncs and no calls of Cilk procedures, and the block is not left by break, goto or
 * return. C functions may call them, too, and they nest; in threads that are no workers they do nothing.
 *
 * A program that includes this has its spare threads from the beginning, asleep: Cilk_active_size counts them, since Self may be any of theirs.
 */
#ifndef CILK_BLOCKING_H
#define CILK_BLOCKING_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(CILK_ELISION) && !defined(__CILK__)
static __inline__ void Cilk_blocking_begin(void) {}
static __inline__ void Cilk_blocking_end(void) {}
#else
extern void Cilk_blocking_begin(void);
extern void Cilk_blocking_end(void);
extern void cilk_rt_may_block(void);
__attribute__((__constructor__)) static void cilk_h_may_block(void) { cilk_rt_may_block(); }
#endif

#define Cilk_blocking for (int cilk_h_blocks = (Cilk_blocking_begin(), 1); cilk_h_blocks; cilk_h_blocks = (Cilk_blocking_end(), 0))

#ifdef __cplusplus
}
#endif

#endif
