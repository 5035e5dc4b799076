/* array.h - arrays that grow. */
#ifndef CILK_RT_ARRAY_H
#define CILK_RT_ARRAY_H

#include <stdlib.h>

/* Room for an element more in an array with n of `room` elements; the first room is for `first`, then it doubles.
 * False: there is no memory, and nothing has changed. */
#define CILK_ROOM_FOR(array, n, room, first) \
  ({ \
    __auto_type cilk_more_ = (room) ? 2 * (room) : (first); \
    void *cilk_new_ = NULL; \
    if ((n) >= (room) && (cilk_new_ = realloc((array), cilk_more_ * sizeof *(array)))) { \
      (array) = cilk_new_; \
      (room) = cilk_more_; \
    } \
    (n) < (room); \
  })

#endif
