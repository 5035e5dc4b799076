/* start.c - begin and end of the detector.
 *
 * CILK_RACE_REPORT names the file for what is found, which `cilkc race` reads; without it a line for each race goes to
 * stderr, or to the file CILKSAN_OUT, and a count at the end. CILK_RACE_SYNCHED=0: SYNCHED is 0 wherever children may
 * be out; otherwise it is 1, as in a serial run. CILK_RACE_WITHOUT="LINE FILE": syncs after a spawn in that line are
 * not there. CILK_RACE_WATCH: after so many seconds without anything new the last place is named.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "race.h"
#include "rt/core/base/crash.h"

static pid_t process;

/* They are here and not in base.c, so that a file that looks at them links start.c, too. */
bool race_threads;
__thread bool race_inside;

/* Thread-local objects are each thread's own, errno among them, also where a pointer leads to them. Those of libraries
 * that are loaded later are not known. */
static int own_thread_locals(struct dl_phdr_info *image, size_t size, void *unused) {
  (void)unused;
  if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof image->dlpi_tls_data || !image->dlpi_tls_data)
    return 0;
  for (int i = 0; i < image->dlpi_phnum; i++)
    if (image->dlpi_phdr[i].p_type == PT_TLS) cilk_race_own(image->dlpi_tls_data, image->dlpi_phdr[i].p_memsz);
  return 0;
}

/* Code of the program that another compiler compiled makes threads through this. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
    void *(*start)(void *), void *argument) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  race_threads = true;
  return real(thread, attributes, start, argument);
}

/* A serial program that waits for what a sibling does waits for ever. Nothing distinguishes that from long work; but
 * where nothing new was recorded for some time, the last place is named. */
static void *watch(void *unused) {
  const char *set = getenv("CILK_RACE_WATCH");
  unsigned seconds = set && atoi(set) > 0 ? (unsigned)atoi(set) : 10;
  int32_t record = 0;
  clock_t used = 0;
  for (;; sleep(seconds)) {
    /* each spawn and sync says 1 */
    bool same = *(volatile int32_t *)&race_next == record && *(volatile uint8_t *)&race_state.epoch_is_over == 2;
    if (same && record > 1 && clock() - used > seconds * (CLOCKS_PER_SEC / 20)) {
      const site *at = race_records[record - 1].at;
      fprintf(stderr,
          "%s:%u: race detector: note: nothing new has happened for %u seconds since this. The run is serial: if the program waits here for a sibling, it waits forever\n",
          at->file, at->line, seconds);
      return unused;
    }
    record = race_next;
    *(volatile uint8_t *)&race_state.epoch_is_over = 2;       /* one epoch more does no harm */
    used = clock();
  }
}

static void start_watch(void) {
  sigset_t all, old;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  bool had = race_threads;
  if (!pthread_create(&thread, NULL, watch, NULL)) pthread_detach(thread);
  race_threads = had;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static size_t here(char *text, size_t room) {
  const site *at = race_frame->spawn;
  int n = at ? snprintf(text, room, "runs a child that %s spawned at %s:%u", at->procedure, at->file, at->line) : 0;
  return n > 0 ? (size_t)n : 0;
}

/* Before the program's own constructors, which may be instrumented. */
__attribute__((constructor(101))) static void start(void) {
  process = getpid();
  race_inside = true;
  const char *answer = getenv("CILK_RACE_SYNCHED");
  race_synched_answer = !(answer && *answer == '0');
  char *file;
  const char *without = getenv("CILK_RACE_WITHOUT");
  if (without && (race_without_line = (uint32_t)strtoul(without, &file, 10)) != 0 && *file == ' ')
    race_without_file = file + 1;
  race_shadow_start();
  race_collect_start();
  race_bags_start();
  dl_iterate_phdr(own_thread_locals, NULL);
  race_report_start(getenv("CILK_RACE_REPORT"));
  cilk_crash_watch(here);
  start_watch();
}

__attribute__((destructor(101))) static void end(void) {
  if (getpid() == process) race_report_end();
}
