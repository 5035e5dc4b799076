/* addresses.h - the search for the words of an image that are addresses. */
#ifndef CILK_RT_ADDRESSES_H
#define CILK_RT_ADDRESSES_H

#include "travel/image.h"

/* What is alive, as addresses of cilk_closure and of cilk_link. It is the caller's, and stays as it is. */
typedef struct cilk_alive {
  const uint64_t *closures, *links;
  size_t nclosures, nlinks;
} cilk_alive;

/* What a restart translates, by address, each group once. The words are the search's, until the next one begins. */
typedef struct cilk_addresses {
  const cilk_image_words *words;
  size_t n;
} cilk_addresses;

void cilk_addresses_prepare(const cilk_program *program);    /* once, before the first search */
/* Looks at globals, at what is alive, and at the heap, while nothing changes them. Each word that is an address of the
 * program goes to cilk_names_word, so cilk_names_begin comes first. NULL, or why there is no image: usually because a
 * word is an address of memory that a restart does not have. The text is valid until the next search. */
const char *cilk_addresses_find(const cilk_program *program, const cilk_image_program *known, const cilk_alive *alive,
    cilk_addresses *found);
/* Sets the note: what no type said in the last search, so that it was a guess. */
void cilk_addresses_promise(cilk_image_written *w);

#endif
