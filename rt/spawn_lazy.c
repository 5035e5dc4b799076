/* spawn_lazy.c - what objects built with --spawn=lazy refer to. Linked together with its eager twin it defines a symbol twice, and the linker
 * prints its name. */
#include "module.h"

CILK_SPAWN_MODULE(lazy)
