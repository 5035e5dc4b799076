/* ordered_fibers.c - fibers where steps have an order, and what a step sees of others' user code.
 *
 * Fibers lie on their workers' lists. Thieves take the oldest of a victim's, or else the head of its deque: only steps
 * change the lists, so this choice does not depend on how far the victim's user code has come. In a replay each step
 * takes what it took then.
 *
 * A step that steals from a worker must find it where it was: it waits until the victim has counted as many pops and
 * tests as then, and the entry is there. It stays there, since the pop that will miss it is a step, and a later one. */
#include "replay/order.h"
#include "data/policy.h"
#include "fibers/fiber.h"
#include "replay/controlled_schedule.h"
#include "steal/segment.h"
#include "steal/steal.h"

/* ---- replay: what a step saw ---- */

static bool next_note(cilk_participant *p, int tag, uint64_t *numbers, int n) {
  if (!p->note || *p->note != tag) return false;
  const unsigned char *at = p->note + 1;
  for (int i = 0; i < n; i++) numbers[i] = cilk_record_number(&at);
  p->note = at;
  return true;
}

bool cilk_order_counted(cilk_participant *p, uint64_t *numbers) { return next_note(p, RECORD_COUNT, numbers, 2); }

static bool peek_note(cilk_participant *p, int tag, uint64_t *numbers, int n) {
  const unsigned char *at = p->note;
  bool found = next_note(p, tag, numbers, n);
  p->note = at;
  return found;
}

/* for a delivery to this parent; NULL: for a steal. pushed: a step saw it there */
struct place {
  cilk_worker *victim;
  uint64_t pops;
  const cilk_closure *parent;
  bool pushed;
};

/* What the place is about is on the victim's deque. Its worker runs in parallel, or is stopped. */
static bool is_pushed(const struct place *at) {
  const cilk_worker_ext *x = at->victim->ext;
  cilk_closure **t = load_acquire(&at->victim->tail);
  if (!at->parent) return t > load_relaxed(&x->head);
  for (const cilk_segment *s = x->seg; s; s = s->outer)
    if (load_relaxed(&s->full) == at->parent) return t > s->base;
  return false;
}

/* mutex held. The victim is where it was: it has counted more than then, which it did after the push; or as much, and
 * waits or has pushed something. */
static bool has_come(cilk_worker *w, void *what) {
  const struct place *at = what;
  cilk_worker *v = at->victim;
  cilk_participant *p = cilk_order_mine(v);
  uint64_t pops = load_acquire(&p->pops);   /* pairs with the store in counted */
  (void)w;
  if (v == w || pops > at->pops) return true;
  if (pops == at->pops && (p->state == CILK_GOING_WAITS || p->state == CILK_GOING_OUT ||
                              (cilk_order_in_turns(w) ? at->pushed == is_pushed(at)
                                                      : (p->state == CILK_GOING_ENDS || !at->parent) && is_pushed(at))))
    return true;
  p->wanted = at->pops > p->wanted ? at->pops : p->wanted;
  if (p->state == CILK_GOING_ENDS) {
    p->state = CILK_GOING_WANTS;
    p->onward = true;
  }
  return false;
}

/* ---- fibers ---- */

static void put(cilk_worker *w, cilk_closure *c) {
  cilk_participant *p = cilk_order_mine(w);
  c->next = p->first;
  p->first = c;
}

void cilk_ordered_ready(cilk_worker *w, cilk_closure *c, Cilk_why why) {
  cilk_worker_ext *x = w->ext;
  if (why == CILK_WHY_RESUMED && !x->next) {
    if (cilk_take_ready(w, c)) x->next = c;
    return;
  }
  put(w, c);
}

static cilk_closure *take(cilk_worker *w, cilk_closure **at) {
  cilk_closure *c = *at;
  *at = c->next;
  if (!cilk_order_replays(w)) cilk_order_note(w, RECORD_TOOK, (uint64_t[]){c->number, 0, 0}, 3);
  return cilk_take_ready(w, c);
}

/* Recording: the youngest of w's own, or the oldest of another's. */
static cilk_closure *take_from(cilk_worker *w, int whose, bool youngest) {
  cilk_closure **found = NULL;
  for (cilk_closure **at = &w->ext->ctx->order->of[whose].first; *at && !(found && youngest); at = &(*at)->next)
    if (cilk_may_take(w->ext, cilk_closure_root(*at))) found = at;
  return found ? take(w, found) : NULL;
}

static cilk_closure *as_recorded(cilk_worker *w) {
  cilk_order *o = w->ext->ctx->order;
  uint64_t what[3];
  cilk_closure *c = NULL;
  while (!c && peek_note(cilk_order_mine(w), RECORD_TOOK, what, 3)) {
    if (what[1]) {
      if ((int)what[1] > o->ctx->nproc) cilk_order_diverged(o, w->id, "no such victim");
      c = cilk_steal(w, o->ctx->workers[what[1] - 1]);   /* consumes the note */
      continue;
    }
    next_note(cilk_order_mine(w), RECORD_TOOK, what, 3);
    cilk_closure **at = NULL;
    int whose = -1;
    while (!at && ++whose < o->ctx->nproc)
      for (cilk_closure **k = &o->of[whose].first; *k && !at; k = &(*k)->next)
        if ((*k)->number == what[0]) at = k;
    if (!at) cilk_order_diverged(o, w->id, "a fiber that is not there");
    if (cilk_order_in_turns(w) && whose != w->id) cilk_turn_takes(w, whose);
    c = take(w, at);
  }
  return c;
}

cilk_closure *cilk_ordered_next(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_closure *c = x->next;
  x->next = NULL;
  if (c) return c;
  if (load_relaxed(&w->tail) != x->floor) {   /* detached from their activations, they stay on the deque */
    if (!cilk_order_replays(w)) cilk_order_touch(w, 0);
    c = cilk_deque_pop_ready(w, x->floor);
  }
  if (c) return c;
  return cilk_order_replays(w) ? as_recorded(w) : take_from(w, w->id, true);
}

cilk_closure *cilk_ordered_look(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  int first = cilk_order_in_turns(w) ? cilk_turn_victim(w) : -1;
  if (first < 0) first = (int)cilk_choose(w, CILK_CHOOSE_VICTIM, (uint64_t)ctx->nproc);
  for (int i = 0; i < ctx->nproc && !c && !cilk_order_mine(w)->dirty; i++) {
    int v = (first + i) % ctx->nproc;
    if (v != w->id && !(c = take_from(w, v, false)) && !cilk_order_mine(w)->dirty)   /* not after an aborted one */
      c = cilk_steal(w, ctx->workers[v]);
  }
  return c;
}

bool cilk_ordered_may_steal(cilk_worker *thief, cilk_worker *victim) {
  uint64_t what[3];
  if (!cilk_order_replays(thief)) return true;
  if (!next_note(cilk_order_mine(thief), RECORD_TOOK, what, 3) || what[1] != (uint64_t)victim->id + 1) return false;
  if (cilk_order_in_turns(thief)) cilk_turn_takes(thief, victim->id);
  cilk_order_until(thief, has_come, &(struct place){victim, what[2], NULL, true}, victim->id);
  return true;
}

void cilk_ordered_stolen(cilk_worker *thief, cilk_worker *victim, const cilk_closure *c) {
  if (!cilk_order_replays(thief))
    cilk_order_note(thief, RECORD_TOOK,
        (uint64_t[]){c ? c->number : 0, (uint64_t)victim->id + 1, load_acquire(&cilk_order_mine(victim)->pops)}, 3);
}

void cilk_ordered_await_stop(cilk_worker *w, cilk_worker *victim, const cilk_closure *parent) {
  uint64_t what[2];
  if (cilk_order_replays(w) && peek_note(cilk_order_mine(w), RECORD_STOPPED, what, 2) &&
      (what[0] || cilk_order_in_turns(w)))
    cilk_order_until(w, has_come, &(struct place){victim, what[1], parent, what[0] != 0}, victim->id);
}

bool cilk_ordered_stopped(cilk_worker *w, cilk_worker *victim, bool pushed) {
  uint64_t what[2] = {pushed, load_acquire(&cilk_order_mine(victim)->pops)};
  if (!cilk_order_replays(w)) cilk_order_note(w, RECORD_STOPPED, what, 2);
  else if (!next_note(cilk_order_mine(w), RECORD_STOPPED, what, 2))
    cilk_order_diverged(w->ext->ctx->order, w->id, "a delivery");
  if (!what[0])
    /* with the count, under the victim's lock, as pop_happens and test_happens read it: its next one sees it */
    store_relaxed(&victim->ext->signal, 1u);
  return what[0] != 0;
}
