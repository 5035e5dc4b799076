/* arena.c - an allocator in one range of fixed addresses.
 *
 * Sizes come in classes, four to each doubling. A class has a list of free blocks; where it is empty a block is cut
 * off the untouched part, and keeps its class forever. Large free blocks return their pages, which keeps them out of
 * images. One lock guards all: the closures of fast clones come through the workers' own lists, and a program that
 * allocates all the time still has the C library's malloc. */
#define _GNU_SOURCE
#include "base/arena.h"
#include "base/limits.h"
#include "base/spin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CLASSES = 160, HEADER = 16, OWN = 64 };   /* OWN: how far the runtime's own bytes are from the first header */
#define MAGIC UINT64_C(0xC11CA2E4A0000001)
#define STEP ((size_t)4 << 20)            /* pages become accessible in such pieces */
/* of addresses: the first power of two above the memory that the process may use; less where that fails */
#define MOST ((size_t)1 << 40)
#define LEAST ((size_t)64 << 20)
#define GIVE_BACK ((size_t)64 << 10)
/* What was left before a page begins looks like free blocks without a next one: never more than a page has. */
enum { MOST_ZEROS = CILK_ARENA_PAGE / 64 + 1 };

struct block {                            /* HEADER bytes before what the caller has */
  /* used: the caller's bytes are aligned more than to 16, and begin so far after the first header; 0: free */
  uint32_t class, used;
  union {
    struct block *next;                   /* of a free one */
    uint64_t bytes;                       /* that the caller asked for: what comes after them was never written */
  };
};
struct head {
  uint64_t magic;
  size_t top, ready;                      /* bytes used; bytes accessible */
  uint32_t lock;
  struct block *free[CLASSES];
};
_Static_assert(sizeof(struct head) <= CILK_ARENA_PAGE && sizeof(struct block) == HEADER, "the first page");

char *cilk_arena_end;

static struct head *head(void) { return (struct head *)CILK_ARENA_BASE; }
static size_t room(void) { return (size_t)(cilk_arena_end - (char *)head()); }

/* 64, 128, 192, 256, 320, 384, 448, 512, 640, ... */
static size_t class_bytes(unsigned k) { return k < 4 ? 64u * (k + 1) : (size_t)(5 + k % 4) << (k / 4 + 5); }

static unsigned class_of(size_t bytes) {
  if (bytes <= 256) return bytes <= 64 ? 0 : (unsigned)((bytes + 63) / 64 - 1);
  unsigned shift = 61u - (unsigned)__builtin_clzll(bytes - 1);   /* two bits after the highest one */
  return (shift - 6) * 4 + (unsigned)((bytes - 1) >> shift);
}

const char *cilk_arena_grow(size_t top) {
  if (top > room()) return "there are not enough addresses for its heap";
  size_t ready = (top + STEP - 1) & ~(STEP - 1);
  ready = ready > room() ? room() : ready;
  return mprotect(head(), ready, PROT_READ | PROT_WRITE) == 0 ? NULL : strerror(errno);
}

const char *cilk_arena_begin(void) {
  void *p = MAP_FAILED;
  size_t n = LEAST, memory = cilk_limit_memory();
  while (n < MOST && n <= memory) n *= 2;
  for (; n >= LEAST && p == MAP_FAILED; n /= 2)
    p = mmap((void *)CILK_ARENA_BASE, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
        -1, 0);
  if (p == MAP_FAILED) return strerror(errno);
  if ((uintptr_t)p != CILK_ARENA_BASE) {  /* a system that knows no MAP_FIXED_NOREPLACE */
    munmap(p, n * 2);
    return "the addresses are taken";
  }
  cilk_arena_end = (char *)p + n * 2;
  const char *why = cilk_arena_grow(STEP);
  if (!why) *head() = (struct head){.magic = MAGIC, .top = CILK_ARENA_PAGE, .ready = STEP};
  return why;
}

size_t cilk_arena_top(void) { return (head()->top + CILK_ARENA_PAGE - 1) & ~(size_t)(CILK_ARENA_PAGE - 1); }

/* A block at `at`: it ends before the top, and where the caller's bytes begin there is a header again. */
static bool is_block(const struct head *h, size_t at) {
  const struct block *b = (const struct block *)(const void *)((const char *)h + at);
  if (b->class >= CLASSES || class_bytes(b->class) > h->top - at || b->used % HEADER ||
      (b->used && b->used >= class_bytes(b->class)))
    return false;
  const struct block *mine = (const struct block *)(const void *)((const char *)b + (b->used ? b->used - HEADER : 0));
  return mine->class == b->class && mine->used == b->used;
}

/* Free blocks have a bit each, which goes when a list has it. */
static const char *check_lists(const struct head *h, uint64_t *bits) {
  for (size_t at = CILK_ARENA_PAGE, zeros = 0; at < h->top;) {
    const struct block *b = (const struct block *)(const void *)((const char *)h + at);
    if (h->top - at < HEADER || !is_block(h, at)) return "a block of the heap is damaged";
    zeros = b->class || b->used || b->next ? 0 : zeros + 1;
    if (zeros > MOST_ZEROS) return "blocks of the heap are missing";
    if (!b->used) bits[at / 64 / 64] |= UINT64_C(1) << at / 64 % 64;
    at += class_bytes(b->class);
  }
  for (unsigned k = 0; k < CLASSES; k++)
    for (const struct block *b = h->free[k]; b; b = b->next) {
      size_t at = (size_t)((uintptr_t)b - (uintptr_t)h);
      if (at >= h->top || at % 64 || !(bits[at / 64 / 64] >> at / 64 % 64 & 1) || b->class != k)
        return "a list of the heap's free blocks is damaged";
      bits[at / 64 / 64] &= ~(UINT64_C(1) << at / 64 % 64);
    }
  return NULL;
}

static void turn_block(struct block *b) {
  b->class = __builtin_bswap32(b->class);
  b->used = __builtin_bswap32(b->used);
  b->next = (struct block *)__builtin_bswap64((uintptr_t)b->next);
}

void cilk_arena_turn(size_t top) {
  struct head *h = head();
  h->magic = __builtin_bswap64(h->magic);
  h->top = __builtin_bswap64(h->top);
  h->ready = __builtin_bswap64(h->ready);
  h->lock = __builtin_bswap32(h->lock);
  for (unsigned k = 0; k < CLASSES; k++) h->free[k] = (struct block *)__builtin_bswap64((uintptr_t)h->free[k]);
  for (size_t at = CILK_ARENA_PAGE, zeros = 0; h->top <= top && at + HEADER <= h->top;) {
    struct block *b = (struct block *)(void *)((char *)h + at);
    zeros = b->class || b->used || b->next ? 0 : zeros + 1;
    if (zeros > MOST_ZEROS)               /* damaged: what comes now is in no file */
      return;
    turn_block(b);
    if (b->class >= CLASSES || class_bytes(b->class) > h->top - at) return;
    if (b->used % HEADER == 0 && b->used > HEADER && b->used < class_bytes(b->class))
      turn_block((struct block *)(void *)((char *)b + b->used - HEADER));
    at += class_bytes(b->class);
  }
}

const char *cilk_arena_check(size_t top) {
  struct head *h = head();
  if (h->magic != MAGIC || h->lock || h->top < CILK_ARENA_PAGE || h->top > top || h->top % 64 ||
      cilk_arena_top() != top)
    return "the heap's first page is damaged";
  h->ready = (h->top + STEP - 1) & ~(STEP - 1);
  uint64_t *bits = calloc(h->top / 64 / 64 + 1, sizeof *bits);
  const char *why = bits ? check_lists(h, bits) : "out of memory";
  free(bits);
  return why;
}

/* A block of class k, its header at the start; the lock is held. */
static struct block *take(unsigned k) {
  struct head *h = head();
  struct block *b = h->free[k];
  if (b) {
    h->free[k] = b->next;
    return b;
  }
  size_t n = class_bytes(k),
         at = n < GIVE_BACK ? h->top : (h->top + CILK_ARENA_PAGE - 1) & ~(size_t)(CILK_ARENA_PAGE - 1);
  if (n > room() || at > room() - n) return NULL;
  if (at + n > h->ready) {
    if (cilk_arena_grow(at + n)) return NULL;
    h->ready = (at + n + STEP - 1) & ~(STEP - 1);
  }
  h->top = at + n;
  b = (struct block *)(void *)((char *)h + at);
  b->class = k;
  return b;
}

static void *arena_alloc(size_t bytes, size_t align) {
  /* blocks begin at multiples of 64, so the runtime's bytes begin OWN after that; the program's never do */
  size_t after = align > OWN ? HEADER + OWN : HEADER, most = bytes + after + (align > HEADER ? align : 0);
  if (most < bytes || most > room() || align > INT32_MAX) return NULL;
  cilk_spin_lock(&head()->lock);
  struct block *b = take(class_of(most));
  cilk_spin_unlock(&head()->lock);
  if (!b) return NULL;
  uintptr_t p = ((uintptr_t)b + after + align - 1) & ~(uintptr_t)(align - 1);
  struct block *mine = (struct block *)p - 1;
  uint32_t class = b->class, used = (uint32_t)(p - (uintptr_t)b);
  b->used = used;
  *mine = (struct block){.class = class, .used = used, .bytes = bytes};
  return (void *)p;
}

static struct block *start_of(void *p) { return (struct block *)(void *)((char *)p - ((struct block *)p - 1)->used); }

static void arena_free(void *p) {
  struct block *b = start_of(p);
  size_t n = class_bytes(b->class);
  if (n >= GIVE_BACK)    /* large blocks begin and end with pages */
    madvise((char *)b + CILK_ARENA_PAGE, n - CILK_ARENA_PAGE, MADV_DONTNEED);
  cilk_spin_lock(&head()->lock);
  b->used = 0;
  b->next = head()->free[b->class];
  head()->free[b->class] = b;
  cilk_spin_unlock(&head()->lock);
}

void *cilk_heap_alloc(size_t bytes, size_t align) {
  void *p = NULL;
  if (cilk_arena_end) return arena_alloc(bytes, align);
  if (align <= HEADER) return malloc(bytes);
  return posix_memalign(&p, align, bytes) == 0 ? p : NULL;
}

void cilk_heap_free(void *p) {
  if (cilk_arena_has(p)) arena_free(p);
  else free(p);
}

void *cilk_heap_again(void *p, size_t bytes) {
  if (!cilk_arena_has(p) && (p || !cilk_arena_end)) return realloc(p, bytes);
  if (!p) return arena_alloc(bytes, HEADER);
  struct block *b = start_of(p);
  size_t has = class_bytes(b->class) - (size_t)((char *)p - (char *)b);
  uint64_t *asked = &((struct block *)p - 1)->bytes;
  if (bytes <= has && bytes >= has / 2) {
    *asked = bytes;
    return p;
  }
  void *q = arena_alloc(bytes, HEADER);
  if (q) {
    memcpy(q, p, bytes < *asked ? bytes : *asked);
    arena_free(p);
  }
  return q;
}

bool cilk_arena_own(const void *block) { return ((const struct block *)block - 1)->used == OWN; }

void cilk_arena_blocks(void (*see)(void *, size_t, void *), void *argument) {
  const struct head *h = head();
  char *base = (char *)h;
  /* what was left before a page begins looks like small free blocks */
  for (size_t at = CILK_ARENA_PAGE; at + HEADER <= h->top;) {
    const struct block *b = (const struct block *)(void *)(base + at);
    if (b->class >= CLASSES) return;
    size_t n = class_bytes(b->class);
    if (b->used && b->used < n && at + n <= h->top) {
      void *p = base + at + b->used;
      uint64_t bytes = cilk_arena_own(p) ? n : ((const struct block *)p - 1)->bytes;
      see(p, bytes < n - b->used ? bytes : n - b->used, argument);
    }
    at += n;
  }
}
