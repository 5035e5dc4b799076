/* hook.h - the one hook of a step of the protocols: CILK_HOOK(step, w, ...).
 *
 * hooks.def has a row for each step, which says what the step calls. The order of steps and controlled schedules may
 * hold the worker; observers (statistics, traces, work and span) change nothing. A row becomes an inline function
 * here, so that an observer that is off costs what its own test costs. Events cost nothing but in the flavour
 * `trace`. The files of the protocols name no observer (tests/house/test_layers.py). */
#ifndef CILK_RT_HOOK_H
#define CILK_RT_HOOK_H

#include "data/policy.h"
#include "data/step.h"
#include "observe/events.h"
#include "observe/span.h"
#include "observe/stats.h"

#define BEGIN(kind) cilk_step_begin(w, CILK_STEP_##kind);
#define END cilk_step_end(w);
#define POINT(kind) cilk_point(w, CILK_TURN_##kind);
#define COUNT(id) cilk_count(w, CILK_N_##id);
#define COUNT_N(id, n) cilk_count_n(w, CILK_N_##id, n);
#define COUNT_IF(yes, id) \
  if (yes) cilk_count(w, CILK_N_##id);
#define SEARCH(ns) cilk_stats_search(w, ns);
#define EVENT(kind, object, other) \
  (void)(object), (void)(other); \
  CILK_EVENT(kind, w, object, other);
#define SPAN(what, ...) \
  if (load_relaxed(&cilk_span_used)) cilk_span_##what(w __VA_OPT__(, ) __VA_ARGS__);

#define CILK_HOOK_ROW(name, parameters, observers) \
  static inline void cilk_hook_##name parameters { \
    (void)w; \
    observers \
  }
#include "observe/hooks.def"
#undef CILK_HOOK_ROW

#undef BEGIN
#undef END
#undef POINT
#undef COUNT
#undef COUNT_N
#undef COUNT_IF
#undef SEARCH
#undef EVENT
#undef SPAN

#define CILK_HOOK(step, ...) cilk_hook_##step(__VA_ARGS__)

/* ---- what an observer answers ---- */

/* A future keeps the span of the child that filled it where its waiters were. NULL: spans are not measured. */
static inline cilk_link *cilk_hook_path_of_future(cilk_worker *w) {
  return load_relaxed(&cilk_span_used) ? cilk_span_of_future(w) : NULL;
}

#endif
