/* mutated.c - messages that are wrong: cilk_the_transport of this file is rank 0 of very many, and the others say
 * what chance makes of right messages.   mutated N SEED
 *
 * Each rank asks, answers a request, or sends something unasked. Bits, bytes or pieces of these messages are changed,
 * cut off or doubled; half of the messages have a right sum and number. A rank whose message is refused is dead for the
 * program, and what it had is done again. The program spawns threads that may travel until all messages have been
 * delivered, and ends well.
 *
 * Before that as many first messages of ranks are changed, half of them with a right sum, and judged. */
#define _GNU_SOURCE
#include "threads.h"
#include "rt/extensions/dist/dist.h"

#include <string.h>
#include <time.h>

enum { RANKS = 4096 };
static uint64_t left, state;
static unsigned delivered, worked;
static int asked = -1;
static char *held[RANKS];                 /* the last message that each rank got, to be changed and sent back */
static size_t held_n[RANKS];
static bool dead[RANKS], introduced[RANKS];
static uint32_t number[RANKS];            /* of its last message */
static unsigned refused, unlike;          /* first messages */
static unsigned cuts;                     /* of ranks whose message was refused */
static unsigned leaves;                   /* that have run: messages come while the program goes on */
static bool begun;                        /* the program: before that nothing comes */

static uint64_t chance(uint64_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % n;
}

static int launch(char **argv) { return (void)argv, -1; }
static const char *start(int *rank, int *size) {
  *rank = 0;
  *size = RANKS;
  return NULL;
}

static bool send_to(int to, const void *bytes, size_t n) {
  cilk_wire h;
  if (cilk_hello_is(bytes, n)) return true;
  memcpy(&h, bytes, sizeof h);
  if (h.kind == CILK_WIRE_REQUEST) asked = to;
  free(held[to]);
  held[to] = memcpy(malloc(n), bytes, held_n[to] = n);
  worked += h.kind == CILK_WIRE_WORK;
  return !dead[to];
}

static char *change(char *m, size_t *n, int from) {
  for (int times = chance(2) ? (int)chance(4) : 0; times > 0 && *n; times--) {
    size_t at = chance(*n), more = chance(40);
    switch (chance(6)) {
      case 0: m[at] ^= (char)(1 << chance(8)); break;
      case 1: m[at] = (char)chance(256); break;
      case 2: *n = at; break;
      case 3: memset(m + at, chance(2) ? 0 : 255, *n - at < 8 ? *n - at : 8); break;
      case 4:
        m = realloc(m, *n + more);
        memset(m + *n, (int)chance(256), more);
        *n += more;
        break;
      default: memmove(m + at, m + chance(at + 1), *n - at > 4 ? 4 : 0); break;
    }
  }
  if (*n >= sizeof(cilk_wire) && chance(2)) {
    cilk_wire h;
    memcpy(&h, m, sizeof h);
    h.size = (uint32_t)(*n - sizeof h);
    memcpy(m, &h, sizeof h);
    cilk_wire_seal(m, number[from] - (chance(8) == 0) + (chance(16) == 0));
  }
  return m;
}

static void judge_changed_hellos(void) {
  char why[1500];
  for (uint64_t i = left; i > 0; i--) {
    size_t n;
    char *m = malloc(CILK_HELLO_ROOM);
    n = cilk_hello(m, chance(8));
    for (int times = (int)chance(4); times > 0; times--) {
      size_t at = chance(n);
      switch (chance(4)) {
        case 0: m[at] = (char)chance(256); break;
        case 1: n = at + 1; break;
        case 2: m[at] = '|'; break;
        default: memmove(m + at, m + chance(at + 1), n - at); break;
      }
    }
    if (chance(2) && n > 16) {
      char digits[17];
      unsigned long long sum = 0xcbf29ce484222325u;
      for (size_t k = 0; k < n - 16; k++) sum = (sum ^ (unsigned char)m[k]) * 0x100000001b3u;
      snprintf(digits, sizeof digits, "%016llx", sum);
      memcpy(m + n - 16, digits, 16);
    }
    char *exact = memcpy(malloc(n), m, n);       /* a read beyond its end is found */
    cilk_welcome w = cilk_hello_is(exact, n) ? cilk_hello_check(7, exact, n, why, sizeof why) : CILK_DAMAGED;
    refused += w == CILK_DAMAGED;
    unlike += w == CILK_UNLIKE;
    free(exact);
    free(m);
  }
}

static int look(uint64_t ns, int fd, int *from, void **bytes, size_t *n) {
  static unsigned burst, seen, naps;
  (void)fd, (void)ns;
  bool early = !__atomic_load_n(&begun, __ATOMIC_ACQUIRE);
  for (int i = 1; i < RANKS && !left && !early; i++)   /* at the end all die, so that nothing is waited for */
    if (!dead[i]) return dead[*from = i] = true, -1;
  unsigned now = __atomic_load_n(&leaves, __ATOMIC_RELAXED);
  if (!left || (burst % 16 == 0 && now == seen && (!now || ++naps % 32))) {
    struct timespec t = {0, 100000};
    nanosleep(&t, NULL);
    return 0;
  }
  seen = now;
  if (burst == 0) judge_changed_hellos();
  burst++;
  int r = asked > 0 && chance(2) ? asked : 1 + (int)chance(RANKS - 1);
  for (int tries = 0; dead[r]; r = r % (RANKS - 1) + 1)
    if (tries++ == RANKS) return left = 0, 0;
  *from = r;
  if (!introduced[r] && chance(64)) {
    introduced[r] = true;
    *n = cilk_hello(*bytes = malloc(CILK_HELLO_ROOM), true);
    return 1;
  }
  left--;
  cilk_wire h = {.kind = 1 + (uint32_t)chance(CILK_WIRE_KINDS - 1), .id = chance(40), .index = (uint32_t)chance(3)};
  char payload[256] = {0};
  if (r == asked) {
    h.kind = chance(4) ? CILK_WIRE_WORK : CILK_WIRE_NONE;
    asked = -1;
  } else if (chance(2)) h.kind = CILK_WIRE_REQUEST;
  uint32_t room = 4;
  memcpy(payload, &room, sizeof room);
  h.size = h.kind == CILK_WIRE_WORK     ? 32
           : h.kind == CILK_WIRE_VALUE  ? 4
           : h.kind == CILK_WIRE_OUTPUT ? (uint32_t)chance(200)
           : h.kind == CILK_WIRE_BYE    ? 88
                                        : 0;
  if (held[r] && chance(2)) {             /* the value of what it was given */
    cilk_wire was;
    memcpy(&was, held[r], sizeof was);
    if (was.kind == CILK_WIRE_WORK)
      h = (cilk_wire){.kind = chance(8) ? CILK_WIRE_VALUE : CILK_WIRE_RETURN, .id = was.id, .size = 4};
    h.size = h.kind == CILK_WIRE_VALUE ? 4 : h.kind == CILK_WIRE_RETURN ? 0 : h.size;
  }
  char *m = malloc(sizeof h + sizeof payload);
  memcpy(m, &h, sizeof h);
  memcpy(m + sizeof h, payload, sizeof payload);
  *n = sizeof h + h.size;
  cilk_wire_seal(m, ++number[r]);
  *bytes = change(m, n, r);
  delivered++;
  return 1;
}

static void cut(int rank) {
  dead[rank] = true;
  cuts++;
}
static void wake(void) {}
static void end(void) {}
const cilk_transport cilk_the_transport = {"mutated", launch, start, send_to, look, cut, wake, end};

/* ---- the program ---- */

struct leaf_args {
  cilk_cont k;
  int n;
};
static void leaf_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(leaf, c)->k;
  __atomic_fetch_add(&leaves, 1, __ATOMIC_RELAXED);
  for (volatile int i = 0; i < 2000; i = i + 1);
  if (k.closure)                          /* a changed message may say that nothing waits */
    SEND4(k, 1);
}
static const cilk1_slot leaf_slots[] = {CONT_ROW(leaf, 0, k), ROW(leaf, 1, n)};
static const cilk1_thread leaf = {.run = leaf_run,
    .name = "leaf",
    .file = __FILE__,
    .line = __LINE__,
    .size = CILK1_ARGS + 32,
    .nslots = 2,
    .slots = leaf_slots,
    .flags = CILK1_THREAD_REMOTE};
static const cilk_remote row __attribute__((section("cilk_remote"), used)) = {&leaf, CILK_REMOTE_THREAD};

struct join_args {
  cilk_cont k;
  int x[16];
};
static void join_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(join, c)->k;
  SEND4(k, 0);
}
static const cilk1_slot join_slots[] = {CONT_ROW(join, 0, k), ROW(join, 1, x)};
THREAD(join);

struct more_args {
  cilk_cont k;
  int x;
};
static void more_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot more_slots[] = {CONT_ROW(more, 0, k), ROW(more, 1, x)};
THREAD(more);

static void more_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(more, c)->k;
  if (!__atomic_load_n(&left, __ATOMIC_RELAXED)) {
    SEND4(k, 0);
    return;
  }
  cilk1_closure *next = SPAWN_NEXT(&more, SLOT(more, x)),
                *j = SPAWN_NEXT(&join, 16 * SLOT(join, x) + 15 * 8 * sizeof(int));
  ARGS(more, next)->k = k;
  ARGS(join, j)->k = cilk1_cont(next, SLOT(more, x));
  for (int i = 0; i < 16; i++) {
    cilk1_closure *l = SPAWN(&leaf, 0);
    ARGS(leaf, l)->k = cilk1_cont(j, CILK1_ARGS + (uint32_t)(offsetof(struct join_args, x) + sizeof(int) * (size_t)i));
    ARGS(leaf, l)->n = i;
    READY(l);
  }
}

static void thunk(void *args, void *result) {
  (void)args, (void)result;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, sizeof(int));
  cilk1_closure *c = cilk1_first(w, &more);
  ARGS(more, c)->k = k;
  READY(c);
}
static const cilk_root computation = {thunk, "more", 0, sizeof(int)};

static void begin(void *args, void *result) {
  struct {
    int argc;
    char **argv;
  } *a = args;
  int sum = -1;
  state = a->argc > 2 ? strtoull(a->argv[2], NULL, 10) * 2 + 1 : 1;
  left = a->argc > 1 ? strtoull(a->argv[1], NULL, 10) : 1000;
  __atomic_store_n(&begun, true, __ATOMIC_RELEASE);
  cilk_rt_call_root(NULL, &computation, NULL, &sum);
  fprintf(stderr,
      "%u messages delivered, %s given; first messages: %u refused, %u of unlike ranks; %u ranks were cut off\n",
      delivered, worked ? "work was" : "no work was", refused, unlike, cuts);
  *(int *)result = sum;
}
const cilk_root cilk_main_root = {begin, "main", 24, 4};
