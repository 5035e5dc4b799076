/* events.h - event hooks for profilers, tracers and detectors. Compiled out by default; -DCILK_EVENTS calls cilk_event_hook, which a
 * tool sets before the first computation. The hook runs on the worker that the event happens on, perhaps with locks held: it must
 * not call the runtime. */
#ifndef CILK_RT_EVENTS_H
#define CILK_RT_EVENTS_H

enum cilk_event {
  CILK_EV_SPAWN,      /* generated code of event builds; object: the closure pushed */
  CILK_EV_SYNC,       /* object: the closure that reached a sync */
  CILK_EV_STEAL,      /* object: the closure taken; other: the victim */
  CILK_EV_DELIVER,    /* object: the parent; other: the link */
  CILK_EV_RELEASE,    /* object: the youngest closure of the chain */
  CILK_EV_INLET,      /* object: the parent whose inlet body runs */
  CILK_EV_ABORT,      /* object: the closure whose children are aborted */
  CILK_EV_RUN,        /* object: the closure whose slow clone is entered */
  CILK_EV_RETURN      /* object: the closure that returned */
};

#ifdef CILK_EVENTS
typedef void cilk_event_fn(enum cilk_event kind, int worker, const void *object, const void *other);
extern cilk_event_fn *cilk_event_hook;
#define CILK_EVENT(kind, w, object, other) \
  (cilk_event_hook ? cilk_event_hook((kind), (w)->id, (object), (other)) : (void)0)
#else
#define CILK_EVENT(kind, w, object, other) ((void)0)
#endif

#endif
