/* early.h - what a command line asks for, before it is parsed: no message, nothing done. */
#ifndef CILK_RT_EARLY_H
#define CILK_RT_EARLY_H

#include "base/base.h"

typedef struct cilk_early { bool checkpoint, elastic; } cilk_early;

cilk_early cilk_options_early(int argc, char **argv);

#endif
