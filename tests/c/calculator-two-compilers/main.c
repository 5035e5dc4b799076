/* main.c - evaluates a few lines. */
#include "calculator.h"
#include <stdio.h>

char last_error[80];

void failv(const char *format, va_list list)
{
  vsnprintf(last_error, sizeof last_error, format, list);
}

int main(void)
{
  static const char *const lines[] = {
    "1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "7 / 2 - 0.25", "sum(1, 2, 3, 4, 5.5, 6) * 2", "max(3, 9 - 1, 2 ^ 3 - 1)", "1 / (3 - 3)", "2 * * 3", "min(1, 2)", "max(1", "4 4",
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    depth = 0;
    last_error[0] = 0;
    struct value v = parse(lines[i]);
    if (last_error[0]) {
      printf("%s: error: %s (depth %d)\n", lines[i], last_error, depth);
      wrong++;
    } else
      printf("%s = %g, %s (depth %d)\n", lines[i], v.re, v.exact == -1 ? "about" : "exactly", depth);
  }
  printf("%d wrong, %d looked up\n", wrong, lookups);
  return wrong != 5;
}
