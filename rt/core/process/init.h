/* init.h - contexts begin and end. */
#ifndef CILK_RT_INIT_H
#define CILK_RT_INIT_H

#include "data/context.h"

/* so many workers are started at least; what is more than --nproc rests until cilk_activate */
extern int cilk_workers_room;
/* The program's, if it has one (stdlib/cilk-remote.h). */
#pragma GCC visibility push(default)
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]) __attribute__((weak));
#pragma GCC visibility pop

extern int cilk_more_workers;              /* besides those of --nproc, which rest at first (rt/extensions/dist) */
/* 0: *out is the new context; else as cilk_options_parse */
int cilk_context_create(int *argc, char **argv, cilk_context **out);
/* what Cilk_terminate does before it frees */
void cilk_context_stop(cilk_context *ctx);
struct CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(struct CilkContext *ctx);

#endif
