/* stuck.c - a remote thread has ended and has not sent its value: no rank has anything left to run.
 *
 * Rank 0 alone reports that. When it is quiet itself it asks all ranks, twice, whether they are: their workers have
 * nothing, nothing of theirs is active but what other ranks have of it, and no message waits. What a rank has got could
 * make it run again. So each reports how many such messages it has sent and has got. Suppose that all were quiet both
 * times. Suppose also that as many messages were sent in all as were got, the same both times. Then none was on its way
 * in between, and none will be sent. Each rank reports what it waits for. After the death of a rank these sums mean
 * nothing, and no rank asks. */
#include "dist/dist.h"
#include "data/policy.h"

#include <stdio.h>
#include <string.h>

enum { PAUSE_NS = 200000000 };
typedef struct state {
  uint64_t quiet, sent, got;
  char text[400];
} state;

static uint64_t sent, got;                /* the courier's, as all here */
static uint64_t round_number, next_round, last_sum;
static int waits_for;                     /* answers of this round that are still to come */
static bool all_quiet, before;            /* so far in this round; the round before was, with last_sum */
static state total;

static bool counts(uint32_t kind) {
  return kind == CILK_WIRE_WORK || kind == CILK_WIRE_VALUE || kind == CILK_WIRE_RETURN || kind == CILK_WIRE_DROP;
}

void cilk_stuck_sent(uint32_t kind) { sent += counts(kind); }
void cilk_stuck_got(uint32_t kind) { got += counts(kind); }

static void look_here(state *s) {
  cilk_dist *d = &cilk_dist_here;
  int one;
  *s = (state){.sent = sent, .got = got};
  uint64_t given = cilk_given_text(s->text, sizeof s->text);
  s->quiet = cilk_hungry(&one) == d->workers && !d->ctx->spares && !cilk_offers_open() && !cilk_letters_wait() &&
             cilk1_active(d->ctx) == given + (load_acquire(&d->serves) != NULL);
}

static void take_in(const state *s) {
  size_t n = strlen(total.text);
  all_quiet &= s->quiet != 0;
  total.sent += s->sent;
  total.got += s->got;
  snprintf(total.text + n, sizeof total.text - n, "%.*s", (int)sizeof s->text - 1, s->text);
}

static void end_round(uint64_t now) {
  bool good = all_quiet && total.sent == total.got;
  if (good && before && total.sent == last_sum && total.text[0]) {
    fflush(stdout);
    cilk_fatal("%s cannot go on: nothing is left to run on any rank, but%s", cilk_main_root.name, total.text);
  }
  before = good;
  last_sum = total.sent;
  next_round = now + PAUSE_NS;
}

void cilk_stuck_ask(uint64_t now) {
  cilk_dist *d = &cilk_dist_here;
  state here;
  if (d->rank || d->size < 2 || waits_for || now < next_round || load_relaxed(&d->stats.lost)) return;
  look_here(&here);
  next_round = now + PAUSE_NS;
  if (!here.quiet) {
    before = false;
    return;
  }
  total = (state){0};
  all_quiet = true;
  take_in(&here);
  round_number++;
  waits_for = d->size - 1;
  for (int r = 1; r < d->size; r++) cilk_letter(r, (cilk_wire){.kind = CILK_WIRE_LOOK, .id = round_number}, NULL);
}

void cilk_stuck_answer(uint64_t id) {
  state here;
  look_here(&here);
  cilk_letter(0, (cilk_wire){.kind = CILK_WIRE_STATE, .id = id, .size = sizeof here}, &here);
}

const char *cilk_stuck_state(const cilk_wire *m, const char *payload) {
  state s;
  if (cilk_dist_here.rank || !waits_for || m->id != round_number || m->size != sizeof s)
    return "it was not asked for, or has another size";
  memcpy(&s, payload, sizeof s);
  s.text[sizeof s.text - 1] = 0;
  take_in(&s);
  if (!--waits_for) end_round(cilk_now_ns());
  return NULL;
}
