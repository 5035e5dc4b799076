/* link.c - links and the two lists of a closure that hold them: children (out), pending (returned, not yet delivered).
 *
 * `children` is doubly linked and NULL ended, so that a delivery takes its link out at once. `pending` is a ring whose entry point
 * is its youngest link, so that deliveries run in the order in which the children returned. The closure's lock guards both. */
#include "internal.h"

static inline uint32_t up64(uint32_t n) { return (n + 63u) & ~63u; }

cilk_link *cilk_link_new(cilk_closure *parent, cilk_worker *worker, const cilk_link *base)
{
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
  l->bytes = bytes;
  l->result_offset = result_offset;
  if (e->record_size)
    memcpy(cilk_link_record(l), (char *)parent + e->record_offset, e->record_size);
  return l;
}

void cilk_link_free(cilk_link *l) { cilk_pool_free(l, l->bytes); }

void cilk_children_add(cilk_closure *parent, cilk_link *l)
{
  l->prev = NULL;
  l->next = parent->children;
  if (l->next)
    l->next->prev = l;
  parent->children = l;
  parent->join++;
}

void cilk_children_remove(cilk_closure *parent, cilk_link *l)
{
  if (l->prev)
    l->prev->next = l->next;
  else
    parent->children = l->next;
  if (l->next)
    l->next->prev = l->prev;
  l->next = l->prev = NULL;
}

void cilk_pending_add(cilk_closure *parent, cilk_link *l)
{
  cilk_link *young = parent->pending;
  if (young) {
    l->next = young->next;
    young->next = l;
  } else
    l->next = l;
  parent->pending = l;
}

cilk_link *cilk_pending_take(cilk_closure *parent)
{
  cilk_link *young = parent->pending;
  if (!young)
    return NULL;
  cilk_link *old = young->next;
  if (old == young)
    parent->pending = NULL;
  else
    young->next = old->next;
  old->next = NULL;
  parent->join--;
  return old;
}

unsigned cilk_pending_drop(cilk_closure *parent)
{
  unsigned n = 0;
  for (cilk_link *l; (l = cilk_pending_take(parent)); n++)
    cilk_link_free(l);
  return n;
}
