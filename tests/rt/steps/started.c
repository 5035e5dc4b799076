/* Computations of their own, and engines: what is started while the program exits, what is cancelled, which worker waits, and
 * which one drives an engine. An exit that has to end the process at once does so here, with status 0; where it comes back
 * the scenario goes on, and fails. */
#include "stage.h"
#include "rt/core/protocol/finish.h"
#include "rt/extensions/calls/start.h"
#include "rt/extensions/nest/ticker.h"

#include <sys/stat.h>

void cilk_rt_exit(int status); /* <cilk.h> */

static cilk_computation *m;
static cilk_group group;

/* m is a computation that `run` has started. */
static void a_computation(void) {
  memset(&group, 0, sizeof group);
  group.node.ctx = &ctx;
  group.node.outer = &run;
  group.alive = 9;
  m = group.first = calloc(1, sizeof *m);
  m->group = &group;
  m->run.ctx = &ctx;
  m->run.root = &root;
  m->run.team = &ctx.team;
  m->run.outer = &group.node;
  m->run.link.root = &m->run;
  m->run.started = m;
}

/* ---- exits ---- */

static long exit_order(void *a, void *b, long status) {
  (void)a;
  (void)b;
  cilk_rt_exit((int)status);
  return 0;
}
static long start_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_start(cilk_me(), &root, NULL, false);
  return 0;
}
static void must_end_the_process(void) { EXPECT(!"the process goes on"); }

SCENARIO(an_exit_while_c_code_waits_ends_the_process) {
  ctx.nested = 1;
  on(0, exit_order, NULL, NULL, 0);
  must_end_the_process();
}

SCENARIO(an_exit_while_something_started_is_under_way_ends_the_process) {
  actors[1].x->wait.root = &run; /* what calls Cilk_start is a part of it */
  on(1, start_order, NULL, NULL, 0);
  EXPECT(!ctx.exiting && actors[1].x->started && actors[1].x->started->run.outer == &run.group->node);
  on(0, exit_order, NULL, NULL, 0);
  must_end_the_process();
}

SCENARIO(what_is_started_during_an_exit_ends_the_process) {
  actors[1].x->wait.root = &run;
  on(0, exit_order, NULL, NULL, 0); /* nothing was under way: it comes back */
  EXPECT(ctx.exiting);
  on(1, start_order, NULL, NULL, 0);
  must_end_the_process();
}

/* ---- the end ---- */

static long ended_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return cilk_wait_ended(m, NULL);
}
/* Worker 0 has set `done`, and reads m until it lets go of the lock. */
SCENARIO(a_computation_is_freed_when_its_end_has_let_go_of_it) {
  a_computation();
  cilk_spin_lock(&m->lock);
  m->run.done = 1;
  meanwhile(1, ended_order, NULL, NULL, 0);
  EXPECT(!actors[1].done && group.first == m);
  cilk_spin_unlock(&m->lock);
  EXPECT(finish_order(1) == 1 && !group.first);
}

static long root_ends_order(void *link, void *b, long n) {
  (void)b;
  (void)n;
  cilk_root_finish(link, NULL, 0);
  return 0;
}
/* Another thread goes through all that is below the closure of m. */
SCENARIO(a_computation_does_not_end_while_it_is_cancelled) {
  a_computation();
  frame *f = full(&m->run.link, 0, CILK_RUNNING);
  m->closure = &f->h;
  ctx.nested = 1;
  cilk_spin_lock(&m->lock);
  meanwhile(0, root_ends_order, &m->run.link, NULL, 0);
  EXPECT(!actors[0].done && m->closure == &f->h && !m->over && f->h.sig == &sig);
  cilk_spin_unlock(&m->lock);
  finish_order(0);
  EXPECT(m->run.done && m->over && !m->closure && f->h.sig == &cilk_ended && !m->lock && !ctx.nested);
}

/* ---- cancelling ---- */

static long cancel_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_cancel(m);
  return 0;
}
SCENARIO(what_is_over_is_not_cancelled) {
  a_computation();
  m->engine = cilk_engine_new();
  m->run.done = 1;
  on(0, cancel_order, NULL, NULL, 0);
  EXPECT(!m->run.link.aborted && m->engine->paused && !m->engine->open && !m->lock);
}

SCENARIO(a_cancelled_engine_is_paused_no_more) {
  ctx.nests = 0;
  ctx.team.first = ctx.team.last = NULL;
  cilk_ticker_begin(&ctx);
  a_computation();
  m->engine = cilk_engine_new();
  m->nest = cilk_nest_new(m, &ctx.team, "steal", 2, workers[0], m->engine);
  cilk_nest_open(m->nest);
  EXPECT(!m->nest->listed);
  frame *p = full(&m->run.link, 0, CILK_READY);
  m->closure = &p->h;
  on(0, cancel_order, NULL, NULL, 0);
  EXPECT(
      m->run.link.aborted && !m->engine->paused && m->engine->open && m->nest->listed && !m->lock && !ctx.seats_lock);
}

/* ---- the driver of an engine ---- */

static uint64_t hasty_clock(void) {
  static uint64_t now = 1;
  return __atomic_add_fetch(&now, 1000000, __ATOMIC_RELAXED);
}
static long drive_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return Cilk_engine_run(m, 1ll << 60, NULL); /* its fuel is used up when the scenario says so */
}
static long pause_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  m->fuel.ring(m);
  return 0;
}
static long sit_order(void *a, void *b, long down) {
  (void)a;
  (void)b;
  if (down) return cilk_engine_enter(m->engine);
  cilk_engine_left(m->engine);
  return 0;
}
static long note_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_engine_notify(m->engine);
  return 0;
}

/* Worker 1 drives an engine that no other worker looks at: it has been in all seats itself, found nothing, and sleeps. */
static void a_driver(void) {
  stage_busy(2);
  at_clock = hasty_clock;
  ctx.nests = 0;
  ctx.team.first = ctx.team.last = NULL;
  for (int i = 0; i < WORKERS; i++) {
    cilk_worker_ext *x = actors[i].x;
    x->nest.seat = x->nest.floor = x->nest.leave = NULL;
    x->floor = x->own.deque;
    x->loop = NULL;
    x->closing = false;
    x->inbox = NULL;
  }
  cilk_ticker_begin(&ctx);
  a_computation();
  m->engine = cilk_engine_new();
  m->nest = cilk_nest_new(m, &ctx.team, "steal", 2, workers[0], m->engine);
  m->run.team = &m->nest->team;
  m->run.outer = &m->nest->node;
  cilk_nest_open(m->nest);
  meanwhile(1, drive_order, NULL, NULL, 0);
  EXPECT(actors[1].sleeps_on && !m->engine->paused && m->engine->inside == 0 && m->nest->asleep &&
         m->nest->asleep->next && m->nest->listed);
}

SCENARIO(a_pause_of_an_engine_without_workers_is_reported) {
  a_driver();
  on(0, pause_order, NULL, NULL, 0);
  finish_or_fail(1);
  EXPECT(actors[1].result == CILK_ENGINE_STOPPED && m->engine->paused);
}

/* It runs something endless in its wait, perhaps. */
SCENARIO(a_driver_that_runs_something_is_signalled) {
  static cilk_segment s;
  a_computation();
  m->engine = cilk_engine_new();
  m->engine->driver = workers[0];
  cilk_segment_begin(workers[0], &s, child_of(full(&run.link, 2, CILK_SUSPENDED), 0, 5), NULL);
  push(0, attached(1), 1);
  EXPECT(!raised(0));
  on(2, note_order, NULL, NULL, 0);
  EXPECT(m->engine->event && signalled(0));
}

/* The worker that pauses and the one that leaves last may both report; the second report comes when the next run's fuel is used up already. */
SCENARIO(an_engine_has_stopped_when_all_have_left_it) {
  a_driver();
  EXPECT(on(2, sit_order, NULL, NULL, 1) && m->engine->inside == 1);
  on(0, pause_order, NULL, NULL, 0);
  EXPECT(actors[1].sleeps_on);
  sem_init(&actors[1].event, 0, 0);
  on(3, note_order, NULL, NULL, 0);
  await_event(1);
  EXPECT(!actors[1].done && actors[1].sleeps_on);
  on(2, sit_order, NULL, NULL, 0);
  finish_or_fail(1);
  EXPECT(actors[1].result == CILK_ENGINE_STOPPED && m->engine->paused && m->engine->inside == 0);
}

/* ---- alarms ---- */

enum { ALARMS = 60 };
static cilk_computation with_alarms[ALARMS];
static uint64_t now, rung;
static int rings;
static uint64_t clock_of_ours(void) { return now; }
static void ring(cilk_computation *of) {
  uint64_t when = of->deadline.when;
  EXPECT(cilk_me() == workers[0] && when >= rung && when <= now && of->deadline.place == 0 && of != &with_alarms[7]);
  rung = when;
  rings++;
}
static long alarms_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  for (int i = 0; i < ALARMS; i++) {
    with_alarms[i].run.ctx = &ctx;
    cilk_alarm_set(&with_alarms[i], &with_alarms[i].deadline, ring, i * 7919 % 997);
  }
  for (int i = 0; i < ALARMS; i += 3) /* another time */
    cilk_alarm_set(&with_alarms[i], &with_alarms[i].deadline, ring, i * 6007 % 991);
  cilk_forget_alarms(&with_alarms[7]);
  for (; cilk_ticker_waits(&ctx); now += 50) cilk_ticker_look(cilk_me(), now);
  return 0;
}

static long threads_of_the_process(void) {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 ? (long)tasks.st_nlink : -1;
}

/* Where workers take turns no thread watches the time; the worker that looks rings what is due, the earliest first. */
SCENARIO(alarms_ring_in_the_order_of_their_times) {
  static char turns;
  cilk_ticker_begin(&ctx);
  at_clock = clock_of_ours;
  now = 1000;
  ctx.turns = (cilk_turns *)(void *)&turns;
  const long before = threads_of_the_process();
  on(0, alarms_order, NULL, NULL, 0);
  EXPECT(rings == ALARMS - 1 && threads_of_the_process() == before);
  ctx.turns = NULL;
  cilk_ticker_end(&ctx);
}
