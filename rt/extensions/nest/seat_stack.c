/* seat_stack.c - stacks of engines' seats: their memory, a worker's fields on the one side and the other, and the
 * change from one C stack to another (seat_stack.h).
 *
 * Thieves look only at the deque that the worker is on. So the worker gives away all entries of a deque before it
 * changes to another one (fiber.c). */
#define _GNU_SOURCE
#include "nest/seat_stack.h"
#include "arch/switch.h"
#include "data/context.h"
#include "data/deque.h"
#include "data/root.h"
#include "nest/fuel.h"
#include "schedule/stackguard.h"
#include "steal/steal.h"

#include <stdlib.h>
#include <string.h>
#ifdef CILK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef CILK_TSAN
#include <sanitizer/tsan_interface.h>
#endif

const uint32_t cilk_until_below = 0;

const uint32_t *cilk_seat_stack_until(const cilk_worker_ext *x) {
  const uint32_t *until = x->wait.until;
  for (const cilk_seat_stack *st = x->nest.stack; until == &cilk_until_below; st = st->ground.stack)
    until = st->ground.until;
  return until;
}

/* ---- memory ---- */

static cilk_seat_stack *make(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  cilk_seat_stack *st = calloc(1, sizeof *st);
  if (!st) cilk_fatal("out of memory");
  size_t most = ctx->addresses == SIZE_MAX ? SIZE_MAX : ctx->addresses / 8;
  cilk_deque_reserve(&st->memory, ctx->opt.stack_entries, most);
  cilk_stack_create(&st->memory, ctx->opt.stack_bytes, most);
  st->other = x->nest.stacks;
  x->nest.stacks = st;
  return st;
}

cilk_seat_stack *cilk_seat_stack_take(cilk_worker *w, cilk_seat *s) {
  cilk_worker_ext *x = w->ext;
  cilk_seat_stack *st = x->nest.free_stacks;
  if (st) x->nest.free_stacks = st->next;
  else st = make(w);
  st->worker = w;
  st->seat = s;
  /* All that runs there is a part of s's nest. So what loops there keep in their frames is true whichever loop is below
   * the next time. */
  st->ground = (cilk_ground){
      .memory = st->memory,
      .head = st->memory.deque,
      .tail = st->memory.deque,
      .floor = st->memory.deque,
      .team = x->team,
      .seat = x->nest.seat,
      .seat_floor = x->nest.floor,
      .waiting = &s->nest->node,
      .until = &cilk_until_below,
      .stack = st,
  };
  return st;
}

void cilk_seat_stack_drop(cilk_seat_stack *st) {
  cilk_worker_ext *x = st->worker->ext;
  st->seat = NULL;
  if (st->runs) /* cilk_seat_stack_go drops it again */
    return;
  st->next = x->nest.free_stacks;
  x->nest.free_stacks = st;
}

void cilk_seat_stacks_free(cilk_worker_ext *x) {
  for (cilk_seat_stack *st = x->nest.stacks, *other; st; st = other) {
    other = st->other;
    cilk_deque_destroy(&st->memory);
    cilk_stack_destroy(&st->memory);
#ifdef CILK_TSAN
    if (st->fiber) __tsan_destroy_fiber(st->fiber);
#endif
    free(st);
  }
  x->nest.stacks = x->nest.free_stacks = NULL;
}

/* ---- the worker's fields ---- */

#define EXCHANGE(of_worker, of_ground) \
  do { \
    __typeof__(g->of_ground) was = x->of_worker; \
    x->of_worker = g->of_ground; \
    g->of_ground = was; \
  } while (0)

void cilk_seat_stack_exchange(cilk_seat_stack *st) {
  cilk_worker *w = st->worker;
  cilk_worker_ext *x = w->ext;
  cilk_ground *g = &st->ground;
  cilk_closure **head, **tail;
  cilk_worker_lock(w);
  if (x->requester) cilk_serve(w, NULL); /* a thief that asks for the head: no */
  head = load_relaxed(&x->head);
  tail = load_relaxed(&w->tail);
  store_relaxed(&x->head, g->head);
  store_release(&w->tail, g->tail); /* pairs with the thief's acquire */
  g->head = head;
  g->tail = tail;
  EXCHANGE(memory, memory);
  EXCHANGE(floor, floor);
  EXCHANGE(seg, seg);
  EXCHANGE(loop, loop);
  EXCHANGE(team, team);
  EXCHANGE(nest.seat, seat);
  EXCHANGE(nest.floor, seat_floor);
  EXCHANGE(wait.called, called);
  EXCHANGE(wait.root, waiting);
  EXCHANGE(wait.until, until);
  EXCHANGE(wait.outside, outside);
  EXCHANGE(wait.inlet, inlet);
  EXCHANGE(wait.inlet_above, inlet_above);
  EXCHANGE(nest.stack, stack);
  store_relaxed(&x->signal, 1u); /* the other side may have consumed a signal that was meant for this side */
  cilk_exc_update(w);
  cilk_worker_unlock(w);
  cilk_flag_raise(w);
}

/* All loops up to the first that C code began have that floor. */
void cilk_seat_stack_rebase(cilk_seat_stack *st, cilk_seat_stack *top, cilk_seat *floor) {
  cilk_seat_stack *lowest = NULL;
  for (cilk_seat_stack *q = top;; q = q->ground.stack) {
    if (q->first) lowest = q;
    if (q == st) break;
  }
  *lowest->first = floor;
  for (; lowest != st; lowest = lowest->ground.stack) lowest->ground.seat_floor = floor;
}

/* ---- C stacks ---- */

/* The code of `to` goes on, on the stack in `memory`: the sanitizers want to know that. */
static void change(void **from, void *to, const cilk_memory *memory, void *fiber) {
#ifdef CILK_ASAN
  void *fake = NULL;
  __sanitizer_start_switch_fiber(&fake, memory->stack_guard_end, memory->stack_map_bytes - CILK_GUARD_BYTES);
#endif
#ifdef CILK_TSAN
  __tsan_switch_to_fiber(fiber, 0);
#endif
  cilk_stack_switch(from, to);
#ifdef CILK_ASAN
  __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
  (void)memory, (void)fiber;
}

void cilk_seat_stack_away(cilk_seat_stack *st, cilk_seat_stack *top) {
  st->top = top;
  change(&st->here, st->below, &st->worker->ext->memory, st->fiber_below);
}

/* Its bottom. It is entered again for each seat. */
static void stack_main(void *stack) {
  cilk_seat_stack *st = stack;
#ifdef CILK_ASAN
  __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
  for (;;) {
    st->run(st);
    cilk_seat_stack_away(st, st);
  }
}

void cilk_seat_stack_go(cilk_worker *w, const cilk_seat_stack *here, const uint32_t *flag, uint32_t value,
    void (*run)(cilk_seat_stack *st)) {
  cilk_seat_stack *st = w->ext->nest.stack;
  while (st->ground.stack != here) st = st->ground.stack;
  if (!st->run) {
    st->top = st;
    st->here =
        cilk_arch_frame((char *)st->memory.stack_map + st->memory.stack_map_bytes, cilk_stack_bottom, stack_main, st);
#ifdef CILK_TSAN
    st->fiber = __tsan_create_fiber(0);
#endif
  }
  st->run = run;
  st->flag = flag;
  st->value = value;
  st->runs = true;
#ifdef CILK_TSAN
  st->fiber_below = __tsan_get_current_fiber();
#endif
  change(&st->below, st->here, &st->top->memory, st->top->fiber);
  if (!st->seat) { /* left, not set aside */
    st->runs = false;
    cilk_seat_stack_drop(st);
  }
}

/* ---- seats that were set aside ---- */

void cilk_seat_owe(cilk_seat *s) {
  cilk_worker_ext *x = s->stack->worker->ext;
  cilk_seat **end = &x->nest.due;
  while (*end) /* those that were due before come first */
    end = &(*end)->next;
  s->next = NULL;
  store_seq_cst(end, s); /* then the worker is woken: as with its inbox */
}

cilk_worker *cilk_seat_of_aside(cilk_nest *n) {
  cilk_context *ctx = n->node.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  cilk_seat *s = cilk_engine_paused(n->engine) ? NULL : n->aside;
  cilk_worker *home = s ? s->stack->worker : NULL; /* now: that worker may take it at once */
  if (s) {
    n->aside = s->next;
    cilk_seat_owe(s);
  }
  cilk_spin_unlock(&ctx->seats_lock);
  return home;
}

static bool suits(const cilk_worker_ext *x, const cilk_team *t, const cilk_seat *s) {
  return s->nest->outer == t && cilk_may_take(x, &s->nest->node);
}

cilk_seat *cilk_seat_due(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_spin_lock(&x->ctx->seats_lock);
  cilk_seat **at = &x->nest.due, *s;
  while ((s = *at) && !suits(x, x->team, s)) at = &s->next;
  if (s) store_relaxed(at, s->next);
  cilk_spin_unlock(&x->ctx->seats_lock);
  return s;
}

cilk_seat *cilk_seat_in_the_way(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_seat *found = NULL;
  uint32_t due = 0;
  cilk_spin_lock(&x->ctx->seats_lock);
  for (const cilk_seat *s = x->nest.due; s; s = s->next, due++)
    for (cilk_seat *mine = x->nest.floor; mine; mine = mine->below) {
      const cilk_ground *below = mine->stack ? &mine->stack->ground : NULL;
      if (below && s->nest->outer == below->team &&
          (below->outside || cilk_root_within(&s->nest->node, below->waiting)))
        found = mine;
    }
  cilk_spin_unlock(&x->ctx->seats_lock);
  return x->nest.passed <= due ? found : NULL;
}

bool cilk_seat_wanted(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  bool wanted = false;
  cilk_spin_lock(&x->ctx->seats_lock);
  for (const cilk_seat *s = x->nest.due; s; s = s->next) {
    wanted |= suits(x, x->team, s);
    for (cilk_seat *mine = x->nest.seat; mine != x->nest.floor; mine = mine->below)
      if (suits(x, mine->nest->outer, s)) {
        wanted = true;
        x->nest.leave = mine;
      }
  }
  cilk_spin_unlock(&x->ctx->seats_lock);
  return wanted;
}
