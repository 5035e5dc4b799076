/* maps.c - a map in an image: its entries, its views, whether it is whole, and its index in another process. */
#include "travel/maps.h"

#define CILK_MAP_ALLOC(bytes) NULL        /* no map grows here */
#define CILK_MAP_FREE(p, bytes) ((void)(p))
#define CILK_MAP_FULL(most) ((void)(most))
#include "views/map.h"

static void free_view(const entry *e) { (void)e; }
static size_t view_bytes(const entry *e) { return (size_t)(e->lines - e->skipped) * LINE; }

size_t cilk_map_layout(void) { return sizeof(struct cilk_views) << 16 | sizeof(entry); }

bool cilk_map_words(const struct cilk_views *m, size_t number, const void **at, size_t *bytes) {
  if (number / 2 >= m->count) return false;
  const entry *e = &m->entries[number / 2];
  *at = number % 2 ? e->view : e;
  *bytes = number % 2 ? view_bytes(e) : sizeof *e;
  return true;
}

#define WRONG(condition) \
  do \
    if (condition) return "views of a reducer are damaged"; \
  while (0)

const char *cilk_map_check(const struct cilk_views *m, bool (*claim)(const void *at, size_t bytes, bool view),
    bool (*function)(const void *)) {
  WRONG(!claim(m, sizeof *m, false) || m->bits < 4 || m->bits > 31);
  size_t room = (size_t)1 << (m->bits - 1);
  if (m->table_bytes)
    WRONG(m->table_bytes != room * sizeof(entry) + 2 * room * sizeof(uint32_t) ||
          !claim(m->entries, m->table_bytes, false) || m->index != (const void *)(m->entries + room));
  else WRONG(room != FIRST || m->entries != m->first || m->index != m->first_index);
  WRONG(m->count > room);
  for (uint32_t i = 0; i < m->count; i++) {
    const entry *e = &m->entries[i];
    WRONG(e->reduce && !function((const void *)(uintptr_t)e->reduce));
    if (!e->lines) WRONG(e->view != e->object || e->skipped);
    else
      WRONG(e->skipped >= e->lines || (uintptr_t)e->view % LINE ||
            !claim((const char *)e->view - (size_t)e->skipped * LINE, (size_t)e->lines * LINE, true));
  }
  return NULL;
}

const char *cilk_map_index(struct cilk_views *m) {
  memset(m->index, 0, ((size_t)1 << m->bits) * sizeof *m->index);
  m->ranges = 0;
  m->low = UINTPTR_MAX;
  m->high = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t *at = find(m, m->entries[i].object);
    WRONG(*at);
    *at = i + 1;
    m->ranges += m->entries[i].range != 0;
    widen(m, &m->entries[i]);
  }
  return NULL;
}
