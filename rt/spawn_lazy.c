/* spawn_lazy.c - what objects built with --spawn=lazy refer to; see spawn_eager.c. context.c asks whether it was linked. */
const char cilk_spawn_lazy = 1;
const char cilk_error_objects_disagree_on_spawn_strategy = 1;
