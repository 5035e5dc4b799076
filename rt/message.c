/* message.c - fatal errors: of the runtime (`<worker>: fatal error: ...`) and of user code (Cilk_die, Cilk_assert). The first to fail is the one
 * that speaks (exit.c): others that fail at the same time would be cut off in the middle of their message. */
#include "internal.h"

#include <stdarg.h>

int cilk_dump_core;                       /* --dump-core: abort() instead of exit(1) */

static CILK_NORETURN void die(void)
{
  fflush(stdout);
  if (load_relaxed(&cilk_dump_core))
    abort();
  cilk_exit_process(1);
}

void cilk_fatal(const char *format, ...)
{
  va_list args;
  char text[2048];
  int n = cilk_self.id >= 0 ? snprintf(text, sizeof text, "%d: fatal error: ", cilk_self.id)
                            : snprintf(text, sizeof text, "global: fatal error: ");
  va_start(args, format);
  vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  cilk_exit_claim();
  fprintf(stderr, "%s\n", text);
  die();
}

CILK_SHARED CILK_NORETURN void cilk_rt_die(const char *message)
{
  cilk_exit_claim();
  fprintf(stderr, "fatal error: %s\n", message);
  die();
}

CILK_SHARED CILK_NORETURN void cilk_rt_assert_failed(const char *expression, int line, const char *file)
{
  cilk_exit_claim();
  fprintf(stderr,
          "fatal error: Assertion failed: %s line %d file %s\n"
          "This is either a bug in the program or a wrong assertion.\n"
          "Run with --dump-core to get a core file for a debugger.\n",
          expression, line, file);
  die();
}
