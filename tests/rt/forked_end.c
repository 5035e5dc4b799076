/* A thread forks while another one ends the process, before there is a context. The child ends, too. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/message.h"

static sem_t claimed;

static void *end(void *unused) {
  cilk_exit_claim();
  sem_post(&claimed);
  pause();
  return unused;
}

int main(void) {
  pthread_t thread;
  pid_t child;
  int status = -1;
  sem_init(&claimed, 0, 0);
  pthread_create(&thread, NULL, end, NULL);
  sem_wait(&claimed);
  child = fork();
  if (!child) {
    alarm(20);
    cilk_fatal("the child ends");
  }
  waitpid(child, &status, 0);
  printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  fflush(stdout);
  _exit(0);
}
