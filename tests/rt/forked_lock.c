/* In a forked child a lock's holder may be in the parent only. `held`: the holder is in the child, and preempted for
 * longer than thousands of yields take; `lost`: there is no holder. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/spin.h"

static uint32_t lock;
static sem_t taken;

static void *hold(void *lost) {
  cilk_spin_lock(&lock);
  sem_post(&taken);
  if (!lost) {
    usleep(500000);
    cilk_spin_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread;
  bool lost = argc > 1 && strcmp(argv[1], "lost") == 0;
  cilk_spin_forked = true;
  sem_init(&taken, 0, 0);
  pthread_create(&thread, NULL, hold, lost ? argv : NULL);
  sem_wait(&taken);
  cilk_spin_lock(&lock);
  printf("taken\n");
  cilk_spin_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
