/* typed.h - memory whose type is known: variables, records of spawns and objects by the program's shapes, other memory
 * by the pointers that lead to it. */
#ifndef CILK_RT_TYPED_H
#define CILK_RT_TYPED_H

#include "data/closure.h"
#include "travel/shapes.h"

/* For messages: a variable, and its procedure or NULL. Of other memory, the variable from which it was found. */
typedef struct cilk_owner {
  const char *name, *of;
} cilk_owner;
const char *cilk_owner_text(const cilk_owner *o);

/* Sees a number, a pointer, or what is neither. NULL: the walk goes on; else why not. */
typedef struct cilk_visitor {
  const char *(*see)(void *at, const cilk_shape *leaf, const cilk_owner *o);
  bool numbers;                    /* false: only what may hold addresses is seen */
} cilk_visitor;

const char *cilk_visit(const cilk_visitor *v, void *at, const cilk_shape *s, const cilk_owner *o);
/* The variables that are alive. Its signature may be another process's still. */
const char *cilk_visit_closure(const cilk_visitor *v, cilk_closure *c, const cilk_sig *sig,
    const cilk_procedure_shape *p);
/* What a link keeps for its delivery; p: of its parent, sig: the parent's. */
const char *cilk_visit_link(const cilk_visitor *v, cilk_link *l, const cilk_sig *sig, uint64_t entry,
    const cilk_procedure_shape *p);
/* The number or pointer at that offset; NULL: none begins there. */
const cilk_shape *cilk_leaf_at(const cilk_shape *s, uint64_t offset);
/* Has the part, at that offset of elements of the whole, addresses at the same places; and numbers, if they count? Of
 * an array two elements tell. */
bool cilk_shapes_agree(const cilk_shape *part, uint64_t offset, const cilk_shape *whole, bool numbers);

/* Memory of the program's, that pointers lead to. shape: of its elements, the first one at `start`; NULL: not yet. */
typedef struct cilk_area {
  uint64_t from, to, start;
  const cilk_shape *shape;
  cilk_owner owner;
  /* mixed: pointers of types that do not agree lead to it; dynamic: of a closure, parts may never have been written */
  bool known, mixed, dynamic;
} cilk_area;
typedef struct cilk_areas {
  cilk_area *item;
  size_t n, room;
  bool full;
} cilk_areas;

void cilk_areas_add(cilk_areas *l, uint64_t from, uint64_t to, bool dynamic);
/* The heap's blocks that are the program's. All areas are there then, and can be found. */
void cilk_areas_end(cilk_areas *l);
cilk_area *cilk_area_of(const cilk_areas *l, uint64_t address); /* one past its end belongs to it, too; NULL: none */
void cilk_area_begin(cilk_area *a, uint64_t address, const cilk_shape *s, const cilk_owner *o);
uint64_t cilk_area_elements(const cilk_area *a);

#endif
