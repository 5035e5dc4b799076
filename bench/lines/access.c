/* access.c - what code compiled with -fsanitize=thread calls at its memory accesses: not ThreadSanitizer's library, but
 * these.
 *
 * Others may run before lines_touch looks at the directory, but not from there to the end of the access. The compiler
 * makes a plain access after the call. */
#include "lines.h"

#define WHERE __builtin_return_address(0)

#define PLAIN(bytes) \
  void __tsan_read##bytes(void *p) { lines_touch(p, bytes, false, WHERE); } \
  void __tsan_write##bytes(void *p) { lines_touch(p, bytes, true, WHERE); } \
  void __tsan_volatile_read##bytes(void *p) { lines_touch(p, bytes, false, WHERE); } \
  void __tsan_volatile_write##bytes(void *p) { lines_touch(p, bytes, true, WHERE); } \
  void __tsan_unaligned_read##bytes(void *p) { lines_touch(p, bytes, false, WHERE); } \
  void __tsan_unaligned_write##bytes(void *p) { lines_touch(p, bytes, true, WHERE); } \
  void __tsan_read##bytes##_pc(void *p, void *pc) { lines_touch(p, bytes, false, pc); } \
  void __tsan_write##bytes##_pc(void *p, void *pc) { lines_touch(p, bytes, true, pc); }
// clang-format off
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
    // clang-format on

    void __tsan_read_range(void *p, unsigned long bytes) {
  lines_touch(p, bytes, false, WHERE);
}
void __tsan_write_range(void *p, unsigned long bytes) { lines_touch(p, bytes, true, WHERE); }
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}

/* A lock of the runtime's is a word that an acquiring exchange with 1 takes if it was 0. */
static void note_lock(uint64_t was, uint64_t is, int order) {
  if (is == 1 && was == 0 && order == __ATOMIC_ACQUIRE) lines_count.locks++;
}

/* The order that the program asks for is noted nowhere: everything here is in one order. */
#define FETCH(bits, name, operation) \
  uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile uint##bits##_t *p, uint##bits##_t v, int order) { \
    (void)order; \
    lines_touch(p, bits / 8, true, WHERE); \
    uint##bits##_t was = *p; \
    *p = (uint##bits##_t)(operation); \
    return was; \
  }
#define COMPARE(bits, kind) \
  int __tsan_atomic##bits##_compare_exchange_##kind(volatile uint##bits##_t *p, uint##bits##_t *expected, \
      uint##bits##_t v, int order, int failed) { \
    (void)order, (void)failed; \
    lines_touch(p, bits / 8, true, WHERE); \
    if (*p != *expected) { \
      *expected = *p; \
      return 0; \
    } \
    *p = v; \
    return 1; \
  }
// clang-format off
#define ATOMIC(bits) \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order) \
  { \
    (void)order; \
    lines_touch(p, bits / 8, false, WHERE); \
    return *p; \
  } \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order) \
  { \
    (void)order; \
    lines_touch(p, bits / 8, true, WHERE); \
    *p = v; \
  } \
  uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v, int order) \
  { \
    lines_touch(p, bits / 8, true, WHERE); \
    uint##bits##_t was = *p; \
    note_lock(was, v, order); \
    *p = v; \
    return was; \
  } \
  FETCH(bits, add, was + v) FETCH(bits, sub, was - v) FETCH(bits, and, was & v) FETCH(bits, or, was | v) \
  FETCH(bits, xor, was ^ v) FETCH(bits, nand, ~(was & v)) \
  COMPARE(bits, strong) COMPARE(bits, weak)
ATOMIC(8) ATOMIC(16) ATOMIC(32) ATOMIC(64)
    // clang-format on

    void __tsan_atomic_thread_fence(int order) {
  (void)order;
}
void __tsan_atomic_signal_fence(int order) { (void)order; }
