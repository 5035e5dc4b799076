// FLAGS: -fexceptions -pthread
// Unwinding runs the functions of __attribute__((cleanup)): a forced unwind, and a cancelled thread, whose pthread_cleanup_push is such a variable here.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

static int order[16], count;
static jmp_buf out;
static void note(int *p) { order[count++] = *p; }
#define NOTED __attribute__((cleanup(note))) int

static _Unwind_Reason_Code stop(int version, _Unwind_Action action, _Unwind_Exception_Class c, struct _Unwind_Exception *e, struct _Unwind_Context *cx, void *data) {
  (void)version; (void)c; (void)e; (void)cx; (void)data;
  if (action & _UA_END_OF_STACK || count >= *(int *)data) longjmp(out, 1);
  return _URC_NO_REASON;
}
static struct _Unwind_Exception exception;
static int most;
__attribute__((noinline)) static void throw(void) { _Unwind_ForcedUnwind(&exception, stop, &most); abort(); }

__attribute__((noinline)) static int inner(int n) {
  NOTED a = n;
  for (int i = 0; i < 2; i++) {
    NOTED b = n + 1 + i;
    if (i == 1) { NOTED c = n + 10; throw(); }
  }
  return a;
}
static void closing(int *p) { note(p); if (*p == 70) throw(); }
__attribute__((noinline)) static void ends(void) {
  NOTED outer = 60;
  { __attribute__((cleanup(closing))) int x = 70; x = 70; }
  abort();
}
static int handled;
static volatile int begun;
static void handle(void *p) { handled += *(int *)p; }
static void *thread(void *unused) {
  int three = 3, four = 4;
  pthread_cleanup_push(handle, &three);
  pthread_cleanup_push(handle, &four);
  begun = 1;
  for (;;) sleep(10);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  most = 5;
  if (!setjmp(out)) { NOTED mine = 100; inner(1); }
  for (int i = 0; i < count; i++) printf("%d ", order[i]);
  puts("");
  count = 0;
  most = 2;
  if (!setjmp(out)) ends();
  for (int i = 0; i < count; i++) printf("%d ", order[i]);
  puts("");
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  while (!begun) usleep(1000);
  pthread_cancel(t);
  pthread_join(t, NULL);
  printf("%d\n", handled);
  return handled != 7;
}
