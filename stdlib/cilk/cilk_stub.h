/* cilk/cilk_stub.h - after this header the program is serial: OpenCilk's words are gone, and its loops are C's. */
#ifndef _CILK_STUB_H
#define _CILK_STUB_H

#define cilk_spawn
#define cilk_sync
#define cilk_scope
#define cilk_for for
#define cilk_reducer(identity, reduce)
#ifndef __clang__
#define __builtin_addressof(object) (&(object))     /* of a reducer */
#endif
#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_scope
#define _Cilk_for for
#define _Hyperobject(identity, reduce)

#endif
