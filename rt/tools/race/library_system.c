/* library_system.c - what calls of the system read in the caller's memory and fill there: names of files, blocks,
 * states of processes; and the tables of <search.h>. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include "library.h"

/* ---- names of files ---- */

#define OPENS(name, parameters, arguments) \
  int cilk_race_libc_##name parameters { \
    int mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list a; \
      va_start(a, flags); \
      mode = va_arg(a, int); \
      va_end(a); \
    } \
    reads_text(file); \
    return name arguments; \
  }
OPENS(open, (const char *file, int flags, ...), (file, flags, mode))
OPENS(openat, (int at, const char *file, int flags, ...), (at, file, flags, mode))
#undef OPENS

#define NAMED(name) \
  int cilk_race_libc_##name(const char *file) { \
    reads_text(file); \
    return name(file); \
  }
#define NAMED_WITH(name, type) \
  int cilk_race_libc_##name(const char *file, type x) { \
    reads_text(file); \
    return name(file, x); \
  }
NAMED(unlink)
NAMED(rmdir)
NAMED(chdir)
NAMED(system)
/* clang-format off */
NAMED_WITH(mkdir, mode_t)
NAMED_WITH(access, int)
NAMED_WITH(creat, mode_t)
NAMED_WITH(truncate, off_t)
/* clang-format on */
#undef NAMED
#undef NAMED_WITH

ssize_t cilk_race_libc_readlink(const char *name, char *to, size_t room) {
  reads_text(name);
  ssize_t n = readlink(name, to, room);
  if (n > 0) writes(to, (size_t)n);
  return n;
}

/* ---- blocks in pieces, and over sockets ---- */

/* The first n bytes of the pieces. */
static void pieces(const struct iovec *v, int count, ssize_t n, void (*does)(const void *, size_t)) {
  for (int i = 0; i < count && n > 0; n -= (ssize_t)v[i++].iov_len)
    does(v[i].iov_base, (size_t)n < v[i].iov_len ? (size_t)n : v[i].iov_len);
}
ssize_t cilk_race_libc_readv(int from, const struct iovec *v, int count) {
  reads(v, (size_t)count * sizeof *v);
  ssize_t n = readv(from, v, count);
  pieces(v, count, n, writes);
  return n;
}
ssize_t cilk_race_libc_writev(int to, const struct iovec *v, int count) {
  reads(v, (size_t)count * sizeof *v);
  ssize_t n = writev(to, v, count);
  pieces(v, count, n, reads);
  return n;
}
ssize_t cilk_race_libc_recv(int from, void *to, size_t n, int flags) {
  ssize_t got = recv(from, to, n, flags);
  if (got > 0) writes(to, (size_t)got);
  return got;
}
ssize_t cilk_race_libc_send(int to, const void *from, size_t n, int flags) {
  reads(from, n);
  return send(to, from, n, flags);
}
int cilk_race_libc_socketpair(int domain, int type, int protocol, int ends[2]) {
  writes(ends, 2 * sizeof *ends);
  return socketpair(domain, type, protocol, ends);
}
int cilk_race_libc_poll(struct pollfd *files, nfds_t n, int timeout) {
  writes(files, n * sizeof *files);
  return poll(files, n, timeout);
}

/* ---- processes and the machine ---- */

pid_t cilk_race_libc_wait(int *status) {
  writes_object(status);
  return wait(status);
}
pid_t cilk_race_libc_waitpid(pid_t child, int *status, int options) {
  writes_object(status);
  return waitpid(child, status, options);
}
clock_t cilk_race_libc_times(struct tms *to) {
  writes_object(to);
  return times(to);
}
int cilk_race_libc_uname(struct utsname *to) {
  writes_object(to);
  return uname(to);
}
int cilk_race_libc_gethostname(char *to, size_t room) {
  int status = gethostname(to, room);
  writes(to, strnlen(to, room) < room ? strlen(to) + 1 : room);
  return status;
}
int cilk_race_libc_getloadavg(double to[], int n) {
  writes(to, (size_t)n * sizeof *to);
  return getloadavg(to, n);
}
int cilk_race_libc_getentropy(void *to, size_t n) {
  writes(to, n);
  return getentropy(to, n);
}

int cilk_race_libc_sigaction(int number, const struct sigaction *now, struct sigaction *before) {
  if (now) reads_object(now);
  if (before) writes_object(before);
  return sigaction(number, now, before);
}

/* ---- regular expressions: what is kept in one while it is used has a lock ---- */

int cilk_race_libc_regcomp(regex_t *e, const char *text, int flags) {
  reads_text(text);
  writes_object(e);
  return regcomp(e, text, flags);
}
int cilk_race_libc_regexec(const regex_t *e, const char *s, size_t n, regmatch_t found[], int flags) {
  reads_object(e);
  if (!(flags & REG_STARTEND)) reads_text(s);
  int failed = regexec(e, s, n, found, flags);
  if (!failed && !e->no_sub) writes(found, n * sizeof *found);
  return failed;
}
void cilk_race_libc_regfree(regex_t *e) {
  writes_object(e);
  regfree(e);
}

/* ---- <search.h>: the comparison reads the elements. A tree has its root in the program's memory, and the rest is the
 * library's: a call that may change the tree writes the root. ---- */

void *cilk_race_libc_lfind(const void *key, const void *base, size_t *n, size_t size, __compar_fn_t compare) {
  reads_object(n);
  return lfind(key, base, n, size, compare);
}
void *cilk_race_libc_lsearch(const void *key, void *base, size_t *n, size_t size, __compar_fn_t compare) {
  size_t before = *n;
  reads_object(n);
  void *found = lsearch(key, base, n, size, compare);
  if (*n != before) {
    writes_object(n);
    reads(key, size);
    writes(found, size);
  }
  return found;
}
void *cilk_race_libc_tsearch(const void *key, void **root, __compar_fn_t compare) {
  writes_object(root);
  return tsearch(key, root, compare);
}
void *cilk_race_libc_tdelete(const void *key, void **root, __compar_fn_t compare) {
  writes_object(root);
  return tdelete(key, root, compare);
}
void *cilk_race_libc_tfind(const void *key, void *const *root, __compar_fn_t compare) {
  reads_object(root);
  return tfind(key, root, compare);
}
