/* Workers' own threads, of contexts that the runtime makes itself: their last look before they sleep, and what a forked
 * child does without them. */
#include "stage.h"

#include "rt/core/process/fork.h"
#include "rt/core/process/init.h"

#include <sys/wait.h>

static cilk_context *theirs;
static cilk_root_run call_run;

static void two_workers(void) {
  char name[] = "program", option[] = "--nproc", two[] = "2", *words[] = {name, option, two, NULL};
  int argc = 3;
  EXPECT(cilk_context_create(&argc, words, &theirs) == 0 && theirs->nproc == 2);
}

/* ---- the last look ---- */

/* Until then; false: not within a minute. */
static bool soon(bool (*what)(void)) {
  for (int ms = 0; ms < 60000 && !what(); ms++) usleep(1000);
  return what();
}

#ifdef CILK_DEBUG
/* `comes` happens before the n-th access of worker `watched` to what workers share since it was woken. Then the worker
 * is woken, if it sleeps or is about to. */
static int watched;
static long accesses, n;
static void (*comes)(void);
static void at_access(void) {
  if (cilk_self.ext && cilk_self.ext->ctx == theirs && cilk_self.id == watched &&
      __atomic_add_fetch(&accesses, 1, __ATOMIC_SEQ_CST) == n) {
    comes();
    cilk_unpark(cilk_me());
  }
}

static bool parked(void) { return __atomic_load_n(&theirs->extensions[watched]->park, __ATOMIC_SEQ_CST) == 1; }
static bool came(void) { return __atomic_load_n(&accesses, __ATOMIC_SEQ_CST) >= n; }
static bool came_or_parked(void) { return came() || parked(); }

static void a_call_comes(void) {
  memset(&call_run, 0, sizeof call_run);
  call_run.link.root = &call_run;
  call_run.link.worker = theirs->workers[0];
  call_run.link.views = CILK_NO_VIEWS;
  call_run.root = &root;
  call_run.result = &root_value;
  call_run.ctx = theirs;
  call_run.team = &theirs->team;
  call_run.number = 1;
  cilk_fp_save(&call_run.fp);
  __atomic_store_n(&theirs->begun, 1u, __ATOMIC_SEQ_CST);
  __atomic_store_n(&theirs->job, &call_run, __ATOMIC_SEQ_CST);
}
static bool call_is_over(void) { return __atomic_load_n(&call_run.done, __ATOMIC_SEQ_CST); }

static void a_computation_comes(void) { __atomic_store_n(&theirs->begun, 1u, __ATOMIC_SEQ_CST); }
static bool it_takes_part(void) { return __atomic_load_n(&theirs->extensions[1]->stats.joined, __ATOMIC_SEQ_CST) == 1; }

/* The worker is woken for nothing. Something comes on its way back to sleep, before each of its accesses in turn. */
static void sweep_accesses(int worker, void (*what)(void), bool (*seen)(void)) {
  cilk_at_access = at_access;
  comes = what;
  for (long k = 1;; k++) {
    n = INT32_MAX;
    watched = worker;
    two_workers();
    EXPECT(soon(parked));
    usleep(2000); /* it has looked at all, and sleeps */
    __atomic_store_n(&accesses, 0, __ATOMIC_SEQ_CST);
    n = k;
    cilk_unpark(theirs->workers[worker]);
    EXPECT(soon(came_or_parked));
    for (int ms = 0; ms < 100 && !came(); ms++) /* a busy machine may hold it up */
      usleep(1000);
    if (!came()) {
      EXPECT(k > 4);
      break;
    }
    EXPECT(soon(seen));
    __atomic_store_n(&theirs->ended, 1u, __ATOMIC_SEQ_CST);
    cilk_unpark(theirs->workers[worker]);
    Cilk_terminate(theirs);
  }
  Cilk_terminate(theirs);
}
SCENARIO(a_call_comes_when_worker_0_goes_to_sleep) { sweep_accesses(0, a_call_comes, call_is_over); }
SCENARIO(a_computation_comes_when_another_worker_goes_to_sleep) {
  sweep_accesses(1, a_computation_comes, it_takes_part);
}
#else /* without access points there is nothing to sweep over */
SCENARIO(a_call_comes_when_worker_0_goes_to_sleep) { (void)soon; }
SCENARIO(a_computation_comes_when_another_worker_goes_to_sleep) { (void)soon; }
#endif

/* ---- a forked child ---- */

static void in_child(void) {
  for (int i = 0; i < 2; i++) {
    const cilk_worker_ext *x = theirs->workers[i]->ext;
    EXPECT(!x->lock && !x->requester && !x->wait.context && !x->scheduling);
  }
  EXPECT(theirs->lost && !theirs->alone && !theirs->ticker && !theirs->turns && !theirs->order && !theirs->ever_ran);
  EXPECT(!theirs->orphan_lock && !theirs->seats_lock && !theirs->frozen);
  EXPECT(pthread_mutex_trylock(&theirs->mutex) == 0 && pthread_mutex_unlock(&theirs->mutex) == 0);
  EXPECT(pthread_mutex_trylock(&theirs->call) == 0);

  /* What the parent's computation had at that moment. */
  theirs->begun = 7;
  theirs->ended = 6;
  theirs->census = 2u << 16 | 1u;
  theirs->orphans = (cilk_closure *)(void *)theirs;
  theirs->watcher = 2;
  theirs->nests = 1;
  theirs->every_nest = (cilk_nest *)(void *)theirs;
  theirs->blocked = theirs->touching = theirs->nested = theirs->waited = theirs->open = theirs->attentive = 1;
  theirs->exiting = theirs->shutdown = theirs->stuck_noted = theirs->withheld_noted = 1;
  theirs->exit_status = 3;
  theirs->job = theirs->running = &call_run;
  theirs->parked[0] = ~0ull;
  cilk_context_revive(theirs);
  EXPECT(
      !theirs->lost && theirs->ended == theirs->begun && theirs->begun == 7 && theirs->started == 2 && theirs->ticker);
  EXPECT(!theirs->census && !theirs->orphans && !theirs->watcher && !theirs->nests && !theirs->every_nest);
  while (load_seq_cst(&theirs->attentive)) /* the new worker 0 looks for a first call, then parks */
    sched_yield();
  EXPECT(!theirs->blocked && !theirs->touching && !theirs->nested && !theirs->waited && !theirs->open);
  EXPECT(
      !theirs->exiting && !theirs->shutdown && !theirs->stuck_noted && !theirs->withheld_noted && !theirs->exit_status);
  EXPECT(!theirs->job && !theirs->running && !(load_seq_cst(&theirs->parked[0]) & ~3ull));
  pthread_mutex_unlock(&theirs->call);
  Cilk_terminate(theirs);
  _exit(0);
}

SCENARIO(a_forked_child_has_a_context_as_if_it_were_new) {
  two_workers();
  pthread_mutex_lock(&theirs->mutex);
  theirs->workers[0]->ext->requester = theirs->workers[1];
  theirs->workers[1]->ext->wait.context = theirs;
  theirs->workers[1]->ext->held = 0;
  theirs->ever_ran = true;
  theirs->frozen = 1;
  EXPECT(theirs->ticker);
  pid_t child = fork();
  if (!child) in_child();
  theirs->workers[0]->ext->requester = NULL;
  theirs->workers[1]->ext->wait.context = NULL;
  theirs->frozen = 0;
  theirs->ever_ran = false;
  pthread_mutex_unlock(&theirs->mutex);
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  Cilk_terminate(theirs);
}
