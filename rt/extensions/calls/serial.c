/* serial.c - what the serial form of a program (--serial, and the tools that are made of it) needs of <cilk-start.h>: a
 * computation that is started has run to its end when Cilk_start returns, and its handle holds the result. Handles of
 * the parallel runtime belong to a group, these do not. */
#include "calls/start.h"

#include <stdlib.h>
#include <string.h>

struct serial {
  cilk_computation handle;
  size_t size;
  char result[];
};
static _Thread_local struct serial *last;

/* The stub by which C calls a procedure has done so (codegen/serial/serial.cpp). */
void cilk_rt_serial_ended(const void *context, const void *result, size_t n) {
  if (context != CILK_START_MARK && context != CILK_WITH_MARK) return;
  struct serial *s = calloc(1, sizeof *s + n);
  if (!s) cilk_fatal("out of memory");
  s->size = n;
  if (n) memcpy(s->result, result, n);
  s->handle.over = true;
  store_relaxed(&s->handle.run.done, 1);
  last = s;
}

cilk_computation *cilk_serial_started(void) {
  struct serial *s = last;
  last = NULL;
  return s ? &s->handle : NULL;
}

size_t cilk_rt_serial_size(const void *computation) { return ((const struct serial *)computation)->size; }

int cilk_serial_wait(cilk_computation *m, void *result) {
  struct serial *s = (struct serial *)m;
  if (result && s->size) memcpy(result, s->result, s->size);
  free(s);
  return 1;
}
