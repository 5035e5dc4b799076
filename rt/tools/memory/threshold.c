/* threshold.c - the approximate question: may p workers have more than M bytes? A few numbers for each running
 * instance, whatever p is.
 *
 * Each running strand of a state is charged T = M / (2 p), and the number of workers is not bounded. Let H be the most
 * that a state can have then.
 *   H <= M/2: a state of at most p workers has at most H + p T <= M. So M is never exceeded.
 *   H >  M/2: the state that has it exceeds M/2. If it has at most p workers that is the answer. If it has more, each
 *        of them brings at least T, or it would be left out. So
 *             any p of them have p T = M/2, unless what they share is negative (`debt`): a past that has freed more
 *             than it allocated. Then the answer is not known.
 * The recurrence is that of marks.c, with one number in place of p. */
#define _GNU_SOURCE
#include <stdlib.h>
#include "memory.h"

typedef struct best {
  int64_t bytes;                        /* charged; doubled and times p, so that T is a whole number */
  uint64_t workers;
  bool debt;
} best;

typedef struct frame {
  /* past: of the instance itself and of children that are done, where that is more */
  int64_t total, past, balance, peak;
  struct {
    best left, mark;
  } of[MEMORY_QUESTIONS];
  bool touched;
} frame;

static frame *frames, *top;
static size_t depth_limit;

static unsigned questions(void) { return memory_settings.questions; }
static int64_t scaled(unsigned i, int64_t bytes) { return 2 * (int64_t)memory_settings.asked[i] * bytes; }

void memory_threshold_start(void) { top = frames = memory_reserve(&depth_limit, sizeof *frames); }

void memory_threshold_enter(void) {
  if ((size_t)(top - frames) + 2 >= depth_limit) memory_fail("the recursion is too deep to be followed");
  *++top = (frame){0};
}

void memory_threshold_changed(int64_t bytes) {
  top->touched = true;
  top->balance += bytes;
  if (top->balance > top->peak) top->peak = top->balance;
}

static void better(best *b, best than) {
  if (than.bytes > b->bytes) *b = than;
}

static void look(frame *f) {
  for (unsigned i = 0; i < questions(); i++) {
    best b = f->of[i].left;
    b.debt |= f->past < 0;
    if (b.workers) better(&f->of[i].mark, b);
    b = f->of[i].left;
    b.bytes += scaled(i, f->peak) - memory_settings.threshold;
    b.workers++;
    b.debt |= f->past + f->peak < 0;
    better(&f->of[i].mark, b);
  }
}

void memory_threshold_strand_ends(void) {
  frame *f = top;
  if (!f->touched) return;
  look(f);
  for (unsigned i = 0; i < questions(); i++) f->of[i].left.bytes += scaled(i, f->balance);
  f->past += f->balance;
  f->total += f->balance;
  f->balance = f->peak = 0;
  f->touched = false;
}

void memory_threshold_sync(void) {
  memory_threshold_strand_ends();
  look(top);
  top->past = top->total;
  for (unsigned i = 0; i < questions(); i++) top->of[i].left = (best){.bytes = scaled(i, top->total)};
}

void memory_threshold_joined(bool spawned) {
  memory_threshold_strand_ends();
  look(top);
  frame *child = top--, *f = top;
  int64_t least = spawned && child->total < 0 ? 0 : child->total;
  for (unsigned i = 0; i < questions(); i++) {
    best *left = &f->of[i].left, mark = child->of[i].mark;
    if (spawned && mark.bytes > scaled(i, least)) {
      left->bytes += mark.bytes;
      left->workers += mark.workers;
      left->debt |= mark.debt;
      continue;
    }
    if (!spawned) {
      mark.bytes += left->bytes;
      mark.workers += left->workers;
      mark.debt |= left->debt || f->past < 0;
      if (child->of[i].mark.workers) better(&f->of[i].mark, mark);
    }
    left->bytes += scaled(i, least);
  }
  f->past += least;
  f->total += child->total;
}

int memory_threshold_answer(unsigned i) {
  best b = top->of[i].mark;
  int64_t half = (int64_t)memory_settings.asked[i] * memory_settings.threshold;      /* M/2, scaled */
  if (b.bytes <= half) return -1;
  return b.workers <= memory_settings.asked[i] || !b.debt ? 1 : 0;
}
