/* cilk/common.h: programs of Cilk Plus include it. Its macros belong to Intel's headers, so nothing is needed here. */
#ifndef CILK_COMMON_H
#define CILK_COMMON_H
#endif
