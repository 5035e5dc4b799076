/* private.h - `private` variables. */
#ifndef CILK_RT_PRIVATE_H
#define CILK_RT_PRIVATE_H

#include "data/context.h"

void cilk_private_start(cilk_context *ctx);
void cilk_private_end(cilk_context *ctx);
void cilk_private_copy(cilk_context *ctx, bool in);

#endif
