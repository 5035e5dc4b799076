/* report.c - begin and end of the run, and what `cilkc race` learns of it: a file with a line of JSON, {"suspect": ..},
 * {"cannot": ..} or {"end": ..}. After the first of these the run is over. CILK_STRANDS_REPORT names the file.
 * CILK_STRANDS_ALL (tests): the run goes on after what is found, and each line of the program is named once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "strands.h"

static int file = 2;
static pid_t process;
bool strands_all;

void *strands_reserve(uint64_t bytes, uint64_t at, const char *what) {
  void *p = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (p == MAP_FAILED || (at && p != (void *)at)) {
    fprintf(stderr, "race detector: fatal error: cannot reserve address space for %s (%llu GB): %s\n", what,
        (unsigned long long)(bytes >> 30), strerror(errno));
    _exit(125);
  }
  madvise(p, bytes, MADV_DONTDUMP);
  return p;
}

/* One write(), so that lines of several workers stay whole. */
static void say(const char *format, const char *text, unsigned line) {
  char buffer[512];
  int n = snprintf(buffer, sizeof buffer, format, text, line);
  if (write(file, buffer, (size_t)n) < 0) _exit(125);
}

void cilk_strands_cannot(const char *what) {
  say("{\"cannot\": \"%s\"}\n", what, 0);
  _exit(0);
}

enum { MOST_LINES = 1 << 16 };
static uint8_t said[MOST_LINES]; /* relaxed: two workers may both say it */

void strands_found(const void *p, const cilk_race_site *at) {
  (void)p;
  if (strands_all && __atomic_exchange_n(&said[at->line % MOST_LINES], 1, __ATOMIC_RELAXED)) return;
  say("{\"suspect\": {\"procedure\": \"%s\", \"line\": %u}}\n", at->procedure, at->line);
  if (!strands_all) _exit(0);
}

/* Thread-local objects are each thread's own, also where a pointer leads to them. */
static int own_thread_locals(struct dl_phdr_info *image, size_t size, void *unused) {
  (void)unused;
  if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof image->dlpi_tls_data || !image->dlpi_tls_data)
    return 0;
  for (int i = 0; i < image->dlpi_phnum; i++)
    if (image->dlpi_phdr[i].p_type == PT_TLS) cilk_race_own(image->dlpi_tls_data, image->dlpi_phdr[i].p_memsz);
  return 0;
}

__attribute__((constructor(101))) static void start(void) {
  process = getpid();
  const char *path = getenv("CILK_STRANDS_REPORT");
  if (path) file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  strands_all = getenv("CILK_STRANDS_ALL") != NULL;
  strands_order_start();
  strands_shadow_start();
  strands_library();
  dl_iterate_phdr(own_thread_locals, NULL);
}

__attribute__((destructor(101))) static void end(void) {
  if (getpid() != process) return;
  if (!strands_all_over()) cilk_strands_cannot("exit while children may run");
  say("{\"end\": true, \"synched\": false, \"found\": 0, \"memory\": 0}%s\n", "", 0);
}
