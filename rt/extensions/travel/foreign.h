/* foreign.h - an image of a processor of the other byte order becomes one of this processor. */
#ifndef CILK_RT_FOREIGN_H
#define CILK_RT_FOREIGN_H

#include "travel/check.h"

bool cilk_foreign(uint64_t version);                      /* is that a version of the form in the other order? */
/* The checksum of an image in the other order, the file without its header. */
uint64_t cilk_foreign_sum(const char *bytes, size_t n);
/* The numbers of the file itself. It is whole. False: a part is cut off. */
bool cilk_foreign_file(char *file, size_t bytes);
/* A global object, at its place in this process. NULL, or why not. */
const char *cilk_foreign_object(const cilk_program *here, const cilk_symbol *s);
/* The arena's pages are at their places, and its blocks were put into our order and checked: the rest of them, and the
 * memory that global objects lead to. NULL, or why not. */
const char *cilk_foreign_memory(const cilk_graph *g);

#endif
