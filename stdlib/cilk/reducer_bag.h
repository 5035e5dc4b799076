/* cilk/reducer_bag.h: a collection of pointers, into which strands put more. It can be traversed in parallel, since
 * its blocks are independent of each other. Two bags become one in constant time. (Which block has a pointer
 * depends on steals.)
 *
 *     cilk_bag b = { 0 };
 *     cilk_bag_put(cilk_bag_view(&b), pointer);
 *     for (cilk_bag_block *k = b.first; k; k = k->next)
 *         for (size_t i = 0; i < k->count; i++) ... k->at[i] ...
 *     cilk_bag_free(&b);
 *
 * Where the compiler knows cilk_reducer, the object may be a `cilk_bag_reducer b`. Its address is that of the view by
 * itself: `cilk_bag_put(&b, pointer)`.
 *
 * The blocks are malloc's, and the program frees them. Without memory the program ends with a message and abort(). */
#ifndef CILK_REDUCER_BAG_H
#define CILK_REDUCER_BAG_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cilk_bag_block {
    struct cilk_bag_block *next;
    size_t count;
    void *at[126];
} cilk_bag_block;
typedef struct cilk_bag {
    cilk_bag_block *first, *last;       /* only the first one grows */
    size_t count;                       /* of all pointers */
} cilk_bag;

static __inline__ void cilk_bag_put(cilk_bag *b, void *pointer)
{
    cilk_bag_block *k = b->first;
    if (!k || k->count == sizeof k->at / sizeof *k->at) {
        k = (cilk_bag_block *)malloc(sizeof *k);
        if (!k) {
            fputs("cilk_bag: out of memory\n", stderr);
            abort();
        }
        k->count = 0;
        k->next = b->first;
        b->first = k;
        if (!b->last)
            b->last = k;
    }
    k->at[k->count++] = pointer;
    b->count++;
}
static __inline__ void cilk_bag_free(cilk_bag *b)
{
    for (cilk_bag_block *k = b->first, *next; k; k = next) {
        next = k->next;
        free(k);
    }
    memset(b, 0, sizeof *b);
}

static __inline__ void cilk_bag_identity(void *view) { memset(view, 0, sizeof(cilk_bag)); }
static __inline__ void cilk_bag_reduce(void *left, void *right)
{
    cilk_bag *l = (cilk_bag *)left, *r = (cilk_bag *)right;
    if (!r->first)
        return;
    if (l->last)
        l->last->next = r->first;
    else
        l->first = r->first;
    l->last = r->last;
    l->count += r->count;
}

#define cilk_bag_reducer cilk_bag cilk_reducer(cilk_bag_identity, cilk_bag_reduce)
#define cilk_bag_view(object) \
    ((cilk_bag *)__cilkrts_reducer_lookup(object, sizeof(cilk_bag), cilk_bag_identity, cilk_bag_reduce))

#endif
