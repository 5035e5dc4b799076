/* order.c - strands, and which of them are parallel.
 *
 * Strands are the nodes of a tree, made in pairs. A spawn by strand n makes a pair below n: the child, and what goes on
 * beside it (a FORK). A call that is waited for makes such a pair whose second strand follows the first (a CALL). A
 * sync makes one strand below the strand of the first spawn that it waits for (a SYNC), which follows all others there.
 * So two strands are compared where their paths part: in the two strands of one pair, or in two pairs below one strand,
 * one of which is a SYNC's. A strand precedes all that is below it.
 *
 * A node has a parent, a depth, and one ancestor far above it (Myers, "An applicative random-access stack", 1983), so
 * the search for that place takes logarithmic time. Nodes do not change once they are made: no lock is needed, and a
 * worker that steals a frame goes on with the strand that the frame names.
 *
 * A pair that left nothing in memory's cells is taken back when its child returns, so code without shared accesses
 * makes no lasting nodes.
 */
#include <pthread.h>
#include "strands.h"

enum { FORK, CALL, SYNC };
struct pair {
  strand parent, jump;
  uint32_t depth, kind;
};
static struct pair *pairs;
static const uint64_t most_pairs = UINT64_C(1) << 28;
enum { CHUNK = 4096 };
static uint32_t next_chunk = CHUNK;     /* relaxed: chunks are only numbered */

/* The chunk of this thread. Pairs below `kept` are in cells, or may be known to other threads. */
static __thread struct {
  uint32_t next, end, kept;
} mine;
__thread uint32_t cilk_strands_now = FIRST_STRAND;

void strands_order_start(void) {
  pairs = strands_reserve(most_pairs * sizeof *pairs, 0, "the strands");
  pairs[FIRST_STRAND / 2] = (struct pair){0, FIRST_STRAND, 0, CALL};
}

static inline struct pair *pair_of(strand s) { return &pairs[s >> 1]; }

static __attribute__((noinline, cold)) void new_chunk(void) {
  mine.next = __atomic_fetch_add(&next_chunk, CHUNK, __ATOMIC_RELAXED);
  if (mine.next > most_pairs - 2 * CHUNK) cilk_strands_cannot("so many strands");
  mine.end = mine.next + CHUNK;
  mine.kept = mine.next;
}

static inline uint32_t new_pair(strand parent, uint32_t kind) {
  if (mine.next == mine.end) new_chunk();
  uint32_t p = mine.next++;
  const struct pair *up = pair_of(parent), *jump = pair_of(up->jump);
  bool far = up->depth - jump->depth == jump->depth - pair_of(jump->jump)->depth;
  pairs[p] = (struct pair){parent, far ? jump->jump : parent, up->depth + 1, kind};
  return p;
}

void strands_noted(void) { mine.kept = mine.next; }

/* ---- the order ---- */

static inline strand lift(strand s, uint32_t depth) {
  while (pair_of(s)->depth > depth) {
    strand far = pair_of(s)->jump;
    s = pair_of(far)->depth >= depth ? far : pair_of(s)->parent;
  }
  return s;
}

enum relation strands_relation(strand a, strand b) {
  if (a == b) return STRAND_BEFORE;
  uint32_t deep_a = pair_of(a)->depth, deep_b = pair_of(b)->depth;
  if (deep_a > deep_b) {
    if ((a = lift(a, deep_b)) == b) return STRAND_AFTER;
  } else if (deep_b > deep_a && (b = lift(b, deep_a)) == a) return STRAND_BEFORE;
  while (a >> 1 != b >> 1 && pair_of(a)->parent != pair_of(b)->parent) {
    strand far_a = pair_of(a)->jump, far_b = pair_of(b)->jump;
    bool apart = far_a != far_b;
    a = apart ? far_a : pair_of(a)->parent;
    b = apart ? far_b : pair_of(b)->parent;
  }
  if (a >> 1 != b >> 1) return pair_of(a)->kind == SYNC ? STRAND_AFTER : STRAND_BEFORE;
  if (pair_of(a)->kind == FORK) return a & 1 ? STRAND_RIGHT : STRAND_LEFT;
  return a & 1 ? STRAND_AFTER : STRAND_BEFORE;
}

static bool main_ended;         /* relaxed: the process ends after it */

bool strands_all_over(void) {
  if (__atomic_load_n(&main_ended, __ATOMIC_RELAXED)) return true;
  for (strand s = cilk_strands_now; s > FIRST_STRAND; s = pair_of(s)->parent)
    if (pair_of(s)->kind == FORK) return false;
  return true;
}
void cilk_strands_main_ended(void) { __atomic_store_n(&main_ended, true, __ATOMIC_RELAXED); }

/* ---- what instances do ---- */

#define now cilk_strands_now

void cilk_strands_begin(cilk_strands_frame *f) { *f = (cilk_strands_frame){0}; }

void cilk_strands_spawn(cilk_strands_frame *f) {
  if (!f->base) f->base = now;
  uint32_t p = new_pair(now, FORK);
  f->next = 2 * p + 1;
  now = 2 * p;
}

void cilk_strands_call(cilk_strands_frame *f) {
  uint32_t p = new_pair(now, CALL);
  f->next = 2 * p + 1;
  now = 2 * p;
}

/* What is above the pair was made after it, on this stack: if others had come to know of it, the frame would have been
 * stolen before, and not be here. */
void cilk_strands_returned(cilk_strands_frame *f) {
  uint32_t p = f->next >> 1;
  now = f->next;
  if (p < mine.kept || p >= mine.next) return;
  mine.next = p;
  now = pairs[p].parent;
  if (f->base == now) f->base = 0;
}

void cilk_strands_leave(cilk_strands_frame *f) { f->next = now; }
void cilk_strands_resume(cilk_strands_frame *f) { now = f->next; }

void cilk_strands_sync(cilk_strands_frame *f) {
  f->results = 0;
  if (!f->base) return;
  now = 2 * new_pair(f->base, SYNC);
  f->base = 0;
}

/* ---- calls from C: the procedure begins on a worker that knows its arguments only ---- */

static struct calling {
  const void *arguments;
  strand child;
  struct calling *next;
} *callings;
static pthread_mutex_t callings_lock = PTHREAD_MUTEX_INITIALIZER;

uint32_t cilk_strands_root(const void *arguments) {
  uint32_t p = new_pair(now, CALL);
  strands_noted();
  struct calling *c = malloc(sizeof *c);
  if (!c) cilk_strands_cannot("so many calls from C");
  pthread_mutex_lock(&callings_lock);
  *c = (struct calling){arguments, 2 * p, callings};
  callings = c;
  pthread_mutex_unlock(&callings_lock);
  return 2 * p + 1;
}

void cilk_strands_root_begins(const void *arguments, uint32_t is_main) {
  strand child = 0;
  pthread_mutex_lock(&callings_lock);
  for (struct calling **at = &callings, *c; (c = *at); at = &c->next)
    if (c->arguments == arguments) {
      child = c->child;
      *at = c->next;
      free(c);
      break;
    }
  pthread_mutex_unlock(&callings_lock);
  if (!child && !is_main) cilk_strands_cannot("a computation that is started");
  now = child ? child : FIRST_STRAND;
}

/* Workers may have run parts of it: what was made here since it began is theirs, too. */
void cilk_strands_root_ended(uint32_t next) {
  strands_noted();
  now = next;
}
