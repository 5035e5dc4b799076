/* cilk/cilk.h - OpenCilk's header. Its words (cilk_spawn, cilk_sync, cilk_scope, cilk_for, cilk_reducer) are keywords
 * with -fopencilk, and in .cilk text: programs may include this file, and need not. */
#ifndef _CILK_CILK_H
#define _CILK_CILK_H

#endif
