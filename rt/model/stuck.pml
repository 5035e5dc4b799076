/* stuck.pml - the search for circles of touches: which worker looks, when all stop, what it reports (PROTOCOLS.md,
 * section 16).
 *
 * Procedure Q waits for a future g. C code on worker 1 fills g when its nested root is over. The root's procedure R
 * waits for a future f, unless P has filled f before. The story says what becomes of P. Worker 2 runs P. Or it runs P
 * above a nested root of its own, and blocks in a system call. Or P is ready in the common pool, or where only worker 1
 * finds it, once worker 1 may take anything. Or a worker of another context runs P. Or P waits for g, which is a
 * circle. The circle is for ever, or a thief can find a frame below the call from C whose continuation ends all. Or any
 * thread may cancel P, and perhaps cannot wake it. In the last story the root has its result, and Q, which it has
 * started, waits for ever. Idle workers look at any moment, and whenever nothing else happens. Worker 1, while it waits,
 * tries a seat once. There its nested root is not in its list of such roots.
 *
 * Checked: the program is ended only in the circle for ever; every story ends, the circle with the message, the last
 * one with the note; P is woken once. Mutations, all of which must fail:
 *   -DRUNSON     the worker that looks does not ask whether another one runs something
 *   -DLATECOUNT  a worker that blocks leaves the census, then counts as blocked
 *   -DEARLYBACK  a worker that comes back is not blocked any more, then is in the census
 *   -DSTARTS     a worker that begins to run something does not wait until all may
 *   -DASLEEP     a wait that is over, of a worker that has not woken up, is one like others
 *   -DLATEOTHERS other contexts are looked at after the trees
 *   -DENTRIES    what can be stolen below a call from C is not looked at
 *   -DNOLOCK     ... or without that worker's lock
 *   -DROOTS      nested roots are not looked at
 *   -DTIED       a worker that waits for a nested root may never take anything
 *   -DLEAVES     the worker that looks does not wake what was cancelled
 *   -DTWICE      ... or wakes it though the worker that cancelled does
 *   -DENDED      a root that has its result counts as running
 *   -DFROZEN     the worker that has looked does not let the others go on
 *   -DSEATING    the worker that looks does not ask whether another one tries a seat
 *   -DSITS       a worker that tries a seat does not wait until all may
 *
 * describes rt/core/protocol/stuck.c: see goes_back has_entries see_touch look_below look_at_group look_at look_at_all
 * describes rt/core/protocol/stuck.c: cilk_stuck_look
 * describes rt/core/steal/sleep.c: cilk_freeze cilk_thaw stand_still cilk_work_begin cilk_search_begin cilk_search_end
 * describes rt/core/steal/sleep.c: cilk_seating_begin cilk_seating_end
 * describes rt/extensions/nest/seats.c: cilk_seat_try
 * describes rt/core/fibers/blocking.c: Cilk_blocking_begin Cilk_blocking_end
 * describes rt/core/protocol/future.c: cilk_future_leave cilk_future_wake cilk_future_fill touch
 * describes rt/core/process/call.c: call_nested
 * describes rt/core/protocol/abort.c: walk outsider_wakes
 * describes rt/core/steal/steal.c: cilk_take_below */
mtype = { NOWHERE, RUNNING, SUSPENDED, READY, TAKEN, RETURNED };
mtype = { RUNS, BLOCKS, POOL, BELOW, ELSEWHERE, CIRCLE, ESCAPE, CANCELLED, ENDED_ROOT };

#define Q 0
#define R 1
#define P 2
#define NOTHING 3
#ifdef QUICK
#define LOOKS (me == 0)                    /* that come at any moment */
#else
#define LOOKS 1
#endif
#define circular (story == CIRCLE || story == ESCAPE || story == CANCELLED)

mtype story;
mtype state[3];
byte at[3];                               /* whose stack, where RUNNING */
byte busy = 0, blocked = 0, seating = 0;
bool seats = true;                        /* there is one to try */
bool frozen = false, over = false, said = false, noted = false;
bool waits[3], loose[3];
bool called = false, r_over = false, in_c = false;
bool f_full = false, elsewhere = false;   /* another context computes */
bool listed = false, marked = false, woken = false;   /* P's touch of g */
bool entry = false, in_hand = false, lock1 = false;

inline begin()
{
  busy++;
#ifndef STARTS
  !frozen
#endif
}

inline wake_p()
{
  assert(!woken && state[P] == SUSPENDED);
  woken = true;
  state[P] = READY
}

inline fill_f()
{
  d_step { f_full = true; found = (state[R] == SUSPENDED) };
  if
  :: found -> state[R] = READY
  :: else
  fi;
  found = false
}

/* The C function's nested root is over. */
inline back_in_c()
{
  waits[1] = false; called = false;
  d_step { found = listed; listed = false };
  state[Q] = READY;
  in_c = false;
  if
  :: found -> wake_p()
  :: else
  fi;
  found = false
}

inline call_from_c()
{
  in_c = true;
  entry = (story == ESCAPE);
  d_step { waits[1] = true; called = true; state[R] = RUNNING; at[R] = 1; waits[1] = false };
  if
  :: atomic { !f_full -> state[R] = SUSPENDED; waits[1] = true }
  :: atomic { f_full -> state[R] = RETURNED; r_over = true }
     back_in_c()
  fi
}

inline run_piece(c)
{
  state[c] = RUNNING; at[c] = me;
  if
  :: c == Q -> state[Q] = RETURNED; over = true
  :: c == R -> state[R] = RETURNED; r_over = true
  :: c == P ->
     if
     :: story == BLOCKS ->
#ifdef LATECOUNT
        busy--; blocked++;
#else
        blocked++; busy--;
#endif
#ifdef EARLYBACK
        blocked--; begin();
#else
        begin(); blocked--;
#endif
     :: else
     fi;
     fill_f();
     state[P] = RETURNED;
     if
     :: me == 2 -> waits[2] = false
     :: else
     fi
  fi
}

/* One closure, under its lock. */
inline see(c)
{
  d_step {
    if
    :: state[c] == SUSPENDED && c == P && marked ->
       goes = true;
#ifndef LEAVES
#ifdef TWICE
       cancelled = true;
#else
       cancelled = listed;
#endif
       listed = false
#endif
    :: state[c] == SUSPENDED && !(c == P && marked) -> waiters++
    :: state[c] == RUNNING -> goes = goes || !waits[at[c]]
    :: state[c] == READY || state[c] == TAKEN -> goes = true
    :: else
    fi
  }
}

inline look()
{
  d_step { goes = false; waiters = 0; cancelled = false };
  if
  :: atomic { !frozen -> frozen = true }
#ifdef RUNSON
     still = true;
#else
     still = (busy == 0);
#endif
     still = still && blocked == 0;
#ifndef SEATING
     still = still && seating == 0;
#endif
     if
     :: still ->
#ifndef ASLEEP
        goes = waits[1] && r_over;
#endif
        if
        :: over
        :: !over && waits[me] && !loose[me] ->
           see(R);
#ifndef TIED
           loose[me] = !goes && waiters > 0;
#endif
           goes = true
        :: !over && !(waits[me] && !loose[me]) ->
#ifndef LATEOTHERS
           goes = goes || elsewhere;
#endif
#ifndef ENTRIES
#ifdef NOLOCK
           goes = goes || entry;
#else
           atomic { !lock1 -> goes = goes || entry };
#endif
#endif
           see(Q);
           see(P);
           goes = goes || in_hand || (in_c && !waits[1]);
#ifdef ENDED
           goes = goes || story == ENDED_ROOT;
#endif
#ifndef ROOTS
           if
           :: called -> see(R)
           :: else
           fi;
#endif
#ifdef LATEOTHERS
           goes = goes || elsewhere;
#endif
        fi
     :: else -> goes = true
     fi;
     still = !goes && !over && waiters > 0;
#ifndef FROZEN
     frozen = false;
#endif
     if
     :: cancelled -> wake_p()
     :: else
     fi;
     if
     :: still && (story == CANCELLED || story == ENDED_ROOT) -> noted = true
     :: still && !(story == CANCELLED || story == ENDED_ROOT) -> assert(story == CIRCLE); said = true
     :: else
     fi
  :: frozen
  fi;
  d_step { goes = false; waiters = 0; cancelled = false; still = false }
}

#define free (!waits[me] || loose[me])
#define finished (over || said || (story == ENDED_ROOT && noted))

proctype worker(byte me)
{
  byte has = NOTHING, looks = LOOKS, tries = 4, waiters = 0;
  bool found = false, goes = false, cancelled = false, still = false, steals = false;
  if
  :: me == 1 && story != ENDED_ROOT -> call_from_c(); busy--
  :: me == 2 && (story == RUNS || story == BLOCKS) -> run_piece(P); busy--
  :: else
  fi;
  do
  :: finished -> break
  :: !finished ->
     if
     :: finished
     :: me == 1 && waits[1] && r_over -> begin(); back_in_c(); busy--
     :: atomic { state[Q] == READY && free -> state[Q] = TAKEN; has = Q }
     :: atomic { state[R] == READY -> state[R] = TAKEN; has = R }
     :: atomic { state[P] == READY && free && (story != BELOW || me == 1) -> state[P] = TAKEN; has = P }
     :: atomic { entry && free && !lock1 -> lock1 = true };
        if
        :: entry -> entry = false; in_hand = true; steals = true
        :: else
        fi;
        lock1 = false
     :: atomic { me == 1 && waits[1] && called && seats -> seats = false; seating++ }
#ifndef SITS
        !frozen;
#endif
        called = false;
        called = true;
        seating--
     :: looks > 0 -> looks--; look()
     :: timeout && tries > 0 -> tries--; look()
     fi;
     if
     :: has != NOTHING -> begin(); run_piece(has); has = NOTHING; busy--
     :: steals -> begin(); steals = false; over = true; busy--
     :: else
     fi
  od
}

proctype another_context()
{
  bool found = false;
  fill_f();
  elsewhere = false
}

/* A thread that is no worker. */
proctype canceller()
{
  bool mine = false;
  d_step { marked = (state[P] == SUSPENDED) };
  if
  /* in one with the mark: under the closure's lock; but P may have been seen in between */
  :: d_step { mine = listed; listed = false }
  :: skip                                 /* it could not wake it */
  fi;
  if
  :: mine -> wake_p()
  :: else
  fi
}

init
{
  atomic {
    if
    :: story = RUNS :: story = BLOCKS :: story = POOL :: story = BELOW :: story = ELSEWHERE :: story = CIRCLE :: story = ESCAPE :: story = CANCELLED :: story = ENDED_ROOT
    fi;
    state[Q] = SUSPENDED; state[R] = NOWHERE; state[P] = NOWHERE;
    if
    :: story == RUNS || story == BLOCKS -> state[P] = RUNNING; at[P] = 2; busy++; waits[2] = (story == BLOCKS)
    :: story == POOL || story == BELOW -> state[P] = READY
    :: circular -> state[P] = SUSPENDED; listed = true
    :: story == ELSEWHERE -> elsewhere = true; run another_context()
    :: else
    fi;
    if
    :: story != ENDED_ROOT -> busy++; in_c = true
    :: else
    fi;
    if
    :: story == CANCELLED -> run canceller()
    :: else
    fi;
    run worker(0); run worker(1); run worker(2)
  }
  _nr_pr == 1;
  assert(story == CIRCLE || story == ENDED_ROOT || over);
  assert(said == (story == CIRCLE))
}
