/* tally.h - what each thread has of the work: how often it ran, how long in all and at most. Of programs that are
 * measured (stamps.h) and whose environment has CILK_THREADS, a file. */
#ifndef CILK_RT_CILK1_TALLY_H
#define CILK_RT_CILK1_TALLY_H

#include "home.h"

void cilk1_tally(cilk1_home *h, const cilk1_thread *t);             /* t has just ended on h */
void cilk1_tally_home(cilk1_home *h);                               /* h is about to go: into the sum of all */
void cilk1_tally_computation(uint64_t work, uint64_t span);
void cilk1_tally_procedure(uint64_t work);                          /* a thread has called a procedure of Cilk-5 */
void cilk1_tally_report(cilk_context *ctx);                                      /* writes the file */

#endif
