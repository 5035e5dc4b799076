/* module.h - the images that share this runtime. */
#ifndef CILK_RT_MODULE_H
#define CILK_RT_MODULE_H

#include "base/base.h"

bool cilk_lazy(void);                     /* are they compiled with --spawn=lazy? */
bool cilk_next_privates(const cilk_module **at);   /* the next image with private variables, from NULL on; false after the last */

#endif
