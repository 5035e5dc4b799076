/* fork.h - what a forked child process does with its contexts. */
#ifndef CILK_RT_FORK_H
#define CILK_RT_FORK_H

#include "data/context.h"

void cilk_fork_init(void);
void cilk_context_revive(cilk_context *ctx);

#endif
