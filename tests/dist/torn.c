/* torn.c - preloaded into one rank: it is killed in the middle of a message. TORN is which one, of those longer than a
 * header, so that it has a value or a closure in it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t send(int fd, const void *bytes, size_t n, int flags) {
  static int left = -1;
  if (left < 0) left = getenv("TORN") ? atoi(getenv("TORN")) : 0;
  if (n > 48 && --left == 0) {
    (void)!write(fd, bytes, n - 4);
    raise(SIGKILL);
  }
  return ((ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send"))(fd, bytes, n, flags);
}
