/* calls.pml - calls from C, nested roots, Cilk_exit, the end of a context and of the process (PROTOCOLS.md, section
 * 10).
 *
 * Two threads of C call into one context. Worker 0 runs the root of each; there it may call a nested root. Worker 1
 * runs a part of the computation meanwhile, and may say Cilk_exit. After its calls a thread terminates the context, if
 * the other one is done, too.
 *
 * Checked: C code gets the value of a root that was completed, or the process ends; it ends once; the context is not
 * used when it is freed; no thread waits for ever unless the process has ended. That nested roots are counted only
 * makes the end come at once (weak/exit.weak). Mutations, all of which must fail:
 *   -DUNLOCK     the thread that ends the process gives `call` away and frees the context
 *   -DBLIND      the value of a nested root that was aborted is returned
 *   -DNOCLAIM    a thread ends the process and does not look whether another one does
 *   -DEARLYDONE  a root is done before its value is there
 *   -DNOCALL     calls do not wait for one another
 *
 * describes rt/core/process/call.c: cilk_rt_call_root have_it_run call_nested
 * describes rt/core/protocol/finish.c: cilk_root_finish report_end complete
 * describes rt/core/protocol/exit.c: cilk_exit_now
 * describes rt/core/protocol/abort.c: cilk_rt_exit
 * describes rt/core/base/message.c: cilk_exit_claim cilk_exit_process
 * describes rt/core/process/init.c: Cilk_terminate */
#define NONE 9
bool call = false, freed = false;
byte job = NONE, part = 0;                /* part: 1 while worker 1 has something to run */
bool done[2], value[2];
bool exiting = false, exited = false, claimed = false;
byte nested = 0, finished = 0;

inline acquire(l) { atomic { !l || exited -> l = true } }
inline release(l) { l = false }
inline use() { assert(!freed || exited) }

inline end_process()
{
#ifdef NOCLAIM
  assert(!claimed);
  claimed = true;
#else
  atomic { !claimed || exited -> claimed = true };  /* the others stay here */
#endif
  exited = true
}

proctype Caller(byte me)
{
#ifndef NOCALL
  acquire(call);
#endif
  use();
  assert(job == NONE);
  job = me;
  done[me] || exited;
  use();
  if
  :: exiting ->
#ifdef UNLOCK
     release(call);
     freed = true;
#endif
     end_process()
  :: else ->
     assert(value[me] || exited);
     release(call);
     finished++;
     if
     :: atomic { finished == 2 && !freed -> freed = true }   /* Cilk_terminate: after the last call */
     :: else
     fi
  fi
}

proctype Worker0()
{
  byte root;
  bool aborted, got;
  do
  :: job != NONE ->
     root = job; job = NONE;
     use();
     part = 1;
     aborted = false;
     if
     :: true ->                           /* a nested root */
        nested++;
        if :: exiting -> end_process(); goto end :: else fi;
        got = !exiting;               /* its pops see the mark, or not */
#ifndef BLIND
        if :: !got -> end_process(); goto end :: else fi;
#endif
        assert(got || exited);            /* the value that C has */
        nested--
     :: true
     fi;
     if :: part == 1 -> part == 2 || exited || part == 0 :: else fi;   /* the sync */
     if :: exited -> goto end :: else fi;
     part = 0;
     aborted = exiting;                   /* the root's own pops and syncs */
     use();
#ifdef EARLYDONE
     done[root] = true;
     value[root] = !aborted
#else
     value[root] = !aborted;
     done[root] = true
#endif
  :: finished == 2 || exited -> break
  od;
end:
  skip
}

proctype Worker1()
{
  bool saw;
  do
  :: part == 1 ->
     use();
     if
     :: !exiting ->                       /* Cilk_exit */
        exiting = true;
        saw = nested > 0;
        if :: saw -> end_process(); goto end :: else fi
     :: true
     fi;
     part = 2
  :: finished == 2 || exited -> break
  od;
end:
  skip
}

init { atomic { run Caller(0); run Caller(1); run Worker0(); run Worker1() } }

/* The end: both calls came back, or the process is gone, even if a thread still waits. */
active proctype Monitor() { finished == 2 || exited }
