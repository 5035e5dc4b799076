/* scale_units.c - chosen by the linker for -fcilktool=cilkscale-instructions: the table is in units. */
#include "profile.h"

extern const char cilk_scale_units;
const char cilk_scale_units = 1;

__attribute__((constructor(102))) static void start(void) { profile_scale_start(false); }
