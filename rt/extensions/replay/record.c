/* record.c - the file of a recorded run (record.h): written while it runs, read as a whole before a replay.
 *
 * The file is mapped, so that what was written is in it however the process ends. A step's first byte, which is never
 * 0, is stored last. */
#define _GNU_SOURCE
#include "replay/record.h"
#include "data/step.h"
#include "base/module.h"
#include "base/sum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[] = "cilk record 3\n";
enum {
  MAGIC_BYTES = sizeof MAGIC - 1,
  HEADER = MAGIC_BYTES + 6,
  STEP_MOST = 2 + 10,
  NOTE_MOST = 1 + 3 * 10,
  END_BYTES = 9,
  GROW_LEAST = 1 << 18,
  GROW_MOST = 1 << 24
};

/* ---- writing ---- */

static void fail(const cilk_recording *r, int error) {
  if (!r->map) cilk_repeat_note(0, NULL);      /* without a record */
  cilk_fatal("cannot write the record %s: %s", r->name, strerror(error));
}

static void grow(cilk_recording *r, size_t bytes) {
  size_t room = r->room;
  if (r->used + bytes + 64 <= room) return;
  room += room < GROW_LEAST ? GROW_LEAST : room > GROW_MOST ? GROW_MOST : room;
  while (room < r->used + bytes + 64) room += GROW_LEAST;
  /* a page of the map that the disk has no room for would be a signal */
  int e = posix_fallocate(r->fd, 0, (off_t)room);
  if (e) fail(r, e);
  void *map = r->map ? mremap(r->map, r->room, room, MREMAP_MAYMOVE)
                     : mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
  if (map == MAP_FAILED) fail(r, errno);
  r->map = map;
  r->room = room;
}

static size_t put_number(unsigned char *at, uint64_t v) {
  size_t n = 0;
  for (; v >= 128; v >>= 7) at[n++] = (unsigned char)(v | 128);
  at[n++] = (unsigned char)v;
  return n;
}

static void put32(unsigned char *at, uint32_t v) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(v >> 8 * i);
}
static uint32_t get32(const unsigned char *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void cilk_recording_open(cilk_recording *r, const cilk_context *ctx) {
  memset(r, 0, sizeof *r);
  r->name = ctx->opt.record_file;
  r->fd = open(r->name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  struct stat st;
  if (r->fd < 0 || fstat(r->fd, &st) != 0) fail(r, errno);
  r->fd = cilk_outcome_aside(r->fd);
  if (!S_ISREG(st.st_mode)) {
    cilk_repeat_note(0, NULL);
    cilk_fatal("cannot write the record %s: it is not an ordinary file", r->name);
  }
  size_t words = ctx->opt.words_bytes;
  grow(r, HEADER + words + CILK_OUTCOME_BYTES);
  memcpy(r->map + MAGIC_BYTES + 6, ctx->opt.words, words);
  r->map[MAGIC_BYTES] = (unsigned char)ctx->nproc;
  r->map[MAGIC_BYTES + 1] = (unsigned char)cilk_spawning();
  put32(r->map + MAGIC_BYTES + 2, (uint32_t)words);
  memcpy(r->map, MAGIC, MAGIC_BYTES);
  r->used = r->at = HEADER + words + CILK_OUTCOME_BYTES;
  r->sum = cilk_sum(cilk_sum_begin, r->map, r->used);
  cilk_outcome_watch(r->name, r->fd, (off_t)(HEADER + words), NULL, ctx->opt.stats != 0);
}

void cilk_recording_step(cilk_recording *r, int kind, int answer, int worker, uint64_t pops) {
  grow(r, STEP_MOST + 2);
  unsigned char *p = r->map + r->used;
  p[1] = (unsigned char)worker;
  size_t n = 2 + put_number(p + 2, pops);
  memset(p + n, 0, 2);
  /* last, should the process end here; for no other thread */
  __atomic_store_n(&p[0], (unsigned char)(kind + 32 * answer), __ATOMIC_RELEASE);
  r->at = r->used + n;
}

void cilk_recording_note(cilk_recording *r, int tag, const uint64_t *numbers, int n) {
  grow(r, r->at - r->used + NOTE_MOST + 2);
  unsigned char *p = r->map + r->at;
  size_t k = 1;
  for (int i = 0; i < n; i++) k += put_number(p + k, numbers[i]);
  memset(p + k, 0, 2);
  __atomic_store_n(&p[0], (unsigned char)tag, __ATOMIC_RELEASE);   /* as above */
  r->at += k;
}

void cilk_recording_commit(cilk_recording *r) {
  size_t end = r->at + 1;
  r->sum = cilk_sum(r->sum, r->map + r->used, end - r->used);
  r->used = r->at = end;
}

void cilk_recording_close(cilk_recording *r) {
  if (!r->map) return;
  grow(r, END_BYTES);
  for (int i = 0; i < 8; i++) r->map[r->used + 1 + (size_t)i] = (unsigned char)(r->sum >> 8 * i);
  r->map[r->used] = CILK_STEP_END;
  munmap(r->map, r->room);
  r->map = NULL;
  if (ftruncate(r->fd, (off_t)(r->used + END_BYTES)) != 0)
    fprintf(stderr, "cannot write the record %s: %s\n", r->name, strerror(errno));
  close(r->fd);
}

/* ---- reading ---- */

uint64_t cilk_record_number(const unsigned char **at) {
  uint64_t v = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char b = *(*at)++;
    v |= (uint64_t)(b & 127) << (shift & 63);
    if (b < 128) return v;
  }
}

/* All of the file, with zeroes after it. NULL: errno says why not. */
static unsigned char *read_file(const char *name, size_t *size) {
  int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);   /* a pipe has no writer, perhaps never */
  struct stat st;
  if (fd < 0) return NULL;
  unsigned char *bytes = NULL;
  if (fstat(fd, &st) == 0) {
    if (!S_ISREG(st.st_mode)) errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    else bytes = calloc(1, (size_t)st.st_size + 64);
  }
  size_t n = 0;
  for (ssize_t k; bytes && n < (size_t)st.st_size && (k = read(fd, bytes + n, (size_t)st.st_size - n)) > 0;)
    n += (size_t)k;
  int e = errno;
  close(fd);
  errno = e;
  *size = n;
  return bytes;
}

/* The header, or what is wrong with it. */
static const char *header(const unsigned char *bytes, size_t size, int *workers) {
  if (size < MAGIC_BYTES || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
    return size >= 12 && memcmp(bytes, MAGIC, 12) == 0 ? "it was written by another version of the runtime"
           : size == 0                                 ? "it is empty"
                                                       : "it is not a record of --sched=record";
  *workers = bytes[MAGIC_BYTES];
  if (size < HEADER || size < HEADER + CILK_OUTCOME_BYTES + (size_t)get32(bytes + MAGIC_BYTES + 2))
    return "it is truncated";
  if (*workers < 1 || *workers > CILK_MOST_TURNS || bytes[MAGIC_BYTES + 1] > CILK_SPAWNING_SEDATIVE)
    return "it is damaged";
  return NULL;
}

int cilk_record_workers(const char *name) {
  size_t size;
  int workers = 0;
  unsigned char *bytes = read_file(name, &size);
  const char *wrong = bytes ? header(bytes, size, &workers) : strerror(errno);
  if (wrong) fprintf(stderr, "cannot replay %s: %s\n", name, wrong);
  free(bytes);
  return wrong ? 0 : workers;
}

static void add(cilk_record *r, int worker, cilk_replay_step s) {
  uint64_t *room = &r->of[worker].room;
  if (r->of[worker].n == *room) {
    *room = *room ? *room * 2 : 256;
    r->of[worker].step = realloc(r->of[worker].step, *room * sizeof s);
    if (!r->of[worker].step) cilk_fatal("out of memory");
  }
  r->of[worker].step[r->of[worker].n++] = s;
}

/* Skips a number; false: it is cut off, or too long. */
static bool skip_number(const unsigned char **at, const unsigned char *end) {
  for (int n = 1; *at < end && n <= 10; n++)
    if (*(*at)++ < 128) return true;
  return false;
}

/* One step's observations. */
static const char *check_notes(const unsigned char **at, const unsigned char *end) {
  static const int numbers[] = {0, 3, 2, 1, 2};
  while (*at < end && **at) {
    int tag = *(*at)++;
    if (tag > RECORD_COUNT) return "it is damaged";
    for (int i = 0; i < numbers[tag]; i++)
      if (!skip_number(at, end)) return "it is truncated";
  }
  return (*at)++ < end ? NULL : "it is truncated";
}

static const char *steps(cilk_record *r, const unsigned char *at, const unsigned char *end) {
  uint64_t pops[CILK_MOST_TURNS + 1] = {0};
  size_t room = (size_t)(end - at) / 4 + 1;         /* a step has four bytes at least */
  if (!(r->owner = malloc(room))) cilk_fatal("out of memory");
  for (;;) {
    if (at == end) return "it is truncated";
    if (*at == 0)                         /* the run was cut short */
      return NULL;
    if (*at == CILK_STEP_END) {
      uint64_t sum = 0;
      if (end - at < END_BYTES) return "it is truncated";
      for (int i = 0; i < 8; i++) sum |= (uint64_t)at[1 + i] << 8 * i;
      r->whole = true;
      return end - at > END_BYTES || sum != cilk_sum(cilk_sum_begin, r->bytes, (size_t)(at - r->bytes))
                 ? "it is damaged"
                 : NULL;
    }
    cilk_replay_step s = {.kind = *at & 31, .answer = *at >> 5, .index = r->steps};
    at++;
    if (at == end) return "it is truncated";
    int worker = *at++;
    if (s.kind >= CILK_STEPS || s.answer > CILK_LEAVE ||
        (s.kind == CILK_STEP_OUTSIDE ? worker != CILK_MOST_TURNS : worker >= r->workers))
      return "it is damaged";
    const unsigned char *count = at;
    if (!skip_number(&at, end)) return "it is truncated";
    s.pops = pops[worker] += cilk_record_number(&count);
    s.notes = at;
    const char *wrong = check_notes(&at, end);
    if (wrong) return wrong;
    add(r, worker, s);
    r->owner[r->steps++] = (uint8_t)worker;
  }
}

/* The same words would be refused again: no command that repeats the run is printed. */
#define refuse(...) (cilk_repeat_note(0, NULL), cilk_fatal(__VA_ARGS__))

void cilk_record_load(cilk_record *r, const cilk_context *ctx) {
  size_t size;
  memset(r, 0, sizeof *r);
  r->name = ctx->opt.replay_file;
  r->bytes = read_file(r->name, &size);
  const char *wrong = r->bytes ? header(r->bytes, size, &r->workers) : strerror(errno);
  if (wrong) refuse("cannot replay %s: %s", r->name, wrong);
  r->spawning = r->bytes[MAGIC_BYTES + 1];
  size_t words = get32(r->bytes + MAGIC_BYTES + 2);
  unsigned char *outcome = r->bytes + HEADER + words;
  wrong = cilk_outcome_read(outcome, &r->outcome) ? NULL : "it is damaged";
  memset(outcome, 0, CILK_OUTCOME_BYTES);
  if (wrong || (wrong = steps(r, outcome + CILK_OUTCOME_BYTES, r->bytes + size)))
    refuse("cannot replay %s: %s", r->name, wrong);
  if (r->spawning != cilk_spawning())
    refuse("cannot replay %s: it was recorded with %s, this program has %s", r->name, cilk_spawning_flag(r->spawning),
        cilk_spawning_flag(cilk_spawning()));
  if (words != ctx->opt.words_bytes || memcmp(r->bytes + HEADER, ctx->opt.words, words) != 0) {
    char text[200];
    size_t n = words < sizeof text ? words : sizeof text - 1;
    for (size_t i = 0; i < n; i++) text[i] = r->bytes[HEADER + i] ? (char)r->bytes[HEADER + i] : ' ';
    text[n] = 0;
    refuse("cannot replay %s: the program had other arguments when it was recorded: %s%s", r->name, text,
        n < words ? "..."
        : words   ? ""
                  : "(none)");
  }
  if (!ctx->opt.replay.on)                /* in turns the program may do something else where steps have no order */
    cilk_outcome_watch(r->name, -1, 0, &r->outcome, ctx->opt.stats != 0);
}
