/* spawn_eager.c - what objects built with --spawn=eager refer to. Linked together with its lazy twin it defines a symbol twice, and the linker
 * prints its name. */
#include "module.h"

CILK_SPAWN_MODULE(eager)
