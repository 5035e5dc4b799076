/* shapes.h - where numbers and addresses are in this program's memory (codegen/clones/shapes.cpp). */
#ifndef CILK_RT_SHAPES_H
#define CILK_RT_SHAPES_H

#include "travel/image.h"

typedef struct cilk_shape cilk_shape;
typedef struct cilk_member {
  uint64_t offset;
  const cilk_shape *shape;
  const char *name;
} cilk_member;
struct cilk_shape {
  char kind;                       /* s: a number, p: a pointer, a: an array, r: a struct, x: of one byte order */
  bool addresses;                  /* it may hold some */
  /* of a struct. What a pointer to it leads to: other: may be of another type; begins: ... a larger one */
  bool other, begins;
  bool sized;                      /* what follows from other shapes is known */
  uint64_t size, count;
  const cilk_shape *of;            /* what it points to, or NULL; the element */
  cilk_member *members;
  const char *text;                /* of the type */
};
typedef struct cilk_spawn_shape {
  uint64_t entry, count;
  const cilk_shape *result;
  cilk_member *members;
} cilk_spawn_shape;
typedef struct cilk_dead {
  uint64_t entry, variable;
} cilk_dead;   /* a variable that has no value there */
typedef struct cilk_procedure_shape {
  const char *symbol, *file;
  cilk_member *variables;
  cilk_spawn_shape *spawns;
  cilk_dead *dead;                 /* by entry, then by variable */
  uint64_t nvariables, nspawns, ndead;
} cilk_procedure_shape;

const char *cilk_shapes_read(const cilk_program *p);     /* NULL, or why not; once */
/* of the symbol of that name: `file` counts where it is local. NULL: there is none, or there are several that differ */
const cilk_procedure_shape *cilk_shape_of_procedure(const cilk_program *p, const cilk_symbol *s);
const cilk_shape *cilk_shape_of_object(const cilk_program *p, const cilk_symbol *s);

#endif
