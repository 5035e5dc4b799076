#include <cilk.h>
#include "counter.h"
static Cilk_lockvar guard;
long total, calls;
void add(long n)
{
    Cilk_lock(guard);
    total += n;
    calls++;
    Cilk_unlock(guard);
}
