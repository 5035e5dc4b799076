/* history.c - places whose accesses do not fit into a slot: a history has all that still count.
 *
 * Such are places under locks, of deliveries and of atomic accesses. If all accesses hold one lock, a few of them
 * settle all further ones (note_settled).
 */
#include <stdlib.h>
#include <string.h>
#include "cells.h"

static void push(struct byte *b, int32_t record, uint32_t kind) {
  struct history *h = b->history;
  if (!h || h->count == h->room) {
    uint32_t room = h ? 2 * h->room : 4;
    struct history *n = realloc(h, sizeof *h + room * sizeof *h->events);
    if (!n) race_die("out of memory");
    if (!h) n->count = n->bare = n->common = n->closed = n->looked = 0;
    n->room = room;
    b->history = h = n;
  }
  h->settled = 0;
  uint32_t locks = race_nodes[race_records[record].by].locks;
  struct event e = {record, kind, locks};
  if (locks) {
    h->common = h->count > h->bare ? race_locks_both(h->common, locks) : locks;
    h->events[h->count++] = e;
    return;
  }
  h->events[h->count++] = h->events[h->bare];
  h->events[h->bare++] = e;
}

/* ENOUGH events after the bare ones had, but for the common locks, no lock with each other. Take a strand that holds
 * none of the common ones, and fewer than ENOUGH locks. Such a strand meets at least one of these events with no lock
 * in common. So if these events are parallel to a further access under all common locks, and of its kind, that need not
 * be kept. (What is parallel to it is parallel to them.) The same holds for a single event under the common locks
 * alone. It makes histories short where each account is locked together with each other one. */
enum { ENOUGH = 8 };
static bool is_witness(const struct event *e, int kind) {
  node by = race_records[e->record].by;
  return (int)e->kind >= kind && own_code(&race_nodes[by]) && race_relation(by) == RACE_PARALLEL;
}

static void swap(struct event *a, struct event *b) {
  struct event e = *a;
  *a = *b;
  *b = e;
}

/* Puts such events, if there are any, before all others that are not bare. Looked for once in an order. */
static bool gather(struct history *h, int kind) {
  struct event *e = h->events + h->bare;
  uint32_t n = h->count - h->bare, found = 0;
  if (h->looked == h->count && h->looked_in == (uint32_t)race_order) return false;
  h->looked = h->count;
  h->looked_in = (uint32_t)race_order;
  for (uint32_t i = 0; i < n && found < ENOUGH; i++) {
    if (!is_witness(&e[i], kind)) continue;
    if (e[i].locks == h->common) {
      swap(&e[0], &e[i]);
      return true;
    }
    uint32_t k = 0;
    while (k < found && race_locks_both(e[i].locks, e[k].locks) == h->common) k++;
    if (k == found) swap(&e[found++], &e[i]);
  }
  if (found == ENOUGH) h->closed = h->count;
  return found == ENOUGH;
}

/* How many events make it, from *first on; 0: it does not hold. */
static uint32_t enough(struct history *h, int kind, const struct event **first) {
  const struct event *e = *first = h->events + h->bare;
  if (h->count == h->bare) return 0;
  for (int tries = 0;; tries++) {
    if (e->locks == h->common && is_witness(e, kind)) return 1;
    uint32_t n = 0;
    if (h->closed == h->count && race_locks_most < ENOUGH)
      while (n < ENOUGH && is_witness(&e[n], kind)) n++;
    if (n == ENOUGH) return n;
    if (tries || !gather(h, kind)) return 0;
  }
}

/* An access under `lock` to a place where all but the bare events held it, too, the bare ones precede it, and enough()
 * holds: there is nothing to find and nothing to keep. Whether it does is remembered until one of these bags changes:
 * those that lie in the bags of deeper frames do so first, so one frame stands for all. */
static void note_settled(struct history *h, int kind, const struct event *witnesses, uint32_t count) {
  h->lock = race_locks_single(h->common);
  if (!h->lock || race_frame->delivering || race_any_started || race_any_future) return;
  h->parallel_in = h->serial_in = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t in = race_nodes[race_root(race_records[witnesses[i].record].by)].holder;
    if (in > h->parallel_in) h->parallel_in = in;
  }
  for (uint32_t i = 0; i < h->bare; i++) {
    uint32_t in = race_nodes[race_root(race_records[h->events[i].record].by)].holder;
    if (in > h->serial_in) h->serial_in = in;
  }
  h->parallel_since = race_stamped(&race_frames[h->parallel_in], &race_frames[h->parallel_in].poured);
  h->serial_since = race_stamped(&race_frames[h->serial_in], &race_frames[h->serial_in].began);
  h->settled_kind = (uint32_t)kind;
  h->settled = h->count;
}

bool race_settled_by_locks(const struct history *h, int kind) {
  return h && h->settled && h->settled == h->count && (int)h->settled_kind >= kind &&
         race_frames[h->parallel_in].poured == h->parallel_since &&
         (!h->bare || race_frames[h->serial_in].began == h->serial_since) && race_locks_most < ENOUGH &&
         race_holds(h->lock);
}

/* Where a history has an event of a kind under certain locks, if it is known. */
enum { KNOWN_EVENTS = 1 << 15 };
static uint32_t known_events[KNOWN_EVENTS];

/* The same locks were held at an earlier access of this kind, and every other access that may be parallel held one of
 * them, too: nothing can be found, and nothing new is to be kept. */
static inline bool guarded(struct byte *b, struct access *x) {
  struct history *h = b->history;
  const struct node_info *now = x->info;
  int kind = x->kind;
  if (!h->common || !own_code(now) || h->bare > 4 || !race_locks_meet(h->common, now->locks)) return false;
  for (uint32_t i = 0; i < h->bare; i++)
    if (is_parallel(h->events[i].record)) return false;
  const struct event *witnesses;
  uint32_t n = race_locks_within(h->common, now->locks) ? enough(h, kind, &witnesses) : 0;
  if (n) {
    note_settled(h, kind, witnesses, n);
    return true;
  }
  uint32_t *known = &known_events[((uintptr_t)h >> 4 ^ (uint64_t)now->locks * UINT64_C(0x9E3779B1) ^ (uint32_t)kind) &
                                  (KNOWN_EVENTS - 1)],
           i = *known;
  if (i >= h->count || h->events[i].locks != now->locks || (int)h->events[i].kind < kind) {
    for (i = 0; i < h->count && (h->events[i].locks != now->locks || (int)h->events[i].kind < kind); i++);
    if (i == h->count) {
      push(b, recorded(x), (uint32_t)kind);
      *known = b->history->count - 1;
      return true;
    }
    *known = i;
  }
  struct event *e = &h->events[i];
  node by = race_records[e->record].by;
  int relation = race_relation(by);
  if (!own_code(&race_nodes[by]) || relation == RACE_FUTURE) return false;
  if (relation == RACE_SERIAL && (int)e->kind == kind) {
    e->record = recorded(x);
    h->settled = 0;
  }
  return (int)e->kind == kind || relation == RACE_PARALLEL;
}

/* Reads without locks that lie in one bag of a future or a thread have one fate from now on: one of them is enough. A
 * table of the bags of one look at a history. */
enum { ALIKE = 32 };

static bool is_alike(node *table, const struct event *e, const struct node_info *info, node by) {
  if (e->kind || e->locks || !own_code(info)) return false;
  node bag = race_root(by), *known = &table[bag % ALIKE];
  if (*known == bag) return true;
  *known = bag;
  return false;
}

void race_history_add(struct byte *b, struct access *x) {
  if (!b->history) {
    struct slot s = b->slot;
    b->slot = (struct slot){0, 0};
    if (s.writer) push(b, s.writer, CILK_RACE_WRITE);
    if (s.reader) push(b, s.reader, CILK_RACE_READ);
  }
  if (guarded(b, x)) return;
  int kind = x->kind;
  struct history *h = b->history;
  uint32_t kept = 0, bare = h->bare;
  bool needed = true;
  node alike[ALIKE] = {0};
  for (uint32_t i = 0; i < h->count; i++) {
    struct event e = h->events[i];
    node by = race_records[e.record].by;
    const struct node_info *info = &race_nodes[by];
    int relation = race_relation(by);
    bool stays = true;
    if (by == x->by) { /* the same code under the same locks */
      if ((int)e.kind >= kind && relation == RACE_SERIAL) needed = false;
      else if ((int)e.kind <= kind) stays = false;
    } else if (relation != RACE_SERIAL) {
      bool race = (e.kind | (uint32_t)kind) && race_between(info, x->info);
      if (race) report_pair(e.record, x);
      if ((int)e.kind >= kind && covers(relation, info, x->info)) needed = false;
      /* this place is known to be racy: one of both will do */
      else if (race && (int)e.kind <= kind) stays = false;
      else if (relation == RACE_FUTURE && is_alike(alike, &e, info, by)) stays = false;
    } else if ((int)e.kind >= kind && includes(info, x->info)) needed = false;
    else if ((int)e.kind <= kind && gives_way(info, x->info)) stays = false;
    if (stays) h->events[kept++] = e;
    else if (i < bare) h->bare--;
  }
  h->count = kept;
  h->closed = h->settled = 0;
  if (needed) push(b, recorded(x), (uint32_t)kind);
  h = b->history;
  int32_t w = 0, rd = 0; /* back into a slot, where it fits */
  for (uint32_t i = 0; i < h->count; i++) {
    int32_t *to = h->events[i].kind ? &w : &rd;
    if (*to) return;
    *to = h->events[i].record;
  }
  free(h);
  b->history = NULL;
  b->slot = (struct slot){w, rd};
}
