/* outcome.h - how a recorded run ended: its status, and sums of what it wrote. */
#ifndef CILK_RT_OUTCOME_H
#define CILK_RT_OUTCOME_H

#include "base/base.h"

#include <sys/types.h>

/* What is known of a run. The output is known apart (OUT, ERR), or together where both go to one place. */
enum { CILK_KNOWS_STATUS = 1, CILK_KNOWS_OUT = 2, CILK_KNOWS_ERR = 4, CILK_KNOWS_BOTH = 8 };
enum { CILK_ENDED_BY_SIGNAL = 256 };      /* plus the signal, as a status */

typedef struct cilk_outcome {
  uint32_t known, status;
  uint64_t sum[2];                 /* of stdout, or of both; of stderr */
} cilk_outcome;

/* From here on the run is watched. At its end: `record` >= 0 (recording) gets the outcome at `offset`; in a replay
 * `expected` is compared with it. */
void cilk_outcome_watch(const char *name, int record, off_t offset, const cilk_outcome *expected, bool stats);
/* The same file above the small numbers, which are the program's; fd is closed. */
int cilk_outcome_aside(int fd);
/* the replay has reported by itself that it parts from its record: the status says so */
void cilk_outcome_parted(void);

/* The bytes in the file. */
enum { CILK_OUTCOME_BYTES = 1 + 2 + 8 + 8 + 4 };
bool cilk_outcome_read(const unsigned char *bytes, cilk_outcome *out);   /* false: damaged */

#endif
