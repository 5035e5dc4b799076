/* cilksan.c - OpenCilk's functions for programs under its race detector (stdlib/cilk/cilksan.h). A lock is known by its
 * address: nothing is stored there. */
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
