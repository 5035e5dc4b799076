/* gang.c - a fixed team for data-parallel work, step by step (ICFP'08, section 4): one queue for all, and a barrier
 * between steps.
 *
 * In a step each member takes the oldest piece there is, again and again; frames that are exposed or stolen belong to
 * the step. What a step makes possible, that is, a procedure whose children have all returned, or a computation that
 * begins, waits for the barrier: it is passed when no member runs anything. A member that waits for a call from C, or
 * for a computation, counts as arrived until it goes on. What that member waits for needs no barrier. If the member
 * waits in a computation inside, whose seat it runs, then it leaves while it has nothing to run there. */
#include <cilk-sched.h>

#include <stdlib.h>

typedef struct {
  _Alignas(64) int runs;
} member;

typedef struct {
  Cilk_lock_word lock;
  int running;                     /* members that run something */
  Cilk_queue now, then;            /* of this step, of the next one */
  member of[];                     /* [vproc] */
} gang;

static void *create(int vprocs, const char *options, const char **error) {
  size_t bytes = sizeof(gang) + (size_t)vprocs * sizeof(member);
  gang *g = *options ? NULL : aligned_alloc(_Alignof(member), (bytes + 63) & ~(size_t)63);
  if (!g) {
    *error = *options ? "it takes no options" : "out of memory";
    return NULL;
  }
  *g = (gang){.running = 0};
  for (int i = 0; i < vprocs; i++) g->of[i].runs = 0;
  return g;
}

/* The lock is held. */
static void runs(gang *g, Cilk_vproc *vp, int yes) {
  int *mine = &g->of[Cilk_vproc_id(vp)].runs;
  g->running += yes - *mine;
  *mine = yes;
}

/* The lock is held: is the barrier passed now? */
static int pass_barrier(gang *g) {
  if (g->running || g->now.count || !g->then.count) return 0;
  g->now = g->then;
  g->then = (Cilk_queue){0};
  return 1;
}

/* The member has arrived: it gets a piece of this step, or of the next one if it was the last to arrive. */
static Cilk_fiber *take(gang *g, Cilk_vproc *vp) {
  Cilk_lock_take(&g->lock);
  runs(g, vp, 0);
  Cilk_fiber *f = Cilk_queue_get(&g->now, vp);
  int call = 0;
  if (!f && Cilk_waits(vp))               /* for something that became ready before it waited, perhaps */
    f = Cilk_queue_get(&g->then, vp);
  if (!f && pass_barrier(g)) {
    f = Cilk_queue_get(&g->now, vp);
    call = g->now.count != 0;
  }
  runs(g, vp, f != NULL);
  Cilk_lock_release(&g->lock);
  if (call) Cilk_call_vprocs(vp);
  return f;
}

static Cilk_fiber *next(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f = Cilk_deque_get(vp);     /* a frame that stayed there for a delivery */
  return f ? f : take(self, vp);
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  gang *g = self;
  Cilk_fiber *f = take(g, vp);
  if (f) return f;
  /* before it looks: the step must not end between a victim's loss and the thief's gain */
  Cilk_lock_take(&g->lock);
  runs(g, vp, 1);
  Cilk_lock_release(&g->lock);
  f = Cilk_steal_any(vp, (int)Cilk_random(vp, (uint64_t)Cilk_vprocs(vp)));
  return f ? f : take(g, vp);
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  gang *g = self;
  Cilk_lock_take(&g->lock);
  if (why == CILK_WHY_PREEMPTED) runs(g, vp, 0);
  Cilk_queue_put((why == CILK_WHY_RESUMED || why == CILK_WHY_STARTED) && !Cilk_waits(vp) ? &g->then : &g->now, f);
  Cilk_lock_release(&g->lock);
}

static void leave(void *self, Cilk_vproc *vp) {
  gang *g = self;
  Cilk_lock_take(&g->lock);
  runs(g, vp, 0);
  int call = pass_barrier(g);
  Cilk_lock_release(&g->lock);
  if (call) Cilk_call_vprocs(vp);
}

/* It goes on: it has not arrived. */
static void back(void *self, Cilk_vproc *vp) {
  gang *g = self;
  const int yes = 1;
  Cilk_lock_take(&g->lock);
  runs(g, vp, yes);
  Cilk_lock_release(&g->lock);
}

const Cilk_scheduler cilk_sched_gang = {
    .version = CILK_SCHED_VERSION,
    .name = "gang",
    .help = "data-parallel steps of a fixed team, with a barrier between them",
    .create = create,
    .destroy = free,
    .next = next,
    .find = find,
    .ready = ready,
    .leave = leave,
    .back = back,
};
