/* steal.h - taking closures from under activations and off deques; signals. */
#ifndef CILK_RT_STEAL_H
#define CILK_RT_STEAL_H

#include "data/closure.h"
#include "data/deque.h"

cilk_closure *cilk_steal(cilk_worker *thief, cilk_worker *victim);
/* all are idle: how many entries are there, if w could take the oldest */
long cilk_left_on_deque(cilk_worker *w, cilk_worker *victim);
/* own, between segments: the oldest entry of this deque, in hand; NULL: none is left, or what runs there unwinds */
cilk_closure *cilk_take_heads(cilk_worker *w);
/* from its own deque, what is below its innermost loop; NULL: nothing */
cilk_closure *cilk_take_below(cilk_worker *w);
/* so that w can deliver, wherever p is pushed */
bool cilk_stop_parent(cilk_worker *w, cilk_worker *victim, cilk_closure *p);
/* victim's lock held, head claimed; NULL: a deliverer has it */
cilk_closure *cilk_take_head(cilk_worker *thief, cilk_worker *victim);
/* s->full is pushed; lock held, claimed: DELIVERING, in its place */
void cilk_keep_bottom(cilk_worker *victim, cilk_segment *s);
/* off its deque; no other closure's lock held. NULL: a deliverer has it */
cilk_closure *cilk_take_ready(cilk_worker *w, cilk_closure *c);
/* owner, lock held: answers the requester */
void cilk_serve(cilk_worker *w, cilk_closure **limit);
void cilk_signal(cilk_worker *w);                                           /* no lock held */
/* the same, and its next pop or test asks the scheduler */
void cilk_hurry(cilk_worker *w);

#endif
