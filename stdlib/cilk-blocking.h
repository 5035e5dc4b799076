/* cilk-blocking.h: system calls that wait, in Cilk programs, without holding up a worker.
 *
 *     Cilk_blocking { n = read(fd, buffer, sizeof buffer); }
 *     Cilk_blocking_begin(); nanosleep(&t, 0); Cilk_blocking_end();
 *
 * Between begin and end another thread has the worker's place, and runs what it can steal from that worker or any
 * other. So all of --nproc go on computing, and as many procedures may wait as there are spare threads (64). After
 * the end the procedure continues at once. The spare thread rests when its present piece is done.
 *
 * Rules: between begin and end there are no spawns, no syncs and no calls of Cilk procedures. No break, goto or
 * return leaves the block. C functions may use it, and uses nest. In threads that are not workers it does nothing. An
 * end without a begin on the same worker ends the process with a message. The end keeps errno.
 *
 * A program that includes this header has its spare threads from the start, asleep. Cilk_active_size counts them,
 * because Self may be the number of any of them.
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

#define Cilk_blocking \
  for (int cilk_h_blocks = (Cilk_blocking_begin(), 1); cilk_h_blocks; cilk_h_blocks = (Cilk_blocking_end(), 0))

#ifdef __cplusplus
}
#endif

#endif
