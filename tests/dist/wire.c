/* What is refused of a message before anything is read of it: one reason for each damage, in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dist/wire.h"

static char message[sizeof(cilk_wire) + 8];

static void reseal(void (*change)(cilk_wire *), size_t n) {
  cilk_wire h = {.kind = CILK_WIRE_VALUE, .size = 8};
  memset(message, 'x', sizeof message);
  change(&h);
  memcpy(message, &h, sizeof h);
  cilk_wire_seal(message, 1);
  char *exact = malloc(n);              /* valgrind and sanitizers see what is read beyond it */
  memcpy(exact, message, n);
  const char *why = cilk_wire_check(exact, n, &h);
  printf("%s\n", why ? why : "right");
  free(exact);
}
static void none(cilk_wire *h) { (void)h; }
static void unknown(cilk_wire *h) { h->kind = CILK_WIRE_KINDS; }
static void no_kind(cilk_wire *h) { h->kind = 0; }
static void bare(cilk_wire *h) { h->kind = CILK_WIRE_EXIT; }

int main(void) {
  cilk_wire h;
  reseal(none, sizeof message);
  for (size_t i = 0; i < sizeof message; i++) {
    message[i] ^= 4;
    const char *why = cilk_wire_check(message, sizeof message, &h);
    if (!why) printf("byte %zu may be anything\n", i);
    message[i] ^= 4;
  }
  message[sizeof message - 1] ^= 1;
  printf("%s\n", cilk_wire_check(message, sizeof message, &h));
  reseal(none, 0);
  reseal(none, sizeof h - 1);
  reseal(none, sizeof h);
  reseal(unknown, sizeof message);
  reseal(no_kind, sizeof message);
  reseal(bare, sizeof message);
  return 0;
}
