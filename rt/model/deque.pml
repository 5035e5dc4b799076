/* deque.pml - the owner of an entry of the deque: the owner's pops and tests, thieves that ask and claim, signals, base
 * links (PROTOCOLS.md, section 4).
 *
 * One segment: entry 0 is the slow clone's, the entries above are fast frames'. The owner pushes and pops (PUSHES in
 * all), tests now and then, and ends its segment; then begins another one. Two thieves look, ask, claim; a signaller
 * has a reason, then signals. Stores are seen in order here: the fences are the.pml's and weak/the*.weak's matter.
 *
 * Checked: each pushed entry is in one hand at a time, and never lost; a frame whose child is done is not given away;
 * the result of a stolen frame's child goes to that frame, once; a signal raises the next pop or test; E is never below
 * H. Mutations, all of which must fail:
 *   -DTHIRDHAND    a pop takes the entry at the head for stolen
 *   -DKEEPLINK     the base link of a stolen segment stays when it was used
 *   -DGIVEPOPPED   a pop gives away the very frame that it pops
 *   -DGIVETWICE    the head stays where it was when an entry was given
 *   -DLATEGIFT     a thief does not look for an answer that came when its time was over
 *   -DCLEARLATE    a thief clears its gift after it has asked
 *   -DSTAYS        a thief that gives up stays entered as the one that asks
 *   -DDEAF         E does not show a signal
 *   -DQUIET        a signal does not raise E
 *   -DBEGINLOW     a segment begins with E at H though a signal waits
 *   -DNOCLAIM      a thief does not claim
 *   -DNOLOOK       a thief does not look at T after its claim
 *   -DNOLOCK       a pop that raised does not take the lock
 *   -DLATELINK     the new base link is put in place after the victim's lock is free
 *
 * describes rt/core/steal/steal.c: cilk_take_head cilk_serve ask claim stolen cilk_steal cilk_signal
 * describes rt/core/protocol/exception.c: raised cilk_rt_pop_exception
 * describes rt/core/data/deque.c: cilk_exc_update
 * describes rt/core/steal/segment.c: cilk_segment_begin cilk_segment_end */
#define N 2                               /* deepest nest */
#ifdef QUICK
#define PUSHES 2
#else
#define PUSHES 3
#endif
#define ALWAYS 9
#define DENIED 8
#define NOBODY 0

byte T = 0, H = 0, E = 0;
byte hand[N];                             /* 0 absent, 1 on the deque, 2 the owner's, 3 a thief's */
byte link = 0;                            /* the segment's base link: parent's entry + 1, ROOT, or 0: consumed */
#define ROOT 7
bool lock = false, signal = false;
byte requester = 0, gift[3];
bool reason = false, signalled = false;
byte given = 0, received = 0;             /* entries that left the deque at the head, and that thieves have */
byte done = 0;
bool over = false;

inline acquire() { atomic { !lock -> lock = true } }
inline unlock() { lock = false }
inline exc_update()
{
#ifdef DEAF
  E = (requester -> ALWAYS : H)
#else
  E = (signal || requester -> ALWAYS : H)
#endif
}

/* The lock is held: entry `at` is the taker's; its child gets a link to it. */
inline take_head(at)
{
  at = H;
  d_step { assert(at < N && hand[at] == 1); hand[at] = 3; given++ };
#ifndef GIVETWICE
  H = at + 1;
#endif
#ifndef LATELINK
  link = at + 1
#endif
}

/* Owner, lock held: gives the head, if it is below limit. */
inline serve(limit)
{
  if
#ifdef GIVEPOPPED
  :: H <= limit && H < N && hand[H] == 1 -> take_head(got); g = got + 1
#else
  :: H < limit -> take_head(got); g = got + 1
#endif
  :: else -> g = DENIED
  fi;
  r = requester;
  requester = NOBODY;
  exc_update();
  gift[r] = g
}

active proctype Owner()
{
  byte t = 0, left = PUSHES, got, g, r;
  bool mine, knew;
  link = ROOT;
  do
  :: left > 0 && t < N ->                 /* push */
     d_step { assert(hand[t] == 0); hand[t] = 1 };
     t++;
     T = t;
     left--
  :: t > 0 ->                             /* a test of a child, or nothing */
     if
     :: requester ->
        acquire();
        if :: requester -> serve(t) :: else fi;
        unlock()
     :: skip
     fi;
     t--;                                 /* pop */
     knew = signalled;
     T = t;
     if
     :: E > t ->                          /* cilk_rt_pop_exception */
#ifndef NOLOCK
        acquire();
#endif
#ifdef THIRDHAND
        mine = t > H;
#else
        mine = t >= H;
#endif
        if :: requester -> serve(t) :: else fi;
        if
        :: mine ->
           signal = false;
           exc_update();
           d_step { assert(hand[t] == 1); hand[t] = 0 };
#ifndef NOLOCK
           unlock()
#endif
        :: else ->
           assert(hand[t] == 3);
           assert(link == t + 1);         /* the child that has just returned was spawned there */
#ifndef KEEPLINK
           link = 0;
#endif
           exc_update();
#ifndef NOLOCK
           unlock();
#endif
           hand[t] = 0;
           /* unwinds: the older frames' pops raise, too, and find no link */
           do
           :: t > 0 ->
              t--;
              T = t;
              assert(E > t);
              acquire();
              assert(t < H && hand[t] == 3);
              assert(link == 0);
              if :: requester -> serve(t) :: else fi;
              unlock();
              hand[t] = 0
           :: t == 0 -> break
           od;
           acquire();                     /* the end of the segment, and the next one */
           if :: requester -> serve(0) :: else fi;
           T = 0; H = 0;
           link = ROOT;
#ifdef BEGINLOW
           E = H;
#else
           exc_update();
#endif
           unlock()
        fi
     :: else ->
        assert(!knew || !signal);         /* a signal that was there when the pop began */
        d_step { assert(hand[t] == 1); hand[t] = 0 }
     fi
  :: left == 0 && t == 0 -> break
  od;
  acquire();
  if :: requester -> serve(0) :: else fi;
  unlock();
  over = true;
  done++
}

proctype Thief(byte me)
{
  byte tries = 2, h, c, got;
  do
  :: tries > 0 && H < T ->
     tries--;
     c = 0;
     acquire();
     if
     :: H < T && !requester ->
        h = H;
        if
        :: h == 0 && tries == 1 -> skip   /* the slow clone's: its pop is fenced */
        :: true ->                        /* asks */
#ifndef CLEARLATE
           gift[me] = 0;
#endif
           requester = me;
           exc_update();
           unlock();
#ifdef CLEARLATE
           gift[me] = 0;
#endif
           if
           :: gift[me] -> skip
           :: skip                        /* the time is over */
           fi;
           acquire();
           if
           :: requester == me ->
#ifndef STAYS
              requester = NOBODY
#else
              skip
#endif
           :: else ->
#ifndef LATEGIFT
              c = gift[me]
#else
              c = 0
#endif
           fi
        fi;
        h = H;
        if
        :: c != 0 && c != DENIED -> skip
        :: c == DENIED || h >= T || requester -> skip
        :: else ->
#ifndef NOCLAIM
           E = (E > h -> E : h + 1);
#endif
           if
#ifdef NOLOOK
           :: true -> take_head(got); c = got + 1
#else
           :: T > h -> take_head(got); c = got + 1
           :: else -> skip
#endif
           fi
        fi;
        exc_update();
     :: else -> skip
     fi;
     if :: c != 0 && c != DENIED -> received++ :: else fi;
     assert(E >= H);
#ifdef LATELINK
     lock = false;
     if :: c != 0 && c != DENIED -> link = c :: else fi
#else
     unlock()
#endif
  :: tries == 0 || over -> break
  od;
  done++
}

active proctype Signaller()
{
  reason = true;
  acquire();
  signal = true;
#ifndef QUIET
  exc_update();
#endif
  unlock();
  signalled = true
}

init { atomic { run Thief(1); run Thief(2) } }

/* What left the deque is in somebody's hand. */
active proctype Monitor()
{
end_watch:
  atomic { done == 3 -> assert(given == received && !requester) }
}
