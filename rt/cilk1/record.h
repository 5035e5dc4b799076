/* record.h - the dag of threads, for `cilkc dag`: spawns and sends, and when each came on the longest path. */
#ifndef CILK_RT_CILK1_RECORD_H
#define CILK_RT_CILK1_RECORD_H

#include "home.h"

extern bool cilk1_records;                                          /* constant after the first computation began */
void cilk1_record_wanted(cilk_context *ctx);                        /* a computation begins */
void cilk1_record_made(cilk1_home *h, cilk1_closure *c);            /* by the thread that runs on h */
void cilk1_record_sent(cilk1_home *h, cilk_cont k, uint64_t at);    /* at: on the longest path */
uint32_t cilk1_record_begins(cilk1_home *h, cilk1_closure *c);      /* c's number; for the next one */
void cilk1_record_ends(cilk1_home *h, uint32_t number);
void cilk1_record_report(cilk_context *ctx);

#endif
