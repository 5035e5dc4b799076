/* build_debug_span.c - what objects of this build refer to, present in the archives that serve them. Two that disagree define the error symbol
 * twice, and the linker prints its name. */
#if defined(CILK_DEBUG) && defined(CILK_PROFILE)
const char cilk_build_debug_span = 1;
const char cilk_error_objects_disagree_on_cilk_build_flags = 1;
#else
typedef int cilk_not_in_this_archive;
#endif
