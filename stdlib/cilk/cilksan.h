/* cilk/cilksan.h - OpenCilk's functions for the race detector: `cilkc race`, or -fsanitize=cilk. Elsewhere they do
 * nothing. */
#ifndef _CILK_CILKSAN_H
#define _CILK_CILKSAN_H

#ifdef __cilksan__
#ifdef __cplusplus
extern "C" {
#endif
/* What is done between these two is done under the lock of this address, for the detector alone. */
void __cilksan_acquire_lock(const void *lock);
void __cilksan_release_lock(const void *lock);
/* What is done between these two is atomic. */
void __cilksan_begin_atomic(void);
void __cilksan_end_atomic(void);
/* A lock begins to exist at this address, and ends. */
void __cilksan_register_lock_explicit(const void *lock);
void __cilksan_unregister_lock_explicit(const void *lock);
/* After `disable` accesses are not looked at. Each `enable` ends one `disable`. */
void __cilksan_enable_checking(void);
void __cilksan_disable_checking(void);
_Bool __cilksan_is_checking_enabled(void);
#ifdef __cplusplus
}
#endif
#else
#define __cilksan_acquire_lock(lock) ((void)(lock))
#define __cilksan_release_lock(lock) ((void)(lock))
#define __cilksan_begin_atomic() ((void)0)
#define __cilksan_end_atomic() ((void)0)
#define __cilksan_register_lock_explicit(lock) ((void)(lock))
#define __cilksan_unregister_lock_explicit(lock) ((void)(lock))
#define __cilksan_enable_checking() ((void)0)
#define __cilksan_disable_checking() ((void)0)
#define __cilksan_is_checking_enabled() 0
#endif

/* A lock that only the detector knows: for what is exclusive by other means. */
typedef struct Cilksan_fake_mutex {
    char none;
} Cilksan_fake_mutex;
#define Cilksan_fake_mutex_lock(mutex) __cilksan_acquire_lock(mutex)
#define Cilksan_fake_mutex_unlock(mutex) __cilksan_release_lock(mutex)

#endif
