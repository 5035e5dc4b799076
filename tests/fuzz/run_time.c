/* Coverage-guided fuzzing (libFuzzer) of what the runtime reads. FUZZ_STAGE says what: `record`, a file of
 * --sched=record, is loaded as for a replay; `options`, the program's command line, a word in each line, and CILK_FAULT
 * in the first. What is wrong ends a program with a message; here that is caught. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/core/base/fault.h"
#include "rt/core/base/options.h"
#include "rt/extensions/replay/record.h"

static jmp_buf refused;

void __wrap_cilk_fatal(const char *format, ...) __attribute__((noreturn));
void __wrap_cilk_fatal(const char *format, ...) {
  va_list list;
  char text[1000];
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  longjmp(refused, 1);
}

// --simulate starts a process for each of its numbers, which would go on with the fuzzing.
pid_t __wrap_fork(void);
pid_t __wrap_fork(void) { return -1; }

static void record(const uint8_t *data, size_t size) {
  static cilk_context ctx;
  static cilk_record r;
  static char name[40];
  int fd = memfd_create("record", 0);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ctx.opt.replay_file = name;
  ctx.opt.words = "";
  ctx.opt.words_bytes = 0;
  ctx.lazy = size > 15 && data[15] == 1;
  memset(&r, 0, sizeof r);
  if (cilk_record_workers(name) > 0 && setjmp(refused) == 0) {
    cilk_record_load(&r, &ctx);
    /* It was taken: what it says is walked through as a replay does. */
    for (uint64_t i = 0; i < r.steps; i++)
      if (r.who[i] > CILK_MOST_TURNS) abort();
    for (int w = 0; w <= CILK_MOST_TURNS; w++)
      for (uint64_t k = 0; k < r.of[w].n; k++)
        for (const unsigned char *at = r.of[w].step[k].notes; *at;) {
          static const int numbers[] = {0, 3, 2, 1};
          for (int i = numbers[*at++]; i > 0; i--) (void)cilk_record_number(&at);
        }
  }
  free(r.bytes);
  free(r.who);
  for (int w = 0; w <= CILK_MOST_TURNS; w++) free(r.of[w].step);
  close(fd);
}

static void options(const uint8_t *data, size_t size) {
  static char text[4096];
  char *words[200] = {"program"};
  int n = 1;
  if (size >= sizeof text) return;
  memcpy(text, data, size);
  text[size] = 0;
  char *rest = text, *line = strsep(&rest, "\n");
  setenv("CILK_FAULT", line ? line : "", 1);
  while (n < 199 && (line = strsep(&rest, "\n"))) words[n++] = line;
  cilk_options o;
  if (setjmp(refused) == 0 && cilk_options_parse(&o, &n, words) == 0 && (n < 1 || o.nproc < 1)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static void (*stage)(const uint8_t *, size_t);
  if (!stage) {
    const char *name = getenv("FUZZ_STAGE");
    stage = name && strcmp(name, "record") == 0 ? record : options;
  }
  stage(data, size);
  return 0;
}
