/* In an elision each reducer is an object like any other, and what was started is over. */
#include <stddef.h>

void *__cilkrts_reducer_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *))
{
  (void)size, (void)identity, (void)reduce;
  return key;
}
void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *))
{
  (void)key, (void)size, (void)identity, (void)reduce;
}
void __cilkrts_reducer_unregister(void *key) { (void)key; }

void *cilk_rt_started(void) { return NULL; }
int Cilk_wait(void *computation, void *result)
{
  (void)computation, (void)result;
  return 1;
}
