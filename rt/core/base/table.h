/* table.h - tables by address: open addressing with steps of one, over a power of two of rows, half of which at most
 * are in use. A row is a struct with a pointer, `key`, which is null where the row is free. */
#ifndef CILK_RT_TABLE_H
#define CILK_RT_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Where to begin to look. Objects are aligned, and the low bits of a product come from the low bits of its factors:
 * the bits are taken from the middle. */
static inline size_t cilk_table_home(const void *address) {
  return (size_t)((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* The row of that address, or the free one where it belongs. There are rows. */
#define CILK_TABLE_ROW(rows, room, key, address) \
  ({ \
    const void *cilk_address_ = (address); \
    size_t cilk_mask_ = (size_t)(room) - 1, cilk_i_ = cilk_table_home(cilk_address_) & cilk_mask_; \
    while ((rows)[cilk_i_].key && (rows)[cilk_i_].key != cilk_address_) cilk_i_ = (cilk_i_ + 1) & cilk_mask_; \
    &(rows)[cilk_i_]; \
  })

/* Room for a row more in a table with n of `room` rows in use; the first table has `first` rows, then it doubles.
 * False: there is no memory, and nothing has changed. */
#define CILK_TABLE_ROOM(rows, n, room, first, key) \
  ({ \
    __auto_type cilk_more_ = (room) ? 2 * (room) : (first); \
    __typeof__(rows) cilk_new_ = NULL; \
    if (2 * (n) >= (room) && (cilk_new_ = calloc(cilk_more_, sizeof *(rows)))) { \
      for (size_t cilk_k_ = 0; cilk_k_ < (room); cilk_k_++) \
        if ((rows)[cilk_k_].key) *CILK_TABLE_ROW(cilk_new_, cilk_more_, key, (rows)[cilk_k_].key) = (rows)[cilk_k_]; \
      free(rows); \
      (rows) = cilk_new_; \
      (room) = cilk_more_; \
    } \
    2 * (n) < (room); \
  })

#endif
