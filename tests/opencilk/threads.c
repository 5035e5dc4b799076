// FLAGS: -pthread
// Spawning functions called from several threads of the program, under its own locks. What does not spawn by itself
// keeps its thread: thread-local variables, pthread_self and pthread_exit are those of the thread that called it.
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;
static int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static void note(int v) {
    pthread_mutex_lock(&lock);
    total += v;
    pthread_mutex_unlock(&lock);
}
static void *body(void *p) {
    long n = (long)p;
    cilk_for (int i = 0; i < 10; i++) note(fib((int)(n % 5) + i % 3));
    return (void *)(long)fib((int)n);
}
static _Thread_local int served;
static int answers[4];
static void *counts(void *p) {
    for (int i = 0; i < 30; i++) { note(fib(8)); served++; }
    answers[(long)p] = served;
    return p;
}
static void *exits(void *p) {
    pthread_t me = pthread_self();
    int same = 0;
    for (int i = 0; i < 30; i++) { note(fib(8)); same += pthread_equal(me, pthread_self()) != 0; }
    answers[(long)p] = same;
    pthread_exit(p);
}
int main(void) {
    pthread_t t[4];
    long sum = 0;
    for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, body, (void *)(8 + i));
    sum += fib(9);
    for (int i = 0; i < 4; i++) { void *r; pthread_join(t[i], &r); sum += (long)r; }
    for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, i & 1 ? counts : exits, (void *)i);
    for (int i = 0; i < 4; i++) { void *r; pthread_join(t[i], &r); sum += (long)r; }
    printf("%ld %ld %d %d %d %d\n", sum, total, answers[0], answers[1], answers[2], answers[3]);
    return 0;
}
