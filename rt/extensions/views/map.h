/* map.h - a map: a table from reducers' addresses to the views of one strand.
 *
 * The entries lie one after the other, in the order in which they came. An index, open addressing with steps of one,
 * has for each object the number of its entry, and 0 where there is none; it is at most half full. So a lookup costs
 * the same for one reducer and for thousands, and a join goes through as many entries as there are. The first entries
 * and their index lie in the map itself.
 *
 * An array or struct that has reducers in it is registered as a whole, as a *range*: what is looked up inside of it is
 * its own view. Its entry has the range's address, and goes on to be that of a reducer which begins there.
 *
 * The address of a view is as good as that of its object: what is looked up in a view that the map has is its own view.
 * So `cilk_list_view(&l)` is right where l is an object, and where it is a reducer, whose `&l` is a view already.
 *
 * The runtime and the race detector have memory of their own for it: an including file defines CILK_MAP_ALLOC,
 * CILK_MAP_FREE, CILK_MAP_FULL(most), which does not return, and the functions free_view and view_bytes. */
#ifndef CILK_RT_MAP_H
#define CILK_RT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void reduce_fn(void *left, void *right);

typedef struct entry {
  void *object, *view;                    /* equal: the object began to exist in this map's strand */
  reduce_fn *reduce;
  uint32_t lines, skipped;                /* of its storage (0: the object is the view); those before the view */
  size_t range;                           /* bytes from the object on in which all objects are their own views */
} entry;

static void free_view(const entry *);
static size_t view_bytes(const entry *);        /* of its storage, from the view on; 0: the object is the view */

enum { LINE = 64, FIRST = 8 };            /* so many entries lie in the map */

struct cilk_views {
  entry *entries;
  uint32_t *index;                        /* 1 << bits of them, twice as many as there is room for entries */
  uint32_t count, ranges;                 /* entries; those of ranges */
  unsigned bits;
  uintptr_t low, high;                    /* all views that are not their objects are between these */
  size_t table_bytes;                     /* of what `entries` and `index` point to; 0: `first` and `first_index` */
  entry first[FIRST];
  uint32_t first_index[2 * FIRST];
};

static inline struct cilk_views *new_map(void) {
  struct cilk_views *m = CILK_MAP_ALLOC(sizeof *m);
  m->entries = m->first;
  m->index = m->first_index;
  m->count = m->ranges = 0;
  m->bits = 4;
  m->low = UINTPTR_MAX;
  m->high = 0;
  m->table_bytes = 0;
  memset(m->first_index, 0, sizeof m->first_index);
  return m;
}
_Static_assert(2 * FIRST == 1 << 4, "bits of a new map");

static inline void free_table(struct cilk_views *m) {
  if (m->table_bytes) CILK_MAP_FREE(m->entries, m->table_bytes);
}

static inline void free_map(struct cilk_views *m) {
  free_table(m);
  CILK_MAP_FREE(m, sizeof *m);
}

/* ---- the index ---- */

static inline uint32_t home_of(const struct cilk_views *m, const void *object) {
  return (uint32_t)((uint64_t)(uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15) >> (64 - m->bits));
}
static inline uint32_t mask_of(const struct cilk_views *m) { return (1u << m->bits) - 1; }

/* Where in the index the object's entry is, or would be. */
static inline uint32_t *find(const struct cilk_views *m, const void *object) {
  uint32_t i = home_of(m, object);
  while (m->index[i] && m->entries[m->index[i] - 1].object != object) i = (i + 1) & mask_of(m);
  return &m->index[i];
}

static __attribute__((noinline, cold)) void grow(struct cilk_views *m) {
  size_t room = (size_t)1 << m->bits, bytes = room * sizeof(entry) + 2 * room * sizeof(uint32_t);
  if (m->bits >= 31) CILK_MAP_FULL(room / 2);
  entry *entries = CILK_MAP_ALLOC(bytes);
  memcpy(entries, m->entries, m->count * sizeof(entry));
  free_table(m);
  m->entries = entries;
  m->index = (uint32_t *)(void *)(entries + room);
  m->bits++;
  m->table_bytes = bytes;
  memset(m->index, 0, 2 * room * sizeof(uint32_t));
  for (uint32_t i = 0; i < m->count; i++) *find(m, entries[i].object) = i + 1;
}

static inline void widen(struct cilk_views *m, const entry *e) {
  uintptr_t view = (uintptr_t)e->view;
  if (!view_bytes(e)) return;
  if (view < m->low) m->low = view;
  if (view + view_bytes(e) > m->high) m->high = view + view_bytes(e);
}

/* There is none of this object yet. */
static inline void add(struct cilk_views *m, const entry *e) {
  if (2 * (m->count + 1) > 1u << m->bits) grow(m);
  m->entries[m->count++] = *e;
  m->ranges += e->range != 0;
  widen(m, e);
  *find(m, e->object) = m->count;
}

/* The view in which p is. A search, but objects are rarely between views. */
static inline const entry *view_around(const struct cilk_views *m, const void *p) {
  uintptr_t at = (uintptr_t)p;
  for (uint32_t i = at < m->low || at >= m->high ? m->count : 0; i < m->count; i++)
    if (at - (uintptr_t)m->entries[i].view < view_bytes(&m->entries[i])) return &m->entries[i];
  return NULL;
}

static inline bool in_range(const struct cilk_views *m, const void *object) {
  for (uint32_t i = 0, left = m->ranges; left; i++) {
    const entry *e = &m->entries[i];
    if ((uintptr_t)object - (uintptr_t)e->object < e->range) return true;
    left -= e->range != 0;
  }
  return false;
}

/* The entry at that place of the index goes; what comes after it in the index moves up, so that searches still end at
 * the first gap. */
static inline void take_out(struct cilk_views *m, uint32_t *at) {
  uint32_t number = *at, last = m->count, mask = mask_of(m), gap = (uint32_t)(at - m->index);
  *at = 0;
  for (uint32_t i = (gap + 1) & mask; m->index[i]; i = (i + 1) & mask) {
    uint32_t home = home_of(m, m->entries[m->index[i] - 1].object);
    if (((i - home) & mask) >= ((i - gap) & mask)) {
      m->index[gap] = m->index[i];
      m->index[i] = 0;
      gap = i;
    }
  }
  m->ranges -= m->entries[number - 1].range != 0;
  if (number != last) {
    *find(m, m->entries[last - 1].object) = number;
    m->entries[number - 1] = m->entries[last - 1];
  }
  m->count--;
}

/* What has its object in that memory. */
static inline void forget_entries(struct cilk_views *m, const void *from, size_t bytes) {
  for (uint32_t i = m->count; i-- > 0;) {
    const entry *e = &m->entries[i];
    if ((uintptr_t)e->object - (uintptr_t)from < bytes) {
      free_view(e);
      take_out(m, find(m, e->object));    /* the last entry, which has been looked at, takes its place */
    }
  }
}

/* The object and what is registered with it goes. */
static inline void unregister(struct cilk_views *m, const void *object, size_t bytes) {
  uint32_t *at = find(m, object);
  if (*at && m->entries[*at - 1].range > bytes) bytes = m->entries[*at - 1].range;
  if (bytes) forget_entries(m, object, bytes);
  else if (*at) {
    free_view(&m->entries[*at - 1]);
    take_out(m, at);
  }
}

/* ---- two maps become one ---- */

/* What the right one has of one object goes to the left one (NULL: the leftmost strand, in which each object is its own
 * view). True: `reduce` has to be called, with these views. */
static inline bool pass(struct cilk_views *left, const entry *e, void **view) {
  if (!left) {
    *view = e->object;
    return e->view != e->object; /* else it began to exist in the right one, and exists still */
  }
  uint32_t *at = find(left, e->object);
  if (!*at && e->view != e->object && in_range(left, e->object)) {
    add(left, &(entry){e->object, e->object, e->reduce, 0, 0, 0});
    *view = e->object;
    return true;
  }
  if (!*at && e->view != e->object && view_around(left, e->object)) {
    *view = e->object;
    return true;
  }
  if (!*at) {
    add(left, e);
    return false;
  }
  entry *old = &left->entries[*at - 1];
  if (e->view == e->object) { /* of an earlier object at this address, which was not unregistered */
    free_view(old);
    left->ranges += (uint32_t)(e->range != 0) - (uint32_t)(old->range != 0);
    *old = *e;
    return false;
  }
  *view = old->view;
  return true;
}

static inline void pass_all(struct cilk_views *left, struct cilk_views *right) {
  void *view;
  for (uint32_t i = 0; i < right->count; i++) {
    const entry *e = &right->entries[i];
    if (pass(left, e, &view)) {
      if (e->reduce) e->reduce(view, e->view);
      free_view(e);
    }
  }
  free_map(right);
}

#endif
