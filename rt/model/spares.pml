/* spares.pml - spare workers, for those that wait in system calls (PROTOCOLS.md, section 13): which worker has a
 * place, which one rests, which one is relied on.
 *
 * Worker 0 searches, parks, takes pieces; while it runs one it may block, for a while or for ever. Worker 1 is its
 * spare: it has a place while somebody is blocked, else it rests. A publisher makes pieces visible. The census is that
 * of sleep.pml, without timeouts and the watcher.
 *
 * Checked: in every end state nothing is left to take, whichever workers sleep, and the census fits. Mutations, all of
 * which must fail:
 *   -DNOWAKE    a worker that blocks wakes no spare
 *   -DLATECOUNT a worker that blocks wakes the spare, then counts
 *   -DEARLYLOOK a spare that goes to rest looks whether a worker blocks, then says that it rests
 *   -DNOPASS    a spare that loses its place while it searches sends no other in its place
 *   -DNOPASSPARK  ... nor one that was woken to search when it rests
 *
 * describes rt/core/fibers/blocking.c: cilk_must_rest cilk_rest Cilk_blocking_begin Cilk_blocking_end
 * describes rt/core/schedule/search.c: idle_search
 * describes rt/core/steal/sleep.c: recruit_one cilk_withdraw pass_on cilk_announce cilk_search_begin cilk_search_end
 * cilk_park cilk_park_leave */
#define AWAKE 0
#define PARKED 1
#define RECRUITED 2
#define PIECES 2
#ifdef QUICK
#define BLOCKS 1
#else
#define BLOCKS 2
#endif

byte work = 0, taken = 0, searching = 1, blocked = 0;
byte published = 0;
bit bits[2];
byte park[2];
bool asleep[2];
bool forever = false;                     /* worker 0 does not come back */

/* As in sleep.pml. */
inline recruit_one()
{
  do
  :: atomic { searching == 0 && (bits[0] || bits[1]) -> searching = 1 }
     got = false;
     id = 0;
     do
     :: id < 2 && !got ->
        if
        :: atomic { bits[id] -> bits[id] = 0 }
           if
           :: atomic { park[id] == PARKED -> park[id] = RECRUITED; got = true }
           :: atomic { else -> skip }
           fi
        :: atomic { else -> skip }
        fi;
        id++
     :: else -> break
     od;
     if
     :: got -> break
     :: else -> searching--
     fi
  :: atomic { !(searching == 0 && (bits[0] || bits[1])) -> break }
  od
}

inline wake_up(me)
{
  bits[me] = 0;
  atomic { counted = (park[me] == RECRUITED); park[me] = AWAKE }
}

active proctype Publisher()
{
  byte id, n = PIECES;
  bool got;
  do
  :: n > 0 -> n--; work++; recruit_one()
  :: else -> break
  od;
  published = 1
}

active proctype Worker()
{
  byte id;
  byte blocks = BLOCKS;
  bool got, counted = true, found;
  do
  :: true ->
     atomic { found = (work > 0); if :: found -> work--; taken++ :: else fi }
     if
     :: found ->
        if :: counted -> searching--; counted = false :: else fi;
        recruit_one();
        if
        :: blocks > 0 ->                  /* in a system call */
           blocks--;
#ifdef LATECOUNT
           recruit_one();
           if :: atomic { park[1] == PARKED -> park[1] = AWAKE } :: atomic { park[1] != PARKED -> skip } fi;
           blocked++;
#else
           blocked++;
           recruit_one();                 /* it withdraws */
#ifndef NOWAKE
           if :: atomic { park[1] == PARKED -> park[1] = AWAKE } :: atomic { park[1] != PARKED -> skip } fi;
#endif
#endif
           if
           :: forever = true; break
           :: blocked--
           fi
        :: true
        fi;
        atomic { searching++; counted = true }
     :: else ->
        park[0] = PARKED;
        bits[0] = 1;
        atomic { if :: counted -> searching--; counted = false :: else fi };
        if
        :: work == 0 ->
           asleep[0] = true;
end_asleep:
           park[0] != PARKED;
           asleep[0] = false
        :: else
        fi;
        wake_up(0)
     fi
  od
}

active proctype Spare()
{
  byte id;
  bool got, counted = false, searches = false, found, early = true;
  do
  :: blocked == 0 ->
     if
     :: searches ->                       /* it has lost its place: it withdraws */
        searches = false;
        atomic { if :: counted -> searching--; counted = false :: else fi };
#ifndef NOPASS
        recruit_one()
#endif
     :: else
     fi;
#ifdef EARLYLOOK
     found = (blocked == 0);
#endif
     park[1] = PARKED;
     atomic { found = counted; if :: counted -> searching--; counted = false :: else fi };
#ifndef NOPASSPARK
     if :: found -> recruit_one() :: else fi;
#endif
#ifndef EARLYLOOK
     found = (blocked == 0);
#else
     found = true;
#endif
     if
     :: found ->
        asleep[1] = true;
end_rests:
        park[1] != PARKED;
        asleep[1] = false
     :: else
     fi;
     wake_up(1)
  :: blocked > 0 ->
     searches = true;
     if :: !counted -> atomic { searching++; counted = true } :: else fi;
     atomic { found = (work > 0); if :: found -> work--; taken++ :: else fi }
     if
     :: found ->
        atomic { searching--; counted = false };
        searches = false;
        recruit_one()
     :: else ->
        park[1] = PARKED;
        bits[1] = 1;
        atomic { searching--; counted = false };
        if
        :: work == 0 ->
           asleep[1] = true;
end_parked:
           if
           :: park[1] != PARKED
           :: atomic { early -> early = false }
           fi;
           asleep[1] = false
        :: else
        fi;
        wake_up(1)
     fi
  od
}

/* Once all sleep, and the publisher is done, nothing is left, and no worker is counted. */
active proctype Monitor()
{
end_watch:
  atomic { published && (asleep[0] || forever) && asleep[1] && park[1] == PARKED && (park[0] == PARKED || forever) ->
           assert(work == 0 && taken == PIECES && searching == 0) }
}
