/* skip.pml - a pop of the slow clone's own closure when a sibling's result waits, whose inlet says abort (PROTOCOLS.md,
 * section 4, case 5).
 *
 * The instance runs on worker 0 and spawns; an earlier child returns elsewhere meanwhile, is queued, and signals. At
 * the pop of the closure what is queued is run first; if that aborted the instance's children, the one that has just
 * returned was among them: its result is dropped.
 *
 * Checked: nothing is delivered after an abort; without one both results arrive. Mutations, all of which must fail:
 *   -DNOSKIP     the result is still delivered
 *   -DLATECOUNT  the aborts are counted after what waits was run
 *   -DNODRAIN    the pop leaves what is queued, the sync drops it
 *
 * describes rt/core/protocol/exception.c: raised cilk_rt_pop_exception
 * describes rt/core/steal/drain.c: cilk_drain
 * describes rt/core/protocol/abort.c: cilk_rt_abort walk */
bool lock = false, signal = false, queued = false, returned = false;
byte aborts = 0, delivered = 0;
bool late = false;                        /* something was delivered after the abort */

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }
inline deliver() { if :: aborts > 0 -> late = true :: else -> delivered++ fi }

active proctype Sibling()
{
  acquire(lock);
  atomic { queued = true; returned = true };
  release(lock);
  signal = true
}

active proctype Owner()
{
  byte before;
  bool skipped = false;
  /* the child has returned: the pop */
  if
  :: signal ->
     signal = false;
     acquire(lock);
#ifndef LATECOUNT
     before = aborts;
#endif
#ifndef NODRAIN
     if
     :: queued ->
        queued = false;
        release(lock);
        deliver();
        if :: aborts++ :: skip fi;        /* the inlet */
        acquire(lock)
     :: else
     fi;
#endif
#ifdef LATECOUNT
     before = aborts;
#endif
     skipped = aborts != before;
     release(lock)
  :: !signal
  fi;
#ifdef NOSKIP
  skipped = false;
#endif
  if :: !skipped -> deliver() :: else fi;
  returned;                               /* the sync, when the sibling has returned */
  acquire(lock);
#ifdef NODRAIN
  queued = false;
#endif
  if :: queued -> queued = false; deliver() :: else fi;
  release(lock);
  assert(!late && (aborts > 0 || delivered == 2))
}
