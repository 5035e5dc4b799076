/* private.c - `private` variables. Each worker thread has its own copy by thread-local storage; only worker 0 is
 * special: it shares the copy of the thread that calls the computation. That thread is blocked meanwhile, so copying in
 * before and out after is the same.
 *
 * Each image has a table of its variables (module.h). What was loaded after the context was made is not shared; what
 * was unloaded is left out, though it may be loaded again, at the same addresses. */
#include "schedule/private.h"
#include "base/fault.h"
#include "base/module.h"

#include <stdlib.h>
#include <string.h>

struct cilk_private_copy {
  struct cilk_private_copy *next;
  const cilk_private *variable;
  uint64_t module;                        /* the number of its image */
  void *theirs;                           /* worker 0's */
};

/* On worker 0, when it starts: its addresses. */
void cilk_private_start(cilk_context *ctx) {
  for (const cilk_module *m = NULL; cilk_next_privates(&m);)
    for (const cilk_private *v = m->privates; v < m->privates_end; v++) {
      struct cilk_private_copy *c = CILK_FAILS(MALLOC) ? NULL : malloc(sizeof *c);
      if (!c) cilk_fatal("out of memory");
      *c = (struct cilk_private_copy){ctx->privates, v, m->number, v->address()};
      ctx->privates = c;
    }
}

void cilk_private_end(cilk_context *ctx) {
  for (struct cilk_private_copy *c = ctx->privates, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  ctx->privates = NULL;
}

static bool loaded(const struct cilk_private_copy *c) {
  for (const cilk_module *m = NULL; cilk_next_privates(&m);)
    if (m->number == c->module) return true;
  return false;
}

/* On the calling thread, worker 0 being between computations. */
void cilk_private_copy(cilk_context *ctx, bool in) {
  for (struct cilk_private_copy *c = ctx->privates; c; c = c->next)
    if (loaded(c)) {
      void *mine = c->variable->address();
      memcpy(in ? c->theirs : mine, in ? mine : c->theirs, (size_t)c->variable->size);
    }
}
