/* node.c - memory nodes of the machine: which one a worker runs on. Thieves try the victims of their own node first
 * (policy.c), since what those have in their caches and memory is nearer. On machines with one node nothing of this
 * runs. */
#include "steal/node.h"
#include "data/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* nodes whose distances are kept; what the system calls the distance to itself, and usually that to others */
enum { MOST = 64, SAME = 10, OTHER = 20 };
static uint8_t distance[MOST][MOST];      /* 0: not known; written before workers are there */

/* The first line of a file there; "" if there is none. */
static const char *line_of(const char *name, char *text, int room) {
  char path[128];
  snprintf(path, sizeof path, "/sys/devices/system/node/%s", name);
  FILE *f = fopen(path, "re");
  if (!f || !fgets(text, room, f)) text[0] = 0;
  if (f) fclose(f);
  return text;
}

/* A list of ranges, "0" or "0-3" or "0,2-4": the next number of it, or -1. `*last` is the number before. */
static int next_of(const char **list, int *last) {
  if (**list == '-') {
    char *end;
    long to = strtol(*list + 1, &end, 10);
    if (*last + 1 >= to) *list = end;
    return ++*last;
  }
  if (**list == ',') ++*list;
  if (**list < '0' || **list > '9') return -1;
  return *last = (int)strtol(*list, (char **)list, 10);
}

/* Row `from` of the distances, whose columns are the nodes that are online. */
static void read_row(const char *online, int from) {
  char name[64], text[1024];
  snprintf(name, sizeof name, "node%d/distance", from);
  char *at = (char *)line_of(name, text, sizeof text);
  for (int to, last = -1; (to = next_of(&online, &last)) >= 0;) {
    unsigned long d = strtoul(at, &at, 10);
    if (to < MOST && d < 256) distance[from][to] = (uint8_t)d;
  }
}

/* How many nodes to distinguish, the highest number and one more: 0, one node, no order. CILK_NODES=K (`pretended`; -1:
 * not given), for tests: worker i is on node i % K. */
int cilk_nodes(int pretended) {
  if (pretended >= 0) return pretended > 1 ? pretended : 0;
  char text[256], online[256];
  const char *list = line_of("has_cpu", text, sizeof text);
  int most = -1, nodes = 0;
  for (int node, last = -1; (node = next_of(&list, &last)) >= 0; nodes++) most = node > most ? node : most;
  if (nodes < 2) return 0;
  line_of("online", online, sizeof online);
  for (int node = 0; node <= most && node < MOST; node++) read_row(online, node);
  return most + 1;
}

int cilk_node_distance(int from, int to) {
  int d = from >= 0 && from < MOST && to >= 0 && to < MOST ? distance[from][to] : 0;
  return d ? d : from == to ? SAME : OTHER;
}

/* A thread that is not pinned may be moved, so a worker asks again whenever it runs out of work. */
void cilk_node_update(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  unsigned cpu, node = 0;
  if (ctx->nodes_pretended) node = (unsigned)(w->id % ctx->nodes);
  else if (syscall(SYS_getcpu, &cpu, &node, NULL) != 0) node = 0;
  /* a hint: a thief that reads an old value tries victims in another order */
  store_relaxed(&w->ext->node, (uint32_t)node);
}
