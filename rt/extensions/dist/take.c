/* take.c - the thief: what a worker makes of a closure that has come, and how values go home.
 *
 * Each continuation in it becomes one into a closure of this file, which waits for the value and knows whose it is.
 * When that closure's thread runs, the value is sent. So a continuation may be passed on, be shared between workers, or
 * travel further: then the value comes by the same way. */
#include "dist/dist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- closures that send a value home ---- */

typedef struct home_args {
  uint64_t id;
  int32_t rank;                           /* -1: the value is dropped */
  uint32_t index, room, spare;
  char value[];
} home_args;
enum { VALUE = CILK1_ARGS + sizeof(home_args) };
_Static_assert(VALUE % 8 == 0, "values are aligned as words");

static home_args *args_of(cilk1_closure *c) { return (home_args *)(void *)((char *)c + CILK1_ARGS); }

void cilk_send_home(int to, uint64_t id, uint32_t index, const void *value, uint32_t size) {
  if (cilk_dist_here.rank) fflush(stdout);                       /* what was printed before comes before */
  cilk_letter(to, (cilk_wire){.kind = CILK_WIRE_VALUE, .id = id, .index = index, .size = size}, value);
}

static void send_home(cilk_worker *w, cilk1_closure *c) {
  const home_args *a = args_of(c);
  (void)w;
  if (a->rank >= 0) cilk_send_home(a->rank, a->id, a->index, a->value, a->room);
}

#define ROOM(n) {.run = send_home, .name = "a value for another rank", .file = "", .size = VALUE + (n)}
static const cilk1_thread senders[] = {ROOM(8), ROOM(40), ROOM(200), ROOM(4096), ROOM(65536), ROOM(1 << 20),
    ROOM(CILK_WIRE_MOST)};

static const cilk1_thread *sender(uint32_t room) {
  const cilk1_thread *t = senders;
  while (t->size < VALUE + room) t++;
  return t;
}

static cilk_cont cont_to(cilk_worker *w, int rank, uint64_t id, uint32_t index, uint32_t room, uint32_t level) {
  cilk1_closure *c = cilk1_spawn_at(w, sender(room), VALUE, level);
  home_args *a = args_of(c);
  *a = (home_args){.id = id, .rank = rank, .index = index, .room = room};
  return cilk1_cont(c, VALUE);
}

cilk_cont cilk_nowhere(cilk_worker *w, uint32_t room, uint32_t level) { return cont_to(w, -1, 0, 0, room, level); }

/* The room of the value for which c waits. The thread of c has no table: it is defined in this file, or is the caller
 * of a computation. */
uint32_t cilk_room_of(const cilk1_closure *c) {
  if (c->thread->run == send_home) return args_of((cilk1_closure *)(uintptr_t)c)->room;
  return (uint32_t)cilk1_home_of(c->pool)->run->size;
}

/* ---- a closure that has come ---- */

typedef struct work {
  const cilk1_thread *thread;
  uint64_t id;
  int from;
  uint32_t level, nconts;
  size_t before;                          /* bytes of the rooms */
} work;

static void arrive(cilk1_home *h, cilk1_message *m) {
  work in;
  memcpy(&in, m->value, sizeof in);
  const char *rooms = m->value + sizeof in;
  const cilk1_thread *t = in.thread;
  cilk1_closure *c = cilk1_spawn_at(h->worker, t, 0, in.level);
  memcpy((char *)c + CILK1_ARGS, rooms + in.before, t->size - CILK1_ARGS);
  for (uint32_t i = 0, n = 0; i < t->nslots; i++) {
    if (!(t->slots[i].flags & CILK1_SLOT_CONT)) continue;
    uint32_t room;
    memcpy(&room, rooms + 4 * n, sizeof room);
    cilk_cont k =
        room == CILK_WIRE_NOWHERE ? (cilk_cont){NULL, 0, 0} : cont_to(h->worker, in.from, in.id, n, room, in.level);
    memcpy((char *)c + t->slots[i].offset, &k, sizeof k);
    n++;
  }
  cilk1_post_any(h, c);
}

/* A computation that this worker may run something of, active once more; its pool of that. */
static cilk1_home *receiver(int worker) {
  cilk_dist *d = &cilk_dist_here;
  cilk_context *ctx = d->ctx;
  cilk1_run *run = load_acquire(&d->serves);
  const cilk_root_run *waits = load_relaxed(&ctx->workers[worker]->ext->wait.root);
  if (run) cilk1_activity(run, 1);
  for (int i = 0; i < ctx->nproc && !run && !d->rank; i++) {
    cilk_worker_ext *x = ctx->workers[i]->ext;
    cilk_spin_lock(&x->cilk1.lock);
    for (cilk1_home *h = x->cilk1.pools; h && !run; h = h->of_worker) {
      uint32_t active = load_seq_cst(&h->run->active);
      if (!cilk_root_within(h->run->root, waits)) continue;
      while (active && !run)              /* at 0 it ends */
        if (__atomic_compare_exchange_n(&h->run->active, &active, active + 1, false, __ATOMIC_SEQ_CST,
                __ATOMIC_SEQ_CST))
          run = h->run;
    }
    cilk_spin_unlock(&x->cilk1.lock);
  }
  return run ? cilk1_home_get(ctx->workers[worker], run) : NULL;
}

/* Workers that have found nothing, and have not begun to run something since; *one is one of them. */
int cilk_hungry(int *one) {
  cilk_dist *d = &cilk_dist_here;
  int n = 0;
  for (int i = 0; i < d->workers; i++)
    if (load_relaxed(&d->hungry[i]) && load_relaxed(&d->ctx->workers[i]->ext->stats.idle_since)) {
      *one = i;
      n++;
    } else store_relaxed(&d->hungry[i], 0u);   /* a hint: it looks again before it sleeps */
  return n;
}

bool cilk_take_wanted(void) {
  int worker = -1;
  cilk1_home *h = cilk_hungry(&worker) ? receiver(worker) : NULL;
  if (h) cilk1_activity(h->run, -1);
  return h || (worker >= 0 && cilk_remote_procedures() &&
                  !load_relaxed(&cilk_dist_here.ctx->workers[worker]->ext->wait.root));
}

static void count_steal(const cilk_wire *m) {
  cilk_dist_count(&cilk_dist_here.stats.steals, 1);
  cilk_dist_count(&cilk_dist_here.stats.work_bytes, sizeof *m + m->size);
}

const char *cilk_take(int from, const cilk_wire *m, const char *payload) {
  work in = {.thread = cilk_remote_at(m->index, CILK_REMOTE_THREAD), .id = m->id, .from = from, .level = m->level};
  const cilk_root *root = cilk_remote_at(m->index, CILK_REMOTE_ROOT);
  if (root && m->size != root->args_size) return "its arguments have another size";
  if (root) {
    cilk_call_came(root, payload, from, m->id);
    count_steal(m);
    return NULL;
  }
  if (!in.thread || !in.id) return "it names no thread that travels";
  for (uint32_t i = 0; i < in.thread->nslots; i++) in.nconts += in.thread->slots[i].flags & CILK1_SLOT_CONT;
  in.before = (in.nconts * sizeof(uint32_t) + 7) / 8 * 8;
  if (m->size != in.before + in.thread->size - CILK1_ARGS || m->level > CILK_MOST_LEVEL)
    return "its closure has another size";
  for (uint32_t i = 0; i < in.nconts; i++) {
    uint32_t room;
    memcpy(&room, payload + 4 * i, sizeof room);
    if (room > CILK_WIRE_MOST && room != CILK_WIRE_NOWHERE) return "a continuation of its closure takes too much";
  }
  int worker = 0;
  cilk_hungry(&worker);
  cilk1_home *h = receiver(worker);
  if (!h) {
    cilk_letter(from, (cilk_wire){.kind = CILK_WIRE_RETURN, .id = m->id}, NULL);
    cilk_dist_count(&cilk_dist_here.stats.refused, 1);
    return NULL;
  }
  cilk1_message *to = cilk1_message_new(sizeof in + m->size);
  to->kind = CILK1_DO;
  to->act = arrive;
  memcpy(to->value, &in, sizeof in);
  memcpy(to->value + sizeof in, payload, m->size);
  store_relaxed(&cilk_dist_here.hungry[h->worker->id], 0u);
  cilk1_run *run = h->run;
  store_relaxed(&run->guests, 1u);
  cilk1_message_send(h, to);
  cilk1_activity(run, -1);
  count_steal(m);
  return NULL;
}

/* ---- workers that have nothing ---- */

static bool steal_here(cilk_worker *w) {
  uint32_t *hungry = &cilk_dist_here.hungry[w->id];
  if (cilk1_work_source.steal(w)) return true;
  cilk_call_own(w);
  if (!load_relaxed(hungry)) {
    store_relaxed(hungry, 1u);
    cilk_the_transport.wake();
  }
  return false;
}

static bool run_here(cilk_worker *w) { return cilk1_work_source.run(w); }
static bool came_here(cilk_worker *w) { return cilk1_work_source.came(w); }
static void report_here(cilk_context *ctx) { cilk1_work_source.report(ctx); }
static const char *lost_here(void *lost, char *text, size_t room) { return cilk1_work_source.lost(lost, text, room); }
static bool goes_here(cilk_context *ctx, struct cilk_root_run **procedures, void **lost) {
  return cilk1_work_source.goes(ctx, procedures, lost) || cilk_given_any() || cilk_calls_any();
}

const cilk_work_source cilk_dist_work_source = {run_here, came_here, steal_here, report_here, goes_here, lost_here};
