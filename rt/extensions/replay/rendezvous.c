/* rendezvous.c - a barrier before each computation and one after it. */
#include "replay/rendezvous.h"

void cilk_rendezvous_init(cilk_rendezvous *g, int n) {
  g->n = n;
  g->entered = g->left = 0;
  g->running = false;
  pthread_mutex_init(&g->mutex, NULL);
  pthread_cond_init(&g->changed, NULL);
}

void cilk_rendezvous_in(cilk_rendezvous *g, void (*begin)(void *), void *argument) {
  pthread_mutex_lock(&g->mutex);
  while (g->running)                      /* some have not left the one before yet */
    pthread_cond_wait(&g->changed, &g->mutex);
  if (++g->entered == g->n) {
    begin(argument);
    g->running = true;
    pthread_cond_broadcast(&g->changed);
  }
  while (!g->running) pthread_cond_wait(&g->changed, &g->mutex);
  pthread_mutex_unlock(&g->mutex);
}

void cilk_rendezvous_out(cilk_rendezvous *g) {
  pthread_mutex_lock(&g->mutex);
  if (++g->left == g->n) {
    g->entered = g->left = 0;
    g->running = false;
    pthread_cond_broadcast(&g->changed);
  }
  while (g->running)                      /* the next one begins only when this thread has come in again */
    pthread_cond_wait(&g->changed, &g->mutex);
  pthread_mutex_unlock(&g->mutex);
}

void cilk_rendezvous_wait(cilk_rendezvous *g) {
  pthread_mutex_lock(&g->mutex);
  while (g->running) pthread_cond_wait(&g->changed, &g->mutex);
  pthread_mutex_unlock(&g->mutex);
}
