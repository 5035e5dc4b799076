/* api.c - OpenCilk's functions about workers (stdlib/cilk/cilk_api.h). A worker that calls one asks about
 * its own context. Any other thread asks about the context that all functions called from C share (enter.c). */
#include "calls/enter.h"
#include "base/limits.h"
#include "travel/travel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;   /* of the lists and `wanted` */
static struct {
  int n;
  void (*f[MOST])(void);
} first, last;
static int wanted;                          /* __cilkrts_set_param; 0: the environment says */

static int add(bool at_start, void (*f)(void)) {
  static bool asked;
  pthread_mutex_lock(&lock);
  bool full = at_start ? first.n == MOST || cilk_entered_if_made() : last.n == MOST;
  if (!at_start && !asked) asked = !atexit(cilk_api_ends); /* without workers nothing else calls it (--serial) */
  if (!full && at_start) first.f[first.n++] = f;
  else if (!full) last.f[last.n++] = f;
  pthread_mutex_unlock(&lock);
  return full;
}

void cilk_api_begins(void) {
  for (int i = 0; i < first.n; i++) first.f[i]();
}
void cilk_api_ends(void) {
  while (last.n) last.f[--last.n]();
}

CILK_SHARED int __cilkrts_atinit(void (*f)(void)) { return add(true, f); }
CILK_SHARED int __cilkrts_atexit(void (*f)(void)) { return add(false, f); }
CILK_SHARED int __cilkrts_is_initialized(void) { return cilk_entered_if_made() != NULL; }
CILK_SHARED int __cilkrts_running_on_workers(void) { return cilk_me()->id >= 0; }
CILK_SHARED unsigned __cilkrts_get_worker_number(void) { return cilk_me()->id >= 0 ? (unsigned)cilk_me()->id : 0; }

int cilk_api_workers(void) {
  for (const char *name = "CILK_NWORKERS";; name = "CILK_NPROC") {
    const char *text = getenv(name);
    long n = wanted ? wanted : text ? strtol(text, NULL, 10) : 0;
    if (n > 0) return n < CILK_MAX_PROC ? (int)n : CILK_MAX_PROC;
    if (strcmp(name, "CILK_NPROC") == 0) return cilk_limit_processors();
  }
}

CILK_SHARED unsigned __cilkrts_get_nworkers(void) {
  const cilk_context *ctx = cilk_me()->id >= 0 ? cilk_me()->ext->ctx : cilk_entered_if_made();
  return (unsigned)(ctx ? cilk_travel_size(ctx, ctx->opt.nproc) : cilk_api_workers());
}
CILK_SHARED int __cilkrts_get_total_workers(void) { return (int)__cilkrts_get_nworkers(); }

bool cilk_api_set_workers(int n) {
  const cilk_context *made = cilk_me()->id >= 0 ? cilk_me()->ext->ctx : cilk_entered_if_made();
  pthread_mutex_lock(&lock);
  bool can = !made || (made == cilk_entered_if_made() && cilk_change_workers(n));
  if (can && !made) wanted = n;
  pthread_mutex_unlock(&lock);
  return can;
}
int cilk_api_wanted(void) { return wanted; }

CILK_SHARED void __cilkrts_init(void) { cilk_entered_context(); }
CILK_SHARED void __cilkrts_end_cilk(void) {}
