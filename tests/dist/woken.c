/* A rank that was woken, several times perhaps, sleeps again: its transport has taken what woke it. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
#include "dist/dist.h"

int main(int argc, char **argv) {
  (void)argc;
  int status = cilk_the_transport.launch(argv), rank, size, from;
  void *bytes;
  size_t n;
  if (status >= 0) return status;                    /* the launcher */
  struct pollfd event = {.fd = dup(0), .events = POLLIN};
  close(event.fd);                      /* `start` gets this number */
  if (cilk_the_transport.start(&rank, &size)) return 1;
  for (int times = 0; times < 3; times++) {
    for (int i = 0; i <= times; i++) cilk_the_transport.wake();
    int woken = poll(&event, 1, 0);
    int got = cilk_the_transport.poll(1000, -1, &from, &bytes, &n);
    printf("%d %d %d\n", woken, got, poll(&event, 1, 0));
  }
  return 0;
}
