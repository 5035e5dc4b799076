/* cilk/hyperobject_base.h: the views of reducers, for C.
 *
 * A reducer is an object with an identity and a reduce function. __cilkrts_reducer_lookup gives the present strand's
 * view of it. At first the view is the object itself. Where a strand was stolen, it has a view of its own. This view is
 * joined with its neighbours' in the order of the serial execution.
 *
 * identity(view): the view, whose bytes are 0, becomes the identity. 0: there is nothing to do. reduce(left, right):
 * left becomes both of them together, and what right owns is freed. 0: there is nothing to do. Neither of them uses
 * reducers, or spawns. A view that is not the object is the runtime's, and aligned to 64 bytes. A view is good until
 * the next spawn, sync or touch, and until the next call of a procedure. The lookup of a view's address gives that
 * view.
 *
 * Some objects begin to exist inside of a parallel region: local ones, objects of the heap. Such an object is
 * registered when it has its value, and unregistered when all children that use it have joined.
 *
 * In an elision, and in threads that are no workers, every view is the object itself. */
#ifndef CILK_HYPEROBJECT_BASE_H
#define CILK_HYPEROBJECT_BASE_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include <stddef.h>

#ifdef CILK_ELISION
#define __cilkrts_reducer_lookup(key, size, identity, reduce) ((void *)(key))
#define __cilkrts_reducer_register(key, size, identity, reduce) ((void)(key))
#define __cilkrts_reducer_unregister(key) ((void)(key))
#else
#ifdef __cplusplus
extern "C" {
#endif
/* Text that no Cilk compiler compiles may be linked without the runtime: an elision by itself. */
#ifdef __CILK__
#define CILK_WEAK_
#else
#define CILK_WEAK_ __attribute__((weak))
#endif
CILK_WEAK_ void *__cilkrts_reducer_lookup(void *key, size_t size, void (*identity)(void *),
                                          void (*reduce)(void *, void *));
CILK_WEAK_ void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *),
                                           void (*reduce)(void *, void *));
CILK_WEAK_ void __cilkrts_reducer_unregister(void *key);
#undef CILK_WEAK_
#ifdef __cplusplus
}
#endif
#ifndef __CILK__
#define __cilkrts_reducer_lookup(key, size, identity, reduce) \
    (__cilkrts_reducer_lookup ? __cilkrts_reducer_lookup(key, size, identity, reduce) : (void *)(key))
#define __cilkrts_reducer_register(key, size, identity, reduce) \
    (__cilkrts_reducer_register ? __cilkrts_reducer_register(key, size, identity, reduce) : (void)0)
#define __cilkrts_reducer_unregister(key) (__cilkrts_reducer_unregister ? __cilkrts_reducer_unregister(key) : (void)0)
#endif
#endif

/* The view, as a pointer, of an object whose functions are these. */
#define CILK_VIEW(object, identity, reduce) \
    ((__typeof__(object) *)__cilkrts_reducer_lookup((void *)&(object), sizeof(object), identity, reduce))
#define CILK_REGISTER(object, identity, reduce) \
    __cilkrts_reducer_register((void *)&(object), sizeof(object), identity, reduce)
#define CILK_UNREGISTER(object) __cilkrts_reducer_unregister((void *)&(object))

#endif
