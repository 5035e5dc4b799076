/* cilk/common.h: programs of Cilk Plus include it, and so did its headers. Its macros belong to Intel's headers, so
 * nothing of them is needed here. But programs use assert() with no other header than these. */
#ifndef CILK_COMMON_H
#define CILK_COMMON_H

#include <assert.h>

#endif
