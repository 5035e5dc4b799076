/* outcome.c - whether a replay ends as its record did: the same status, the same output.
 *
 * All that the process writes to file descriptors 1 and 2 counts, by whatever function and from whatever thread or
 * child. So both become pipes to a *forwarder*, a process of its own. The forwarder sums up what comes and writes it to
 * where it would have gone. Where both go to one place they share one pipe and one sum: with two, their order would be
 * lost. The forwarder is no child of the program (which may wait for all its children), takes no signal, and ends with
 * the last writer. The program keeps its process: a debugger, a shell and a caller see what they would see without.
 *
 * A request on the control socket makes the forwarder pass on all that is in the pipes, and answer with the sums. What
 * the runtime itself reports about a replay (message.c) goes past the pipes, after such a request: it is not output of
 * the program's.
 *
 * The end is the last destructor of the process. A signal that ends it (message.c, stackguard.c) is an end, too; one
 * that comes from outside is not. */
#define _GNU_SOURCE
#include "replay/outcome.h"
#include "base/message.h"
#include "base/sum.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the forwarder ---- */

struct answer {
  uint64_t sum[2];
  uint32_t lost;                   /* bits: a place took no more */
};

/* false: no process reads there any more. */
static bool put(int fd, const unsigned char *p, size_t n) {
  while (n) {
    ssize_t k = write(fd, p, n);
    if (k > 0) {
      p += k;
      n -= (size_t)k;
    } else if (k < 0 && errno == EAGAIN) {   /* the place is shared with a program that wants it so */
      struct pollfd room = {.fd = fd, .events = POLLOUT};
      poll(&room, 1, -1);
    } else if (!(k < 0 && errno == EINTR)) return false;
  }
  return true;
}

/* Takes what there is in one pipe. The program gets a SIGPIPE when its reader has gone, as it would without us. */
static void pass(struct pollfd *from, int to, uint64_t *sum, bool *lost) {
  static unsigned char buffer[1 << 16];
  while (from->fd >= 0) {
    ssize_t n = read(from->fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n > 0) {
      *sum = cilk_sum(*sum, buffer, (size_t)n);
      if (put(to, buffer, (size_t)n)) continue;
      *lost = true;
    }
    close(from->fd);
    from->fd = -1;
  }
}

static CILK_NORETURN void forward(const int from[2], const int to[2], int control) {
  struct pollfd at[3] = {{.fd = from[0], .events = POLLIN}, {.fd = from[1], .events = POLLIN},
      {.fd = control, .events = POLLIN}};
  struct answer sums = {.sum = {cilk_sum_begin, cilk_sum_begin}};
  bool lost[2] = {false, false};
  for (int sig = 1; sig < NSIG; sig++) signal(sig, SIG_IGN);
  for (int i = 0; i < 2; i++)
    if (from[i] >= 0) fcntl(from[i], F_SETFL, O_NONBLOCK);
  while (at[0].fd >= 0 || at[1].fd >= 0) {
    if (poll(at, 3, -1) < 0) continue;
    char request;
    bool asked = at[2].revents && recv(control, &request, 1, MSG_DONTWAIT) > 0;
    for (int i = 0; i < 2; i++) pass(&at[i], to[i], &sums.sum[i], &lost[i]);
    sums.lost = lost[0] | lost[1] << 1;
    if (asked) (void)!write(control, &sums, sizeof sums);
    else if (at[2].revents)      /* the program has ended, or become another one; children of its may write on */
      at[2].fd = -1;
  }
  _exit(0);
}

/* ---- the program's side ---- */

static struct {
  bool on, replay, apart, compares_errors, said;
  const char *name;
  int record, control, own_stderr;
  off_t offset;
  cilk_outcome expected;
  pid_t process;
  int status;                      /* what was given to exit; -1: nothing was */
} run = {.record = -1, .control = -1, .own_stderr = 2, .status = -1};

/* Also in a signal's handler. false: no sums. */
static bool ask(struct answer *sums) {
  struct pollfd reply = {.fd = run.control, .events = POLLIN};
  return run.control >= 0 && getpid() == run.process && send(run.control, "?", 1, MSG_NOSIGNAL) == 1 &&
         poll(&reply, 1, -1) == 1 && read(run.control, sums, sizeof *sums) == sizeof *sums;
}

static void before_message(void) {
  struct answer sums;
  ask(&sums);
}

static bool one_place(void) {
  struct stat a, b;
  return fstat(1, &a) == 0 && fstat(2, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Above the small numbers: a program may expect to get the next small one. */
static int high(int fd) {
  int to = fcntl(fd, F_DUPFD_CLOEXEC, 200);
  return to >= 0 ? to : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

int cilk_outcome_aside(int fd) {
  int to = high(fd);
  if (to < 0) return fd;
  close(fd);
  return to;
}

static void start_forwarder(const int from[2], const int to[2], int control) {
  pid_t between = fork();
  if (between == 0) {
    if (fork() != 0) _exit(0);
    int keep[] = {from[0], from[1], to[0], to[1], control};
    /* a reader that waits for the end of another file of the program does not wait for us */
    for (int fd = 0; fd < 1024; fd++) {
      bool mine = false;
      for (unsigned i = 0; i < sizeof keep / sizeof *keep; i++) mine |= fd == keep[i];
      if (!mine) close(fd);
    }
    (void)!chdir("/");
    forward(from, to, control);
  }
  if (between > 0)
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR);
}

/* Without a pipe, a socket or a process the output is not known, and all else goes on. */
static void put_forwarder_between(bool errors) {
  int place[2] = {high(1), high(2)}, from[2] = {-1, -1}, to[2] = {-1, -1}, control[2];
  bool terminal = isatty(1);
  run.apart = !one_place();
  if (place[0] < 0 || place[1] < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0) return;
  for (int i = 0; i < 1 + run.apart; i++) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    from[i] = cilk_outcome_aside(ends[0]);
    to[i] = cilk_outcome_aside(ends[1]);
  }
  fflush(stdout);
  run.control = cilk_outcome_aside(control[0]);
  int other = cilk_outcome_aside(control[1]);
  start_forwarder(from, place, other);
  dup2(to[0], 1);
  dup2(to[run.apart], 2);
  if (terminal) setvbuf(stdout, NULL, _IOLBF, 0);
  run.own_stderr = place[1];
  run.compares_errors = errors;
  const int done[] = {from[0], from[1], to[0], to[1], place[0], other};
  for (unsigned i = 0; i < sizeof done / sizeof *done; i++)
    if (done[i] >= 0) close(done[i]);
  cilk_message_goes(run.own_stderr, before_message);
}

/* ---- the end ---- */

static cilk_outcome now_known(int status) {
  cilk_outcome o = {.known = status >= 0 ? CILK_KNOWS_STATUS : 0, .status = (uint32_t)status};
  struct answer sums;
  if (!ask(&sums)) return o;
  memcpy(o.sum, sums.sum, sizeof o.sum);
  if (run.apart)
    o.known |= (sums.lost & 1 ? 0 : CILK_KNOWS_OUT) | (sums.lost & 2 || !run.compares_errors ? 0 : CILK_KNOWS_ERR);
  else if (!sums.lost && run.compares_errors) o.known |= CILK_KNOWS_BOTH;
  return o;
}

static void put_number(unsigned char *at, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(v >> 8 * i);
}

static uint64_t get_number(const unsigned char *at, int bytes) {
  uint64_t v = 0;
  for (int i = 0; i < bytes; i++) v |= (uint64_t)at[i] << 8 * i;
  return v;
}

static uint32_t check_of(const unsigned char *bytes) {
  uint32_t check = (uint32_t)cilk_sum(cilk_sum_begin, bytes, CILK_OUTCOME_BYTES - 4);
  return bytes[0] ? check : 0;            /* nothing is known: all zeroes */
}

bool cilk_outcome_read(const unsigned char *bytes, cilk_outcome *out) {
  *out = (cilk_outcome){.known = bytes[0],
      .status = (uint32_t)get_number(bytes + 1, 2),
      .sum = {get_number(bytes + 3, 8), get_number(bytes + 11, 8)}};
  return get_number(bytes + CILK_OUTCOME_BYTES - 4, 4) == check_of(bytes);
}

static void write_outcome(const cilk_outcome *o) {
  unsigned char bytes[CILK_OUTCOME_BYTES];
  bytes[0] = (unsigned char)o->known;
  put_number(bytes + 1, o->status, 2);
  put_number(bytes + 3, o->sum[0], 8);
  put_number(bytes + 11, o->sum[1], 8);
  put_number(bytes + CILK_OUTCOME_BYTES - 4, check_of(bytes), 4);
  (void)!pwrite(run.record, bytes, sizeof bytes, run.offset);
}

/* In words; also in a signal's handler, so without snprintf. */
static void add(char *text, size_t room, const char *word) {
  size_t n = strlen(text), k = strlen(word);
  if (n + k + 1 <= room) memcpy(text + n, word, k + 1);
}

static void add_status(char *text, size_t room, uint32_t status) {
  char digits[8], *p = digits + sizeof digits - 1;
  *p = 0;
  uint32_t n = status & 255;
  do *--p = (char)('0' + n % 10);
  while (n /= 10);
  add(text, room, status & CILK_ENDED_BY_SIGNAL ? "signal " : "status ");
  add(text, room, p);
}

/* true: the replay ended otherwise than its record, and has said so. */
static bool compare(const cilk_outcome *now) {
  const cilk_outcome *then = &run.expected;
  uint32_t both = now->known & then->known;
  bool status = both & CILK_KNOWS_STATUS && now->status != then->status;
  bool out = both & (CILK_KNOWS_OUT | CILK_KNOWS_BOTH) && now->sum[0] != then->sum[0];
  bool err = both & CILK_KNOWS_ERR && now->sum[1] != then->sum[1];
  if (!status && !out && !err) return false;
  char text[1024] = "replay: this run differs from its record ";
  add(text, sizeof text, run.name);
  if (status) {
    add(text, sizeof text, ": it ends with ");
    add_status(text, sizeof text, now->status);
    add(text, sizeof text, ", not ");
    add_status(text, sizeof text, then->status);
  }
  if (out || err) {
    add(text, sizeof text, status ? ", and its " : ": its ");
    add(text, sizeof text, !run.apart ? "output" : out && err ? "stdout and its stderr" : out ? "stdout" : "stderr");
    add(text, sizeof text, out && err ? " differ" : " differs");
  }
  add(text, sizeof text,
      "; `cilkc race` finds out whether the program has races (time, input and addresses make runs differ, too)\n");
  (void)!write(run.own_stderr, text, strlen(text));
  return true;
}

/* A signal that the program itself brought about. */
static void at_signal(int sig) {
  if (!run.on || run.said || getpid() != run.process || sig == SIGINT || sig == SIGTERM) return;
  run.said = true;
  cilk_outcome now = now_known(CILK_ENDED_BY_SIGNAL + sig);
  if (!run.replay) write_outcome(&now);
  else compare(&now);
}

static void at_exit(int status, void *nothing) {
  (void)nothing;
  run.status = status & 255;
}

void cilk_outcome_parted(void) { run.said = true; }

__attribute__((destructor(101))) static void last(void) {
  if (!run.on || getpid() != run.process) return;
  fflush(NULL);
  run.on = false;
  cilk_outcome now = now_known(run.status);
  if (!run.replay) write_outcome(&now);
  else if (run.said || compare(&now)) _exit(CILK_STATUS_PARTED);
}

void cilk_outcome_watch(const char *name, int record, off_t offset, const cilk_outcome *expected, bool stats) {
  run.name = name;
  run.process = getpid();
  run.replay = expected != NULL;
  if (expected) run.expected = *expected;
  run.record = record >= 0 ? high(record) : -1;
  run.offset = offset;
  put_forwarder_between(!stats);          /* the statistics are times */
  on_exit(at_exit, NULL);
  run.on = true;
  cilk_message_at_signal = at_signal;
}
