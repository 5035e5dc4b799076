/* futures.c - touches, which order what spawns and syncs do not.
 *
 * The child of a future that has ended is a bag of its own, not a part of its parent's P-bag: parallel to the running
 * code, unless the code *knows* the future. A toucher does, and knows what the child knew at its end. A child begins
 * with what its parent knows, and what it came to know is its parent's at the sync. The parent's own touch, and its
 * sync, pour the bag into S, and that is the end of it.
 *
 * Why that is all: children end before their parent does, so a future is touched by descendants of its owner that began
 * after it. What was before the future's spawn is before them without the touch. So a touch adds the future's own
 * subtree, which is one bag, and what touches had added to that.
 *
 * What is known is a set of futures, often a large one. An owner's futures are in chains, in which each knows the one
 * before. So knowing a future means knowing those before it in the chain. A set has one number for each chain: the
 * furthest that is known. Pipelines and wavefronts have as many chains as stages or rows. Sets do not change once they
 * are made, and are shared.
 *
 * A program may make a million futures of one instance before it syncs: a call of a function that spawns is one, too.
 * So nothing walks over all of an owner's futures or chains but the sync that ends them. The next future takes the
 * place of one that its owner alone has touched.
 *
 * An earlier reader in such a bag does not stand for a later one beside it (cells.h, covers): a procedure may touch
 * the one and not the other. */
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/core/abi.h"
#include "rt/core/base/array.h"

struct future {
  const void *object;           /* a cilk_future, or a flag of what is done once; null: not in use */
  node bag;                     /* of its child, 0: empty */
  const race_set *known;        /* by the child at its end */
  uint32_t chain, place;
  uint32_t before, next;        /* of the owner's futures; next: or of free ones */
  uint32_t owner;               /* frame */
  bool shared;                  /* another instance has touched it: sets may have its place */
};
static struct future *futures;  /* [0]: none, which is never known */
static uint32_t future_count = 1, future_room, free_future;

struct chain {
  uint32_t last, owner, before, next;
};        /* places are 1 .. last; before, next: of the owner's */
static struct chain *chains;
static uint32_t chain_count = 1, chain_room, free_chain;

bool race_any_future;

#define make_room(array, n, room) (CILK_ROOM_FOR(array, n, room, 256) ? (void)0 : race_die("out of memory"))

/* ---- sets ---- */

struct item {
  uint32_t chain, place;
};
struct race_set {
  uint32_t shares, count;
  struct item items[];
};        /* by chain, ascending */
static uint64_t set_bytes;

static race_set *new_set(uint32_t room) {
  race_set *s = malloc(sizeof *s + room * sizeof *s->items);
  if (!s) race_die("out of memory");
  s->shares = 1;
  s->count = 0;
  return s;
}

const race_set *race_set_share(const race_set *s) {
  if (s) ((race_set *)(uintptr_t)s)->shares++;
  return s;
}
void race_set_drop(const race_set *s) {
  race_set *own = (race_set *)(uintptr_t)s;
  if (own && !--own->shares) {
    set_bytes -= sizeof *own + own->count * sizeof *own->items;
    free(own);
  }
}
static const race_set *finished(race_set *s) {
  set_bytes += sizeof *s + s->count * sizeof *s->items;
  if (s->count) return s;
  race_set_drop(s);
  return NULL;
}

static uint32_t place_in(const race_set *s, uint32_t chain) {
  uint32_t low = 0, high = s ? s->count : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->items[middle].chain < chain) low = middle + 1;
    else high = middle;
  }
  return s && low < s->count && s->items[low].chain == chain ? s->items[low].place : 0;
}

static bool within(const race_set *a, const race_set *b) {
  uint32_t k = 0;
  for (uint32_t i = 0; a && a != b && i < a->count; i++) {
    while (b && k < b->count && b->items[k].chain < a->items[i].chain) k++;
    if (!b || k == b->count || b->items[k].chain != a->items[i].chain || b->items[k].place < a->items[i].place)
      return false;
  }
  return true;
}

/* *s becomes the union. */
static void add_set(const race_set **s, const race_set *more) {
  const race_set *old = *s;
  if (within(more, old)) return;
  if (within(old, more)) *s = race_set_share(more);
  else {
    race_set *n = new_set(old->count + more->count);
    for (uint32_t i = 0, k = 0; i < old->count || k < more->count;) {
      if (k == more->count || (i < old->count && old->items[i].chain < more->items[k].chain))
        n->items[n->count++] = old->items[i++];
      else if (i == old->count || more->items[k].chain < old->items[i].chain) n->items[n->count++] = more->items[k++];
      else {
        n->items[n->count++] = old->items[i].place > more->items[k].place ? old->items[i] : more->items[k];
        i++, k++;
      }
    }
    *s = finished(n);
  }
  race_set_drop(old);
}

static void add_item(const race_set **s, uint32_t chain, uint32_t place) {
  race_set *one = new_set(1);
  one->items[one->count++] = (struct item){chain, place};
  const race_set *more = finished(one);
  add_set(s, more);
  race_set_drop(more);
}

/* ---- futures ---- */

bool (*race_thread_precedes)(uint32_t strand);
const site *(*race_thread_spawned)(uint32_t *thread);

bool race_known(uint32_t future) {
  if (future & (uint32_t)RACE_OF_THREAD) return race_thread_precedes(future);
  const struct future *f = &futures[future];
  return future && place_in(race_frame->known, f->chain) >= f->place;
}

uint64_t race_futures_memory(void) { return future_count * sizeof *futures + chain_count * sizeof *chains + set_bytes; }

/* Its number is in the object, at the place of the list of waiting closures. */
static struct future *of_object(const cilk_future *object) {
  uintptr_t n = (uintptr_t)object->waiters;
  struct future *f = n < future_count ? &futures[n] : NULL;
  return f && f->object == object ? f : NULL;
}

uint32_t race_new_future(const void *object) {
  race_any_future = true;
  uint32_t n = free_future;
  if (n) free_future = futures[n].next;
  else {
    make_room(futures, future_count, future_room);
    if (future_count == 1) futures[0] = (struct future){0};
    n = future_count++;
  }
  futures[n] = (struct future){.object = object};
  return n;
}

/* The child of the running frame's parent. */
void cilk_race_filled(void *p, site *at) {
  if (race_outside()) return;
  cilk_future *object = p;
  uint32_t n = race_new_future(object);
  object->waiters = (cilk_link *)(uintptr_t)n;
  object->state = CILK_FUTURE_FULL;
  race_access(&object->state, sizeof object->state, at, CILK_RACE_WRITE);
  race_frame->fills = n;
}

static uint32_t number_of(const struct frame *f) { return (uint32_t)(f - race_frames); }

/* Adds to *s what `more` says of futures that are not the owner's own: after its sync they are in S. */
static void add_others(const race_set **s, const race_set *more, const struct frame *owner) {
  if (!more) return;
  race_set *rest = new_set(more->count);
  for (uint32_t i = 0; i < more->count; i++)
    if (chains[more->items[i].chain].owner != number_of(owner)) rest->items[rest->count++] = more->items[i];
  const race_set *others = finished(rest);
  add_set(s, others);
  race_set_drop(others);
}

/* What the child of `of` that has ended knows is its own from the sync on. */
void race_learned(struct frame *child, struct frame *of) {
  if (child->known != of->known) add_others(&of->gained, child->known, of);
}

/* A chain of the owner's that goes on after what was known to the future: the one whose last place is in the set. Of
 * the two lists the shorter one is walked over. 0: none. */
static uint32_t chain_after(const race_set *known, const struct frame *owner) {
  uint32_t c = owner->chains;
  for (uint32_t i = 0; known && i < known->count && c; i++, c = chains[c].next) {
    const struct item *at = &known->items[i];
    if (chains[at->chain].owner == number_of(owner) && chains[at->chain].last == at->place) return at->chain;
    if (place_in(known, c) == chains[c].last) return c;
  }
  return 0;
}

static uint32_t new_chain(struct frame *owner) {
  uint32_t c = free_chain;
  if (c) free_chain = chains[c].next;
  else {
    make_room(chains, chain_count, chain_room);
    c = chain_count++;
  }
  chains[c] = (struct chain){.owner = number_of(owner), .next = owner->chains};
  if (owner->chains) chains[owner->chains].before = c;
  return owner->chains = c;
}

static void free_the_chain(uint32_t c) {
  chains[c] = (struct chain){.next = free_chain};
  free_chain = c;
}

void race_future_ended(struct frame *child, struct frame *owner, node bag) {
  struct future *f = &futures[child->fills];
  f->owner = number_of(owner);
  f->bag = bag;
  f->known = child->known;
  child->known = NULL;
  f->chain = chain_after(f->known, owner);
  if (!f->chain) f->chain = new_chain(owner);
  f->place = ++chains[f->chain].last;
  f->next = owner->futures;
  if (f->next) futures[f->next].before = child->fills;
  owner->futures = child->fills;
}

static void forget(uint32_t n) {
  race_set_drop(futures[n].known);
  futures[n] = (struct future){.next = free_future};
  free_future = n;
}

/* The owner's sync. No other running instance can know its futures. */
void race_futures_synched(struct frame *owner) {
  const race_set *all = NULL;
  add_others(&all, owner->known, owner);
  add_set(&all, owner->gained);
  for (uint32_t n = owner->futures, next; n; n = next) {
    next = futures[n].next;
    race_pour_bag(owner, futures[n].bag);
    add_others(&all, futures[n].known, owner);
    forget(n);
  }
  owner->futures = 0;
  for (uint32_t c = owner->chains, next; c; c = next) {
    next = chains[c].next;
    free_the_chain(c);
  }
  owner->chains = 0;
  race_set_drop(owner->gained);
  race_set_drop(owner->known);
  owner->gained = NULL;
  owner->known = all;
}

/* After a true SYNCHED of a delivery, until the child is joined (bags.c). */
void race_futures_alone(struct frame *of, struct frame *delivery) {
  if (delivery) add_set(&delivery->known, of->gained);
  for (uint32_t n = of->futures; n; n = futures[n].next) {
    if (delivery) add_set(&delivery->known, futures[n].known);
    if (futures[n].bag) race_nodes[race_root(futures[n].bag)].parallel = delivery ? RACE_SERIAL : RACE_FUTURE;
  }
}

static void own_touch(struct future *f) {
  struct frame *me = race_frame;
  uint32_t n = (uint32_t)(f - futures);
  race_pour_bag(me, f->bag);
  add_set(&me->known, f->known);
  if (f->before) futures[f->before].next = f->next;
  else me->futures = f->next;
  if (f->next) futures[f->next].before = f->before;
  if (!f->shared && !--chains[f->chain].last) {         /* no set has the place, so the chain may end with it */
    struct chain *c = &chains[f->chain];
    if (c->before) chains[c->before].next = c->next;
    else me->chains = c->next;
    if (c->next) chains[c->next].before = c->before;
    free_the_chain(f->chain);
  }
  forget(n);
}

static void touched(struct future *f) {
  race_new_orders();
  if (f->owner == number_of(race_frame)) own_touch(f);
  else {
    f->shared = true;
    add_set(&race_frame->known, f->known);
    add_item(&race_frame->known, f->chain, f->place);
  }
}

void cilk_race_touch(const void *p, site *at) {
  const cilk_future *object = p;
  if (race_outside()) return;
  if (object->state == CILK_FUTURE_EMPTY) cilk_rt_touch_empty((cilk_future *)(uintptr_t)object);
  struct future *f = of_object(object);
  if (f) touched(f);
  race_access(&object->state, sizeof object->state, at, CILK_RACE_READ);
}

/* The declaration comes again: its owner waits for what was spawned into it before. */
void cilk_race_renew(const void *p, size_t size) {
  for (const char *at = p; at + CILK_FUTURE_HEADER <= (const char *)p + size; at += _Alignof(cilk_future)) {
    struct future *f = of_object((const cilk_future *)(const void *)at);
    if (!f || f->owner != number_of(race_frame)) continue;
    race_new_orders();
    own_touch(f);
  }
}

/* A strand asks for what is done once, and it was done. */
void race_once_again(const void *flag) {
  for (uint32_t n = race_frames[1].futures; n; n = futures[n].next)
    if (futures[n].object == flag) {
      touched(&futures[n]);
      return;
    }
}

void race_future_bags(void (*visit)(node *)) {
  for (uint32_t i = 1; i < future_count; i++)
    if (futures[i].object) visit(&futures[i].bag);
}
