/* foreign.c - an image of a processor of the other byte order is put into our order.
 *
 * Both have the same widths, and structs with members at the same places: a restart refuses what differs (the hashes of
 * signatures and layouts). An address is an offset from the arena's base, which is the same everywhere. So the image is
 * read as any other, but each number is turned round, once. Where numbers are: in the file's tables and the runtime's
 * structures by their C types, here; in variables, records of spawns and objects by the program's shapes (shapes.h);
 * in other memory by the pointers that lead to it, from typed memory to typed memory. Memory that no typed pointer
 * leads to is refused, and so is what only its own order can read, unless it is all zeros. No pointer is followed
 * before it was checked, and no byte is turned twice: a bit for each 8 bytes of the arena is set before. */
#include "travel/foreign.h"
#include "travel/maps.h"
#include "base/arena.h"
#include "data/blocks.h"
#include "data/closure.h"
#include "travel/typed.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char reason[512];
#define WHY(...) (snprintf(reason, sizeof reason, __VA_ARGS__), reason)
#define WRONG(condition, text) \
  do \
    if (condition) return "it is damaged: " text; \
  while (0)

/* ---- numbers ---- */

static void turn(void *p, uint64_t bytes) {
  char *a = p;
  for (uint64_t i = 0; i < bytes / 2; i++) {
    char c = a[i], d = a[bytes - 1 - i];
    if (c == d)                           /* pages of zeros stay untouched, and take no memory */
      continue;
    a[i] = d;
    a[bytes - 1 - i] = c;
  }
}

static void turn_words(void *p, uint64_t bytes) {
  for (uint64_t i = 0; i + 8 <= bytes; i += 8) turn((char *)p + i, 8);
}

/* A struct of the runtime: the sizes of its members, a digit each. */
static void turn_members(void *p, const char *sizes) {
  for (char *at = p; *sizes; at += *sizes++ - '0') turn(at, (uint64_t)(*sizes - '0'));
}

static uint64_t word_at(const void *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  return w;
}

/* ---- the file ---- */

bool cilk_foreign(uint64_t version) { return version > UINT32_MAX && __builtin_bswap64(version) <= UINT32_MAX; }

uint64_t cilk_foreign_sum(const char *bytes, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t w = __builtin_bswap64(word_at(bytes + i));
    sum = cilk_sum(sum, &w, 8);
  }
  return sum;
}

static void turn_layouts(char *at, const char *end) {
  while (end - at > 8) {
    turn(at, 8);
    const char *zero = memchr(at + 8, 0, (size_t)(end - at - 8));
    if (!zero) return;
    at += (8 + (zero - (at + 8)) + 8) & ~7;
  }
}

/* So many rows of words after their number. */
static void turn_table(char *body, uint64_t bytes, uint64_t each) {
  if (bytes < 8) return;
  turn(body, 8);
  uint64_t n = word_at(body);
  if (n <= (bytes - 8) / each) turn_words(body + 8, n * each);
}

bool cilk_foreign_file(char *file, size_t bytes) {
  for (size_t at = sizeof(cilk_image_header); at < bytes;) {
    if (bytes - at < 16) return false;
    turn_words(file + at, 16);
    uint64_t tag = word_at(file + at), n = word_at(file + at + 8);
    at += 16;
    if (n > bytes - at) return false;
    char *body = file + at;
    if (tag == CILK_TAG_PROGRAM && n == sizeof(cilk_image_program)) {
      enum { NAME = offsetof(cilk_image_program, processor), AFTER = NAME + 16 };
      turn_words(body, NAME);
      turn_words(body + AFTER, n - AFTER);
    } else if (tag == CILK_TAG_SYMBOLS) turn_table(body, n, sizeof(cilk_symbol));
    else if (tag == CILK_TAG_SIGS) turn_table(body, n, sizeof(cilk_image_sig));
    else if (tag == CILK_TAG_LAYOUTS) turn_layouts(body, body + n);
    else if (tag == CILK_TAG_CLOSURES || tag == CILK_TAG_LINKS || tag == CILK_TAG_WORDS) turn_words(body, n);
    else if ((tag == CILK_TAG_GLOBALS || tag == CILK_TAG_CONSTANTS || tag == CILK_TAG_PAGES) && n >= 8) turn(body, 8);
    uint64_t whole = (n + 7) & ~UINT64_C(7);
    at += whole > bytes - at ? bytes - at : whole;
  }
  return true;
}

/* ---- memory with a shape ---- */

/* What a pointer leads to. The owner is the variable from which the pointer was found. */
typedef struct lead {
  uint64_t to;
  const cilk_shape *shape;
  cilk_owner owner;
} lead;
typedef struct leads {
  lead *item;
  size_t n, room;
} leads;
static leads structs, others, untyped;    /* structs first: other pointers may lead into them */
static bool no_memory;

static void add(leads *l, lead what) {
  if (CILK_ROOM_FOR(l->item, l->n, l->room, 64)) l->item[l->n++] = what;
  else no_memory = true;
}

static const char *turn_leaf(void *p, const cilk_shape *s, const cilk_owner *o) {
  const char *at = p;
  if (s->kind == 's' || s->kind == 'p') turn(p, s->size);
  if (s->kind == 'p') {
    uint64_t to = word_at(p);
    if (cilk_arena_has((const void *)(uintptr_t)to))
      add(!s->of ? &untyped : s->of->kind == 'r' ? &structs : &others, (lead){to, s->of, *o});
  }
  for (uint64_t i = 0; s->kind == 'x' && i < s->size; i++)
    if (at[i])
      return WHY("%s has the type %s, or leads to it, which only a processor of the same byte order can read",
          cilk_owner_text(o), s->text);
  return NULL;
}

static const cilk_visitor turns = {turn_leaf, true};

const char *cilk_foreign_object(const cilk_program *here, const cilk_symbol *s) {
  const cilk_shape *shape = cilk_shape_of_object(here, s);
  const cilk_owner owner = {here->names + s->name, NULL};
  char *at = (char *)(uintptr_t)(here->bias + s->address);
  if (shape && shape->size <= s->size) return cilk_visit(&turns, at, shape, &owner);
  for (uint64_t i = 0; i < s->size; i++)
    if (at[i] && s->size > 1)
      return WHY("%s is of a file that describes no memory for other processors", cilk_owner_text(&owner));
  return NULL;
}

/* ---- the runtime's own structures ---- */

static const cilk_graph *it;
static uint64_t *turned, top;             /* a bit for each 8 bytes */

static bool in_arena(uint64_t address, uint64_t bytes) {
  return address >= CILK_ARENA_BASE && address - CILK_ARENA_BASE <= top && bytes <= top - (address - CILK_ARENA_BASE);
}

/* The arena's blocks that are in use, by address. What the arena knows of itself is between them. */
typedef struct block {
  uint64_t at, bytes;
} block;
static block *blocks;
static size_t nblocks, block_room;

static void see_block(void *p, size_t bytes, void *unused) {
  (void)unused;
  if (CILK_ROOM_FOR(blocks, nblocks, block_room, 256)) blocks[nblocks++] = (block){(uint64_t)(uintptr_t)p, bytes};
  else no_memory = true;
}

static bool in_block(uint64_t address, uint64_t bytes) {
  size_t low = 0, high = nblocks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (blocks[middle].at <= address) low = middle + 1;
    else high = middle;
  }
  return low && bytes <= blocks[low - 1].bytes && address - blocks[low - 1].at <= blocks[low - 1].bytes - bytes;
}

/* These bytes are in a block, and were not turned before. */
static bool claim(uint64_t address, uint64_t bytes) {
  if (!in_arena(address, bytes) || !in_block(address, bytes) || address % 8) return false;
  uint64_t from = (address - CILK_ARENA_BASE) / 8, to = from + (bytes + 7) / 8;
  for (uint64_t i = from; i < to; i++)
    if (turned[i / 64] >> i % 64 & 1) return false;
  for (uint64_t i = from; i < to; i++) turned[i / 64] |= UINT64_C(1) << i % 64;
  return true;
}

static cilk_areas areas;

static const cilk_procedure_shape *shape_of(uint64_t sig) {
  const cilk_symbol *s =
      cilk_symbol_at(it->here->symbols, it->here->nsymbols, (uint64_t)(uintptr_t)it->sigs[sig] - it->here->bias);
  return s ? cilk_shape_of_procedure(it->here, s) : NULL;
}

static const char *one_closure(const cilk_image_closure *i, const cilk_procedure_shape *p) {
  cilk_closure *c = (cilk_closure *)(uintptr_t)i->address;
  const cilk_sig *sig = it->sigs[i->sig];
  const char *why = NULL;
  WRONG(!claim(i->address, sig->closure_size), "closures overlap");
  if (!p) return WHY("the procedure %s is of a file that describes no memory for other processors", sig->name);
  turn_members(c, "84488448888888888");
  why = cilk_visit_closure(&turns, c, sig, p);
  size_t n = 0;
  for (uint64_t b = (uint64_t)(uintptr_t)c->blocks; b && !why; b = word_at((void *)(uintptr_t)b)) {
    WRONG(b % 16 || n++ > it->words || !claim(b, CILK_BLOCK_HEADER), "memory of a closure is damaged");
    turn_members((void *)(uintptr_t)b, "88844");
    uint64_t start = word_at((char *)(uintptr_t)b + 8), room = word_at((char *)(uintptr_t)b + 16);
    WRONG(start < b + CILK_BLOCK_HEADER || !in_block(start, room), "memory of a closure is damaged");
    cilk_areas_add(&areas, start, start + room, true);
  }
  return why;
}

static int same_address(const void *key, const void *element) {
  uint64_t x = *(const uint64_t *)key, y = (*(const cilk_image_closure *const *)element)->address;
  return x < y ? -1 : x > y;
}
static int in_order(const void *a, const void *b) {
  return same_address(&(*(const cilk_image_closure *const *)a)->address, b);
}

static const char *one_link(const cilk_image_link *i, const cilk_image_closure **sorted,
    const cilk_procedure_shape **shapes) {
  cilk_link *l = (cilk_link *)(uintptr_t)i->address;
  WRONG(!claim(i->address, CILK_LINK_HEADER), "links overlap");
  turn_members(l, "8888888444112");
  turn_words((char *)l + 72, 48);
  uint64_t parent = (uint64_t)(uintptr_t)l->parent;
  const cilk_image_closure **of = bsearch(&parent, sorted, it->nclosures, sizeof *sorted, same_address);
  WRONG(!of, "a link has no parent");
  const cilk_sig *sig = it->sigs[(*of)->sig];
  WRONG(i->entry >= sig->nentries, "a link has no such entry");
  const cilk_entry *e = &sig->entries[i->entry];
  if (e->flags & (CILK_ENTRY_FUTURE | CILK_ENTRY_TOUCH) || l->future)
    return WHY("the procedure %s waits for a future, which only a processor of the same byte order can read",
        sig->name);
  if (!cilk_no_map(l->views) || !cilk_no_map(l->right))
    return "views of reducers are alive, which only a processor of the same byte order can read";
  uint64_t record = ((uint64_t)e->record_size + 63) & ~UINT64_C(63),
           result = ((uint64_t)e->result_size + 63) & ~UINT64_C(63);
  WRONG(l->result_offset != CILK_LINK_HEADER + record || l->bytes != CILK_LINK_HEADER + record + result ||
            !claim(i->address + CILK_LINK_HEADER, record + result),
      "a link has another size");
  const cilk_procedure_shape *p = shapes[(*of)->sig];
  return p ? cilk_visit_link(&turns, l, sig, i->entry, p) : NULL;
}

static const char *free_pieces(void) {
  for (unsigned k = 0; k < CILK_FREE_CLASSES; k++)
    for (uint64_t bundle = it->head->bundles[k], next; bundle; bundle = next) {
      next = 0;
      for (uint64_t c = bundle; c; c = word_at((char *)(uintptr_t)c + 24)) {
        WRONG(c % 64 || !claim(c, (uint64_t)(k + 1) * CILK_FREE_UNIT), "a free piece is in use, or elsewhere");
        turn_members((void *)(uintptr_t)c, "84488");
        if (c == bundle) next = word_at((void *)(uintptr_t)c);
      }
    }
  return NULL;
}

/* An array of words with a zero at its end, and their texts. */
static const char *arguments(uint64_t list) {
  static const cilk_shape character = {.kind = 's', .size = 1, .text = "char"},
                          string = {.kind = 'p', .size = 8, .of = &character, .text = "char *"};
  static const cilk_owner owner = {"argv", "main"};
  cilk_area *all = cilk_area_of(&areas, list);
  WRONG(!all || all->from != list, "the arguments are damaged");
  cilk_area_begin(all, list, &string, &owner);
  for (;; list += 8) {
    WRONG(!claim(list, 8), "the arguments are damaged");
    turn((void *)(uintptr_t)list, 8);
    uint64_t text = word_at((void *)(uintptr_t)list);
    if (!text) return NULL;
    cilk_area *a = cilk_area_of(&areas, text);
    WRONG(!a || a->from != text, "the arguments are damaged");
    cilk_area_begin(a, text, &character, &owner);
  }
}

/* ---- pointers lead to memory ---- */

static const char *follow(const lead *l) {
  cilk_area *a = cilk_area_of(&areas, l->to);
  const cilk_shape *s = l->shape;
  if (!a || !s->size)                     /* closures and links have shapes of their own */
    return NULL;
  if (a->shape)
    return cilk_shapes_agree(s, l->to - a->start + a->shape->size, a->shape, true)
               ? NULL
               : WHY("%s leads to memory of the type %s as if it were %s", cilk_owner_text(&l->owner), a->shape->text,
                     s->text);
  cilk_area_begin(a, l->to, s, &l->owner);
  uint64_t n = cilk_area_elements(a);
  WRONG(n && !claim(a->start & ~UINT64_C(7), n * s->size + (a->start & 7)), "memory is used twice");
  const char *why = NULL;
  for (uint64_t i = 0; i < n && !why && (s->size > 1 || s->kind == 'x'); i++)
    why = cilk_visit(&turns, (char *)(uintptr_t)(a->start + i * s->size), s, &l->owner);
  return why;
}

static const char *nowhere(const cilk_area *a) {
  for (uint64_t i = a->from; i < a->to; i++)
    if (*(const char *)(uintptr_t)i)
      for (size_t k = 0;; k++) {
        if (k == untyped.n)
          return WHY("no variable with a type leads to a block of the Cilk heap of %llu bytes",
              (unsigned long long)(a->to - a->from));
        if (untyped.item[k].to - a->from <= a->to - a->from)
          return WHY("%s leads to memory without a type, which only a processor of the same byte order can read",
              cilk_owner_text(&untyped.item[k].owner));
      }
  return NULL;
}

/* ---- all ---- */

static const char *own_structures(void) {
  const cilk_procedure_shape **shapes = calloc(it->nsigs, sizeof *shapes);
  const cilk_image_closure **sorted = calloc(it->nclosures, sizeof *sorted);
  const char *why = shapes && sorted ? NULL : "out of memory";
  for (size_t i = 0; i < it->nclosures && !why; i++) {
    uint64_t sig = it->closures[i].sig;
    if (!shapes[sig]) shapes[sig] = shape_of(sig);
    sorted[i] = &it->closures[i];
    why = one_closure(sorted[i], shapes[sig]);
  }
  if (!why) qsort(sorted, it->nclosures, sizeof *sorted, in_order);
  for (size_t i = 0; i < it->nlinks && !why; i++) why = one_link(&it->links[i], sorted, shapes);
  free(shapes);
  free(sorted);
  return why;
}

const char *cilk_foreign_memory(const cilk_graph *g) {
  it = g;
  top = g->head->top;
  turned = calloc(top / 8 / 64 + 1, sizeof *turned);
  if (!turned) return "out of memory";
  cilk_arena_blocks(see_block, NULL);
  const char *why = free_pieces();
  if (!why) why = own_structures();
  if (!why) {
    cilk_areas_end(&areas);
    why = arguments(g->head->argv);
  }
  if (!why) why = arguments(g->head->envp);
  while (!why && (structs.n || others.n)) {
    lead l = structs.n ? structs.item[--structs.n] : others.item[--others.n];
    why = follow(&l);
  }
  for (size_t i = 0; i < areas.n && !why; i++)
    if (!areas.item[i].known) why = nowhere(&areas.item[i]);
  free(turned);
  free(areas.item);
  free(blocks);
  return no_memory || areas.full ? "out of memory" : why;
}
