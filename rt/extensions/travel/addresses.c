/* addresses.c - the words of an image that are addresses.
 *
 * A first walk gives the heap's blocks the types of the pointers that lead to them. A second one looks at all words
 * that may be addresses by their types. An address of a stack, of the C library, or of malloc's memory means nothing
 * in another process: /proc/self/maps says what it is of, and there is no image. The addresses of the program itself
 * are noted, for a restart translates them. Where there is no type, any word may be an address: that is a guess, and
 * prevents no checkpoint. */
#include "travel/addresses.h"
#include "travel/maps.h"
#include "travel/names.h"
#include "travel/typed.h"
#include "base/arena.h"
#include "data/closure.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char reason[512];
#define WHY(...) (snprintf(reason, sizeof reason, __VA_ARGS__), reason)

/* ---- words that mean nothing elsewhere ---- */

typedef struct range {
  uint64_t from, to;
  char what[96];
} range;
typedef struct foreign {
  range *ranges;
  size_t n;
  uint64_t low, high;              /* of all ranges */
  const cilk_program *program;
  const cilk_image_program *known;
} foreign;

static bool read_maps(foreign *f) {
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[512];
  size_t room = 0;
  if (!maps) return false;
  f->low = UINT64_MAX;
  while (fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    int at = 0;
    if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &from, &to, &at) < 2) continue;
    line[strcspn(line, "\n")] = 0;
    const char *name = at ? line + at : "";
    if ((from < f->program->high && to > f->program->low && name[0] == '/') || cilk_arena_has((void *)from)) continue;
    if (!CILK_ROOM_FOR(f->ranges, f->n, room, 64)) {
      fclose(maps);
      return false;
    }
    range *r = &f->ranges[f->n++];
    *r = (range){.from = from, .to = to};
    if (strcmp(name, "[stack]") == 0) snprintf(r->what, sizeof r->what, "the main stack");
    else if (name[0] == '/') snprintf(r->what, sizeof r->what, "%.80s", name);
    else snprintf(r->what, sizeof r->what, "memory of malloc, or a stack");
    f->low = from < f->low ? from : f->low;
    f->high = to > f->high ? to : f->high;
  }
  fclose(maps);
  return true;
}

static const range *range_of(const foreign *f, uint64_t word) {
  size_t low = 0, high = f->n;            /* the kernel lists them in order */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (f->ranges[middle].to <= word) low = middle + 1;
    else high = middle;
  }
  if (low == f->n || word < f->ranges[low].from) return NULL;
  return &f->ranges[low];
}

/* ---- words that may be addresses ---- */

/* What the search found so far. */
static struct search {
  foreign *f;
  const cilk_area *area;           /* that is looked at */
  cilk_image_words *words;
  size_t n, room;
  bool no_memory, guess;           /* guess: nothing but its value says that a word is an address */
  cilk_areas areas;
  size_t strong, weak;             /* areas that are to be followed, a list of each; SIZE_MAX: none */
  size_t *next;                    /* in those lists */
  bool again;
  /* words without a type that look like addresses of the program; of what is not here */
  uint64_t untyped, doubtful;
} search;

/* A restart translates this word. */
static void is_address(const uint64_t *p) {
  struct search *s = &search;
  uint64_t at = (uint64_t)(uintptr_t)p;
  if (!cilk_arena_has(p)) at -= s->f->program->bias;
  uint64_t first = at & ~(uint64_t)(8 * CILK_IMAGE_WORDS - 1), bit = UINT64_C(1) << (at - first) / 8;
  if (s->n && s->words[s->n - 1].address == first) {
    s->words[s->n - 1].which |= bit;
    return;
  }
  if (CILK_ROOM_FOR(s->words, s->n, s->room, 1024)) s->words[s->n++] = (cilk_image_words){first, bit};
  else s->no_memory = true;
}

static int by_address(const void *a, const void *b) {
  const cilk_image_words *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* In order, and each group once. */
static void sort_words(void) {
  size_t n = 0;
  if (search.n) qsort(search.words, search.n, sizeof *search.words, by_address);
  for (size_t i = 0; i < search.n; i++)
    if (n && search.words[n - 1].address == search.words[i].address) search.words[n - 1].which |= search.words[i].which;
    else search.words[n++] = search.words[i];
  search.n = n;
}

static bool is_stream(const foreign *f, uint64_t word) {
  return word && (word == f->known->streams[0] || word == f->known->streams[1] || word == f->known->streams[2]);
}

/* One word that may be an address. Not NULL: it is one of memory that is not in the image. */
static const range *look_at(const uint64_t *p) {
  const foreign *f = search.f;
  uint64_t word = *p;
  if (word - f->program->low < f->program->high - f->program->low) {
    cilk_names_word(word);
    is_address(p);
    search.untyped += search.guess;
    return NULL;
  }
  if (word < f->low || word >= f->high) return NULL;
  if (is_stream(f, word)) {
    is_address(p);
    return NULL;
  }
  return range_of(f, word);
}

/* All words in there: memory without a type. The first one of those that are not in the image, and where. */
static const range *look(const void *at, size_t bytes, const uint64_t **where) {
  const uint64_t *p = (const uint64_t *)(((uintptr_t)at + 7) & ~(uintptr_t)7),
                 *end = (const uint64_t *)(((uintptr_t)at + bytes) & ~(uintptr_t)7);
  const range *found = NULL;
  for (; p < end; p++) {
    const range *r = look_at(p);
    if (r && !found) {
      *where = p;
      found = r;
    }
  }
  return found;
}

#define ADVICE "a restart has no such memory; allocate with Cilk_malloc, or -include cilk-malloc.h (docs/travel.md)"

static char doubt[300];                   /* the first one */

/* Where only a guess says that a word is an address, it prevents no checkpoint. */
static void look_in_doubt(const void *at, size_t bytes, const cilk_owner *o) {
  const uint64_t *where;
  search.guess = true;
  const range *r = look(at, bytes, &where);
  search.guess = false;
  if (r && !search.doubtful++)
    snprintf(doubt, sizeof doubt, "a word %s%s looks like an address of %s",
        o ? "that is in, or is found from, " : "of a block of the Cilk heap", o ? cilk_owner_text(o) : "", r->what);
}

static const uint64_t *aligned(const void *at) {
  return (uintptr_t)at % 8 ? NULL : at;   /* in a packed struct: the compiler warns of it */
}

/* Second walk: what its type makes an address. */
static const range *look_at_leaf(void *at, const cilk_shape *s, const cilk_owner *o) {
  if (s->kind == 'p') return aligned(at) ? look_at(aligned(at)) : NULL;
  look_in_doubt(at, s->size, o);
  return NULL;
}

static const char *look_at_variable(void *at, const cilk_shape *s, const cilk_owner *o) {
  const range *r = look_at_leaf(at, s, o);
  return r ? WHY("%s points to %s: " ADVICE, cilk_owner_text(o), r->what) : NULL;
}

static const char *look_at_element(void *at, const cilk_shape *s, const cilk_owner *o) {
  const range *r = look_at_leaf(at, s, o);
  return r ? WHY("word %zu of a block of the Cilk heap, to which %s leads, points to %s: " ADVICE,
                 ((uintptr_t)at - search.area->from) / 8, cilk_owner_text(o), r->what)
           : NULL;
}

/* An array of variable size, or memory of Cilk_alloca: parts of it may never have been written. */
static const char *look_at_dynamic(void *at, const cilk_shape *s, const cilk_owner *o) {
  const uint64_t *where;
  (void)o;
  look(at, s->size, &where);
  return NULL;
}

static const cilk_visitor looks = {look_at_variable, false}, looks_in_heap = {look_at_element, false},
                          looks_in_dynamic = {look_at_dynamic, false};

/* ---- the types of the heap's memory ---- */

static void put_in_list(const cilk_area *a) {
  size_t i = (size_t)(a - search.areas.item), *list = a->shape->kind == 'r' ? &search.strong : &search.weak;
  search.next[i] = *list;
  *list = i;
}

/* What does not agree may be a pool of several types, any of whose words may be addresses. */
static void mix(cilk_area *a) {
  a->mixed = true;
  search.again |= a->shape != NULL;       /* it may have led elsewhere */
}

/* A pointer from a variable, or from memory with a type. */
static void lead(uint64_t to, const cilk_shape *s, const cilk_owner *o) {
  cilk_area *a = s && s->size && cilk_arena_has((const void *)(uintptr_t)to) ? cilk_area_of(&search.areas, to) : NULL;
  if (!a || a->mixed || to == a->to) return;
  if ((s->kind == 'x' && s->addresses) || s->other || (s->begins && a->to - a->from != s->size)) mix(a);
  else if (!a->shape) {
    cilk_area_begin(a, to, s, o);
    put_in_list(a);
  } else if ((s == a->shape && (to - a->start) % s->size == 0) ||
             cilk_shapes_agree(s, to - a->start + a->shape->size, a->shape, false))
    return;
  else if (s->kind == 'r' &&
           cilk_shapes_agree(a->shape, a->start - a->from + s->size - (to - a->from) % s->size, s, false)) {
    cilk_area_begin(a, to, s, o);         /* the larger struct that the first one is in */
    put_in_list(a);
  } else mix(a);
}

/* First walk. */
static const char *follow_leaf(void *at, const cilk_shape *s, const cilk_owner *o) {
  if (s->kind == 'p' && aligned(at)) lead(*aligned(at), s->of, o);
  return NULL;
}

static const cilk_visitor follows = {follow_leaf, false};

static const char *visit_area(const cilk_visitor *v, const cilk_area *a) {
  const char *why = NULL;
  uint64_t n = a->shape->addresses ? cilk_area_elements(a) : 0;
  for (uint64_t i = 0; i < n && !why; i++)
    why = cilk_visit(v, (char *)(uintptr_t)(a->start + i * a->shape->size), a->shape, &a->owner);
  return why;
}

/* ---- roots ---- */

static const cilk_shape **object_shapes;  /* by symbol */

void cilk_addresses_prepare(const cilk_program *p) {
  object_shapes = calloc(p->nsymbols + 1, sizeof *object_shapes);
  if (!object_shapes) cilk_fatal("out of memory");
  for (size_t i = 0; i < p->nsymbols; i++) {
    const cilk_symbol *s = &p->symbols[i];
    const cilk_shape *shape = s->flags & CILK_SYMBOL_GLOBAL ? cilk_shape_of_object(p, s) : NULL;
    object_shapes[i] = shape && shape->size <= s->size ? shape : NULL;
  }
}

static const char *visit_globals(const cilk_visitor *v, const cilk_program *p) {
  const char *why = NULL;
  for (size_t i = 0; i < p->nsymbols && !why; i++) {
    const cilk_symbol *s = &p->symbols[i];
    void *at = (void *)(uintptr_t)(p->bias + s->address);
    const cilk_owner owner = {p->names + s->name, NULL};
    if (!(s->flags & CILK_SYMBOL_GLOBAL)) continue;
    if (object_shapes[i]) why = cilk_visit(v, at, object_shapes[i], &owner);
    else if (v == &looks) { /* of another compiler's file */ const uint64_t *where;
      const range *r = look(at, s->size, &where);
      why = r ? WHY("the global `%s' points to %s: " ADVICE, owner.name, r->what) : NULL;
    }
  }
  return why;
}

static const cilk_procedure_shape *shape_of_procedure(const cilk_program *p, const cilk_sig *sig) {
  static struct {
    const cilk_sig *sig;
    const cilk_procedure_shape *shape;
  } recent[64];
  size_t i = (uintptr_t)sig / 64 % 64;
  if (recent[i].sig != sig) {
    const cilk_symbol *s = cilk_symbol_at(p->symbols, p->nsymbols, (uint64_t)(uintptr_t)sig - p->bias);
    recent[i].shape = s ? cilk_shape_of_procedure(p, s) : NULL;
    recent[i].sig = sig;
  }
  return recent[i].shape;
}

static const char *visit_closures(const cilk_visitor *v, const cilk_program *p, const cilk_alive *a) {
  const char *why = NULL;
  const uint64_t *where;
  for (size_t i = 0; i < a->nclosures && !why; i++) {
    cilk_closure *c = (cilk_closure *)(uintptr_t)a->closures[i];
    const cilk_procedure_shape *shape = shape_of_procedure(p, c->sig);
    if (shape) why = cilk_visit_closure(v, c, c->sig, shape);
    else if (v == &looks) {
      const range *r = look(c + 1, c->sig->closure_size - sizeof *c - (c->sig->flags >> CILK_SIG_ARRAYS), &where);
      why = r ? WHY("a variable of the procedure %s points to %s: " ADVICE, c->sig->name, r->what) : NULL;
    }
  }
  for (size_t i = 0; i < a->nlinks && !why; i++) {
    cilk_link *l = (cilk_link *)(uintptr_t)a->links[i];
    const cilk_sig *sig = l->parent->sig;
    const cilk_procedure_shape *shape = shape_of_procedure(p, sig);
    if (shape) why = cilk_visit_link(v, l, sig, (uint64_t)(l->entry - sig->entries), shape);
    else if (v == &looks) {
      const range *r = look(cilk_link_record(l), l->bytes - CILK_LINK_HEADER, &where);
      why = r ? WHY("what a spawn of %s keeps for its delivery points to %s: " ADVICE, sig->name, r->what) : NULL;
    }
  }
  return why;
}

static const char *visit_roots(const cilk_visitor *v, const cilk_program *p, const cilk_alive *a) {
  const char *why = visit_globals(v, p);
  return why ? why : visit_closures(v, p, a);
}

static const range *look_at_views(const struct cilk_views *m) {
  const void *at;
  const uint64_t *where;
  const range *r = NULL;
  size_t bytes;
  for (size_t i = 0; !r && !cilk_no_map(m) && cilk_map_words(m, i, &at, &bytes); i++) r = look(at, bytes, &where);
  return r;
}

/* ---- all ---- */

static void add_dynamic_blocks(const cilk_alive *a) {
  const void *start;
  size_t bytes;
  for (size_t i = 0; i < a->nclosures; i++)
    for (const void *b = ((const cilk_closure *)(uintptr_t)a->closures[i])->blocks; b;) {
      const void *next = cilk_closure_block(b, &start, &bytes);
      cilk_areas_add(&search.areas, (uint64_t)(uintptr_t)start, (uint64_t)(uintptr_t)start + bytes, true);
      b = next;
    }
}

/* What the types of areas are. Where they do not agree all is done again, without what that memory seemed to lead to.
 * */
static void follow_all(const cilk_program *p, const cilk_alive *a) {
  enum { ROUNDS = 4 };
  cilk_areas *areas = &search.areas;
  search.again = true;
  for (int round = 0; round < ROUNDS && search.again; round++) {
    search.again = false;
    search.strong = search.weak = SIZE_MAX;
    for (size_t i = 0; i < areas->n; i++) areas->item[i].shape = NULL;
    visit_roots(&follows, p, a);
    for (;;) {
      size_t *list = search.strong != SIZE_MAX ? &search.strong : &search.weak, i = *list;
      if (i == SIZE_MAX) break;
      *list = search.next[i];
      if (!areas->item[i].mixed) visit_area(&follows, &areas->item[i]);
    }
  }
}

static const char *look_at_area(const cilk_area *a) {
  void *from = (void *)(uintptr_t)a->from;
  const uint64_t *where;
  search.area = a;
  if (a->shape && !a->mixed) {
    if (!a->shape->addresses) return NULL;
    uint64_t end = a->start + cilk_area_elements(a) * a->shape->size;
    if (!a->dynamic) {                    /* what is before the first element, and after the last one */
      look_in_doubt(from, a->start - a->from, &a->owner);
      look_in_doubt((void *)(uintptr_t)end, a->to - end, &a->owner);
    }
    return visit_area(a->dynamic ? &looks_in_dynamic : &looks_in_heap, a);
  }
  if (a->dynamic) look(from, a->to - a->from, &where);
  else look_in_doubt(from, a->to - a->from, NULL);
  return NULL;
}

static const char *look_at_all(foreign *f, const cilk_alive *a) {
  static const char memory[] = "out of memory";
  const range *r;
  search.f = f;
  search.n = search.areas.n = 0;
  search.untyped = search.doubtful = 0;
  add_dynamic_blocks(a);
  cilk_areas_end(&search.areas);
  search.next = calloc(search.areas.n + 1, sizeof *search.next);
  if (!search.next || search.areas.full) return memory;
  follow_all(f->program, a);
  free(search.next);
  const char *why = visit_roots(&looks, f->program, a);
  for (size_t i = 0; i < search.areas.n && !why; i++) why = look_at_area(&search.areas.item[i]);
  for (size_t i = 0; i < a->nlinks && !why; i++) {
    const cilk_link *l = (const cilk_link *)(uintptr_t)a->links[i];
    if ((r = look_at_views(l->views)) || (r = look_at_views(l->right)))
      why = WHY("a reducer, or a view of it, points to %s: " ADVICE, r->what);
  }
  sort_words();
  return search.no_memory ? memory : why;
}

const char *cilk_addresses_find(const cilk_program *p, const cilk_image_program *known, const cilk_alive *a,
    cilk_addresses *found) {
  foreign f = {.program = p, .known = known};
  const char *why = read_maps(&f) ? look_at_all(&f, a) : "/proc/self/maps cannot be read";
  free(f.ranges);
  *found = (cilk_addresses){search.words, search.n};
  return why;
}

void cilk_addresses_promise(cilk_image_written *w) {
  const char *of = "memory without a type (docs/travel.md)";
  w->note[0] = 0;
  if (search.doubtful)
    snprintf(w->note, sizeof w->note, "%s; if it is one, a restart has no such memory. %llu words are like this, in %s",
        doubt, (unsigned long long)search.doubtful, of);
  else if (search.untyped)
    snprintf(w->note, sizeof w->note,
        "%llu words look like addresses of the program, so a restart translates them: they are in %s",
        (unsigned long long)search.untyped, of);
}
