/* team.c - which schedulers there are: the runtime's own, and those that a program brings along and registers. */
#include "data/team.h"
#include "base/message.h"
#include "base/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not schedulers, but orders of workers: what --sched takes besides (options.c). */
static const struct {
  const char *name, *help;
} own_orders[] = {
    {"replay", "[:SEED[:P]]: one worker at a time, in an order that the seed decides; under any of these"},
    {"pct", "[:SEED[:P[:DEPTH[:STEPS]]]]: the same, by random priorities"},
    {"turns", ":P[:POINT=WORKER,...]: one worker at a time, in an order that the list decides"},
    {"record:FILE", "a real run is written down, and replay:FILE[:P] repeats it"},
};

/* A library may register one at any time, even during a fork: the list has no lock, it only grows at its
 * end. */
static struct brought {
  const Cilk_scheduler *sched;
  struct brought *next;
} *brought;

CILK_SHARED void Cilk_scheduler_register(const Cilk_scheduler *sched) {
  if (sched->version != CILK_SCHED_VERSION)
    cilk_fatal("scheduler '%s' was made for version %u of <cilk-sched.h>, this runtime has version %u", sched->name,
        sched->version, CILK_SCHED_VERSION);
  struct brought *b = malloc(sizeof *b);
  if (!b) cilk_fatal("out of memory");
  *b = (struct brought){sched, NULL};
  struct brought **end = &brought;
  /* pairs with the acquires in at() */
  for (struct brought *there = NULL;
      !__atomic_compare_exchange_n(end, &there, b, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE); there = NULL)
    end = &there->next;
}

/* The i-th of the runtime's own, or NULL. */
static const Cilk_scheduler *of_runtime(int i) { return i ? cilk_more_schedulers(i - 1) : &cilk_sched_steal; }

/* The i-th, NULL after the last: the program's before our own, so that it can replace one. */
static const Cilk_scheduler *at(int i) {
  const Cilk_scheduler *found = NULL;
  const struct brought *b = load_acquire(&brought);     /* pairs with the release in Cilk_scheduler_register */
  for (; b && i > 0; i--) b = load_acquire(&b->next);
  if (b) found = b->sched;
  return found ? found : of_runtime(i);
}

/* The name that differs from the n letters of `word` by at most two, or by one where there are three or fewer. NULL:
 * none. */
static const char *nearest(const char *word, size_t n, bool orders) {
  char name[32];
  if (n >= sizeof name) return NULL;
  memcpy(name, word, n);
  name[n] = 0;
  const char *best = NULL;
  int least = n > 3 ? 3 : 2;
  const Cilk_scheduler *s;
  for (int i = 0; (s = at(i)); i++) {
    int d = cilk_word_distance(name, s->name);
    if (d < least) {
      least = d;
      best = s->name;
    }
  }
  for (size_t i = 0; orders && i < sizeof own_orders / sizeof *own_orders; i++) {
    char bare[32];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(own_orders[i].name, ":"), own_orders[i].name);
    int d = cilk_word_distance(name, bare);
    if (d < least) {
      least = d;
      best = own_orders[i].name;
    }
  }
  return best;
}

bool cilk_team_make(cilk_team *t, const char *spec, int vprocs, const char *asker, bool orders) {
  size_t n = strcspn(spec, ":");
  const char *options = spec[n] ? spec + n + 1 : "", *error = NULL;
  const Cilk_scheduler *s;
  for (int i = 0; (s = at(i)); i++)
    if (strlen(s->name) == n && strncmp(s->name, spec, n) == 0) break;
  if (!s) {
    fprintf(stderr, "%s: there is no scheduler '%.*s', but", asker, (int)n, spec);
    for (int i = 0; (s = at(i)); i++) fprintf(stderr, "%s %s", i ? "," : "", s->name);
    for (size_t i = 0; orders && i < sizeof own_orders / sizeof *own_orders; i++)
      fprintf(stderr, ", %s", own_orders[i].name);
    const char *near = nearest(spec, n, orders);
    fprintf(stderr, near ? "; did you mean %s?\n" : "\n", near);
    return false;
  }
  void *self = NULL;
  if (s->create) self = s->create(vprocs, options, &error);
  else if (*options) error = "it takes no options";
  if (error) {
    fprintf(stderr, "%s: scheduler '%s': %s\n", asker, s->name, error);
    return false;
  }
  *t = (cilk_team){.sched = s, .self = self, .vprocs = vprocs};
  return true;
}

void cilk_team_again(cilk_team *t, const char *spec) {
  static struct left {
    cilk_team team;
    struct left *next;
  } *all;   /* leak checkers see them */
  struct left *l = malloc(sizeof *l);
  if (!l) cilk_fatal("out of memory");
  *l = (struct left){*t, load_relaxed(&all)};
  /* no function reads it */
  while (!__atomic_compare_exchange_n(&all, &l->next, l, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  if (!cilk_team_make(t, spec, l->team.vprocs, "cilk", true)) cilk_fatal("a forked process has no scheduler");
}

bool cilk_team_is_own(const cilk_team *t) {
  const Cilk_scheduler *s;
  for (int i = 0; (s = of_runtime(i)); i++)
    if (t->sched == s) return true;
  return false;
}

bool cilk_team_list(void) {
  const Cilk_scheduler *s;
  for (int i = 0; (s = at(i)); i++) printf("%-12s %s\n", s->name, s->help ? s->help : "");
  for (size_t i = 0; i < sizeof own_orders / sizeof *own_orders; i++)
    printf("%-12s %s\n", own_orders[i].name, own_orders[i].help);
  if (fflush(stdout) == 0) return true;
  fprintf(stderr, "--sched=list: standard output: %s\n", strerror(errno));
  return false;
}
