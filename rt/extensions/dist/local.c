/* local.c - ranks are children of one launcher on this machine, with a pair of sockets between any two of them
 * (--dist=local). For tests, of faults above all, and to try a program where there is no MPI.
 *
 * CILK_RANKS says how many. The launcher waits for rank 0 and ends as that does. A child whose launcher dies is killed.
 * CILK_RANK_3 is a command that rank 3 is started by, in place of the program: another build, an emulator. It gets its
 * sockets by CILK_DIST_RANK.
 *
 * A rank is dead for another one when its end of the pair is closed. A message is its length, four bytes, little end
 * first, and its bytes; nothing blocks, what does not fit into a socket waits here. */
#define _GNU_SOURCE
#include "transport.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANKS = 64, LONGEST = 1 << 26 };
typedef struct buffer {
  char *bytes;
  size_t n, room;
} buffer;
typedef struct peer {
  int fd;
  bool reported;
  buffer in, out;
} peer;   /* fd -1: dead, or this rank itself */

static peer peers[MOST_RANKS];
static int me, ranks, event = -1;

/* ---- the launcher ---- */

static int number_of_ranks(void) {
  const char *text = getenv("CILK_RANKS");
  char *end = NULL;
  long n = text && *text ? strtol(text, &end, 10) : sysconf(_SC_NPROCESSORS_ONLN);
  if (!(text && *text)) return n < 1 ? 1 : n > MOST_RANKS ? MOST_RANKS : (int)n;
  return *end || n < 1 || n > MOST_RANKS ? 0 : (int)n;
}

static int fail(const char *what) {
  fprintf(stderr, "cilk: %s: %s\n", what, strerror(errno));
  return 1;
}

static int await(pid_t *children) {
  int status = 0;
  while (waitpid(children[0], &status, 0) < 0 && errno == EINTR);
  for (int tries = 0, left = ranks - 1; left > 0; tries++) {   /* they see that rank 0 is gone */
    left = 0;
    for (int i = 1; i < ranks; i++)
      if (children[i] > 0) {
        if (tries == 500) kill(children[i], SIGKILL);
        if (waitpid(children[i], NULL, WNOHANG) != 0) children[i] = 0;
        else left++;
      }
    if (left) usleep(tries < 20 ? 500 : 10000);
  }
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

/* A child: CILK_RANK_n of the environment, with the program's arguments. */
static void become(const char *command, char **argv) {
  char fds[16 * MOST_RANKS], *script = NULL, *words[1024] = {"sh", "-c"};
  size_t n = (size_t)snprintf(fds, sizeof fds, "%d %d", me, ranks);
  for (int i = 0; i < ranks; i++) {
    n += (size_t)snprintf(fds + n, sizeof fds - n, " %d", peers[i].fd);
    if (peers[i].fd >= 0) fcntl(peers[i].fd, F_SETFD, 0);
  }
  setenv("CILK_DIST_RANK", fds, 1);
  if (asprintf(&script, "exec %s \"$@\"", command) < 0) _exit(fail("the command of a rank"));
  words[2] = script;
  for (int i = 0; argv[i] && i + 4 < 1024; i++) words[3 + i] = argv[i];
  execv("/bin/sh", words);
  _exit(fail("/bin/sh"));
}

/* The other side of it. */
static int adopt(const char *text) {
  char *at = NULL;
  me = (int)strtol(text, &at, 10);
  ranks = (int)strtol(at, &at, 10);
  for (int i = 0; i < ranks && ranks <= MOST_RANKS; i++) peers[i].fd = (int)strtol(at, &at, 10);
  if (ranks < 1 || ranks > MOST_RANKS || me < 0 || me >= ranks || *at) {
    fprintf(stderr, "cilk: CILK_DIST_RANK is for the launcher alone\n");
    return 1;
  }
  for (int i = 0; i < ranks; i++)
    if (i != me && fcntl(peers[i].fd, F_SETFD, FD_CLOEXEC) < 0) return fail("the socket of a rank");
  unsetenv("CILK_DIST_RANK");
  return -1;
}

/* All pairs of sockets are open at once: 64 ranks need more of them than many systems let a process open unasked. */
static struct rlimit more_files(void) {
  struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY};
  if (getrlimit(RLIMIT_NOFILE, &before) == 0)
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){before.rlim_max, before.rlim_max});
  return before;
}

static int launch(char **argv) {
  static int pairs[MOST_RANKS][MOST_RANKS];
  pid_t children[MOST_RANKS], launcher = getpid();
  char name[20];
  const char *command = getenv("CILK_DIST_RANK");
  if (command) return adopt(command);
  if (!(ranks = number_of_ranks())) {
    fprintf(stderr, "cilk: CILK_RANKS must be a number from 1 to %d\n", MOST_RANKS);
    return 1;
  }
  struct rlimit files = more_files();
  for (int i = 0; i < ranks; i++)
    for (int j = i + 1; j < ranks; j++) {
      int both[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, both) < 0)
        return fail("a pair of sockets for two ranks");
      pairs[i][j] = both[0];
      pairs[j][i] = both[1];
    }
  fflush(NULL);
  for (int r = 0; r < ranks; r++) {
    if ((children[r] = fork()) < 0) {
      int status = fail("a process for a rank");
      while (r-- > 0) kill(children[r], SIGKILL);
      return status;
    }
    if (children[r]) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher) _exit(1);
    me = r;
    for (int i = 0; i < ranks; i++)
      for (int j = 0; j < ranks; j++)
        if (i != j && i != me) close(pairs[i][j]);
    for (int j = 0; j < ranks; j++) peers[j].fd = j == me ? -1 : pairs[me][j];
    setrlimit(RLIMIT_NOFILE, &files);     /* the program has the limit that it was given */
    snprintf(name, sizeof name, "CILK_RANK_%d", me);
    if ((command = getenv(name))) become(command, argv);
    return -1;
  }
  for (int i = 0; i < ranks; i++)
    for (int j = 0; j < ranks; j++)
      if (i != j) close(pairs[i][j]);
  return await(children);
}

/* ---- a rank ---- */

static const char *start(int *rank, int *size) {
  if ((event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0) return "the system has no event descriptor left";
  *rank = me;
  *size = ranks;
  return NULL;
}

static void append(buffer *b, const void *bytes, size_t n) {
  if (b->n + n > b->room) {
    b->room = 2 * (b->n + n);
    if (!(b->bytes = realloc(b->bytes, b->room))) abort();
  }
  memcpy(b->bytes + b->n, bytes, n);
  b->n += n;
}

static void consume(buffer *b, size_t n) {
  memmove(b->bytes, b->bytes + n, b->n - n);
  b->n -= n;
}

static void bury(peer *p) {
  close(p->fd);
  p->fd = -1;
  p->out.n = 0;
}

static void read_in(peer *p) {
  char piece[65536];
  ssize_t n;
  while ((n = read(p->fd, piece, sizeof piece)) > 0) append(&p->in, piece, (size_t)n);
  if (n == 0 || (errno != EAGAIN && errno != EINTR)) bury(p);
}

static void flush_out(peer *p) {
  size_t done = 0;
  while (p->fd >= 0 && done < p->out.n) {
    ssize_t n = send(p->fd, p->out.bytes + done, p->out.n - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0 && errno != EINTR) {
      read_in(p);                         /* what it sent before its end counts */
      if (p->fd >= 0) bury(p);
      return;
    }
    done += n > 0 ? (size_t)n : 0;
  }
  if (done) consume(&p->out, done);
}

static bool send_to(int to, const void *bytes, size_t n) {
  peer *p = &peers[to];
  uint32_t length = htole32((uint32_t)n);
  if (p->fd < 0) return false;
  append(&p->out, &length, sizeof length);
  append(&p->out, bytes, n);
  flush_out(p);
  return p->fd >= 0;
}

/* A message that is whole; else a rank that has died, when all that it sent was taken. */
static int next(int *from, void **bytes, size_t *n) {
  static int turn;
  for (int i = 0; i < ranks; i++) {
    peer *p = &peers[ *from = (turn + i) % ranks];
    uint32_t length = 0;
    if (p->in.n >= sizeof length) memcpy(&length, p->in.bytes, sizeof length);
    length = le32toh(length);
    if (length > LONGEST) bury(p);
    else if (p->in.n >= sizeof length && p->in.n - sizeof length >= length) {
      if (!(*bytes = malloc(length ? length : 1))) abort();
      memcpy(*bytes, p->in.bytes + sizeof length, *n = length);
      consume(&p->in, sizeof length + length);
      turn = *from + 1;
      return 1;
    }
    if (p->fd < 0 && *from != me && !p->reported) {
      p->reported = true;
      return -1;
    }
  }
  return 0;
}

static int look(uint64_t ns, int fd, int *from, void **bytes, size_t *n) {
  struct pollfd fds[MOST_RANKS + 2];
  struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  uint64_t some;
  int found = next(from, bytes, n);
  if (found) return found;
  for (int i = 0; i < ranks; i++)
    fds[i] = (struct pollfd){peers[i].fd, (short)(POLLIN | (peers[i].out.n ? POLLOUT : 0)), 0};
  fds[ranks] = (struct pollfd){event, POLLIN, 0};
  fds[ranks + 1] = (struct pollfd){fd, POLLIN, 0};
  if (ppoll(fds, (nfds_t)ranks + 2, &t, NULL) <= 0) return 0;
  if (fds[ranks].revents)
    while (read(event, &some, sizeof some) > 0);
  for (int i = 0; i < ranks; i++) {
    if (fds[i].revents & POLLOUT) flush_out(&peers[i]);
    if (peers[i].fd >= 0 && fds[i].revents & (POLLIN | POLLHUP | POLLERR)) read_in(&peers[i]);
  }
  return next(from, bytes, n);
}

static void cut(int rank) {
  bury(&peers[rank]);
  peers[rank].in.n = 0;
  peers[rank].reported = true;
}

static void wake(void) {
  uint64_t one = 1;
  ssize_t n = write(event, &one, sizeof one);
  (void)n;
}

static void end(void) {
  for (int tries = 0, left = 1; left && tries < 5000; tries++) {
    left = 0;
    for (int i = 0; i < ranks; i++) {
      flush_out(&peers[i]);
      left |= peers[i].out.n != 0;
    }
    if (left) usleep(1000);
  }
}

const cilk_transport cilk_the_transport = {"local", launch, start, send_to, look, cut, wake, end};
