/* Reducers: where a child's map goes when it returns, in each order of returns, and which map a strand goes on with.
 *
 * The reducer is a text, to which each strand appends a letter. So the text says in which order the views were
 * joined. */
#include "stage.h"
#include "data/places.h"

#include <string.h>

typedef struct text {
  char at[24];
} text;
static text object, other;
static cilk_segment s0;
static frame *p;
static cilk_link *l1, *l2, *l3;
static unsigned reduced;

static void (*while_reducing)(void);
static void append(void *left, void *right) {
  if (while_reducing) while_reducing();
  strcat(left, right);
  *(char *)right = '?';
  reduced++;
}
static text *view(text *t) { return __cilkrts_reducer_lookup(t, sizeof *t, NULL, append); }

static long use_order(void *t, void *b, long letter) {
  (void)b;
  text *v = view(t);
  v->at[strlen(v->at)] = (char)letter;
  return (long)v;
}
static text *use(int i, text *t, char letter) { return (text *)on(i, use_order, t, NULL, letter); }

static long map_order(void *views, void *b, long n) {
  (void)b;
  (void)n;
  cilk_self.views = views;
  return 0;
}
/* That worker runs the leftmost strand. */
static void leftmost(int i) { on(i, map_order, NULL, NULL, 0); }

static long enter_order(void *c, void *b, long n) {
  (void)b;
  (void)n;
  cilk_closure_lock(c);
  cilk_views_enter(cilk_me(), c);
  cilk_closure_unlock(c);
  return 0;
}
static long leave_order(void *c, void *b, long n) {
  (void)b;
  (void)n;
  cilk_closure_lock(c);
  while (cilk_views_gather(cilk_me(), c));
  cilk_views_leave(cilk_me(), c);
  cilk_closure_unlock(c);
  return 0;
}
static struct cilk_views *map_of(int i) { return workers[i]->views; }

/* A parent that has three children out. */
static void parent(uint32_t st) {
  object = other = (text){""};
  reduced = 0;
  for (int i = 0; i <= 3; i++) {
    on(i, map_order, CILK_NO_VIEWS, NULL, 0);
    actors[i].x->next = NULL;
  }
  p = full(child_of(full(&run.link, 2, CILK_SUSPENDED), 0, 9), 0, st);
  l1 = child_of(p, 1, 1);
  l2 = child_of(p, 2, 2);
  l3 = child_of(p, 3, 3);
}

/* Actor i's child returns. */
static void returns(int i) { on(i, deliver_order, i == 1 ? l1 : i == 2 ? l2 : l3, NULL, i); }

static const int orders[6][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};

SCENARIO(views_are_joined_in_the_order_of_spawns) {
  for (int k = 0; k < 6; k++) {
    parent(CILK_SUSPENDED);
    leftmost(1);
    for (int i = 1; i <= 3; i++) use(i, &object, (char)('0' + i));
    use(3, &other, 'x');
    for (int i = 0; i < 3; i++) returns(orders[k][i]);
    for (int i = 1; i <= 3; i++) EXPECT(map_of(i) == CILK_NO_VIEWS);
    EXPECT(p->h.join == 0 && state(p) == CILK_TAKEN);
    on(0, enter_order, p, NULL, 0);
    EXPECT(map_of(0) == NULL && reduced == 3 && !p->h.children);
    EXPECT(strcmp(object.at, "123") == 0 && strcmp(other.at, "x") == 0);
  }
}

SCENARIO(what_the_parent_did_before_its_sync_comes_last) {
  for (int k = 0; k < 6; k++) {
    parent(CILK_RUNNING);
    leftmost(1);
    for (int i = 0; i <= 3; i++) use(i, &object, (char)('0' + i));
    on(0, leave_order, p, NULL, 0);
    EXPECT(map_of(0) == CILK_NO_VIEWS);
    store_relaxed(&p->h.state, CILK_SUSPENDED);
    for (int i = 0; i < 3; i++) returns(orders[k][i]);
    on(0, enter_order, p, NULL, 0);
    EXPECT(map_of(0) == NULL && reduced == 3 && strcmp(object.at, "1230") == 0);
  }
}

SCENARIO(a_strand_without_views_passes_its_neighbours_on) {
  parent(CILK_SUSPENDED);
  leftmost(1);
  use(3, &object, '3');
  for (int i = 3; i > 0; i--) returns(i);
  on(0, enter_order, p, NULL, 0);
  EXPECT(map_of(0) == NULL && reduced == 1 && strcmp(object.at, "3") == 0);
}

/* The parent waits for its last child alone, and an older one has left something meanwhile. */
SCENARIO(the_next_strand_goes_on_with_the_last_childs_view) {
  parent(CILK_SUSPENDED);
  leftmost(1);
  use(1, &object, '1');
  use(2, &object, '2');
  text *before = use(3, &object, '3');
  returns(2);
  returns(3);
  EXPECT(p->h.join == 1 && reduced == 0);
  on(0, enter_order, p, NULL, 0);
  EXPECT(use(0, &object, '0') == before && strcmp(before->at, "30") == 0);
  returns(1);
  EXPECT(strcmp(object.at, "12") == 0 && reduced == 1);
  on(0, leave_order, p, NULL, 0);
  on(0, enter_order, p, NULL, 0);
  EXPECT(map_of(0) == NULL && strcmp(object.at, "1230") == 0);
}

static void inlet_uses_it(frame *f, int v) {
  (void)f;
  strcat(view(&object)->at, v == 1 ? "a" : v == 2 ? "b" : "c");
}
SCENARIO(an_inlet_comes_directly_after_its_child) {
  for (int k = 0; k < 6; k++)
    for (int waits = 0; waits < 2; waits++) {
      parent(waits ? CILK_TAKEN : CILK_SUSPENDED);
      p->inlet = inlet_uses_it;
      leftmost(1);
      for (int i = 1; i <= 3; i++) use(i, &object, (char)('0' + i));
      for (int i = 0; i < 3; i++) returns(orders[k][i]);
      if (waits) {
        EXPECT(p->h.join == 3 && reduced == 0 && strcmp(object.at, "1") == 0);
        store_relaxed(&p->h.state, CILK_RUNNING);
        s0 = (cilk_segment){.base = workers[0]->tail, .link = p->h.link, .full = &p->h, .slow = 1};
        actors[0].x->seg = &s0;
        use(0, &object, '0');
        EXPECT(on(0, sync_order, p, NULL, 0) == CILK_CONTINUE && strcmp(object.at, "1a2b3c0") == 0);
        actors[0].x->seg = NULL;
      } else {
        on(0, enter_order, p, NULL, 0);
        EXPECT(strcmp(object.at, "1a2b3c") == 0);
      }
      EXPECT(map_of(0) == NULL && !p->h.children && !p->h.pending);
    }
}

/* The same where what they returned waits for their parent, which is aborted by then. */
SCENARIO(a_result_that_is_dropped_leaves_its_views) {
  parent(CILK_TAKEN);
  leftmost(1);
  for (int i = 1; i <= 3; i++) use(i, &object, (char)('0' + i));
  for (int i = 3; i > 0; i--) returns(i);
  EXPECT(p->h.pending && p->h.join == 3);
  on(0, abort_order, p, NULL, 0);
  EXPECT(deliveries == 0 && p->h.join == 0 && !p->h.pending);
  on(0, enter_order, p, NULL, 0);
  EXPECT(map_of(0) == NULL && strcmp(object.at, "123") == 0 && !p->h.children);
}

/* Nothing is taken back of what was done in views. */
SCENARIO(an_aborted_child_leaves_its_views) {
  parent(CILK_SUSPENDED);
  leftmost(1);
  for (int i = 1; i <= 3; i++) use(i, &object, (char)('0' + i));
  on(0, abort_order, p, NULL, 0);
  for (int i = 3; i > 0; i--) returns(i);
  EXPECT(deliveries == 0 && p->h.join == 0);
  on(0, enter_order, p, NULL, 0);
  EXPECT(map_of(0) == NULL && strcmp(object.at, "123") == 0);
}

/* Its last child, aborted like the others, joins its views when the parent comes to its sync. */
static void the_parent_syncs(void) {
  while_reducing = NULL;
  meanwhile(0, sync_order, p, NULL, 0);
}
SCENARIO(a_parent_that_waits_since_views_were_joined_goes_on) {
  parent(CILK_RUNNING);
  s0 = (cilk_segment){.base = workers[0]->tail, .link = p->h.link, .full = &p->h, .slow = 1};
  actors[0].x->seg = &s0;
  leftmost(1);
  for (int i = 1; i <= 3; i++) use(i, &object, (char)('0' + i));
  on(0, abort_order, p, NULL, 0);
  returns(1);
  returns(3);
  while_reducing = the_parent_syncs;
  returns(2);
  EXPECT(!while_reducing && finish_order(0) == CILK_UNWIND);
  EXPECT(p->h.join == 0 && state(p) != CILK_SUSPENDED);
  actors[0].x->seg = NULL;
}

/* ---- futures, and touches ---- */

static void (*while_storing)(void);
static void store(cilk_closure *c, void *record, void *result) {
  (void)c;
  **(int **)record = *(int *)result;
  while_storing();
}
/* 1 a spawn with an inlet, 2 a touch, 3 a spawn into a future. */
static const cilk_entry places[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver, offsetof(frame, record), sizeof(long), sizeof(int), CILK_ENTRY_INLET, 0, NULL, NULL},
    {NULL, 0, 0, 0, CILK_ENTRY_TOUCH, 0, NULL, NULL},
    {store, offsetof(frame, record), sizeof(long), sizeof(int), CILK_ENTRY_FUTURE | CILK_ENTRY_RECEIVER, 0, NULL, NULL},
};
static const cilk_sig futures = {CILK_ABI_VERSION, CILK_SIG_BLOCKS, slow, "frame", "views.c",
    (sizeof(frame) + 15) / 16 * 16, 4, places, NULL, 0, 0};

static void the_sibling_returns(void) { meanwhile(2, deliver_order, l2, NULL, 2); }
/* The child fills a future, and has no views. What is right of it comes meanwhile. */
SCENARIO(a_map_that_comes_while_a_future_is_filled_is_passed_on) {
  static struct {
    cilk_future f;
    int value;
  } future;
  parent(CILK_SUSPENDED);
  p = full(child_of(full(&run.link, 2, CILK_SUSPENDED), 0, 9), 0, CILK_SUSPENDED);
  p->h.sig = &futures;
  p->h.link->views = NULL;                /* the parent's own strand is the leftmost */
  p->h.entry = 3;
  p->record = (long)&future.value;
  future.f.state = CILK_FUTURE_PENDING;
  l1 = cilk_link_new(&p->h, workers[1], &run.link);
  cilk_children_add(&p->h, l1);
  l2 = child_of(p, 2, 2);
  use(2, &object, '2');
  while_storing = the_sibling_returns;
  returns(1);
  finish_order(2);
  EXPECT(future.value == 1 && p->h.join == 0);
  on(0, enter_order, p, NULL, 0);
  EXPECT(map_of(0) == NULL && strcmp(object.at, "2") == 0 && !p->h.children);
}

/* All have returned, but this is no sync: the strand after the touch goes on with the view of the touched child. */
SCENARIO(a_touch_of_the_last_child_keeps_its_view) {
  parent(CILK_SUSPENDED);
  p->h.sig = &futures;
  leftmost(1);
  use(1, &object, '1');
  use(2, &object, '2');
  text *before = use(3, &object, '3');
  for (int i = 1; i <= 3; i++) returns(i);
  p->h.entry = 2;
  EXPECT(p->h.join == 0);
  on(0, enter_order, p, NULL, 0);
  EXPECT(use(0, &object, '0') == before && strcmp(before->at, "30") == 0);
}

/* ---- maps ---- */

enum { MANY = 200, FROM = 50, SOME = 60 };
static text room[MANY * (MANY + 1) / 2];
/* At irregular distances, as such objects are: some have the same place in the index. */
static text *many(int i) { return &room[i * (i + 1) / 2]; }
static long forget_order(void *from, void *b, long bytes) {
  (void)b;
  cilk_views_forget(cilk_self.views, from, (size_t)bytes);
  return 0;
}
/* Strands 2 and 3 have views of many reducers. Some of the latter come to their end meanwhile, and others are at their
 * addresses. */
SCENARIO(a_map_finds_each_of_many_reducers) {
  text *views[MANY];
  parent(CILK_SUSPENDED);
  leftmost(1);
  for (int i = 0; i < MANY; i += 2) use(2, many(i), '2');
  for (int i = 0; i < MANY; i++) views[i] = use(3, many(i), 'x');
  on(3, forget_order, many(FROM), NULL, (char *)many(FROM + SOME) - (char *)many(FROM));
  /* first those that may come after a gap now */
  for (int i = MANY; i-- > 0;) {
    bool old = i < FROM || i >= FROM + SOME;
    text *now = use(3, many(i), 'y');
    EXPECT(strcmp(now->at, old ? "xy" : "y") == 0 && (!old || now == views[i]));
  }
  for (int i = 1; i <= 3; i++) returns(i);
  on(0, enter_order, p, NULL, 0);
  EXPECT(map_of(0) == NULL);
  for (int i = 0; i < MANY; i++) {
    bool old = i < FROM || i >= FROM + SOME;
    EXPECT(strcmp(many(i)->at, i % 2 ? old ? "xy" : "y" : old ? "2xy" : "2y") == 0);
  }
}
