/* blocking.h - workers that wait in system calls, and the spare threads that take their places. */
#ifndef CILK_RT_BLOCKING_H
#define CILK_RT_BLOCKING_H

#include "data/context.h"

int cilk_spares(void);                                                      /* how many a new context has */
/* A spare whose place is not needed rests, until it is needed or *flag has reached value. */
bool cilk_must_rest(const cilk_worker *w);
void cilk_rest(cilk_worker *w, const uint32_t *flag, uint32_t value);

#endif
