/* halt.pml - stops of all workers for a checkpoint, and the rest of one of them (PROTOCOLS.md, section 18).
 *
 * Two workers run pieces of a computation: what is ready is on a deque or in the common pool, what a worker has taken
 * is in its hand until it runs. A piece may make another one, and may be given up at a pop. A third thread stops all,
 * lets worker 1 rest, stops all again, lets it run, stops again. It gives up only where a worker runs a long piece, or
 * C code waits.
 *
 * Checked: where all have halted, nothing is in a hand or runs, all free lists are in the pool, no C code waits, and
 * the computation is not over; a worker in a call from C does not halt; no piece is lost; no thread waits for ever.
 * Mutations, all of which must fail:
 *   -DNOHAND     a worker halts with what it has in its hand
 *   -DNODRAIN    ... and with its free lists
 *   -DOLDSTOP    that a worker has halted for an earlier stop will do
 *   -DNEXTSTOP   the number that a worker stores may be that of the next stop, for which it has not halted
 *   -DENDFIRST   whether the computation is over is asked before all have halted
 *   -DNOCOUNT    the word `halt` counts no changes
 *   -DNOWAKE     a parked worker is not woken for a halt
 *   -DNOLOOK     a worker that parks does not look at `halt` again
 *   -DRESTS      a worker that rests goes on resting during a stop
 *   -DNOEND      the end of a stop that was given up wakes no worker
 *
 * describes rt/core/steal/halt.c: cilk_stop_here change halted all_halted hindrance cilk_stop_begin cilk_stop_end
 * describes rt/core/steal/halt.c: cilk_activate
 * describes rt/core/schedule/schedule.c: halt
 * describes rt/core/fibers/blocking.c: cilk_must_rest cilk_rest */
#define WORKERS 2
#ifdef QUICK
#define PIECES 0                          /* that may be made besides the first one */
#else
#define PIECES 1
#endif
#define STOP 1
#define REST 2
#define WHY 3
#define CHANGE 4

byte halt[WORKERS], halted[WORKERS], deque[WORKERS], hand[WORKERS], running[WORKERS];
/* listed: woken for what is ready; else only by name */
bit lists[WORKERS], parked[WORKERS], listed[WORKERS], called[WORKERS];
byte stops = 0, events = 0, pool = 0, alive = 1, made = 0;
bit over = 0;                             /* the computation; its root is gone */
bit gone[WORKERS];

#ifdef RESTS
#define must_rest(w) ((halt[w] & REST) && !called[w])
#else
#define must_rest(w) ((halt[w] & WHY) == REST && !called[w])
#endif
#define must_halt(w) ((halt[w] & WHY) && !called[w])
#define ready (pool + deque[0] + deque[1])

inline wake_all() { atomic { parked[0] = 0; parked[1] = 0 } }
inline announce(me) { if :: listed[1 - me] -> parked[1 - me] = 0 :: else fi }

/* ---- workers ---- */

inline halt_here(me)
{
#ifndef NOHAND
  atomic { pool = pool + hand[me]; if :: hand[me] -> announce(me) :: else fi; hand[me] = 0 }
#endif
  if
  :: halt[me] & STOP ->
#ifndef NODRAIN
     lists[me] = 0;
#endif
     do
     :: atomic { halt[me] & STOP -> seen = halt[me] }
        number = stops;
#ifndef NEXTSTOP
        if
        :: halt[me] != seen -> goto again
        :: else
        fi;
#endif
        if
        :: halted[me] != number -> halted[me] = number; events++
        :: else
        fi;
        halt[me] != seen;                 /* futex */
again:  skip
     :: atomic { !(halt[me] & STOP) -> break }
     od;
     seen = 0; number = 0
  :: else
  fi
}

inline wait_parked(me, list, go)
{
  atomic { parked[me] = 1; listed[me] = list }
#ifndef NOLOOK
  if
  :: go -> parked[me] = 0
  :: else -> !parked[me]
  fi
#else
  if
  :: over || (list && ready) -> parked[me] = 0
  :: else -> !parked[me]
  fi
#endif
}

/* A piece, from its start to its end, or until it is given up. */
inline run_piece(me)
{
  atomic { hand[me] = 0; running[me] = 1; lists[me] = 1 }
  do
  :: atomic { made < PIECES -> made++; alive++; deque[me]++; announce(me) }
  :: !called[me] && made < PIECES -> called[me] = 1      /* C code calls; it comes back */
  :: called[me] -> called[me] = 0
  :: atomic { !called[me] && must_halt(me) -> running[me] = 0; pool++; announce(me); break }
  :: !called[me] ->
     atomic { running[me] = 0; alive--; if :: alive == 0 -> over = 1 :: else fi }
     if :: over -> wake_all() :: else fi;
     break
  od
}

proctype worker(byte me)
{
  byte seen = 0, number = 0;
  do
  :: must_halt(me) ->
     halt_here(me);
     if
     :: must_rest(me) && !over -> wait_parked(me, 0, over || !must_rest(me))
     :: else
     fi;
     if :: over && !hand[me] && !(halt[me] & STOP) -> break :: else fi
  :: atomic { !must_halt(me) && over -> break }
  :: atomic { !must_halt(me) && !over && hand[me] -> skip } run_piece(me)
  :: atomic { !must_halt(me) && !over && !hand[me] && ready ->
       if
       :: deque[me] -> deque[me]--
       :: !deque[me] && pool -> pool--
       :: !deque[me] && !pool -> deque[1 - me]--
       fi;
       hand[me] = 1 }
  :: !must_halt(me) && !over && !hand[me] && !ready ->
     wait_parked(me, 1, over || ready || must_halt(me))
  od;
  /* The pool of threads: it still halts when it is asked to. */
  gone[me] = 1
}

/* ---- the thread that stops them ---- */

#ifdef NOCOUNT
#define counted(word) (word)
#else
#define counted(word) (((word) + CHANGE) % 64)
#endif
#ifdef NOWAKE
#define unpark(w) skip
#else
#define unpark(w) parked[w] = 0
#endif

inline change(w, set, clear) { atomic { halt[w] = counted((halt[w] & ~(clear)) | (set)) } unpark(w) }
#ifdef OLDSTOP
#define has_halted(w) (halted[w] != 0)
#else
#define has_halted(w) (halted[w] == stops)
#endif
#define in_calls (called[0] || called[1])

inline stop()
{
  if
  :: over || in_calls
  :: else ->
     stops++;
     change(0, STOP, 0);
     change(1, STOP, 0);
     do
     :: before = events;
#ifdef ENDFIRST
        late = over || in_calls;
        all = has_halted(0) && has_halted(1);
#else
        all = has_halted(0) && has_halted(1);
        late = over || in_calls;
#endif
        if
        :: late -> break
        :: !late && all ->                /* the image is written */
           assert(!over && !in_calls && !hand[0] && !hand[1] && !running[0] && !running[1] && !lists[0] && !lists[1]);
           assert(ready == alive);
           break
        :: !late && !all && (running[0] || running[1]) -> break     /* no patience */
        :: !late && !all -> events != before || over || in_calls || running[0] || running[1]
        fi
     od;
     all = 0; late = 0; before = 0;
#ifdef NOEND
     if
     :: over || in_calls || (has_halted(0) && has_halted(1)) ->
#endif
     change(0, 0, STOP);
     change(1, 0, STOP)
#ifdef NOEND
     :: else
     fi
#endif
  fi
}

proctype stopper()
{
  bit all = 0, late = 0;
  byte before = 0;
  stop();
  change(1, REST, 0);
  stop();
  change(1, 0, REST);
  stop();
  gone[0] && gone[1];
  assert(alive == 0 && ready == 0)
}

init
{
  atomic { pool = 1; run worker(0); run worker(1); run stopper() }
}
