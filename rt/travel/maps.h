/* maps.h - views of reducers in an image: the maps (views/views.h) at the places of links. */
#ifndef CILK_RT_MAPS_H
#define CILK_RT_MAPS_H

#include "base/base.h"

struct cilk_views;

static inline bool cilk_no_map(const struct cilk_views *m) { return (uintptr_t)m <= 1; }   /* CILK_NO_VIEWS */

/* What of it the program wrote, or has a meaning in one process only: entries and views, by number. False: no more. */
bool cilk_map_words(const struct cilk_views *m, size_t number, const void **at, size_t *bytes);

/* NULL: each pointer of it leads to what it is taken for. `claim`: a piece of the runtime's memory; view: with a view
 * in it. `function`: it can be called. */
const char *cilk_map_check(const struct cilk_views *m, bool (*claim)(const void *at, size_t bytes, bool view),
    bool (*function)(const void *));
/* Of one that was checked: makes its index, since objects may be at other addresses. */
const char *cilk_map_index(struct cilk_views *m);
size_t cilk_map_layout(void);             /* sizes */

#endif
