/* fault.c - CILK_FAULT: which faults are injected, when, and how often it was done.
 *
 * The specification is a list of CLASS:WHEN, seed=N and log=FILE, separated by commas. WHEN is N/M (so often, by
 * chance), at=N (the N-th place of the process), after=N (all but the first N) or every=N. Nothing here goes through
 * the macros of base.h: these are where the points are. */
#define _GNU_SOURCE
#include "base/fault.h"
#include "arch/arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define CILK_FAULT_CLASS(id, name, where, what) name,
#include "base/fault.def"
#undef CILK_FAULT_CLASS
};

#ifndef CILK_DEBUG

bool cilk_fault_configure(const char *spec) {
  (void)names;
  if (!spec || !*spec) return true;
  fprintf(stderr, "CILK_FAULT: faults are injected into programs compiled with -cilk-debug only\n");
  return false;
}

#else

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define POINT true
#define CALL false
static const bool at_points[] = {
#define CILK_FAULT_CLASS(id, name, where, what) where,
#include "base/fault.def"
#undef CILK_FAULT_CLASS
};

enum when { NEVER, CHANCE, AT, AFTER, EVERY };
static struct rule {
  enum when when;
  uint64_t n, of;                         /* CHANCE: n of `of`; else the number */
  uint64_t places, struck;                /* so far; relaxed atomics */
} rules[CILK_FAULT_CLASSES];

bool cilk_fault_on;
static uint64_t seed;
static char *log_name;

/* ---- the specification ---- */

static bool bad(const char *word, int length, const char *why) {
  fprintf(stderr, "CILK_FAULT: %.*s: %s\n", length, word, why);
  return false;
}

/* A decimal number that ends at `end`. */
static bool number(const char *text, const char *end, uint64_t *out) {
  char *stop;
  errno = 0;
  unsigned long long v = isdigit((unsigned char)*text) ? strtoull(text, &stop, 10) : 0;
  *out = v;
  return isdigit((unsigned char)*text) && stop == end && errno == 0;
}

static bool set_rule(const char *word, int length, const char *colon) {
  const char *end = word + length, *when = colon + 1;
  size_t k = 0, n = (size_t)(colon - word);
  while (k < CILK_FAULT_CLASSES && (strlen(names[k]) != n || strncmp(names[k], word, n) != 0)) k++;
  if (k == CILK_FAULT_CLASSES) {
    fprintf(stderr, "CILK_FAULT: %.*s: no such class of faults; there are", length, word);
    for (k = 0; k < CILK_FAULT_CLASSES; k++) fprintf(stderr, "%s %s", k ? "," : "", names[k]);
    fputc('\n', stderr);
    return false;
  }
  struct rule *r = &rules[k];
  static const struct {
    const char *name;
    enum when when;
  } words[] = {{"at=", AT}, {"after=", AFTER}, {"every=", EVERY}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(when, words[i].name, strlen(words[i].name)) == 0) {
      r->when = words[i].when;
      if (!number(when + strlen(words[i].name), end, &r->n) || (r->when != AFTER && r->n == 0))
        return bad(word, length, "not a number of places");
      return true;
    }
  const char *slash = memchr(when, '/', (size_t)(end - when));
  r->when = CHANCE;
  if (!slash || !number(when, slash, &r->n) || !number(slash + 1, end, &r->of))
    return bad(word, length, "how often? N/M, at=N, after=N or every=N");
  if (r->n > r->of || r->of == 0 || r->of > UINT32_MAX) return bad(word, length, "not a probability");
  return true;
}

static bool set(const char *word, int length) {
  const char *colon = memchr(word, ':', (size_t)length);
  if (strncmp(word, "seed=", 5) == 0)
    return number(word + 5, word + length, &seed) || bad(word, length, "not a number");
  if (strncmp(word, "log=", 4) == 0) {
    log_name = strndup(word + 4, (size_t)length - 4);
    return (log_name && *log_name) || bad(word, length, "no name of a file");
  }
  return colon ? set_rule(word, length, colon) : bad(word, length, "neither CLASS:WHEN, seed=N nor log=FILE");
}

/* A line for each class with a rule: its name, places, faults. */
__attribute__((destructor)) static void report(void) {
  FILE *f = log_name ? fopen(log_name, "ae") : NULL;
  if (!f) return;
  for (int k = 0; k < CILK_FAULT_CLASSES; k++)
    if (rules[k].when != NEVER)
      fprintf(f, "%s %llu %llu\n", names[k], (unsigned long long)__atomic_load_n(&rules[k].places, __ATOMIC_RELAXED),
          (unsigned long long)__atomic_load_n(&rules[k].struck, __ATOMIC_RELAXED));
  fclose(f);
}

static void install(void);

bool cilk_fault_configure(const char *spec) {
  static bool done;                       /* of the first context; the others share it */
  if (done || !spec || !*spec) return true;
  done = true;
  for (const char *word = spec;;) {
    int length = (int)strcspn(word, ",");
    if (!set(word, length)) return false;
    if (!word[length]) break;
    word += length + 1;
  }
  install();
  cilk_fault_on = true;
  cilk_at_access = cilk_fault_happen;
  return true;
}

/* ---- decisions ---- */

static __thread struct self {
  /* that this thread has passed: how many points depends on what it waits for, how many calls does not */
  uint64_t points, calls[CILK_FAULT_CLASSES];
  int slot;                               /* in `threads`, one more; 0: not a worker */
} self;

static uint64_t mixed(uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

/* The number that belongs to this place of this thread. */
static uint64_t draw(enum cilk_fault_class what, uint64_t place) {
  return mixed(mixed(seed * 0x9E3779B97F4A7C15ull + (uint64_t)(cilk_self.id + 2)) ^
               place * (uint64_t)(2 * CILK_FAULT_CLASSES) ^ (uint64_t)what);
}

static bool strikes(enum cilk_fault_class what, uint64_t place) {
  struct rule *r = &rules[what];
  if (r->when == NEVER) return false;
  uint64_t n = __atomic_add_fetch(&r->places, 1, __ATOMIC_RELAXED);
  bool yes = r->when == CHANCE  ? ((draw(what, place) >> 32) * r->of >> 32) < r->n
             : r->when == AT    ? n == r->n
             : r->when == AFTER ? n > r->n
                                : n % r->n == 0;
  if (yes) __atomic_add_fetch(&r->struck, 1, __ATOMIC_RELAXED);
  return yes;
}

bool cilk_fault_wants(enum cilk_fault_class what) { return cilk_fault_on && rules[what].when != NEVER; }
bool cilk_fault_strikes(enum cilk_fault_class what) { return strikes(what, self.calls[what]++); }

/* ---- what happens at a point ---- */

/* The workers' threads. A slot is used again only when its thread has ended. */
static struct {
  int tid;
  uint32_t stall;
} threads[CILK_MAX_PROC];

#define FAULT_SIGNAL SIGVTALRM

/* On the worker that was chosen, anywhere. */
static void on_signal(int sig) {
  int error = errno;
  (void)sig;
  if (self.slot && __atomic_exchange_n(&threads[self.slot - 1].stall, 0u, __ATOMIC_RELAXED)) {
    struct timespec t = {0, CILK_FAULT_STALL_NS};
    while (nanosleep(&t, &t) != 0 && errno == EINTR);
  }
  errno = error;
}

static void install(void) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_handler = on_signal;
  a.sa_flags = SA_RESTART;                /* what the program itself reads and writes goes on */
  sigemptyset(&a.sa_mask);
  sigaction(FAULT_SIGNAL, &a, NULL);
}

void cilk_fault_thread(bool begins) {
  if (!cilk_fault_on) return;
  int tid = (int)syscall(SYS_gettid);
  if (!begins) {
    if (self.slot) __atomic_store_n(&threads[self.slot - 1].tid, 0, __ATOMIC_RELAXED);
    self.slot = 0;
    return;
  }
  for (int i = 0; i < CILK_MAX_PROC; i++) {
    int free_slot = 0;
    if (__atomic_compare_exchange_n(&threads[i].tid, &free_slot, tid, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      self.slot = i + 1;
      return;
    }
  }
}

/* To some worker, perhaps the caller. */
static void send(bool stall, uint64_t chance) {
  int used = 0;
  while (used < CILK_MAX_PROC && __atomic_load_n(&threads[used].tid, __ATOMIC_RELAXED)) used++;
  if (!used) return;
  int i = (int)((chance & 0xFFFFFFFFu) * (uint64_t)used >> 32),
      tid = __atomic_load_n(&threads[i].tid, __ATOMIC_RELAXED);
  if (!tid) return;
  if (stall) __atomic_store_n(&threads[i].stall, 1u, __ATOMIC_RELAXED);
  syscall(SYS_tgkill, getpid(), tid, FAULT_SIGNAL);
}

void cilk_fault_happen(void) {
  int error = errno;
  uint64_t place = self.points++;
  for (int k = 0; k < CILK_FAULT_CLASSES; k++)
    if (at_points[k] && strikes((enum cilk_fault_class)k, place)) {
      uint64_t chance = mixed(draw((enum cilk_fault_class)k, place) + 1);
      switch (k) {
        case CILK_FAULT_DELAY:
          for (uint64_t n = chance % CILK_FAULT_DELAY_PAUSES; n; n--) cilk_pause();
          break;
        case CILK_FAULT_YIELD: sched_yield(); break;
        case CILK_FAULT_SIGNAL: send(false, chance); break;
        case CILK_FAULT_STALL: send(true, chance); break;
      }
    }
  errno = error;
}

#endif
