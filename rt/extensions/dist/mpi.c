/* mpi.c - ranks are those of MPI (--dist=mpi). The driver compiles this file with mpicc where it links a program.
 *
 * MPI has no call that sleeps until a message comes. So the courier looks, and sleeps twice as long after each look in
 * vain, up to a millisecond. A rank that dies takes the job with it: mpirun ends the others. */
#define _GNU_SOURCE
#include "transport.h"

#include <mpi.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1, SHORTEST_NS = 20000, LONGEST_NS = 1000000 };
typedef struct out {
  struct out *next;
  MPI_Request request;
  char bytes[];
} out;

static out *under_way;
static int event = -1;
static uint64_t pause_ns = SHORTEST_NS;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int launch(char **argv) {
  (void)argv;
  return -1;
}

static const char *start(int *rank, int *size) {
  int provided = 0;
  if ((event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0) return "the system has no event descriptor left";
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS || provided < MPI_THREAD_FUNNELED)
    return "MPI does not start in a program with threads";
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return NULL;
}

static void reap(void) {
  for (out **at = &under_way; *at;) {
    out *o = *at;
    int done = 0;
    MPI_Test(&o->request, &done, MPI_STATUS_IGNORE);
    if (!done) {
      at = &o->next;
      continue;
    }
    *at = o->next;
    free(o);
  }
}

static bool send(int to, const void *bytes, size_t n) {
  out *o = malloc(sizeof *o + n);
  if (!o) abort();
  memcpy(o->bytes, bytes, n);
  MPI_Isend(o->bytes, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &o->request);
  o->next = under_way;
  under_way = o;
  return true;
}

static int receive(int *from, void **bytes, size_t *n) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
  if (!there) return 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  *n = (size_t)count;
  if (!(*bytes = malloc(*n ? *n : 1))) abort();
  MPI_Recv(*bytes, count, MPI_BYTE, *from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pause_ns = SHORTEST_NS;
  return 1;
}

static int look(uint64_t ns, int fd, int *from, void **bytes, size_t *n) {
  uint64_t until = now() + ns;
  for (;;) {
    reap();
    if (receive(from, bytes, n)) return 1;
    uint64_t at = now(), left = at < until ? until - at : 0, sleep = pause_ns < left ? pause_ns : left, some;
    struct pollfd fds[2] = {{event, POLLIN, 0}, {fd, POLLIN, 0}};
    struct timespec t = {0, (long)sleep};
    if (!left) return 0;
    pause_ns = pause_ns * 2 < LONGEST_NS ? pause_ns * 2 : LONGEST_NS;
    if (ppoll(fds, 2, &t, NULL) > 0) {
      if (fds[0].revents && read(event, &some, sizeof some) > 0) pause_ns = SHORTEST_NS;
      return 0;
    }
  }
}

static void cut(int rank) {
  (void)rank;
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void wake(void) {
  uint64_t one = 1;
  ssize_t n = write(event, &one, sizeof one);
  (void)n;
}

static void end(void) {
  while (under_way) {
    MPI_Wait(&under_way->request, MPI_STATUS_IGNORE);
    reap();
  }
  MPI_Finalize();
}

const cilk_transport cilk_the_transport = {"mpi", launch, start, send, look, cut, wake, end};
