/* strands.h - what the files of rt/tools/strands share.
 */
#ifndef CILK_STRANDS_H
#define CILK_STRANDS_H
#include <stdbool.h>
#include <stdlib.h>
#include "abi.h"

#pragma GCC visibility push(hidden)

typedef uint32_t strand;        /* 0: none */

/* ---- order.c ---- */

enum { FIRST_STRAND = 2 };
/* a, which was first in time, is ... of b: before it in every schedule; after it (b's cell was written for a child
 * before the child ran); parallel to it, and in the serial order to its left or its right */
enum relation { STRAND_BEFORE, STRAND_AFTER, STRAND_LEFT, STRAND_RIGHT };
enum relation strands_relation(strand a, strand b);
static inline bool strands_parallel(enum relation r) { return r >= STRAND_LEFT; }
void strands_order_start(void);
bool strands_all_over(void);    /* nothing is parallel to the running strand */
void strands_noted(void); /* the running strand, or one that is younger, is in a cell from now on */

/* ---- shadow.c ---- */

void strands_shadow_start(void);

/* ---- report.c ---- */

/* Two accesses are parallel: the serial detector has to say whether that is a race. */
void strands_found(const void *p, const cilk_race_site *at);
extern bool strands_all;        /* the run goes on after what is found (report.c) */
void strands_library(void); /* library.c is linked */

void *strands_reserve(uint64_t bytes, uint64_t at, const char *what);

#pragma GCC visibility pop
#endif
