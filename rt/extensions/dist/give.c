/* give.c - the victim: closures that other ranks have, and what comes home of them.
 *
 * A closure that is given leaves its pool as if a worker had stolen it, but stays here, in a table by number; its
 * computation is not over meanwhile. Each of its continuations takes one value, which goes on as a message to the
 * worker whose closure waits for it. With the last one the closure is given up. If its thief dies, a worker posts it
 * again; a value that comes a second time is dropped. */
#include "dist/dist.h"
#include "data/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct given {
  struct given *next;
  uint64_t id, came;                      /* a bit for each continuation */
  int to;
  cilk1_run *run;
  cilk1_closure *closure;
  uint32_t nconts, rooms[CILK_MOST_CONTS];
} given;

enum { LISTS = 4096 };
static given *lists[LISTS];               /* by id; cilk_dist_here.lock, as all here */
static uint64_t last_id, alive;

static given **find(uint64_t id) {
  given **at = &lists[id % LISTS];
  while (*at && (*at)->id != id) at = &(*at)->next;
  return at;
}

static given *unlink_given(given **at) {
  given *g = *at;
  *at = g->next;
  alive--;
  return g;
}

bool cilk_given_any(void) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  bool any = alive != 0;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  return any;
}

uint64_t cilk_given_text(char *text, size_t room) {
  enum { NAMED = 2 };
  size_t n = 0;
  uint64_t named = 0;
  text[0] = 0;
  pthread_mutex_lock(&cilk_dist_here.lock);
  for (int i = 0; i < LISTS && alive; i++)
    for (const given *g = lists[i]; g && n < room; g = g->next) {
      const cilk1_thread *t = g->closure->thread;
      if (named++ < NAMED)
        n += (size_t)snprintf(text + n, room - n,
            "\n  rank %d waits for a value of %.60s (%.60s:%u), which rank %d was given", cilk_dist_here.rank, t->name,
            t->file, t->line, g->to);
    }
  uint64_t all = alive;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  if (all > NAMED && n < room) snprintf(text + n, room - n, "\n  and for %llu more", (unsigned long long)(all - NAMED));
  return all;
}

/* ---- continuations of a closure, in the order of its table ---- */

static const cilk1_slot *cont_slot(const cilk1_thread *t, uint32_t index) {
  for (uint32_t i = 0; i < t->nslots; i++)
    if ((t->slots[i].flags & CILK1_SLOT_CONT) && index-- == 0) return &t->slots[i];
  return NULL;
}

static cilk_cont cont_of(const cilk1_closure *c, const cilk1_slot *s) {
  cilk_cont k;
  memcpy(&k, (const char *)c + s->offset, sizeof k);
  return k;
}

/* How large the value is. A dead continuation, which a program may have and not use, takes nothing. */
static uint32_t room_of(cilk_cont k) {
  const cilk1_closure *c = k.closure;
  if (!c || !load_relaxed(&c->pool) || load_relaxed(&c->join) == 0) return CILK_WIRE_NOWHERE;
  const cilk1_thread *t = c->thread;
  for (uint32_t i = 0; i < t->nslots; i++)
    if (t->slots[i].offset == k.slot && !(t->slots[i].flags & CILK1_SLOT_PART)) return t->slots[i].size;
  return cilk_room_of(c);
}

/* ---- giving ---- */

/* One that travels and is public; off its list, and its computation is active for it. */
static cilk1_closure *take_public(cilk_worker_ext *vx, cilk1_run **run) {
  cilk1_closure *c = NULL;
  cilk_spin_lock(&vx->cilk1.lock);
  for (cilk1_home *h = vx->cilk1.pools; h && !c; h = h->of_worker) {
    cilk1_closure *before = NULL;
    for (c = h->first; c && !(c->thread->flags & CILK1_THREAD_REMOTE); c = c->next) before = c;
    if (!c) continue;
    *run = h->run;
    __atomic_add_fetch(&h->run->active, 1u, __ATOMIC_SEQ_CST);   /* as in run.c, steal_from */
    cilk1_leave(h);
    if (h->last == c) h->last = before;
    if (before) before->next = c->next;
    else store_release(&h->first, c->next);
    if (!h->first) cilk1_want(h);
  }
  cilk_spin_unlock(&vx->cilk1.lock);
  return c;
}

/* Its arguments as bytes, without the continuations. */
static char *pack(given *g, size_t *size) {
  const cilk1_closure *c = g->closure;
  const cilk1_thread *t = c->thread;
  size_t arguments = t->size - CILK1_ARGS;
  for (const cilk1_slot *s; g->nconts < CILK_MOST_CONTS && (s = cont_slot(t, g->nconts)); g->nconts++) {
    uint32_t room = g->rooms[g->nconts] = room_of(cont_of(c, s));
    if (room == CILK_WIRE_NOWHERE) g->came |= (uint64_t)1 << g->nconts;
    else if (room > CILK_WIRE_MOST)
      cilk_fatal("argument %u (%s) of the remote thread %s takes a value of %u bytes: %d can travel", s->index + 1,
          s->name, t->name, room, CILK_WIRE_MOST);
  }
  size_t before = (g->nconts * sizeof *g->rooms + 7) / 8 * 8;
  char *bytes = calloc(1, before + arguments);
  if (!bytes) cilk_fatal("out of memory (a closure for another rank)");
  memcpy(bytes, g->rooms, g->nconts * sizeof *g->rooms);
  memcpy(bytes + before, (const char *)c + CILK1_ARGS, arguments);
  for (uint32_t i = 0; i < g->nconts; i++)
    memset(bytes + before + cont_slot(t, i)->offset - CILK1_ARGS, 0, sizeof(cilk_cont));
  *size = before + arguments;
  return bytes;
}

bool cilk_give(int to) {
  cilk_dist *d = &cilk_dist_here;
  cilk_context *ctx = d->ctx;
  cilk1_closure *c = NULL;
  cilk1_run *run = NULL;
  int first = (int)(cilk_now_ns() / 64 % (uint64_t)ctx->nproc);
  for (int i = 0; i < ctx->nproc && !c; i++) {
    cilk_worker_ext *vx = ctx->workers[(first + i) % ctx->nproc]->ext;
    if (load_relaxed(&vx->cilk1.pools)) c = take_public(vx, &run);
  }
  if (!c) return false;
  given *g = calloc(1, sizeof *g);
  if (!g) cilk_fatal("out of memory");
  *g = (given){.to = to, .run = run, .closure = c};
  size_t size = 0;
  char *bytes = pack(g, &size);
  cilk_wire head = {.kind = CILK_WIRE_WORK,
      .size = (uint32_t)size,
      .index = (uint32_t)cilk_remote_index(c->thread),
      .level = c->level};
  pthread_mutex_lock(&d->lock);
  head.id = g->id = ++last_id;
  g->next = lists[g->id % LISTS];
  lists[g->id % LISTS] = g;
  alive++;
  pthread_mutex_unlock(&d->lock);
  cilk_letter(to, head, bytes);
  free(bytes);
  cilk_dist_count(&d->stats.given, 1);
  return true;
}

void cilk_give_wanted(void) {
  cilk_context *ctx = cilk_dist_here.ctx;
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_worker_ext *x = ctx->workers[i]->ext;
    if (!load_relaxed(&x->cilk1.pools)) continue;
    cilk_spin_lock(&x->cilk1.lock);
    for (cilk1_home *h = x->cilk1.pools; h; h = h->of_worker)
      if (!load_relaxed(&h->asked)) {
        store_relaxed(&h->asked, 1u);
        cilk1_want(h);
      }
    cilk_spin_unlock(&x->cilk1.lock);
  }
}

/* ---- what comes home ---- */

static void give_up(given *g) {
  cilk1_run *run = g->run;
  g->closure->flags |= CILK1_FOREIGN;     /* its memory is for all: this thread may be no worker */
  cilk1_release(g->closure);
  free(g);
  cilk1_activity(run, -1);
}

static void send_value(cilk_cont k, const char *value, uint32_t size) {
  cilk1_message *m = cilk1_message_new(size);
  m->kind = CILK1_SEND;
  m->k = k;
  m->stamp = 0;
  m->size = size;
  memcpy(m->value, value, size);
  cilk1_message_send(cilk1_home_of(k.closure->pool), m);
}

const char *cilk_given_value(int from, const cilk_wire *m, const char *value) {
  cilk_dist *d = &cilk_dist_here;
  const char *wrong = NULL;
  given *over = NULL;
  cilk_cont k = {NULL, 0, 0};
  pthread_mutex_lock(&d->lock);
  given **at = find(m->id), *g = *at;
  if (!g)    /* else its computation has its result */
    wrong = m->id == 0 || m->id > last_id ? "nothing was given by that number" : NULL;
  else if (g->to != from) wrong = "it has what another rank was given";
  else if (m->index >= g->nconts || g->came >> m->index & 1) wrong = "its continuation is none that waits";
  else if (g->rooms[m->index] != m->size) wrong = "its value has another size than its continuation";
  else {
    k = cont_of(g->closure, cont_slot(g->closure->thread, m->index));
    g->came |= (uint64_t)1 << m->index;
    over = g->came == UINT64_MAX >> (64 - g->nconts) ? unlink_given(at) : NULL;
  }
  /* The computation is active for g, and so is what waits. Under the lock: `over` below does not come in between. */
  if (k.closure) send_value(k, value, m->size);
  pthread_mutex_unlock(&d->lock);
  if (over) give_up(over);
  return wrong;
}

/* The run needs no value of what others have. But if it has taken work of another rank, a value may be for that rank:
 * then all values are awaited. */
void cilk_given_over(cilk1_run *run) {
  if (load_relaxed(&run->guests)) return;
  cilk_dist *d = &cilk_dist_here;
  given *all = NULL;
  pthread_mutex_lock(&d->lock);
  for (int i = 0; i < LISTS && alive; i++)
    for (given **at = &lists[i]; *at;)
      if ((*at)->run == run) {
        given *g = unlink_given(at);
        g->next = all;
        all = g;
      } else at = &(*at)->next;
  pthread_mutex_unlock(&d->lock);
  for (given *next; all; all = next) {
    next = all->next;
    give_up(all);
  }
}

/* ---- doing it again ---- */

static void again(cilk1_home *h, cilk1_message *m) {
  given *g = (given *)(void *)m->closure;
  cilk1_closure *c = g->closure;
  for (uint32_t i = 0; i < g->nconts; i++)
    if ((g->came >> i & 1) && g->rooms[i] != CILK_WIRE_NOWHERE) {
      cilk_cont k = cilk_nowhere(h->worker, g->rooms[i], c->level);
      memcpy((char *)c + cont_slot(c->thread, i)->offset, &k, sizeof k);
    }
  if (c->pool == &h->pool) h->pool.closures++;                   /* as cilk1_enter; it had left */
  else cilk1_enter(h, c);
  cilk1_post_any(h, c);
  free(g);
}

static void post_again(given *g) {
  cilk1_run *run = g->run;
  cilk1_message *m = cilk1_message_new(0);
  m->kind = CILK1_DO;
  m->act = again;
  m->closure = (cilk1_closure *)(void *)g;
  cilk1_message_send(cilk1_home_get(cilk_dist_here.ctx->workers[0], run), m);
  cilk1_activity(run, -1);
  cilk_dist_count(&cilk_dist_here.stats.again, 1);
}

void cilk_given_lost(int to) {
  given *all = NULL;
  pthread_mutex_lock(&cilk_dist_here.lock);
  for (int i = 0; i < LISTS && alive; i++)
    for (given **at = &lists[i]; *at;)
      if ((*at)->to == to) {
        given *g = unlink_given(at);
        g->next = all;
        all = g;
      } else at = &(*at)->next;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  for (given *next; all; all = next) {
    next = all->next;
    post_again(all);
  }
}

void cilk_given_back(int from, uint64_t id) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  given **at = find(id), *g = *at && (*at)->to == from && !(*at)->came ? unlink_given(at) : NULL;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  if (g) post_again(g);
}
