/* gang.pml - a worker that waits in C code inside nested computations, and the barriers of the gangs further out
 * (rt/extensions/sched/gang.c; PROTOCOLS.md, section 13).
 *
 * Team 0 is a gang. Team 1 is the gang of a computation in it, and contains a third computation, where order does not
 * matter. Worker 0 has a seat in both inner teams, and C code there waits. What it waits for is done by worker 1: as a
 * piece of the next step of team 0, or in the innermost computation, to which worker 1 comes through two seats. Both
 * seats have been woken, so each is a fiber of the next step of its outer team. Meanwhile something else that worker 0
 * may run comes up, perhaps.
 *
 * Checked: the wait ends; a step begins only when no member of that team runs anything. Mutations, all of which must
 * fail:
 *   -DNOLEAVE    a worker that waits leaves no outer team
 *   -DONLYONE    ... only the team of its innermost seat
 *   -DNOBACK     a worker that has something to run again does not come back to the outer teams
 *   -DLATEBACK   ... when it has run that
 *   -DNOPASS     a worker that leaves does not look whether it was the last one to arrive
 *   -DNOCALL     ... or does so and wakes no worker
 *
 * describes rt/extensions/sched/gang.c: runs pass_barrier take ready leave back
 * describes rt/extensions/nest/seats.c: cilk_leave_below cilk_back_below notify_at
 * describes rt/core/schedule/schedule.c: cilk_schedule_round */
#define RUNS(team, worker) runs[(team) * 2 + (worker)]

bool runs[4];
/* a seat of the computation in that team is a fiber of this step, or of the next one */
bool seatNow[2], seatThen[2];
bool pieceNow, pieceThen;                 /* of team 0 */
bool seatAsleep;                          /* that of team 0 */
byte inside[2];                           /* so many of the two seats the worker has */
bool busy[2];                             /* runs code of the program */
bool woken[2];
bool byPiece, done, over;
bool further;                             /* something else for worker 0 */
byte steps = 2;                           /* of the piece */

inline wake_all() { woken[0] = true; woken[1] = true }

/* Each of these is one critical section of the gang's lock. */
inline pass(team)
{
  if
  :: !RUNS(team, 0) && !RUNS(team, 1) && !seatNow[team] && !(team == 0 && pieceNow) &&
     (seatThen[team] || (team == 0 && pieceThen)) ->
     assert(!(busy[0] && inside[0] >= team) && !(busy[1] && inside[1] >= team));
     seatNow[team] = seatThen[team];
     seatThen[team] = false;
     if :: team == 0 -> pieceNow = pieceThen; pieceThen = false :: else fi;
     passes = true
  :: else
  fi
}

inline call(team)                         /* Cilk_call_vprocs: a seat that sleeps is woken, then workers are */
{
  atomic {
    if :: team == 1 && seatAsleep -> seatAsleep = false; seatThen[0] = true :: else fi;
    wake_all()
  }
}

inline leave(team, worker)
{
  atomic {
    passes = false;
    RUNS(team, worker) = false;
#ifndef NOPASS
    pass(team)
#endif
  }
#ifndef NOCALL
  if :: passes -> call(team) :: else fi
#endif
}

inline back(team, worker) { atomic { RUNS(team, worker) = true } }

inline take(team, worker)                 /* gotSeat, gotPiece */
{
  atomic {
    passes = false;
    RUNS(team, worker) = false;
    if
    :: seatNow[team] || (team == 0 && pieceNow)
    :: else -> pass(team)
    fi;
    gotSeat = false;
    gotPiece = false;
    if
    :: seatNow[team] -> seatNow[team] = false; gotSeat = true
    :: team == 0 && pieceNow -> pieceNow = false; gotPiece = true
    :: !seatNow[team] && !(team == 0 && pieceNow)
    fi;
    RUNS(team, worker) = gotSeat || gotPiece
  }
  if :: passes -> call(team) :: else fi
}

proctype Waits()                          /* worker 0, in C code above both seats */
{
  bool passes, goes_on;
  do
  :: done -> break
  :: !done ->
#ifndef NOLEAVE
     leave(1, 0);
#ifndef ONLYONE
     leave(0, 0);
#endif
#endif
     atomic { woken[0] = false; goes_on = done || further }
     if :: goes_on :: else -> woken[0] fi;
#ifndef NOBACK
#ifndef LATEBACK
     back(1, 0);
     back(0, 0);
#endif
#endif
     if
     :: atomic { further -> further = false; busy[0] = true }
        busy[0] = false
     :: else
     fi;
#ifdef LATEBACK
     back(1, 0);
     back(0, 0)
#endif
  od;
  busy[0] = true;                         /* the C code goes on, and ends */
  busy[0] = false;
  leave(1, 0);
  inside[0] = 0;
  leave(0, 0);
  over = true
}

proctype Other()                          /* worker 1 */
{
  bool passes, gotSeat, gotPiece;
outside:
  take(0, 1);
  if
  :: gotPiece ->
     atomic { busy[1] = true; steps-- }
     busy[1] = false;
     if
     :: steps > 0 -> pieceThen = true     /* RESUMED */
     :: else -> atomic { if :: byPiece -> done = true; wake_all() :: else fi }
     fi;
     goto outside
  :: gotSeat -> goto seated
  :: !gotPiece && !gotSeat
  fi;
  woken[1] = false;
  take(0, 1);
  if
  :: gotPiece || gotSeat ->
     atomic {                             /* it has a piece: as above */
       if :: gotPiece -> pieceNow = true :: else -> seatNow[0] = true fi;
       RUNS(0, 1) = false
     }
     goto outside
  :: else
  fi;
end_asleep:
  woken[1];
  goto outside;
seated:
  inside[1] = 1;
  take(1, 1);
  if
  :: gotSeat ->
     inside[1] = 2;
     busy[1] = true;
     atomic { if :: !byPiece -> done = true; wake_all() :: else fi }
     busy[1] = false;
     inside[1] = 1;
     take(1, 1)
  :: else
  fi;
  leave(1, 1);
  inside[1] = 0;
  atomic {                                /* the seat falls asleep; or something came up, and it is PREEMPTED */
    RUNS(0, 1) = false;
    if :: seatNow[1] -> seatNow[0] = true :: else -> seatAsleep = true fi
  }
  goto outside
}

proctype Further() { atomic { further = true; woken[0] = true } }

init {
  atomic {
    RUNS(0, 0) = true;
    RUNS(1, 0) = true;
    inside[0] = 2;
    seatThen[1] = true;
    if :: seatThen[0] = true :: seatNow[0] = true fi;
    if :: pieceThen = true :: pieceNow = true fi;
    if :: byPiece = true :: byPiece = false fi;
    run Waits();
    run Other();
    if :: run Further() :: skip fi
  }
}

/* Else somebody waits for ever. */
active proctype Monitor() { over }
