/* check.c - the closures, links and free pieces of an image, before anything follows a pointer of theirs.
 *
 * A checksum is no proof: any writer of a file can make one. So all that the runtime itself keeps in the arena is
 * looked at here. Each closure, link and free piece is inside of a block that is in use. No two overlap, which excludes
 * circles of free pieces, too. Each pointer between them has its counterpart. Parents come before children, as the
 * writer walks. The program's own variables are not the runtime's to judge. */
#include "travel/check.h"
#include "travel/maps.h"
#include "base/arena.h"
#include "data/blocks.h"
#include "data/closure.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* OWN: a block of the runtime's */
enum { BLOCK, OWN, CLOSURE, LINK, FREE, MEMORY, MAP, VIEW };
typedef struct piece {
  uint64_t at, bytes;
  size_t number;
  int kind;
} piece;   /* number: which closure or link */
typedef struct pieces {
  piece *item;
  size_t n, room;
  bool full;
} pieces;

/* the arena's that are in use; closures, links and free pieces; memory of alloca and VLAs, maps and views */
static pieces blocks, own, memory;        /* by address */
static const cilk_graph *it;
enum { SMALL = CILK_FREE_CLASSES * CILK_FREE_UNIT };

#define WRONG(condition, text) \
  do \
    if (condition) return text; \
  while (0)

static void add(pieces *p, piece what) {
  if (CILK_ROOM_FOR(p->item, p->n, p->room, 1024)) p->item[p->n++] = what;
  else p->full = true;
}

static void add_block(void *block, size_t bytes, void *unused) {
  (void)unused;
  add(&blocks, (piece){(uint64_t)(uintptr_t)block, bytes, 0, cilk_arena_own(block) ? OWN : BLOCK});
}

static int by_address(const void *a, const void *b) {
  const piece *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* The last one that does not begin after this address. */
static const piece *below(const pieces *p, uint64_t address) {
  size_t low = 0, high = p->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (p->item[middle].at <= address) low = middle + 1;
    else high = middle;
  }
  return low ? &p->item[low - 1] : NULL;
}

static bool in_block(const void *p, uint64_t bytes) {
  uint64_t address = (uint64_t)(uintptr_t)p;
  const piece *b = below(&blocks, address);
  return b && address - b->at <= b->bytes && bytes <= b->bytes - (address - b->at);
}

/* The runtime's pieces are never in a block of the program's. */
static bool in_own(const void *p, uint64_t bytes) {
  return in_block(p, bytes) && below(&blocks, (uint64_t)(uintptr_t)p)->kind == OWN;
}

static bool at_block(const void *p) {
  const piece *b = below(&blocks, (uint64_t)(uintptr_t)p);
  return b && b->at == (uint64_t)(uintptr_t)p && b->kind == BLOCK;
}

/* Which closure or link this is; SIZE_MAX: none. */
static size_t number_of(const void *p, int kind) {
  const piece *found = below(&own, (uint64_t)(uintptr_t)p);
  return found && found->at == (uint64_t)(uintptr_t)p && found->kind == kind ? found->number : SIZE_MAX;
}

static cilk_closure *closure(size_t i) { return (cilk_closure *)(uintptr_t)it->closures[i].address; }
static cilk_link *link_at(size_t i) { return (cilk_link *)(uintptr_t)it->links[i].address; }

/* ---- all pieces ---- */

static const char *free_piece(const cilk_closure *c, unsigned k) {
  uint64_t bytes = (uint64_t)(k + 1) * CILK_FREE_UNIT;
  WRONG((uintptr_t)c % 64 || !in_own(c, bytes), "a free piece is outside of the heap");
  WRONG(c->state != CILK_ATTACHED || c->blocks, "a free piece is in use");
  WRONG(own.n > it->words, "free pieces go round in a circle");
  add(&own, (piece){(uint64_t)(uintptr_t)c, bytes, 0, FREE});
  return NULL;
}

/* A large one has a block of its own, which is freed as a whole (data/pool.c). */
static bool add_own(uint64_t at, uint64_t bytes, size_t number, int kind) {
  const void *p = (const void *)(uintptr_t)at;
  if (!in_own(p, bytes)) return false;
  const piece *b = below(&blocks, at);
  if (bytes > SMALL && b->at != at) return false;
  add(&own, (piece){at, bytes > SMALL ? b->bytes : bytes, number, kind});
  return true;
}

static const char *no_overlap(const char *text) {
  WRONG(own.full || blocks.full || memory.full, "out of memory");
  qsort(own.item, own.n, sizeof *own.item, by_address);
  for (size_t i = 1; i < own.n; i++) WRONG(own.item[i].at - own.item[i - 1].at < own.item[i - 1].bytes, text);
  return NULL;
}

static const char *all_pieces(void) {
  const char *why;
  for (size_t i = 0; i < it->nclosures; i++) {
    uint64_t bytes = it->sigs[it->closures[i].sig]->closure_size;
    WRONG(!add_own(it->closures[i].address, bytes, i, CLOSURE), "a closure is outside of the heap");
  }
  for (size_t i = 0; i < it->nlinks; i++) {
    const cilk_link *l = link_at(i);
    WRONG(!in_own(l, CILK_LINK_HEADER) || l->bytes < CILK_LINK_HEADER ||
              !add_own(it->links[i].address, l->bytes, i, LINK),
        "a link is outside of the heap");
  }
  for (unsigned k = 0; k < CILK_FREE_CLASSES; k++)
    for (const cilk_closure *bundle = (const cilk_closure *)(uintptr_t)it->head->bundles[k]; bundle;
        bundle = (const cilk_closure *)(const void *)bundle->sig)
      for (const cilk_closure *c = bundle; c; c = c->next)
        if ((why = free_piece(c, k))) return why;
  return no_overlap("two of its closures, links and free pieces overlap");
}

/* ---- what one closure has ---- */

static bool writable(uint64_t address, uint64_t bytes) {
  if (in_block((const void *)(uintptr_t)address, bytes)) return true;
  for (size_t i = 0; i < it->here->nsections; i++) {
    const cilk_section *s = &it->here->sections[i];
    uint64_t offset = address - it->here->bias - s->address;
    if (offset <= s->size && bytes <= s->size - offset) return true;
  }
  return false;
}

static const cilk_entry *entry_of(size_t link, size_t parent) {
  return &it->sigs[it->closures[parent].sig]->entries[it->links[link].entry];
}

/* Where the child's result goes; 0: the program's own code knows. */
static uint64_t place_of_result(size_t link, size_t parent) {
  const cilk_entry *e = entry_of(link, parent);
  uint64_t place = e->flags & CILK_ENTRY_FUTURE ? it->closures[parent].address + e->record_offset : 0;
  if (e->flags & CILK_ENTRY_RECEIVER) memcpy(&place, cilk_link_record(link_at(link)), 8);
  return place;
}

/* All pieces are known. A variable is in the program's own memory: of what the runtime has, after a header. It may be
 * narrower than the result. */
static const char *place_is_a_variable(size_t link) {
  const cilk_link *l = link_at(link);
  size_t parent = number_of(l->parent, CLOSURE);
  const cilk_entry *e = entry_of(link, parent);
  uint64_t header = e->flags & CILK_ENTRY_FUTURE ? CILK_FUTURE_HEADER : 0,
           place = l->future ? (uint64_t)(uintptr_t)l->future : place_of_result(link, parent) - header,
           bytes = l->future ? sizeof *l->future : header + 1;
  if (l->stage == CILK_LINK_KEPT || (!l->future && !(e->flags & (CILK_ENTRY_FUTURE | CILK_ENTRY_RECEIVER))))
    return NULL;
  WRONG(!writable(place, bytes), "a result would go where no variable is");
  const piece *p = below(&own, place);
  uint64_t head = !p || p->kind == VIEW ? 0
                  : p->kind == CLOSURE  ? sizeof(cilk_closure)
                  : p->kind == MEMORY   ? CILK_BLOCK_HEADER
                                        : p->bytes;
  bool in = p && place - p->at < p->bytes;
  WRONG(in && (place - p->at < head || bytes > p->bytes - (place - p->at)), "a result would go where no variable is");
  WRONG(!in && in_own((const void *)(uintptr_t)place, bytes), "a result would go where no variable is");
  return NULL;
}

static const char *waiters(const cilk_future *f, const cilk_link *wanted) {
  bool found = false;
  size_t n = 0;
  for (const cilk_link *l = f->waiters; l; l = l->next_waiting, n++) {
    WRONG(n > it->nlinks || number_of(l, LINK) == SIZE_MAX || l->future != f, "a future's waiters are damaged");
    found |= l == wanted;
  }
  WRONG(wanted && !found, "a touch is not among its future's waiters");
  return NULL;
}

/* A piece of the runtime's own that is not a closure or link. */
static bool claim(const void *p, size_t bytes, bool view) {
  const piece *b = below(&blocks, (uint64_t)(uintptr_t)p);
  if ((uintptr_t)p % 64 || !in_own(p, bytes) || (bytes > SMALL && b->at != (uint64_t)(uintptr_t)p) ||
      memory.n > it->words)
    return false;
  uint64_t whole = bytes > SMALL ? b->bytes : (bytes + CILK_FREE_UNIT - 1) & ~(uint64_t)(CILK_FREE_UNIT - 1);
  add(&memory, (piece){(uint64_t)(uintptr_t)p, whole, 0, view ? VIEW : MAP});
  return true;
}

static bool function(const void *p) {
  uint64_t linked = (uint64_t)(uintptr_t)p - it->here->bias;
  const cilk_symbol *s = cilk_symbol_at(it->here->symbols, it->here->nsymbols, linked);
  return s && s->address == linked && s->flags & CILK_SYMBOL_CODE;
}

static const char *map(const struct cilk_views *m) {
  return cilk_no_map(m) ? NULL : cilk_map_check(m, claim, function);
}

static const char *one_link(size_t i, size_t parent) {
  cilk_link *l = link_at(i);
  const cilk_sig *sig = it->sigs[it->closures[parent].sig];
  WRONG(it->links[i].entry >= sig->nentries, "a link has no such entry");
  const cilk_entry *e = entry_of(i, parent);
  uint64_t record = ((uint64_t)e->record_size + 63) & ~UINT64_C(63),
           result = ((uint64_t)e->result_size + 63) & ~UINT64_C(63);
  WRONG(l->result_offset != CILK_LINK_HEADER + record || l->bytes != CILK_LINK_HEADER + record + result,
      "a link has another size");
  WRONG(l->stage != CILK_LINK_OUT && l->stage != CILK_LINK_RETURNED && l->stage != CILK_LINK_KEPT,
      "a link has no such stage");
  unsigned char joined;                   /* no load of a bool that is neither */
  memcpy(&joined, &l->joined, 1);
  WRONG(joined != (l->stage == CILK_LINK_KEPT) || l->aborted > 1 || (l->stage != CILK_LINK_OUT && l->child),
      "a link is damaged");
  const char *why = map(l->views);
  if (why || (why = map(l->right))) return why;
  if (l->future) {
    WRONG((uintptr_t)l->future % 8 || !writable((uint64_t)(uintptr_t)l->future, sizeof *l->future),
        "a touch waits for what is no future");
    WRONG(l->future->state != CILK_FUTURE_PENDING || l->stage != CILK_LINK_OUT || l->child,
        "a touch waits for what is no future");
    WRONG(closure(parent)->state != CILK_SUSPENDED || closure(parent)->children != l, "a touch does not wait");
    return waiters(l->future, l);
  }
  if (e->flags & CILK_ENTRY_FUTURE && l->stage == CILK_LINK_OUT) {
    const cilk_future *f = (const cilk_future *)(uintptr_t)(place_of_result(i, parent) - CILK_FUTURE_HEADER);
    WRONG((uintptr_t)f % 8 || !writable((uint64_t)(uintptr_t)f, sizeof *f) || f->state != CILK_FUTURE_PENDING,
        "a child would fill what is no future");
    if ((why = waiters(f, NULL))) return why;
  }
  if (l->stage != CILK_LINK_OUT) return NULL;
  size_t child = number_of(l->child, CLOSURE);
  WRONG(!l->child || child == SIZE_MAX || child <= parent || closure(child)->link != l,
      "a link and its closure do not know each other");
  return NULL;
}

static const char *pending(const cilk_closure *c, size_t parent) {
  size_t n = 0;
  const cilk_link *l = c->pending;
  if (l) do {
      size_t i = number_of(l, LINK);
      WRONG(n++ > it->nlinks || i == SIZE_MAX || number_of(l->parent, CLOSURE) != parent ||
                l->stage != CILK_LINK_RETURNED,
          "a result that waits is damaged");
      l = l->next_waiting;
    } while (l != c->pending);
  for (l = c->children; l; l = l->next)   /* a whole list, as was seen before */
    n -= l->stage == CILK_LINK_RETURNED;
  WRONG(n != 0, "a result that waits is not among those of its closure");
  return NULL;
}

static const char *one_closure(size_t i, size_t *seen) {
  const char *why;
  cilk_closure *c = closure(i);
  const cilk_sig *sig = it->sigs[it->closures[i].sig];
  WRONG(!c->entry || c->entry >= sig->nentries, "a closure has no such entry");
  WRONG((c->state != CILK_READY && c->state != CILK_SUSPENDED) || c->lock, "a closure is in use");
  size_t own_link = i ? number_of(c->link, LINK) : 0;
  WRONG(i && (own_link == SIZE_MAX || link_at(own_link)->child != c), "a closure is not known by its link");
#ifdef CILK_DEBUG
  WRONG(c->magic != CILK_MAGIC, "a closure is damaged");
#endif
  int64_t out = 0;
  bool waits = false;
  const cilk_link *before = NULL;
  for (cilk_link *l = c->children; l; before = l, l = l->next) {
    size_t k = number_of(l, LINK);
    WRONG(k == SIZE_MAX || l->parent != c || l->prev != before || ++*seen > it->nlinks,
        "a closure's children are damaged");
    if ((why = one_link(k, i))) return why;
    waits |= l->stage == CILK_LINK_OUT;
    out += l->stage != CILK_LINK_KEPT;
  }
  WRONG(c->join != out, "a closure waits for another number of children");
  WRONG(c->state == CILK_SUSPENDED && !waits, "a closure waits for nothing");
  size_t n = 0, bytes;
  const void *start;
  for (const void *b = c->blocks; b; b = cilk_closure_block(b, &start, &bytes)) {
    WRONG((uintptr_t)b % 16 || n++ > it->words || !in_block(b, CILK_BLOCK_HEADER) || !cilk_closure_block_is_whole(b),
        "memory of a closure is damaged");
    cilk_closure_block(b, &start, &bytes);
    unsigned size = cilk_closure_block_piece(b);
    WRONG(size ? (uintptr_t)b % 64 || !in_own(b, size)
               : !at_block(b) || !in_block(b, (size_t)((const char *)start - (const char *)b) + bytes),
        "memory of a closure is damaged");
    uint64_t whole = ((uint64_t)size + CILK_FREE_UNIT - 1) & ~(uint64_t)(CILK_FREE_UNIT - 1);
    add(&memory, (piece){(uint64_t)(uintptr_t)b, size ? whole : CILK_BLOCK_HEADER, 0, MEMORY});
  }
  return pending(c, i);
}

/* ---- the arguments ---- */

static const char *words(uint64_t list, uint64_t count) {
  const char *const *w = (const char *const *)(uintptr_t)list;
  for (uint64_t i = 0;; i++) {
    WRONG(list % 8 || !in_block(w + i, 8), "the arguments are damaged");
    if (!w[i]) {
      WRONG(count != UINT64_MAX && i != count, "the arguments are damaged");
      return NULL;
    }
    const piece *b = below(&blocks, (uint64_t)(uintptr_t)w[i]);
    WRONG(!b || !in_block(w[i], 1) || !memchr(w[i], 0, b->bytes - ((uint64_t)(uintptr_t)w[i] - b->at)),
        "the arguments are damaged");
  }
}

static const char *check(void) {
  const char *why = all_pieces();
  size_t seen = 0;
  for (size_t i = 0; i < it->nclosures && !why; i++) why = one_closure(i, &seen);
  WRONG(!why && seen != it->nlinks, "a link is no closure's child");
  for (size_t i = 0; i < memory.n && !why; i++) add(&own, memory.item[i]);
  if (!why) why = no_overlap("memory of a closure is in use twice");
  for (size_t i = 0; i < it->nlinks && !why; i++) why = place_is_a_variable(i);
  for (size_t i = 0; i < it->nlinks && !why; i++) {
    struct cilk_views *both[] = {link_at(i)->views, link_at(i)->right};
    for (int k = 0; k < 2 && !why; k++) why = cilk_no_map(both[k]) ? NULL : cilk_map_index(both[k]);
  }
  if (!why) why = words(it->head->argv, it->head->argc);
  if (!why) why = words(it->head->envp, UINT64_MAX);
  return why;
}

const char *cilk_graph_check(const cilk_graph *g) {
  it = g;
  cilk_arena_blocks(add_block, NULL);
  const char *why = check();
  free(blocks.item);
  free(own.item);
  free(memory.item);
  return why;
}
