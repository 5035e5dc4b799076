/* abort.pml - an abort against everything that moves what it walks through: steals of a fast frame and of a pushed slow
 * one, resumption, returns (PROTOCOLS.md, sections 4, 7).
 *
 * Worker 0 runs an inlet of P, in which it says abort. Below P is one child, link 1: the closure C, at first a fast
 * frame pushed on worker 1's deque, whose own child runs above it there. Workers 2 and 3 steal C where they find it:
 * ATTACHED on worker 1's deque, or RUNNING and pushed where it runs. Its children that are out have links 2 (on
 * worker 1) and 3 (where C was detached last). The worker that runs C looks at its mark; a step is a pop or a test.
 * Deliveries to C itself are sync.pml's matter.
 *
 * Checked: when the abort has returned, no piece below P goes on beyond its next step, and nothing is delivered to P;
 * each link is consumed once; C and its links are not touched after they were freed; in the end all of them are gone
 * (end states). Mutations, all of which must fail:
 *   -DEARLYMARK     a steal of the fast frame reads the mark before it takes P's lock
 *   -DUNMARKED      the link made at that steal does not inherit the mark
 *   -DUNKNOWN       that steal does not make C known to the walk (link 1's child)
 *   -DEARLYPART     parting C from its activation reads the mark before it takes C's lock
 *   -DUNMARKEDPART  the link made there does not inherit the mark
 *   -DUNSIGNALLED   ... and inherits it, but the victim is not signalled
 *   -DLATERUNNING   C becomes RUNNING after its lock is free again
 *   -DNOLOOKRUN     the worker that takes C does not look at its mark
 *   -DNODOWN        the walk does not go into children
 *   -DNOSIGNAL      the walk signals no worker
 *   -DNOSIGNALRUN   the walk signals no worker for a RUNNING closure
 *   -DKEEPPENDING   an abort leaves what is queued
 *   -DDELIVERMARKED a marked link's result is delivered
 *   -DSTEPBLIND     a step that was signalled does not look at the mark
 *   -DSYNCBLIND     a sync does not look at the mark
 *   -DTWICE         the base link of a stolen segment stays: it is delivered again
 *   -DSTAYSKNOWN    a child that has returned is found by a walk until its link goes
 *   -DEARLYUNLOCK   the walk gives the lock of P away before it goes into C
 *
 * describes rt/core/protocol/abort.c: cilk_rt_abort walk
 * describes rt/core/protocol/below.h: cilk_below_next cilk_below_enter
 * describes rt/core/steal/steal.c: cilk_detach cilk_take_head cilk_signal
 * describes rt/core/data/children.c: cilk_link_adopt
 * describes rt/core/schedule/schedule.c: run_closure finish_segment
 * describes rt/core/protocol/deliver.c: cilk_deliver cilk_complete_aborted
 * describes rt/core/protocol/exception.c: unwind_aborted raised cilk_rt_pop_exception
 * describes rt/core/protocol/sync.c: sync_step cilk_rt_sync cilk_rt_return */
#define WORKERS 4
#define NONE 0
mtype = { ATTACHED, TAKEN, RUNNING, SUSPENDED, RETURNED };

bool Plock = false, Clock = false, wlock[WORKERS];
mtype state = ATTACHED;                   /* of C */
byte at = 1, join = 0;                    /* its worker; links 2 and 3 that are out */
bool gone = false;                        /* C is freed */
bool out[4];                              /* the link is among its parent's children */
bool used[4];                             /* it was consumed */
bool marked[4];
byte on[4];                               /* link->worker */
bool childC = false;                      /* link 1's child is C */
byte pending = 0;                         /* queued for P */
bool signal[WORKERS];
byte seg[WORKERS];                        /* base link of the worker's segment */
bool pushed[WORKERS];                     /* C is on that worker's deque, below its child */
bool stolen[WORKERS];                     /* it was taken from there */
bool aborted = false;                     /* cilk_rt_abort has returned */
byte spawns = 1;                          /* that C still makes as a slow clone */
byte finished = 0;
bool returned = false;                    /* P knows of C's end: no walk goes into it */

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }
inline touch() { assert(!gone) }

/* To P. */
inline deliver_up()
{
  acquire(Plock);
  assert(!used[1] && out[1]);
#ifndef STAYSKNOWN
  childC = false;
#endif
  returned = true;
  release(Plock);                         /* the parent may run a thread, and has to be stopped */
  acquire(Plock);
  d_step { used[1] = true; out[1] = false }
#ifdef DELIVERMARKED
  pending++;
#else
  if :: marked[1] :: else -> pending++ fi;
#endif
  release(Plock)
}
inline free_C() { assert(!gone); gone = true }

/* C's lock is held. C is this worker's, and its own link is marked: it ends, now or with its last child. */
inline complete()
{
  touch();
  if
  :: join > 0 -> state = SUSPENDED; release(Clock)
  :: else -> state = RETURNED; release(Clock); deliver_up(); acquire(Clock); release(Clock); free_C()
  fi
}

/* To C, from the child of link k. `next`: it goes on here. */
inline deliver_down(k)
{
  acquire(Clock);
  touch();
  assert(!used[k] && out[k]);
  d_step { used[k] = true; out[k] = false; next = false }
  /* two maps of views meet: `reduce` runs without the lock, and the child counts until then */
  if
  :: true
  :: release(Clock); acquire(Clock); touch()
  fi;
  join--;
  if
  :: state == SUSPENDED && join == 0 -> d_step { state = TAKEN; at = me; next = true }
  :: else
  fi;
  release(Clock)
}

/* A pop or test on this worker, whose segment has base link l: `mark` makes it unwind. */
inline step()
{
  knew = aborted;
  mark = false;
  if
  :: signal[me] ->
     acquire(wlock[me]);
     signal[me] = false;
     l = seg[me];
#ifndef STEPBLIND
     mark = l != NONE && marked[l];
#endif
     release(wlock[me])
  :: else
  fi;
  assert(mark || !knew)
}

inline take_fast(thief)                   /* wlock[1] is held */
{
  touch();
  d_step { on[2] = 1; state = TAKEN; at = thief; join++; out[2] = true };
#ifdef EARLYMARK
  mark = marked[1];
  acquire(Plock);
#else
  acquire(Plock);
  mark = marked[1];
#endif
#ifndef UNKNOWN
  childC = true;
#endif
  release(Plock);
#ifndef UNMARKED
  if :: mark -> marked[2] = true :: else fi;
#endif
  d_step { seg[1] = 2; stolen[1] = true; pushed[1] = false }
}

inline part(thief, victim)                /* wlock[victim] is held */
{
  assert(!out[3]);
  on[3] = victim;
#ifdef EARLYPART
  mark = marked[1];
  acquire(Clock);
#else
  acquire(Clock);
  mark = marked[1];
#endif
  touch();
  assert(state == RUNNING);
#ifndef UNMARKEDPART
  marked[3] = mark;
#ifndef UNSIGNALLED
  if :: mark -> signal[victim] = true :: else fi;
#endif
#endif
  d_step { join++; out[3] = true; at = thief; state = TAKEN };
  release(Clock);
  d_step { seg[victim] = 3; stolen[victim] = true; pushed[victim] = false }
}

proctype Aborter()
{
  bool hit[WORKERS];
  byte k;
  acquire(Plock);
#ifndef KEEPPENDING
  pending = 0;
#endif
  if
  :: out[1] ->
     marked[1] = true;
     if
     :: !childC -> hit[on[1]] = true
     :: else ->
#ifdef EARLYUNLOCK
        release(Plock);
        acquire(Clock);
#else
        acquire(Clock);
#endif
        touch();
        assert(!returned);
        if :: state == RUNNING ->
#ifndef NOSIGNALRUN
           hit[at] = true
#else
           skip
#endif
           :: else fi;
#ifndef NODOWN
        k = 2;
        do
        :: k <= 3 ->
           if :: out[k] && !marked[k] -> marked[k] = true; hit[on[k]] = true :: else fi;
           k++
        :: else -> break
        od;
#endif
        release(Clock)
     fi
  :: else
  fi;
#ifdef EARLYUNLOCK
  if :: Plock -> release(Plock) :: else fi;
#else
  release(Plock);
#endif
#ifndef NOSIGNAL
  k = 0;
  do
  :: k < WORKERS ->
     if :: hit[k] -> acquire(wlock[k]); signal[k] = true; release(wlock[k]) :: else fi;
     k++
  :: else -> break
  od;
#endif
  aborted = true;
  /* the inlet ends: what is queued for P is delivered */
  acquire(Plock);
  assert(pending == 0);
  release(Plock);
  finished++
}

proctype Worker(byte me)
{
  bool knew, mark, next = false;
  byte l, v;
  if
  :: me == 1 ->                           /* the child above C */
     step();
     acquire(wlock[1]);                   /* its end: pops C, or unwinds */
     if
     :: stolen[1] ->
        l = seg[1];
        seg[1] = NONE;
        release(wlock[1]);
        deliver_down(2);
#ifdef TWICE
        deliver_down(2);
#endif
        if :: next -> goto resume :: else fi
     :: else ->                           /* C is a fast frame still, and ends */
        pushed[1] = false;
        seg[1] = NONE;
        release(wlock[1]);
        free_C();
        deliver_up()
     fi
  :: me > 1
  fi;
  goto idle;

resume:                                    /* run_closure: C is in hand, TAKEN */
  next = false;
  acquire(wlock[me]);
  d_step { seg[me] = 1; stolen[me] = false };
  release(wlock[me]);
  acquire(Clock);
  touch();
  assert(state == TAKEN && at == me);
#ifdef LATERUNNING
  if
  :: marked[1] -> complete(); seg[me] = NONE; goto idle
  :: else
  fi;
  release(Clock);
  state = RUNNING;
#else
#ifndef NOLOOKRUN
  if
  :: marked[1] -> complete(); seg[me] = NONE; goto idle
  :: else
  fi;
#endif
  state = RUNNING;
  release(Clock);
#endif
  if
  :: spawns > 0 ->                        /* spawns once more: pushed, its child runs above */
     spawns--;
     pushed[me] = true;
     step();
     acquire(wlock[me]);
     if
     :: stolen[me] ->                     /* the child ends, or unwinds: its parent is elsewhere */
        seg[me] = NONE;
        release(wlock[me]);
        deliver_down(3);
        if :: next -> goto resume :: else -> goto idle fi
     :: else ->
        pushed[me] = false;
        release(wlock[me]);
        if
        :: mark -> acquire(Clock); complete(); seg[me] = NONE; goto idle
        :: else
        fi
     fi
  :: true
  fi;
  acquire(Clock);                         /* sync */
  touch();
  knew = aborted;
#ifndef SYNCBLIND
  if
  :: marked[1] -> complete(); seg[me] = NONE; goto idle
  :: else
  fi;
#endif
  assert(!knew);
  seg[me] = NONE;
  if
  :: join > 0 -> state = SUSPENDED; release(Clock)
  :: else -> state = RETURNED; release(Clock); deliver_up(); acquire(Clock); release(Clock); free_C()
  fi;

idle:
  do
  :: gone -> break
  /* thieves of the fast frame are alike */
  :: atomic { me != 1 && pushed[1] && (me == 2 || state != ATTACHED) -> v = 1 }; goto steal
  :: atomic { me != 2 && pushed[2] -> v = 2 }; goto steal
  :: atomic { me != 3 && pushed[3] -> v = 3 }; goto steal
  od;
  finished++;
  goto end;
steal:
  acquire(wlock[v]);
  if
  :: pushed[v] && state == ATTACHED -> take_fast(me); release(wlock[v]); goto resume
  :: pushed[v] && state == RUNNING -> part(me, v); release(wlock[v]); goto resume
  :: else -> release(wlock[v])
  fi;
  goto idle;
end:
  skip
}

init {
  atomic {
    out[1] = true; on[1] = 1;
    seg[1] = 1; pushed[1] = true;
    run Aborter(); run Worker(1); run Worker(2); run Worker(3)
  }
}

/* In the end everything has been consumed. */
active proctype Monitor()
{
end_watch:
  atomic { finished == WORKERS -> assert(used[1] && gone && !out[2] && !out[3] && join == 0 && !Plock && !Clock) }
}
