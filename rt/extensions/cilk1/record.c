/* record.c - see record.h. A program that counts its units (-cilk-span=count), on one worker, whose environment has
 * CILK_THREAD_DAG, a file.
 *
 * A closure's number is that of its node. What goes beyond CILK_DAG_THREADS is counted and not kept. Everything is the
 * one worker's, so there is no lock. */
#include "record.h"
#include "base/fault.h"
#include "stamps.h"
#include "observe/span.h"
#include "base/json.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

enum { CILK_DAG_THREADS = 200000 };

typedef struct node {
  const cilk1_thread *thread;
  uint32_t spawner, level;
  uint64_t spawned, start, length;
  uint64_t procedure, until; /* of the procedure of Cilk-5 that it calls: work, end on the longest path */
  bool successor, ran;
} node;
typedef struct edge {
  uint32_t from, to, slot;
  uint64_t at;
} edge;

const cilk1_watch *cilk1_watched;
static node *nodes; /* [0] is the caller */
static edge *edges;
static uint32_t *below; /* threads that wait for nested computations: their nodes */
static size_t nnodes, node_room, nedges, edge_room, left_out, depth, depth_room;

#define make_room(array, n, room) \
  (CILK_ROOM_FOR(array, n, room, 1024) ? (void)0 : cilk_fatal("out of memory (the dag of threads)"))

static uint32_t new_node(node n) {
  if (nnodes == CILK_DAG_THREADS) {
    left_out++;
    return UINT32_MAX;
  }
  make_room(nodes, nnodes, node_room);
  nodes[nnodes] = n;
  return (uint32_t)nnodes++;
}

static uint32_t made(cilk1_home *h, const cilk1_closure *c) {
  uint64_t at = cilk1_pause(h);
  uint32_t n = new_node((node){c->thread, h->node, c->level, at, 0, 0, 0, 0,
      h->node && h->node < nnodes && nodes[h->node].level == c->level, false});
  cilk1_resume(h);
  return n;
}

static void sent(cilk1_home *h, uint32_t to, uint32_t slot, uint64_t at) {
  if (to >= nnodes) return;
  make_room(edges, nedges, edge_room);
  edges[nedges++] = (edge){h->node, to, slot, at};
}

static void runs(cilk1_home *h, uint32_t number, uint64_t at) {
  make_room(below, depth, depth_room);
  below[depth++] = h->node;
  h->node = number;
  if (number < nnodes) {
    nodes[number].start = at;
    nodes[number].ran = true;
  }
}

static void ends(cilk1_home *h) {
  if (h->node < nnodes) nodes[h->node].length = h->so_far;
  h->node = below[--depth];
}

static void nothing(void) {}
static const cilk1_watch recorder = {nothing, nothing, made, sent, runs, ends};

void cilk1_record_called(uint32_t number, uint64_t work, uint64_t end) {
  if (cilk1_watched == &recorder && number < nnodes) {
    nodes[number].procedure += work;
    nodes[number].until = end > nodes[number].until ? end : nodes[number].until;
  }
}

void cilk1_record_wanted(cilk_context *ctx) {
  const char *file = getenv("CILK_THREAD_DAG");
  if (cilk1_watched || !file || !*file || ctx->nproc != 1 || !cilk_span_counted() || ctx->opt.simulate) return;
  cilk1_watched = &recorder;
  new_node((node){.level = 0});
}

/* ---- the file ---- */

static const char *slot_name(const cilk1_thread *t, uint32_t offset) {
  for (uint32_t i = 0; t && i < t->nslots; i++)
    if (t->slots[i].offset == offset && !(t->slots[i].flags & CILK1_SLOT_PART)) return t->slots[i].name;
  return "";
}

void cilk1_record_report(cilk_context *ctx) {
  FILE *out = cilk1_watched == &recorder ? fopen(getenv("CILK_THREAD_DAG"), "w") : NULL;
  if (!out) return;
  fprintf(out, "{\"work\": %llu, \"span\": %llu, \"left_out\": %zu,\n\"nodes\": [", (unsigned long long)ctx->work,
      (unsigned long long)ctx->span, left_out);
  for (size_t i = 0; i < nnodes; i++) {
    const node *n = &nodes[i];
    uint64_t called = n->until > n->start ? n->until - n->start : 0;
    fprintf(out, "%s\n[", i ? "," : "");
    cilk_json_string(out, n->thread ? n->thread->name : "the caller");
    fprintf(out, ", ");
    cilk_json_string(out, n->thread ? n->thread->file : "");
    fprintf(out, ", %u, %u, %d, %u, %llu, %llu, %llu, %d, %llu]", n->thread ? n->thread->line : 0, n->spawner,
        n->successor, n->level, (unsigned long long)n->spawned, (unsigned long long)n->start,
        (unsigned long long)(called > n->length ? called : n->length), n->ran,
        (unsigned long long)(n->length + n->procedure));
  }
  fprintf(out, "],\n\"sends\": [");
  for (size_t i = 0; i < nedges; i++) {
    fprintf(out, "%s\n[%u, %u, ", i ? "," : "", edges[i].from, edges[i].to);
    cilk_json_string(out, slot_name(nodes[edges[i].to].thread, edges[i].slot));
    fprintf(out, ", %llu]", (unsigned long long)edges[i].at);
  }
  fprintf(out, "]}\n");
  fclose(out);
}
