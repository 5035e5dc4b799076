/* sync.pml - the states of a parent: deliveries to it while it runs, is pushed, is on a deque, or is suspended
 * (PROTOCOLS.md, sections 2, 4, 5, 6).
 *
 * WORKERS workers and one parent. Worker 0 runs it at first; EARLIER of its children are out, each on a worker of its
 * own, and it spawns SPAWNS more. An idle worker takes it where it finds it: stolen from under its activation,
 * off a deque, from the orphans. One older entry may be before it on worker 0's deque: then it is not at the
 * head, and a delivery detaches it in place. The stores of T and the loads of E are in order here (a slow clone's pop
 * is fenced); memory that is not is the.pml's matter.
 *
 * Checked: at most one thread or delivery of the instance at a time; SYNCHED in a delivery does not count its own
 * child; every child's result arrives once, all before the parent passes its sync; it passes it, once, and no worker
 * waits for ever (end states). Mutations, all of which must fail:
 *   -DNOPART     a delivery to a pushed parent does not part it from its activation
 *   -DNOKEPT     a pop does not see that the popped closure was detached in place
 *   -DNOLINK     parting makes no link for the present child: it is out, and not counted
 *   -DLOSE       what was queued during a delivery is left there
 *   -DTWICE      the taker of a closure from a deque does not see that a worker delivers to it
 *   -DDROPPED    the deliverer does not see that the closure was taken off its deque meanwhile
 *   -DLATEJOIN   the join counter goes down after the inlet
 *   -DUNSYNCED   a sync does not deliver what waits
 *   -DNOSTATE    a deliverer leaves the state as it was
 *   -DSUSPENDLATE  a sync stores SUSPENDED when the lock is free already
 *
 * describes rt/core/protocol/deliver.c: settle settle_ready queue cilk_deliver keep_waiting cilk_deliver_below
 * describes rt/core/steal/drain.c: cilk_drain
 * describes rt/core/protocol/sync.c: sync_step cilk_rt_sync
 * describes rt/core/steal/steal.c: cilk_detach cilk_keep_bottom cilk_stop_parent cilk_take_ready cilk_take_head
 * describes rt/core/fibers/orphan.c: cilk_orphan_put cilk_orphan_take
 * describes rt/core/fibers/fiber.c: cilk_give_up claim
 * describes rt/core/schedule/schedule.c: run_closure */
#define WORKERS 3
#define EARLIER 2
#define SPAWNS 1
mtype = { RUNNING, SUSPENDED, DELIVERING, READY, TAKEN, HANDED, RETURNED };

/* the closure */
mtype state = RUNNING;
bool lock = false;                        /* its lock */
byte join = EARLIER, pending = 0, at = 0; /* at: c->worker */
byte out = EARLIER;                       /* what join is to say: children whose delivery has not begun */
byte spawns = SPAWNS;                     /* what is left of the program */

/* the workers: their deque has one place, after `older` */
bool wlock[WORKERS];
bool T[WORKERS];                          /* T is above the place */
bool E[WORKERS];                          /* so is E */
bool gone[WORKERS];                       /* so is H */
bool older[WORKERS];
bool signal[WORKERS];
/* the parent's slow clone is at the bottom of its segment, and the closure is still the clone's */
bool bottom[WORKERS];
bool kept[WORKERS];
bool orphan = false;

byte inside = 0, done = 0;
bool over = false;

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }
inline exc_update(w) { E[w] = signal[w] || gone[w] || kept[w] }
inline piece()                            /* of the instance: a thread, or a delivery */
{
  inside++;
  assert(inside == 1);
  inside--
}
inline deliver()
{
  inside++;
  assert(inside == 1 && join == out);
  done++;
  inside--
}
/* The closure's lock is held, and is again afterwards. */
inline drain()
{
  do
  :: pending > 0 ->
     pending--; out--;
#ifdef LATEJOIN
     release(lock); deliver(); acquire(lock); join--
#else
     join--; release(lock); deliver(); acquire(lock)
#endif
  :: pending == 0 -> break
  od
}

/* The victim's lock is held. From here on the child that runs above delivers through a link. */
inline part(victim, whose, st)
{
  acquire(lock);
  assert(state == RUNNING && bottom[victim]);
#ifndef NOLINK
  join++; out++;
#endif
  at = whose;
  state = st;
  release(lock);
  bottom[victim] = false
}
inline keep_bottom(victim)
{
#ifdef NOPART
  acquire(lock); state = DELIVERING; release(lock)
#else
  kept[victim] = true;
  part(victim, victim, DELIVERING)
#endif
}
/* Off a deque, or the orphans. */
inline take_ready()
{
  acquire(lock);
  if
#ifdef TWICE
  :: true -> state = TAKEN; at = me; next = true
#else
  :: state == READY -> state = TAKEN; at = me; next = true
  :: else -> assert(state == DELIVERING); state = HANDED
#endif
  fi;
  release(lock)
}

/* The closure's lock is held; it is DELIVERING on a deque, or HANDED. Unlocks. */
inline settle_ready(mine)
{
#ifdef DROPPED
  mine = false;
#else
  mine = (state == HANDED);
#endif
  if
  :: mine -> state = TAKEN; at = me
  :: else -> state = READY
  fi;
  release(lock)
}

/* A link of one child, its result in hand. */
inline deliver_link()
{
  acquire(lock);
  mine = false;
  if
  :: state == RUNNING ->
     v = at;
     release(lock);
     acquire(wlock[v]);
     if
     :: bottom[v] ->
        E[v] = true;                      /* the claim */
        if
        :: T[v] && me != v && !older[v] -> gone[v] = true; part(v, me, TAKEN); mine = true;
           acquire(lock); state = HANDED; release(lock)
        :: T[v] && (me == v || older[v]) -> keep_bottom(v); mine = true
        :: else
        fi
     :: else
     fi;
     exc_update(v);
     release(wlock[v]);
     acquire(lock)
  :: else
  fi;
  was = state;
  if
  :: !mine && was != SUSPENDED && was != READY ->
     pending++;
     v = at;
     release(lock);
     if
     :: was == RUNNING -> acquire(wlock[v]); signal[v] = true; exc_update(v); release(wlock[v])
     :: else
     fi
  :: else ->
     out--;
#ifndef LATEJOIN
     join--;
#endif
#ifndef NOSTATE
     if :: !mine -> state = DELIVERING :: else fi;
#endif
     release(lock);
     deliver();
     acquire(lock);
#ifdef LATEJOIN
     join--;
#endif
#ifndef LOSE
     drain();
#endif
     if
     :: was == SUSPENDED ->
        if
        :: join == 0 -> state = TAKEN; at = me; next = true
        :: else -> state = SUSPENDED
        fi;
        release(lock)
     :: else -> settle_ready(next)
     fi
  fi
}

/* A pop or test above the parent that was signalled. */
inline deliver_below()
{
  acquire(wlock[me]);
  signal[me] = false;
  mine = false;
  if
  :: bottom[me] && T[me] ->
     acquire(lock);
     mine = pending > 0;
     release(lock);
     if :: mine -> keep_bottom(me) :: else fi
  :: else
  fi;
  exc_update(me);
  release(wlock[me]);
  if
  :: mine ->
     acquire(lock);
     drain();
     settle_ready(mine);
     if
     :: mine -> acquire(lock); drain(); state = READY; release(lock); orphan = true
     :: else
     fi
  :: else
  fi
}

proctype Worker(byte me)
{
  bool next = false, link = false, segment = false, mine = false, runs = false;
  byte v;
  mtype was;
  if
  :: me == 0 -> runs = true; segment = true
  :: else -> link = true                  /* its child is done */
  fi;
again:
  do
  :: runs ->                               /* the slow clone */
     piece();
     if
     :: spawns > 0 ->
        spawns--;
        T[me] = true;                     /* push; the child runs */
        do
        :: signal[me] -> deliver_below()
        :: break
        od;
        T[me] = false;                    /* pop */
        if
        :: E[me] ->
           acquire(wlock[me]);
#ifdef NOKEPT
           mine = !gone[me];
#else
           mine = !gone[me] && !kept[me];
#endif
           if :: !mine && kept[me] -> T[me] = true :: else fi;
           if :: mine -> signal[me] = false :: else -> runs = false; link = true fi;
           exc_update(me);
           release(wlock[me]);
           if
           :: mine -> acquire(lock); drain(); release(lock); deliver()
           :: else
           fi
        :: else -> deliver()
        fi
     :: else ->                           /* the sync */
        acquire(lock);
#ifndef UNSYNCED
        drain();
#endif
        runs = false;
        if
        :: join == 0 ->
           assert(done == EARLIER + SPAWNS && pending == 0 && !over);
           bottom[me] = false;
           over = true;
           state = RETURNED
        :: else ->
           bottom[me] = false;
#ifdef SUSPENDLATE
           release(lock);
           state = SUSPENDED;
           acquire(lock)
#else
           state = SUSPENDED
#endif
        fi;
        release(lock)
     fi
  :: !runs && link -> link = false; deliver_link()
  :: !runs && !link && segment ->          /* its end; what is left at the place is an entry like any other */
     acquire(wlock[me]);
     assert(!bottom[me]);
     T[me] = kept[me];
     gone[me] = gone[me] && kept[me];
     kept[me] = false;
     segment = false;
     exc_update(me);
     release(wlock[me])
  :: !runs && !link && !segment && next -> /* run_closure */
     next = false;
     acquire(wlock[me]);
     T[me] = false; gone[me] = false; bottom[me] = true;
     exc_update(me);
     release(wlock[me]);
     segment = true;
     acquire(lock);
     assert(state == TAKEN);
     at = me;
     drain();
     state = RUNNING;
     release(lock);
     runs = true
  :: !runs && !link && !segment && !next && T[me] ->   /* its own deque */
     acquire(wlock[me]);
     if
     :: !gone[me] -> take_ready()
     :: else
     fi;
     T[me] = false; gone[me] = false;
     exc_update(me);
     release(wlock[me])
  :: !runs && !link && !segment && !next && !T[me] ->  /* the others' */
     if
     :: orphan ->
        mine = false;
        atomic { if :: orphan -> orphan = false; mine = true :: else fi }
        if :: mine -> take_ready() :: else fi
     :: atomic { me != 0 && T[0] && !gone[0] -> v = 0 }; goto steal
     :: atomic { me != 1 && T[1] && !gone[1] -> v = 1 }; goto steal
     :: atomic { me != 2 && T[2] && !gone[2] -> v = 2 }; goto steal
     :: over -> break
     fi
  od;
  goto end;
steal:
  acquire(wlock[v]);
  if
  :: older[v] -> older[v] = false
  :: !older[v] && T[v] && !gone[v] ->
     E[v] = true;                         /* the claim, then T once more */
     if
     :: T[v] ->
        gone[v] = true;
        if
        :: state == RUNNING -> part(v, me, TAKEN); next = true
        :: else -> take_ready()
        fi
     :: else
     fi
  :: else
  fi;
  exc_update(v);
  release(wlock[v]);
  goto again;
end:
  skip
}

init {
  atomic {
    bottom[0] = true;
    if :: older[0] = true :: skip fi;
    run Worker(0); run Worker(1); run Worker(2)
  }
}
