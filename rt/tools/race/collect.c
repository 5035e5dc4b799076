/* collect.c - records and nodes that nothing refers to are taken out. So the detector's memory is bounded by what the
 * program has, not by how long the program runs.
 *
 * A record is needed as long as a cell, or a history, holds its number. A node is needed as long as a needed record or
 * a frame refers to it. The nodes of the instances around that node are needed, too: reports name these instances.
 * Numbers of records grow with time, and the tests compare them: what stays is numbered
 * again in the same order, and so are the nodes. The bags become flat: each needed node is directly below one of its
 * bag.
 *
 * The cells are gone through twice, once to mark and once to write the new numbers: those of the granules of shadow
 * that an access has written to (`touched`). A collection is due when enough was made since the last one: as much as
 * was left then, or as half of the memory that has shadow. So the cost of a collection stays in proportion to what was
 * done in between. A collection happens before an access or between instances, where only the structures below hold
 * numbers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "race.h"
#include "rt/core/base/array.h"

enum { LEAST = 2 * 1024 * 1024 };

/* ---- granules of shadow ---- */

uint8_t *race_touched;                        /* one for each granule of shadow: an access wrote there */
static uint32_t *granules, granule_count, granule_room;

void race_collect_start(void) {
  race_touched = race_reserve((CILK_RACE_MASK + 1) * 2 / RACE_GRANULE, 0, "the parts of the shadow");
}

void race_touch_granule(const void *cell) {
  uint32_t n = (uint32_t)(((uintptr_t)cell - CILK_RACE_SHADOW) / RACE_GRANULE);
  race_touched[n] = 1;
  if (!CILK_ROOM_FOR(granules, granule_count, granule_room, 256)) race_die("out of memory");
  granules[granule_count++] = n;
}

static int32_t *cells_of(uint32_t granule) { return (int32_t *)(CILK_RACE_SHADOW + (uint64_t)granule * RACE_GRANULE); }
enum { WORDS = RACE_GRANULE / sizeof(int32_t) };   /* a cell: the writer, the reader */

/* ---- records ---- */

static int32_t *moved;                        /* of each record: marked (-1); then its new number, 0: none */

static void mark_record(int32_t *at) {
  if (*at != INT32_MAX) moved[*at] = -1;
}
static void move_record(int32_t *at) {
  if (*at != INT32_MAX) *at = moved[*at];
}

/* All numbers of records in the shadow; in granules without one, the memory is given back. */
static void each_record(void (*visit)(int32_t *), bool sweep) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < granule_count; i++) {
    int32_t *words = cells_of(granules[i]), used = 0;
    for (int k = 0; k < WORDS; k++) {
      int32_t *at = &words[k];
      if (sweep && *at > 0 && *at < race_state.past) *at = 0;   /* nothing races with it any more */
      if (!*at) continue;
      used = 1;
      if (*at > 0) visit(at);
      else race_extension_records(-*at, visit);
    }
    if (!used && sweep) {
      madvise(words, RACE_GRANULE, MADV_DONTNEED);
      race_touched[granules[i]] = 0;
    } else granules[kept++] = granules[i];
  }
  granule_count = kept;
}

/* ---- nodes ---- */

static node *new_number, *root_of;            /* of each node; new_number 1: marked, while marking */

void race_mark_node(node *at) {
  for (node n = *at; n && !new_number[n]; n = race_nodes[n].home) {
    new_number[n] = 1;
    node owner = race_nodes[n].owner;
    if (owner && owner != n) race_mark_node(&owner);
  }
}
void race_move_node(node *at) { *at = new_number[*at]; }

/* A bag is known by any node of it; 0: none of it is needed. */
void race_move_bag(node *at) { *at = *at ? new_number[race_nodes[root_of[*at]].home] : 0; }

static void each_node(void (*visit)(node *)) {
  race_frame_nodes(visit);
  race_atomic_nodes(visit);
}

static void *temporary(size_t bytes) {
  void *p = calloc(1, bytes);
  if (!p) race_die("out of memory");
  return p;
}

/* Which nodes stay, in which bag each is, and which of them represents the bag: it is noted in the root's `home`,
 * when homes have been read. */
static node settle_bags(node count) {
  node kept = 0;
  for (node n = 1; n < count; n++) root_of[n] = race_root(n);
  for (node n = 1; n < count; n++) new_number[n] = new_number[n] ? ++kept : 0;
  return kept + 1;
}

static void move_nodes(node count) {
  node *home = temporary(count * sizeof *home);
  for (node n = 1; n < count; n++) home[n] = new_number[race_nodes[n].home];
  for (node n = 1; n < count; n++) race_nodes[n].home = 0;
  for (node n = 1; n < count; n++) {          /* the first that stays stands for the bag */
    struct node_info *root = &race_nodes[root_of[n]];
    if (!new_number[n] || root->home) continue;
    root->home = n;
    race_nodes[n].parallel = root->parallel;
    race_nodes[n].holder = root->holder;
  }
  race_frame_bags(race_move_bag);
  race_future_bags(race_move_bag);
  if (race_started_bags) race_started_bags(race_move_bag);
  if (race_thread_bags) race_thread_bags(race_move_bag);
  /* from here on: the node that represents its bag, by its old number */
  for (node n = 1; n < count; n++) root_of[n] = race_nodes[root_of[n]].home;
  for (node n = 1; n < count; n++) {
    node to = new_number[n];
    if (!to) continue;
    struct node_info i = race_nodes[n];
    i.up = root_of[n] == n ? 0 : new_number[root_of[n]];
    i.owner = new_number[i.owner];
    i.home = home[n];
    i.rank = root_of[n] == n;
    race_nodes[to] = i;
  }
  free(home);
}

/* ---- a collection ---- */

void (*race_started_bags)(void (*)(node *));
void (*race_thread_bags)(void (*)(node *));

static int32_t last_record;
static int32_t number_of(int32_t record) { return record < last_record ? moved[record] : race_next; }

int32_t race_collect_at = LEAST / sizeof(struct record);
node race_collect_nodes_at = LEAST / sizeof(struct node_info);

static void give_back_pages(void *array, size_t from, size_t to) {
  const size_t page = 4096;
  if (to <= from) return;
  char *begin = (char *)(((uintptr_t)array + from + page - 1) & ~(page - 1)), *end = (char *)array + to;
  if (end > begin) madvise(begin, (size_t)(end - begin), MADV_DONTNEED);
}

void race_collect(void) {
  int32_t records = race_next;
  node count = race_node_count;
  moved = temporary((size_t)records * sizeof *moved);
  new_number = temporary(count * sizeof *new_number);
  root_of = temporary(count * sizeof *root_of);

  each_record(mark_record, true);
  for (int32_t r = 1; r < records; r++)
    if (moved[r]) race_mark_node(&race_records[r].by);
  each_node(race_mark_node);

  node nodes_kept = settle_bags(count);
  move_nodes(count);
  each_node(race_move_node);

  int32_t kept = 1;
  for (int32_t r = 1; r < records; r++) {
    struct record *old = &race_records[r];
    int32_t to = moved[r] ? kept : 0, *last = &old->at->record[old->kind];
    if (*last == r) *last = to;
    moved[r] = to;
    if (!to) continue;
    race_records[kept] = *old;
    race_move_node(&race_records[kept++].by);
  }
  each_record(move_record, false);
  /* What is compared with records: how many are left before it. */
  for (int32_t r = 1, before = 1; r < records; r++) {
    if (moved[r]) before = moved[r] + 1;
    else moved[r] = before;
  }
  moved[0] = 0;
  race_next = kept;
  last_record = records;
  race_renumber(number_of);
  race_node_count = nodes_kept;
  race_forget_records();

  free(moved);
  free(new_number);
  free(root_of);

  uint64_t left = (uint64_t)kept * sizeof *race_records + nodes_kept * sizeof *race_nodes,
           half = (uint64_t)granule_count * RACE_GRANULE / 4;     /* shadow is twice the program's memory */
  uint64_t more = left > half ? left : half;
  if (more < LEAST) more = LEAST;
  uint64_t records_at = (uint64_t)kept + more / sizeof *race_records, nodes_at = nodes_kept + more / sizeof *race_nodes;
  race_collect_at = records_at < INT32_MAX ? (int32_t)records_at : INT32_MAX;
  race_collect_nodes_at = nodes_at < UINT32_MAX ? (node)nodes_at : UINT32_MAX;
  give_back_pages(race_records, records_at * sizeof *race_records, (size_t)records * sizeof *race_records);
  give_back_pages(race_nodes, nodes_at * sizeof *race_nodes, count * sizeof *race_nodes);
}
