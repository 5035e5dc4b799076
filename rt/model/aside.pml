/* aside.pml - C code waits in an engine: its seat is set aside, and is due again on the same worker (PROTOCOLS.md,
 * section 13).
 *
 * One worker sits in the engine's only seat. C code on the seat's stack waits for something that comes while the engine
 * is not paused, so the worker may sleep. The driver gives the engine fuel, and waits until the engine is stopped or
 * over; then it waits for the engine's end. The ticker's thread pauses the engine when the fuel is used up. A third
 * thread may cancel the engine at any time. The worker's loop below the seat belongs to C code, too. Once, what that
 * code waits for comes, at any time: the loop ends, and another one begins. Once, another worker has the seat of the
 * outer scheduler through which the worker comes to the engine's. At any time the worker may be asked to rest.
 *
 * Checked: the C code does not go on while the engine is stopped (and not cancelled). The driver always hears of it.
 * The C code always goes on in the end. The code below goes on with the fields of its own stack. Mutations, which must
 * fail:
 *   -DNOUNPARK    the pausing thread does not wake a worker that waits in C code
 *   -DNOAWAY      the loop of C code that waits does not look whether the engine is paused
 *   -DEARLYLOOK   ... looks before the worker is known to sleep
 *   -DEARLYASIDE  the seat is set aside by a look at `paused` before the lock
 *   -DNOCALLBACK  cancelling makes no seat due
 *   -DNOWAKE      the worker is not woken for a seat that is due
 *   -DNODUE       a worker that falls asleep does not look whether a seat is due
 *   -DNOLIMIT     a worker that knows of such a seat, and did not come to it, sleeps until it is woken
 *   -DNONOTIFY    the last worker that leaves does not wake the driver
 *   -DSTAYS       the worker enters a seat that is due although its engine was paused again
 *   -DRESTSON     a worker that rests goes on resting when a seat is due
 *   -DEARLYEND    the loop below looks for its own end before it looks whether the worker is on another stack
 *
 * describes rt/extensions/nest/seats.c: set_aside cilk_seat_go_away_now cilk_seat_called_away_now paused_below
 * describes rt/extensions/nest/seats.c: enter_stack
 * describes rt/extensions/nest/nest.c: cilk_seat_pause
 * describes rt/extensions/nest/seat_stack.c: cilk_seat_owe cilk_seat_of_aside cilk_seat_due
 * describes rt/extensions/calls/engine.c: pause_it resume call_back cilk_engine_open
 * describes rt/core/schedule/search.c: idle_search
 * describes rt/core/steal/sleep.c: cilk_watch
 * describes rt/core/fibers/blocking.c: cilk_must_rest cilk_rest
 * describes rt/core/schedule/schedule.c: cilk_schedule
 * describes rt/extensions/nest/seats.c: run_seat */
#define RUNS 2
mtype = { TAKEN, ASIDE, DUE };

mtype seat = DUE;
bool paused = true, open = false, event = false, alarm = false, done = false;
bool clock = false;                       /* the ticker's mutex */
bool sits = false, parked = false, fed = false;
bool barred = false;                      /* no seat of the outer scheduler is free */
bool rest = false;                        /* the worker is asked to rest */
bool arrived = false;                     /* what the code below waits for has come */
bool above = false;                       /* the worker's fields are those of the seat's stack */
byte inside = 0;
bool running = false;                     /* ghost: code of the engine runs, or its worker looks for some */
bool stopped = true;                      /* ghost: the driver has heard so */

#ifdef RESTSON
#define must_rest rest
#else
#define must_rest (rest && seat != DUE)
#endif

inline wake_driver() { event = true }

inline count_down()
{
  atomic { inside--; last = (inside == 0) }
  if
#ifndef NONOTIFY
  :: last && paused -> wake_driver()
#endif
  :: else
  fi
}

proctype Worker()
{
  bool last, look;                        /* last: also that the way was barred at the last look */
below:                                    /* the loop below */
  last = false; look = false;
  if
#ifdef EARLYEND
  :: arrived -> goto end
  :: !arrived && above -> goto waits
  :: !arrived && !above
#else
  :: above -> goto waits
  :: !above && arrived -> goto end
  :: !above && !arrived
#endif
  fi;
  if
  :: must_rest ->
     parked = true;
     if :: arrived || !must_rest -> parked = false :: else fi;
     !parked;
     goto below
  :: atomic { seat == DUE && !barred && !must_rest -> seat = TAKEN }
     goto sit
  :: (seat != DUE || barred) && !must_rest ->
     parked = true;
     if :: arrived -> parked = false :: else fi;
#ifndef NODUE
     atomic { if :: seat == DUE && !barred -> parked = false :: else -> last = barred fi };
#endif
     look = (seat == DUE);                /* cilk_watch: the sleep has a limit */
     if
     :: !parked
#ifndef NOLIMIT
     :: look && timeout -> assert(last); parked = false
#endif
     fi;
     atomic { look = false; last = false };
     goto below
  fi;
end:                                      /* the code below goes on */
  atomic { assert(!above); arrived = false };
  goto below;
sit:
  inside++;
#ifndef STAYS
  look = paused;
  if
  :: look ->
     count_down();
     atomic {                             /* under seats_lock */
       look = paused;
       if :: look -> seat = ASIDE :: else fi
     }
     if :: look -> goto below :: else -> goto sit fi
  :: else
  fi;
#endif
  above = true;
  sits = true;
  goto below;
waits:                                    /* the loop that C code has begun */
  atomic { last = false; look = false; running = true; assert(open || !stopped) }
  if
  :: fed -> goto over
#ifndef NOAWAY
  :: !fed && paused -> goto away
  :: !fed && !paused ->
#else
  :: !fed ->
#endif
#ifdef EARLYLOOK
     look = fed || paused;
     parked = true;
     if :: look -> parked = false :: else fi;
#else
     parked = true;
#ifndef NOAWAY
     if :: fed || paused -> parked = false :: else fi;
#else
     if :: fed -> parked = false :: else fi;
#endif
#endif
     !parked;
     goto waits
  fi;
away:
  atomic { running = false; sits = false; above = false };
#ifdef EARLYASIDE
  look = paused;
  if :: look -> seat = ASIDE :: else -> seat = DUE fi;
#else
  atomic {
    look = paused;
    if :: look -> seat = ASIDE :: else -> seat = DUE fi
  }
#endif
  count_down();
  goto below;
over:
  atomic { running = false; sits = false; above = false; !clock -> alarm = false };
  done = true;
  wake_driver();
  count_down()
}

/* Other workers of the engine have done what the C code waits for. */
proctype Others()
{
  atomic { open && !paused -> fed = true }
  parked = false
}

proctype Ticker()
{
  bool none;
  do
  :: atomic { alarm && !clock -> clock = true; alarm = false }
     atomic { if :: !open -> paused = true :: else fi };
#ifndef NOUNPARK
     if :: sits -> parked = false :: else fi;
#endif
     none = (inside == 0);
     if :: none -> wake_driver() :: else fi;
     d_step { none = false; clock = false }
  :: done -> break
  od
}

inline call_back()
{
  atomic { found = (!paused && seat == ASIDE); if :: found -> seat = DUE :: else fi }
#ifndef NOWAKE
  if :: found -> parked = false :: else fi;
#endif
  found = false
}

inline resume(forGood)
{
  atomic { stopped = false; if :: !done -> paused = false; open = open || forGood :: else fi };
  call_back()
}

proctype Driver()
{
  byte runs = RUNS;
  bool begun, found;
  do
  :: runs > 0 ->
     runs--;
     begun = false;
again:
     event = false;
     if
     :: done -> break
     :: !done && !begun ->
        resume(false);
        atomic { !clock -> if :: !done -> alarm = true :: else fi };
        begun = true
     :: !done && begun && paused && inside == 0 ->
        atomic { stopped = true; assert(open || !running) };
        goto next
     :: else
     fi;
     event;
     goto again;
next:
     skip
  :: runs == 0 -> break
  od;
  if :: !done -> resume(true) :: else fi;
  done
}

proctype Canceller()
{
  bool found;
  if
  :: true
  :: atomic { !done -> open = true; paused = false; stopped = false }
#ifndef NOCALLBACK
     call_back()
#endif
  fi
}

/* It sits in the outer scheduler's only seat for a while; meanwhile the worker does not come to what is due. */
proctype Visitor()
{
  barred = true;
  barred = false
}

proctype Below()
{
  arrived = true;
  parked = false
}

/* Another thread wants fewer workers, for good. */
proctype Fewer()
{
  rest = true;
  parked = false
}

init { atomic { run Worker(); run Others(); run Ticker(); run Driver(); run Canceller(); run Visitor(); run Below();
                run Fewer() } }

active proctype Monitor() { done && fed }
