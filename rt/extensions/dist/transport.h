/* transport.h - how the processes of one program, its *ranks*, reach each other. rank 0 is where main runs.
 *
 * One thread of each process, the courier, calls all of it but launch and wake. This header includes nothing of the
 * runtime: mpi.c is compiled where a program is linked, since no two MPI libraries have the same binary interface. A
 * program has one transport. */
#ifndef CILK_RT_TRANSPORT_H
#define CILK_RT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cilk_transport {
  const char *name;
  /* before the process has threads. -1: this is a rank; else a launcher, whose exit status it is */
  int (*launch)(char **argv);
  const char *(*start)(int *rank, int *size);            /* NULL, or why not */
  bool (*send)(int to, const void *bytes, size_t n);     /* copies them; in order, whole. False: that rank is dead */
  /* Waits for at most ns, until fd (-1: none) can be read, or until wake. 1: a message, whose bytes are the caller's,
   * of malloc; 0: none; -1: rank *from has died, which is reported once. */
  int (*poll)(uint64_t ns, int fd, int *from, void **bytes, size_t *n);
  void (*cut)(int rank); /* it is not to be relied on: it ends, or all do */
  void (*wake)(void); /* any thread */
  void (*end)(void); /* returns when what was sent no longer needs this process */
} cilk_transport;

extern const cilk_transport cilk_the_transport;

#endif
