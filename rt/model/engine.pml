/* engine.pml - engines: pausing, sitting down, leaving, going on (PROTOCOLS.md, section 13).
 *
 * A computation with an engine has a piece, in user code that goes on until a pop raises: so it ends only after
 * a signal; or it waits for something outside. Two workers take the engine's seats. The driver gives it fuel, and waits
 * until it is stopped or over; then it waits for it without a limit (`open`). Another thread, the ticker's, pauses it
 * when the fuel is used up.
 *
 * Checked: nothing of the engine runs while it is stopped; the driver is always notified; in the end all is over and
 * all seats are retired. Mutations, all of which must fail:
 *   -DNOENTER    a worker that sits down does not look whether the engine is paused
 *   -DNOSECOND   ... nor when it can be found in its seat
 *   -DNOCOUNT    a worker that sits down counts itself when it has looked
 *   -DNOHURRY    a pause does not signal the workers inside
 *   -DNOAGAIN    a pop takes a signal back that came after its question
 *   -DNONOTIFY     the worker that leaves last does not notify the driver
 *   -DNONOTIFYSELF a pause of an empty engine does not notify the driver
 *   -DNONOTIFYEND  the end does not notify the driver
 *   -DLATECLEAR  the driver clears its event when it has looked
 *   -DEARLYPAUSE a seat falls asleep by a look at `paused` before the lock
 *   -DNOPAUSED   a safe point does not ask whether the engine is paused
 *
 * describes rt/extensions/nest/fuel.c: cilk_engine_enter cilk_engine_left cilk_engine_notify
 * describes rt/extensions/calls/engine.c: pause_it unpause resume cilk_engine_open Cilk_engine_run
 * describes rt/extensions/nest/nest.c: cilk_seat_pause cilk_seat_of_nest
 * describes rt/core/fibers/fiber.c: cilk_asked
 * describes rt/extensions/nest/seats.c: cilk_seat_sit stand_up paused_seat
 * describes rt/core/steal/steal.c: cilk_hurry
 * describes rt/core/protocol/exception.c: raised
 * describes rt/core/protocol/finish.c: end_started */
#define SEATS 2
#define WORKERS 2
#define RUNS 1
#define PIECES 1
mtype = { ASLEEP, PUBLISHED, TAKEN, RETIRED };

mtype seat[SEATS];
byte sits[SEATS];
bool late[WORKERS], signal[WORKERS];
bool clock = false;                       /* the ticker's mutex; what happens under seats_lock is one step here */
bool paused = true, open = false, event = false, alarm = false, over = false, done = false;
byte inside = 0, ready = PIECES, ran = 0, left = SEATS;
byte running = 0;                         /* ghost: workers in user code of the engine */
bool stopped = true;                      /* ghost: the driver has been notified */
bool early = false;                       /* ghost: the pieces end by themselves, before the fuel does */
bool stalled = false;                     /* they wait for something from outside, for so long */

inline retire(s) { atomic { assert(seat[s] == TAKEN); seat[s] = RETIRED; left-- } }
inline notify() { event = true }

inline count_down()
{
  atomic { inside--; last = (inside == 0) }
  if
#ifndef NONOTIFY
  :: last && paused -> notify()
#endif
  :: else
  fi
}

inline hurry(w)
{
  late[w] = true;
  signal[w] = true
}

/* Takes a sleeping seat for something that has become ready. */
inline publish()
{
  atomic {
  k = 0;
  do
  :: k < SEATS && (paused || seat[k] != ASLEEP) -> k++
  :: else -> break
  od;
  if :: k < SEATS -> seat[k] = PUBLISHED :: else fi
  }
}

proctype Worker(byte me)
{
  byte s, k;
  bool last, ask, found;
outside:
  atomic { s = 0; k = 0; last = false; ask = false; found = false };
  do
  :: left == 0 -> goto end
  :: atomic { seat[0] == PUBLISHED || seat[1] == PUBLISHED ->
              s = (seat[0] == PUBLISHED -> 0 : 1);
              seat[s] = TAKEN }
     break
  od;
enter:
#ifdef NOENTER
  inside++;
#else
#ifdef NOCOUNT
  found = paused;
  inside++;
  if :: found -> count_down() :: else fi;
#else
  inside++;
  found = paused;
  if :: found -> count_down() :: else fi;
#endif
  if
  :: found ->
#ifdef EARLYPAUSE
     found = !over && paused;
     if :: found -> seat[s] = ASLEEP :: else fi;
#else
     atomic {
       found = !over && paused;
       if :: found -> seat[s] = ASLEEP :: else fi
     }
#endif
     if
     :: found -> goto outside
     :: !found && over -> retire(s); goto outside
     :: else -> goto enter
     fi
  :: else
  fi;
#endif
  sits[s] = me + 1;
#ifndef QUICK
  if :: signal[me] = true :: skip fi;     /* of something else */
#endif
#ifndef NOSECOND
  if :: paused -> hurry(me) :: else fi;
#endif
piece:
  atomic { k = 0; last = false; ask = false };
  atomic { found = (ready > 0); if :: found -> ready--; running++; assert(!stopped) :: else fi }
  if
  /* it falls asleep: a worker that makes something ready inside wakes it, or it is paused */
  :: !found -> goto leave
  :: else
  fi;
user:
  if
  :: signal[me] ->                        /* a pop raises: the question, then the signal is taken back */
     ask = late[me];
     if :: ask -> late[me] = false :: else fi;
#ifdef NOPAUSED
     if
     :: false -> skip
#else
     if
     :: paused ->                         /* the frame is given up, and becomes ready inside */
        atomic { running--; ready++ }
        publish();
        goto leave
#endif
     :: else
     fi;
#ifdef NOAGAIN
     signal[me] = false;
#else
     atomic { signal[me] = late[me] };    /* under the worker's lock, as the signal is given */
#endif
     goto user
  :: atomic { open || early -> running--; ran++; found = (ran == PIECES) }
     if
     :: found ->                          /* the computation ends */
        atomic { !clock -> alarm = false };
        done = true;
#ifndef NONOTIFYEND
        notify();
#endif
        over = true;
        atomic {
          k = 0;
          do
          :: k < SEATS -> if :: seat[k] == ASLEEP -> seat[k] = RETIRED; left-- :: else fi; k++
          :: else -> break
          od
        }
     :: else
     fi;
     goto piece
  fi;
leave:
  atomic { sits[s] = 0; found = false; ask = false };
  count_down();
  if
  :: over -> retire(s)
  :: else ->
     atomic {
       found = (ready == 0 && !over);     /* seats.pml's matter: nothing was published since */
       if :: found -> seat[s] = ASLEEP :: else fi
     }
     if
     :: !found && over -> retire(s)
     :: !found && !over -> seat[s] = PUBLISHED
     :: else
     fi
  fi;
  goto outside;
end:
  skip
}

proctype Ticker()
{
  byte w;
  bool none;
  do
  :: atomic { alarm && !clock -> clock = true; alarm = false }
     atomic { if :: !open -> paused = true :: else fi };
#ifndef NOHURRY
     w = sits[0];
     if :: w > 0 -> hurry(w - 1) :: else fi;
     w = sits[1];
     if :: w > 0 -> hurry(w - 1) :: else fi;
#endif
     none = (inside == 0);
#ifndef NONOTIFYSELF
     if :: none -> notify() :: else fi;
#endif
     d_step { w = 0; none = false; clock = false }
  :: left == 0 -> break
  od
}

inline resume(forGood)
{
  atomic {
  stopped = false;
  if
  :: !done -> paused = false; open = open || forGood;
     k = 0;
     do
     :: k < SEATS -> if :: seat[k] == ASLEEP -> seat[k] = PUBLISHED :: else fi; k++
     :: else -> break
     od
  :: else
  fi
  }
}

proctype Driver()
{
  byte runs = RUNS, k;
  bool begun;
#ifdef QUICK
  early = true;
#else
  if :: early = true :: atomic { stalled = true; ready = 0 } :: skip fi;
#endif
  do
  :: runs > 0 ->
     runs--;
     begun = false;
again:
#ifndef LATECLEAR
     event = false;
#endif
     if
     :: done -> break
     :: !done && !begun ->
        resume(false);
        atomic { !clock -> if :: !done -> alarm = true :: else fi };
        begun = true
     :: !done && begun && paused && inside == 0 ->
        atomic { stopped = true; assert(running == 0) };
        goto next
     :: else
     fi;
#ifdef LATECLEAR
     event = false;
#endif
     event;
     goto again;
next:
     skip
  :: runs == 0 -> break
  od;
  if :: !done -> resume(true) :: else fi;
  done
}

proctype Outside()
{
  byte k;
  if
  :: stalled && open -> ready = PIECES; publish()
  :: done
  fi
}

init { atomic { seat[0] = ASLEEP; seat[1] = ASLEEP; run Outside(); run Worker(0); run Worker(1); run Ticker(); run Driver() } }

active proctype Monitor() { done && left == 0 && ran == PIECES }
