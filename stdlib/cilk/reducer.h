/* cilk/reducer.h: the reducers of Cilk Plus for C, on top of hyperobject_base.h.
 *
 *     void identity(void *reducer, void *view);
 *     void reduce(void *reducer, void *left, void *right);
 *     void destroy(void *reducer, void *view);
 *     CILK_C_DECLARE_REDUCER(T) r = CILK_C_INIT_REDUCER(T, reduce, identity, destroy, initial value...);
 *
 *     CILK_C_REGISTER_REDUCER(r);      where r is local, before the first spawn
 *     REDUCER_VIEW(r) ...              the present strand's view: an lvalue of T
 *     r.value                          the result, once all have joined
 *     CILK_C_UNREGISTER_REDUCER(r);
 *
 * The library calls destroy for each view that was reduced, after reduce; not for the value in r itself. */
#ifndef CILK_REDUCER_H
#define CILK_REDUCER_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "common.h"
#include "hyperobject_base.h"

/* What each reducer, and each of its views, begins with. */
typedef struct __cilkrts_hyperobject_base {
    void (*reduce)(void *reducer, void *left, void *right);
    void (*identity)(void *reducer, void *view);
    void (*destroy)(void *reducer, void *view);
    size_t offset;                      /* of the value */
    struct __cilkrts_hyperobject_base *reducer;   /* of a view: whose it is; 0: it is new */
    /* so the value begins at byte 64. A reducer needs no more alignment than its value, so malloc may make it */
    char fill[64 - 5 * sizeof(void *)];
} __cilkrts_hyperobject_base;

#define CILK_C_DECLARE_REDUCER(T) \
    struct { \
        __cilkrts_hyperobject_base __cilkrts_hyperbase; \
        __typeof__(T) value; \
    }
#define CILK_C_INIT_REDUCER(T, Reduce, Identity, Destroy, ...) \
  { { Reduce, Identity, Destroy, 64, 0, { 0 } }, __VA_ARGS__ }

static __inline__ void __cilkrts_hyperobject_noop_destroy(void *reducer, void *view) { (void)reducer; (void)view; }

static __inline__ void __cilkrts_hyperobject_reduce(void *left, void *right)
{
    __cilkrts_hyperobject_base *r = ((__cilkrts_hyperobject_base *)right)->reducer;
    char *value = (char *)right + r->offset;
    r->reduce(r, (char *)left + r->offset, value);
    if (r->destroy)
        r->destroy(r, value);
}

#ifdef __CILK__
__attribute__((cilk_no_race))           /* what it reads of the reducer itself never changes */
#endif
static __inline__ void *__cilkrts_hyperobject_view(__cilkrts_hyperobject_base *r, size_t size)
{
    __cilkrts_hyperobject_base *view =
        (__cilkrts_hyperobject_base *)__cilkrts_reducer_lookup(r, size, 0, __cilkrts_hyperobject_reduce);
    if (view != r && !view->reducer) {
        view->reducer = r;
        r->identity(r, (char *)view + r->offset);
    }
    return (char *)view + r->offset;
}

#define REDUCER_VIEW(r) \
    (*(__typeof__((r).value) *)__cilkrts_hyperobject_view(&(r).__cilkrts_hyperbase, sizeof(r)))
#define CILK_C_REGISTER_REDUCER(r) \
    __cilkrts_reducer_register(&(r).__cilkrts_hyperbase, sizeof(r), 0, __cilkrts_hyperobject_reduce)
#define CILK_C_UNREGISTER_REDUCER(r) __cilkrts_reducer_unregister(&(r).__cilkrts_hyperbase)

/* A reducer's type, its functions with Cilk Plus' arguments, and a reducer: for the headers beside this.
 * For the type `long` they take `_long` (reducer_arithmetic.h). */
#define CILK_C_ADAPTERS(prefix, _name, T) \
    typedef CILK_C_DECLARE_REDUCER(T) prefix##_c##_name; \
    static __inline__ void prefix##_c_identity##_name(void *reducer, void *view) \
    { \
        (void)reducer; \
        prefix##_identity##_name(view); \
    } \
    static __inline__ void prefix##_c_reduce##_name(void *reducer, void *left, void *right) \
    { \
        (void)reducer; \
        prefix##_reduce##_name(left, right); \
    }
#define CILK_C_REDUCER_OF(prefix, reducer, _name, ...) \
    prefix##_c##_name reducer = CILK_C_INIT_REDUCER(T, prefix##_c_reduce##_name, prefix##_c_identity##_name, \
                                                    __cilkrts_hyperobject_noop_destroy, __VA_ARGS__)

#endif
