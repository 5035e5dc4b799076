/* scale_benchmark.c - chosen by the linker for -fcilktool=cilkscale-benchmark: the program runs in parallel, and the
 * table has wall time alone. It uses nothing of the profiler. The header gives its functions names of their own, so
 * that the linker takes no other. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern const char cilk_scale_benchmark;
const char cilk_scale_benchmark = 1;

typedef struct wsp_t {
  int64_t work, span, bspan;
} wsp_t;
__attribute__((visibility("default"))) wsp_t __cilkscale_benchmark_time(void);
__attribute__((visibility("default"))) void __cilkscale_benchmark_dump(wsp_t w, const char *tag);

static FILE *out;
static struct timespec began;
static pid_t process;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;   /* of `out` */

wsp_t __cilkscale_benchmark_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (wsp_t){(int64_t)(now.tv_sec - began.tv_sec) * 1000000000 + now.tv_nsec - began.tv_nsec, 0, 0};
}

void __cilkscale_benchmark_dump(wsp_t w, const char *tag) {
  pthread_mutex_lock(&lock);
  if (!out) {
    const char *file = getenv("CILKSCALE_OUT");
    out = file && *file ? fopen(file, "we") : stdout;
    if (!out) {
      fprintf(stderr, "cilkscale: CILKSCALE_OUT cannot be written\n");
      _exit(125);
    }
    fprintf(out, "tag,time (seconds)\n");
  }
  fprintf(out, "%s,%g\n", tag ? tag : "", (double)w.work / 1e9);
  fflush(out);
  pthread_mutex_unlock(&lock);
}

static void at_exit(int status, void *unused) {
  (void)status;
  (void)unused;
  if (getpid() == process) __cilkscale_benchmark_dump(__cilkscale_benchmark_time(), "");
}

__attribute__((constructor(102))) static void start(void) {
  clock_gettime(CLOCK_MONOTONIC, &began);
  process = getpid();
  on_exit(at_exit, NULL);
}
