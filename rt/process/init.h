/* init.h - contexts begin and end. */
#ifndef CILK_RT_INIT_H
#define CILK_RT_INIT_H

#include "data/context.h"

extern int cilk_workers_room;              /* so many workers are started at least; what is more than --nproc rests until cilk_activate */
int cilk_context_create(int *argc, char **argv, cilk_context **out);        /* 0: *out is the new context; else as cilk_options_parse */
void cilk_context_stop(cilk_context *ctx);                                  /* what Cilk_terminate does before it frees */
struct CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(struct CilkContext *ctx);

#endif
