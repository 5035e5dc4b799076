/* module.h - the images that share this runtime. */
#ifndef CILK_RT_MODULE_H
#define CILK_RT_MODULE_H

#include "base/base.h"

/* How they are compiled (frontend/plan/strategies.def). All but the eager ones make closures at a release. */
enum cilk_spawning { CILK_SPAWNING_EAGER, CILK_SPAWNING_LAZY, CILK_SPAWNING_INDOLENT, CILK_SPAWNING_SEDATIVE };
enum cilk_spawning cilk_spawning(void);
const char *cilk_spawning_flag(unsigned spawning);   /* --spawn=NAME */
/* the next image with private variables, from NULL on; false after the last */
bool cilk_next_privates(const cilk_module **at);

#endif
