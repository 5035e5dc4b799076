/* json.h - a string as JSON has it, for all that the runtime and the tools' libraries write. */
#ifndef CILK_RT_JSON_H
#define CILK_RT_JSON_H

#include <stdio.h>

/* Writes s (NULL: an empty string) to out in quotes. Bytes above 127 are written as they are: the text is taken for
 * UTF-8. */
static inline void cilk_json_string(FILE *out, const char *s) {
  putc('"', out);
  for (; s && *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 32 || c == 127) fprintf(out, "\\u%04x", c);
    else putc(c, out);
  }
  putc('"', out);
}

#endif
