/* threads.pml - a closure of Cilk-1 that waits for two arguments, a public list, the end of a computation
 * (PROTOCOLS.md, section 14).
 *
 * The owner has the closure S (join 2), and two ready closures A and B that hold continuations into S: A is shown to
 * thieves, B it runs itself. A thief may take A. Each sends to S when it runs; the worker that completes S posts it to
 * itself and runs it. A worker that finds nothing left takes itself off `active`; at 0 the computation ends: all pools
 * are freed, so no worker may touch one any more, S has run once, and nothing is left.
 *
 * Mutations, all of which must fail:
 *   -DLATE_SHARE    S becomes shared after A is public
 *   -DPLAIN_COUNT   a thief counts by load and store
 *   -DLATE_ACTIVE   the thief adds itself to `active` after the list is seen empty
 *   -DNO_RECHECK    the owner takes itself off without a look at its public list
 *
 * describes rt/extensions/cilk1/run.c: steal_from run_pool not_busy cilk1_activity
 * describes rt/extensions/cilk1/home.c: cilk1_share cilk1_take_public
 * describes rt/extensions/cilk1/send.c: cilk1_send_through */
byte join = 2, count = 1, ran = 0, ended = 0;
bool shared = false, public = false;
byte sent = 0;                            /* slots that are stored */

inline plain_count(done)
{
  byte j = join;                          /* two steps: others may come between */
  join = j - 1;
  done = (j - 1 == 0);
}

inline atomic_count(done)
{
  d_step { join = join - 1; done = (join == 0); }
}

inline finish()
{
  d_step {
    count = count - 1;
    if
    :: count == 0 -> assert(ended == 0); ended = 1; assert(ran == 1 && !public)
    :: else -> skip
    fi
  }
}

inline run_S()
{
  assert(sent == 2);
  assert(!ended);
  ran++
}

proctype owner()
{
  bool done = false;
#ifndef LATE_SHARE
  shared = true;
#endif
  public = true;
#ifdef LATE_SHARE
  skip;
  shared = true;
#endif
  /* B */
  sent++;
  if
  :: shared -> atomic_count(done)
  :: else -> plain_count(done)
  fi;
  if
  :: done -> run_S()
  :: else -> skip
  fi;
  /* A, if no thief took it */
  done = false;
#ifndef NO_RECHECK
  bool mine = false;
  if
  :: public -> atomic { if :: public -> public = false; mine = true :: else -> skip fi }   /* the lock */
  :: else -> skip
  fi;
  if
  :: mine ->
     sent++;
     atomic_count(done);
     if
     :: done -> run_S()
     :: else -> skip
     fi
  :: else -> skip
  fi;
#endif
  finish()
}

proctype thief()
{
  bool done = false, mine = false, counted = false;
  byte t;
#ifdef LATE_ACTIVE
  atomic { if :: public -> public = false; mine = true :: else -> skip fi };
  if :: mine -> count++ :: else -> skip fi;
#else
  /* Under the lock, which the owner's take needs; it reads `public` without it. */
  atomic { if :: public && !ended -> count++; mine = true; public = false :: else -> skip fi };
#endif
  if
  :: mine ->
     assert(!ended);
     sent++;
     if
     :: shared ->
#ifdef PLAIN_COUNT
        t = join; join = t - 1; done = (t - 1 == 0)
#else
        atomic_count(done)
#endif
     :: else -> assert(false)             /* it would send a message; here the owner has shared S before */
     fi;
     if
     :: done -> run_S()
     :: else -> skip
     fi;
     finish()
  :: else -> skip
  fi
}

init { atomic { run owner(); run thief() } }
