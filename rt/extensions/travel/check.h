/* check.h - is what an image has of the runtime's own structures what a writer leaves? */
#ifndef CILK_RT_CHECK_H
#define CILK_RT_CHECK_H

#include "travel/image.h"

typedef struct cilk_graph {
  const cilk_image_program *head;
  const cilk_program *here;
  const cilk_image_closure *closures;
  const cilk_image_link *links;
  size_t nclosures, nlinks, nsigs, words;   /* words: of the file; there are no more pointers in it */
  const struct cilk_sig *const *sigs;   /* of this program, by their number in the image */
} cilk_graph;

/* The pages are in the arena, which is whole. NULL: every pointer that the runtime will follow leads to what it is
 * taken for; else what is wrong. */
const char *cilk_graph_check(const cilk_graph *g);

#endif
