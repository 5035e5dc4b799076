/* trace.c - rings of events and the thread that writes them out (trace.h). */
#define _GNU_SOURCE
#include "observe/trace.h"
#include "observe/events.h"
#include "data/link.h"
#include "data/policy.h"
#include "data/root.h"

#ifdef CILK_TRACE
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct record {
  uint64_t ns;
  const void *object, *other;
  const char *procedure, *file;           /* where: of the closure's signature, or the spawn's site; NULL: nowhere */
  uint32_t kind, line;
};

struct cilk_trace {
  uint64_t put __attribute__((aligned(64)));   /* by the worker; release: the record is there */
  uint64_t lost;                          /* by the worker; relaxed */
  uint64_t last_spawn, spawns;            /* when one was noted; how many since then */
  uint32_t every, left;                   /* the clock is looked at every so many spawns, next after so many */
  uint64_t got __attribute__((aligned(64)));   /* by the writer; release: the place is free */
  struct record ring[CILK_TRACE_RING];
};

enum is { NOTHING, SITE, CLOSURE, ROOT };
static const struct {
  const char *name;
  enum is is;
} kinds[CILK_EVENTS] = {
#define CILK_EVENT_KIND(id, name, is, object, other) [CILK_EV_##id] = {name, is},
#include "observe/events.def"
#undef CILK_EVENT_KIND
};

void (*cilk_event_also)(const cilk_worker *w, const char *name, const void *object, const void *other, const char *file,
    const char *procedure, uint32_t line);
static uint64_t gap = CILK_TRACE_GAP_NS;  /* by the writer; relaxed */

static struct cilk_trace *trace_of(const cilk_worker *w) { return w->ext ? w->ext->trace : NULL; }

/* The worker itself, or the one that has it in hand: the victim that gives it a closure while it waits, under the
 * victim's lock. */
static void put(struct cilk_trace *t, const struct record *r) {
  uint64_t n = load_relaxed(&t->put);
  if (n - load_acquire(&t->got) == CILK_TRACE_RING) {   /* pairs with the writer's release */
    store_relaxed(&t->lost, load_relaxed(&t->lost) + 1);
    return;
  }
  t->ring[n % CILK_TRACE_RING] = *r;
  store_release(&t->put, n + 1);          /* pairs with the writer's acquire */
}

void cilk_event(cilk_worker *w, enum cilk_event kind, const void *object, const void *other) {
  struct cilk_trace *t = trace_of(w);
  if (!t && !cilk_event_also) return;
  struct record r = {t ? cilk_now_ns() : 0, object, other, NULL, NULL, (uint32_t)kind, 0};
  if (object && kinds[kind].is == CLOSURE) {
    const cilk_closure *c = object;
    const cilk_entry *e = &c->sig->entries[c->entry];
    if (kind == CILK_EV_DELIVER || kind == CILK_EV_INLET) e = ((const cilk_link *)other)->entry;
    r.procedure = c->sig->name;
    r.file = c->sig->file;
    r.line = e->line;
  } else if (kinds[kind].is == ROOT) r.procedure = ((const cilk_root_run *)object)->root->name;
  if (cilk_event_also) cilk_event_also(w, kinds[kind].name, object, other, r.file, r.procedure, r.line);
  if (!t) return;
  if (kind == CILK_EV_RUN || kind == CILK_EV_ROOT) t->left = t->every = 1; /* other code: how fine it is will be seen */
  put(t, &r);
}

/* Fine-grained code spawns every few ns: it pays for a count, and for the clock now and then. */
void cilk_rt_trace_spawn(const cilk_trace_site *s) {
  struct cilk_trace *t = trace_of(cilk_me());
  if (!t) return;
  t->spawns++;
  if (t->left > 1) {
    t->left--;
    return;
  }
  uint64_t now = cilk_now_ns(), since = now - t->last_spawn, least = load_relaxed(&gap);
  if (since < least) {
    t->every = t->every < CILK_TRACE_SKIP ? 2 * t->every : CILK_TRACE_SKIP;
    t->left = t->every;
    return;
  }
  if (since > 4 * least && t->every > 1) t->every /= 2;
  t->left = t->every;
  struct record r = {now, s->child, (const void *)(uintptr_t)t->spawns, s->procedure, s->file, CILK_EV_SPAWN,
      (uint32_t)s->line};
  put(t, &r);
  t->last_spawn = now;
  t->spawns = 0;
}

void cilk_trace_worker(cilk_worker_ext *x) {
  void *p = NULL;
  if (!getenv("CILK_TRACE")) return;
  if (posix_memalign(&p, 64, sizeof(struct cilk_trace)) != 0) cilk_fatal("out of memory");
  memset(p, 0, offsetof(struct cilk_trace, ring));
  x->trace = p;
  x->trace->every = x->trace->left = 1;
}

void cilk_trace_free(cilk_worker_ext *x) {
  free(x->trace);
  x->trace = NULL;
}

/* ---- the writer: one at a time, for the context that came first ---- */

static FILE *out;
static pthread_t thread;
static cilk_context *traced;
static pid_t process; /* that has the writer: a forked child has none, and leaves the file alone */
static uint32_t over; /* atomic */
/* events in the file; spawns among them since the gap grew; events for which there was no room */
static uint64_t written, spawns, full;

static struct place {
  const void *procedure, *child, *file;
  uint64_t line;
  unsigned number;
} places[CILK_TRACE_PLACES];
static unsigned nplaces;

/* A hash table without removals; 0 when it is full, or nowhere. */
static unsigned place_of(const struct record *r) {
  struct place p = {r->procedure, r->kind == CILK_EV_SPAWN ? r->object : NULL, r->file, r->line, 0};
  if (!p.procedure) return 0;
  uint64_t h =
      ((uintptr_t)p.procedure ^ (uintptr_t)p.child << 20 ^ (uint64_t)p.line << 7) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
  for (unsigned i = 0; i < CILK_TRACE_PLACES; i++) {
    struct place *at = &places[(h + i) % CILK_TRACE_PLACES];
    if (at->procedure == p.procedure && at->child == p.child && at->file == p.file && at->line == p.line)
      return at->number;
    if (!at->procedure) {
      const char *child = p.child;
      p.number = ++nplaces;
      *at = p;
      fprintf(out, "place %u %u %s\t%s\t%s\n", p.number, r->line, r->procedure, child && *child ? child : "-",
          r->file ? r->file : "-");
      return p.number;
    }
  }
  return 0;
}

/* The writer may share a processor with a worker: printf would cost twenty times as much. Of constant bases, so that
 * nothing divides. */
static inline __attribute__((always_inline)) char *number(char *p, uint64_t x, unsigned base) {
  char digits[20];
  int n = 0;
  do digits[n++] = "0123456789abcdef"[x % base];
  while ((x /= base) != 0);
  while (n) *p++ = digits[--n];
  *p++ = ' ';
  return p;
}

static void write_record(int worker, const struct record *r) {
  if (written == CILK_TRACE_MOST) {
    full++;
    return;
  }
  written++;
  if (r->kind == CILK_EV_SPAWN && ++spawns == CILK_TRACE_SPAWNS) {
    spawns = 0;
    store_relaxed(&gap, 2 * load_relaxed(&gap));
  }
  unsigned place = place_of(r);
  char line[160], *p = number(line, r->ns, 10);
  p = number(p, (unsigned)worker, 10);
  for (const char *name = kinds[r->kind].name; *name;) *p++ = *name++;
  *p++ = ' ';
  p = number(p, (uintptr_t)r->object, 16);
  p = number(p, (uintptr_t)r->other, 16);
  p = number(p, place, 10);
  p[-1] = '\n';
  fwrite_unlocked(line, 1, (size_t)(p - line), out);
}

/* True if a ring had much in it: it will again. */
static bool empty(cilk_context *ctx) {
  bool much = false;
  for (int i = 0; i < ctx->nproc; i++) {
    struct cilk_trace *t = ctx->extensions[i]->trace;
    if (!t) continue;
    uint64_t n = t->got, last = load_acquire(&t->put);
    much |= last - n > CILK_TRACE_RING / 8;
    for (; n != last; n++) write_record(i, &t->ring[n % CILK_TRACE_RING]);
    store_release(&t->got, n);
  }
  fflush(out); /* the program may crash */
  return much;
}

static void *writer(void *ctx) {
  struct timespec pause = {0, CILK_TRACE_PAUSE_NS};
  for (bool last = false; !last;) {
    last = load_acquire(&over); /* pairs with cilk_trace_end: what came before it is written in this round */
    if (!empty(ctx) && !last) syscall(SYS_futex, &over, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0);
  }
  return NULL;
}

void cilk_trace_begin(cilk_context *ctx) {
  const char *name = getenv("CILK_TRACE");
  if (!name || traced) return;
  if (!(out = fopen(name, "we"))) cilk_fatal("CILK_TRACE: %s cannot be written", name);
  setvbuf(out, NULL, _IOFBF, 1 << 16);
  fprintf(out, "%" PRIu64 " workers %d\n", cilk_now_ns(), ctx->nproc);
  traced = ctx;
  process = getpid();
  store_relaxed(&over, 0u);
  if (pthread_create(&thread, NULL, writer, ctx) != 0) cilk_fatal("CILK_TRACE: no thread to write it");
}

void cilk_trace_end(cilk_context *ctx) {
  if (ctx != traced || process != getpid()) return;
  store_release(&over, 1u);
  syscall(SYS_futex, &over, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  pthread_join(thread, NULL);
  uint64_t lost = full;
  for (int i = 0; i < ctx->nproc; i++) lost += load_relaxed(&ctx->extensions[i]->trace->lost);
  if (lost) fprintf(out, "%" PRIu64 " events lost\n", lost);
  fprintf(out, "%" PRIu64 " end\n", cilk_now_ns());
  fclose(out);
  traced = NULL;
}

/* The program ends in exit() while the context exists. */
__attribute__((destructor)) static void at_exit(void) {
  if (traced) cilk_trace_end(traced);
}
#else
typedef int cilk_no_trace;
#endif
