/* cilksan.c - the locks of <cilk.h>, and OpenCilk's functions for programs under its race detector
 * (stdlib/cilk/cilksan.h). These know a lock by its address: nothing is stored there. */
#include "race.h"

#define API __attribute__((visibility("default")))

API void __cilksan_acquire_lock(const void *lock);
API void __cilksan_release_lock(const void *lock);
API void __cilksan_begin_atomic(void);
API void __cilksan_end_atomic(void);
API void __cilksan_register_lock_explicit(const void *lock);
API void __cilksan_unregister_lock_explicit(const void *lock);
API void __cilksan_enable_checking(void);
API void __cilksan_disable_checking(void);
API _Bool __cilksan_is_checking_enabled(void);

void __cilksan_acquire_lock(const void *lock) { race_acquire_owned(lock); }
void __cilksan_release_lock(const void *lock) { race_release(lock); }
void __cilksan_begin_atomic(void) { race_acquire(&race_atomic_lock); }
void __cilksan_end_atomic(void) { race_release(&race_atomic_lock); }
void __cilksan_register_lock_explicit(const void *lock) { race_forget_lock(lock); }
void __cilksan_unregister_lock_explicit(const void *lock) { race_forget_lock(lock); }

void __cilksan_disable_checking(void) { race_off++; }
void __cilksan_enable_checking(void) {
  if (race_off) race_off--;
}
_Bool __cilksan_is_checking_enabled(void) { return !race_off; }

/* ---- <cilk.h>'s ---- */

void cilk_race_lock_init(volatile int *lock) {
  race_access((const void *)lock, sizeof *lock, cilk_race_called, CILK_RACE_WRITE);
  race_forget_lock(lock);
  *lock = 0;
}

/* The value of a lock that is held here. A lock with another one but 0 was never initialised. */
enum { HELD = 0x4c6f636b };

void cilk_race_lock(volatile int *lock) {
  site *at = cilk_race_called;
  race_atomic((const void *)lock, sizeof *lock, at, CILK_RACE_WRITE);
  if (*lock && at) {
    if (*lock == HELD) race_waits_for_itself(lock, at);
    fprintf(stderr, "%s:%u: %s: ", at->file, at->line, at->text);
    race_die("the lock was not initialised (Cilk_lock_init)");
  }
  *lock = HELD;
  race_acquire_owned(lock);
}

void cilk_race_unlock(volatile int *lock) {
  race_release(lock);
  race_atomic((const void *)lock, sizeof *lock, cilk_race_called, CILK_RACE_WRITE);
  *lock = 0;
}
