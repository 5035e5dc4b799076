/* views.c - what one strand has of each reducer: a map (map.h) and the storage of its views.
 *
 * Maps, tables and small views are pieces of the worker's own free lists (pool.h). A view begins a cache line, or
 * more where its type wants that. */
#include "views/views.h"
#include "data/pool.h"
#include "observe/hook.h"

#include <string.h>

#define CILK_MAP_ALLOC(bytes) cilk_pool_alloc(bytes)
#define CILK_MAP_FREE(p, bytes) cilk_pool_free(p, bytes)
#define CILK_MAP_FULL(most) cilk_fatal("more than %zu reducers are in use", most)
#include "views/map.h"

/* ---- views ---- */

static void free_view(const entry *e) {
  if (e->lines) cilk_pool_free((char *)e->view - (size_t)e->skipped * LINE, (size_t)e->lines * LINE);
}
static size_t view_bytes(const entry *e) { return (size_t)(e->lines - e->skipped) * LINE; }

static CILK_COLD CILK_NORETURN void used_inside(void) {
  cilk_fatal("a reducer was used inside an identity or reduce function: these may use the views that they get, "
             "but no reducer");
}

/* The map of the strand that runs here, which is not the leftmost: a real one. */
static inline struct cilk_views *own_map(cilk_worker *w) {
  struct cilk_views *m = w->views;
  if (m == CILK_REDUCING) used_inside();
  if (m == CILK_NO_VIEWS) w->views = m = new_map();
  return m;
}

static CILK_COLD void *new_view(cilk_worker *w, struct cilk_views *m, void *object, size_t size, size_t align,
    void (*identity)(void *), reduce_fn *reduce) {
  if (in_range(m, object)) {
    add(m, &(entry){object, object, reduce, 0, 0, 0});
    return object;
  }
  size_t extra = align > LINE ? align : 0, lines = size / LINE + (size % LINE != 0) + extra / LINE;
  if (lines > UINT32_MAX) cilk_fatal("out of memory (a reducer's view of %zu bytes)", size);
  if (!lines) lines = 1;
  char *storage = cilk_pool_alloc(lines * LINE);
  uintptr_t at = (uintptr_t)storage;
  if (extra) at = (at + align - 1) & ~(uintptr_t)(align - 1);
  entry e = {object, (void *)at, reduce, (uint32_t)lines, (uint32_t)((at - (uintptr_t)storage) / LINE), 0};
  memset(e.view, 0, (size_t)(e.lines - e.skipped) * LINE);   /* all: a checkpoint looks for addresses there */
  if (identity) {
    w->views = CILK_REDUCING;
    identity(e.view);
    w->views = m;
  }
  add(m, &e);
  return e.view;
}

/* Where the object's entry is not the first that the index has for it. The map that the caller has seen may be
 * CILK_NO_VIEWS while that strand has a real one now: so what counts is that it has seen one. */
static CILK_COLD void *look_further(struct cilk_views *views, void *object, size_t size, size_t align,
    void (*identity)(void *), reduce_fn *reduce) {
  cilk_worker *w = cilk_me();
  if (!w->views)                          /* a caller that does not look at its map first */
    return object;
  struct cilk_views *m = own_map(w);
  cilk_check(views == m || views == CILK_NO_VIEWS);
  (void)views;
  uint32_t number = *find(m, object);
  if (number) return m->entries[number - 1].view;
  if (view_around(m, object)) return object;
  return new_view(w, m, object, size, align, identity, reduce);
}

void *cilk_rt_view(struct cilk_views *views, void *object, size_t size, size_t align, void (*identity)(void *),
    reduce_fn *reduce) {
  struct cilk_views *m = cilk_self.views;
  if (__builtin_expect((uintptr_t)m > (uintptr_t)CILK_REDUCING, 1)) {
    uint32_t number = m->index[home_of(m, object)];
    if (__builtin_expect(number != 0, 1)) {
      const entry *e = &m->entries[number - 1];
      if (__builtin_expect(e->object == object, 1)) return e->view;
    }
  }
  return look_further(views, object, size, align, identity, reduce);
}

void cilk_rt_view_register(void *object, size_t size, size_t align, void (*identity)(void *), reduce_fn *reduce) {
  cilk_worker *w = cilk_me();
  (void)align;
  if (!w->views) return;
  struct cilk_views *m = own_map(w);
  size_t range = identity || reduce ? 0 : size;   /* an array or struct with reducers in it */
  unregister(m, object, range);           /* an earlier object at this address */
  add(m, &(entry){object, object, reduce, 0, 0, range});
}

void cilk_rt_view_unregister(void *object) {
  cilk_worker *w = cilk_me();
  if (!w->views || w->views == CILK_NO_VIEWS) return;
  unregister(own_map(w), object, 0);
}

void *__cilkrts_reducer_lookup(void *key, size_t size, void (*identity)(void *), reduce_fn *reduce) {
  struct cilk_views *views = cilk_self.views;
  return views ? cilk_rt_view(views, key, size, LINE, identity, reduce) : key;
}

void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *), reduce_fn *reduce) {
  cilk_rt_view_register(key, size, LINE, identity, reduce);
}

void __cilkrts_reducer_unregister(void *key) { cilk_rt_view_unregister(key); }

/* ---- two strands become one ---- */

struct cilk_views *cilk_views_join(cilk_worker *w, struct cilk_views *left, struct cilk_views *right) {
  if (right == CILK_NO_VIEWS) return left;
  if (left == CILK_NO_VIEWS) return right;
  if (left == CILK_REDUCING || right == CILK_REDUCING) used_inside();
  cilk_check(right != NULL);              /* nothing is left of the leftmost */
  struct cilk_views *own = w->views;
  w->views = CILK_REDUCING;
  CILK_HOOK(step_ends, w);                /* user code */
  pass_all(left, right);
  CILK_HOOK(user_code_ends, w);
  w->views = own;
  return left;
}

void cilk_views_forget(struct cilk_views *m, const void *from, size_t bytes) {
  if (m && m != CILK_NO_VIEWS && m != CILK_REDUCING) forget_entries(m, from, bytes);
}
