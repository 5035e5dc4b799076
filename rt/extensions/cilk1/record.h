/* record.h - the dag of threads, for `cilkc dag`: spawns and sends, and when each came on the longest path. */
#ifndef CILK_RT_CILK1_RECORD_H
#define CILK_RT_CILK1_RECORD_H

#include "home.h"

void cilk1_record_wanted(cilk_context *ctx);                        /* a computation begins */
/* a procedure of Cilk-5 that the thread has called is done: its work, its end on the longest path */
void cilk1_record_called(uint32_t thread, uint64_t work, uint64_t end);
void cilk1_record_report(cilk_context *ctx);

#endif
