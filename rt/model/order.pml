/* order.pml - a run that is recorded and replayed: the order of steps, places to run in, what a step needs of others'
 * user code (PROTOCOLS.md, section 10).
 *
 * Worker 0 pushes an entry and pops it, in each of two rounds; before the push, and while the entry is there, its user
 * code may make a step. Worker 1 makes up to two steps, thefts from worker 0 or others; worker 2 makes one. First such
 * a run is chosen, by steps in any order, and written down; then it is replayed with one place or two: a worker that
 * waits for its turn has none.
 *
 * Checked: steps come in their order; a theft finds what it took, a pop misses what was stolen then, and nothing else;
 * no more run than there are places; no worker waits for ever. Mutations, all of which must fail:
 *   -DNOTURN     a step does not wait for those before it
 *   -DNOWAIT     a theft does not wait until its victim is where it was
 *   -DEARLYCOME  ... waits for the number of pops alone, not for the push
 *   -DNOLEND     ... and keeps its place meanwhile
 *   -DNOMISS     a pop whose entry was stolen then does not wait for its turn
 *   -DKEEPS      a worker that waits for its turn keeps its place
 *
 * describes rt/extensions/replay/places.c: cilk_order_dispatch look_ahead advance cilk_order_begin cilk_order_passed
 * describes rt/extensions/replay/places.c: cilk_order_await cilk_order_until
 * describes rt/extensions/replay/ordered_fibers.c: is_pushed has_come cilk_ordered_may_steal cilk_ordered_stolen
 * describes rt/extensions/replay/record_replay.c: begin step_begins step_ends count_pop recorded at_pop enter leave */
#define WORKERS 3
#ifdef QUICK
#define ROUNDS 1
#else
#define ROUNDS 2
#endif
#define MOST 9
mtype = { OUT, WANTS, RUNS, WAITS, STEPS, LENDS };
mtype = { PLAIN, STEAL, MISS };

/* the record */
byte who[MOST], steps = 0;
/* worker 0 makes a step there: what its code does is the same in the replay */
bool before[ROUNDS], within[ROUNDS];
bool missed[ROUNDS];
mtype kind[2];                            /* worker 1's */
byte at[2], n1 = 0, n2 = 0;

/* the replay */
mtype state[WORKERS];
byte places, most, index = 0, running = 0;
byte pops = 0;
bool pushed = false, stolen = false;      /* T is above the entry; a thief has it */
bool entry = false;                       /* it is in its place */

inline write_down(w) { who[steps] = w; steps++ }

/* mutex held. */
inline dispatch()
{
  k = 0;
  do
  :: places > 0 ->
     if
     :: index < steps && state[who[index]] == WAITS -> k = who[index]; state[k] = STEPS; places--; running++
     :: index < steps && state[who[index]] == WANTS -> k = who[index]; state[k] = RUNS; places--; running++
     :: else ->
        k = 0;
        do :: k < WORKERS && state[k] != WANTS -> k++ :: else -> break od;
        if
        :: k < WORKERS -> state[k] = RUNS; places--; running++
        :: else ->
           k = 0;
           do :: k < WORKERS && state[k] != LENDS -> k++ :: else -> break od;
           if :: k < WORKERS -> state[k] = STEPS; places--; running++ :: else -> break fi
        fi
     fi
  :: else -> break
  od;
  k = 0
}

inline begin(w)
{
#ifndef NOTURN
  d_step {
    state[w] = WAITS;
#ifndef KEEPS
    places++;
    running--;
#endif
    dispatch()
  };
  state[w] == STEPS;
#else
  state[w] = STEPS;
#endif
  assert(who[index] == w && running <= most)
}

inline done(w)
{
  d_step {
    index++;
    state[w] = RUNS;
    dispatch()
  }
}

inline leave(w)
{
  d_step { state[w] = OUT; places++; running--; dispatch() }
}

/* A theft of what was there after so many pops. */
inline come(c)
{
#ifdef EARLYCOME
  there = pops >= c
#else
  there = pops > c || (pops == c && (state[0] == WAITS || state[0] == OUT || pushed))
#endif
}
inline until(w, c)
{
  do
  :: atomic {                             /* under the mutex */
       come(c);
       if
       :: there
       :: else ->
          assert(state[0] == RUNS || state[0] == WANTS || state[2] == RUNS || state[2] == WANTS);
#ifndef NOLEND
          places++;
          running--;
          dispatch();
#endif
          state[w] = LENDS
       fi
     }
     if
     :: there -> break
     :: else ->
        if
        :: state[w] == STEPS
        /* it looks again in time */
        :: atomic { state[w] == LENDS && places > 0 -> places--; running++; state[w] = STEPS }
        fi
     fi
  od
}

proctype Victim()
{
  byte round = 0, k;
  state[0] != WANTS;
  do
  :: round < ROUNDS ->
     if :: before[round] -> begin(0); done(0) :: else fi;
     d_step { entry = true; pushed = true };
     if :: within[round] -> begin(0); done(0) :: else fi;
     /* T goes down, then the pop is counted; a thief may still steal the entry: its place is used again after
      * this pop only */
     pushed = false;
     pops++;
     if
     :: missed[round] ->
#ifndef NOMISS
        begin(0);
#endif
        assert(stolen);
        d_step { stolen = false; entry = false };
#ifndef NOMISS
        done(0)
#else
        index++
#endif
     :: else -> assert(!stolen); entry = false
     fi;
     round++
  :: else -> break
  od;
  leave(0)
}

proctype Thief()
{
  byte n = 0, k;
  bool there;
  state[1] != WANTS;
  do
  :: n < n1 ->
     begin(1);
     if
     :: kind[n] == STEAL ->
#ifndef NOWAIT
        until(1, at[n]);
#endif
        atomic { assert(entry && !stolen && (pops == at[n] || pops == at[n] + 1)); stolen = true }
     :: else
     fi;
     done(1);
     n++
  :: else -> break
  od;
  leave(1)
}

proctype Third()
{
  byte n = 0, k;
  state[2] != WANTS;
  do
  :: n < n2 -> begin(2); done(2); n++
  :: else -> break
  od;
  leave(2)
}

init {
  byte round = 0, pc = 0, k;
  atomic {
    do                                    /* a run */
    :: round < ROUNDS ->
       if
       :: pc == 0 -> if :: before[round] = true; write_down(0) :: skip fi; pc = 1
       :: pc == 1 -> pushed = true; pc = 2
       :: pc == 2 -> if :: within[round] = true; write_down(0) :: skip fi; pc = 3
       :: pc == 3 -> if :: stolen -> missed[round] = true; write_down(0) :: else fi; pops++; pushed = false; stolen = false; pc = 0; round++
       :: n1 < 2 && pushed && !stolen -> kind[n1] = STEAL; at[n1] = pops; stolen = true; write_down(1); n1++
       :: n1 < 2 -> kind[n1] = PLAIN; write_down(1); n1++
       :: n2 < 1 -> write_down(2); n2++
       fi
    :: else -> break
    od;
    pops = 0;
    if :: most = 1 :: most = 2 fi;
    places = most;
    pc = 0; round = 0;
    state[0] = WANTS; state[1] = WANTS; state[2] = WANTS;
    d_step { dispatch() };
    run Victim(); run Thief(); run Third()
  }
}

active proctype Monitor() { index == steps && state[0] == OUT && state[1] == OUT && state[2] == OUT && places == most }
