/* maps.h - views of reducers in an image: the maps (views/views.h) at the places of links. */
#ifndef CILK_RT_MAPS_H
#define CILK_RT_MAPS_H

#include "base/base.h"

struct cilk_views;

static inline bool cilk_no_map(const struct cilk_views *m) { return (uintptr_t)m <= 1; }   /* CILK_NO_VIEWS */

/* The pieces of a map that the program wrote or that hold addresses: entries and views, by number. False: no more. */
bool cilk_map_words(const struct cilk_views *m, size_t number, const void **at, size_t *bytes);

/* Why a map of an image is wrong, or NULL. `claim` is asked whether these bytes are the runtime's, view: and hold a
 * view; `function` whether an address is a function's. */
const char *cilk_map_check(const struct cilk_views *m, bool (*claim)(const void *at, size_t bytes, bool view),
    bool (*function)(const void *));
/* Makes the index of a map that was checked: objects may be at other addresses than in the image. */
const char *cilk_map_index(struct cilk_views *m);
size_t cilk_map_layout(void);             /* sizes */

#endif
