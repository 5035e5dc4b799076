/* cilk/reducer_list.h: lists to which strands append, or before whose first element they put new ones. Two lists
 * become one in constant time.
 *
 *     cilk_list l = { 0 };
 *     cilk_list_append(cilk_list_view(&l), int, x);
 *     for (cilk_node *n = l.first; n; n = n->next) ... cilk_node_value(n, int) ...
 *     cilk_list_free(&l);
 *
 * Where the compiler knows cilk_reducer, the object may be a `cilk_list_reducer l`. Its address is that of the view
 * by itself: `cilk_list_append(&l, int, x)`.
 *
 * A list whose elements are put before the first one is another reducer: cilk_list_prepend, cilk_prepend_list_view. The
 * nodes are malloc's, and the program frees them. Without memory the program ends with a message and abort(). */
#ifndef CILK_REDUCER_LIST_H
#define CILK_REDUCER_LIST_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cilk_node {
    struct cilk_node *next;
    __extension__ char value[] __attribute__((aligned(16)));
} cilk_node;
typedef struct cilk_list {
    cilk_node *first, *last;
} cilk_list;

static __inline__ cilk_node *cilk_node_new(size_t size)
{
    cilk_node *n = (cilk_node *)malloc(sizeof(cilk_node) + size);
    if (!n) {
        fputs("cilk_list: out of memory\n", stderr);
        abort();
    }
    n->next = 0;
    return n;
}
static __inline__ void *cilk_list_last_new(cilk_list *l, size_t size)
{
    cilk_node *n = cilk_node_new(size);
    if (l->last)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
    return n->value;
}
static __inline__ void *cilk_list_first_new(cilk_list *l, size_t size)
{
    cilk_node *n = cilk_node_new(size);
    n->next = l->first;
    l->first = n;
    if (!l->last)
        l->last = n;
    return n->value;
}
#define cilk_node_value(n, T) (*(T *)(void *)(n)->value)
#define cilk_list_append(view, T, x) ((void)(*(T *)cilk_list_last_new(view, sizeof(T)) = (x)))
#define cilk_list_prepend(view, T, x) ((void)(*(T *)cilk_list_first_new(view, sizeof(T)) = (x)))
static __inline__ void cilk_list_free(cilk_list *l)
{
    for (cilk_node *n = l->first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    l->first = l->last = 0;
}

static __inline__ void cilk_list_identity(void *view) { memset(view, 0, sizeof(cilk_list)); }
static __inline__ void cilk_list_reduce(void *left, void *right)
{
    cilk_list *l = (cilk_list *)left, *r = (cilk_list *)right;
    if (!r->first)
        return;
    if (l->last)
        l->last->next = r->first;
    else
        l->first = r->first;
    l->last = r->last;
}
static __inline__ void cilk_prepend_list_reduce(void *left, void *right)
{
    cilk_list both = *(cilk_list *)right;
    cilk_list_reduce(&both, left);
    *(cilk_list *)left = both;
}

#define cilk_list_reducer cilk_list cilk_reducer(cilk_list_identity, cilk_list_reduce)
#define cilk_prepend_list_reducer cilk_list cilk_reducer(cilk_list_identity, cilk_prepend_list_reduce)
#define cilk_list_view(object) \
    ((cilk_list *)__cilkrts_reducer_lookup(object, sizeof(cilk_list), cilk_list_identity, cilk_list_reduce))
#define cilk_prepend_list_view(object) \
    ((cilk_list *)__cilkrts_reducer_lookup(object, sizeof(cilk_list), cilk_list_identity, cilk_prepend_list_reduce))

#endif
