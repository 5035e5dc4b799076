/* threads.c - threads of Cilk-1, which closures and the values sent to them order.
 *
 * A thread is a row of *strands*: each spawn and each sent value ends one. A strand precedes the next one of its
 * thread, and the thread whose closure it made or sent to. That is a dag with at most two edges out of each strand.
 * It need not be series-parallel, so bags do not show which strand precedes which. The program runs one thread
 * after the other, in an order that the dag allows. So an earlier access is parallel to the running code exactly if
 * no path leads from its strand to a thread that runs now: the running one, or one that waits for a nested
 * computation.
 *
 * To keep the search for a path short, strands of threads that are over are *merged*. Where all edges of a strand
 * lead to one other strand, the first precedes the second, and what the second precedes, and nothing else. So a
 * strand of a fully strict program ends up in the successor that waits for its procedure. Merged strands have one
 * bag (bags.c) and are one node of the search. A strand whose edges lead to nothing but the end of the computation
 * goes into `sink`. Nodes that a search has visited without success are not visited again while the same strand
 * runs.
 *
 * When the computation is over, all of it precedes what its caller does next. Nested computations are a stack. A
 * value that is sent from a nested computation to an outer one adds no edge. The memory grows with the strands of a
 * computation. */
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/extensions/cilk1/cilk1.h"
#include "rt/core/base/array.h"

struct strand {
  uint32_t up;                  /* the strand into which it is merged; 0: none */
  uint32_t thread;
  uint32_t next, to;            /* edges: to the thread's next strand, to the first one of a closure; 0: none */
  /* lists of those whose edges lead here: the last one; by `beside`. [0]: by next, [1]: by to */
  uint32_t above[2];
  uint32_t beside[2];
  node bag;
  uint64_t asked, leads;        /* in which strand a search came here without success; began here, with success */
};
struct thread {
  uint32_t first, now, spawner;
  bool runs, over;
  site *spawn;
};

static struct strand *strands;  /* [0]: none */
static struct thread *threads;
static uint32_t strand_count = 1, strand_room, thread_count = 1, thread_room;
static struct computation {
  uint32_t strands, threads, sink, running;
} *computations;
static uint32_t depth, depth_room;
static uint32_t running;        /* thread; 0: none of this computation */
static uint64_t now = 1;        /* a new one for each strand that runs */
static site *posted;            /* where the running thread is */

#define make_room(array, n, room) (CILK_ROOM_FOR(array, n, room, 256) ? (void)0 : race_die("out of memory"))

static uint32_t new_strand(uint32_t thread) {
  make_room(strands, strand_count, strand_room);
  strands[strand_count] = (struct strand){.thread = thread};
  return strand_count++;
}

static uint32_t top(uint32_t s) {
  for (uint32_t up; (up = strands[s].up) != 0; s = up)
    if (strands[up].up) strands[s].up = strands[up].up;
  return s;
}

static uint32_t holder_of(uint32_t strand) { return strand | (uint32_t)RACE_OF_THREAD; }

/* ---- merging ---- */

static uint32_t *todo, todo_count, todo_room;

static void look_at(uint32_t s) {
  make_room(todo, todo_count, todo_room);
  todo[todo_count++] = s;
}

static void edge(uint32_t from, uint32_t to, int kind) {
  *(kind ? &strands[from].to : &strands[from].next) = to;
  uint32_t t = top(to);
  strands[from].beside[kind] = strands[t].above[kind];
  strands[t].above[kind] = from;
}

/* Where all that s leads to is; 0: there are two such places. */
static uint32_t way_of(const struct strand *s) {
  uint32_t sink = computations[depth].sink, a = s->next ? top(s->next) : sink, b = s->to ? top(s->to) : sink;
  return a == b || b == sink ? a : a == sink ? b : 0;
}

/* Those whose edges led to s lead to r, and may be merged now. */
static void move_edges(uint32_t s, uint32_t r) {
  for (int kind = 0; kind < 2; kind++)
    for (uint32_t from = strands[s].above[kind], beside; from; from = beside) {
      beside = strands[from].beside[kind];
      if (strands[from].up) continue;
      strands[from].beside[kind] = strands[r].above[kind];
      strands[r].above[kind] = from;
      look_at(from);
    }
  strands[s].above[0] = strands[s].above[1] = 0;
}

static void merge(void) {
  while (todo_count) {
    uint32_t n = todo[--todo_count];
    struct strand *s = &strands[n];
    uint32_t r = s->up || !threads[s->thread].over ? 0 : way_of(s);
    if (!r) continue;
    s->up = r;
    strands[r].bag = race_join_bags(strands[r].bag, s->bag, holder_of(r));
    s->bag = 0;
    move_edges(n, r);
  }
}

/* ---- searching ---- */

static uint32_t *ways, ways_room, *visited, visited_room;

/* Every strand is visited once in a search, and once in all searches without success. */
static bool precedes(uint32_t holder) {
  uint32_t n = 0, count = 0, from = top(holder & ~(uint32_t)RACE_OF_THREAD);
  if (strands[from].leads == now) return true;
  make_room(ways, n, ways_room);
  ways[n++] = from;
  while (n) {
    uint32_t at = ways[--n];
    struct strand *s = &strands[at];
    if (s->asked == now) continue;
    if (threads[s->thread].runs) {
      while (count) strands[visited[--count]].asked = 0;
      strands[from].leads = now;
      return true;
    }
    s->asked = now;
    make_room(visited, count, visited_room);
    visited[count++] = at;
    make_room(ways, n + 2, ways_room);
    if (s->to) ways[n++] = top(s->to);
    if (s->next) ways[n++] = top(s->next);
  }
  return false;
}

static void bags(void (*visit)(node *)) {
  for (uint32_t i = 1; i < strand_count; i++)
    if (strands[i].bag) visit(&strands[i].bag);
}

static const site *spawned(uint32_t *thread) {
  const struct thread *t = &threads[*thread];
  *thread = t->spawner;
  return t->spawn;
}

/* ---- what the program does ---- */

void cilk_race_post(site *at) { posted = at; }

/* The running strand ends with an edge to a closure. */
static void ends_at(uint32_t to) {
  if (!running) return;         /* the calling code, which precedes the computation */
  struct thread *t = &threads[running];
  uint32_t was = t->now, next = new_strand(running);
  strands[was].bag = race_cut_strand(strands[was].bag, holder_of(was));
  edge(was, next, 0);
  edge(was, to, 1);
  t->now = next;
  now++;
}

static void begins(void) {
  race_inside = true;           /* the worker's thread is the one that is followed */
  depth++;
  make_room(computations, depth, depth_room);
  computations[depth] = (struct computation){strand_count, thread_count, 0, running};
  running = 0;
  make_room(threads, thread_count, thread_room);
  threads[thread_count] = (struct thread){0};
  computations[depth].sink = new_strand(thread_count++);
}

static uint32_t made(struct cilk1_home *home, const cilk1_closure *c) {
  (void)home;
  race_clear(c, c->thread->size);
  make_room(threads, thread_count, thread_room);
  uint32_t n = thread_count++;
  threads[n] = (struct thread){.spawner = running, .spawn = running ? posted : NULL};
  threads[n].first = threads[n].now = new_strand(n);
  ends_at(threads[n].first);
  return n;
}

static void sent(struct cilk1_home *home, uint32_t to, uint32_t slot, uint64_t at) {
  (void)home, (void)slot, (void)at;
  if (to >= computations[depth].threads && to < thread_count && !threads[to].over) ends_at(threads[to].first);
}

static uint32_t *waiting, waiting_count, waiting_room;        /* threads under those that run */

static void runs(struct cilk1_home *home, uint32_t number, uint64_t at) {
  (void)home, (void)at;
  make_room(waiting, waiting_count, waiting_room);
  waiting[waiting_count++] = running;
  running = number;
  threads[number].runs = true;
  now++;
  race_thread_frame(number, threads[number].spawn);
}

static void ended(struct cilk1_home *home) {
  (void)home;
  struct thread *t = &threads[running];
  strands[t->now].bag = race_cut_strand(strands[t->now].bag, holder_of(t->now));
  race_thread_frame_ended();
  t->runs = false;
  t->over = true;
  for (uint32_t s = t->first; s; s = strands[s].next) look_at(s);
  merge();
  running = waiting[--waiting_count];
  now++;
}

static void over(void) {
  struct computation *c = &computations[depth--];
  for (uint32_t s = c->strands; s < strand_count; s++)
    if (strands[s].bag) race_pour_bag(race_frame, strands[s].bag);
  strand_count = c->strands;    /* the threads stay: reports name them */
  running = c->running;
  now++;
  race_new_orders();
}

static const cilk1_watch watch = {begins, over, made, sent, runs, ended};

__attribute__((constructor)) static void start(void) {
  race_any_future = true;
  race_thread_precedes = precedes;
  race_thread_bags = bags;
  race_thread_spawned = spawned;
  cilk1_watched = &watch;
}
