/* module.h - what spawn_*.c and build_*.c consist of: the symbol that objects of one kind refer to, the symbol whose second definition is
 * the linker's error, and the image's cilk_module, which joins the runtime when the image is loaded (module.c). All but the runtime's
 * interface is hidden, so that every image has its own. */
#ifndef CILK_RT_MODULE_H
#define CILK_RT_MODULE_H

#include "base.h"

bool cilk_lazy(void);                     /* are the images that share this runtime compiled with --spawn=lazy? */
bool cilk_next_privates(const cilk_module **at);   /* the next image with private variables, from NULL on; false after the last */

#define CILK_MODULE(symbol, disagreement, number, text, begin, end)                                                                    \
  extern const char symbol, disagreement;                                                                                              \
  const char symbol = 1;                                                                                                               \
  const char disagreement = 1;                                                                                                         \
  static cilk_module module = { CILK_ABI_VERSION, number, text, begin, end, NULL };                                                    \
  __attribute__((constructor(101))) static void join(void) { cilk_rt_join(&module); }                                                  \
  __attribute__((destructor(101))) static void leave(void) { cilk_rt_leave(&module); }

/* `private` variables of the image, between marks that the linker sets. */
extern const cilk_private __start_cilk_private[] __attribute__((weak, visibility("hidden")));
extern const cilk_private __stop_cilk_private[] __attribute__((weak, visibility("hidden")));

#define CILK_SPAWN_MODULE(strategy)                                                                                                    \
  CILK_MODULE(cilk_spawn_##strategy, cilk_error_objects_disagree_on_spawn_strategy, CILK_GROUP_SPAWN, "--spawn=" #strategy,              \
              __start_cilk_private, __stop_cilk_private)
#define CILK_BUILD_MODULE(name, flags)                                                                                                 \
  CILK_MODULE(cilk_build_##name, cilk_error_objects_disagree_on_cilk_build_flags, CILK_GROUP_BUILD, flags, NULL, NULL)

#endif
