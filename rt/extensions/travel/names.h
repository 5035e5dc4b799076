/* names.h - the names and strings that an image needs. */
#ifndef CILK_RT_NAMES_H
#define CILK_RT_NAMES_H

#include "travel/image.h"

/* a string of the program, as it was linked; bytes: with the zero at its end */
typedef struct cilk_text {
  uint64_t address, bytes;
} cilk_text;
typedef struct cilk_names {
  cilk_symbol *symbols;            /* by address */
  size_t nsymbols, names_bytes, ntexts;
  char *names;
  cilk_text *texts;                /* by address */
} cilk_names;

void cilk_names_begin(const cilk_program *p);
void cilk_names_word(uint64_t word);      /* a word of the image that is an address of the program */
bool cilk_names_end(cilk_names *n);       /* global objects, and what those words point to; false: out of memory */
void cilk_names_free(cilk_names *n);

#endif
