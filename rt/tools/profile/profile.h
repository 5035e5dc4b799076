/* profile.h - the profiler's data, shared by the files of rt/tools/profile.
 *
 *   strands.c   work and span of instances, strand by strand; which child is the longest; the same for programs that
 *               were changed (what-if)
 *   futures.c   ends of futures; where the critical path runs in programs that have them
 *   locks.c     work under locks
 *   tree.c      contexts: the spawn tree with recursion folded
 *   dag.c       the spawn dag itself, equal parts shared
 *   report.c    the report
 *   start.c     what this run is to do; the begin and end of the program
 */
#ifndef CILK_PROFILE_H
#define CILK_PROFILE_H
#include <stdbool.h>
#include <stddef.h>
#include "abi.h"

typedef cilk_profile_line line;
typedef cilk_profile_site site;
typedef cilk_profile_procedure procedure;

typedef cilk_profile_tally tally;

/* A context: a procedure, and the spawn in another context that leads to it. A procedure that is above already is
 * that context again: recursion is folded, so there are no more contexts than the text has reasons for. */
typedef struct node {
  struct node *up, *children, *next;
  const site *from;                    /* null: called, not spawned */
  const procedure *of;                 /* null: what is above all procedures */
  uint64_t instances;
  uint64_t units[2];                   /* of its strands, off and on the critical path */
  uint32_t number;
} node;
extern node *profile_root;
node *profile_context(node *up, site *from, const procedure *of);

/* The running instances, a stack. */
typedef struct frame {
  uint64_t start, burdened_start;      /* from the begin of the program to that of the instance */
  /* from the begin of the instance: here, and at the end of the longest child since the last sync */
  uint64_t prefix, longest;
  uint64_t burdened_prefix, burdened_longest;
  /* units of its strands, off and on the critical path. At its end its context, procedure and spawn get them */
  uint64_t own[2];
  uint64_t before;                     /* units of the program when it began: what came since is its work */
  node *where;
  site *from;                          /* null: called */
  procedure *of;
  uint64_t number;                     /* of the instance, from 1 */
  /* units on the critical path when it began, where this is the outermost instance of its procedure, of its spawn */
  uint64_t on_before[2];
  uint64_t block;                      /* the sync block's number + 1; 0: nothing spawned in it yet */
  uint32_t child, best;                /* which child was spawned last, which is the longest; from 1. 0: none */
  uint32_t decided;                    /* in a run that knows: the longest; 0: the parent's own strands */
  /* Deliveries that run alone: of this child, where it ended before its delivery; of the children since the last sync,
   * their sum, the first that could begin and whose. */
  uint64_t ended, burdened_ended;
  uint64_t alone, first, burdened_first;
  uint32_t first_child;
  uint64_t first_left; /* when that left (futures.c) */
  site *last, *best_from; /* the last spawn since the last sync; that of the longest child */
  uint64_t best_length, children; /* its span; the work of all children since the last sync */
  uint64_t best_left; /* of the longest child: when it left (futures.c) */
  uint32_t futures; /* its own, that have ended since the last sync */
  uint32_t fills; /* the future that this child fills; 0: none */
  bool in_turn; /* profile_log_inlet, of its own delivery */
  bool on, now_on; /* the critical path goes through this instance; through its running strand */
} frame;

/* Paths of one changed program. In half units. */
typedef struct path {
  uint64_t start, prefix, longest, ended, alone, first;
} path;

/* The length of one strand, or path, in a changed program. In half units. */
/* what it costs to halve the iterations that are left, in units */
enum { PROFILE_CHANGES = 64, PROFILE_HALVING = 40 };

typedef struct change {
  /* of the line that is free, or twice as fast; null: a loop's iterations are parallel */
  const char *file;
  uint32_t line;
  /* half units for each unit of that line; PROFILE_NO_SYNC: syncs after a spawn in that line are not there */
  uint32_t keeps;
  const cilk_profile_loop *loop;
  line **records; /* of that line */
  uint64_t seen; /* of the line, when the last strand ended */
  uint64_t span, work; /* results, half units */
} change;

extern struct profile_settings {
  const char *report; /* file; null: this process reports nothing */
  const char *decisions; /* file: written by the first run, read by the others */
  const char *dag; /* file; null: it is not recorded */
  bool dag_locks; /* its strands end at locks, too */
  /* units that a steal costs, on the continuation of a spawn and on the way from a child to its sync */
  uint64_t burden;
  unsigned nchanges;
  change changes[PROFILE_CHANGES];
} profile_settings;

/* Results, when the last instance has ended. */
extern struct profile_totals {
  uint64_t work, span, burdened_span, spawns, syncs, instances, strands;
  uint64_t blocks; /* sync blocks that spawned */
  uint64_t before; /* the same in the first run, if this run was given it */
  /* the section between two questions for work and span (<timing.cilkh>) */
  uint64_t sections, section_work, section_span;
  uint64_t alone; /* of the span: inlets and op= that waited for each other */
  /* the critical path was known from the start: units[1] of lines and contexts are right */
  bool knows;
  bool lost; /* too many decisions to keep */
} profile_totals;

enum { PROFILE_NO_SYNC = 3 };
/* in a decision: all deliveries of the block that run alone are on the path, one after the other */
enum { PROFILE_ALONE = 1u << 31 };

uint64_t profile_work(void); /* of the program, until the last end of a strand */
uint64_t profile_locked(unsigned change); /* the largest lock's work in a changed program, half units */
void profile_locks(void (*each)(const cilk_profile_locked *, uint64_t sections, uint64_t work, uint64_t longest));

extern bool profile_timed; /* the length of a strand is its time, in ns */
typedef struct workspan {
  uint64_t work, span, burdened;
} workspan;
workspan profile_here(void); /* of the program, from its begin to here on the path of the running instance */
uint64_t profile_changed_here(unsigned change); /* the same path in a changed program, half units */
void profile_scale_start(bool timed); /* scale.c: the report is a table of Cilkscale's */

void profile_strands_start(void);
void profile_strands_finish(void); /* all instances end here */
bool profile_decisions_read(const char *file);
void profile_decisions_write(const char *file);
void profile_report(const char *file, int status);

/* Futures (futures.c). The log: for each begin and end of an instance, sync and touch, in a program that touches. */
extern bool profile_log;
extern frame *profile_top;
path *profile_paths_of(frame *);
void profile_futures_start(void);
/* both as they are before the child becomes part of the owner */
void profile_futures_joined(frame *child, frame *owner);
void profile_futures_synched(frame *);
void profile_log_begin(bool spawned);
uint64_t profile_log_end(bool spawned, bool inlet); /* when that was; inlet: it takes the result */
/* What a sync waited for: nothing; its longest child; its inlets, after the own strands or after its first child. */
enum profile_waited { PROFILE_NOT, PROFILE_LONGEST, PROFILE_INLETS, PROFILE_FIRST, PROFILE_WAITS };
void profile_log_sync(enum profile_waited, uint64_t left); /* for the child that left then */
/* an inlet begins; a run that knows: is it on the path as one of several in turn? */
bool profile_log_inlet(void);
void profile_log_finish(void); /* all instances are over */
void profile_strand_ends(uint64_t units);
void profile_strand_begins(void);
/* a run that knows: is the strand that begins here on the path? */
bool profile_on(void);
size_t profile_log_words(void);
const uint32_t *profile_log_bits(void);
void profile_log_know(const uint32_t *bits, size_t words);

/* The dag (dag.c), where it is recorded: reported by strands.c. */
extern bool profile_dag;
extern uint64_t profile_dag_units; /* of the running strand */
void profile_dag_start(void);
void profile_dag_enter(void); /* an instance begins */
void profile_dag_spawn(const site *); /* a strand ends: by a spawn, by a call */
void profile_dag_call(const procedure *);
void profile_dag_future(uint64_t *owner, uint64_t *number); /* the running child fills a future: which that is */
void profile_dag_touch(const site *, const procedure *, uint64_t owner, uint64_t number, bool waits);
/* alone: deliveries one after the other are the longest. `children` were out, number `best` was the longest; 0: none
 * was longer than the strands between them */
void profile_dag_sync(uint32_t children, uint32_t best, bool alone);
void profile_dag_end(void);
/* a strand ends: it has taken the lock, or releases it. Only if the dag is recorded with locks */
void profile_dag_lock(uint64_t lock, bool taken);
void profile_dag_joined(const procedure *, uint64_t work, uint64_t span, bool spawned);
void profile_dag_inlet(const char *name);
void profile_dag_abort(void);
void profile_dag_write(const char *file, uint64_t work, uint64_t span);
void profile_fail(const char *what) __attribute__((noreturn));
/* reserves address space for `count` items, or fewer: only what is used becomes memory */
void *profile_reserve(size_t *count, size_t each);

/* The sections of the image. */
extern line profile_lines_begin[] __asm__("__start_cilk_profile_line") __attribute__((weak, visibility("hidden")));
extern line profile_lines_end[] __asm__("__stop_cilk_profile_line") __attribute__((weak, visibility("hidden")));
extern cilk_profile_loop profile_loops_begin[] __asm__("__start_cilk_profile_loop")
    __attribute__((weak, visibility("hidden")));
extern cilk_profile_loop profile_loops_end[] __asm__("__stop_cilk_profile_loop")
    __attribute__((weak, visibility("hidden")));
extern site profile_sites_begin[] __asm__("__start_cilk_profile_site") __attribute__((weak, visibility("hidden")));
extern site profile_sites_end[] __asm__("__stop_cilk_profile_site") __attribute__((weak, visibility("hidden")));
extern cilk_profile_touched profile_touches_begin[] __asm__("__start_cilk_profile_touched")
    __attribute__((weak, visibility("hidden")));
extern cilk_profile_touched profile_touches_end[] __asm__("__stop_cilk_profile_touched")
    __attribute__((weak, visibility("hidden")));
static inline bool profile_touches(void) { return (uintptr_t)profile_touches_begin != (uintptr_t)profile_touches_end; }
extern procedure profile_procedures_begin[] __asm__("__start_cilk_profile_procedure")
    __attribute__((weak, visibility("hidden")));
extern procedure profile_procedures_end[] __asm__("__stop_cilk_profile_procedure")
    __attribute__((weak, visibility("hidden")));

#endif
