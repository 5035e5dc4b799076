/* build_profile.c - what objects of this build refer to, present in the archives that serve them. Two that disagree define the error symbol
 * twice, and the linker prints its name. */
#if !defined(CILK_DEBUG) && defined(CILK_PROFILE)
#include "module.h"

CILK_BUILD_MODULE(profile, "-cilk-profile")
#else
typedef int cilk_not_in_this_archive;
#endif
