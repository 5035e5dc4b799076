/* memory.h - data shared by the files of rt/tools/memory. */
#ifndef CILK_MEMORY_H
#define CILK_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include "abi.h"

typedef cilk_memory_site site;
typedef cilk_memory_procedure procedure;

/* Groups: what a mark is made up of. The first GROUPS - 1 sites and procedures that allocate have one each, the last is
 * for all others. */
enum { GROUPS = 31, MOST_WORKERS = 1024, MEMORY_QUESTIONS = 16 };

/* Bytes of each group and, first, of all together. */
typedef struct row {
  int64_t in[1 + GROUPS];
} row;

extern struct memory_settings {
  const char *report; /* file; null: this process reports nothing */
  unsigned asked[MEMORY_QUESTIONS], questions; /* numbers of workers */
  unsigned workers; /* the largest of them */
  int64_t threshold; /* of the approximate question; 0: not asked */
  bool heap_alone; /* closures do not count */
  bool parallel; /* only what the heap has is measured */
} memory_settings;

/* marks.c */
void memory_marks_start(void);
void memory_marks_finish(void);
void memory_changed(uint64_t group, int64_t bytes); /* the running strand allocates, or frees */
/* the group of a site or procedure, given at its first use */
unsigned memory_group(uint64_t *of, const char *kind, const void *record);
typedef struct group {
  const char *kind;
  const void *record;
} group; /* "site", "procedure", "others" */
extern group memory_groups[GROUPS];
extern unsigned memory_ngroups;
extern size_t memory_row_bytes; /* of a row that is in use: no more groups than the program can have */
const row *memory_mark(unsigned workers);
/* Is that row the mark, or a bound of it? Not if it would be the mark of more workers than are followed. */
bool memory_mark_holds(unsigned workers);
extern row memory_serial_now, memory_serial_most; /* of this very run */
extern uint64_t memory_instances, memory_spawns;
const procedure *memory_running(void); /* null: none */
extern uint64_t memory_waiting; /* instances that touched futures of others */

/* threshold.c: the same frames, a few numbers each. */
void memory_threshold_start(void);
void memory_threshold_enter(void);
void memory_threshold_changed(int64_t bytes);
void memory_threshold_strand_ends(void);
void memory_threshold_sync(void);
void memory_threshold_joined(bool spawned);
/* -1: never more than the threshold; 1: more than half of it; 0: not known */
int memory_threshold_answer(unsigned question);

/* blocks.c */
void memory_block_made(void *p, size_t bytes, site *from);
bool memory_block_gone(void *p, size_t *bytes, site **from);
int64_t memory_heap_most(void);

void memory_fail(const char *what) __attribute__((noreturn));
/* address space for 4 million frames, or fewer, of which only what is used becomes memory */
void *memory_reserve(size_t *limit, size_t each);

extern site memory_sites_begin[] __asm__("__start_cilk_memory_site") __attribute__((weak, visibility("hidden")));
extern site memory_sites_end[] __asm__("__stop_cilk_memory_site") __attribute__((weak, visibility("hidden")));
extern procedure memory_procedures_begin[] __asm__("__start_cilk_memory_procedure")
    __attribute__((weak, visibility("hidden")));
extern procedure memory_procedures_end[] __asm__("__stop_cilk_memory_procedure")
    __attribute__((weak, visibility("hidden")));

#endif
