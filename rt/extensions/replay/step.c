/* step.c - what a build with -cilk-step calls (codegen/events/step.cpp): where the variables are, and the heap, for the
 * values that `cilkc step` shows.
 *
 * The log (points.h) gets, beside each point, `vars` with the addresses of the variables that the place can name, and
 * `mem` with what has changed in the memory that is *watched*: all variables seen so far, global variables, and
 * blocks of the heap; for what is accessed there is one anyway. The types are in the texts of scopes, which are written
 * once; nothing here knows any.
 *
 * Watched memory may be gone: a frame that has been left, a fiber's stack. So it is read by a system call that reports
 * what cannot be read. All of this is done by the worker that has the turn, so no two do it at a time. */
#define _GNU_SOURCE
#include "replay/controlled_schedule.h"
#include "replay/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 1 << 14, LARGEST = 4096, PAGE = 4096, AT_ONCE = 64, VARIABLES = 64, POISON = 0xaa };

struct watch { /* of bytes in one page */
  const char *at;
  uint32_t size, next; /* next: of the same page, from 1 on */
  char *last; /* as the log has it; NULL: not yet */
};
static struct watch watches[MOST];
static struct page {
  const char *at;
  uint32_t first; /* of its watches, from 1 on */
  bool gone; /* it could not be read */
} pages[MOST];
static uint32_t nwatches, npages;
static uint32_t watch_at[2 * MOST], page_at[2 * MOST]; /* by address: the number, from 1 on */

/* What comes next: set by cilk_rt_step, written by cilk_step_at. */
static struct {
  cilk_step_scope *scope;
  void *at[VARIABLES];
  struct accessed {
    const void *memory;
    uint64_t size;
  } access;
  const char *type;
} next;
static struct accessed before[CILK_MOST_TURNS];

static uint32_t hashed(const char *at, int ignored) {
  return (uint32_t)((uintptr_t)at >> ignored) * 0x9e3779b1u >> 8 & (2 * MOST - 1);
}

static struct page *page_of(const char *at) {
  const char *begin = at - ((uintptr_t)at & (PAGE - 1));
  uint32_t i = hashed(begin, 12);
  for (; page_at[i]; i = (i + 1) & (2 * MOST - 1))
    if (pages[page_at[i] - 1].at == begin) return &pages[page_at[i] - 1];
  pages[npages] = (struct page){begin, 0, false};
  page_at[i] = ++npages;
  return &pages[npages - 1];
}

static void watch_part(const char *at, uint32_t size) {
  uint32_t i = hashed(at, 0);
  for (; watch_at[i]; i = (i + 1) & (2 * MOST - 1)) {
    struct watch *w = &watches[watch_at[i] - 1];
    if (w->at != at) continue;
    page_of(at)->gone = false;
    if (w->size >= size) return;
    free(w->last);
    w->last = NULL;
    w->size = size;
    return;
  }
  if (nwatches == MOST) return;
  struct page *p = page_of(at);
  p->gone = false;
  watches[nwatches] = (struct watch){at, size, p->first, NULL};
  p->first = watch_at[i] = ++nwatches;
}

static void watch(const void *what, size_t size) {
  const char *at = what;
  if (size > LARGEST) size = LARGEST;
  while (at && size) {
    size_t room = PAGE - ((uintptr_t)at & (PAGE - 1)), part = size < room ? size : room;
    watch_part(at, (uint32_t)part);
    at += part;
    size -= part;
  }
}

static void put(const char *format, const void *at, const char *from, size_t size) {
  char text[2 * LARGEST + 64];
  size_t k = (size_t)snprintf(text, 64, format, at);
  for (size_t i = 0; i < size; i++) {
    text[k++] = "0123456789abcdef"[(unsigned char)from[i] >> 4];
    text[k++] = "0123456789abcdef"[from[i] & 15];
  }
  text[k++] = '\n';
  cilk_points_put(text, k);
}

/* Its present bytes: what differs goes to the log. */
static void compare(struct watch *w, const char *now) {
  size_t from = 0, to = w->size;
  if (w->last) {
    if (memcmp(w->last, now, to) == 0) return;
    while (w->last[from] == now[from]) from++;
    while (w->last[to - 1] == now[to - 1]) to--;
  } else if (!(w->last = malloc(w->size))) return;
  memcpy(w->last, now, w->size);
  put("mem\t%p\t", w->at + from, now + from, to - from);
}

static void look(void) {
  static char now[AT_ONCE * PAGE];
  struct iovec of[AT_ONCE], into;
  struct page *read[AT_ONCE];
  for (uint32_t i = 0; i < npages;) {
    size_t k = 0, have = 0;
    for (; i < npages && k < AT_ONCE; i++)
      if (!pages[i].gone) {
        of[k] = (struct iovec){(void *)(uintptr_t)pages[i].at, PAGE};
        read[k++] = &pages[i];
      }
    while (have < k) { /* it ends at a page that cannot be read */
      into = (struct iovec){now, (k - have) * PAGE};
      ssize_t got = process_vm_readv(getpid(), &into, 1, of + have, k - have, 0);
      size_t whole = got < 0 ? 0 : (size_t)got / PAGE;
      for (size_t j = 0; j < whole; j++)
        for (uint32_t n = read[have + j]->first; n; n = watches[n - 1].next)
          compare(&watches[n - 1], now + j * PAGE + ((uintptr_t)watches[n - 1].at & (PAGE - 1)));
      have += whole;
      if (have < k) read[have++]->gone = true;
    }
  }
}

/* What is accessed, now and when its worker has gone on: it need not be watched. */
static void look_at(const void *at, size_t size) {
  char now[64];
  struct iovec into = {now, size < sizeof now ? size : sizeof now}, of = {(void *)(uintptr_t)at, into.iov_len};
  if (at && process_vm_readv(getpid(), &into, 1, &of, 1, 0) == (ssize_t)into.iov_len)
    put("mem\t%p\t", at, now, into.iov_len);
}

static void write_scope(cilk_step_scope *s) {
  char head[96];
  int k = snprintf(head, sizeof head, "scope\t%p\t%p", (void *)s, (void *)(s->unit ? s->unit : s));
  s->written = 1;
  cilk_points_put(head, (size_t)k);
  cilk_points_put(s->text, strlen(s->text));
  cilk_points_put("\n", 1);
}

static void write_globals(const cilk_step_scope *unit) {
  char text[64];
  for (uint32_t i = 0; i < unit->n; i++) {
    int k = snprintf(text, sizeof text, "global\t%p\t%u\t%p\n", (const void *)unit, i, unit->globals[i]);
    cilk_points_put(text, (size_t)k);
    watch(unit->globals[i], unit->sizes[i]);
  }
}

static void write_type(const char *type) {
  cilk_points_put("type\t", 5);
  cilk_points_put(type, strlen(type));
  cilk_points_put("\n", 1);
}

/* How much the program has printed. */
static void write_printed(void) {
  static off_t printed;
  char text[48];
  fflush(stdout);
  off_t now = lseek(STDOUT_FILENO, 0, SEEK_CUR);
  if (now <= printed) return;
  printed = now;
  int k = snprintf(text, sizeof text, "out\t%lld\n", (long long)now);
  cilk_points_put(text, (size_t)k);
}

CILK_SHARED void cilk_rt_step(cilk_step_scope *scope, void *const *variables, const void *memory, uint64_t size,
    const char *type) {
  const cilk_worker *w = cilk_me();
  next.scope = NULL;
  if (w->id < 0 || !w->ext || !w->ext->ctx->turns || !cilk_points_kept()) return;
  next.scope = scope;
  next.access = (struct accessed){memory, size};
  next.type = type;
  memcpy(next.at, variables, scope->n * sizeof *variables);
  for (uint32_t i = 0; i < scope->n; i++) watch(variables[i], scope->sizes[i]);
}

void cilk_step_at(const cilk_worker *w, const cilk_place *place) {
  static bool used;
  look_at(before[w->id].memory, before[w->id].size);
  before[w->id].memory = NULL;
  if (next.scope) {
    char text[64 + VARIABLES * 20];
    used = true;
    if (!next.scope->unit->written) {
      write_scope(next.scope->unit);
      write_globals(next.scope->unit);
    }
    if (!next.scope->written) write_scope(next.scope);
    size_t k = (size_t)snprintf(text, 64, "vars\t%p", (void *)next.scope);
    for (uint32_t i = 0; i < next.scope->n; i++)
      k += (size_t)snprintf(text + k, 20, "\t%lx", (unsigned long)(uintptr_t)next.at[i]);
    text[k++] = '\n';
    cilk_points_put(text, k);
    if (place->memory && next.access.memory == place->memory) {
      write_type(next.type);
      look_at(next.access.memory, next.access.size);
      before[w->id] = next.access;
    }
    next.scope = NULL;
  }
  if (!used) return;
  write_printed();
  look();
}

/* ---- the heap: blocks are watched; what is not yet written there shows as such */

static void *block(void *p, size_t size, size_t from) {
  char text[64];
  if (!p || !cilk_points_kept()) return p;
  if (size > from) memset((char *)p + from, POISON, size - from);
  int k = snprintf(text, sizeof text, "block\t%p\t%zu\n", p, size);
  cilk_points_put(text, (size_t)k);
  watch(p, size);
  return p;
}

static void gone(const void *p) {
  if (p && cilk_points_kept()) put("free\t%p", p, "", 0);
}

CILK_SHARED void *cilk_rt_step_malloc(size_t size);
CILK_SHARED void *cilk_rt_step_calloc(size_t count, size_t size);
CILK_SHARED void *cilk_rt_step_realloc(void *p, size_t size);
CILK_SHARED void *cilk_rt_step_aligned_alloc(size_t align, size_t size);
CILK_SHARED char *cilk_rt_step_strdup(const char *s);
CILK_SHARED void cilk_rt_step_free(void *p);
CILK_SHARED void *cilk_rt_step_malloc(size_t size) { return block(malloc(size), size, 0); }
CILK_SHARED void *cilk_rt_step_calloc(size_t count, size_t size) {
  void *p = calloc(count, size);
  return block(p, count * size, count * size);
}
CILK_SHARED void *cilk_rt_step_realloc(void *p, size_t size) {
  gone(p);
  return block(realloc(p, size), size, size);
}
CILK_SHARED void *cilk_rt_step_aligned_alloc(size_t align, size_t size) {
  return block(aligned_alloc(align, size), size, 0);
}
CILK_SHARED char *cilk_rt_step_strdup(const char *s) {
  size_t size = strlen(s) + 1;
  return block(strdup(s), size, size);
}
CILK_SHARED void cilk_rt_step_free(void *p) {
  gone(p);
  free(p);
}
