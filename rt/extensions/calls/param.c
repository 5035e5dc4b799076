/* param.c - Cilk Plus' __cilkrts_set_param (stdlib/cilk/cilk_api.h). Its programs call it in main, before they spawn;
 * but their main spawns, so here it is on a worker by then.
 *
 * This is a member of the archive of its own: a program that refers to it starts CILK_PARAM_WORKERS, most of which rest
 * (enter.c), so that their number can change. */
#include "calls/enter.h"

#include <stdlib.h>
#include <string.h>

const char cilk_param_linked = 1;

CILK_SHARED int __cilkrts_set_param(const char *name, const char *value) {
  char *end = NULL;
  long n = value ? strtol(value, &end, 0) : 0;
  if (!name || strcmp(name, "nworkers") != 0 || !end || *end || end == value || n < 0 || n > CILK_MAX_PROC) return 1;
  return !cilk_api_set_workers((int)n);
}
