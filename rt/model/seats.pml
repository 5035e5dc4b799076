/* seats.pml - the seats of a nested scheduler: asleep, published, taken, retired (PROTOCOLS.md, section 13).
 *
 * A computation of Cilk_with has two seats; two workers of the outer team take the seats that are published, sit down,
 * look for pieces of the computation, run them, are called back by the outer scheduler, fall asleep when there is
 * nothing. A piece makes further ones: for all (then a sleeping seat is woken), on the worker's own deque (silently),
 * or sent to a seat. A worker that does not sit there makes one ready, too: what it waited for, a future perhaps, comes
 * from that worker. The worker that runs the last piece ends the computation.
 *
 * Checked: no piece is left while all seats sleep; in the end all pieces were run, all seats are retired, and the nest
 * is freed, by the last; no worker touches it then; a seat is in one hand. Mutations, all of which must fail:
 *   -DNOCOMPARE  a worker that goes to sleep does not look whether something was published since
 *   -DLATESEEN   ... and compares with what it reads after its last look
 *   -DLATECOUNT  a publisher counts after it has looked for a sleeping seat
 *   -DNOWAKE     a publisher takes no sleeping seat
 *   -DNOBOX      a worker that goes to sleep does not look into the seat's box
 *   -DLATELEAVE  the seat names its worker until it sleeps
 *   -DNOOVER     a worker that goes to sleep does not look whether the computation is over
 *   -DLATEOVER   the end takes the sleeping seats off, then says that it is the end
 *   -DKEEPS      a worker that leaves keeps what is on its deque
 *   -DUNLOCKED   a wake takes the seat without the lock
 *   -DNOHOLD     a worker that makes something ready from outside does not keep the nest
 *
 * describes rt/extensions/nest/nest_new.c: cilk_nest_new
 * describes rt/extensions/nest/nest.c: cilk_nest_open cilk_nest_drop cilk_seat_retire cilk_nest_seats cilk_nest_over
 * describes rt/extensions/nest/nest.c: cilk_seat_sleep cilk_seat_of_nest cilk_seat_asleep
 * describes rt/core/fibers/fiber.c: cilk_ready cilk_notify
 * describes rt/extensions/nest/seats.c: cilk_seat_awake cilk_seat_wake cilk_seat_call cilk_seat_sit
 * describes rt/extensions/nest/seats.c: stand_up cilk_seat_leave_all fall_asleep cilk_seat_look cilk_seat_try
 * describes rt/core/fibers/vproc.c: Cilk_post */
#define SEATS 2
#define WORKERS 2
#ifdef QUICK
#define PIECES 2                          /* the first, and one that comes from outside */
#else
#define PIECES 3                          /* ... and one that the first one makes */
#endif
mtype = { ASLEEP, PUBLISHED, TAKEN, RETIRED };

mtype seat[SEATS];
byte sits[SEATS];                         /* worker + 1 */
byte box[SEATS];
bool lock = false;                        /* seats_lock */
byte published = 0, left = SEATS;
bool over = false, freed = false;
byte ready = 1, ran = 0, toMake = PIECES - 2;
bool mayGo = true, mayTry = true;         /* once in all */

inline acquire() { atomic { !lock -> lock = true } }
inline release() { lock = false }
inline use() { assert(!freed) }

inline drop()                             /* by a seat, or by a holder of the nest */
{
  atomic {
    use();
    assert(left > 0);
    left--;
    if :: left == 0 -> assert(over && ran == PIECES); freed = true :: else fi
  }
}

inline retire(s)
{
  atomic { assert(seat[s] == TAKEN); seat[s] = RETIRED }
  drop()
}

/* A sleeping seat from `first` on: a fiber of the outer team again. */
inline wake(first, most)
{
  use();
#ifndef UNLOCKED
  acquire();
#endif
  k = first;
  do
  :: k < most && seat[k] != ASLEEP -> k++
  :: else -> break
  od;
  if
  :: k < most ->
#ifdef UNLOCKED
     skip;
     assert(seat[k] == ASLEEP);
#endif
     seat[k] = TAKEN
  :: else
  fi;
#ifndef UNLOCKED
  release();
#endif
  if :: k < most -> seat[k] = PUBLISHED :: else fi
}

/* Something has become ready inside. */
inline publish()
{
#ifndef LATECOUNT
  use();
  published++;
#endif
#ifndef NOWAKE
  wake(0, SEATS);
#endif
#ifdef LATECOUNT
  published++
#endif
}

inline over_now()
{
#ifndef LATEOVER
  over = true;
#endif
  acquire();
  k = 0;
  do
  :: k < SEATS ->
     if :: seat[k] == ASLEEP -> seat[k] = TAKEN; gone[k] = true :: else fi;
     k++
  :: else -> break
  od;
  release();
#ifdef LATEOVER
  over = true;
#endif
  k = 0;
  do
  :: k < SEATS ->
     if :: gone[k] -> gone[k] = false; retire(k) :: else fi;
     k++
  :: else -> break
  od
}

inline stand_up()
{
#ifndef KEEPS
  do
  :: own > 0 -> own--; ready++; publish()
  :: else -> break
  od;
#endif
#ifndef LATELEAVE
  sits[s] = 0
#endif
}

proctype Worker(byte me)
{
  byte s, k, seen, own = 0;
  bool found, again, gone[SEATS];
outside:
  do
  :: freed -> goto end
  :: atomic { !freed && (seat[0] == PUBLISHED || seat[1] == PUBLISHED) ->
              s = (seat[0] == PUBLISHED -> 0 : 1);
              seat[s] = TAKEN }
     break
  /* idle: are there silent pushes? */
  :: atomic { !lock && !freed && mayTry && (seat[0] == ASLEEP || seat[1] == ASLEEP) ->
              mayTry = false;
              s = (seat[0] == ASLEEP -> 0 : 1);
              seat[s] = TAKEN }
     break
  od;
  use();
  assert(sits[s] == 0);
  sits[s] = me + 1;
inside:
  /* next */
  found = false;
  again = false;
look:
  if
  :: atomic { box[s] > 0 -> box[s] = 0; ready++ }
     publish()
  :: else
  fi;
  if
  :: own > 0 -> own--; found = true
  :: else ->
     atomic { if :: ready > 0 -> ready--; found = true :: else fi }
  fi;
  if
  :: !found && !again ->
     again = true;
     use();
#ifndef LATESEEN
     seen = published;
#endif
     goto look
  :: else
  fi;
  if
  :: found ->                             /* a piece */
     if
     :: atomic { toMake > 0 -> toMake-- }
        if
        :: ready++; publish()
        :: own++
        :: box[0] = 1;                    /* Cilk_post */
           use();
           if
           :: sits[0] -> skip             /* it is unparked; it looks into its box before it sleeps */
           :: else -> wake(0, 1)
           fi
        fi
     :: else
     fi;
     atomic { ran++; found = (ran == PIECES) }
     if :: found -> use(); over_now() :: else fi;
     if
     :: atomic { mayGo -> mayGo = false }
        stand_up();                       /* the outer scheduler wants the worker */
#ifdef LATELEAVE
        sits[s] = 0;
#endif
        if
        :: over -> retire(s)
        :: else -> seat[s] = PUBLISHED
        fi;
        goto outside
     :: goto inside
     fi
  :: else ->                              /* nothing */
#ifdef LATESEEN
     seen = published;
#endif
     stand_up();
     use();
     acquire();
     atomic {
       found = true;
#ifndef NOCOMPARE
       found = found && published == seen;
#endif
#ifndef NOOVER
       found = found && !over;
#endif
#ifndef NOBOX
       found = found && box[s] == 0;
#endif
     }
#ifdef LATELEAVE
     if :: found -> seat[s] = ASLEEP; release(); skip; if :: seat[s] == ASLEEP -> sits[s] = 0 :: else sits[s] = 0 fi :: else -> release(); sits[s] = 0 fi;
#else
     if :: found -> seat[s] = ASLEEP :: else fi;
     release();
#endif
     if
     :: found
     :: else ->
        if
        :: over -> retire(s)
        :: else -> seat[s] = PUBLISHED
        fi
     fi;
     goto outside
  fi;
end:
  skip
}

/* A worker that does not sit in the nest has what a piece there waits for. */
proctype Outsider()
{
  byte k;
#ifndef NOHOLD
  atomic { use(); left++ }                /* the piece is not ready yet, so the computation is not over */
#endif
  ready++;
  publish();
#ifndef NOHOLD
  drop()
#endif
}

init { atomic { seat[0] = PUBLISHED; seat[1] = ASLEEP; run Worker(0); run Worker(1); run Outsider() } }

/* The end. If it does not come somebody waits for ever. */
active proctype Monitor() { freed && ran == PIECES && seat[0] == RETIRED && seat[1] == RETIRED }
