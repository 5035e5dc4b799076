/* fork.pml - what a forked child finds (PROTOCOLS.md, section 10).
 *
 * A worker forks in user code, where it holds no lock; another thread, which is no worker, forks at the same time. A second worker steals from the first, under that one's lock, and takes memory from the pool
 * meanwhile; gives closures to the common pool; works on its own deque. At each fork either the parent is followed, or the child, in which the forking thread is alone.
 *
 * Checked: at a fork nothing that the locks guard is half done; in the child every lock can be had; in the parent, too, afterwards; nobody waits for ever. Mutations, all of which must fail:
 *   -DNOWORKERS  the forking thread does not take the workers' locks
 *   -DNOORPHANS  ... nor the common pool's
 *   -DNOPOOL     ... nor the pools' of memory
 *   -DNORESET    the child leaves them as they are
 *   -DNORESTORE  the parent does not give them back
 *   -DNOAPART    two forks are not kept apart
 *
 * stands-for rt/fork.c: take before after_in_parent after_in_child
 * stands-for rt/pool.c: cilk_pool_hold cilk_pool_let_go */
#define FREE 0
#define OWN 1                             /* by who works with it */
#define HELD 2                            /* by who forks */
byte worker[2], orphans = FREE, pool = FREE, contexts = FREE;
bool halfW[2], halfO = false, halfP = false;   /* what the lock guards is half done */
bool heldW[2], heldO;                     /* as the runtime notes it */
byte child = 0;                           /* 0: the parent; else who forked: 1 or 2 */

#define here(me) (child == 0 || child == me)

/* Who is not there any more goes no further. */
inline lock(me, l) { if :: atomic { here(me) && l == FREE -> l = OWN } :: !here(me) -> goto gone fi }
inline unlock(me, l) { if :: atomic { here(me) -> l = FREE } :: !here(me) -> goto gone fi }

/* Gives up where another fork has it, which takes too long. */
inline take(me, l, held)
{
  if
  :: atomic { here(me) && l == FREE -> l = HELD; held = true }
  :: atomic { here(me) && l == HELD -> held = false }
  :: !here(me) -> goto gone
  fi
}

inline fork(me)
{
#ifndef NOAPART
  lock(me, contexts);
#endif
#ifndef NOWORKERS
  take(me, worker[0], heldW[0]);
  take(me, worker[1], heldW[1]);
#endif
#ifndef NOORPHANS
  take(me, orphans, heldO);
#endif
#ifndef NOPOOL
  lock(me, pool);
#endif
  atomic {
    if :: !here(me) -> goto gone :: else fi;
    assert(!halfW[0] && !halfW[1] && !halfO && !halfP);
    if
    :: child == 0 -> child = me;          /* the child: the others are not there */
#ifndef NORESET
       worker[0] = FREE; worker[1] = FREE; orphans = FREE; pool = FREE;
#endif
       contexts = FREE
    :: true
    fi
  };
  if
  :: child == me
  :: child != 0 && child != me -> goto gone
  :: child == 0 ->
#ifndef NORESTORE
     unlock(me, pool);
     if :: heldO -> unlock(me, orphans) :: else fi;
     if :: heldW[0] -> unlock(me, worker[0]) :: else fi;
     if :: heldW[1] -> unlock(me, worker[1]) :: else fi;
#endif
#ifndef NOAPART
     unlock(me, contexts)
#else
     skip
#endif
  fi
}

inline use(me)
{
  lock(me, worker[0]); unlock(me, worker[0]);
  lock(me, worker[1]); unlock(me, worker[1]);
  lock(me, orphans); unlock(me, orphans);
  lock(me, pool); unlock(me, pool)
}

byte through = 0;

proctype Forker(byte me)
{
  fork(me);
  use(me);
  atomic { if :: child == me -> through = 9 :: child == 0 -> through++ :: else fi };
gone:
  skip
}

proctype Other()
{
  byte n = 2;
  do
  :: n > 0 ->
     n--;
     if
     :: lock(3, worker[0]);               /* a theft, which makes a link */
        halfW[0] = true;
        lock(3, pool); halfP = true; halfP = false; unlock(3, pool);
        halfW[0] = false;
        unlock(3, worker[0])
     :: lock(3, worker[1]);
        halfW[1] = true; halfW[1] = false;
        unlock(3, worker[1])
     :: lock(3, pool);                    /* a free list is empty */
        halfP = true; halfP = false;
        unlock(3, pool)
     :: lock(3, orphans);
        halfO = true; halfO = false;
        unlock(3, orphans)
     fi
  :: else -> break
  od;
  atomic { if :: child == 0 -> through++ :: else fi };
gone:
  skip
}

init { atomic { run Forker(1); run Forker(2); run Other() } }

/* All are through; in a child who forked. The others stay where they were. */
active proctype Monitor()
{
  if
  :: through == 3
  :: through == 9
  fi;
  if
  :: through == 9 -> assert(worker[0] == FREE && worker[1] == FREE && orphans == FREE && pool == FREE)
  :: else
  fi
}
