/* caller.pml - calls of a context whose only worker is the thread that calls (PROTOCOLS.md, section 10).
 *
 * Two threads call, each once, and end; the thread's own hot part is gone then. In a call the worker's hot part is the
 * thread's, between calls it is `resting`. The timer meanwhile raises the flag of the worker that it finds.
 *
 * Checked: nothing is lost of what the worker keeps; no thread is the worker while another one is; the timer touches
 * nothing that is gone; no thread waits for ever. Mutations, all of which must fail:
 *   -DNOTAKE    the timer does not take the mutex
 *   -DNOCALL    calls do not wait for one another
 *   -DSTAYS     the context still has the thread's part after the call
 *   -DNOCOPY    ... or its own part as it was before
 *   -DNOLEAVE   the hot part moves back without the mutex
 *
 * describes rt/core/schedule/caller.c: move cilk_caller_run
 * describes rt/extensions/nest/ticker.c: slice_over */
#define RESTING 2
bool call = false, mutex = false, gone[2];
byte at = RESTING, kept[3], inside = 0;

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }
inline touch(w) { assert(w == RESTING || !gone[w]) }

proctype caller(byte me)
{
#ifndef NOCALL
  acquire(call);
#endif
  acquire(mutex);
  kept[me] = kept[RESTING];
  at = me;
  release(mutex);
  inside++;
  assert(inside == 1);
  kept[me]++;
  inside--;
#ifndef NOLEAVE
  acquire(mutex);
#endif
#ifndef NOCOPY
  kept[RESTING] = kept[me];
#endif
#ifndef STAYS
  at = RESTING;
#endif
#ifndef NOLEAVE
  release(mutex);
#endif
  release(call);
  gone[me] = true
}

proctype timer()
{
  byte w, rounds = 0;
  do
  :: rounds < 2 ->
#ifndef NOTAKE
    acquire(mutex);
#endif
    w = at;
    touch(w);                             /* reads whether it is idle */
    touch(w);                             /* raises its flag, later */
#ifndef NOTAKE
    release(mutex);
#endif
    rounds++
  :: else -> break
  od
}

init {
  atomic { run caller(0); run caller(1); run timer() };
  gone[0] && gone[1];
  assert(kept[RESTING] == 2 && at == RESTING)
}
