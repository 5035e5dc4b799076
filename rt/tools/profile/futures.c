/* futures.c - touches, which let the critical path jump from one instance to another.
 *
 * A future's end is kept from when its child is joined until its owner syncs, when all that follows is later anyway. A
 * touch goes on at the later of its own time and the future's end; for that each instance knows when it began. Futures
 * are found by a number that is in the object at the place of the list of waiting closures.
 *
 * With touches, the path is not given by one choice for each sync block. So the first run logs when instances
 * begin and end, syncs and touches, and which end each sync or touch waited for. Read backwards from the end of the
 * program, the log says of every strand whether it is on the path: at a touch that waited the path leaves the instance
 * and comes back at the end of the future's child. Where a sync waited for inlets in turn, all of these are on it. The
 * second run has a bit for each strand. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "profile.h"
#include "rt/core/abi.h"

bool profile_log;
#define top profile_top

/* ---- the log: kind, mark, and what it waited for: the number of an entry, an END, + 1; of a begin and an end, whether
 * the instance was spawned, 2 where an inlet takes its result; of a sync, an enum profile_waited. Before an inlet there
 * are two entries of the kind of a sync: between them is a bit that says whether it is on the path as one of several in
 * turn ---- */

enum { BEGIN, END, SYNC, TOUCH, KIND = 3, CHOSEN = 4, WAITED_FOR = 8, DATA = 4 };
static uint32_t *entries, *bits;
static size_t count, limit, known_words;
static bool knows;

void profile_futures_start(void) {
  profile_log = true;
  if (knows) return;
  for (limit = (size_t)1 << 27;; limit /= 2) {
    entries =
        mmap(NULL, limit * sizeof *entries, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (entries != MAP_FAILED) return;
    if (limit < 1024) profile_fail("out of memory");
  }
}

void profile_log_know(const uint32_t *read, size_t words) {
  knows = true;
  bits = (uint32_t *)(uintptr_t)read;
  known_words = words;
}

bool profile_on(void) { return knows && count / 32 < known_words && bits[count / 32] >> count % 32 & 1; }

/* Returns its number + 1. */
static size_t add(uint32_t kind, size_t data) {
  if (!knows) {
    if (count == limit) profile_totals.lost = true;
    else if (!profile_totals.lost) entries[count] = kind | (uint32_t)data << DATA;
  }
  return ++count;
}

enum { INLET_NEXT = PROFILE_WAITS, INLET };

void profile_log_begin(bool spawned) { add(BEGIN, spawned); }
uint64_t profile_log_end(bool spawned, bool inlet) { return add(END, spawned + (spawned && inlet)); }
void profile_log_sync(enum profile_waited waited, uint64_t left) {
  if ((waited == PROFILE_LONGEST || waited == PROFILE_FIRST) && !knows && !profile_totals.lost)
    entries[left - 1] |= CHOSEN;
  add(SYNC, waited);
}

bool profile_log_inlet(void) {
  add(SYNC, INLET_NEXT);
  bool in_turn = profile_on();
  add(SYNC, INLET);
  return in_turn;
}

size_t profile_log_words(void) { return count / 32 + 1; }
const uint32_t *profile_log_bits(void) { return bits; }

/* An instance at a point of the program: is its strand on the path; does the path come from the child for which its
 * next sync waited, or from all inlets before that? Of a child whose inlet runs: is the child on the path, its inlet as
 * one of several? */
typedef struct place {
  bool on, from_child, inlets, child, in_turn;
} place;

void profile_log_finish(void) {
  if (knows || profile_totals.lost) return;
  size_t depth = 0, room = 1024;
  place *stack = malloc(room * sizeof *stack);
  bits = calloc(profile_log_words(), sizeof *bits);
  if (!stack || !bits) profile_fail("out of memory");
  stack[0] = (place){.on = true};
  for (size_t i = count;; i--) {
    if (stack[depth].on) bits[i / 32] |= 1u << i % 32;
    if (!i) break;
    uint32_t e = entries[i - 1], data = e >> DATA;
    place *here = &stack[depth];
    switch (e & KIND) {
      case END: {
        bool on = data ? (e & CHOSEN && here->from_child) || (e & WAITED_FOR) : here->on;
        bool in_turn = data == 2 && here->inlets;
        if (data && e & CHOSEN) here->from_child = false;
        if (++depth == room && !(stack = realloc(stack, (room *= 2) * sizeof *stack))) profile_fail("out of memory");
        stack[depth] = (place){.on = on || in_turn, .child = on, .in_turn = in_turn};
        break;
      }
      case BEGIN:
        depth--;
        stack[depth].on = here->on || (data && stack[depth].on);
        break;
      case SYNC:
        if (data == INLET) here->on = here->in_turn;
        else if (data == INLET_NEXT) here->on = here->child;
        else {
          here->inlets = here->on && (data == PROFILE_INLETS || data == PROFILE_FIRST);
          if (here->on && (data == PROFILE_LONGEST || data == PROFILE_FIRST)) {
            here->on = false;
            here->from_child = true;
          }
        }
        break;
      case TOUCH:
        if (data && here->on) {
          here->on = false;
          entries[data - 1] |= WAITED_FOR;
        }
        break;
    }
  }
  free(stack);
}

/* ---- futures ---- */

typedef struct future {
  cilk_future *object; /* null: not in use */
  uint64_t end, burdened_end; /* from the begin of the program */
  size_t left; /* the END of its child */
  const site *from; /* the child, for the dag */
  const procedure *of;
  uint64_t owner, number;
  uint64_t *ends; /* of the changed programs */
  uint32_t next; /* of the owner's, or of those not in use */
} future;
static future *futures;
static uint32_t nfutures = 1, room, unused;

static future *of_object(const cilk_future *object) {
  uintptr_t n = (uintptr_t)object->waiters;
  return n && n < nfutures && futures[n].object == object ? &futures[n] : NULL;
}

void cilk_profile_filled(void *p) {
  cilk_future *object = p;
  uint32_t n = unused;
  if (n) unused = futures[n].next;
  else {
    if (nfutures >= room && !(futures = realloc(futures, (room = room ? 2 * room : 256) * sizeof *futures)))
      profile_fail("out of memory");
    n = nfutures++;
    futures[n].ends = profile_settings.nchanges ? malloc(profile_settings.nchanges * sizeof *futures[n].ends) : NULL;
    if (profile_settings.nchanges && !futures[n].ends) profile_fail("out of memory");
  }
  futures[n].object = object;
  object->waiters = (cilk_link *)(uintptr_t)n;
  object->state = CILK_FUTURE_FULL;
  top->fills = n;
  futures[n].from = top->from;
  futures[n].of = top->of;
  if (profile_dag) profile_dag_future(&futures[n].owner, &futures[n].number);
}

/* Its END is the last entry of the log. */
void profile_futures_joined(frame *child, frame *owner) {
  future *f = &futures[child->fills];
  f->end = owner->start + owner->prefix + child->prefix;
  f->burdened_end = owner->burdened_start + owner->burdened_prefix + child->burdened_prefix + profile_settings.burden;
  f->left = count;
  for (unsigned i = 0; i < profile_settings.nchanges; i++) {
    const path *p = &profile_paths_of(owner)[i];
    f->ends[i] = p->start + p->prefix + profile_paths_of(child)[i].prefix;
  }
  f->next = owner->futures;
  owner->futures = child->fills;
}

void profile_futures_synched(frame *f) {
  for (uint32_t n = f->futures, next; n; n = next) {
    next = futures[n].next;
    futures[n].object = NULL;
    futures[n].next = unused;
    unused = n;
  }
  f->futures = 0;
}

/* The later of both, from the begin of the instance. */
static bool later(uint64_t *prefix, uint64_t start, uint64_t end) {
  if (end <= start + *prefix) return false;
  *prefix = end - start;
  return true;
}

static bool wait_for(const future *f) {
  later(&top->burdened_prefix, top->burdened_start, f->burdened_end);
  for (unsigned i = 0; i < profile_settings.nchanges; i++) {
    path *p = &profile_paths_of(top)[i];
    later(&p->prefix, p->start, f->ends[i]);
  }
  return later(&top->prefix, top->start, f->end);
}

void cilk_profile_touch(const void *p, uint64_t size, cilk_profile_touched *at, uint64_t units) {
  profile_strand_ends(units);
  const future *waited = NULL;
  if (at) {
    const cilk_future *object = p;
    if (object->state == CILK_FUTURE_EMPTY) cilk_rt_touch_empty((cilk_future *)(uintptr_t)object);
    const future *f = of_object(object);
    if (f && wait_for(f)) waited = f;
    if (f && profile_dag) profile_dag_touch(f->from, f->of, f->owner, f->number, waited != NULL);
    at->count++;
    at->waits += waited != NULL;
  } else {
    for (uint32_t n = top->futures; n; n = futures[n].next) {
      const char *object = (const char *)futures[n].object;
      if (object >= (const char *)p && object < (const char *)p + size && wait_for(&futures[n])) waited = &futures[n];
    }
  }
  if (profile_log) add(TOUCH, waited ? waited->left : 0);
  profile_strand_begins();
}
