/* chain.pml - the release of a stack's frames against an abort and hungry thieves (PROTOCOLS.md, sections 7 and 8).
 *
 * Worker 1 runs two fast frames: C, whose base link is link 1 to P, and its child D above. At a test it finds the flag,
 * looks for a mark, and releases: both become closures, D with link 2 to C; C is pushed, D goes on through its slow
 * clone. A thief takes C, finds nothing more, and raises the flag again. Worker 0 aborts the children of P.
 *
 * Checked: when the abort has returned, neither C nor D goes on beyond its next step, and the walk finds each; once a
 * hungry thief has raised the flag, it is up at worker 1's next test. Mutations, all of which must fail:
 *   -DEARLYMARK   the mark is read before P's lock is taken
 *   -DLATECHILD   C is made known to the walk after P's lock is free again
 *   -DUNKNOWN     C is not made known
 *   -DUNMARKED    link 2 does not inherit the mark
 *   -DBLINDTEST   a test that was signalled does not look for a mark
 *   -DBLINDRUN    the worker that takes a released closure does not look for a mark
 *   -DLATECLEAR   the flag is cleared when the closures are pushed already
 *   -DLATELOOK    the test looks for a mark before it clears the flag
 *   -DNODEEPER    the walk does not go below C
 *   -DNOFLAG      a signal does not raise the flag
 *
 * describes rt/core/protocol/release.c: tested cilk_rt_release cilk_publish_chain
 * describes rt/core/data/children.c: cilk_link_adopt
 * describes rt/core/protocol/abort.c: cilk_rt_abort walk
 * describes rt/core/protocol/below.h: cilk_below_next cilk_below_enter
 * describes rt/core/schedule/schedule.c: run_closure
 * describes rt/core/steal/steal.c: cilk_signal cilk_take_ready
 * describes rt/core/steal/lazy.c: cilk_hunger_arm */
mtype = { NEW, READY, TAKEN, RUNNING, ENDED };

bool Plock = false, Clock = false, Dlock = false, wlock = false;
mtype C = NEW, D = NEW;
byte atC = 1;
bool marked1 = false, marked2 = false;
bool childC = false, childD = false;      /* links 1 and 2 know their child */
bool out1 = true, out2 = false;           /* among P's, C's children */
bool flag = false, signal[3];
bool pushed = false;                      /* C is on worker 1's deque */
/* a thief has found nothing and raised the flag, which was not cleared to be answered since */
bool hungry = false;
bool aborted = false;

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }

inline raise_signal(w)
{
  acquire(wlock); signal[w] = true; release(wlock);
#ifndef NOFLAG
  if :: w == 1 -> flag = true :: else fi
#endif
}

proctype Aborter()
{
  bool hit[3];
  acquire(Plock);
  if
  :: out1 ->
     marked1 = true;
     if
     :: !childC -> hit[1] = true
     :: else ->
        acquire(Clock);
        if :: C == RUNNING -> hit[atC] = true :: else fi;
#ifndef NODEEPER
        if
        :: out2 ->
           marked2 = true;
           if
           :: !childD -> hit[1] = true
           :: else -> acquire(Dlock); if :: D == RUNNING -> hit[1] = true :: else fi; release(Dlock)
           fi
        :: else
        fi;
#endif
        release(Clock)
     fi
  :: else
  fi;
  release(Plock);
  if :: hit[1] -> raise_signal(1) :: else fi;
  if :: hit[2] -> raise_signal(2) :: else fi;
  aborted = true
}

proctype Thief()
{
  bool mark, knew;
  do
  :: pushed ->
     acquire(wlock);
     if :: pushed -> pushed = false; release(wlock); break :: else -> release(wlock) fi
  :: D == ENDED || C == ENDED -> goto over
  :: atomic { !hungry && !pushed -> hungry = true; flag = true }    /* a test may come before that, or after */
  od;
  acquire(Clock);
  assert(C == READY);
  C = TAKEN; atC = 2;
  release(Clock);
  acquire(Clock);                         /* run_closure */
  mark = marked1;
#ifdef BLINDRUN
  mark = false;
#endif
  if :: !mark -> C = RUNNING :: else -> C = ENDED fi;
  release(Clock);
  if
  :: mark
  :: else ->
     knew = aborted;                      /* a step */
     mark = false;
     if
     :: signal[2] -> acquire(wlock); signal[2] = false; mark = marked1; release(wlock)
     :: else
     fi;
     assert(mark || !knew);
     atomic { hungry = true; flag = true }  /* C waits for D: nothing more to do */
  fi;
over:
  skip
}

proctype Worker1()
{
  byte tests = 3;
  bool mark, knew, early, hunger, released = false, saw;
  do
  :: tests > 0 && !released ->            /* fast frames: a test */
     tests--;
     knew = aborted;
     hunger = hungry;
     mark = false;
     if
     :: flag ->
#ifdef LATELOOK
        mark = marked1;
#endif
        atomic { flag = false; hungry = false }
#ifndef LATELOOK
        mark = marked1;
#endif
        signal[1] = false;
#ifdef BLINDTEST
        mark = false;
#endif
        if
        :: mark -> goto unwind
        :: else
        fi;
        assert(!knew);
        if
        :: released = true
        :: skip                           /* no worker is idle any more */
        fi
     :: else -> assert(!knew && !hunger)
     fi
  :: tests == 0 && !released -> goto unwind   /* C and D end where they are */
  :: released -> break
  od;
  /* cilk_publish_chain */
#ifndef LATECLEAR
  atomic { flag = false; hungry = false };
#endif
  C = READY; D = TAKEN; out2 = true;
  childD = true;
#ifdef EARLYMARK
  mark = marked1;
  acquire(Plock);
#else
  acquire(Plock);
  mark = marked1;
#endif
#ifdef LATECHILD
  release(Plock);
  childC = true;
#else
#ifndef UNKNOWN
  childC = true;
#endif
  release(Plock);
#endif
#ifndef UNMARKED
  if :: mark -> marked2 = true :: else fi;
#endif
  pushed = true;
#ifdef LATECLEAR
  flag = false;
#endif
  acquire(Dlock);                         /* run_closure */
  mark = marked2;
#ifdef BLINDRUN
  mark = false;
#endif
  if :: !mark -> D = RUNNING :: else -> D = ENDED fi;
  release(Dlock);
  acquire(wlock); early = signal[1]; if :: early -> flag = true :: else fi; release(wlock);   /* cilk_segment_begin */
  if
  :: mark
  :: else ->
     tests = 2;
     do
     :: tests > 0 ->
        tests--;
        knew = aborted;
        hunger = hungry;
        saw = flag;
        mark = false;
        if
        :: saw -> atomic { flag = false; hungry = false }; mark = marked2
        :: else
        fi;
        if :: mark -> break :: else fi;
        assert(!knew && (saw || !hunger))
     :: tests == 0 -> break
     od
  fi;
  D = ENDED;
  goto over;
unwind:
  acquire(Plock);
  out1 = false;
  release(Plock);
  C = ENDED; D = ENDED;
over:
  skip
}

init { atomic { run Aborter(); run Thief(); run Worker1() } }
