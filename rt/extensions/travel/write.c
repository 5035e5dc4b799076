/* write.c - an image is written.
 *
 * A walk from the root's closure down finds all closures and links that are alive, and whether anything is there that
 * cannot travel. Then addresses.c finds the words that a restart translates. Then a temporary file is written, brought
 * to the disk, and renamed. */
#define _GNU_SOURCE
#include "travel/addresses.h"
#include "travel/maps.h"
#include "travel/names.h"
#include "base/arena.h"
#include "base/module.h"
#include "data/closure.h"
#include "data/computation.h"
#include "data/pool.h"
#include "steal/halt.h"
#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static char reason[512];
#define WHY(...) (snprintf(reason, sizeof reason, __VA_ARGS__), reason)

/* ---- what is alive ---- */

typedef struct list {
  uint64_t *item;
  size_t n, room;
} list;   /* of pointers */

static bool append(list *l, const void *p) {
  if (!CILK_ROOM_FOR(l->item, l->n, l->room, 256)) return false;
  l->item[l->n++] = (uint64_t)(uintptr_t)p;
  return true;
}

typedef struct alive {
  list closures, links, sigs;
  cilk_root_run *run;
} alive;

static const char *walk(cilk_context *ctx, alive *a) {
  static const char memory[] = "out of memory";
  cilk_root_run *run = a->run = load_acquire(&ctx->running);
  if (!run || !run->link.child) return cilk_stop_too_late;
  if (ctx->privates) return "the program has private variables, which belong to workers";
  if (run->group || run->locals) return "the program has used Cilk_start or Cilk_local_set";
  if (!cilk_no_map(run->link.views)) return "views of reducers are alive in the caller of the computation";
  if (!append(&a->closures, run->link.child)) return memory;
  for (size_t i = 0; i < a->closures.n; i++) {
    cilk_closure *c = (cilk_closure *)(uintptr_t)a->closures.item[i];
    if (c->state != CILK_READY && c->state != CILK_SUSPENDED)
      return WHY("%s is in the state %u, which is an error of the runtime", c->sig->name, c->state);
    if (!cilk_arena_has(c))
      return WHY("the closure of %s is not in the arena, which is an error of the runtime", c->sig->name);
    size_t k = 0;
    while (k < a->sigs.n && a->sigs.item[k] != (uint64_t)(uintptr_t)c->sig) k++;
    if (k == a->sigs.n && !append(&a->sigs, c->sig)) return memory;
    for (cilk_link *l = c->children; l; l = l->next) {
      if (!append(&a->links, l)) return memory;
      if (l->child && l->stage == CILK_LINK_OUT && !append(&a->closures, l->child)) return memory;
      if (!l->child && !l->future && l->stage == CILK_LINK_OUT)
        return "a child has no closure, which is an error of the runtime";
    }
  }
  return NULL;
}

/* ---- the file ---- */

typedef struct out {
  int fd;
  uint64_t sum, bytes;
  char *buffer;
  size_t filled;
  int error;
} out;
enum { BUFFER = 1 << 18 };

static bool write_all(int fd, const char *p, size_t n) {
  while (n) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= (size_t)k;
  }
  return true;
}

static void drain(out *o) {
  if (!o->error && !write_all(o->fd, o->buffer, o->filled)) o->error = errno;
  o->filled = 0;
}

static void put(out *o, const void *bytes, size_t n) {
  const char *p = bytes;
  o->bytes += n;
  while (n) {
    size_t k = n < BUFFER - o->filled ? n : BUFFER - o->filled;
    memcpy(o->buffer + o->filled, p, k);
    o->filled += k;
    p += k;
    n -= k;
    if (o->filled == BUFFER) {
      o->sum = cilk_sum(o->sum, o->buffer, BUFFER);
      drain(o);
    }
  }
}

static void part(out *o, uint64_t tag, uint64_t bytes) {
  uint64_t begin[2] = {tag, bytes};
  put(o, begin, sizeof begin);
}

static void fill(out *o)                  /* up to a multiple of 8 */
{
  static const char zeros[8];
  put(o, zeros, -o->bytes & 7);
}

static void at_address(out *o, uint64_t tag, uint64_t address, const void *bytes, size_t n) {
  part(o, tag, 8 + n);
  put(o, &address, 8);
  put(o, bytes, n);
  fill(o);
}

static bool is_zero(const char *page) {
  const uint64_t *p = (const uint64_t *)(const void *)page;
  for (size_t i = 0; i < CILK_ARENA_PAGE / 8; i += 8)
    if (p[i] | p[i + 1] | p[i + 2] | p[i + 3] | p[i + 4] | p[i + 5] | p[i + 6] | p[i + 7]) return false;
  return true;
}

static void put_pages(out *o) {
  const char *base = (const char *)CILK_ARENA_BASE;
  size_t top = cilk_arena_top();
  for (size_t at = 0; at < top;) {
    size_t from = at;
    while (at < top && !is_zero(base + at)) at += CILK_ARENA_PAGE;
    if (at > from) at_address(o, CILK_TAG_PAGES, (uint64_t)(uintptr_t)(base + from), base + from, at - from);
    while (at < top && is_zero(base + at)) at += CILK_ARENA_PAGE;
  }
}

static size_t sig_number(const alive *a, const cilk_sig *sig) {
  size_t k = 0;
  while (a->sigs.item[k] != (uint64_t)(uintptr_t)sig) k++;
  return k;
}

static void put_all(out *o, const cilk_program *p, const cilk_names *names, const alive *a,
    const cilk_addresses *addresses, const cilk_image_program *head) {
  part(o, CILK_TAG_PROGRAM, sizeof *head);
  put(o, head, sizeof *head);
  part(o, CILK_TAG_SYMBOLS, 8 + names->nsymbols * sizeof *names->symbols + names->names_bytes);
  put(o, &(uint64_t){names->nsymbols}, 8);
  put(o, names->symbols, names->nsymbols * sizeof *names->symbols);
  put(o, names->names, names->names_bytes);
  fill(o);

  size_t text = 0;
  for (size_t i = 0; i < a->sigs.n; i++) text += strlen(((const cilk_sig *)(uintptr_t)a->sigs.item[i])->name) + 1;
  part(o, CILK_TAG_SIGS, 8 + a->sigs.n * sizeof(cilk_image_sig) + text);
  put(o, &(uint64_t){a->sigs.n}, 8);
  text = 0;
  for (size_t i = 0; i < a->sigs.n; i++) {
    const cilk_sig *sig = (const cilk_sig *)(uintptr_t)a->sigs.item[i];
    cilk_image_sig s = {(uint64_t)(uintptr_t)sig, text, sig->layout, sig->closure_size, sig->nentries};
    put(o, &s, sizeof s);
    text += strlen(sig->name) + 1;
  }
  for (size_t i = 0; i < a->sigs.n; i++) {
    const char *name = ((const cilk_sig *)(uintptr_t)a->sigs.item[i])->name;
    put(o, name, strlen(name) + 1);
  }
  fill(o);

  part(o, CILK_TAG_LAYOUTS, p->layouts.size);
  put(o, (const void *)(p->bias + p->layouts.address), p->layouts.size);
  fill(o);

  part(o, CILK_TAG_CLOSURES, a->closures.n * sizeof(cilk_image_closure));
  for (size_t i = 0; i < a->closures.n; i++) {
    const cilk_closure *c = (const cilk_closure *)(uintptr_t)a->closures.item[i];
    put(o, &(cilk_image_closure){a->closures.item[i], sig_number(a, c->sig)}, sizeof(cilk_image_closure));
  }
  part(o, CILK_TAG_LINKS, a->links.n * sizeof(cilk_image_link));
  for (size_t i = 0; i < a->links.n; i++) {
    const cilk_link *l = (const cilk_link *)(uintptr_t)a->links.item[i];
    put(o, &(cilk_image_link){a->links.item[i], (uint64_t)(l->entry - l->parent->sig->entries)},
        sizeof(cilk_image_link));
  }
  for (size_t i = 0; i < p->nsections; i++)
    at_address(o, CILK_TAG_GLOBALS, p->sections[i].address, (const void *)(p->bias + p->sections[i].address),
        p->sections[i].size);
  for (size_t i = 0; i < names->ntexts; i++)
    at_address(o, CILK_TAG_CONSTANTS, names->texts[i].address, (const void *)(p->bias + names->texts[i].address),
        names->texts[i].bytes);
  put_pages(o);
  part(o, CILK_TAG_WORDS, addresses->n * sizeof *addresses->words);
  put(o, addresses->words, addresses->n * sizeof *addresses->words);
}

/* The new file gets a name when it is on the disk, so nothing is left of it where the process is killed before. */
static const char *write_file(const char *file, const cilk_program *p, const cilk_names *names, const alive *a,
    const cilk_addresses *addresses, const cilk_image_program *head, uint64_t *bytes) {
  static bool named;                      /* the file system, or /proc, can have no other files */
  char temporary[PATH_MAX], folder[PATH_MAX], link[32];
  if ((size_t)snprintf(temporary, sizeof temporary, "%s.%d.new", file, (int)getpid()) >= sizeof temporary)
    return WHY("%.400s: the name is too long", file);
  snprintf(folder, sizeof folder, "%s", file);
  char *slash = strrchr(folder, '/');
  snprintf(slash ? slash + (slash == folder) : folder, 2, "%s", slash ? "" : ".");
  out o = {.fd = named ? -1 : open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)};
  bool nameless = o.fd >= 0;
  if (!nameless) o.fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (o.fd < 0) return WHY("%.400s: %s", temporary, strerror(errno));
  o.buffer = malloc(BUFFER);
  cilk_image_header h = {.version = CILK_IMAGE_VERSION};
  memcpy(h.magic, CILK_IMAGE_MAGIC, sizeof h.magic);
  if (!o.buffer) o.error = ENOMEM;
  else if (!write_all(o.fd, (const char *)&h, sizeof h)) o.error = errno;
  else {
    put_all(&o, p, names, a, addresses, head);
    o.sum = cilk_sum(o.sum, o.buffer, o.filled);
    drain(&o);
    h.bytes = *bytes = sizeof h + o.bytes;
    h.sum = o.sum;
    if (!o.error && (pwrite(o.fd, &h, sizeof h, 0) != (ssize_t)sizeof h || fsync(o.fd) != 0))
      o.error = errno ? errno : EIO;
  }
  free(o.buffer);
  if (nameless && !o.error) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", o.fd);
    unlink(temporary);                    /* of an earlier process with this number */
    if (linkat(AT_FDCWD, link, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) != 0) {
      o.error = errno;
      named = true;
    }
  }
  if (close(o.fd) != 0 && !o.error) o.error = errno;
  if (!o.error && rename(temporary, file) != 0) o.error = errno;
  if (o.error) {
    unlink(temporary);
    return WHY("%.400s: %s", file, strerror(o.error));
  }
  /* The name, too, is to be on the disk. A folder that may be written but not read, and a file system that does not
   * offer this, are not errors. */
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) o.error = errno;
  if (fd >= 0) close(fd);
  return o.error ? WHY("%.400s is written, but the name may not outlive the machine: %s", file, strerror(o.error))
                 : NULL;
}

const char *cilk_image_write(cilk_context *ctx, const cilk_program *p, const char *file,
    const cilk_image_program *known, cilk_image_written *w) {
  alive a = {.run = NULL};
  cilk_addresses addresses;
  cilk_names names;
  const char *why = walk(ctx, &a);
  cilk_names_begin(p);
  for (size_t i = 0; i < a.sigs.n; i++) cilk_names_word(a.sigs.item[i]);
  if (!why)
    why = cilk_addresses_find(p, known, &(cilk_alive){a.closures.item, a.links.item, a.closures.n, a.links.n},
        &addresses);
  if (!why) {
    cilk_image_program head = *known;
    head.build = p->build;
    strcpy(head.processor, cilk_processor());
    head.layout = cilk_layout_of_the_runtime();
    head.spawning = cilk_spawning();
    head.bias = p->bias;
    head.low = p->low;
    head.high = p->high;
    head.top = cilk_arena_top();
    head.views = (uint64_t)(uintptr_t)a.run->link.views;
    cilk_closure *bundles[CILK_FREE_CLASSES];
    cilk_pool_bundles(bundles, false);
    for (int k = 0; k < CILK_FREE_CLASSES; k++) head.bundles[k] = (uint64_t)(uintptr_t)bundles[k];
    why = cilk_names_end(&names) ? write_file(file, p, &names, &a, &addresses, &head, &w->bytes) : "out of memory";
    cilk_names_free(&names);
    cilk_addresses_promise(w);
  }
  free(a.closures.item);
  free(a.links.item);
  free(a.sigs.item);
  return why;
}
