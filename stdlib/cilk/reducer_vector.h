/* cilk/reducer_vector.h: an array to which strands append elements of one type. They are in the order of the serial
 * execution.
 *
 *     cilk_vector v = { 0 };
 *     cilk_vector_append(cilk_vector_view(&v), double, x);
 *     for (size_t i = 0; i < v.count; i++) ... cilk_vector_at(&v, double, i) ...
 *     cilk_vector_free(&v);
 *
 * Where the compiler knows cilk_reducer, the object may be a `cilk_vector_reducer v`. Its address is that of the view
 * by itself: `cilk_vector_append(&v, double, x)`.
 *
 * The elements are malloc's, and move when more come. Without memory the program ends with a message and abort(). */
#ifndef CILK_REDUCER_VECTOR_H
#define CILK_REDUCER_VECTOR_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cilk_vector {
    void *elements;                     /* of malloc */
    size_t count, room, size;           /* size of an element; 0: none was appended yet */
} cilk_vector;

static __inline__ void cilk_vector_reserve(cilk_vector *v, size_t more)
{
    if (v->room - v->count >= more)
        return;
    v->room = v->count + more > 2 * v->room ? v->count + more : 2 * v->room;
    v->elements = v->room <= (size_t)-1 / v->size ? realloc(v->elements, v->room * v->size) : 0;
    if (!v->elements) {
        fputs("cilk_vector: out of memory\n", stderr);
        abort();
    }
}
static __inline__ void *cilk_vector_next(cilk_vector *v, size_t size)
{
    v->size = size;
    cilk_vector_reserve(v, 1);
    return (char *)v->elements + size * v->count++;
}
#define cilk_vector_append(view, T, value) ((void)(*(T *)cilk_vector_next(view, sizeof(T)) = (value)))
#define cilk_vector_at(v, T, i) (((T *)(v)->elements)[i])
static __inline__ void cilk_vector_free(cilk_vector *v)
{
    free(v->elements);
    memset(v, 0, sizeof *v);
}

static __inline__ void cilk_vector_identity(void *view) { memset(view, 0, sizeof(cilk_vector)); }
static __inline__ void cilk_vector_reduce(void *left, void *right)
{
    cilk_vector *l = (cilk_vector *)left, *r = (cilk_vector *)right;
    if (!l->elements) {
        *l = *r;
        return;
    }
    if (r->count) {
        cilk_vector_reserve(l, r->count);
        memcpy((char *)l->elements + l->count * l->size, r->elements, r->count * r->size);
        l->count += r->count;
    }
    free(r->elements);
}

#define cilk_vector_reducer cilk_vector cilk_reducer(cilk_vector_identity, cilk_vector_reduce)
#define cilk_vector_view(object) \
    ((cilk_vector *)__cilkrts_reducer_lookup(object, sizeof(cilk_vector), cilk_vector_identity, cilk_vector_reduce))

#endif
