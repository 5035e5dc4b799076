/* simulate.c - virtual processors: a computation of Cilk-1 on P processors, by one worker.
 *
 * Each virtual processor has a pool of its own, of the same code as a worker's, and a clock. The processor whose clock
 * is earliest goes next. If its pool has something, it takes the head of the deepest level, and runs that thread for
 * real. Its clock advances by the thread's length (measured or counted, stamps.c) and a given cost per thread. Else it
 * is a thief: a victim by chance, the tail of the shallowest level, a given cost per attempt.
 *
 * A thread runs at once though it takes virtual time, so what it does carries the time at which it did it (`when`): a
 * thief does not see what is posted later than its clock says. A closure is ready when the last of its arguments
 * arrives, and goes to that argument's sender. Virtual time decides both, whatever the order in which the senders ran
 * here. No processor has missed anything by then: all clocks are after the ends of all threads that have run.
 *
 * Processors may be of several ranks, as in rt/extensions/dist. A thief tries its own rank first, as often as there are
 * others in it. The thief then tries one other rank, which gives what any of its processors has. That takes two
 * messages; a value for another rank takes one. A message costs a latency, and its bytes. */
#include "simulate.h"
#include "protocol/exit.h"
#include "base/fault.h"
#include "data/policy.h"
#include "observe/span.h"
#include "stamps.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A heap of times with whose they are; the least at [0]. */
typedef struct event {
  uint64_t at;
  uint32_t processor;
} event;
typedef struct heap {
  event *e;
  size_t n, room;
} heap;

static void push(heap *h, uint64_t at, uint32_t processor) {
  if (!CILK_ROOM_FOR(h->e, h->n, h->room, 1024)) cilk_fatal("out of memory (a simulation's events)");
  size_t i = h->n++;
  for (; i && h->e[(i - 1) / 2].at > at; i = (i - 1) / 2) h->e[i] = h->e[(i - 1) / 2];
  h->e[i] = (event){at, processor};
}

/* The least event is gone, e has come. */
static void replace(heap *h, event e) {
  size_t i = 0, k;
  while ((k = 2 * i + 1) < h->n) {
    if (k + 1 < h->n && h->e[k + 1].at < h->e[k].at) k++;
    if (h->e[k].at >= e.at) break;
    h->e[i] = h->e[k];
    i = k;
  }
  h->e[i] = e;
}

static void pop(heap *h) {
  event last = h->e[--h->n];
  if (h->n) replace(h, last);
}

struct cilk1_simulation {
  cilk1_home **homes;
  uint32_t n;
  uint64_t steal, send, thread, latency, kb;   /* costs; of 1,000 bytes */
  uint32_t per_rank;
  uint64_t far_requests, far_steals, far_sends, far_bytes;   /* between ranks */
  int64_t ready;                           /* closures that lie in pools */
  int64_t seen;                            /* of these, since when <= the present time */
  /* of the processors; of closures that become ready later than now; of processors that may run a thread next */
  heap clocks, future, runs;
  uint64_t end;                            /* of the last thread so far */
  int64_t alive, most;                     /* closures, of all */
};

/* Totals of all computations of a context, for its report. */
static struct {
  uint64_t time, work, span, threads, requests, steals, sends, far_requests, far_steals, far_sends, far_bytes;
  int64_t space, total;
  uint32_t n;
  int computations, procedures;
} sum;

static cilk1_home *of(const cilk1_run *run, uint32_t processor) { return run->simulation->homes[processor]; }

void cilk1_simulation_begins(cilk1_run *run, cilk1_home *first) {
  const cilk_options *o = &run->root->ctx->opt;
  struct cilk1_simulation *s = calloc(1, sizeof *s);
  uint32_t n = (uint32_t)o->simulate;
  if (!s || !(s->homes = calloc(n, sizeof *s->homes))) cilk_fatal("out of memory");
  s->n = n;
  s->steal = o->simulate_steal;
  s->send = o->simulate_send;
  s->thread = o->simulate_thread;
  s->latency = o->simulate_latency;
  s->kb = o->simulate_kb;
  s->per_rank = o->simulate_rank && o->simulate_rank < n ? (uint32_t)o->simulate_rank : n;
  run->simulation = s;
  s->homes[0] = first;
  for (uint32_t i = 1; i < n; i++) {
    s->homes[i] = cilk1_home_new(first->worker, run);
    s->homes[i]->virtual = i;
  }
}

/* ---- ranks ---- */

enum { HEADER = 48, WORD = 8 };            /* of a message (rt/extensions/dist/wire.h); of a value */

static uint32_t rank_of(const struct cilk1_simulation *s, const cilk1_home *h) { return h->virtual / s->per_rank; }

/* What a message takes that has so many bytes after its header. */
static uint64_t message(struct cilk1_simulation *s, uint64_t bytes) {
  s->far_bytes += HEADER + bytes;
  return s->latency + (HEADER + bytes) * s->kb / 1000;
}

/* An attempt: the mean of those that are all in vain. */
static uint64_t attempt(const struct cilk1_simulation *s) {
  return s->steal + (s->per_rank < s->n ? 2 * (s->latency + HEADER * s->kb / 1000) / s->per_rank : 0);
}

/* ---- what threads do ---- */

static uint64_t now(const cilk1_home *h) { return h->clock + h->so_far; }

void cilk1_simulated_post(cilk1_home *h, cilk1_closure *c) {
  struct cilk1_simulation *s = h->run->simulation;
  if (!c->when) c->when = now(h);
  s->ready++;
  push(&s->future, c->when, 0);
}

void cilk1_simulated_send(cilk1_home *from, cilk1_home *owner, cilk1_closure *c) {
  bool away = from != owner;
  struct cilk1_simulation *s = from->run->simulation;
  uint64_t at = now(from) + (away ? s->send : 0);
  from->sends += away;
  if (rank_of(s, from) != rank_of(s, owner)) {
    s->far_sends++;
    at += message(s, WORD);
  }
  if (at >= c->when) {
    c->when = at;
    c->sender = from->virtual;
  }
}

cilk1_home *cilk1_simulated_receiver(cilk1_home *owner, cilk1_closure *c) {
  cilk1_home *sender = of(owner->run, c->sender);
  bool far = rank_of(owner->run->simulation, sender) != rank_of(owner->run->simulation, owner);
  return owner->run->root->ctx->opt.post_owner || far ? owner : sender;
}

/* During a thread. What its own processor has more or less of afterwards is counted at its end. */
void cilk1_simulated_move(cilk1_home *from, cilk1_home *to, cilk1_closure *c) {
  const cilk1_run *run = from->run;
  cilk1_leave(from);
  cilk1_count_gone(from);
  cilk1_enter(to, c);
  run->simulation->alive += (to != run->now) - (from != run->now);
}

int cilk1_simulated_processors(const cilk1_run *run) { return (int)run->simulation->n; }
cilk1_home *cilk1_simulated_place(cilk1_run *run, cilk1_closure *c) { return of(run, c->place); }

uint64_t cilk1_simulated_now(cilk_worker *w) {
  cilk1_home *h = cilk1_home_of(w->pool);
  cilk1_pause(h);
  cilk1_resume(h);
  return now(h);
}

void cilk1_simulated_wait(cilk_worker *w, uint64_t until) {
  uint64_t at = cilk1_simulated_now(w);
  if (until > at) cilk1_home_of(w->pool)->clock += until - at;
}

/* ---- procedures of Cilk-5 that threads call ----
 *
 * One runs at once, to its end, on the one worker there is, and its units are counted. What is played is a strand as
 * long as the procedure's span. Beside that strand, the rest of the procedure's work is played in equal strands that
 * are not longer. Then the result is sent. So the work and the span are the procedure's own. */

struct part {
  cilk_cont k;
  uint64_t work, parts;
};
struct whole {
  cilk_cont k;
  void *result;
  size_t size;
};
#define ARGS(T, c) ((struct T *)(void *)((char *)(c) + CILK1_ARGS))
#define PLAYED(name, T) \
  static void name##_run(cilk_worker *w, cilk1_closure *c); \
  static const cilk1_slot name##_slots[] = { \
      {"k", CILK1_ARGS + (uint32_t)offsetof(struct T, k), sizeof(cilk_cont), CILK1_SLOT_CONT, 0}}; \
  static const cilk1_thread name = {name##_run, "a procedure of Cilk-5", "", 0, CILK1_ARGS + sizeof(struct T), 1, 0, \
      name##_slots, NULL};
PLAYED(part, part)
PLAYED(both, part)
PLAYED(whole, whole)

static void spawn_part(cilk_worker *w, cilk_cont k, uint64_t work, uint64_t parts) {
  cilk1_closure *c = cilk1_spawn(w, &part, 0);
  *ARGS(part, c) = (struct part){k, work, parts};
  cilk1_ready(w, c);
}

/* None of these is a thread of the program. */
static void part_run(cilk_worker *w, cilk1_closure *c) {
  struct part p = *ARGS(part, c);
  w->pool->begun--;
  if (p.parts == 1) {
    w->units += p.work;
    cilk1_send(w, p.k, "", 0);
    return;
  }
  cilk1_closure *s = cilk1_spawn_next(w, &both, 2 * CILK1_NOTHING);
  *ARGS(part, s) = p;
  cilk_cont k = cilk1_cont(s, CILK1_NOTHING);
  uint64_t half = p.parts / 2, work = p.work / p.parts * half;
  spawn_part(w, k, p.work - work, p.parts - half);
  spawn_part(w, k, work, half);
}

static void both_run(cilk_worker *w, cilk1_closure *c) {
  w->pool->begun--;
  cilk1_send(w, ARGS(part, c)->k, "", 0);
}

static void whole_run(cilk_worker *w, cilk1_closure *c) {
  struct whole of = *ARGS(whole, c);
  w->pool->begun--;
  if (of.k.closure) cilk1_send(w, of.k, of.result, of.size);
  free(of.result);
}

bool cilk1_simulates_procedure;

void cilk1_simulated_procedure(cilk1_home *h, cilk_cont k, const void *result, size_t size, uint64_t work,
    uint64_t span) {
  cilk_worker *w = h->worker;
  void *kept = malloc(size ? size : 1);
  if (!kept) cilk_fatal("out of memory (a simulation's results)");
  if (size) memcpy(kept, result, size);
  cilk1_resume(h);                         /* what was counted since the call is the procedure's */
  cilk1_closure *c = cilk1_spawn(w, &whole, CILK1_NOTHING);
  *ARGS(whole, c) = (struct whole){k, kept, size};
  sum.procedures++;
  cilk_cont end = cilk1_cont(c, CILK1_NOTHING);
  if (!span || span >= work) {
    spawn_part(w, end, work, 1);
    return;
  }
  cilk1_closure *s = cilk1_spawn_next(w, &both, 2 * CILK1_NOTHING);
  *ARGS(part, s) = (struct part){end, work, 2};
  spawn_part(w, cilk1_cont(s, CILK1_NOTHING), work - span, (work - 1) / span);
  spawn_part(w, cilk1_cont(s, CILK1_NOTHING), span, 1);
}

/* ---- the processors ---- */

/* Something to run, at that time; the processor waits for it if it is on its way. */
static cilk1_closure *own(cilk1_home *h, uint64_t *at) {
  cilk1_closure *c = cilk1_take_deepest(&h->pool);
  if (!c && (c = h->placed)) h->placed = c->next;
  if (c && c->when > *at) *at = c->when;
  return c;
}

/* One of [first, first + n), but not `but`. */
static uint32_t other(const cilk1_home *h, uint32_t first, uint32_t n, uint32_t but) {
  uint32_t k = first + (uint32_t)cilk_choose(h->worker, CILK_CHOOSE_VICTIM, n - 1);
  return k + (k >= but);
}

/* *cost: what the attempt takes. */
static cilk1_closure *rob(cilk1_home *h, uint64_t at, uint64_t *cost) {
  struct cilk1_simulation *s = h->run->simulation;
  uint32_t rank = rank_of(s, h), ranks = (s->n - 1) / s->per_rank + 1, first = rank * s->per_rank,
           n = s->n - first < s->per_rank ? s->n - first : s->per_rank;
  cilk1_home *from = NULL;
  cilk1_closure *c = NULL;
  h->requests++;
  *cost = s->steal;
  if (ranks == 1 || h->in_vain + 1 < n) {
    h->in_vain++;
    from = s->homes[other(h, first, n, h->virtual)];
    c = cilk1_take_shallowest(&from->pool, at);
  } else {
    h->in_vain = 0;
    first = other(h, 0, ranks, rank) * s->per_rank;
    n = s->n - first < s->per_rank ? s->n - first : s->per_rank;
    uint32_t begin = n > 1 ? (uint32_t)cilk_choose(h->worker, CILK_CHOOSE_VICTIM, n) : 0;
    for (uint32_t i = 0; i < n && !c; i++) {
      from = s->homes[first + (begin + i) % n];
      c = cilk1_take_shallowest(&from->pool, at);
    }
    s->far_requests++;
    s->far_steals += c != NULL;
    *cost += message(s, 0) + message(s, c ? c->thread->size - CILK1_ARGS : 0);
  }
  if (c) {
    cilk1_leave(from);
    cilk1_count_gone(from);
    cilk1_enter(h, c);
    h->steals++;
    h->in_vain = 0;
  }
  return c;
}

static void advance(struct cilk1_simulation *s, uint64_t at) {
  while (s->future.n && s->future.e[0].at <= at) {
    pop(&s->future);
    s->seen++;
  }
}

void cilk1_simulate(cilk_worker *w, cilk1_run *run) {
  struct cilk1_simulation *s = run->simulation;
  for (uint32_t i = 0; i < s->n; i++) push(&s->clocks, 0, i);
  const uint64_t vain = attempt(s);
  uint64_t cost;
  while (s->ready > 0) {
    event e = s->clocks.e[0];
    cilk1_home *h = s->homes[e.processor];
    uint64_t at = e.at;
    cilk1_closure *c = h->hand, *stolen = c;
    h->hand = NULL;
    if (!c) c = own(h, &at);
    advance(s, at);
    while (s->runs.n && s->runs.e[0].at < e.at) pop(&s->runs);
    if (c) {
      s->ready--;
      s->seen -= !stolen;
      int64_t before = cilk1_alive(&h->pool);
      c->when = 0;
      h->clock = at + s->thread;           /* first: what the thread posts and sends comes after it */
      run->now = h;
      w->pool = &h->pool;
      cilk1_run_thread(w, h, c);
      run->now = NULL;
      s->alive += cilk1_alive(&h->pool) - before;
      if (s->alive > s->most) s->most = s->alive;
      at = now(h);
      h->so_far = 0;
      if (at > s->end) s->end = at;
      push(&s->runs, at, e.processor);
    } else if (s->n == 1 || s->seen == 0) {
      /* Nothing can be stolen before the next closure becomes ready, or the next processor runs a thread: all attempts
       * until then fail. */
      uint64_t next = s->future.n ? s->future.e[0].at : at + vain;
      if (s->runs.n && s->runs.e[0].at < next) next = s->runs.e[0].at;
      uint64_t times = (next - at + vain - 1) / vain;
      times += times == 0;
      h->requests += s->n > 1 ? times : 0;
      if (s->per_rank < s->n) {
        s->far_requests += times / s->per_rank;
        s->far_bytes += times / s->per_rank * 2 * HEADER;
      }
      at += times * vain;
    } else if ((c = rob(h, at, &cost))) {
      /* In hand, not in the pool: two idle processors would take it from each other for ever. */
      at += cost;
      h->hand = c;
      push(&s->runs, at, e.processor);
      s->seen--;
    } else at += cost;
    replace(&s->clocks, (event){at, e.processor});
  }
  w->pool = NULL;
}

void cilk1_simulation_ends(cilk1_run *run, uint64_t work, uint64_t span) {
  struct cilk1_simulation *s = run->simulation;
  int64_t most = 0;
  uint64_t threads = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    cilk1_home *h = s->homes[i];
    threads += cilk1_threads(&h->pool);
    sum.requests += h->requests;
    sum.steals += h->steals;
    sum.sends += h->sends;
    most = h->pool.most > most ? h->pool.most : most;
  }
  sum.far_requests += s->far_requests;
  sum.far_steals += s->far_steals;
  sum.far_sends += s->far_sends;
  sum.far_bytes += s->far_bytes;
  sum.threads += threads;
  sum.n = s->n;
  sum.time += s->end;
  sum.work += work + threads * s->thread;
  sum.span += span;
  sum.space = most > sum.space ? most : sum.space;
  sum.total = s->most > sum.total ? s->most : sum.total;
  sum.computations++;
  free(s->homes);
  free(s->clocks.e);
  free(s->future.e);
  free(s->runs.e);
  free(s);
}

/* ---- the report: for people on stderr, and a line of JSON at the end of the file CILK_SIMULATION ---- */

void cilk1_simulation_report(cilk_context *ctx) {
  const cilk_options *o = &ctx->opt;
  bool counted = cilk_span_counted();
  const char *unit = counted ? "units" : "s", *file = getenv("CILK_SIMULATION");
  double scale = counted ? 1 : 1e-9, p = sum.n ? sum.n : 1;
  int digits = counted ? 0 : 6;
  double t1 = (double)sum.work * scale, tp = (double)sum.time * scale, inf = (double)sum.span * scale;
  if (!sum.computations) {
    fprintf(stderr, "--simulate: no computation of Cilk-1 took place, so there is nothing to report\n");
    return;
  }
  fflush(stdout);
  fprintf(stderr, "\nSIMULATION on %u processor%s (steal %llu, send %llu, thread %llu %s):\n", sum.n,
      sum.n == 1 ? "" : "s", (unsigned long long)o->simulate_steal, (unsigned long long)o->simulate_send,
      (unsigned long long)o->simulate_thread, counted ? "units" : "ns");
  fprintf(stderr, "  T_1            %14.*f %s\n  T_inf          %14.*f %s\n  T_1/T_inf      %14.1f\n", digits, t1, unit,
      digits, inf, unit, inf > 0 ? t1 / inf : 0);
  fprintf(stderr, "  threads        %14llu\n  thread length  %14.3f %s\n", (unsigned long long)sum.threads,
      t1 / (double)(sum.threads ? sum.threads : 1) * (counted ? 1 : 1e6), counted ? "units" : "us");
  fprintf(stderr, "  T_P            %14.*f %s\n  T_1/P + T_inf  %14.*f %s\n  T_1/T_P        %14.2f\n", digits, tp, unit,
      digits, t1 / p + inf, unit, tp > 0 ? t1 / tp : 0);
  fprintf(stderr, "  space/proc     %14lld\n  requests/proc  %14.2f\n  steals/proc    %14.2f\n", (long long)sum.space,
      (double)sum.requests / p, (double)sum.steals / p);
  if (o->simulate_rank)
    fprintf(stderr,
        "  between ranks of %llu (latency %llu, 1,000 bytes %llu): %llu requests, %llu steals, %llu values, %llu bytes\n",
        (unsigned long long)o->simulate_rank, (unsigned long long)o->simulate_latency,
        (unsigned long long)o->simulate_kb, (unsigned long long)sum.far_requests, (unsigned long long)sum.far_steals,
        (unsigned long long)sum.far_sends, (unsigned long long)sum.far_bytes);
  FILE *out = file && *file ? fopen(file, "a") : NULL;
  if (out) {
    fprintf(out,
        "{\"P\": %u, \"unit\": \"%s\", \"T1\": %.9g, \"Tinf\": %.9g, \"TP\": %.9g, \"threads\": %llu, \"space\": %lld, \"total_space\": %lld, \"requests\": %llu, "
        "\"steals\": %llu, \"sends\": %llu, \"steal_cost\": %llu, \"send_cost\": %llu, \"thread_cost\": %llu, \"computations\": %d, \"procedures\": %d, "
        "\"rank\": %llu, \"latency\": %llu, \"kb\": %llu, \"far_requests\": %llu, \"far_steals\": %llu, \"far_sends\": %llu, \"far_bytes\": %llu}\n",
        sum.n, unit, t1, inf, tp, (unsigned long long)sum.threads, (long long)sum.space, (long long)sum.total,
        (unsigned long long)sum.requests, (unsigned long long)sum.steals, (unsigned long long)sum.sends,
        (unsigned long long)o->simulate_steal, (unsigned long long)o->simulate_send,
        (unsigned long long)o->simulate_thread, sum.computations, sum.procedures, (unsigned long long)o->simulate_rank,
        (unsigned long long)o->simulate_latency, (unsigned long long)o->simulate_kb,
        (unsigned long long)sum.far_requests, (unsigned long long)sum.far_steals, (unsigned long long)sum.far_sends,
        (unsigned long long)sum.far_bytes);
    fclose(out);
  }
}
