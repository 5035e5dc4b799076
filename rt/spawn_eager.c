/* spawn_eager.c - what objects built with --spawn=eager refer to. Linked together with its lazy twin it defines the symbol below
 * twice, and the linker prints that name. */
const char cilk_spawn_eager = 1;
const char cilk_error_objects_disagree_on_spawn_strategy = 1;
