/* record.h - the dag of threads, for `cilkc dag`: spawns and sends, and when each came on the longest path. */
#ifndef CILK_RT_CILK1_RECORD_H
#define CILK_RT_CILK1_RECORD_H

#include "home.h"

void cilk1_record_wanted(cilk_context *ctx);                        /* a computation begins */
void cilk1_record_report(cilk_context *ctx);

#endif
