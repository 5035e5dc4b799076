/* steal.c - stealing from the head of a deque: the thief's half of the THE protocol (PLDI'98, section 5), and signals.
 *
 * The thief, holding the victim's lock, claims the entry at H by raising E above it, makes the victim fence
 * (cilk_heavy_fence), and then reads T. Either the thief sees that the owner has popped that entry, and retreats, or
 * the owner's pop sees E above T and comes into cilk_rt_pop_exception, which needs the same lock.
 *
 * The heavy fence interrupts every running worker, which costs microseconds (many, on virtual machines). The thief
 * therefore asks before it claims: it names itself in the victim's `requester`, which makes the next pop or test
 * come into the runtime, where the victim gives its head away (cilk_serve). Only if no answer comes in about the
 * time that a fence takes does the thief claim. Two kinds of entries need neither: those below the running segment,
 * which are popped under the lock only, and the closure of the slow clone at a segment's bottom, whose pop is
 * fenced. In lazy programs only slow clones push, so no steal ever needs the heavy fence.
 *
 * What taking the entry means depends on its state:
 *   ATTACHED  a fast clone's closure, the oldest of its segment. It becomes full: its own link is the segment's base
 *             link.
 *   RUNNING   the closure of the slow clone at the bottom of the segment, pushed for its present child.
 *   READY     released, no activation: simply taken (or, while a worker runs deliveries for it, left to that worker).
 * In the first two cases the child that runs on the victim's stack gets a link to the stolen closure, into which the
 * return record moves from that closure's slots. The link becomes the segment's base link before the victim can notice
 * anything. */
#include "steal/steal.h"
#include "steal/barrier.h"
#include "observe/hook.h"
#include "data/policy.h"
#include "data/root.h"

/* c was READY and has just been taken off its deque or the orphans: now it is in w's hand. NULL if a worker runs
 * deliveries for it: the other worker, which has nothing else to do, goes on with it. */
cilk_closure *cilk_take_ready(cilk_worker *w, cilk_closure *c) {
  cilk_closure_lock(c);
  bool mine = load_relaxed(&c->state) == CILK_READY;
  cilk_closure_change(c, mine ? CILK_READY : CILK_DELIVERING, mine ? CILK_TAKEN : CILK_HANDED);
  if (mine) c->worker = w;
  cilk_closure_unlock(c);
  return mine ? c : NULL;
}

/* The bottom closure of s, a slow clone's, is no longer that activation's: the child that runs above it gets a link.
 * The caller updates E. */
static cilk_closure *cilk_detach(cilk_worker *thief, cilk_worker *victim, cilk_segment *s, uint32_t state) {
  cilk_closure *c = s->full;
  cilk_assert_worker_locked(victim);
  cilk_check(*s->base == c);
  cilk_link *child = cilk_link_new(c, victim, s->link);
  cilk_closure_lock(c);
  if (cilk_link_marked(c->link)) {
    store_relaxed(&child->aborted, 1u);
    /* A walk that has marked c's link and waits for c's lock will find neither c RUNNING nor the new link unmarked: it
     * signals no worker. */
    store_relaxed(&victim->ext->signal, 1u);
    cilk_flag_raise(victim);
  }
  cilk_children_add(c, child);
  c->worker = thief;
  CILK_HOOK(detach, thief, victim, c);
  cilk_closure_change(c, CILK_RUNNING, state);
  cilk_closure_unlock(c);
  store_relaxed(&s->full, NULL);
  store_release(&s->link, child); /* the owner's cilk_rt_release reads it without the lock */
  return c;
}

/* H of the victim is claimed by the thief (or the caller is the victim itself); its lock is held. Returns the closure,
 * now in the thief's hand: no other worker runs it, deliveries to it queue. NULL if a deliverer keeps it. */
cilk_closure *cilk_take_head(cilk_worker *thief, cilk_worker *victim) {
  cilk_worker_ext *x = victim->ext;
  cilk_closure **h = load_relaxed(&x->head), *c = *h;
  cilk_assert_worker_locked(victim);
  store_relaxed(&x->head, h + 1); /* other thieves look at H without the lock, as a hint only */
  uint32_t state = load_relaxed(&c->state);
  cilk_segment *s = cilk_segment_at(x, h);
  if (state == CILK_RUNNING) {
    cilk_check(s && s->link && c == s->full);
    return cilk_detach(thief, victim, s, CILK_TAKEN);
  }
  if (state != CILK_ATTACHED) return cilk_take_ready(thief, c);
  cilk_check(s && s->link);
  cilk_link *own = s->link, *child = cilk_link_new(c, victim, own);
  cilk_closure_become_full(c, own, thief, CILK_TAKEN);
  cilk_children_add(c, child);
  if (cilk_link_adopt(own, c)) store_relaxed(&child->aborted, 1u);
  store_release(&s->link, child); /* as above */
  return c;
}

/* The slow clone's closure at the bottom of s, pushed and claimed, stays where it is on the deque. It has no activation
 * then, as if it had been released: the caller delivers to it, then it is READY. */
void cilk_keep_bottom(cilk_worker *victim, cilk_segment *s) {
  s->kept = 1;
  cilk_detach(victim, victim, s, CILK_DELIVERING);
}

/* The victim's lock is held, and its head claimed (or only popped under the lock): may the thief have it? A worker that
 * waits for a nested root takes only what belongs to it (PROTOCOLS.md, section 10), and each only what is its own
 * team's (section 13). */
static bool may_take_head(cilk_worker *thief, cilk_worker_ext *x) {
  cilk_closure **h = load_relaxed(&x->head), *c = *h;
  cilk_root_run *waiting = thief->ext->wait.outside ? NULL : thief->ext->wait.root; /* constant while it steals */
  /* What belongs to a nested scheduler is for its own team. If an entry on this deque does, the nest was counted before
   * the entry was there. */
  if (!waiting && !load_relaxed(&x->ctx->nests)) return true;
  uint32_t state = load_relaxed(&c->state);
  bool attached = state == CILK_ATTACHED || state == CILK_RUNNING;
  const cilk_root_run *root = attached ? cilk_segment_at(x, h)->link->root : cilk_closure_root(c);
  return root->team == thief->ext->team && cilk_root_within(root, waiting);
}

long cilk_left_on_deque(cilk_worker *w, cilk_worker *victim) {
  cilk_worker_ext *x = victim->ext;
  if (!cilk_spin_trylock(&x->lock)) return 0;
  long n = (long)(load_relaxed(&victim->tail) - load_relaxed(&x->head));
  if (n > 0 && !may_take_head(w, x)) n = 0;
  cilk_spin_unlock(&x->lock);
  return n;
}

#define DENIED ((cilk_closure *)1)

/* Owner, its lock held, at a pop or test, or between segments: gives the head to the thief that asks, if it is below
 * limit. */
void cilk_serve(cilk_worker *w, cilk_closure **limit) {
  cilk_worker_ext *x = w->ext;
  cilk_worker *thief = x->requester;
  cilk_closure *c = NULL;
  while (!c) c = load_relaxed(&x->head) < limit && may_take_head(thief, x) ? cilk_take_head(thief, w) : DENIED;
  store_relaxed(&x->requester, NULL);
  cilk_exc_update(w);
  store_release(&thief->ext->gift, c); /* pairs with the acquire in ask */
}

/* How long a heavy fence takes, from the last ones. A hint, shared by all. */
static uint64_t fence_ns = CILK_ASK_FIRST_NS;

static bool heavy_fence(cilk_worker *victim) {
  uint64_t t = cilk_now_ns(), old = load_relaxed(&fence_ns);
  bool done = cilk_heavy_fence(victim);
  t = cilk_now_ns() - t;
  t = (old * 7 + t) / 8;
  store_relaxed(&fence_ns, t < CILK_ASK_MIN_NS ? CILK_ASK_MIN_NS : t > CILK_ASK_MAX_NS ? CILK_ASK_MAX_NS : t);
  return done;
}

/* The victim's lock is held, and is again afterwards. Asks the victim for its head and waits about as long as the fence
 * would take: fine-grained code answers sooner at its next pop or test, without being interrupted. NULL: no answer, or
 * refused. */
static cilk_closure *ask(cilk_worker *thief, cilk_worker *victim) {
  cilk_worker_ext *x = victim->ext, *me = thief->ext;
  CILK_HOOK(ask, thief);
  store_relaxed(&me->gift, NULL);
  store_relaxed(&x->requester, thief);
  cilk_exc_update(victim);
  cilk_worker_unlock(victim);
  uint64_t until = cilk_now_ns() + load_relaxed(&fence_ns);
  cilk_closure *c;
  do {
    CILK_HOOK(ask_waits, thief);
    for (int i = 0; i < CILK_ASK_LOOKS && !(c = load_acquire(&me->gift)); i++) cilk_pause();
  } while (!c && cilk_now_ns() < until);
  cilk_worker_lock(victim);
  if (x->requester == thief) store_relaxed(&x->requester, NULL); /* withdrawn; E is put right by the caller */
  else c = load_acquire(&me->gift);
  return c == DENIED ? NULL : c;
}

/* Lock held: claims the entry at `place`. The store is made even where E is high enough already, as it pairs with the
 * pop's load of E after its store of T. */
static void claim(cilk_worker *victim, cilk_closure **place) {
  cilk_closure **e = load_relaxed(&victim->exc), **own = load_relaxed(&victim->ext->exc);
  store_relaxed(&victim->ext->exc, own > place ? own : place + 1);
  store_seq_cst(&victim->exc, e > place ? e : place + 1);
}

/* The end of an attempt: E as it was, the lock free. */
static cilk_closure *stolen(cilk_worker *thief, cilk_worker *victim, cilk_closure *c) {
  cilk_exc_update(victim);
  cilk_worker_unlock(victim);
  if (c) CILK_HOOK(steal, thief, victim, c);
  return c;
}

/* The same where steps have an order: all pops that take something take the lock, so the lock is enough. In a replay it
 * is known that the head can be had. */
static cilk_closure *steal_in_order(cilk_worker *thief, cilk_worker *victim) {
  cilk_worker_ext *x = victim->ext;
  const cilk_steps *steps = cilk_steps_of(thief);
  bool sure = steps->replays;
  if (!steps->may_steal(thief, victim) || (!sure && load_relaxed(&x->head) >= load_relaxed(&victim->tail))) return NULL;
  cilk_worker_lock(victim);
  cilk_closure **h = load_relaxed(&x->head), *c = NULL;
  const cilk_segment *s = x->seg;
  /* pairs with the push's release: the slots are visible */
  if (sure || (load_acquire(&victim->tail) > h && !(s && h >= s->base && s->unwinding) && may_take_head(thief, x))) {
    c = cilk_take_head(thief, victim);
    steps->stolen(thief, victim, c);
  }
  return stolen(thief, victim, c);
}

/* Tries to take the closure at the victim's head. NULL if there was none. */
cilk_closure *cilk_steal(cilk_worker *thief, cilk_worker *victim) {
  cilk_worker_ext *x = victim->ext;
  cilk_closure *c = NULL;
  bool asked = false;
  CILK_HOOK(attempt, thief);
  if (cilk_ordered(thief)) return steal_in_order(thief, victim);
  /* A look without the lock: nothing is disturbed where nothing can be had. Both loads are hints. */
  if (load_relaxed(&x->head) >= load_relaxed(&victim->tail)) {
    CILK_HOOK(attempt_is_vain, thief);
    return NULL;
  }
  CILK_HOOK(between, thief);
  if (!cilk_spin_trylock(&x->lock)) {
    CILK_HOOK(attempt_meets_lock, thief);
    return NULL;
  }
  for (;;) {
    cilk_closure **h = load_relaxed(&x->head), **t = load_acquire(&victim->tail);
    cilk_segment *s = x->seg;
    if (h >= t) {
      CILK_HOOK(attempt_is_vain, thief);
      break;
    }
    if (!s || h < s->base) {
      /* Below the running segment: only pops that take the lock go there. */
      if (!may_take_head(thief, x) || (c = cilk_take_head(thief, victim))) break;
      continue;
    }
    if (s->unwinding) {
      CILK_HOOK(attempt_meets_abort, thief);
      break;
    }
    if (x->requester) {
      CILK_HOOK(attempt_meets_lock, thief);
      break;
    }
    /* The bottom entry, when a slow clone pushed it: the pop of a slow clone is fenced, too. */
    bool fenced = h == s->base && s->slow;
    /* A single entry is refused at its own pop: asking for it is vain. */
    if (!fenced && !asked && t - h >= 2) {
      asked = true;
      if ((c = ask(thief, victim))) break;
      continue; /* anything may have changed by now */
    }
    claim(victim, h);
    CILK_HOOK(between, thief);
    if (!fenced) {
      CILK_HOOK(fence, thief);
      if (!heavy_fence(victim)) { /* nothing is known about T: retreat */
        CILK_HOOK(attempt_is_late, thief);
        break;
      }
    }
    /* Sequentially consistent against fenced pops, and an acquire that pairs with the push's release: the slots are
     * visible. */
    if (load_seq_cst(&victim->tail) > h && may_take_head(thief, x))
      c = cilk_take_head(thief, victim); /* NULL only if a deliverer keeps it */
    else CILK_HOOK(attempt_is_late, thief);
    break;
  }
  return stolen(thief, victim, c);
}

cilk_closure *cilk_take_heads(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_closure *c = NULL;
  cilk_worker_lock(w);
  while (!c && load_relaxed(&x->head) < load_relaxed(&w->tail)) {
    const cilk_segment *s = x->seg;
    if (s && load_relaxed(&x->head) >= s->base && s->unwinding) break;
    c = cilk_take_head(w, w);
  }
  return stolen(w, w, c);
}

cilk_closure *cilk_take_below(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_closure *c = NULL;
  cilk_worker_lock(w);
  while (!c && load_relaxed(&x->head) < x->floor && may_take_head(w, x)) c = cilk_take_head(w, w);
  return stolen(w, w, c);
}

/* p was RUNNING at the victim. True: it was pushed, at a spawn, and now w has it for a delivery: HANDED if it could
 * be stolen from the head, else DELIVERING, at its place among older entries (or below a nested root of w's own). */
bool cilk_stop_parent(cilk_worker *w, cilk_worker *victim, cilk_closure *p) {
  cilk_worker_ext *x = victim->ext;
  cilk_closure *c = NULL;
  bool mine = false;
  CILK_HOOK(attempt, w);
  if (cilk_ordered(w)) cilk_steps_of(w)->await_stop(w, victim, p);
  cilk_worker_lock(victim);
  cilk_segment *s = x->seg;
  while (s && load_relaxed(&s->full) != p) s = s->outer;
  if (s && !s->unwinding) {
    /* below a nested root nothing is popped before the segments of that root end, under the lock */
    if (s == x->seg) claim(victim, s->base); /* p's pop is fenced: no heavy fence is needed */
    /* The bottom entry of a segment; or, while p runs a thread that called a nested root, some other closure. */
    mine = load_seq_cst(&victim->tail) > s->base && load_relaxed(s->base) == p;
    if (cilk_ordered(w)) mine = cilk_steps_of(w)->stopped(w, victim, mine);
    if (!mine) CILK_HOOK(attempt_is_late, w);
    else if (w != victim && load_relaxed(&x->head) == s->base) {
      c = cilk_take_head(w, victim);
      cilk_closure_lock(p);
      cilk_closure_change(p, CILK_TAKEN, CILK_HANDED);
      cilk_closure_unlock(p);
    } else cilk_keep_bottom(victim, s);
  }
  stolen(w, victim, c);
  return mine;
}

/* Makes the worker come into the runtime at its next pop or test. The caller's earlier stores are visible to it then:
 * the flag is cleared under the same lock (signal), or by an acquiring exchange (release). */
void cilk_signal(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_worker_lock(w);
  store_relaxed(&x->signal, 1u); /* the owner looks without the lock, as a hint */
  cilk_exc_update(w);
  cilk_worker_unlock(w);
  cilk_flag_raise(w);
}

void cilk_hurry(cilk_worker *w) {
  store_relaxed(&w->ext->late, 1u); /* seen with the signal */
  cilk_signal(w);
}
