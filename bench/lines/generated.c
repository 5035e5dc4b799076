/* generated.c - the shared lines that code made by cilkc touches at a spawn. That code is not instrumented; its other
 * accesses (closures, which a thief reads later) are not counted. Compiled against the abi.h of the runtime that is
 * measured. */
#include "abi.h"
#include "lines.h"

void lines_spawn(void) {
  cilk_worker *w = &cilk_self;
#ifdef LINES_LAZY
  lines_touch(&w->release, sizeof w->release, false, (const void *)(uintptr_t)lines_spawn);
#else
  lines_touch(&w->tail, sizeof w->tail, true, (const void *)(uintptr_t)lines_spawn);
  lines_touch(&w->exc, sizeof w->exc, false, (const void *)(uintptr_t)lines_spawn);
#endif
}
