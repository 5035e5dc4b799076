/* sleep.pml - parking, the census, and wake-ups (PROTOCOLS.md, section 9), without timeouts and without the watcher.
 *
 * PUBLISHERS make one piece of work visible each; WORKERS search, take pieces (done on the spot), and park. Checked: in every end state nothing
 * is left to take, although nobody wakes up by himself; the census fits. A timed-out sleep is modelled as waking up at any time (`early`), once for
 * each worker, which must not confuse who was counted. Mutations: -DNOLOOK, a worker parks without looking again; -DNORETRY, a publisher that
 * found nobody does not look again after it has taken back its count. Both must fail.
 *
 * stands-for rt/sleep.c: hand_over recruit recruit_one cilk_announce cilk_search_begin cilk_search_end cilk_park cilk_park_leave cilk_park_wait
 * stands-for rt/search.c: idle_search */
#define WORKERS 2
#define PUBLISHERS 2
#define AWAKE 0
#define PARKED 1
#define RECRUITED 2

byte work = 0, taken = 0, searching = WORKERS, asleep = 0, published = 0;
bit bits[WORKERS];
byte park[WORKERS];

/* CAS of the census from 0 to 1 searching (enough for so few workers), then the bits, then the word of who was found. `nobody` tells that nobody has a bit. */
inline recruit_one(id, got)
{
  do
  :: atomic { searching == 0 && (bits[0] || bits[1]) -> searching = 1 }
     got = false;
     id = 0;
     do
     :: id < WORKERS && !got ->
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
     :: else ->
        searching--;
#ifdef NORETRY
        break
#endif
     fi
  :: atomic { !(searching == 0 && (bits[0] || bits[1])) -> break }
  od
}

active [PUBLISHERS] proctype Publisher()
{
  byte id;
  bool got;
  work++;
  recruit_one(id, got);
  published++
}

proctype Worker(byte me)
{
  byte id;
  bool got, counted = true, early = true, found;
  do
  :: /* a search */
     found = false;
     atomic { if :: work > 0 -> work--; taken++; found = true :: else fi }
     if
     :: found ->
        if :: counted -> searching--; counted = false :: else fi;
        recruit_one(id, got);
        /* the piece is done; it searches again, and is counted */
        atomic { searching++; counted = true }
     :: else ->
        park[me] = PARKED;
        bits[me] = 1;
        atomic { if :: counted -> searching--; counted = false :: else fi }
#ifndef NOLOOK
        if
        :: work > 0 -> goto leave
        :: else
        fi;
#endif
        asleep++;
end_asleep:
        if
        :: park[me] != PARKED
        :: atomic { early -> early = false }
        fi;
        asleep--;
leave:
        bits[me] = 0;
        atomic {
          if :: park[me] == RECRUITED -> counted = true :: else fi;
          park[me] = AWAKE
        }
     fi
  od
}

init { atomic { run Worker(0); run Worker(1) } }

/* Once everybody sleeps and all publishers are done, nothing is left, and nobody is counted. */
active proctype Monitor()
{
end_watch:
  atomic { asleep == WORKERS && published == PUBLISHERS && park[0] == PARKED && park[1] == PARKED ->
           assert(work == 0 && taken == PUBLISHERS && searching == 0) }
}
