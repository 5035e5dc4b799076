/* slots.h - the functions of slots.def. */
#ifndef CILK_RT_SLOTS_H
#define CILK_RT_SLOTS_H

#include "base/base.h"

#pragma GCC visibility push(default)
#include <cilk-sched.h>
#pragma GCC visibility pop

typedef struct CilkContext cilk_context;
typedef struct cilk_computation cilk_computation;
typedef struct cilk_nest cilk_nest;
typedef struct cilk_options cilk_options;
typedef struct cilk_root_run cilk_root_run;
typedef struct cilk_team cilk_team;
typedef struct cilk_worker_ext cilk_worker_ext;
struct cilk1_pool;
struct cilk_engine;
struct cilk_policy;
struct cilk_seat;
struct cilk_seat_stack;

#define CILK_SLOT(extension, result, name, parameters, ...) result name parameters;
#include "data/slots.def"
#undef CILK_SLOT

#endif
