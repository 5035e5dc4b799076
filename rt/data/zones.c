/* zones.c - AddressSanitizer's red zones in closures, in the flavour of the runtime that has them.
 *
 * The sanitizer puts red zones around the objects of a stack frame and of the heap. A closure is one object of the
 * heap, so the variables in it have none. A fast clone asks for them when it takes the closure. The zones stay where they are
 * when the frame is stolen. Before a fast clone puts the closure on its list, it takes them away; the runtime frees
 * closures to the C library, which does that by itself.
 *
 * The marks are those of stack frames, since they choose the words of the report: __asan_poison_memory_region has one
 * mark alone, for which the report is "use-after-poison". */
#include "data/zones.h"
#include "abi.h"

#ifdef CILK_ASAN

#include <sanitizer/asan_interface.h>

enum { MARKED = 8, STACK_LEFT = 0xf1, STACK_MIDDLE = 0xf2, STACK_RIGHT = 0xf3, HEAP_LEFT = 0xfa };

/* What debuggers call; the header does not have it. */
void __asan_get_shadow_mapping(size_t *scale, size_t *offset);

/* Both are multiples of MARKED. The marks have no marks themselves, and the library's memset checks. */
__attribute__((no_sanitize("address", "undefined"))) static void mark(const char *from, const char *to, uint8_t kind)
{
  size_t scale, offset;
  __asan_get_shadow_mapping(&scale, &offset);
  volatile uint8_t *at = (volatile uint8_t *)(((uintptr_t)from >> scale) + offset);
  volatile uint8_t *end = (volatile uint8_t *)(((uintptr_t)to >> scale) + offset);
  while (at < end)
    *at++ = kind;
}

void cilk_rt_zones(cilk_closure *c, const uint32_t *zones)
{
  const char *base = (const char *)c, *at = base + zones[0];
  uint32_t n = zones[2];
  for (uint32_t i = 0; i < n; i++) {
    const char *object = base + zones[3 + 2 * i];
    uint32_t bytes = zones[4 + 2 * i], part = bytes % MARKED;
    mark(at, object, i == 0 ? STACK_LEFT : STACK_MIDDLE);
    at = object + bytes - part;
    mark(object, at, 0);
    if (part) {                           /* so many bytes of the last MARKED are the object's */
      mark(at, at + MARKED, (uint8_t)part);
      at += MARKED;
    }
  }
  mark(at, base + zones[1], STACK_RIGHT);
}

void cilk_zone_before_block(void *from) { mark(from, (char *)from + CILK_ZONE_BYTES, HEAP_LEFT); }

#endif
