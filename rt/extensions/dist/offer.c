/* offer.c - procedures of Cilk-5: the call of a remote procedure, in place of a thread's closure.
 *
 * A spawn of Cilk-5 runs its child at once, and what others can steal is the rest of the parent, which is full of
 * addresses. So while a rank asks, one worker more than usual runs here, the *envoy*: it steals the oldest frame, as
 * any thief, and goes on with it. The next remote procedure that is spawned there is *offered*: its instance waits for
 * a future, its parent goes on, and the call, which is values only, goes to the rank that asks. Then the envoy rests
 * again and gives up what it has. An offer that no rank takes is run here by a worker that has nothing else.
 *
 * The value of a call fills the future; an offer whose instance was aborted is forgotten. cilk_dist_here.lock guards
 * the lists. */
#include "dist/dist.h"
#include "calls/start.h"
#include "data/policy.h"
#include "fibers/orphan.h"
#include "protocol/abort.h"
#include "protocol/future.h"
#include "steal/halt.h"
#include "steal/sleep.h"

#include <stdlib.h>
#include <string.h>

typedef struct offer {
  struct offer *next;
  const cilk_root *root;
  uint64_t id;
  uint32_t index;
  int to;                                 /* the rank that has it; -1: none */
  bool waited;                            /* its instance was seen to wait */
  char *args;
  cilk_future future __attribute__((aligned(16)));
  char value[];
} offer;

/* A call that runs here: a computation of its own, without a group. */
typedef struct call {
  cilk_computation m;                     /* first */
  struct call *next;
  int from;                               /* the rank whose call it is; -1: `own` */
  uint64_t id;
  offer *own;
  char space[] __attribute__((aligned(64)));   /* the result, the arguments */
} call;

enum { PATIENCE_NS = 3000000 };
static offer *offers;                     /* open, or at another rank */
static call *calls;
static uint32_t nopen;                    /* offers that are; atomic, written under the lock */
/* Offers that a thread has taken off the list, to fill their futures or to run them. The search for circles of touches
 * counts them (cilk_calls_any): the courier, and a worker that looks for work, are idle for that search. */
static uint32_t in_hand;
static uint64_t last_id, envoy_since;
static bool any_procedure;                /* the program has a remote procedure */

/* ---- the envoy ---- */

int cilk_envoys(void) { return any_procedure = cilk_remote_procedures(); }

static bool is_envoy(const cilk_worker *w) { return any_procedure && w->id >= cilk_dist_here.workers; }

static void send_envoy(bool out) {
  if (out == (envoy_since != 0)) return;
  envoy_since = out ? cilk_now_ns() : 0;
  store_relaxed(&cilk_rt_offers_wanted, (uint32_t)out);
  cilk_activate(cilk_dist_here.ctx, cilk_dist_here.workers + out);
}

void cilk_offers_ask(bool wanted) {
  if (!any_procedure) return;
  if (load_relaxed(&nopen) || (envoy_since && cilk_now_ns() - envoy_since > PATIENCE_NS)) wanted = false;
  send_envoy(wanted);
}

cilk_future *cilk_offer(const cilk_root *root, const void *args) {
  cilk_worker *w = cilk_me();
  int64_t index = cilk_remote_index(root);
  uint32_t one = 1;
  void *at = NULL;
  if (w->id < 0 || !is_envoy(w) || index < 0 ||
      !__atomic_compare_exchange_n(&cilk_rt_offers_wanted, &one, 0u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return NULL;
  if (posix_memalign(&at, 64, sizeof(offer) + root->result_size + 1) != 0) cilk_fatal("out of memory");
  offer *o = memset(at, 0, sizeof(offer));
  o->root = root;
  o->index = (uint32_t)index;
  o->to = -1;
  o->future.state = CILK_FUTURE_PENDING;
  if (!(o->args = malloc(root->args_size + 1))) cilk_fatal("out of memory");
  memcpy(o->args, args, root->args_size);
  pthread_mutex_lock(&cilk_dist_here.lock);
  o->id = ++last_id | CILK_OFFER_ID;
  o->next = offers;
  offers = o;
  store_relaxed(&nopen, nopen + 1);
  pthread_mutex_unlock(&cilk_dist_here.lock);
  cilk_the_transport.wake();
  return &o->future;
}

bool cilk_offers_open(void) { return load_relaxed(&nopen) != 0; }

static void free_offer(offer *o) {
  free(o->args);
  free(o);
}

void cilk_offer_taken(cilk_future *f, void *to, size_t n) {
  offer *o = (offer *)(void *)((char *)f - offsetof(offer, future));
  memcpy(to, o->value, n);
  free_offer(o);
}

/* ---- the courier's side of what was offered here ---- */

/* The instance was aborted: nothing waits any more. */
static bool forgotten(offer *o) {
  if (load_acquire(&o->future.state) != CILK_FUTURE_PENDING) return false;
  bool waits = __atomic_load_n(&o->future.waiters, __ATOMIC_ACQUIRE) != NULL;
  bool gone = o->waited && !waits;
  o->waited = waits;
  return gone;
}

static offer *unlink_offer(offer **at) {
  offer *o = *at;
  *at = o->next;
  in_hand++;
  if (o->to < 0) store_relaxed(&nopen, nopen - 1);
  return o;
}

/* What was to be done with an offer off the list is done. */
static void put_down(void) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  in_hand--;
  pthread_mutex_unlock(&cilk_dist_here.lock);
}

void cilk_offers_look(void) {
  offer *gone = NULL;
  if (!any_procedure) return;
  pthread_mutex_lock(&cilk_dist_here.lock);
  for (offer **at = &offers; *at;)
    if (forgotten(*at)) {
      offer *o = unlink_offer(at);
      o->next = gone;
      gone = o;
    } else at = &(*at)->next;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  for (offer *next; gone; gone = next) {
    next = gone->next;
    put_down();
    if (gone->to >= 0) cilk_letter(gone->to, (cilk_wire){.kind = CILK_WIRE_DROP, .id = gone->id}, NULL);
    free_offer(gone);
  }
}

bool cilk_offer_give(int to) {
  cilk_dist *d = &cilk_dist_here;
  offer *best = NULL;
  if (!load_relaxed(&nopen)) return false;
  pthread_mutex_lock(&d->lock);
  for (offer *o = offers; o; o = o->next) best = o->to < 0 ? o : best;          /* the oldest */
  if (best) {
    best->to = to;
    store_relaxed(&nopen, nopen - 1);
  }
  pthread_mutex_unlock(&d->lock);
  if (!best) return false;
  cilk_letter(to,
      (cilk_wire){.kind = CILK_WIRE_WORK, .size = best->root->args_size, .id = best->id, .index = best->index},
      best->args);
  cilk_dist_count(&d->stats.given, 1);
  return true;
}

const char *cilk_offer_value(int from, const cilk_wire *m, const char *value) {
  const char *wrong = NULL;
  pthread_mutex_lock(&cilk_dist_here.lock);
  offer **at = &offers, *o;
  while ((o = *at) && o->id != m->id) at = &o->next;
  if (!o)
    wrong = m->id > (last_id | CILK_OFFER_ID) ? "nothing was offered by that number" : NULL; /* else it was aborted */
  else if (o->to != from || o->root->result_size != m->size) {
    wrong = "its value is none that was waited for";
    o = NULL;
  } else unlink_offer(at);
  pthread_mutex_unlock(&cilk_dist_here.lock);
  if (o) {
    memcpy(o->value, value, m->size);
    cilk_future_fill(cilk_me(), &o->future); /* o may be gone */
    put_down();
  }
  return wrong;
}

/* All offers of that rank, or the one by that number, are open again. */
void cilk_offers_again(int to, uint64_t id) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  for (offer *o = offers; o; o = o->next)
    if (o->to == to && (!id || o->id == id)) {
      o->to = -1;
      store_relaxed(&nopen, nopen + 1);
      cilk_dist_count(&cilk_dist_here.stats.again, 1);
    }
  pthread_mutex_unlock(&cilk_dist_here.lock);
  for (int i = 0; i < cilk_dist_here.workers; i++) cilk_unpark(cilk_dist_here.ctx->workers[i]);
}

/* ---- running a call ---- */

static void finish(cilk_root_run *run, void *result, size_t size) {
  call *c = (call *)(void *)((char *)run - offsetof(cilk_computation, run));
  offer *o = c->own;
  pthread_mutex_lock(&cilk_dist_here.lock); /* nothing cancels it any more */
  call **at = &calls;
  while (*at != c) at = &(*at)->next;
  *at = c->next;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  c->m.closure->sig = &cilk_ended;
  if (o) {
    memcpy(o->value, result, result ? size : 0);
    cilk_future_fill(cilk_me(), &o->future);
  } else if (result) /* else it was cancelled */
    cilk_send_home(c->from, c->id, 0, result, (uint32_t)size);
  free(c);
}

/* It is ready, for any worker. */
static void run(const cilk_root *root, const void *args, int from, uint64_t id, offer *own) {
  cilk_context *ctx = cilk_dist_here.ctx;
  size_t result = (root->result_size + 63u) / 64 * 64;
  void *at = NULL;
  if (posix_memalign(&at, 64, sizeof(call) + result + root->args_size + 64) != 0) cilk_fatal("out of memory");
  call *c = memset(at, 0, sizeof(call));
  cilk_root_run *r = &c->m.run;
  c->from = from;
  c->id = id;
  c->own = own;
  r->root = root;
  r->result = c->space;
  r->args = memcpy(c->space + result, args, root->args_size);
  r->ctx = ctx;
  r->team = &ctx->team;
  r->then = finish;
  cilk_fp_save(&r->fp);
  cilk_closure *closure = cilk_bottom(&c->m, ctx->workers[0]);
  pthread_mutex_lock(&cilk_dist_here.lock);
  c->next = calls;
  calls = c;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  cilk_orphan_put(ctx, closure);
  cilk_open_to_all(ctx);
}

void cilk_call_came(const cilk_root *root, const char *args, int from, uint64_t id) { run(root, args, from, id, NULL); }

/* Its result is not wanted any more. */
void cilk_call_cancel(int from, uint64_t id) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  call *c = calls;
  while (c && !(c->from == from && c->id == id)) c = c->next;
  if (c) {
    store_seq_cst(&c->m.run.link.aborted, 1u);
    cilk_abort_all(cilk_dist_here.ctx, c->m.closure); /* alive: its end waits for the lock */
  }
  pthread_mutex_unlock(&cilk_dist_here.lock);
}

/* A worker has nothing: an offer that no rank has becomes ready here. */
void cilk_call_own(const cilk_worker *w) {
  offer *own = NULL;
  if (!load_relaxed(&nopen) || is_envoy(w)) return;
  pthread_mutex_lock(&cilk_dist_here.lock);
  for (offer **at = &offers; *at && !own; at = &(*at)->next)
    if ((*at)->to < 0) {
      own = unlink_offer(at);
      break;
    }
  pthread_mutex_unlock(&cilk_dist_here.lock);
  if (own) {
    run(own->root, own->args, -1, 0, own);
    put_down();
  }
}

bool cilk_calls_any(void) {
  pthread_mutex_lock(&cilk_dist_here.lock);
  bool any = offers || calls || in_hand;
  pthread_mutex_unlock(&cilk_dist_here.lock);
  return any;
}
