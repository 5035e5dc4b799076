/* unknown.c - what only the serial detector knows: functions of the C library that take locks, make threads or start
 * computations, the views of reducers, the locks of <cilk.h>. A call ends the run (cilk_strands_cannot). Functions that
 * library.c defines take the place of the weak ones here.
 */

/* Their own types do not matter: none of them returns. */
_Noreturn void cilk_strands_cannot(const char *what) __attribute__((visibility("hidden")));

#define LIBRARY(name) \
  __attribute__((weak)) void cilk_race_libc_##name(void); \
  void cilk_race_libc_##name(void) { cilk_strands_cannot(#name); }
#include "rt/tools/race/library.def"
#undef LIBRARY

#define UNKNOWN(name, what) \
  void name(void); \
  void name(void) { cilk_strands_cannot(what); }
UNKNOWN(cilk_race_lock, "locks")
UNKNOWN(cilk_race_unlock, "locks")
UNKNOWN(cilk_race_lock_init, "locks")
UNKNOWN(cilk_race_viewed, "reducers")
#define CILKSAN(name) __attribute__((visibility("default"))) UNKNOWN(__cilksan_##name, "functions of <cilksan.h>")
CILKSAN(acquire_lock)
CILKSAN(release_lock)
CILKSAN(begin_atomic)
CILKSAN(end_atomic)
CILKSAN(register_lock_explicit)
CILKSAN(unregister_lock_explicit)
CILKSAN(enable_checking)
CILKSAN(disable_checking)
CILKSAN(is_checking_enabled)
