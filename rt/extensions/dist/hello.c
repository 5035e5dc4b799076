/* hello.c - the first message of a rank to each other rank: its machine, and its build of the program.
 *
 * All later messages have numbers as they are in memory, so they are understood on the same kind of processor alone. A
 * hello is text, which any processor reads: fields with bars between them, and their sum. Ranks that are unlike are
 * found by it before anything else is read of them. */
#define _GNU_SOURCE
#include "dist/dist.h"

#include "base/sum.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define FORM "cilk-rank 3"
enum { VERSION, MACHINE, BUILD, TABLE, STATE, PATH, FIELDS, SUM_DIGITS = 16 };
static const char ready_word[] = "ready";

static unsigned long long sum_of(const char *text, size_t n) { return cilk_sum(cilk_sum_begin, text, n); }

/* The linker's name of this build, in the notes of the program, which is the first object. */
static int find_build(struct dl_phdr_info *object, size_t size, void *to) {
  char(*text)[41] = to;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &object->dlpi_phdr[i];
    const char *at = (const char *)(object->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
    while (p->p_type == PT_NOTE && end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      memcpy(&note, at, sizeof note);
      const char *name = at + sizeof note, *value = name + (note.n_namesz + 3) / 4 * 4;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
        for (unsigned k = 0; k < note.n_descsz && k < 20; k++)
          snprintf(*text + 2 * k, 3, "%02x", (unsigned char)value[k]);
        return 1;
      }
      at = value + (note.n_descsz + 3) / 4 * 4;
    }
  }
  return 1;
}

size_t cilk_hello(char *text, bool ready) {
  struct utsname machine = {.machine = "unknown"};
  char build[41] = "none", path[201];
  uname(&machine);
  dl_iterate_phdr(find_build, &build);
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  for (char *c = path; *c; c++)
    if (*c == '|' || (unsigned char)*c < ' ') *c = '?';
  size_t n = (size_t)snprintf(text, CILK_HELLO_ROOM, FORM "|%.40s, %s endian, %zu bits|%s|%08x|%s|%s|", machine.machine,
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big", 8 * sizeof(void *), build, cilk_dist_here.program,
      ready ? ready_word : "not ready", path);
  snprintf(text + n, CILK_HELLO_ROOM - n, "%016llx", sum_of(text, n));
  return n + SUM_DIGITS;
}

bool cilk_hello_is(const char *message, size_t n) {
  return n >= sizeof FORM - 2 && memcmp(message, FORM, sizeof FORM - 2) == 0;   /* of any version */
}

/* Cuts it up. */
static bool split(char *text, size_t n, char *fields[FIELDS]) {
  char sum[SUM_DIGITS + 1];
  if (n <= SUM_DIGITS || n >= CILK_HELLO_ROOM) return false;
  snprintf(sum, sizeof sum, "%016llx", sum_of(text, n - SUM_DIGITS));
  if (memcmp(sum, text + n - SUM_DIGITS, SUM_DIGITS) != 0) return false;
  text[n - SUM_DIGITS] = 0;
  for (int i = 0; i < FIELDS; i++) {
    char *end = strchr(fields[i] = text, '|');
    if (!end) return false;
    *end = 0;
    text = end + 1;
  }
  return *text == 0;
}

cilk_welcome cilk_hello_check(int from, const char *message, size_t n, char *why, size_t room) {
  char theirs[CILK_HELLO_ROOM], ours[CILK_HELLO_ROOM], *their[FIELDS], *our[FIELDS];
  int here = cilk_dist_here.rank;
  memcpy(theirs, message, n < sizeof theirs ? n : 0);
  if (!split(ours, cilk_hello(ours, true), our) || !split(theirs, n, their)) {
    snprintf(why, room, "it is damaged");
    return CILK_DAMAGED;
  }
  for (int i = 0; i < PATH; i++) {
    if (strcmp(their[i], our[i]) == 0) continue;
    if (i == VERSION)
      snprintf(why, room, "rank %d is linked with another version of the runtime than rank %d", from, here);
    else if (i == MACHINE)
      snprintf(why, room, "rank %d runs on %s, rank %d on %s: all ranks need the same kind of processor", from,
          their[i], here, our[i]);
    else if (i == STATE) snprintf(why, room, "rank %d has rejected its options", from);
    else
      snprintf(why, room, "rank %d runs a different build of the program from rank %d: %s and %s", from, here,
          their[PATH], our[PATH]);
    return CILK_UNLIKE;
  }
  return CILK_WELCOME;
}
