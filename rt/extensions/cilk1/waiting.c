/* waiting.c - closures that never got their last argument: their names for messages, and their memory.
 *
 * A closure that waits is on no list; continuations alone refer to it. So each pool knows the memory that it asked the
 * process for: all of its closures lie there, and those of them that wait are found when the computation is over. Such
 * memory may belong to others by then, if a thief gave it back; `pool` says whose it is. Large closures come from the C
 * library and go back to it. The computation has a list of them. */
#include "home.h"
#include "base/fault.h"
#include "data/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resize(void *p, size_t size) {
  if (!(p = realloc(p, size))) cilk_fatal("out of memory (a list of closures)");
  return p;
}

/* ---- memory of the free lists' sizes ---- */

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)*(cilk1_closure *const *)a, y = (uintptr_t)*(cilk1_closure *const *)b;
  return (x > y) - (x < y);
}

/* Sorts them and drops those that are there twice: the memory went away and came back. */
static void tidy(cilk1_home *h) {
  size_t n = 0;
  qsort(h->known, h->nknown, sizeof *h->known, by_address);
  for (size_t i = 0; i < h->nknown; i++)
    if (!n || h->known[n - 1] != h->known[i]) h->known[n++] = h->known[i];
  h->nknown = n;
}

void cilk1_know(cilk1_home *h, cilk1_closure *c) {
  if (h->nknown == h->known_room) {
    tidy(h);
    if (2 * h->nknown >= h->known_room) {
      h->known_room = h->known_room ? 2 * h->known_room : 64;
      h->known = resize(h->known, h->known_room * sizeof *h->known);
    }
  }
  h->known[h->nknown++] = c;
}

/* ---- large ones ---- */

enum { BEFORE = 64 };                     /* bytes before a large closure: its place in the list */

static size_t *place_of(cilk1_closure *c) { return (size_t *)(void *)((char *)c - BEFORE); }

cilk1_closure *cilk1_large_new(cilk1_run *run, size_t size) {
  cilk1_closure *c = (cilk1_closure *)(void *)((char *)cilk_pool_alloc(size + BEFORE) + BEFORE);
  cilk_spin_lock(&run->lock);
  if (run->nlarge == run->large_room) {
    run->large_room = run->large_room ? 2 * run->large_room : 16;
    run->large = resize(run->large, run->large_room * sizeof *run->large);
  }
  *place_of(c) = run->nlarge;
  run->large[run->nlarge++] = c;
  cilk_spin_unlock(&run->lock);
  return c;
}

void cilk1_large_free(cilk1_run *run, cilk1_closure *c, size_t size) {
  cilk_spin_lock(&run->lock);
  cilk1_closure *last = run->large[--run->nlarge];
  run->large[*place_of(c)] = last;
  *place_of(last) = *place_of(c);
  cilk_spin_unlock(&run->lock);
  cilk_pool_free((char *)c - BEFORE, size + BEFORE);
}

/* ---- when a computation is over ---- */

/* All closures that wait, in no order, without the thread that takes the result. */
static size_t waiting(cilk1_run *run, cilk1_closure ***list) {
  size_t n = 0, room = run->nlarge;
  for (cilk1_home *h = run->homes; h; h = h->of_run) {
    tidy(h);
    room += h->nknown;
  }
  cilk1_closure **all = resize(NULL, (room + 1) * sizeof *all);
  for (cilk1_home *h = run->homes; h; h = h->of_run)
    for (size_t i = 0; i < h->nknown; i++)
      if (h->known[i]->pool == &h->pool && h->known[i]->join && h->known[i]->thread != &run->thread)
        all[n++] = h->known[i];
  for (size_t i = 0; i < run->nlarge; i++)
    if (run->large[i]->join && run->large[i]->thread != &run->thread) all[n++] = run->large[i];
  *list = all;
  return n;
}

/* What c waits for, in words. The debug build knows each argument. Otherwise a join sum that is one slot's offset is
 * that argument. A join sum that is less than every offset is what a send too many has left. */
static void describe_missing(const cilk1_closure *c, char *text, size_t room) {
#ifdef CILK_DEBUG
  size_t n = 0;
  for (uint32_t i = 0; i < c->thread->nslots && n < room; i++) {
    const cilk1_slot *s = &c->thread->slots[i];
    if (!(s->flags & CILK1_SLOT_PART) && cilk1_missing(c, s))
      n += (size_t)snprintf(text + n, room - n, "%s %u (%s)", n ? "," : "argument", s->index + 1, s->name);
  }
  if (n) return;
#endif
  for (uint32_t i = 0; i < c->thread->nslots; i++) {
    const cilk1_slot *s = &c->thread->slots[i];
    if (!(s->flags & CILK1_SLOT_PART) && s->offset == c->join) {
      snprintf(text, room, "argument %u (%s)", s->index + 1, s->name);
      return;
    }
  }
  snprintf(text, room, "%s", c->join < CILK1_ARGS ? "an argument, and another one was sent twice" : "arguments");
}

typedef struct line {
  char text[240];
  size_t n;
} line;

char *cilk1_waiting_threads(cilk1_run *run, char *text, size_t room) {
  enum { LINES = 6 };
  line lines[LINES];
  size_t n = 0, others = 0, at = 0;
  cilk1_closure **list;
  size_t all = waiting(run, &list);
  for (size_t i = 0; i < all; i++) {
    char what[120], one[sizeof lines[0].text];
    const cilk1_thread *t = list[i]->thread;
    describe_missing(list[i], what, sizeof what);
    snprintf(one, sizeof one, "%s (%s:%u) still waits for %s", t->name, t->file, t->line, what);
    size_t k = 0;
    while (k < n && strcmp(lines[k].text, one) != 0) k++;
    if (k < n) lines[k].n++;
    else if (n < LINES) {
      memcpy(lines[n].text, one, sizeof one);
      lines[n++].n = 1;
    } else others++;
  }
  free(list);
  snprintf(text, room, "%s",
      all ? ""
          : ". No call waits for an argument: the continuation for the result was given up, or is for a computation that begins later. "
            "Without a thief a procedure goes on when the computation that it has spawned is over");
  for (size_t k = 0; k < n && at < room; k++)
    at += (size_t)(lines[k].n > 1 ? snprintf(text + at, room - at, "\n  %s, in %zu calls", lines[k].text, lines[k].n)
                                  : snprintf(text + at, room - at, "\n  %s", lines[k].text));
  if (others && at < room) at += (size_t)snprintf(text + at, room - at, "\n  and %zu other calls", others);
#ifndef CILK_DEBUG
  if (all && at < room) snprintf(text + at, room - at, "\n  (-cilk-debug says for which arguments)");
#endif
  return text;
}

/* What still waits is given back, as no thread is left to send to it. How many closures it was. */
size_t cilk1_forget_waiting(cilk1_run *run) {
  cilk1_closure **list;
  size_t n = waiting(run, &list);
  for (size_t i = 0; i < n; i++) {
    list[i]->join = 0;
    cilk1_release(list[i]);
  }
  free(list);
  return n;
}
