/* scale_seconds.c - chosen by the linker for -fcilktool=cilkscale: the table is in seconds. */
#include "profile.h"

extern const char cilk_scale_seconds;
const char cilk_scale_seconds = 1;

__attribute__((constructor(102))) static void start(void) { profile_scale_start(true); }
