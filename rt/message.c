/* message.c - fatal errors: of the runtime (`<worker>: fatal error: ...`) and of user code (Cilk_die, Cilk_assert). */
#include "internal.h"

#include <stdarg.h>

int cilk_dump_core;                       /* --dump-core: abort() instead of exit(1) */

static CILK_NORETURN void die(void)
{
  fflush(stdout);
  if (load_relaxed(&cilk_dump_core))
    abort();
  exit(1);
}

void cilk_fatal(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  flockfile(stderr);
  if (cilk_self.id >= 0)
    fprintf(stderr, "%d: fatal error: ", cilk_self.id);
  else
    fprintf(stderr, "global: fatal error: ");
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  funlockfile(stderr);
  va_end(args);
  die();
}

CILK_NORETURN void cilk_rt_die(const char *message)
{
  fprintf(stderr, "fatal error: %s\n", message);
  die();
}

CILK_NORETURN void cilk_rt_assert_failed(const char *expression, int line, const char *file)
{
  fprintf(stderr,
          "fatal error: Assertion failed: %s line %d file %s\n"
          "This is either a bug in the program or a wrong assertion.\n"
          "Run with --dump-core to get a core file for a debugger.\n",
          expression, line, file);
  die();
}
