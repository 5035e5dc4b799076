/* node.c - memory nodes of the machine: which one a worker runs on. Thieves try the victims of their own node first (policy.c), since what
 * those have in their caches and memory is nearer. On machines with one node nothing of this runs. */
#include "node.h"
#include "context.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How many nodes to tell apart: 0, one node, no order. CILK_NODES=K (`pretended`; -1: not said), for tests: worker i is on node i % K. */
int cilk_nodes(int pretended)
{
  if (pretended >= 0)
    return pretended > 1 ? pretended : 0;
  /* A list of ranges, "0" or "0-3" or "0,2": more than one node if it is not a single number. */
  FILE *f = fopen("/sys/devices/system/node/has_cpu", "re");
  char text[128] = "";
  if (f) {
    if (!fgets(text, sizeof text, f))
      text[0] = 0;
    fclose(f);
  }
  return strpbrk(text, "-,") ? CILK_MAX_PROC : 0;
}

/* A thread that is not pinned may be moved, so a worker asks again whenever it runs out of work. */
void cilk_node_update(cilk_worker *w)
{
  cilk_context *ctx = w->ext->ctx;
  unsigned cpu, node = 0;
  if (ctx->nodes_pretended)
    node = (unsigned)(w->id % ctx->nodes);
  else if (syscall(SYS_getcpu, &cpu, &node, NULL) != 0)
    node = 0;
  store_relaxed(&w->ext->node, (uint32_t)node);   /* a hint: whoever reads an old value tries victims in another order */
}
