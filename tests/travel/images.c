/* images.c - is linked to a program, and looks at many damaged images in place of running it: IMAGES="GOOD OTHER BAD TIMES SEED" ./program --inspect BAD
 *
 * Before main, a process forks for each mutant of GOOD, which it writes to BAD; the child goes on to main, and so to --inspect, which has to refuse it with a message,
 * or to accept it. Some have pieces of OTHER, which is another image of the program. Three of four mutants have a right checksum again. Three of four changes are to
 * words that are the runtime's own. A child may take 600 MB and 100 s. Prints how many were refused and accepted; a crash, a hang or a word besides is reported, its
 * mutant kept as BAD.N, and the status is 1. Where a sanitizer watches, its report is such a word. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HEADER = 32, ROOM = 1 << 22, VIEWS = 104 }; /* VIEWS: in a link, two of them */
#define ARENA UINT64_C(0x200000000000)
static unsigned char *good, *bad, *another; /* no arrays: globals are in the image */
static uint32_t *own; /* offsets of the runtime's words */
static size_t bytes, owns, others;
static uint64_t state;

static uint64_t chance(uint64_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (state >> 11) % n;
}

static int other; /* GOOD is of a processor of the other byte order */
static uint64_t word(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  return other ? __builtin_bswap64(w) : w;
}
static void put(unsigned char *p, uint64_t w) {
  w = other ? __builtin_bswap64(w) : w;
  memcpy(p, &w, 8);
}
static int is(const unsigned char *p, const char *tag) {
  uint64_t w = word(p);
  return memcmp(&w, tag, 4) == 0;
}

static void add(size_t from, size_t to) {
  for (; from + 8 <= to && from + 8 <= bytes; from += 8) own[owns++] = (uint32_t)from;
}

/* Where in the file an address of the heap is; 0: nowhere. */
static size_t place_of(uint64_t address) {
  for (size_t page = HEADER; page + 24 <= bytes; page = (page + 16 + word(good + page + 8) + 7) & ~(size_t)7) {
    uint64_t offset = address - word(good + page + 16);
    if (is(good + page, "PAGE") && offset < word(good + page + 8) - 8) return page + 24 + offset;
  }
  return 0;
}

/* All parts but pages and globals; in the pages the heap's first page, the headers of closures and links, and the maps
 * of reducers' views that links have. */
static void find_own(void) {
  for (size_t at = HEADER; at + 16 <= bytes; at = (at + 16 + word(good + at + 8) + 7) & ~(size_t)7) {
    size_t size = word(good + at + 8), body = at + 16;
    if (!is(good + at, "PAGE") && !is(good + at, "GLOB")) add(at, body + size);
    if (is(good + at, "PAGE") && word(good + body) == ARENA) add(body + 8, body + 8 + 1400);
    if (!is(good + at, "CLOS") && !is(good + at, "LINK")) continue;
    for (size_t one = body; one < body + size; one += 16) {
      size_t place = place_of(word(good + one)), map;
      if (!place) continue;
      add(place - 16, place + 128);
      for (size_t member = VIEWS; is(good + at, "LINK") && member < VIEWS + 16; member += 8)
        if (word(good + place + member) > 1 && (map = place_of(word(good + place + member)))) add(map, map + 448);
    }
  }
}

static size_t mutate(void) {
  static const int times[] = {1, 1, 1, 1, 2, 4, 30};
  size_t n = bytes;
  memcpy(bad, good, bytes);
  for (int k = times[chance(7)]; k > 0; k--) {
    size_t at = chance(4) ? own[chance(owns)] + chance(8) : chance(n), much = 1 + chance(500);
    if (at + 8 > n || n < 2000) break;
    unsigned char *place = bad + (at & ~(size_t)7);
    uint64_t value = chance(3) ? word(good + chance(bytes / 8) * 8) : word(good + own[chance(owns)]);
    switch (chance(16)) {
      case 0: bad[at] ^= (unsigned char)(1u << chance(8)); break;
      case 1: bad[at] = (unsigned char)chance(256); break;
      case 2: /* a piece is gone */
        much = much * 8 < n - at ? much * 8 : n - at;
        memmove(bad + at, bad + at + much, n - at - much);
        n -= much;
        break;
      case 3: /* a piece is there twice */
        if (n + much > ROOM) break;
        memmove(bad + at + much, bad + at, n - at);
        n += much;
        break;
      case 12: /* the end is gone */ n = chance(8) ? n - chance(n / 16) : HEADER + chance(200); break;
      case 13: /* a piece of the other image, from its place or another one */
        much *= 8;
        value = chance(2) ? at & ~(size_t)7 : chance(others) & ~(size_t)7;
        if (value + much <= others && (at & ~(size_t)7) + much <= n) memcpy(place, another + value, much);
        break;
      case 14: /* noise */
        for (size_t i = 0; i < much && at + i < n; i++) bad[at + i] = (unsigned char)chance(256);
        break;
      case 4: memset(place, chance(2) ? 255 : 0, 8); break;
      case 5: put(place, UINT64_C(1) << chance(64)); break;
      case 6: put(place, ARENA + chance(1 << 14) * 64); break;
      case 7: put(place, word(place) + 64 - 8 * chance(17)); break;
      default: put(place, value); /* a word that is somewhere else */
    }
  }
  if (chance(4)) { /* a right header */
    uint64_t total = 0;
    n &= ~(size_t)7;
    for (size_t at = HEADER; at < n; at += 8) {
      total = (total ^ word(bad + at)) * UINT64_C(0x9E3779B97F4A7C15);
      total ^= total >> 29;
    }
    memcpy(bad, good, 16);
    put(bad + 16, n);
    put(bad + 24, total);
  }
  return n;
}

#ifdef WATCHED /* the file is in memory of malloc, whose ends a sanitizer watches: -Wl,--wrap=mmap */
#undef malloc
extern void *__real_mmap(void *at, size_t n, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int access, int flags, int fd, off_t offset) {
  if (fd < 0 || access != (PROT_READ | PROT_WRITE)) return __real_mmap(at, n, access, flags, fd, offset);
  char *p = malloc(n);
  return p && pread(fd, p, n, offset) == (ssize_t)n ? p : MAP_FAILED;
}
#endif

static size_t read_all(const char *name, unsigned char *to, size_t most) {
  FILE *f = fopen(name, "r");
  size_t n = f ? fread(to, 1, most, f) : 0;
  if (f) fclose(f);
  return n;
}

__attribute__((constructor)) static void images(void) {
  char name[200], second[200], file[200], said[300], text[256];
  long times, refused = 0, accepted = 0, wrong = 0;
  unsigned long seed;
  const char *wanted = getenv("IMAGES");
  if (!wanted || sscanf(wanted, "%190s %190s %190s %ld %lu", name, second, file, &times, &seed) != 5) return;
  good = mmap(NULL, 16 * (size_t)ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (good == MAP_FAILED) _exit(2);
  bad = good + ROOM;
  own = (uint32_t *)(void *)(good + 4 * (size_t)ROOM);
  another = good + 8 * (size_t)ROOM;
  bytes = read_all(name, good, ROOM);
  others = read_all(second, another, ROOM);
  if (bytes < 2000 || others < 2000) _exit(2);
  state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  snprintf(said, sizeof said, "%s.said", file);
  other = good[8] == 0; /* the version, a small number */
  find_own();
  for (long i = 0; i < times; i++) {
    size_t n = mutate();
    FILE *f = fopen(file, "w");
    if (!f || fwrite(bad, 1, n, f) != n || fclose(f) != 0) _exit(2);
    pid_t child = fork();
    if (child == 0) {
      int fd = open(said, O_RDWR | O_CREAT | O_TRUNC, 0666);
      dup2(fd, 1);
      dup2(fd, 2);
      close(fd);
      alarm(100);
      return;
    }
    int status = -1;
    struct rusage use;
    wait4(child, &status, 0, &use);
    if (use.ru_maxrss > 600000) /* KB */
      status = -1;
    size_t k = read_all(said, (unsigned char *)text, sizeof text - 1);
    text[k] = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1 && strncmp(text, "--restart ", 10) == 0) refused++;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && strncmp(text, file, strlen(file)) == 0 &&
             strstr(text, "it can go on here\n"))
      accepted++;
    else {
      char kept[220];
      snprintf(kept, sizeof kept, "%s.%ld", file, ++wrong);
      rename(file, kept);
      printf("status %x: %s (%s)\n", (unsigned)status, text, kept);
      fflush(stdout); /* no child is to print it again */
    }
  }
  printf("%ld refused, %ld accepted, %ld wrong, of %zu bytes\n", refused, accepted, wrong, bytes);
  fflush(stdout);
  _exit(wrong != 0);
}
