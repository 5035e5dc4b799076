/* Threads of Cilk-1: in which order a worker runs what is ready, what thieves get, messages between workers, and when a
 * computation is over. Worker 0 has the computation; each thread notes where and when it ran. */
#include "stage.h"
#include "rt/extensions/cilk1/abroad.h"

typedef struct args {
  cilk_cont k; /* NULL: the thread sends nothing */
  int n;
} args;
enum { K = CILK1_ARGS + offsetof(args, k), N = CILK1_ARGS + offsetof(args, n) };

static struct {
  int n, worker;
  uint32_t level;
} ran[64];
static unsigned nran;
static cilk_cont result;

static args *args_of(cilk1_closure *c) { return (args *)(void *)((char *)c + CILK1_ARGS); }
static cilk1_home *home(int i) { return actors[i].x->cilk1.pools; }
static int64_t alive(int i) {
  cilk1_home *h = home(i);
  return cilk1_alive(&h->pool) - (h->gone - h->seen_gone);
}
static cilk1_run *computation(void) { return home(0)->run; }

static void note_run(cilk_worker *w, cilk1_closure *c) {
  args a = *args_of(c);
  ran[nran].n = a.n;
  ran[nran].worker = worker_of(w);
  ran[nran++].level = w->pool->level;
  if (a.k.closure) cilk1_send(w, a.k, &a.n, sizeof a.n);
}
static const cilk1_slot slots[] = {{"k", K, sizeof(cilk_cont), CILK1_SLOT_CONT, 0}, {"n", N, sizeof(int), 0, 1}};
static const cilk1_thread note = {note_run, "note", __FILE__, __LINE__, CILK1_ARGS + sizeof(args), 2, 0, slots, NULL};

/* ---- what workers do ---- */

static long begin_computation_order(void *a, void *b, long n) {
  static cilk_segment s;
  cilk_worker *w = cilk_me();
  (void)a;
  (void)b;
  (void)n;
  cilk_segment_begin(w, &s, &run.link, NULL);
  result = cilk1_root(w, sizeof(int));
  cilk_segment_end(w, &s);
  w->pool = NULL;
  w->views = CILK_NO_VIEWS; /* as it is between two pieces of work */
  return 0;
}
/* Worker 0 has a computation, in which nothing is ready yet. */
static void begin(void) {
  stage_busy(WORKERS);
  run.nested = true;
  run.done = nran = 0;
  on(0, begin_computation_order, NULL, NULL, 0);
  EXPECT(computation()->active == 1 && alive(0) == 1);
}

static cilk1_closure *made(cilk_worker *w, uint32_t missing, long level, const cilk_cont *k, int n) {
  w->pool = &w->ext->cilk1.pools->pool;
  cilk1_closure *c = cilk1_spawn_at(w, &note, missing, (uint32_t)level);
  args_of(c)->k = k ? *k : (cilk_cont){NULL, 0, 0};
  args_of(c)->n = n;
  return c;
}
static struct {
  long level;
  enum { HERE, BELOW, ELSEWHERE } how;
  int worker;
} spawned;
static long spawn_order(void *k, void *b, long n) {
  cilk_worker *w = cilk_me();
  (void)b;
  cilk1_closure *c = made(w, 0, spawned.level, k, (int)n);
  if (spawned.how == HERE) cilk1_ready(w, c);
  else if (spawned.how == BELOW) cilk1_ready_below(w, c);
  else cilk1_ready_on(w, c, spawned.worker);
  w->pool = NULL;
  return 0;
}
/* Worker i spawns a thread with number n. */
static void spawn(int i, long level, int n, const cilk_cont *k) {
  spawned.level = level;
  spawned.how = HERE;
  on(i, spawn_order, (void *)(uintptr_t)k, NULL, n);
}
static void spawn_below(int i, long level, int n) {
  spawned.level = level;
  spawned.how = BELOW;
  on(i, spawn_order, NULL, NULL, n);
}
static void spawn_on(int i, int worker, int n) {
  spawned.level = 1;
  spawned.how = ELSEWHERE;
  spawned.worker = worker;
  on(i, spawn_order, NULL, NULL, n);
}
static long wait_order(void *place, void *b, long level) {
  cilk_worker *w = cilk_me();
  (void)b;
  cilk1_closure *c = made(w, N, level, NULL, 0);
  if (place) cilk1_place(w, c, *(int *)place);
  w->pool = NULL;
  return (long)c;
}
/* One of worker 0 that waits for its number; `place`: where it is to run, or NULL. */
static cilk1_closure *waiting(long level, int *place) { return (cilk1_closure *)on(0, wait_order, place, NULL, level); }
static long send_order(void *c, void *b, long n) {
  cilk_worker *w = cilk_me();
  int value = (int)n;
  (void)b;
  w->pool = &w->ext->cilk1.pools->pool;
  cilk1_send(w, cilk1_cont(c, N), &value, sizeof value);
  w->pool = NULL;
  return 0;
}
static void sends(int i, cilk1_closure *c, int n) { on(i, send_order, c, NULL, n); }

static long run_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return cilk1_work_source.run(cilk_me());
}
static bool runs(int i) {
  bool did = on(i, run_order, NULL, NULL, 0);
  EXPECT(!workers[i]->pool && workers[i]->views == CILK_NO_VIEWS);
  return did;
}
static long came_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return cilk1_work_source.came(cilk_me());
}
static bool came(int i) { return on(i, came_order, NULL, NULL, 0); }
static long rob_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return cilk1_work_source.steal(cilk_me());
}
static bool steals(int i) { return on(i, rob_order, NULL, NULL, 0); }
/* These numbers ran, in this order, and nothing else. */
static bool order_is(const char *numbers) {
  for (unsigned i = 0; i < nran; i++)
    if (ran[i].n != numbers[i] - '0') return false;
  return !numbers[nran];
}

/* ---- one worker ---- */

SCENARIO(the_deepest_runs_first_and_of_a_level_the_youngest) {
  ctx.nproc = 1;
  begin();
  spawn(0, 2, 1, NULL);
  spawn(0, 5, 2, NULL);
  spawn(0, 0, 3, NULL);
  spawn(0, 5, 4, NULL);
  spawn(0, 200, 5, NULL);
  EXPECT(runs(0) && order_is("54213") && ran[0].level == 200 && ran[4].level == 0);
  EXPECT(!runs(0) && !came(0));
  /* quiet: its result may come from elsewhere */
  EXPECT(!run.done && computation()->active == 0 && !home(0)->busy && alive(0) == 1);
}

SCENARIO(a_computation_is_over_with_its_result) {
  begin();
  uint32_t nested = ctx.nested;
  spawn(0, 1, 7, &result);
  spawn(0, 0, 8, NULL);
  EXPECT(runs(0) && run.done && root_value == 7 && order_is("87") && !home(0) && ctx.nested == nested - 1);
}

SCENARIO(what_was_spawned_before_its_level_runs_after_it) {
  begin();
  spawn(0, 2, 1, NULL); /* public */
  spawn(0, 2, 2, NULL);
  spawn(0, 2, 3, NULL);
  spawn_below(0, 2, 4);
  EXPECT(runs(0) && order_is("3241"));
}

/* ---- thieves ---- */

SCENARIO(thieves_get_the_oldest_of_the_shallowest) {
  begin();
  EXPECT(!steals(1));
  static const int levels[] = {3, 3, 2, 2, 4};
  for (int n = 1; n <= 5; n++) spawn(0, levels[n - 1], n, NULL);
  EXPECT(home(0)->first && !home(0)->first->next && alive(0) == 6); /* the first, since none was public */
  for (int n = 0; n < 5; n++) {
    static const char *const so_far[] = {"1", "13", "134", "1342", "13425"};
    EXPECT(steals(1 + n % 2) && !home(0)->first && computation()->active == 2 && alive(0) == 5);
    EXPECT(!steals(3));
    EXPECT(came(1 + n % 2) && runs(1 + n % 2) && order_is(so_far[n]) && ran[n].worker == 1 + n % 2);
    EXPECT(computation()->active == 1 && alive(1 + n % 2) == 0);
    spawn(0, 9, 9, NULL); /* at its next post the owner shows the next one */
    EXPECT(home(0)->first);
  }
  EXPECT(runs(0) && order_is("1342599999") && !home(0)->first && alive(0) == 1);
}

SCENARIO(the_owner_takes_back_what_no_thief_has_taken) {
  begin();
  spawn(0, 1, 1, NULL);
  spawn(0, 1, 2, NULL);
  EXPECT(runs(0) && order_is("21") && !home(0)->first && !home(0)->last && !steals(1));
}

SCENARIO(a_computation_goes_on_as_long_as_a_worker_has_something_of_it) {
  begin();
  spawn(0, 1, 7, &result);
  EXPECT(steals(1) && runs(1) && order_is("7"));
  EXPECT(!run.done && computation()->sent && alive(0) == 0 && alive(1) == 0);
  EXPECT(came(0) && !runs(1) && runs(0) && run.done && root_value == 7 && !home(0) && !home(1));
}

/* ---- messages ---- */

/* No continuation of c has left its owner in a closure: worker 1 may not touch it. */
SCENARIO(an_argument_for_a_closure_of_another_worker_is_a_message) {
  begin();
  cilk1_closure *c = waiting(2, NULL);
  spawn(0, 1, 1, NULL);
  EXPECT(steals(1) && computation()->active == 2);
  sends(1, c, 5);
  EXPECT(c->join == N && home(0)->inbox && computation()->active == 3 && home(0)->pool.attention == CILK1_WANTED);
  EXPECT(came(0) && !home(0)->inbox && c->join == 0 && computation()->active == 2);
  EXPECT(runs(0) && order_is("5") && ran[0].worker == 0 && computation()->active == 1 && alive(0) == 1);
}

/* Messages are done in the order in which they came. */
SCENARIO(a_worker_with_nothing_left_has_messages) {
  begin();
  cilk1_closure *c = waiting(1, NULL), *d = waiting(1, NULL);
  spawn(0, 1, 1, NULL);
  EXPECT(steals(1) && runs(0) == true && computation()->active == 1 && !home(0)->busy);
  sends(1, c, 5);
  sends(1, d, 6);
  EXPECT(came(0) && home(0)->busy && computation()->active == 2 && runs(0) && order_is("65"));
  EXPECT(computation()->active == 1 && runs(1) && computation()->active == 0);
}

static cilk1_closure *sent_from_elsewhere(void) {
  begin();
  cilk1_closure *c = waiting(2, NULL);
  cilk_cont k = cilk1_cont(c, N);
  spawn(0, 1, 4, &k);
  EXPECT(c->flags & CILK1_SHARED && !c->plain);
  EXPECT(steals(1) && runs(1) && !home(1)->busy);
  return c;
}
SCENARIO(the_sender_of_the_last_argument_goes_on) {
  sent_from_elsewhere();
  EXPECT(order_is("44") && ran[1].worker == 1 && ran[1].level == 2 && !home(0)->inbox);
  EXPECT(alive(0) == 1 && alive(1) == 0 && computation()->active == 1);
}
SCENARIO(the_owner_of_a_closure_goes_on_if_the_program_wants_that) {
  ctx.opt.post_owner = true;
  cilk1_closure *c = sent_from_elsewhere();
  EXPECT(order_is("4") && home(0)->inbox && c->join == 0 && computation()->active == 2);
  EXPECT(runs(0) && order_is("44") && ran[1].worker == 0 && alive(0) == 1 && alive(1) == 0);
  EXPECT(computation()->active == 0);
}

/* ---- placed ---- */

SCENARIO(a_placed_thread_runs_on_its_worker_alone) {
  begin();
  spawn_on(0, 1 + WORKERS, 1);
  spawn_on(0, -2, 2);
  spawn_on(0, 0, 3);
  EXPECT(computation()->active == 3 && !steals(3));
  EXPECT(came(1) && came(2) && !steals(3) && alive(0) == 2 && alive(1) == 1 && alive(2) == 1);
  EXPECT(runs(2) && runs(0) && runs(1) && order_is("231"));
  EXPECT(ran[0].worker == 2 && ran[1].worker == 0 && ran[2].worker == 1);
  EXPECT(computation()->active == 0);
}
SCENARIO(a_placed_thread_that_waits_goes_to_its_worker_with_its_last_argument) {
  int place = 1;
  begin();
  cilk1_closure *c = waiting(1, &place);
  EXPECT(!runs(1));
  sends(0, c, 8);
  EXPECT(!steals(2) && runs(1) && order_is("8") && ran[0].worker == 1 && alive(0) == 1 && alive(1) == 0);
}

/* ---- what still waits at the end ---- */

static long forget_order(void *c, void *b, long n) {
  cilk1_home *h = cilk_me()->ext->cilk1.pools;
  (void)b;
  (void)n;
  cilk1_know(h, c); /* as if its memory had been away and had come back */
  return (long)cilk1_forget_waiting(h->run);
}
SCENARIO(a_closure_whose_memory_came_back_waits_once) {
  begin();
  waiting(1, NULL);
  EXPECT(on(0, forget_order, waiting(2, NULL), NULL, 0) == 2);
}

/* ---- a worker that waits for something else ---- */

/* In C code, for a nested root. What it has is for others then, at any level; and it reports when all is gone. */
SCENARIO(what_a_waiting_worker_has_is_shown) {
  static cilk_root_run nested;
  begin();
  spawn(0, 0, 1, NULL);
  spawn(0, 0, 2, NULL);
  spawn_on(0, 0, 3);
  actors[0].x->wait.root = &nested;
  home(0)->running = 1; /* a thread has called that code */
  for (int n = 0; n < 3; n++) {
    EXPECT(!came(0) && !runs(0) && home(0)->busy && home(0)->first);
    EXPECT(steals(1) && runs(1) && nran == (unsigned)n + 1);
  }
  EXPECT(!steals(1) && !came(0) && computation()->active == 1);
  home(0)->running = 0;
  EXPECT(!came(0) && !home(0)->busy && computation()->active == 0);
  actors[0].x->wait.root = NULL;
}
SCENARIO(a_thief_that_waits_takes_nothing_else) {
  static cilk_root_run nested;
  begin();
  spawn(0, 0, 1, NULL);
  actors[1].x->wait.root = &nested;
  EXPECT(!steals(1));
  actors[1].x->wait.root = &run;
  EXPECT(steals(1) && runs(1));
  actors[1].x->wait.root = NULL;
}
