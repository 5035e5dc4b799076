/* atomics.c - updates of atomic objects in two steps: `n = n + 1` reads and writes, and what another strand writes
 * between the two is lost. No data race, so a note.
 *
 * The compiler marks the writes (CILK_RACE_SPLIT). A table has the last atomic write of each place, or an earlier one
 * that is parallel to it or marked; of two places that meet in the table the later one is remembered. A marked write
 * and another one that are parallel, with no lock in common, are reported.
 */
#include <string.h>
#include "race.h"

enum { WRITES = 1024 };
static struct write {
  uintptr_t p;
  site *at;
  node by;
} writes[WRITES];
static uintptr_t low = UINTPTR_MAX, high;      /* where their places are */

static bool marked(const site *at) { return at->use & CILK_RACE_SPLIT; }

void race_atomic_write(const void *at_place, size_t n, site *at) {
  uintptr_t p = (uintptr_t)at_place;
  struct write *w = &writes[(p ^ p >> 12) >> 2 & (WRITES - 1)];
  node by = race_node_now();
  bool parallel = w->p == p && w->by && race_nodes[w->by].owner != race_nodes[by].owner && race_in_parallel(w->by);
  if (parallel && (marked(w->at) || marked(at)) && !race_locks_meet(race_nodes[w->by].locks, race_nodes[by].locks)) {
    struct record earlier = {w->at, w->by, CILK_RACE_WRITE}, later = {at, by, CILK_RACE_WRITE};
    race_found(RACE_SPLIT, at_place, n, &earlier, &later);
  }
  if (parallel && marked(w->at)) return;
  *w = (struct write){p, at, by};
  if (p < low) low = p;
  if (p >= high) high = p + 1;
}

/* Memory begins a new life. */
void race_atomics_cleared(const void *p, size_t n) {
  uintptr_t from = (uintptr_t)p, end = from + n;
  if (from >= high || end <= low) return;
  for (int i = 0; i < WRITES; i++)
    if (writes[i].p >= from && writes[i].p < end) writes[i] = (struct write){0};
}

void race_atomic_nodes(void (*visit)(node *)) {
  for (int i = 0; i < WRITES; i++) visit(&writes[i].by);
}
