/* worker.c - the hot part of the calling thread's worker; -1 says that it is none. */
#include "data/worker.h"

__thread cilk_worker cilk_self = {.id = -1};
