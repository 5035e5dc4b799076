/* blocks.c - the blocks of the heap that the program asked for: address, bytes, and the call. A table in shards, each
 * with a lock of its own, since a parallel program allocates in all its threads. Its memory is mapped: nothing here
 * calls malloc. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include "memory.h"

enum { SHARDS = 64, FIRST = 1024 };
typedef struct block {
  uintptr_t at;
  size_t bytes;
  site *from;
} block;        /* at: 0 free, 1 was used */
typedef struct shard {
  pthread_mutex_t lock;
  block *blocks;
  size_t size, used;
} shard;
static shard shards[SHARDS] = {[0 ... SHARDS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};
static _Atomic int64_t heap_now, heap_most;

static uint64_t hash(uintptr_t at) { return (at >> 4) * 0x9e3779b97f4a7c15u; }
static shard *shard_of(uintptr_t at) { return &shards[hash(at) >> 58]; }

static block *blank(size_t n) {
  void *p = mmap(NULL, n * sizeof(block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) memory_fail("out of memory");
  return p;
}

static void put(shard *s, block b) {
  size_t i = hash(b.at) & (s->size - 1);
  while (s->blocks[i].at > 1) i = (i + 1) & (s->size - 1);
  s->used += !s->blocks[i].at;
  s->blocks[i] = b;
}

static void grow(shard *s) {
  block *old = s->blocks;
  size_t size = s->size, live = 0;
  for (size_t i = 0; i < size; i++) live += old[i].at > 1;
  s->size = FIRST;
  while (s->size < 4 * live) s->size *= 2;
  s->blocks = blank(s->size);
  s->used = 0;
  for (size_t i = 0; i < size; i++)
    if (old[i].at > 1) put(s, old[i]);
  if (old) munmap(old, size * sizeof(block));
}

static void counted(int64_t bytes, site *from, size_t size) {
  if (memory_settings.parallel) {
    int64_t now = atomic_fetch_add(&heap_now, bytes) + bytes, most = atomic_load(&heap_most);
    while (now > most && !atomic_compare_exchange_weak(&heap_most, &most, now));
    return;
  }
  if (from && bytes > 0) {
    from->count++;
    from->bytes += size;
  }
  if (from) memory_changed(memory_group(&from->group, "site", from), bytes);
}

void memory_block_made(void *p, size_t bytes, site *from) {
  if (!p) return;
  shard *s = shard_of((uintptr_t)p);
  pthread_mutex_lock(&s->lock);
  if (s->used * 2 >= s->size) grow(s);
  put(s, (block){.at = (uintptr_t)p, .bytes = bytes, .from = from});
  pthread_mutex_unlock(&s->lock);
  counted((int64_t)bytes, from, bytes);
}

/* False: it is none that we know. */
bool memory_block_gone(void *p, size_t *bytes, site **from) {
  uintptr_t at = (uintptr_t)p;
  shard *s = shard_of(at);
  bool found = false;
  pthread_mutex_lock(&s->lock);
  for (size_t i = hash(at) & (s->size - 1); s->blocks && s->blocks[i].at && !found; i = (i + 1) & (s->size - 1))
    if (s->blocks[i].at == at) {
      *bytes = s->blocks[i].bytes;
      *from = s->blocks[i].from;
      s->blocks[i].at = 1;
      found = true;
    }
  pthread_mutex_unlock(&s->lock);
  if (found) counted(-(int64_t)*bytes, *from, 0);
  return found;
}

int64_t memory_heap_most(void) { return atomic_load(&heap_most); }
