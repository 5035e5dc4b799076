/* link.c - making and freeing links. */
#include "data/link.h"
#include "data/pool.h"

#include <string.h>

_Static_assert(sizeof(cilk_link) <= CILK_LINK_HEADER, "the record follows the link");

static inline uint32_t up64(uint32_t n) { return (n + 63u) & ~63u; }

cilk_link *cilk_link_new(cilk_closure *parent, cilk_worker *worker, const cilk_link *base) {
  cilk_check(parent->entry < parent->sig->nentries);
  const cilk_entry *e = &parent->sig->entries[parent->entry];
  uint32_t result_offset = CILK_LINK_HEADER + up64(e->record_size), bytes = result_offset + up64(e->result_size);
  cilk_link *l = cilk_pool_alloc(bytes);
  l->parent = parent;
  l->entry = e;
  l->root = base->root;
  l->worker = worker;
  l->child = NULL;
  l->next = l->prev = NULL;
  store_relaxed(&l->aborted, 0u);
  l->work = l->span = 0;
  l->future = NULL;
  l->stage = CILK_LINK_OUT;
  l->joined = false;
  l->views = l->right = CILK_NO_VIEWS;
  l->bytes = bytes;
  l->result_offset = result_offset;
  if (e->record_size) memcpy(cilk_link_record(l), (char *)parent + e->record_offset, e->record_size);
  return l;
}

void cilk_link_free(cilk_link *l) { cilk_pool_free(l, l->bytes); }
