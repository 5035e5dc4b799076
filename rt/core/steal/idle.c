/* idle.c - the time of a search, which --stats and the lazy strategy want to know. Only the worker writes when a
 * search began; others read it during the search: thieves that ask, the ticker, the report of a hung run, ranks. */
#include "steal/idle.h"
#include "steal/lazy.h"
#include "data/policy.h"
#include "observe/hook.h"

uint64_t cilk_idle_begin(cilk_worker *w) {
  uint64_t now = cilk_now_ns();
  store_relaxed(&w->ext->stats.idle_since, now);
  w->ext->wait.look = 0;
  return now;
}

void cilk_idle_end(cilk_worker *w, bool found) {
  cilk_worker_ext *x = w->ext;
  uint64_t ns = cilk_now_ns() - load_relaxed(&x->stats.idle_since);
  store_relaxed(&x->stats.idle_ns, load_relaxed(&x->stats.idle_ns) + ns);
  store_relaxed(&x->stats.idle_since, 0u);
  if (found) {
    CILK_HOOK(search_succeeds, w, ns);
    cilk_hunger_resume(w, ns);
  }
}
