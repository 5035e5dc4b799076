/* cilk-lib.h: the name of the library header before Cilk-5.3; kept for old programs. */
#ifndef CILK_LIB_H
#define CILK_LIB_H
#warning "<cilk-lib.h> is deprecated; include <cilk-lib.cilkh> instead"
#include <cilk-lib.cilkh>
#endif
