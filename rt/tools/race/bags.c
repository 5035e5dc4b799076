/* bags.c - the instances of Cilk procedures, and which of their code is parallel to what runs now: SP-bags (Feng and
 * Leiserson, SPAA '97).
 *
 * The program runs child first. Each instance has two bags of nodes: S holds code that precedes what the instance does
 * now, P code that is parallel to it. A child that ends gives its S-bag to the P-bag of its parent; a sync pours P into
 * S. Bags are trees of a union-find structure, and the root says which kind it is. So an earlier access is parallel to
 * the running code exactly if its node is in a P-bag. Children of futures that have ended have bags of their own
 * (futures.c).
 *
 * Nodes are only made for code that made a record (cells.c), so that instances which touch no shared memory cost a
 * frame and nothing else.
 *
 * A delivery runs after its child and beside the child's siblings, but is atomic with the parent: it has a node in the
 * child's bag that is owned by the parent. Code under different locks has different nodes of one bag and one owner.
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/core/base/array.h"

struct node_info *race_nodes;
node race_node_count = 1;
static const uint64_t most_nodes = UINT64_C(1) << 31;

#define frames race_frames
struct frame *race_frames;
struct frame *race_frame;
struct race_state race_state = {.first = 1, .next = 1, .epoch = 1, .base_epoch = 1, .last_epoch = 1, .calls = 1};

int race_synched_answer = 1;
bool race_synched_asked;

void race_bags_start(void) {
  race_nodes = race_reserve(most_nodes * sizeof *race_nodes, 0, "the instances");
  frames = race_reserve(RACE_FRAMES * sizeof *frames, 0, "the frames");
  race_state.last_frame = frames + RACE_FRAMES;
  race_frame = frames + 1;      /* frames[0] is the parent of the program */
}

/* ---- epochs ---- */

#define SELDOM __attribute__((noinline, cold))

SELDOM static void first_epoch(void)   /* numbers come again */
{
  race_forget();
  race_state.base_epoch = race_state.last_epoch = 1;
}
static inline void next_epoch(void) {
  if (!++race_state.last_epoch) first_epoch();
  race_state.epoch = race_state.last_epoch;
}
void race_begin_epoch(void) {
  race_state.epoch_is_over = 0;
  next_epoch();
  race_state.base_epoch = race_state.epoch;
}

int32_t cilk_race_first = 1;
uint64_t race_order = 1, cilk_race_order = 1;
int32_t race_order_of;

static inline void set_first(int32_t record) {
  bool all = race_watched();
  race_state.first = record;
  cilk_race_first = all ? INT32_MAX : record;
  cilk_race_order = all ? UINT64_MAX : race_order;
  race_state.known_past = all ? 0 : race_state.past;
}
void race_watch(void) { set_first(race_first()); }

/* As long as no child of the calls is out, what was recorded before the innermost one spawned precedes all that is
 * still to come. */
enum { FEW_CALLS = 8 };
void race_find_past(void) {
  uint32_t calls = race_state.calls;
  if (calls > FEW_CALLS || race_any_started || race_thread_precedes) return;
  for (uint32_t i = 1; i <= calls; i++)
    if (frames[i].out) return;
  int32_t past = race_frame == frames + calls ? race_next : frames[calls + 1].old_next;
  if (past <= race_state.past) return;
  race_state.past = past;
  race_watch();
}

/* The order changes when code that was serial becomes parallel, or the other way round. As no test asked about any of
 * it, from record `from` on, what is known stays true. */

static void new_order(void) {
  race_order_of = 0;
  race_order++;
  race_watch();
}
static inline void order_changes(int32_t from) {
  if (race_order_of >= from) new_order();
}

static uint64_t stamps = 1;
uint64_t race_stamp(void) { return ++stamps; }


/* ---- bags ---- */

node race_root(node n) {
  node up;
  while ((up = race_nodes[n].up) != 0) {
    node above = race_nodes[up].up;
    if (!above) return up;
    race_nodes[n].up = above; /* halves the path */
    n = above;
  }
  return n;
}

uint64_t race_bags_memory(void) { return race_node_count * sizeof *race_nodes; }

static node new_node(void) {
  if (race_node_count == most_nodes)
    race_die("the program has more than %llu instances that share memory", (unsigned long long)most_nodes);
  race_nodes[race_node_count] = (struct node_info){0};
  return race_node_count++;
}

/* The bag of both, of frame f; either may be empty. */
static node unite(struct frame *f, node a, node b, uint8_t parallel) {
  if (a) a = race_root(a);
  if (b) b = race_root(b);
  if (!a || !b) a = a ? a : b;
  else if (a != b) {
    if (race_nodes[a].rank < race_nodes[b].rank) {
      node t = a;
      a = b;
      b = t;
    }
    if (race_nodes[a].rank == race_nodes[b].rank) race_nodes[a].rank++;
    race_nodes[b].up = a;
  }
  if (a) {
    race_nodes[a].parallel = parallel;
    race_nodes[a].holder = parallel == RACE_FUTURE || !f ? 0 : (uint32_t)(f - frames);
  }
  return a;
}

/* Iterations of the library's loops, by the first nodes of their instances: for reports, so one that meets another one
 * in the table takes its place. */
enum { ITERATIONS = 1 << 14 };
static struct iteration {
  node first;
  long number;
} iterations[ITERATIONS];

static void note_iteration(node first, long number) {
  iterations[first & (ITERATIONS - 1)] = (struct iteration){first, number};
}

bool race_iteration_of(node first, long *number) {
  const struct iteration *i = &iterations[first & (ITERATIONS - 1)];
  *number = i->number;
  return first && i->first == first;
}

void cilk_race_iteration(long number) {
  if (race_outside()) return;
  race_frame->iteration = RACE_ITERATION(number);
  if (race_frame->first) note_iteration(race_frame->first, number);
}

/* A collection gives nodes other numbers. */
static void move_iterations(void (*visit)(node *)) {
  static struct iteration old[ITERATIONS];
  memcpy(old, iterations, sizeof old);
  memset(iterations, 0, sizeof iterations);
  for (int i = 0; i < ITERATIONS; i++) {
    if (old[i].first) visit(&old[i].first);
    if (old[i].first) note_iteration(old[i].first, old[i].number);
  }
}

/* Those of the instances around it, too: a report shows the path to an access. The bound: each instance has one. */
static node first_node(struct frame *f) {
  struct frame *from = f;
  while (from > frames + 1 && !from[-1].first) from--;
  for (; from <= f; from++) {
    if (from->first) continue;
    node n = from->first = new_node();
    struct node_info *i = &race_nodes[n];
    i->owner = n;
    i->spawn = from->spawn;
    i->thread = from->thread;
    i->home = from > frames + 1 ? from[-1].first : 0;
    from->s = unite(from, from->s, n, RACE_SERIAL);
    if (from->iteration) note_iteration(n, (long)RACE_ITERATION(from->iteration));
  }
  return f->first;
}

/* An instance that takes and releases locks comes back to the same sets: its nodes for them, by owner and set. */
enum { KNOWN_NODES = 1 << 14 };
static node known_nodes[KNOWN_NODES];

static node *known_node(node owner, uint32_t locks) {
  return &known_nodes[(owner * UINT32_C(2654435761) ^ locks * UINT32_C(40503)) >> 7 & (KNOWN_NODES - 1)];
}

static uint32_t locks_of(struct frame *f);

/* The node of what f does now, if it has one. */
static node find_node(struct frame *f) {
  node owner = (f->delivering ? f - 1 : f)->first;
  if (f->now || !owner) return f->now;
  uint32_t locks = locks_of(f);
  if (!f->delivering && !locks) return f->now = owner;
  if (f->other && race_nodes[f->other].locks == locks) return f->now = f->other;
  if (f->delivering) return 0;
  node known = *known_node(owner, locks);
  return known && race_nodes[known].owner == owner && race_nodes[known].locks == locks ? f->now = f->other = known : 0;
}

static node make_node(struct frame *f) {
  node owner = first_node(f->delivering ? f - 1 : f), n = find_node(f);
  if (n) return n;
  n = new_node();
  struct node_info *i = &race_nodes[n];
  i->owner = owner;
  i->home = owner;
  i->locks = locks_of(f);
  if (f->delivering) {
    i->spawn = f->spawn;
    i->delivery = true;
    i->alone = f->alone;
  }
  struct frame *to = f->alone ? f - 1 : f;
  to->s = unite(to, to->s, n, RACE_SERIAL);
  if (!f->delivering) *known_node(owner, i->locks) = n;
  return f->now = f->other = n;
}

node race_delivery_node(struct frame *into, site *spawn) {
  node owner = first_node(into), n = new_node();
  race_nodes[n] = (struct node_info){.owner = owner, .home = owner, .spawn = spawn, .delivery = true};
  return n;
}

node race_node_now(void) { return race_frame->now ? race_frame->now : make_node(race_frame); }

const struct node_info *race_info_now(node *made) {
  static struct node_info info;
  struct frame *f = race_frame;
  if ((*made = find_node(f)) != 0) return &race_nodes[*made];
  node owner = (f->delivering ? f - 1 : f)->first;
  info = (struct node_info){.owner = owner ? owner : UINT32_MAX,
      .locks = locks_of(f),
      .delivery = f->delivering,
      .alone = f->delivering && f->alone};
  return &info;
}

void race_pour_bag(struct frame *f, node bag) { f->s = unite(f, f->s, bag, RACE_SERIAL); }

/* Something that was parallel is not any more, before a strand goes on. */
void race_new_orders(void) {
  new_order();
  race_new_epoch();
}

void race_look_again(void) {
  race_new_orders();
  set_first(race_next);
}

/* ---- locks that are held: a stack on which each frame has its part. A lock that is released while nothing was
 * remembered since it was taken leaves all as it was ---- */

static struct held {
  race_hold lock;
  uint32_t times, epoch, base, locks;
  int32_t first, next;
  node now;
  bool reported;
  enum race_lock_kind kind;
  site *at;
  struct race_spin spin;
} *helds;
static uint32_t held_room;
uint32_t race_locks_most;

static uint32_t locks_of(struct frame *f) {
  if (f->locks != UNKNOWN_SET) return f->locks;
  race_hold all[f->held];
  for (uint32_t i = 0; i < f->held; i++) all[i] = helds[f->held_from + i].lock;
  return f->locks = race_locks_number(all, f->held);
}

static struct held *find_held(race_hold lock) {
  for (uint32_t i = race_frame->held; i--;)
    if (helds[race_frame->held_from + i].lock == lock) return &helds[race_frame->held_from + i];
  return NULL;
}
bool race_holds(race_hold lock) { return find_held(lock) != NULL; }

static void change_locks(struct frame *f) {
  f->locks = f->held ? UNKNOWN_SET : 0;
  f->now = 0;
  race_epoch(); /* the one that is due has a base of its own */
  next_epoch();
  set_first(race_next);
}

/* ---- orders of locks: under `outer` a strand took `inner`. A parallel strand may take the two the other way round.
 * That is a deadlock on some schedules, unless a third lock keeps the two strands apart. A table without chains: of two
 * pairs that meet in one place the later one is remembered ---- */

enum { ORDERS = 4096 };
static struct order {
  race_hold outer, inner;
  site *outer_at, *inner_at;
  node by;
  uint32_t locks;
} orders[ORDERS];

static struct order *order_at(race_hold outer, race_hold inner) {
  return &orders[(outer * UINT64_C(0x9E3779B97F4A7C15) ^ inner * UINT64_C(0xC2B2AE3D27D4EB4F)) >> 40 & (ORDERS - 1)];
}

static void check_order(race_hold inner) {
  struct frame *f = race_frame;
  for (uint32_t i = f->held_from; i < f->held_from + f->held; i++) {
    struct held h = helds[i];
    if (h.kind == RACE_LOCK_OF_ANY || !h.at || !cilk_race_called) continue;
    uint32_t locks = locks_of(f);
    node by = race_node_now();
    struct order *other = order_at(inner, h.lock), *mine = order_at(h.lock, inner);
    if (other->outer == inner && other->inner == h.lock && race_nodes[other->by].owner != race_nodes[by].owner &&
        race_in_parallel(other->by) && !race_locks_meet(other->locks, locks)) {
      struct record earlier = {other->inner_at, other->by, CILK_RACE_WRITE},
                    later = {cilk_race_called, by, CILK_RACE_WRITE};
      race_under[0] = other->outer_at;
      race_under[1] = h.at;
      race_found(RACE_INVERSION, race_lock_of(inner), 1, &earlier, &later);
    }
    if (mine->outer != h.lock || mine->inner != inner || !race_in_parallel(mine->by))
      *mine = (struct order){h.lock, inner, h.at, cilk_race_called, by, locks};
  }
}

/* Where a lock was taken last, also if the strand has ended since. Of two locks that meet in one place the later one is
 * remembered. */
enum { TAKEN = 1 << 12 };
static struct taking {
  race_hold lock;
  const site *at;
} takings[TAKEN];
static struct taking *taking_of(race_hold lock) { return &takings[lock * UINT64_C(0x9E3779B97F4A7C15) >> 52]; }

static void acquire(race_hold lock, enum race_lock_kind kind) {
  if (race_outside()) return;
  struct held *known = find_held(lock);
  if (known) {
    known->times++; /* a recursive mutex; readers may come again, too */
    return;
  }
  struct frame *f = race_frame;
  if (f->held && kind == RACE_LOCK_OF_A_WORKER) check_order(lock);
  uint32_t at = f->held_from + f->held;
  if (!CILK_ROOM_FOR(helds, at, held_room, 64)) race_die("out of memory");
  helds[at] = (struct held){lock, 1, race_epoch(), race_base_epoch(), f->locks, race_first(), race_next, f->now, false,
      kind, cilk_race_called, {0}};
  if (++f->held > race_locks_most) race_locks_most = f->held;
  change_locks(f);
  if (kind != RACE_LOCK_OF_ANY) *taking_of(lock) = (struct taking){lock, cilk_race_called};
  if (f->first && kind != RACE_LOCK_OF_ANY) race_nodes[f->first].locking = true;
}
void race_acquire(const volatile void *lock) { acquire(race_exclusive(lock), RACE_LOCK_OF_ANY); }
void race_acquire_shared(const volatile void *lock) {
  race_lock_lives(lock);
  acquire(race_shared(lock), RACE_LOCK_OF_A_WORKER);
}
void race_acquire_owned(const volatile void *lock) {
  race_lock_lives(lock);
  acquire(race_exclusive(lock), RACE_LOCK_OF_A_WORKER);
}
void race_acquire_tried(const volatile void *lock) {
  race_lock_lives(lock);
  acquire(race_exclusive(lock), RACE_LOCK_TRIED);
}

void race_waits_for_itself(const volatile void *lock, const site *at) {
  const struct taking *known = taking_of(race_exclusive(lock));
  const site *taken = known->lock == race_exclusive(lock) ? known->at : NULL;
  for (uint32_t i = 0; i < race_frame->held_from + race_frame->held; i++)
    if (helds[i].lock == race_exclusive(lock)) taken = helds[i].at;
  if (at) fprintf(stderr, "%s:%u: %s: ", at->file, at->line, at->text);
  if (!taken) race_die("the lock is already held: this deadlocks");
  race_die("the lock is already held: this deadlocks. It was acquired on line %u, by `%s` in %s, and not released",
      taken->line, taken->text, taken->procedure);
}

/* A spawn, or a sync that waits, while the instance holds a lock: it may go on on another worker, which then gives back
 * what it does not have. at: the spawn; null: a sync. */
SELDOM static void held_over(site *at) {
  const struct frame *f = race_frame;
  for (uint32_t i = f->held_from; i < f->held_from + f->held; i++) {
    struct held *h = &helds[i];
    if (h->kind == RACE_LOCK_OF_ANY || h->reported || !h->at) continue;
    h->reported = true;
    struct record taken = {h->at, race_node_now(), CILK_RACE_WRITE},
                  then = {at ? at : h->at, taken.by, CILK_RACE_WRITE};
    race_found(RACE_HELD, race_lock_of(h->lock), 1, &taken, &then);
  }
}

/* The uppermost hold of the lock below `top`; its place + 1, 0: there is none. */
static uint32_t hold_of(const volatile void *lock, uint32_t top) {
  while (top && helds[top - 1].lock != race_exclusive(lock) && helds[top - 1].lock != race_shared(lock)) top--;
  return top;
}
static uint32_t helds_top(void) { return race_frame->held_from + race_frame->held; }

/* The hold may be of an instance that is suspended: what it recorded before it went on to what runs now was
 * recorded under the lock, and is not the last any more. */
static void give_back(uint32_t i) {
  struct frame *f = race_frame;
  uint32_t top = helds_top();
  struct held h = helds[i];
  for (; f->held_from > i; f--) f->held_from--;
  f->held--;
  if (i == top - 1 && f == race_frame && h.next == race_next && h.base == race_base_epoch()) {
    race_state.epoch = h.epoch;
    set_first(h.first);
    f->now = h.now;
    f->locks = h.locks;
    return;
  }
  for (uint32_t k = i; k < top - 1; k++) helds[k] = helds[k + 1];
  for (; i < f->held_from + f->held; i++) helds[i].next = -1;
  if (f == race_frame) {
    change_locks(f);
    return;
  }
  f->locks = f->held ? UNKNOWN_SET : 0;
  f->now = 0;
  f[1].old_first = f[1].old_next;
}

/* A lock may be released by another strand than its taker: the running instance's own hold, else one of those around
 * it. */
bool race_release(const volatile void *lock) {
  if (race_outside()) return true;
  uint32_t at = hold_of(lock, helds_top());
  if (!at) return false;
  if (--helds[at - 1].times) return true;
  give_back(at - 1);
  return true;
}

/* ---- spins.c's locks ---- */

static struct held *spin_at(uintptr_t p) {
  race_hold lock = race_spun(p);
  for (uint32_t i = helds_top(); i--;)
    if (helds[i].lock == lock) return &helds[i];
  return NULL;
}
const struct race_spin *race_spin_at(uintptr_t p) {
  const struct held *h = spin_at(p);
  return h ? &h->spin : NULL;
}

void race_acquire_spin(const struct race_spin *s) {
  acquire(race_spun(s->p), RACE_LOCK_OF_ANY);
  helds[helds_top() - 1].spin = *s;
  race_spins_held++;
}

void race_release_spin(uintptr_t p, struct race_spin *s) {
  const struct held *h = spin_at(p);
  if (!h) return;
  *s = h->spin;
  race_spins_held--;
  give_back((uint32_t)(h - helds));
}

/* The running instance ends, or its child's part of it does: what it took by atomic operations and did not release is
 * no lock. */
SELDOM static void spins_end(struct frame *f) {
  race_spin_settled();
  for (uint32_t i = f->held_from; i < f->held_from + f->held; i++) {
    if (!helds[i].spin.at) continue;
    race_spin_refuse(helds[i].spin.at);
    race_spins_held--;
  }
  f->held = 0;
}
static inline void end_spins(struct frame *f) {
  if (__builtin_expect(race_spins_held != 0 || race_spin_pending, 0)) spins_end(f);
}

/* The lock is initialised again, or is none any more. */
void race_forget_lock(const volatile void *lock) {
  if (race_outside()) return;
  for (uint32_t at = helds_top(); (at = hold_of(lock, at)) != 0; at--) give_back(at - 1);
  race_lock_lives_again(lock);
}

/* ---- what the program does ---- */

__attribute__((noinline)) static void pour_children(struct frame *f) {
  f->out = 0;
  if (f->results) {
    race_results_synched(f);
    f->results = 0;
    race_watch();
  }
  if (f->futures || f->gained || f->chains) {
    new_order();
    race_new_epoch();
    f->poured = 0;
    race_futures_synched(f);
  }
  if (!f->p) return;
  race_new_epoch();
  order_changes(f->old_next);
  f->poured = 0;
  f->s = unite(f, f->s, f->p, RACE_SERIAL);
  f->p = 0;
  if (f == frames + race_state.calls) race_find_past();
}
static inline void pour(struct frame *f) {
  if (!f->out) return; /* nothing can have come of a child */
  if (f->p | f->futures | f->chains || f->results || f->gained) pour_children(f);
  else f->out = 0;
}

/* What if a sync were not there (`cilkc profile` asks)? The frame above still has the last spawn. The implicit sync at
 * the end of a procedure stays. */
const char *race_without_file;
uint32_t race_without_line;
SELDOM static bool left_out(void) {
  const site *last = race_frame[1].spawn;
  return last && last->line == race_without_line && strcmp(last->file, race_without_file) == 0;
}

#define APART __attribute__((noinline))

APART static void sync_here(void) {
  if (race_outside()) return;
  if (race_without_file && race_frame->out && left_out()) return;
  if (race_frame->held && race_frame->out) held_over(NULL);
  pour(race_frame);
  if (race_any_views) race_views_synched();
}

/* What a spawn, a return and a sync do mostly is here, without a call and with one test; all else is in a function that
 * is called at their end. */
static inline uint64_t pointer(const void *p) { return (uint64_t)(uintptr_t)p; }
typedef uint64_t long_word __attribute__((may_alias));
typedef uint32_t word __attribute__((may_alias));
static inline uint64_t both(const uint32_t *two) { return *(const long_word *)two; }
static inline uint32_t flags(const struct frame *f) { return *(const word *)&f->delivering; }

void cilk_race_sync(void) {
  struct frame *f = race_frame;
  if (race_threads | race_any_views | f->p | f->held | both(&f->futures) | f->results | pointer(f->gained) |
      pointer(race_without_file)) {
    sync_here();
    return;
  }
  f->out = 0;
}

SELDOM static void too_deep(void) { race_die("the program's spawns are nested too deeply"); }

typedef long long two_words __attribute__((vector_size(16), aligned(8), may_alias));
enum { CLEARED = offsetof(struct frame, spawn) };
_Static_assert(CLEARED == 6 * sizeof(two_words) && sizeof(struct frame) == 128, "an instance begins with six stores");

/* The caller knows that the parent holds no lock and knows no future, or sees to that afterwards. */
static inline void begin_frame(struct frame *f, site *at, int32_t first) {
  two_words *w = (two_words *)f;
  const two_words none = {0, 0};
  w[0] = none, w[1] = none, w[2] = none, w[3] = none, w[4] = none, w[5] = none;
  __asm__("" : "+m"(*f)); /* else gcc makes one `rep stos` of the six, which takes longer than all the rest */
  f->held_from = f[-1].held_from;
  f->spawn = at;
  f->old_first = first;
  f->old_next = race_next;
  race_frame = f;
  cilk_race_first = race_next; /* no result has arrived yet */
}

APART static void spawn_here(site *at) {
  if (race_outside()) return;
  struct frame *f = race_frame + 1;
  if (f == race_state.last_frame) too_deep();
  race_spin_settled();
  if (f[-1].held && at) held_over(at);
  if (f[-1].results) race_results_spawned(f - 1);
  race_new_epoch();
  begin_frame(f, at, race_first());
  race_state.known_past = race_state.past;
  f->held_from = f[-1].held_from + f[-1].held;
  f->known = f[-1].known;
  if (f->known) race_set_share(f->known);
  cilk_race_order = race_order;
  if (race_any_views) race_views_spawned();
}

void cilk_race_spawn(site *at) {
  struct frame *f = race_frame + 1;
  if (race_threads | race_any_views | f[-1].held | flags(f - 1) | pointer(f[-1].known) | f[-1].results ||
      f == race_state.last_frame) {
    spawn_here(at);
    return;
  }
  race_new_epoch();
  begin_frame(f, at, cilk_race_first);
}

/* The running instance is a call, by another such instance or by the program. */
static inline void count_call(void) {
  if (race_frame == frames + race_state.calls + 1) race_state.calls++;
}
static inline void call_ended(const struct frame *f) {
  if (f == frames + race_state.calls) race_state.calls--;
}

void cilk_race_spawn_awaited(site *at) {
  cilk_race_spawn(at);
  if (!race_outside()) count_call();
}

/* Cilk_start and Cilk_with (<cilk-start.h>) make such a call with 1 or 2 for a context: that computation runs beside
 * the one that goes on, until it is waited for. */
void cilk_race_root(const void *context) {
  if (race_outside()) return;
  site *before = race_frame[1].spawn;
  cilk_race_spawn(NULL);
  race_frame->before = before;
  race_frame->started = context == (void *)1 || context == (void *)2;
  /* where the calling code was spawned */
  race_frame->spawn = race_frame->started ? cilk_race_called : race_frame[-1].spawn;
  if (!race_frame->started) count_call();
}

/* What it did precedes all that its caller does now; or, of one that was started, is parallel to it: a bag of its own
 * until a strand waits (MultiBags, Utterback and others, 2019). */
bool race_any_started;
static node ended_bag;

static void started_ended(void) {
  struct frame *f = race_frame--;
  f->began = f->poured = 0;
  f->spawn = f->before;
  ended_bag = unite(frames, 0, f->s, RACE_FUTURE);
  race_set_drop(f->known); /* a strand that waits learns nothing of what it touched */
  new_order();
  order_changes(f->old_next);
  race_any_started = true;
  set_first(race_next == f->old_next ? f->old_first : race_next);
}

node race_started_bag(void) {
  node bag = ended_bag;
  ended_bag = 0;
  return bag;
}

void race_waited_for(node bag) {
  if (!bag) return;
  new_order();
  race_new_epoch();
  race_frame->s = unite(race_frame, race_frame->s, bag, RACE_SERIAL);
}

void cilk_race_root_ended(void) {
  if (race_outside()) return;
  pour(race_frame);
  end_spins(race_frame);
  if (race_frame->started) {
    race_new_epoch();
    started_ended();
    if (race_any_views) race_views_passed();
    return;
  }
  race_new_epoch();
  struct frame *f = race_frame--;
  call_ended(f);
  if (race_any_views) race_views_passed();
  f->began = f->poured = 0;
  f->spawn = f->before;
  if (f->s) race_frame->s = unite(race_frame, race_frame->s, f->s, RACE_SERIAL);
  race_set_drop(race_frame->known);
  race_frame->known = f->known;
  set_first(race_next == f->old_next ? f->old_first : race_next);
}

void cilk_race_deliver(uint32_t use) {
  if (race_outside()) return;
  pour(race_frame); /* a procedure waits for its children before it returns */
  end_spins(race_frame);
  race_new_epoch();
  race_frame->delivering = true;
  race_frame->aborts = use & CILK_RACE_ABORTS;
  race_frame->now = race_frame->other = 0;
  race_frame->held = race_frame->locks = 0;
  set_first(race_next);
}

static void joined(void) {
  pour(race_frame);
  end_spins(race_frame);
  race_new_epoch();
  struct frame *f = race_frame--;
  call_ended(f);
  f->began = f->poured = 0;
  if (f->alone && race_frame->p) {
    race_nodes[race_root(race_frame->p)].parallel = RACE_PARALLEL;
    new_order();
    race_frame->began = race_frame->poured = 0;
  }
  if (f->alone && race_frame->futures) {
    race_futures_alone(race_frame, NULL);
    new_order();
  }
  race_frame->out++;
  if (f->known != race_frame->known) new_order(); /* it may have known more than its parent does */
  if (f->fills) {
    node bag = unite(race_frame, 0, f->s, RACE_FUTURE);
    if (bag) race_nodes[bag].holder = f->fills;
    race_future_ended(f, race_frame, bag);
    order_changes(f->old_next);
  } else {
    if (f->s) {
      race_frame->p = unite(race_frame, race_frame->p, f->s, RACE_PARALLEL);
      order_changes(f->old_next);
    }
    race_learned(f, race_frame);
  }
  race_set_drop(f->known);
  /* If nothing was recorded since the child began, what the parent's strand recorded is still the last. */
  set_first(race_next == f->old_next ? f->old_first : race_next);
}

APART static void joined_here(void) {
  if (race_outside()) return;
  joined();
  if (race_any_views) race_views_returned();
}

void cilk_race_joined(void) {
  struct frame *f = race_frame, *parent = f - 1;
  if (race_threads | race_any_views | f->out | both(&f->s) | pointer(f->known) | flags(f) | pointer(parent->known) |
          parent->results | flags(parent) ||
      race_next != f->old_next) {
    joined_here();
    return;
  }
  race_new_epoch(); /* it did nothing that is of interest; none of the two is watched */
  race_frame = parent;
  parent->out++;
  cilk_race_first = f->old_first;
}

/* What call_once and its like run precedes what comes after any such call for the flag, wherever that is: it is a
 * future of the program's, which those calls touch. */
void race_once_begin(void) {
  site *before = race_frame[1].spawn;
  cilk_race_spawn(NULL);
  race_frame->before = before;
  race_frame->spawn = race_frame[-1].spawn;
}

void race_once_end(const void *flag) {
  pour(race_frame);
  race_new_epoch();
  struct frame *f = race_frame--, *owner = frames + 1;
  if (race_any_views) race_views_passed();
  f->began = f->poured = 0;
  f->spawn = f->before;
  owner->out++;
  f->fills = race_new_future(flag);
  node bag = unite(race_frame, 0, f->s, RACE_FUTURE);
  if (bag) race_nodes[bag].holder = f->fills;
  race_future_ended(f, owner, bag);
  new_order();
  order_changes(f->old_next);
  set_first(race_next == f->old_next ? f->old_first : race_next);
}

/* ---- threads of Cilk-1 (threads.c) ---- */

void race_thread_frame(uint32_t thread, site *spawn) {
  site *before = race_frame[1].spawn;
  cilk_race_spawn(NULL);
  race_frame->before = before;
  race_frame->spawn = spawn;
  race_frame->thread = thread;
}

node race_join_bags(node a, node b, uint32_t holder) {
  node bag = unite(NULL, a, b, RACE_FUTURE);
  if (bag) race_nodes[bag].holder = holder;
  return bag;
}

node race_cut_strand(node bag, uint32_t holder) {
  struct frame *f = race_frame;
  pour(f);
  bag = race_join_bags(bag, f->s, holder);
  f->s = f->first = f->now = f->other = 0;
  race_new_orders();
  set_first(race_next);
  return bag;
}

void race_thread_frame_ended(void) {
  end_spins(race_frame);
  struct frame *f = race_frame--;
  f->began = f->poured = 0;
  f->spawn = f->before;
  f->thread = 0;
  race_set_drop(f->known);
  set_first(race_next == f->old_next ? f->old_first : race_next);
}

/* After a true SYNCHED no child is outstanding. In a delivery that holds for the rest of it only, since the parent may
 * also go on before the other children have ended: until then the parent's P-bag is serial. And what the delivery does
 * from here on precedes all that the parent still does, so its node is in the parent's S-bag. */
int cilk_race_synched(void) {
  if (race_outside()) return 1;
  struct frame *f = race_frame, *of = f->delivering ? f - 1 : f;
  if (of->out) {
    race_synched_asked = true;
    if (!race_synched_answer) return 0;
  }
  if (of == f) pour(f);
  else if (!f->alone) {
    race_new_epoch();
    new_order();
    if (of->p) race_nodes[race_root(of->p)].parallel = RACE_SERIAL;
    race_futures_alone(of, f);
    of->began = of->poured = 0;
    f->alone = true;
    f->now = f->other = 0;
    set_first(race_next);
  }
  return 1;
}

/* ---- for collections (collect.c) ---- */

void race_frame_nodes(void (*visit)(node *)) {
  for (struct frame *f = frames + 1; f <= race_frame; f++) {
    visit(&f->first);
    visit(&f->now);
    visit(&f->other);
  }
  for (uint32_t i = 0; i < helds_top(); i++) visit(&helds[i].now);
  for (int i = 0; i < ORDERS; i++) visit(&orders[i].by);
}

void race_frame_bags(void (*visit)(node *)) {
  move_iterations(race_move_node);
  for (struct frame *f = frames + 1; f <= race_frame; f++) {
    visit(&f->s);
    visit(&f->p);
  }
  visit(&ended_bag);
  memset(known_nodes, 0, sizeof known_nodes);
}

void race_renumber(int32_t (*number)(int32_t)) {
  for (struct frame *f = frames + 1; f <= race_frame; f++) {
    f->old_first = number(f->old_first);
    f->old_next = number(f->old_next);
  }
  for (uint32_t i = 0; i < helds_top(); i++) {
    helds[i].first = number(helds[i].first);
    if (helds[i].next >= 0) helds[i].next = number(helds[i].next);
  }
  race_state.past = number(race_state.past);
  set_first(number(race_first()));
  new_order();
}
