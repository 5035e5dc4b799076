/* wire.c - messages are sealed with a sum, and checked before anything is read of them. What they then ask for is
 * checked where it is done. */
#include "dist/dist.h"

#include <string.h>

static uint64_t sum(const char *message, size_t n) {
  uint64_t s = n, word = 0;
  for (size_t i = 0; i < n; i += 8, word = 0) {
    memcpy(&word, message + i, n - i < 8 ? n - i : 8);
    if (i == offsetof(cilk_wire, sum)) continue;
    s = (s ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    s ^= s >> 29;
  }
  return s;
}

void cilk_wire_seal(char *message, uint32_t number) {
  cilk_wire h;
  memcpy(&h, message, sizeof h);
  h.magic = CILK_WIRE_MAGIC;
  h.number = number;
  memcpy(message, &h, sizeof h);
  h.sum = sum(message, sizeof h + h.size);
  memcpy(message, &h, sizeof h);
}

const char *cilk_wire_check(const char *message, size_t n, cilk_wire *head) {
  if (n < sizeof *head) return "it is shorter than a header";
  memcpy(head, message, sizeof *head);
  if (head->magic != CILK_WIRE_MAGIC) return "it is none of this version";
  if (head->size > CILK_WIRE_MOST || head->size != n - sizeof *head) return "its length is wrong";
  if (head->sum != sum(message, n)) return "its sum is wrong";
  if (head->kind == 0 || head->kind >= CILK_WIRE_KINDS) return "its kind is unknown";
  if (head->size && head->kind != CILK_WIRE_WORK && head->kind != CILK_WIRE_VALUE && head->kind != CILK_WIRE_OUTPUT &&
      head->kind != CILK_WIRE_BYE && head->kind != CILK_WIRE_STATE)
    return "it has bytes that its kind has not";
  return NULL;
}
