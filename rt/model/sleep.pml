/* sleep.pml - parking, the census, wake-ups, the watcher, and two calls from C one after the other (PROTOCOLS.md,
 * section 9).
 *
 * A caller begins two computations. Worker 0 runs each: it ends at once, or it makes a piece that another worker has to
 * take. It makes the piece visible by an announcement, or pushes it silently. The worker that ends its part last
 * finishes the computation. Then the caller may begin the next one, though all workers search still in the one before.
 * A sleep with a limit ends when nothing else can happen in the system, and once at any time. There are as many
 * processors as workers, or one less.
 *
 * Checked: no worker waits for ever; no announced piece waits for a sleep to end by itself while a processor is free;
 * in the end the census is 0. Mutations, all of which must fail:
 *   -DNOLOOK      a worker parks without looking again
 *   -DNORETRY     a recruiter that found no worker does not look again after it has taken back its count
 *   -DNOLEAVE     worker 0 leaves a search for the next computation, and passes on nothing
 *   -DCOUNTED     ... or only if it is counted still, or watches
 *   -DSAMEROOM    a watcher that finds something wakes a successor only where a processor is free
 *   -DNOOPEN      the caller calls no thief
 *   -DNODECLINE   a worker that was recruited before it came into a computation, and has something to run there, stays
 *                 counted
 *   -DNOWATCHER   no sleep has a limit
 *
 * describes rt/core/steal/sleep.c: hand_over recruit recruit_one cilk_announce cilk_open cilk_dismiss pass_on
 * describes rt/core/steal/sleep.c: cilk_search_begin cilk_search_end cilk_search_decline cilk_park cilk_park_leave
 * describes rt/core/steal/sleep.c: cilk_park_wait
 * describes rt/core/steal/sleep.c: cilk_watch cilk_work_begin cilk_work_end cilk_unpark busy searching enough room
 * describes rt/core/schedule/search.c: idle_search
 * describes rt/core/schedule/threads.c: worker_main cilk_run_root take_part take_leave */
#define WORKERS 2                         /* with 3 there are too many states to see all */
#define CALLS 2
#define AWAKE 0
#define PARKED 1
#define RECRUITED 2

byte processors = WORKERS;
byte busy = 0, searching = 0;             /* one word, the census */
byte begun = 0, ended = 0, done = 0, job = 0, watcher = 0;
/* pieces to take: announced, pushed silently; parts of the computation that are not over */
byte work = 0, silent = 0, parts = 0;
bit open = 0, taken = 0;
bit bits[WORKERS], counted[WORKERS];
byte park[WORKERS];

#define anybody (bits[0] || bits[1] || bits[WORKERS - 1])
#define wanted(crowd) (searching == 0 && (crowd || busy < processors) && anybody)

inline unpark(w) { atomic { if :: park[w] == PARKED -> park[w] = AWAKE :: else fi } }

inline recruit_one(crowd)
{
  do
  :: atomic { wanted(crowd) -> searching++; got = false; id = 0 }
     do
     :: id < WORKERS && !got ->
        if
        :: atomic { bits[id] -> bits[id] = 0 }
           atomic { if :: park[id] == PARKED -> park[id] = RECRUITED; got = true :: else fi }
        :: atomic { else -> skip }
        fi;
        id++
     :: else -> break
     od;
     if
     :: got -> break
     :: else ->
        searching--;
#ifdef NORETRY
        break
#endif
     fi
  :: atomic { !wanted(crowd) -> break }
  od;
  id = 0; got = false
}

inline pass_on()
{
  if
  :: open ->
#ifdef SAMEROOM
     recruit_one(false)
#else
     alone = (watcher == 0);
     recruit_one(alone);
     alone = false
#endif
  :: else
  fi
}

inline look()
{
  atomic {
    if
    :: work > 0 -> work--; taken = 1; found = true
    :: silent > 0 -> silent--; taken = 1; found = true
    :: work == 0 && silent == 0
    fi
  }
}

inline to_park(me, listed)
{
  park[me] = PARKED;
  if :: listed -> bits[me] = 1 :: else fi;
  atomic { late = counted[me] && !listed; searching = searching - counted[me]; counted[me] = 0 }
  if :: late -> late = false; recruit_one(false) :: else fi
}

inline leave_park(me)
{
  bits[me] = 0;
  atomic { if :: park[me] == RECRUITED -> counted[me] = 1 :: else fi; park[me] = AWAKE }
}

inline decline(me)
{
#ifndef NODECLINE
  if
  :: counted[me] -> atomic { counted[me] = 0; searching-- } pass_on()
  :: else
  fi
#else
  skip
#endif
}

inline search(me)
{
  found = false;
  atomic { busy--; if :: !counted[me] && busy + searching < processors -> counted[me] = 1; searching++ :: else fi }
  do
  :: ended >= number -> break
  :: else ->
     if
     :: counted[me] -> look(); if :: found -> break :: else fi
     :: true                              /* the time is over, or there is no processor */
     fi;
     to_park(me, true);
#ifndef NOLOOK
     if
     :: ended >= number -> leave_park(me); break
     :: else -> look(); if :: found -> leave_park(me); break :: else fi
     fi;
#endif
#ifndef NOWATCHER
     atomic { if :: watcher == 0 -> watcher = me + 1 :: else fi }
#endif
end_asleep:
     if
     :: park[me] != PARKED
     :: atomic { watcher == me + 1 && early -> early = false }
     :: timeout && watcher == me + 1 && begun != ended -> assert(work == 0 || busy >= processors)
     fi;
     leave_park(me)
  od;
  /* cilk_search_end */
  atomic { watched = (watcher == me + 1); if :: watched -> watcher = 0 :: else fi }
#ifdef COUNTED
  was = counted[me] || watched;
#else
  was = true;
#endif
  atomic { busy++; searching = searching - counted[me]; counted[me] = 0 }
  if
#ifndef NOLEAVE
  :: !found && me == 0 && was && begun != ended -> pass_on()
#endif
  :: found -> pass_on()
  :: else
  fi;
  watched = false; was = false
}

/* A part of the computation is over. */
inline part_ends()
{
  atomic { parts--; last = (parts == 0) }
  if
  :: last ->
     last = false;
     done = number;
     ended = number;
     w = watcher;
     if :: w -> unpark(w - 1) :: else fi;
     w = 0
  :: else
  fi
}

active proctype Caller()
{
  byte id, n = 1, w;
  bool got;
  do
  :: n <= CALLS ->
     open = 0;
     begun = n;
     job = n;
     if
     :: done == n                         /* it was over soon */
     :: true ->
        unpark(0);
        open = 1;
#ifndef NOOPEN
        w = watcher;
        if :: w -> unpark(w - 1) :: else -> recruit_one(true) fi;
        w = 0;
#endif
        done == n
     fi;
     n++
  :: else -> break
  od;
  timeout -> assert(busy == 0 && searching == 0)
}

proctype Worker(byte me)
{
  byte id, number, w;
  bool got, found, watched, was, last, late, alone, early = true;
  do
  :: me == 0 && job != 0 ->
     atomic { number = job; job = 0 }
     busy++;
     parts = 1;
     if
     :: true                              /* it ends at once */
     :: true ->                           /* a piece, which another worker has to take */
        atomic { parts = 2; taken = 0 }
        if
        :: silent++
        :: work++; if :: open -> recruit_one(false) :: else fi
        fi;
        taken;
     fi;
     part_ends();
     search(me);
     busy--
  :: me == 0 && job == 0 ->
     to_park(me, false);
     if
     :: job != 0
     :: else ->
end_idle:
        park[me] != PARKED
     fi;
     leave_park(me);
     decline(me)
  :: me != 0 && begun != ended ->
     atomic { number = begun; busy++ }
     do
     :: ended >= number -> break
     :: else ->
        found = false;
        if
        :: true
        /* its scheduler has something for it at once */
        :: work > 0 -> look(); if :: found -> decline(me) :: else fi
        fi;
        if :: !found -> search(me) :: else fi;
        if :: found -> found = false; part_ends() :: else fi
     od;
     busy--
  :: me != 0 && begun == ended ->
     to_park(me, true);
     if
     :: begun != ended
     :: else ->
end_parked:
        park[me] != PARKED
     fi;
     leave_park(me)
  od
}

init {
  atomic {
    if :: true :: processors-- fi;
    run Worker(0);
    run Worker(1)
  }
}
