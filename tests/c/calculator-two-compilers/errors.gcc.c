/* errors.gcc.c - hands its variable arguments on as a va_list. */
#include "calculator.h"

void fail(const char *format, ...)
{
  va_list list;
  if (last_error[0])
    return;                          /* the first error is reported */
  va_start(list, format);
  failv(format, list);
  va_end(list);
}
