/* future.pml - a touch of a future that is not full, against the child that fills it, a delivery by another child, an
 * abort, and which worker resumes (PROTOCOLS.md, section 16).
 *
 * One procedure touches a future, then syncs. The future's child fills it at any time. Of its own children the first
 * returns at any time, into an inlet; the second does not end before the touch has come back: what a touch waits for is
 * one link, not all children. With ABORTS an abort may mark the instance at any time; the second child ends then, too.
 * The frame of the future goes when its reader is through: no one may look at it afterwards. Workers are
 * idle: they take the procedure from the common pool.
 *
 * Checked: the touch comes back once and only with the value there (or by the abort); at most one thread or inlet of
 * the instance at a time; the procedure ends once; no process waits for ever (end states). Mutations, all of which must
 * fail:
 *   -DSTALE      the future's state is looked at before its lock is taken, and not again
 *   -DUNLOCKED   the link is in the future's list before the closure's lock is taken
 *   -DALLCHILDREN  a procedure that is suspended at a touch is resumed by its last child only
 *   -DANYCHILD   ... by any delivery
 *   -DBOTH       an abort takes the link off though the filler has it already
 *   -DSTAYS      an abort leaves the link in the list, and forgets it
 *   -DRUNOVER    a wake does not see that a delivery is running
 *   -DREADAGAIN  the filler looks at the future again when it is full
 *
 * describes rt/core/protocol/future.c: lock unlock cilk_future_fill cilk_future_leave cilk_future_wake touch
 * describes rt/core/protocol/deliver.c: settle deliver_future
 * describes rt/core/protocol/abort.c: walk */
#define ABORTS 1
mtype = { RUNNING, SUSPENDED, DELIVERING, READY, TAKEN, RETURNED, PENDING, BUSY, FULL };

mtype future = PENDING;
bool listed = false, freed = false;       /* the link is in the future's list; the future's frame is gone */
mtype state = RUNNING;
bool clock = false;                       /* the closure's lock */
bool link = false;                        /* among the children: that of the touch, at their head */
byte join = 2, pending = 0;
bool touching = true;                     /* its entry is the touch's: else the sync's */
bool marked = false, pool = false;
byte inside = 0, touched = 0, ended = 0;
bool second = false;                      /* the second child may end */

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }
inline piece() { inside++; assert(inside == 1); inside-- }
inline look() { assert(!freed) }

/* Its lock is held: resumed or suspended; unlocks. */
inline settle()
{
#ifdef ALLCHILDREN
  if
  :: join == 0 -> state = READY; pool = true
  :: else -> state = SUSPENDED
  fi;
#elif defined(ANYCHILD)
  state = READY; pool = true;
#else
  if
  :: join == 0 || (touching && !link) -> state = READY; pool = true
  :: else -> state = SUSPENDED
  fi;
#endif
  release(clock)
}

/* No lock is held. */
inline wake()
{
  acquire(clock);
  assert(link);
  link = false; join--;
#ifdef RUNOVER
  if
  :: state == SUSPENDED || state == DELIVERING -> state = READY; pool = true
  :: else
  fi;
#else
  assert(state == SUSPENDED || state == DELIVERING);
  if
  :: state == SUSPENDED && !(marked && join > 0) -> state = READY; pool = true
  :: else
  fi;
#endif
  release(clock)
}

/* At the touch and at the sync; the worker has the closure RUNNING. */
inline carry_on(leaves)
{
  leaves = false;
  do
  :: !leaves ->
     piece();
     acquire(clock);
     do
     :: pending > 0 && !marked -> pending--; join--; release(clock); piece(); acquire(clock)
     :: else -> break
     od;
     if
     :: marked ->
        join = join - pending; pending = 0;
        if
        :: join > 0 -> state = SUSPENDED; release(clock)
        :: else -> state = RETURNED; release(clock); ended++; second = true
        fi;
        leaves = true
     :: !marked && touching ->
        look();
#ifdef STALE
        if
        :: future == FULL -> release(clock); second = true; touching = false; touched++
        :: else ->
           link = true; join++; listed = true; state = SUSPENDED; release(clock); leaves = true
        fi
#else
        if
        :: future == FULL -> release(clock); touched++; touching = false; freed = true; second = true
        :: atomic { future == PENDING -> future = BUSY };
           link = true; join++;
#ifdef UNLOCKED
           listed = true; future = PENDING; release(clock);
           acquire(clock); state = SUSPENDED; release(clock);
#else
           listed = true; state = SUSPENDED; future = PENDING; release(clock);
#endif
           leaves = true
        fi
#endif
     :: !marked && !touching ->
        if
        :: join == 0 -> state = RETURNED; release(clock); ended++
        :: else -> state = SUSPENDED; release(clock)
        fi;
        leaves = true
     fi
  :: else -> break
  od
}

/* A worker: the first begins with the procedure in hand. */
proctype worker(bool has)
{
  bool leaves;
  do
  :: has -> carry_on(leaves); has = false
  :: !has && ended == 0 ->
     if
     :: pool ->
        acquire(clock);
        if
        :: pool && !marked -> pool = false; state = RUNNING; has = true
        :: pool && marked -> pool = false; state = TAKEN; has = true
        :: else
        fi;
        release(clock)
     :: ended > 0
     fi
  :: !has && ended > 0 -> break
  od
}

proctype filler()
{
  bool found;
  look();
  atomic { future == PENDING -> future = BUSY };
  found = listed; listed = false;
  future = FULL;
#ifdef READAGAIN
  look();
#endif
  if
  :: found -> wake()
  :: else
  fi
}

proctype child(bool last)
{
  if
  :: last -> (second || marked)
  :: else
  fi;
  acquire(clock);
  if
  :: marked ->
     join--;
     if
     :: state == SUSPENDED && join == 0 -> state = READY; pool = true
     :: else
     fi;
     release(clock)
  :: !marked && (state == SUSPENDED || state == READY) ->
     if
     :: state == READY -> pending++; release(clock)
     :: else ->
        state = DELIVERING; release(clock);
        piece();
        acquire(clock);
        join--;
        do
        :: pending > 0 && !marked -> pending--; join--; release(clock); piece(); acquire(clock)
        :: else -> break
        od;
        if
        :: marked -> join = join - pending; pending = 0
        :: else
        fi;
        if
        :: state == DELIVERING -> settle()
        :: else -> release(clock)
        fi
     fi
  :: else -> pending++; release(clock)    /* its worker runs this before anything else */
  fi
}

proctype aborter()
{
  bool off = false;
  if
  :: ABORTS ->
     acquire(clock);
     if
     :: state != RETURNED ->
        marked = true;
        if
        :: link ->
#ifdef BOTH
           off = true; listed = false
#elif defined(STAYS)
           listed = false
#else
           if
           :: future == FULL
           :: atomic { future == PENDING -> future = BUSY };
              off = listed; listed = false;
              future = PENDING
           fi
#endif
        :: else
        fi
     :: else
     fi;
     release(clock);
     if
     :: off -> wake()
     :: else
     fi
  :: true
  fi
}

init
{
  atomic { run worker(true); run worker(false); run filler(); run child(false); run child(true); run aborter() }
  _nr_pr == 1;
  assert(ended == 1 && touched <= 1);
  assert(marked || touched == 1);
  assert(join == 0 && !link && !listed || marked)
}
