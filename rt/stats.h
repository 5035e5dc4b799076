/* stats.h - the report of --stats. */
#ifndef CILK_RT_STATS_H
#define CILK_RT_STATS_H

#include <stdio.h>

#include "context.h"

void cilk_stats_searched(cilk_worker *w, uint64_t ns);                      /* a search that found work is over: one count more */
void cilk_stats_begin(cilk_worker *w, uint32_t number, uint64_t now);       /* it comes into that computation */
void cilk_stats_print(cilk_context *ctx, FILE *out);

#endif
