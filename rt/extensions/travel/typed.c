/* typed.c - the walk over memory whose type is known. It follows no pointer. */
#include "travel/typed.h"
#include "base/arena.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

const char *cilk_owner_text(const cilk_owner *o) {
  static char text[200];
  if (o->name[0] == '.')                  /* the compiler's own */
    snprintf(text, sizeof text, "a variable of the procedure %s", o->of);
  else snprintf(text, sizeof text, o->of ? "`%s' of the procedure %s" : "the global `%s'", o->name, o->of);
  return text;
}

const char *cilk_visit(const cilk_visitor *v, void *where, const cilk_shape *s, const cilk_owner *o) {
  char *at = where;
  const char *why = NULL;
  if (!v->numbers && !s->addresses) return NULL;
  switch (s->kind) {
    case 'a':
      if (s->of->size > 1 || s->of->kind == 'x')    /* a byte is the same in each order */
        for (uint64_t i = 0; i < s->count && !why; i++) why = cilk_visit(v, at + i * s->of->size, s->of, o);
      return why;
    case 'r':
      for (uint64_t i = 0; i < s->count && !why; i++)
        why = cilk_visit(v, at + s->members[i].offset, s->members[i].shape, o);
      return why;
    default: return v->see(at, s, o);
  }
}

const char *cilk_visit_closure(const cilk_visitor *v, cilk_closure *c, const cilk_sig *sig,
    const cilk_procedure_shape *p) {
  const char *why = NULL;
  uint64_t d = 0;
  while (d < p->ndead && p->dead[d].entry < c->entry) d++;
  for (uint64_t k = 0; k < p->nvariables && !why; k++) {
    const cilk_member *m = &p->variables[k];
    if (d < p->ndead && p->dead[d].entry == c->entry && p->dead[d].variable == k) d++;
    else if (m->offset + m->shape->size <= sig->closure_size)
      why = cilk_visit(v, (char *)c + m->offset, m->shape, &(cilk_owner){m->name, sig->name});
  }
  return why;
}

const char *cilk_visit_link(const cilk_visitor *v, cilk_link *l, const cilk_sig *sig, uint64_t entry,
    const cilk_procedure_shape *p) {
  const cilk_entry *e = &sig->entries[entry];
  const char *why = NULL;
  for (uint64_t k = 0; k < p->nspawns; k++) {
    const cilk_spawn_shape *s = &p->spawns[k];
    if (s->entry != entry) continue;
    for (uint64_t m = 0; m < s->count && !why; m++)
      if (s->members[m].offset + s->members[m].shape->size <= e->record_size)
        why = cilk_visit(v, (char *)cilk_link_record(l) + s->members[m].offset, s->members[m].shape,
            &(cilk_owner){"an argument", sig->name});
    if (!why && s->result && l->stage == CILK_LINK_RETURNED && s->result->size <= e->result_size)
      why = cilk_visit(v, cilk_link_result(l), s->result, &(cilk_owner){"a result", sig->name});
    break;
  }
  return why;
}

const cilk_shape *cilk_leaf_at(const cilk_shape *s, uint64_t offset) {
  while (s->kind == 'a' || s->kind == 'r') {
    const cilk_shape *in = NULL;
    if (s->kind == 'a') {
      in = s->of;
      if (!in->size) return NULL;
      offset %= in->size;
    }
    for (uint64_t i = 0; s->kind == 'r' && i < s->count && !in; i++)
      if (offset - s->members[i].offset < s->members[i].shape->size) {
        in = s->members[i].shape;
        offset -= s->members[i].offset;
      }
    if (!in) return NULL;
    s = in;
  }
  return offset ? NULL : s;
}

bool cilk_shapes_agree(const cilk_shape *part, uint64_t offset, const cilk_shape *whole, bool numbers) {
  if (!numbers && !part->addresses && !whole->addresses) return true;
  if (part->kind == 'a') {
    for (uint64_t i = 0; i < part->count && i < 2; i++)
      if (!cilk_shapes_agree(part->of, offset + i * part->of->size, whole, numbers)) return false;
    return true;
  }
  if (part->kind == 'r') {
    for (uint64_t i = 0; i < part->count; i++)
      if (!cilk_shapes_agree(part->members[i].shape, offset + part->members[i].offset, whole, numbers)) return false;
    return true;
  }
  const cilk_shape *leaf = cilk_leaf_at(whole, offset % whole->size);
  return leaf && leaf->kind == part->kind && leaf->size == part->size;
}

/* ---- areas ---- */

void cilk_areas_add(cilk_areas *l, uint64_t from, uint64_t to, bool dynamic) {
  l->full |= !CILK_ROOM_FOR(l->item, l->n, l->room, 256);
  if (l->n < l->room) l->item[l->n++] = (cilk_area){.from = from, .to = to, .dynamic = dynamic};
}

static void add_block(void *block, size_t bytes, void *areas) {
  uint64_t at = (uint64_t)(uintptr_t)block;
  if (!cilk_arena_own(block)) cilk_areas_add(areas, at, at + bytes, false);
}

static int by_address(const void *a, const void *b) {
  const cilk_area *x = a, *y = b;
  return x->from < y->from ? -1 : x->from > y->from;
}

void cilk_areas_end(cilk_areas *l) {
  cilk_arena_blocks(add_block, l);
  if (l->n) qsort(l->item, l->n, sizeof *l->item, by_address);
  for (size_t i = 1; i < l->n; i++)
    if (l->item[i].from < l->item[i - 1].to) {     /* a block of a closure is in a block of the heap */
      l->item[i - 1].to = l->item[i - 1].from;
      l->item[i - 1].known = true;
    }
}

cilk_area *cilk_area_of(const cilk_areas *l, uint64_t address) {
  size_t low = 0, high = l->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->item[middle].from <= address) low = middle + 1;
    else high = middle;
  }
  return low && address <= l->item[low - 1].to ? &l->item[low - 1] : NULL;
}

void cilk_area_begin(cilk_area *a, uint64_t address, const cilk_shape *s, const cilk_owner *o) {
  a->shape = s;
  a->start = a->from + (address - a->from) % s->size;
  a->owner = *o;
  a->known = true;
}

uint64_t cilk_area_elements(const cilk_area *a) { return (a->to - a->start) / a->shape->size; }
