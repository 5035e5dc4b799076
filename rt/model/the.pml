/* the.pml - the THE protocol with the asymmetric fence (PROTOCOLS.md, section 4).
 *
 * One owner pushes and pops a nest of frames, two thieves steal from the head. The owner's stores of T go through a
 * store buffer that drains at any time; its loads of E do not wait for it. The thief's heavy fence drains the owner's
 * buffer, as membarrier does. Checked: every frame is taken exactly once per push, by the owner or by one thief; no
 * worker takes a frame that is not there. With -DNOFENCE (the thief does not fence) the assertion fails: the fence is
 * needed.
 *
 * describes codegen/clones/ops.cpp: RuntimeOps::push RuntimeOps::pop
 * describes rt/core/steal/steal.c: claim cilk_steal
 * describes rt/core/protocol/exception.c: raised cilk_rt_pop_exception */
#define N 3                       /* deepest nest */
#define PUSHES 5

byte T = 0, H = 0, E = 0;         /* memory */
byte taken[N];                    /* 0 absent, 1 on the deque, 2 taken */
bool lock = false;
chan buffer = [2] of { byte };    /* the owner's stores of T that are not in memory yet */
bool over = false;

inline acquire() { atomic { !lock -> lock = true } }
inline unlock() { lock = false }
inline flush() { do :: buffer ? T :: empty(buffer) -> break od }   /* used inside atomic */

active proctype Drain()
{
  byte v;
  do
  :: atomic { nempty(buffer) -> buffer ? v; T = v }
  :: over && empty(buffer) -> break
  od
}

active proctype Owner()
{
  byte t = 0, left = PUSHES, e;
  bool mine;
  do
  :: left > 0 && t < N ->         /* push */
     atomic { assert(taken[t] != 1); taken[t] = 1 }
     t++;
     buffer ! t;
     left--
  :: t > 0 ->                     /* pop: store T, load E, no fence */
     t--;
     buffer ! t;
     e = E;
     if
     :: e > t ->                  /* cilk_rt_pop_exception; taking a lock drains the buffer */
        atomic { !lock -> lock = true; flush() }
        mine = (t >= H);
        if
        :: mine -> E = H
        :: else -> H = (H > t -> t : H); E = H   /* all older frames are gone, too: unwind to the scheduler */
        fi;
        unlock();
        if
        :: mine -> atomic { assert(taken[t] == 1); taken[t] = 2 }
        :: else -> atomic { assert(taken[t] == 2) }
           /* the scheduler: T, H, E back to the bottom of the segment */
           atomic { !lock -> lock = true; flush(); T = 0; H = 0; E = 0; lock = false }
           t = 0
        fi
     :: else -> atomic { assert(taken[t] == 1); taken[t] = 2 }
     fi
  :: left == 0 && t == 0 -> break
  od;
  over = true
}

active [2] proctype Thief()
{
  byte tries = 3, h;
  do
  :: tries > 0 ->
     tries--;
     if
     :: H < T ->
        acquire();
        h = H;
        if
        :: h < T ->
           E = h + 1;
#ifndef NOFENCE
           atomic { flush() }
#endif
           if
           :: T > h ->
              atomic { assert(taken[h] == 1); taken[h] = 2 }
              H = h + 1
           :: else
           fi;
           E = H
        :: else
        fi;
        unlock()
     :: else
     fi
  :: tries == 0 -> break
  od
}
