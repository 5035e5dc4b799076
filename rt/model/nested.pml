/* nested.pml - a call from C on a worker: a signal that was meant for what is below is not lost (PROTOCOLS.md,
 * sections 7, 10).
 *
 * A worker runs a frame whose base link an abort may mark at any time; the aborter marks, then signals. In the frame C
 * code calls a nested root, whose pops take the signal back and find nothing marked there. Checked: the frame, back
 * again, unwinds at its next pop if the abort had returned by then; none of its later pops overlooks it, and no more
 * than one runs in vain. Mutations, all of which must fail:
 *   -DSWALLOWED  the end of the nested root gives no signal
 *   -DLATEMARK   the aborter signals, then marks
 *   -DEARLYLOOK  a pop looks for the mark before it takes the signal back
 *
 * describes rt/core/process/call.c: call_nested
 * describes rt/extensions/calls/start.c: cilk_wait_loop
 * describes rt/core/protocol/exception.c: raised
 * describes rt/core/steal/steal.c: cilk_signal
 * describes rt/core/protocol/abort.c: walk */
bool marked = false, signal = false, lock = false, aborted = false;

inline acquire() { atomic { !lock -> lock = true } }
inline release() { lock = false }
inline give_signal() { acquire(); signal = true; release() }

active proctype Aborter()
{
#ifdef LATEMARK
  give_signal();
  marked = true;
#else
  marked = true;
  give_signal();
#endif
  aborted = true
}

/* mine: the base link is what the abort marks. */
inline pop(mine)
{
  knew = aborted;
  saw = false;
  if
  :: signal ->
#ifdef EARLYLOOK
     saw = mine && marked;
#endif
     acquire();
     signal = false;
#ifndef EARLYLOOK
     saw = mine && marked;
#endif
     release()
  :: else
  fi;
  if :: mine -> assert(saw || !knew) :: else fi
}

active proctype Worker()
{
  bool knew, saw = false;
  byte n = 0;
  do
  :: n < 3 ->
     n++;
     if
     :: pop(false);                       /* a nested root, with two pops */
        pop(false);
#ifndef SWALLOWED
        give_signal()
#endif
     :: true
     fi;
     pop(true);
     if :: saw -> break :: else fi
  :: else -> break
  od
}
