/* travel.h - computations that outlive their process: checkpoints and restarts (docs/travel.md).
 *
 * A checkpoint is made while all workers have halted with empty stacks (steal/halt.h): the whole computation is
 * closures and links then. An *image* has the pages of the arena, where these are, the program's global objects, and
 * what is needed to find all that is named: signatures, symbols. A restart puts the pages to the same addresses and
 * translates what points into the program itself, by names where the program is another build. */
#ifndef CILK_RT_TRAVEL_H
#define CILK_RT_TRAVEL_H

#include "data/closure.h"
#include "data/context.h"

/* Before main: from here on the signals that these words ask for end no process. */
void cilk_travel_listen(int argc, char **argv);
/* Before a main that is a Cilk procedure is called: from then on *argc, *argv and *envp outlive the process. Ends the
 * process if that is impossible. */
void cilk_travel_begin(cilk_context *ctx, int *argc, char ***argv, char ***envp);
void cilk_travel_end(cilk_context *ctx);
/* What Cilk_active_size is; `otherwise` where no computation of the context travels. */
int cilk_travel_size(const cilk_context *ctx, int otherwise);
/* The same where C calls a procedure. OpenCilk's main is such a call, and may travel: it is a procedure as a whole.
 * cilk_travel_end comes after it. Ends the process where another procedure was called with these options. */
void cilk_travel_enter(cilk_context *ctx, const cilk_root *root, void *args);
/* A context that C code makes takes none of these options. False: one was given, and the message is printed. */
bool cilk_travel_may(const cilk_options *o);
/* The pipe of a report (process/report.h) while one is made, else -1: a checkpoint meanwhile does not take it for the
 * program's. */
extern int cilk_own_pipe[2];

#endif
