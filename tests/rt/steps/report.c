/* The report of a program that hangs: a line for each worker, from what the worker has at that moment. */
#include "stage.h"
#include "rt/core/process/report.h"

#include <fcntl.h>

static const uint64_t SECOND = 1000000000;
static uint64_t some_seconds(void) { return 9 * SECOND; }
static cilk_segment s[WORKERS];
static char text[2000];

/* The lines from the first worker's on. */
static const char *report(void) {
  int ends[2], own = dup(2);
  EXPECT(pipe(ends) == 0 && dup2(ends[1], 2) == 2);
  close(ends[1]);
  cilk_report("test");
  dup2(own, 2);                           /* the pipe's last writer */
  close(own);
  size_t n = 0;
  for (ssize_t m; (m = read(ends[0], text + n, sizeof text - 1 - n)) > 0;) n += (size_t)m;
  close(ends[0]);
  text[n] = 0;
  static const char head[] = "Cilk: test: 8.0 s after the computation began:\n";
  return strncmp(text, head, sizeof head - 1) == 0 ? text + sizeof head - 1 : text;
}

static void hung(void) {
  ctx.begun = 7;
  ctx.ended = 6;
  ctx.start_ns = SECOND;
  at_clock = some_seconds;
  cilk_contexts = &ctx;
  for (int i = 0; i < WORKERS; i++)       /* all threads wait for orders, in system calls */
    actors[i].x->tid = 0;
}
static void begin_segment(int i, cilk_link *link, frame *f) {
  cilk_segment_begin(workers[i], &s[i], link, f ? &f->h : NULL);
}

SCENARIO(a_report_says_what_each_worker_does) {
  hung();
  frame *p = full(&run.link, 3, CILK_SUSPENDED), *bottom = full(child_of(p, 1, 1), 1, CILK_RUNNING);
  frame *pushed = full(child_of(p, 2, 2), 2, CILK_RUNNING);
  begin_segment(0, &run.link, NULL);
  begin_segment(1, bottom->h.link, bottom);
  begin_segment(2, pushed->h.link, pushed);
  push(2, pushed, 1);
  begin_segment(3, child_of(p, 3, 3), NULL);
  EXPECT(strcmp(report(), "  worker 0 runs root, or what it called or spawned\n"
                          "  worker 1 runs frame, or what it called\n"
                          "  worker 2 runs a child that frame spawned at stage.h:0\n"
                          "  worker 3 runs a child that frame spawned at stage.h:0\n") == 0);
  s[3].link = NULL;
  actors[0].x->seg = NULL;
  actors[1].x->stats.idle_since = 3 * SECOND;
  actors[2].x->stats.idle_since = SECOND / 2;   /* it sleeps since an earlier computation */
  actors[2].x->wait.root = &run;
  EXPECT(strcmp(report(),
             "  worker 0 is between two pieces of work\n"
             "  worker 1 looks for work for 6.0 s\n"
             "  worker 2 waits for a call that C made from inside a procedure; looks for parts of it for 8.0 s\n"
             "  worker 3 runs a piece whose parent was stolen\n") == 0);
}

SCENARIO(a_report_says_what_a_worker_waits_for) {
  static uint32_t lock;
  char line[100];
  const int thread = actors[2].x->tid;
  hung();
  actors[2].x->tid = thread;              /* its system call is that other context's affair */
  actors[1].x->wait.lock = &lock;
  actors[2].x->wait.context = &ctx;
  snprintf(line, sizeof line, "  worker 1 is between two pieces of work; waits for the lock at %p\n", (void *)&lock);
  report();
  EXPECT(strstr(text, line));
  EXPECT(strstr(text, "  worker 2 is between two pieces of work; waits for a call into another context\n"));
  EXPECT(strstr(text, "  worker 3 is between two pieces of work\n"));
}

SCENARIO(a_context_without_a_computation_is_in_no_report) {
  hung();
  ctx.ended = 7;
  EXPECT(!*report());
  ctx.ended = 6;
  ctx.lost = true;                        /* a forked child's, without its workers */
  EXPECT(!*report());
  ctx.lost = false;
}

/* A context that ends, as its thread has the lock; it ends while the report waits. */
static cilk_context gone;
static int waits;
static void end_it(void) {
  waits++;
  cilk_contexts = &ctx;
  cilk_contexts_give();
}

SCENARIO(a_context_that_ends_is_in_no_report) {
  hung();
  gone.begun = 1;
  gone.other = &ctx;
  cilk_contexts = &gone;
  cilk_contexts_take();
  at_sleep = end_it;
  report();
  EXPECT(waits == 1 && strstr(text, "Cilk: test: ") == text && !strstr(text + 1, "Cilk: test: "));
}

static void wait(void) { waits++; }

SCENARIO(a_report_gives_the_contexts_back) {
  hung();
  report();
  EXPECT(cilk_contexts_try());
  at_sleep = wait;
  report();                               /* a signal has come to the holder: the report waits for half a second */
  EXPECT(waits == 500 && strstr(text, "  worker 0 is "));
  cilk_contexts_give();
}
