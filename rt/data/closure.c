/* closure.c - full closures and their lists of links, and the blocks that a procedure attaches to its closure. */
#include "data/closure.h"
#include "base/arena.h"
#include "base/fault.h"
#include "data/blocks.h"
#include "data/deque.h"
#include "data/pool.h"
#include "data/step.h"

#include <stdlib.h>

_Static_assert(sizeof(cilk_closure) == CILK_CLOSURE_HEADER, "the slots follow the header");

cilk_closure *cilk_rt_closure_alloc(const cilk_sig *sig)
{
  cilk_check(sig->abi_version == CILK_ABI_VERSION);
  cilk_closure *c = cilk_pool_alloc(sig->closure_size);
  c->sig = sig;
  return c;
}

long cilk_full_closures;

void cilk_rt_closure_free(cilk_closure *c)
{
#ifdef CILK_DEBUG
  if (load_relaxed(&c->state) != CILK_ATTACHED) {
    cilk_check(c->magic == CILK_MAGIC);
    c->magic = CILK_MAGIC_FREE;
    __atomic_fetch_sub(&cilk_full_closures, 1, __ATOMIC_RELAXED);
  }
#endif
  const cilk_worker *w = cilk_me();
  if (w->views && w->views != CILK_NO_VIEWS && w->ext->seg && w->ext->seg->unwinding &&
      load_relaxed(&c->state) == CILK_ATTACHED)
    cilk_views_forget_closure(w->views, c);
  cilk_closure_release_blocks(c);
  cilk_pool_free(c, c->sig->closure_size);
}

/* A closure that nobody but this worker knows gets its full fields. */
void cilk_closure_become_full(cilk_closure *c, cilk_link *links, cilk_worker *w, uint32_t state)
{
  cilk_spin_init(&c->lock);
  c->join = 0;
  c->link = links;
  c->children = NULL;
  c->pending = NULL;
  c->aborts = 0;
  c->worker = w;
  c->number = cilk_order_number(w);
  c->next = NULL;
#ifdef CILK_DEBUG
  c->magic = CILK_MAGIC;
  __atomic_fetch_add(&cilk_full_closures, 1, __ATOMIC_RELAXED);
#endif
  store_relaxed(&c->state, state);
}

/* ---- links ----
 * `children` is doubly linked and NULL ended, so that a delivery takes its link out at once. `pending` is a ring whose
 * entry point is its youngest link, so that deliveries run in the order in which the children returned. What is pending
 * is among the children too. */

bool cilk_link_adopt(cilk_link *l, cilk_closure *child)
{
  if (!l->parent) {
    l->child = child;
    return false;
  }
  cilk_closure_lock(l->parent);
  l->child = child;
  bool marked = load_relaxed(&l->aborted) != 0;
  cilk_closure_unlock(l->parent);
  return marked;
}

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
    l->behind = young->behind;
    young->behind = l;
  } else
    l->behind = l;
  parent->pending = l;
}

cilk_link *cilk_pending_take(cilk_closure *parent)
{
  cilk_link *young = parent->pending;
  if (!young)
    return NULL;
  cilk_link *old = young->behind;
  if (old == young)
    parent->pending = NULL;
  else
    young->behind = old->behind;
  parent->join--;
  old->joined = true;
  return old;
}

unsigned cilk_pending_drop(cilk_closure *parent)
{
  unsigned n = 0;
  for (cilk_link *l; (l = cilk_pending_take(parent)); n++)
    if (l->views == CILK_NO_VIEWS && l->right == CILK_NO_VIEWS) {
      cilk_children_remove(parent, l);
      cilk_link_free(l);
    } else
      l->stage = CILK_LINK_KEPT;
  return n;
}

/* ---- blocks: Cilk_alloca, alloca, VLAs ----
 * A small block is a piece of the closures' pool, so that a fast clone pays a few instructions for a VLA. A large one
 * comes from malloc. */

struct block {
  struct block *next;
  void *start;
  size_t room;                            /* bytes from start on */
  /* 0: lives as long as the instance; else whose VLA it is, one more than cilk_rt_vla's number */
  unsigned vla;
  unsigned piece;                         /* bytes of the pool's piece; 0: from malloc */
};

_Static_assert(sizeof(struct block) == CILK_BLOCK_HEADER, "blocks.h");

#ifdef CILK_ASAN
enum { LARGEST_PIECE = 0 };               /* malloc's blocks have red zones around them */
#else
enum { LARGEST_PIECE = CILK_FREE_CLASSES * CILK_FREE_UNIT };
#endif

/* C gives an array of no bytes no element, so any address will do. Leaves of searches declare such arrays. */
static bool needs_no_block(size_t n, size_t align) { return n == 0 && align <= 64; }

static __attribute__((noinline)) void *new_block(cilk_closure *c, size_t n, size_t align, unsigned vla)
{
  if (align < 16)
    align = 16;
  size_t extra = sizeof(struct block) + (align > 16 ? align : 0), bytes = n + extra;
  bool small = n <= LARGEST_PIECE && bytes <= LARGEST_PIECE;
  struct block *b;
  if (n > SIZE_MAX - extra || CILK_FAILS(MALLOC))
    b = NULL;
  else
    b = small ? cilk_pool_alloc(bytes) : cilk_heap_alloc(bytes, 16);
  if (!b)
    cilk_fatal("out of memory (%s of %zu bytes)", vla ? "a variable-length array" : "Cilk_alloca", n);
  b->next = c->blocks;
  c->blocks = b;
  uintptr_t p = (uintptr_t)(b + 1);
  b->start = (void *)((p + align - 1) & ~(uintptr_t)(align - 1));
  b->room = n;
  b->vla = vla;
  b->piece = small ? (unsigned)bytes : 0;
  return b->start;
}

/* A block of an instance that was never stolen goes back to where it came from, this worker's list. Another one goes to
 * all workers. */
static void free_block(const cilk_closure *c, struct block *b)
{
  if (!b->piece)
    cilk_heap_free(b);
  else if (load_relaxed(&c->state) == CILK_ATTACHED)
    cilk_pool_free_own(b, b->piece);
  else
    cilk_pool_free(b, b->piece);
}

void *cilk_rt_alloca(cilk_closure *c, size_t n, size_t align)
{
  return needs_no_block(n, align) ? c : new_block(c, n, align, 0);
}

/* The declaration of a VLA is executed again in a slow clone. An outstanding child may hold the address of the previous
 * array, so its block is used again, or freed, only when no child is outstanding. The walk is cut short for procedures
 * that have called Cilk_alloca thousands of times. */
static CILK_COLD void *block_again(cilk_closure *c, size_t n, size_t align, unsigned vla)
{
  void *found = NULL;
  int looked = 0;
  for (struct block **at = (struct block **)&c->blocks, *b; (b = *at) && looked < CILK_VLA_LOOK_AT; looked++) {
    bool same = b->vla == vla;
    if (same && !found && b->room >= n && ((uintptr_t)b->start & (align - 1)) == 0) {
      found = b->start;
    } else if (same) {
      *at = b->next;
      free_block(c, b);
      continue;
    }
    at = &b->next;
  }
  return found ? found : new_block(c, n, align, vla);
}

void *cilk_rt_vla(cilk_closure *c, size_t n, size_t align, unsigned number)
{
  if (needs_no_block(n, align))
    return c;
  if (number && cilk_rt_synched(c))
    return block_again(c, n, align, number + 1);
  return new_block(c, n, align, number + 1);
}

void cilk_rt_vla_reset(cilk_closure *c, void *mark)
{
  for (struct block **at = (struct block **)&c->blocks, *b; (b = *at) && b != mark;)
    if (b->vla) {
      *at = b->next;
      free_block(c, b);
    } else {
      at = &b->next;
    }
}

const void *cilk_closure_block(const void *block, const void **start, size_t *bytes)
{
  const struct block *b = block;
  *start = b->start;
  *bytes = b->room;
  return b->next;
}

bool cilk_closure_block_is_whole(const void *block)
{
  const struct block *b = block;
  uintptr_t start = (uintptr_t)b->start, from = (uintptr_t)(b + 1);
  return start >= from && b->room <= UINTPTR_MAX - start && b->piece <= LARGEST_PIECE &&
      (!b->piece || start - (uintptr_t)b + b->room <= b->piece);
}

unsigned cilk_closure_block_piece(const void *block) { return ((const struct block *)block)->piece; }

void cilk_closure_release_blocks(cilk_closure *c)
{
  for (struct block *b = c->blocks, *next; b; b = next) {
    next = b->next;
    free_block(c, b);
  }
  c->blocks = NULL;
}
