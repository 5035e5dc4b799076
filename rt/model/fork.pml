/* fork.pml - what a forked child finds (PROTOCOLS.md, section 10).
 *
 * A worker forks in user code, where it holds no lock; another thread, which is no worker, forks at the same time. It
 * may do so in a signal handler that interrupted it in a pool. A second worker steals from the first, under the
 * victim's lock, and takes memory from the pool meanwhile; gives closures to the common pool; puts seats to sleep;
 * works on its own deque; takes a lock of the scheduler and puts a piece into the scheduler's queue. At each fork
 * either the parent is followed, or the child, in which the forking thread is alone. A child of the thread that is no
 * worker calls into the context.
 *
 * Checked: at a fork nothing that the locks guard is half done, but for what the handler interrupted; in the child
 * every lock can be had; in the parent, too, afterwards; a lock is given back by its holder; the child's call finds
 * nothing of the parent's computation; no thread waits for ever. Mutations, all of which must fail:
 *   -DNOWORKERS  the forking thread does not take the workers' locks
 *   -DNOORPHANS  ... nor the common pool's
 *   -DNOSEATS    ... nor the seats'
 *   -DNOPOOL     ... nor the pools' of memory
 *   -DNOAWAIT    ... nor waits until no worker holds a lock of a scheduler
 *   -DNOGATE     a worker takes a lock of a scheduler though a thread forks
 *   -DLETGO      the pools' locks are given back though they were not to be had
 *   -DNORESET    the child leaves the locks as they are
 *   -DNORESTORE  the parent does not give them back
 *   -DNOAPART    two forks are not kept apart
 *   -DNOCLEAR    the child's call finds the fields of the context as they were
 *
 * describes rt/core/process/fork.c: take await_scheduler before after_in_parent after_in_child cilk_context_revive
 * describes rt/core/data/pool.c: cilk_pool_hold cilk_pool_let_go
 * describes rt/core/fibers/vproc.c: scheduler_lock scheduler_unlock */
#define FREE 0
#define OWN 1                             /* by a thread that works with it */
#define HELD 2                            /* by the thread that forks */
#define WORKER0 0
#define WORKER1 1
#define ORPHANS 2
#define SEATS 3
#define POOL 4
#define LOCKS 5
byte lock[LOCKS], contexts = FREE, sched = FREE;
bool half[LOCKS], halfS = false;          /* what the lock guards is half done */
bool held[LOCKS];                         /* as the runtime notes it */
/* a lock was not to be had, for which this thread is not to blame: the child reports that when it meets it */
bool gave_up = false;
bool forking = false, scheduling = false, inside = false;   /* inside: the thread that is no worker is in the pool */
/* the scheduler, and other fields, have something of the parent's computation */
bool stale = false;
byte child = 0;                           /* 0: the parent; else the thread that forked: 1 or 2 */

#define here(me) (child == 0 || child == me)

/* A thread that is not there any more goes no further. */
inline lock_it(me, l) { if :: atomic { here(me) && l == FREE -> l = OWN } :: !here(me) -> goto gone fi }
inline unlock_it(me, l) { if :: atomic { here(me) -> l = FREE } :: !here(me) -> goto gone fi }

/* Gives up where the holder is itself, interrupted; or waits, perhaps, for one that is interrupted by a handler that
 * forks, too: the wait would not end. */
inline take(me, k)
{
  if
  :: atomic { here(me) && lock[k] == FREE -> lock[k] = HELD; held[k] = true }
  :: atomic { here(me) && k == POOL && me == 2 && inside -> held[k] = false }
  :: atomic { here(me) && lock[k] == OWN && inside && !(k == POOL && me == 2) -> held[k] = false; gave_up = true }
  :: !here(me) -> goto gone
  fi
}
inline let_go(me, k)
{
  if
  :: atomic { here(me) && held[k] -> assert(lock[k] == HELD); held[k] = false; lock[k] = FREE }
#ifdef LETGO
  :: atomic { here(me) && !held[k] && k == POOL -> assert(lock[k] == HELD); lock[k] = FREE }
  :: here(me) && !held[k] && k != POOL
#else
  :: here(me) && !held[k]
#endif
  :: !here(me) -> goto gone
  fi
}

inline fork(me)
{
#ifndef NOAPART
  lock_it(me, contexts);
#endif
  if :: atomic { here(me) -> forking = true } :: !here(me) -> goto gone fi;
#ifndef NOAWAIT
  if :: here(me) && !scheduling :: !here(me) -> goto gone fi;
#endif
#ifndef NOWORKERS
  take(me, WORKER0);
  take(me, WORKER1);
#endif
#ifndef NOORPHANS
  take(me, ORPHANS);
#endif
#ifndef NOSEATS
  take(me, SEATS);
#endif
#ifndef NOPOOL
  take(me, POOL);
#endif
  atomic {
    if :: !here(me) -> goto gone :: else fi;
    assert(gave_up || (!half[WORKER0] && !half[WORKER1] && !half[ORPHANS] && !half[SEATS] && (!half[POOL] || (me == 2 && inside))));
    assert(!halfS && sched == FREE);
    if
    :: child == 0 -> child = me;          /* the child: the others are not there */
       forking = false; scheduling = false;
#ifndef NORESET
       lock[WORKER0] = FREE; lock[WORKER1] = FREE; lock[ORPHANS] = FREE; lock[SEATS] = FREE;
       if :: held[POOL] -> held[POOL] = false; lock[POOL] = FREE :: else fi;
#endif
       contexts = FREE
    :: true
    fi
  };
  if
  :: child == me
  :: child != 0 && child != me -> goto gone
  :: child == 0 ->
     if :: atomic { here(me) -> forking = false; gave_up = false } :: !here(me) -> goto gone fi;
#ifndef NORESTORE
     let_go(me, POOL);
     let_go(me, SEATS);
     let_go(me, ORPHANS);
     let_go(me, WORKER0);
     let_go(me, WORKER1);
#endif
#ifndef NOAPART
     unlock_it(me, contexts)
#else
     skip
#endif
  fi
}

inline use(me)
{
  i = 0;
  do
  :: i < LOCKS -> lock_it(me, lock[i]); unlock_it(me, lock[i]); i++
  :: else -> break
  od
}

byte through = 0;

proctype Forker(byte me)
{
  byte i;
  if
  :: me == 2 ->
     lock_it(me, lock[POOL]);
     atomic { inside = true; half[POOL] = true };
     fork(me);
     if :: atomic { here(me) -> assert(lock[POOL] == OWN); half[POOL] = false; inside = false } :: !here(me) -> goto gone fi;
     unlock_it(me, lock[POOL])
  :: true -> fork(me)
  fi;
  if
  :: child == me && gave_up -> goto reported
  :: else
  fi;
  use(me);
  if
  :: child == me && me == 2 ->
#ifndef NOCLEAR
     stale = false;
#endif
     assert(!stale)
  :: else
  fi;
reported:
  atomic { if :: child == me -> through = 9 :: child == 0 -> through++ :: else fi };
gone:
  skip
}

proctype Other()
{
  byte n = 2, k;
  do
  :: n > 0 ->
     n--;
     if
     :: lock_it(3, lock[WORKER0]);        /* a theft, which makes a link */
        half[WORKER0] = true;
        lock_it(3, lock[POOL]); half[POOL] = true; half[POOL] = false; unlock_it(3, lock[POOL]);
        half[WORKER0] = false;
        unlock_it(3, lock[WORKER0])
     :: if :: k = WORKER1 :: k = ORPHANS :: k = SEATS :: k = POOL fi;
        lock_it(3, lock[k]);
        half[k] = true; half[k] = false;
        unlock_it(3, lock[k])
     :: if :: atomic { here(3) -> scheduling = true } :: !here(3) -> goto gone fi;
#ifndef NOGATE
        do
        :: atomic { here(3) && forking -> scheduling = false }
           if :: atomic { here(3) && !forking -> scheduling = true } :: !here(3) -> goto gone fi
        :: here(3) && !forking -> break
        :: !here(3) -> goto gone
        od;
#endif
        lock_it(3, sched);
        halfS = true; if :: here(3) -> stale = true :: else -> goto gone fi; halfS = false;
        unlock_it(3, sched);
        if :: atomic { here(3) -> scheduling = false } :: !here(3) -> goto gone fi
     fi
  :: else -> break
  od;
  atomic { if :: child == 0 -> through++ :: else fi };
gone:
  skip
}

init { atomic { run Forker(1); run Forker(2); run Other() } }

/* All are through; in a child the thread that forked. The others stay where they were. */
active proctype Monitor()
{
  if
  :: through == 3
  :: through == 9
  fi;
  if
  :: through == 9 && !gave_up -> assert(lock[WORKER0] == FREE && lock[WORKER1] == FREE && lock[ORPHANS] == FREE && lock[SEATS] == FREE && lock[POOL] == FREE && sched == FREE)
  :: else
  fi
}
