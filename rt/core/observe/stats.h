/* stats.h - the report of --stats. */
#ifndef CILK_RT_STATS_H
#define CILK_RT_STATS_H

#include <stdio.h>

#include "data/context.h"

void cilk_stats_begin(cilk_worker *w, uint32_t number, uint64_t now);       /* it comes into that computation */
void cilk_stats_search(cilk_worker *w, uint64_t ns);                        /* its search took ns and found work */
/* as text, of the level that was asked for */
void cilk_stats_print(cilk_context *ctx, FILE *out);
/* in the form and into the file that the options name */
void cilk_stats_report(cilk_context *ctx);

/* Counters of the last computation, for the other forms of the report (summary.c). */
uint64_t cilk_stats_counter(const cilk_context *ctx, int worker, int counter);
const char *cilk_stats_name(int counter);
void cilk_stats_times(cilk_context *ctx, int worker, double *present, double *searching);   /* in seconds */

#endif
