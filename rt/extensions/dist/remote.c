/* remote.c - the table of what can travel: the linker gathers it (rt/extensions/cilk1/cilk1.h), so it is the same in
 * each rank, and an index names a thread. */
#include "dist/dist.h"

#include <string.h>

static size_t entries(void) { return (size_t)(__stop_cilk_remote - __start_cilk_remote); }

static void mix(uint32_t *sum, const char *bytes, size_t n) {
  while (n--) *sum = (*sum ^ (unsigned char)*bytes++) * 16777619u;
}

static void check_thread(const cilk1_thread *t, uint32_t *sum) {
  size_t conts = 0;
  for (uint32_t k = 0; k < t->nslots; k++) {
    const cilk1_slot *s = &t->slots[k];
    conts += s->flags & CILK1_SLOT_CONT;
    mix(sum, (const char *)&s->offset, 3 * sizeof s->offset);
  }
  if (conts > CILK_MOST_CONTS)
    cilk_fatal("the remote thread %s (%s:%u) has %zu continuations: %d can travel", t->name, t->file, t->line, conts,
        CILK_MOST_CONTS);
  if (t->size > CILK_WIRE_MOST / 2)
    cilk_fatal("the remote thread %s (%s:%u) has arguments of %u bytes: %d can travel", t->name, t->file, t->line,
        t->size, CILK_WIRE_MOST / 2);
  mix(sum, t->name, strlen(t->name));
  mix(sum, (const char *)&t->size, sizeof t->size);
}

static void check_root(const cilk_root *r, uint32_t *sum) {
  if (r->args_size > CILK_WIRE_MOST || r->result_size > CILK_WIRE_MOST)
    cilk_fatal("the remote procedure %s has arguments of %u and a result of %u bytes: %d can travel", r->name,
        r->args_size, r->result_size, CILK_WIRE_MOST);
  mix(sum, r->name, strlen(r->name));
  mix(sum, (const char *)&r->args_size, 2 * sizeof r->args_size);
}

void cilk_remote_begin(void) {
  uint32_t sum = 2166136261u;
  for (size_t i = 0; i < entries(); i++)
    if (__start_cilk_remote[i].kind == CILK_REMOTE_THREAD) check_thread(__start_cilk_remote[i].what, &sum);
    else check_root(__start_cilk_remote[i].what, &sum);
  cilk_dist_here.program = sum;
}

bool cilk_remote_procedures(void) {
  for (size_t i = 0; i < entries(); i++)
    if (__start_cilk_remote[i].kind == CILK_REMOTE_ROOT) return true;
  return false;
}

int64_t cilk_remote_index(const void *what) {
  for (size_t i = 0; i < entries(); i++)
    if (__start_cilk_remote[i].what == what) return (int64_t)i;
  return -1;
}

const void *cilk_remote_at(uint32_t index, uint64_t kind) {
  return index < entries() && __start_cilk_remote[index].kind == kind ? __start_cilk_remote[index].what : NULL;
}
