/* cancel.pml - computations within computations, started, cancelled from outside, waited for, over (PROTOCOLS.md,
 * section 10).
 *
 * O starts M, which starts I; each runs on a worker of its own. O may wait for M, or end before. A holder of O's
 * handle cancels O at any time.
 *
 * Checked: when Cilk_cancel has returned nothing that belongs to O goes on beyond its next step, whether it was there
 * before or is started later; no handle, group or closure is touched when it is freed; each computation is over once,
 * after all that it has started; no thread waits for ever. Mutations, all of which must fail:
 *   -DNOLOOK     a start does not look at the owner's mark
 *   -DEARLYLOOK  ... looks before it has the group's lock
 *   -DLATEMARK   the canceller goes through the group, then marks
 *   -DNODOWN     the canceller leaves the group alone
 *   -DNOLOCK     the canceller does not take the computation's lock
 *   -DNOFORGET   a computation whose result is there keeps its closure
 *   -DNOALIVE    a start does not count the computation in the group
 *   -DLATEALIVE  ... counts it when others can find it
 *   -DOPENGROUP  the end takes the group away without the computation's lock
 *   -DOPENWAIT   a waiter frees the handle without having had its lock
 *   -DEARLYEND   a computation is over when its own result is there
 *
 * describes rt/extensions/calls/start.c: group_of cilk_start cilk_wait_ended cilk_cancel Cilk_cancel
 * describes rt/core/protocol/finish.c: end_started complete cilk_root_finish cilk_computation_free
 * describes rt/core/protocol/abort.c: cilk_abort_all */
#define O 0
#define M 1
#define I 2
#define N 3

bool lock[N], glock[N];                   /* of the computation; of the group that it owns */
bool mark[N], closure[N], cfreed[N], done[N], group[N], gfreed[N], listed[N], freed[N];
byte alive[N];                            /* of the group that it owns */
bool cancelled = false, mayCancel = true;
byte gone = 0;                            /* bodies that have ended */

inline acquire(l) { atomic { !l -> l = true } }
inline release(l) { l = false }
inline handle(i) { assert(!freed[i]) }

/* i starts j. */
inline start(i, j)
{
  atomic { if :: !group[i] -> group[i] = true; alive[i] = 1 :: else fi };
  closure[j] = true;
#ifndef NOALIVE
#ifndef LATEALIVE
  alive[i]++;
#endif
#endif
#ifdef EARLYLOOK
  saw = mark[i];
#endif
  assert(!gfreed[i]);
  acquire(glock[i]);
  listed[j] = true;
#ifdef NOLOOK
  saw = false;
#else
#ifndef EARLYLOOK
  saw = mark[i];
#endif
#endif
  if :: saw -> mark[j] = true :: else fi;
  release(glock[i]);
  run Body(j);
#ifdef LATEALIVE
  alive[i]++
#endif
}

/* A pop or test: false, when it unwinds. */
inline step(i)
{
  knew = cancelled;
  goes = !mark[i];
  assert(!(knew && goes))
}

/* All that it has started is over, and it itself. c: the computation that is looked at next. */
inline complete()
{
  do
  :: true ->
#ifndef OPENGROUP
     handle(c);
     acquire(lock[c]);
     saw = group[c]; group[c] = false;
     release(lock[c]);
#else
     saw = group[c]; group[c] = false;
#endif
     if
     :: saw ->
        assert(!gfreed[c] && !glock[c]);
        if :: c == O && listed[M] -> listed[M] = false; assert(!freed[M]); freed[M] = true :: c == M && listed[I] -> listed[I] = false; assert(!freed[I]); freed[I] = true :: else fi;
        gfreed[c] = true
     :: else
     fi;
     handle(c);
     acquire(lock[c]);
     assert(!done[c]);
     done[c] = true;
     atomic { handle(c); release(lock[c]) };
     if
     :: c == O -> break
     :: else ->
        c--;                              /* whose group it is in */
        assert(!gfreed[c]);
        atomic { assert(alive[c] > 0); alive[c]--; saw = (alive[c] == 0) };
        if :: saw :: else -> break fi
     fi
  od
}

proctype Body(byte i)
{
  bool saw, knew, goes;
  byte c = i;
  step(i);
  if
  :: goes && i < I ->
     if :: i == O -> start(O, M) :: else -> start(M, I) fi;
     step(i);
     if
     :: i == O && (goes || true) ->
        if
        :: done[M] ->                     /* Cilk_wait, of one that is over sooner or later */
#ifndef OPENWAIT
           acquire(lock[M]); release(lock[M]);
#endif
           acquire(glock[O]);
           listed[M] = false;
           release(glock[O]);
           handle(M);
           freed[M] = true
        :: true
        fi
     :: else
     fi;
     step(i)
  :: else
  fi;
  /* the result is there */
  acquire(lock[i]);
  handle(i);
#ifndef NOFORGET
  closure[i] = false;
#endif
  release(lock[i]);
  if
#ifdef EARLYEND
  :: group[i] -> atomic { alive[i]--; saw = true }
#else
  :: group[i] -> atomic { assert(alive[i] > 0); alive[i]--; saw = (alive[i] == 0) }
#endif
  :: else -> saw = true
  fi;
  if :: saw -> complete() :: else fi;
  cfreed[i] = true;
  gone++
}

inline mark_it(i) { mark[i] = true }
inline take(i)
{
  handle(i);
#ifndef NOLOCK
  acquire(lock[i])
#endif
}
inline leave(i)
{
  if :: closure[i] -> assert(!cfreed[i]) :: else fi;   /* the walk below it */
  handle(i);
#ifndef NOLOCK
  release(lock[i])
#endif
}

proctype Canceller()
{
  take(O);
  if
  :: !done[O] ->
#ifndef LATEMARK
     mark_it(O);
#endif
#ifndef NODOWN
     if
     :: group[O] ->
        acquire(glock[O]);
        assert(!gfreed[O]);
        if
        :: listed[M] ->
           take(M);
           if
           :: !done[M] ->
#ifndef LATEMARK
              mark_it(M);
#endif
              if
              :: group[M] ->
                 acquire(glock[M]);
                 assert(!gfreed[M]);
                 if
                 :: listed[I] ->
                    take(I);
                    if :: !done[I] -> mark_it(I) :: else fi;
                    leave(I)
                 :: else
                 fi;
                 release(glock[M])
              :: else
              fi;
#ifdef LATEMARK
              mark_it(M);
#endif
           :: else
           fi;
           leave(M)
        :: else
        fi;
        release(glock[O])
     :: else
     fi;
#endif
#ifdef LATEMARK
     mark_it(O);
#endif
  :: else
  fi;
  leave(O);
  cancelled = true
}

init { atomic { closure[O] = true; run Body(O); run Canceller() } }

/* The end: all bodies that were begun are through, in their order. */
active proctype Monitor()
{
  done[O] && cancelled;
  assert((!closure[M] || cfreed[M] || done[M] || freed[M]) && !group[O])
}
