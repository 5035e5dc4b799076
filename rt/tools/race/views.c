/* views.c - reducers: each strand has views of its own, as on a schedule in which every continuation is stolen.
 *
 * So a program that reaches a view through a pointer kept from another strand races here. A program whose strands use
 * their own views does not, whatever memory its views own. A map (rt/extensions/views/map.h) is what a strand has:
 *
 *   at a spawn   the child goes on with the map of its parent.
 *   after it     the parent begins with no views; the child's map comes before that strand's.
 *   at a sync    the maps of the instance are joined in serial order, by `reduce`, after the children's code
 *                precedes the running code.
 *   a call       passes the map on and takes it back. A call of OpenCilk that waits for its own child is a spawn and a
 *                touch (frontend/sema/opencilk/calls.cpp): cilk_race_awaited takes the child's map back.
 *
 * An object of which a strand has a view is not complete before that view is joined with it. An access to the object
 * itself until then is found: mostly the object was made after a spawn, and never registered.
 *
 * Nothing of this costs anything until the program asks for its first view. */
#include <stdlib.h>
#include "race.h"

#define CILK_MAP_ALLOC(bytes) memory(malloc(bytes))
#define CILK_MAP_FREE(p, bytes) free(p)
#define CILK_MAP_FULL(most) race_die("more than %zu reducers are in use", most)
static void *memory(void *p) {
  if (!p) race_die("out of memory");
  return p;
}
#include "rt/extensions/views/map.h"

typedef struct cilk_views map;
/* The map of a strand without views. NULL: the leftmost strand, in which each object is its own view. */
#define NO_VIEWS ((map *)(uintptr_t)1)

/* Maps of children, in serial order. The leftmost one has no views, and is the first if it is there at all. */
typedef struct part {
  map *views;
  struct part *next;
} part;

/* Beside each frame. */
struct strands {
  map *views;                   /* of the strand that runs, or NO_VIEWS */
  part *first, *last;           /* of what comes before it in the same instance */
  bool gave;                    /* the last child that returned left a part */
};

bool race_any_views;
static struct strands *strands;
static bool inside;             /* of `identity` or `reduce` */

static struct strands *here(void) { return &strands[race_frame - race_frames]; }

static void put_last(struct strands *s, map *views) {
  part *new = memory(malloc(sizeof *new));
  *new = (part){views, NULL};
  if (s->last) s->last->next = new;
  else s->first = new;
  s->last = new;
}

/* No strand has asked so far: the first children of the instances that run count as the leftmost strand. */
static void begin(void) {
  if (race_any_views) return;
  race_any_views = true;
  strands = race_reserve(RACE_FRAMES * sizeof *strands, 0, "the views");
  map *views = NULL;
  for (const struct frame *f = race_frames + 1; f <= race_frame; f++) {
    struct strands *s = &strands[f - race_frames];
    if (f->out && !views) put_last(s, NULL);
    s->views = views = f->out ? NO_VIEWS : views;
  }
}

/* ---- what the instances do (bags.c) ---- */

void race_views_spawned(void) {
  struct strands *child = here();
  *child = (struct strands){.views = child[-1].views};
}

void race_views_returned(void) {
  struct strands *s = here();
  map *views = s[1].views;
  if ((s->gave = views != NO_VIEWS)) put_last(s, views);
  s->views = NO_VIEWS;
}

void race_views_passed(void) {
  struct strands *s = here();
  s->views = s[1].views;
}

/* How many views that are not their objects there are of each 8 bytes: a filter, in which addresses share places. */
enum { REDUCED = 1 << 14 };
static uint32_t reduced[REDUCED];
uintptr_t race_reduced_low = UINTPTR_MAX, race_reduced_high;

static uint32_t *reduced_at(uintptr_t p) { return &reduced[(p >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 50]; }

/* entry.lines: the bytes of its storage, 0 where the object is the view; entry.skipped: those of the object. */
static void count_view(const entry *e, uint32_t more) {
  uintptr_t from = (uintptr_t)e->object, end = from + e->skipped;
  for (uintptr_t p = from & ~(uintptr_t)7; p < end; p += 8) *reduced_at(p) += more;
  if (from < race_reduced_low) race_reduced_low = from;
  if (end > race_reduced_high) race_reduced_high = end;
}

static void free_view(const entry *e) {
  if (!e->lines) return;
  count_view(e, -1u);
  race_clear(e->view, e->lines);
  free(e->view);
}
static size_t view_bytes(const entry *e) { return e->lines; }

static map *join(map *left, map *right) {
  if (right == NO_VIEWS) return left;
  if (left == NO_VIEWS) return right;
  inside = true;
  pass_all(left, right);
  inside = false;
  return left;
}

void race_views_synched(void) {
  struct strands *s = here();
  part *next = s->first;
  if (!next) return;
  map *views = next->views;
  s->first = s->last = NULL;
  for (part *p = next; p; p = next) {
    next = p->next;
    free(p);
    views = join(views, next ? next->views : s->views);
  }
  s->views = views;
  s->gave = false;
}

void cilk_race_awaited(void) {
  if (race_outside()) return;
  race_frame->out--;            /* it is joined; a sync need not wait */
  if (!race_any_views) return;
  struct strands *s = here();
  if (!s->gave) return;
  part *before = NULL, *p = s->first;
  for (; p != s->last; p = p->next) before = p;
  s->views = p->views;
  if (before) before->next = NULL;
  else s->first = NULL;
  s->last = before;
  s->gave = false;
  free(p);
}

/* ---- what the program does ---- */

static map *own_map(struct strands *s) {
  if (inside) race_die("a reducer was used inside an identity or reduce function");
  if (s->views == NO_VIEWS) s->views = new_map();
  return s->views;
}

void *cilk_race_view(void *object, size_t size, size_t align, void (*identity)(void *),
    void (*reduce)(void *, void *)) {
  if (race_outside()) return object;
  begin();
  struct strands *s = here();
  if (!s->views) return object;
  map *views = own_map(s);
  uint32_t number = *find(views, object);
  if (number && !views->entries[number - 1].range) return views->entries[number - 1].view;
  if (in_range(views, object) || view_around(views, object)) return object;
  if (size > UINT32_MAX) race_die("out of memory (a reducer's view of %zu bytes)", size);
  if (align < 64) align = 64;
  size_t bytes = size ? (size + align - 1) / align * align : align;
  entry e = {object, memory(aligned_alloc(align, bytes)), reduce, (uint32_t)bytes, (uint32_t)size, 0};
  memset(e.view, 0, bytes);
  race_clear(e.view, bytes);
  inside = true;
  if (identity) identity(e.view);
  inside = false;
  add(views, &e);
  count_view(&e, 1);
  race_look_again();
  return e.view;
}

/* Without functions: an array or struct with reducers in it. */
void cilk_race_view_register(void *object, size_t size, size_t align, void (*identity)(void *),
    void (*reduce)(void *, void *)) {
  (void)align;
  if (race_outside()) return;
  begin();
  struct strands *s = here();
  if (!s->views) return;
  map *views = own_map(s);
  size_t range = identity || reduce ? 0 : size;
  unregister(views, object, range);
  add(views, &(entry){object, object, reduce, 0, 0, range});
}

void cilk_race_libc_cilk_rt_view_unregister(void *object) {
  if (race_outside() || !race_any_views) return;
  struct strands *s = here();
  if (s->views && s->views != NO_VIEWS) unregister(s->views, object, 0);
}

void *cilk_race_libc___cilkrts_reducer_lookup(void *key, size_t size, void (*identity)(void *),
    void (*reduce)(void *, void *)) {
  return cilk_race_view(key, size, 0, identity, reduce);
}

void cilk_race_libc___cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *),
    void (*reduce)(void *, void *)) {
  cilk_race_view_register(key, size, 0, identity, reduce);
}

void cilk_race_libc___cilkrts_reducer_unregister(void *key) { cilk_race_libc_cilk_rt_view_unregister(key); }

static const entry *view_in(const map *views, const void *p) {
  return views && views != NO_VIEWS ? view_around(views, p) : NULL;
}

/* The view has what was done since this strand began, or since an earlier strand of the instance, on another
 * schedule. */
void cilk_race_viewed(const void *view, site *at) {
  if (race_outside() || race_off || !race_any_views || !view_in(here()->views, view)) return;
  struct record read = {at, race_node_now(), CILK_RACE_READ};
  race_found(RACE_VIEW, race_view_object(view), 1, &read, &read);
}

static bool reduces(const map *m, uintptr_t p, size_t n) {
  for (uint32_t i = 0; m && m != NO_VIEWS && i < m->count; i++) {
    const entry *e = &m->entries[i];
    if (e->lines && (uintptr_t)e->object < p + n && p < (uintptr_t)e->object + e->skipped) return true;
  }
  return false;
}

/* Near an object of which there are views. */
void race_reduced_access(const void *place, size_t n, site *at, int kind) {
  uintptr_t p = (uintptr_t)place, first = p < race_reduced_low ? race_reduced_low : p;
  uintptr_t end = p + n < race_reduced_high ? p + n : race_reduced_high;
  if (inside) return;
  for (first &= ~(uintptr_t)7; first < end && !*reduced_at(first);) first += 8;
  if (first >= end) return;
  bool is = false;
  for (const struct strands *s = strands; s <= here() && !is; s++) {
    is = reduces(s->views, p, n);
    for (const part *q = s->first; q && !is; q = q->next) is = reduces(q->views, p, n);
  }
  if (!is) return;
  struct record access = {at, race_node_now(), (uint32_t)kind};
  race_found(RACE_UNJOINED, place, n, &access, &access);
}

/* A view has the name of its reducer. */
const void *race_view_object(const void *p) {
  for (const struct strands *s = strands; race_any_views && s <= here(); s++) {
    const entry *e = view_in(s->views, p);
    for (const part *q = s->first; q && !e; q = q->next) e = view_in(q->views, p);
    if (e) return (const char *)e->object + ((const char *)p - (const char *)e->view);
  }
  return p;
}
