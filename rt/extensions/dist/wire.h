/* wire.h - the form of a message between ranks: a header, then `size` bytes. Numbers are as they are in memory: the
 * first message of a rank (hello.c) has shown that it is of the same kind of processor. `number` counts the messages
 * from one rank to another, from 1: one that comes twice is dropped, and none is missing.
 *
 *    kind      id         index         level     payload
 *    REQUEST                                      none: a closure is asked for
 *    NONE                                         none: there was nothing to give
 *    WORK      of what    of the        of the    for each continuation the size of its value (4 bytes each, up to
 *              is given   thread in     closure   a multiple of 8), then the arguments
 *                         the table
 *    VALUE     the same   of the        0         the value
 *                         continuation
 *    RETURN    the same                           none: it cannot be run there
 *    DROP      the same                           none: its result is not wanted any more
 *    LOOK      of the                             none: is it quiet? (stuck.c)
 *              round
 *    STATE     the same                           what it is
 *    OUTPUT                                       text that the rank has printed
 *    SEEN                                         none: OUTPUT has come
 *    EXIT                 status                  none: all is over
 *    BYE                                          cilk_rank_stats */
#ifndef CILK_RT_WIRE_H
#define CILK_RT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CILK_WIRE_MAGIC 0x334B4C43u       /* "CLK3": the version of the form */
enum {
  CILK_WIRE_REQUEST = 1,
  CILK_WIRE_NONE,
  CILK_WIRE_WORK,
  CILK_WIRE_VALUE,
  CILK_WIRE_RETURN,
  CILK_WIRE_DROP,
  CILK_WIRE_LOOK,
  CILK_WIRE_STATE,
  CILK_WIRE_OUTPUT,
  CILK_WIRE_SEEN,
  CILK_WIRE_EXIT,
  CILK_WIRE_BYE,
  CILK_WIRE_KINDS
};
/* bytes of a payload; a continuation that takes nothing */
enum { CILK_WIRE_MOST = 1 << 24, CILK_WIRE_NOWHERE = 0xFFFFFFFFu };

typedef struct cilk_wire {
  uint32_t magic, number, kind, size;
  uint64_t id;
  uint32_t index, level;
  uint64_t sum;                           /* of all of the message, with this 0 */
} cilk_wire;

/* a header whose magic, number and sum are still to be set, and its payload */
void cilk_wire_seal(char *message, uint32_t number);
const char *cilk_wire_check(const char *message, size_t n, cilk_wire *head);   /* NULL, or what is wrong */

#endif
