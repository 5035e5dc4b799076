/* events.h - what happens, for tools: the one list of events, and the hook at each place. The flavour `trace` keeps
 * them (trace.c); in all others CILK_EVENT is nothing. Locks may be held where an event is noted. */
#ifndef CILK_RT_EVENTS_H
#define CILK_RT_EVENTS_H

#include "data/worker.h"

enum cilk_event {
#define CILK_EVENT_KIND(id, name, is, object, other) CILK_EV_##id,
#include "observe/events.def"
#undef CILK_EVENT_KIND
  CILK_EVENTS
};

#ifdef CILK_TRACE
void cilk_event(cilk_worker *w, enum cilk_event kind, const void *object, const void *other);
#define CILK_EVENT(kind, w, object, other) cilk_event((w), CILK_EV_##kind, (object), (other))
#else
#define CILK_EVENT(kind, w, object, other) ((void)0)
#endif

#endif
