/* lexer.gcc.c - text to tokens. */
#include "calculator.h"
#include <ctype.h>
#include <stdlib.h>

int lookups = 100;

struct token next_token(const char **at, const char *begin)
{
  struct token t = {0};
  while (isspace((unsigned char)**at))
    ++*at;
  t.text = *at;
  t.column = (int)(*at - begin) - 1;           /* from -1 on: the field is signed */
  if (!**at)
    return t;
  char *end = (char *)*at + 1;
  if (isdigit((unsigned char)**at)) {
    t.kind = NUMBER;
    t.number = strtod(*at, &end);
  } else if (isalpha((unsigned char)**at)) {
    t.kind = NAME;
    while (isalnum((unsigned char)*end))
      end++;
  } else
    t.kind = PUNCTUATION;
  t.length = (unsigned)(end - *at);
  *at = end;
  return t;
}
