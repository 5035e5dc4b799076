/* options.h - the run-time options of a context. */
#ifndef CILK_RT_OPTIONS_H
#define CILK_RT_OPTIONS_H

#include "base/base.h"

enum cilk_stats_form { CILK_STATS_TEXT, CILK_STATS_JSON, CILK_STATS_LINE };
enum cilk_force { CILK_FORCE_OFF = 0, CILK_FORCE_NEVER, CILK_FORCE_ALWAYS, CILK_FORCE_RANDOM };

typedef struct cilk_replay {
  bool on;
  uint64_t seed;
  int depth;                       /* pct; 0: replay at random */
  uint64_t steps;                  /* pct */
  const char *list;                /* turns; NULL: by the seed */
} cilk_replay;

typedef struct cilk_options {
  int nproc;
  bool nproc_chosen;               /* by --nproc or CILK_NPROC, and not 0 */
  int stats;                       /* the level of the report; 0: none */
  enum cilk_stats_form stats_form;
  const char *stats_file;          /* --stats-file; NULL: stderr */
  int alloc_batch;
  int yield;
  int watchdog;                    /* seconds; 0: none */
  int dump_core;
  enum cilk_force force;
  int nodes;                       /* CILK_NODES: memory nodes to assume; -1: ask the machine */
  /* CILK_PROCESSORS: how many thieves may be awake at once; 0: as many as there are processors */
  uint32_t processors;
  const char *sched;               /* --sched: NAME or NAME:options */
  cilk_replay replay;              /* --sched=replay, pct */
  const char *record_file, *replay_file;   /* --sched=record:FILE, --sched=replay:FILE[:P]; NULL: none */
  int replay_places;               /* that P; 0: as many as there are workers */
  const char *words;               /* the program's own arguments, each with a zero after it */
  size_t words_bytes;
  size_t stack_entries;            /* --stack */
  size_t stack_bytes;              /* --pthread-stacksize */
  uint64_t seed;
  bool critical_path;              /* time stamps in the closures of Cilk-1 */
  int simulate;                    /* virtual processors for Cilk-1; 0: none */
  /* what things cost there: ns, or units in a program that counts them */
  uint64_t simulate_steal, simulate_send, simulate_thread;
  uint64_t simulate_rank, simulate_latency, simulate_kb;   /* processors of a rank, 0: all are of one */
  /* --post=owner: a completed closure of Cilk-1 goes to its owner, not to the sender */
  bool post_owner;
  const char *checkpoint_file, *restart_file;   /* travel/; NULL: none */
  bool inspect;                    /* restart_file is only looked at */
  uint64_t every;                  /* ns; 0: only when asked */
  int checkpoint_ends;             /* the signal after whose checkpoint the process ends; 0: none */
  int elastic;                     /* so many workers can run, --nproc of them do at first; 0: all run all the time */
  uint64_t pin_mask;               /* 0: inherit */
} cilk_options;

/* Takes the Cilk options out of argc/argv. 0: go on; 1: --help or --version was printed; 2: wrong options, said so on
 * stderr. */
int cilk_options_parse(cilk_options *o, int *argc, char **argv);
int cilk_word_distance(const char *a, const char *b);   /* how many letters differ */

#endif
