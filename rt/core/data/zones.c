/* zones.c - AddressSanitizer's red zones in closures, in the flavour of the runtime that has them.
 *
 * The sanitizer puts red zones around the objects of a stack frame and of the heap, but a closure is one object of
 * the heap, and the variables in it have none. A fast clone asks for them when it takes the closure, and they stay
 * where they are when the frame is stolen. A fast clone removes them before it puts the closure on its list; the
 * runtime frees closures to the C library, which does that by itself.
 *
 * The marks are those of stack frames, since they choose the words of the report: __asan_poison_memory_region has
 * one mark alone, for which the report is "use-after-poison". Because the sanitizer's report knows a closure as
 * memory of the heap, a line before it names the variable. */
#include "data/zones.h"
#include "base/base.h"

#ifdef CILK_ASAN

#include <sanitizer/asan_interface.h>

#include <stdio.h>
#include <string.h>

enum { MARKED = 8, STACK_LEFT = 0xf1, STACK_MIDDLE = 0xf2, STACK_RIGHT = 0xf3, HEAP_LEFT = 0xfa, ENDED = 0xf8 };

/* What debuggers call; the header does not have it. */
void __asan_get_shadow_mapping(size_t *scale, size_t *offset);

static volatile uint8_t *mark_of(const char *p) {
  size_t scale, offset;
  __asan_get_shadow_mapping(&scale, &offset);
  return (volatile uint8_t *)(((uintptr_t)p >> scale) + offset);
}

/* Both are multiples of MARKED. The marks have no marks themselves, and the library's memset checks. */
__attribute__((no_sanitize("address", "undefined"))) static void mark(const char *from, const char *to, uint8_t kind) {
  for (volatile uint8_t *at = mark_of(from), *end = mark_of(to); at < end;) *at++ = kind;
}

void cilk_rt_zones(cilk_closure *c, const uint32_t *zones) {
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

/* Closures alone have such marks in the heap. The end of an object may be in the middle of the bytes of a mark, and
 * then the next mark is the zone's. */
__attribute__((no_sanitize("address", "undefined"))) static bool in_zone(const char *p) {
  uint8_t kind = *mark_of(p);
  if (kind && kind < MARKED) kind = *mark_of(p + MARKED);
  return (kind >= STACK_LEFT && kind <= STACK_RIGHT) || kind == ENDED;
}

/* Called by the sanitizer before it prints. A program may define a function of this name. */
__attribute__((weak, visibility("default"))) void __asan_on_error(void) {
  char *at = __asan_get_report_address(), name[1];
  void *region = NULL;
  size_t bytes;
  if (!at || strcmp(__asan_locate_address(at, name, sizeof name, &region, &bytes), "heap") != 0 || !in_zone(at)) return;
  const cilk_sig *sig = ((const cilk_closure *)region)->sig;
  const cilk_slot_info *best = NULL;      /* no farther away: an object without a name may be between them */
  size_t away = CILK_ZONE_BYTES, offset = (size_t)(at - (char *)region);
  for (uint64_t i = 0; i < sig->nslots; i++) {       /* none without -g */
    const cilk_slot_info *s = &sig->slots[i];
    size_t end = s->offset + s->size;
    size_t distance = offset < s->offset ? s->offset - offset : offset < end ? 0 : offset - end + 1;
    if (distance < away) {
      best = s;
      away = distance;
    }
  }
  if (!best) return;
  if (!away)
    fprintf(stderr, "\nthe access is to '%s' (line %d) of procedure '%s'\n", best->name, (int)best->line, sig->name);
  else
    fprintf(stderr, "\nthe access begins %zu bytes %s '%s' (line %d) of procedure '%s'\n",
        offset < best->offset ? away : away - 1, offset < best->offset ? "before" : "after", best->name,
        (int)best->line, sig->name);
}

void cilk_zone_before_block(void *from) { mark(from, (char *)from + CILK_ZONE_BYTES, HEAP_LEFT); }

#endif
