/* tree.c - contexts: which procedure, spawned where in which context.
 *
 * A procedure that is above already leads back there, so that recursion makes no new contexts. Each spawn remembers
 * where it led last: most children are found without a search (strands.c). */
#include <stdlib.h>
#include "profile.h"

node *profile_root;
static uint32_t count;

static node *fresh(node *up, const site *from, const procedure *of) {
  node *n = calloc(1, sizeof *n);
  if (!n) profile_fail("out of memory");
  *n = (node){.up = up, .from = from, .of = of, .number = count++};
  if (up) {
    node **last = &up->children;
    while (*last) last = &(*last)->next;
    *last = n;
  }
  return n;
}

node *profile_context(node *up, site *from, const procedure *of) {
  if (!up) {
    if (!profile_root) profile_root = fresh(NULL, NULL, NULL);
    up = profile_root;
  }
  node *found = NULL;
  for (node *n = up; n && !found; n = n->up)
    if (n->of == of) found = n;
  for (node *n = up->children; n && !found; n = n->next)
    if (n->from == from && n->of == of) found = n;
  if (!found) found = fresh(up, from, of);
  if (from) {
    from->tally.from = up;
    from->tally.to = found;
  }
  return found;
}
