/* record.h - the file of --sched=record:FILE and --sched=replay:FILE: the steps of a run, in their order.
 *
 * Header: RECORD_MAGIC, the number of workers (1 byte), the spawn strategy (1 byte: enum cilk_spawning), the length of
 * the program's arguments (4 bytes), they themselves, each with a zero after it, and how the run ended (outcome.h;
 * zeroes: not known). Then one step after the other: kind and answer (1 byte: kind + 32 * answer), worker (1 byte), how
 * many pops and tests since that worker's last step (a number, 7 bits a byte, the lowest first), observations, 0. At
 * the end RECORD_END and a checksum (8 bytes) of all before it, where the bytes of the outcome, which are written
 * later, count as zeroes. A run that was cut short leaves a file with zeroes after the last step.
 *
 * Observations: RECORD_TOOK, number of the closure, victim + 1 or 0, the victim's count; RECORD_STOPPED, 0 or 1, the
 * victim's count; RECORD_COMPUTATION, number of the computation; RECORD_COUNT, worker, its count after a step that may
 * abort what it runs. */
#ifndef CILK_RT_RECORD_H
#define CILK_RT_RECORD_H

#include "data/context.h"
#include "replay/outcome.h"

enum { RECORD_TOOK = 1, RECORD_STOPPED, RECORD_COMPUTATION, RECORD_COUNT };

/* ---- writing: the caller keeps others out ---- */
typedef struct cilk_recording {
  const char *name;
  int fd;
  unsigned char *map;
  size_t room, used;               /* bytes; `used`: up to the step that is being written */
  size_t at;                       /* its end so far; == used: none */
  uint64_t sum;
} cilk_recording;

void cilk_recording_open(cilk_recording *r, const cilk_context *ctx);       /* or ends the process with a message */
void cilk_recording_step(cilk_recording *r, int kind, int answer, int worker, uint64_t pops);
void cilk_recording_note(cilk_recording *r, int tag, const uint64_t *numbers, int n);
void cilk_recording_commit(cilk_recording *r);
void cilk_recording_close(cilk_recording *r);

/* ---- reading ---- */
typedef struct cilk_replay_step {
  uint64_t pops;                   /* the worker's count then */
  uint64_t index;
  const unsigned char *notes;
  uint8_t kind, answer;
} cilk_replay_step;

typedef struct cilk_record {
  const char *name;
  unsigned char *bytes;
  uint64_t steps;
  uint8_t *owner;                   /* of each step */
  int workers;
  unsigned char spawning;
  bool whole;
  cilk_outcome outcome;
  /* each worker's; the last: threads that are none */
  struct {
    cilk_replay_step *step;
    uint64_t n, room;
  } of[CILK_MOST_TURNS + 1];
} cilk_record;

void cilk_record_load(cilk_record *r, const cilk_context *ctx);             /* or ends the process with a message */
uint64_t cilk_record_number(const unsigned char **at);

#endif
