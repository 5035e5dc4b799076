/* early.h - what a command line asks for, before it is parsed: no message, nothing done. */
#ifndef CILK_RT_EARLY_H
#define CILK_RT_EARLY_H

#include "base/base.h"

/* ends: the signal of --checkpoint-on; 0 or less: none */
typedef struct cilk_early {
  bool checkpoint, elastic;
  int ends;
} cilk_early;

cilk_early cilk_options_early(int argc, char **argv);
const char *cilk_options_signal_name(int sig);   /* one of --checkpoint-on: TERM */

#endif
