// What can be known of a size is constant: lock-free atomics, also in a static assertion and a static initialiser.
#include <stdatomic.h>
static int *p;
_Static_assert(__atomic_always_lock_free(sizeof(int), 0) && __atomic_always_lock_free(8, (void *)0), "an instruction");
_Static_assert(!__atomic_always_lock_free(3, 0), "no instruction");
_Static_assert(__builtin_isdigit('7') && !__builtin_isdigit('x'), "folded");
static const _Bool known = __atomic_always_lock_free(sizeof(long), 0);
int main(void) { return !known || !__atomic_always_lock_free(1, &p); }
