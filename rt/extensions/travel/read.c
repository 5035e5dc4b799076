/* read.c - an image is read into a process that has just begun.
 *
 * The file is checked as a whole, then its parts, before anything of this process is changed. The arena's pages go to
 * their addresses. The writer has listed the words there and in globals that are addresses of the program's code and
 * objects. They become those of the same names here; between two runs of one file they differ by a distance. At last
 * the closures and links that are alive get what is this process's: signatures, entries, workers, the root. */
#define _GNU_SOURCE
#include "travel/foreign.h"
#include "travel/maps.h"
#include "travel/shapes.h"
#include "base/arena.h"
#include "base/module.h"
#include "data/closure.h"
#include "data/context.h"
#include "data/pool.h"
#include "data/root.h"
#include "data/step.h"
#include "fibers/fiber.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *image_name;
static void refuse(const char *format, ...) CILK_PRINTF(1, 2) CILK_NORETURN;
static void refuse(const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fprintf(stderr, "--restart %s: %s\n", image_name, text);
  cilk_exit_process(1);
}

/* What an image says, in memory. */
typedef struct image {
  cilk_image_program head;
  const cilk_symbol *symbols;
  size_t nsymbols;
  const char *names;
  size_t names_bytes;
  const cilk_image_sig *sigs;
  size_t nsigs;
  const char *sig_names;
  size_t sig_names_bytes;
  const char *layouts;
  size_t layouts_bytes;
  const cilk_image_closure *closures;
  const cilk_image_link *links;
  const cilk_image_words *words;
  size_t nclosures, nlinks, nwords;
  char *file;
  const char *parts, *end;
} image;

static image it;
static const cilk_program *here;
static bool foreign;                      /* of a processor of the other byte order */
static bool same;                         /* the same file as then, at another address perhaps */
static const cilk_sig **sigs;             /* of this program, by their number in the image */

/* ---- the file ---- */

/* The last text has a zero after it, too. */
static bool text_at(const char *names, size_t bytes, uint64_t place) { return place < bytes && !names[bytes - 1]; }

static void check_whole(char *file, size_t bytes) {
  cilk_image_header h;
  if (bytes < sizeof h || memcmp(file, CILK_IMAGE_MAGIC, sizeof h.magic) != 0) refuse("it is no checkpoint");
  memcpy(&h, file, sizeof h);
  foreign = cilk_foreign(h.version);
  if (foreign) {
    h.version = __builtin_bswap64(h.version);
    h.bytes = __builtin_bswap64(h.bytes);
    h.sum = __builtin_bswap64(h.sum);
  }
  if (h.version != CILK_IMAGE_VERSION)
    refuse(
        "it has version %llu of the form of checkpoints, and this program reads version %d: restart with the cilkc that built the program",
        (unsigned long long)h.version, CILK_IMAGE_VERSION);
  if (h.bytes != bytes || bytes % 8) refuse("it is torn: %zu bytes of %llu", bytes, (unsigned long long)h.bytes);
  const char *rest = file + sizeof h;
  if ((foreign ? cilk_foreign_sum(rest, bytes - sizeof h) : cilk_sum(0, rest, bytes - sizeof h)) != h.sum)
    refuse("it is damaged: its checksum is wrong");
  if (foreign && !cilk_foreign_file(file, bytes)) refuse("it is damaged: a part is cut off");
}

/* The next part: its payload and size; false at the end. */
static bool next_field(const char **at, uint64_t *tag, const char **body, uint64_t *bytes) {
  if (*at == it.end) return false;
  uint64_t begin[2];
  if ((size_t)(it.end - *at) < sizeof begin) refuse("it is damaged: a part is cut off");
  memcpy(begin, *at, sizeof begin);
  *at += sizeof begin;
  if (begin[1] > (size_t)(it.end - *at)) refuse("it is damaged: a part is cut off");
  *tag = begin[0];
  *bytes = begin[1];
  *body = *at;
  uint64_t whole = (begin[1] + 7) & ~(uint64_t)7;
  *at += whole > (size_t)(it.end - *at) ? (uint64_t)(it.end - *at) : whole;
  return true;
}

static bool in_arena(uint64_t address, uint64_t bytes) {
  return address >= CILK_ARENA_BASE && address - CILK_ARENA_BASE <= it.head.top &&
         bytes <= it.head.top - (address - CILK_ARENA_BASE);
}

#define DAMAGED(condition, text) \
  do \
    if (condition) refuse("it is damaged: " text); \
  while (0)

static void check_parts(void) {
  const char *at = it.parts, *body;
  uint64_t tag, bytes, n;
  bool head = false;
  while (next_field(&at, &tag, &body, &bytes)) {
    if (tag == CILK_TAG_PROGRAM) {
      DAMAGED(bytes != sizeof it.head, "what it says of its program has another size");
      memcpy(&it.head, body, sizeof it.head);
      DAMAGED(it.head.top % CILK_ARENA_PAGE != 0, "the size of its heap");
      DAMAGED(it.head.processor[15] != 0, "the name of its processor");
      head = true;
    } else if (tag == CILK_TAG_SYMBOLS || tag == CILK_TAG_SIGS) {
      size_t each = tag == CILK_TAG_SYMBOLS ? sizeof(cilk_symbol) : sizeof(cilk_image_sig);
      DAMAGED(bytes < 8, "a table is cut off");
      memcpy(&n, body, 8);
      DAMAGED(n > (bytes - 8) / each, "a table is longer than its part");
      if (tag == CILK_TAG_SYMBOLS) {
        it.symbols = (const void *)(body + 8);
        it.nsymbols = n;
        it.names = body + 8 + n * each;
        it.names_bytes = bytes - 8 - n * each;
      } else {
        it.sigs = (const void *)(body + 8);
        it.nsigs = n;
        it.sig_names = body + 8 + n * each;
        it.sig_names_bytes = bytes - 8 - n * each;
      }
    } else if (tag == CILK_TAG_LAYOUTS) {
      it.layouts = body;
      it.layouts_bytes = bytes;
    } else if (tag == CILK_TAG_CLOSURES) {
      it.closures = (const void *)body;
      it.nclosures = bytes / sizeof *it.closures;
    } else if (tag == CILK_TAG_LINKS) {
      it.links = (const void *)body;
      it.nlinks = bytes / sizeof *it.links;
    } else if (tag == CILK_TAG_WORDS) {
      it.words = (const void *)body;
      it.nwords = bytes / sizeof *it.words;
    } else if (tag == CILK_TAG_PAGES || tag == CILK_TAG_GLOBALS || tag == CILK_TAG_CONSTANTS)
      DAMAGED(bytes < 8, "a part has no address");
    else refuse("it has a part that this program does not know");
  }
  DAMAGED(!head, "it does not say of which program it is");
  DAMAGED(!it.nclosures || !it.nsigs, "it has no closure");
  for (size_t i = 0; i < it.nwords; i++)
    DAMAGED(it.words[i].address % (8 * CILK_IMAGE_WORDS) || (i && it.words[i].address <= it.words[i - 1].address),
        "words are out of order");
  for (size_t i = 0; i < it.nsymbols; i++)
    DAMAGED(!text_at(it.names, it.names_bytes, it.symbols[i].name) ||
                !text_at(it.names, it.names_bytes, it.symbols[i].file),
        "a name of the program is outside of the file");
  for (size_t i = 0; i < it.nsigs; i++)
    DAMAGED(!text_at(it.sig_names, it.sig_names_bytes, it.sigs[i].name) || it.sigs[i].size < sizeof(cilk_closure),
        "a procedure has no name, or no closure has its size");
  for (size_t i = 0; i < it.nclosures; i++)
    DAMAGED(it.closures[i].sig >= it.nsigs || it.closures[i].address % 64 ||
                !in_arena(it.closures[i].address, it.sigs[it.closures[i].sig].size),
        "a closure is outside of the heap");
  for (size_t i = 0; i < it.nlinks; i++)
    DAMAGED(it.links[i].address % 64 || !in_arena(it.links[i].address, CILK_LINK_HEADER),
        "a link is outside of the heap");
}

/* ---- names ---- */

/* The symbol of the same name, by binary search in `by_name`; NULL: there is none. */
static const cilk_symbol **by_name;
static int compare(const char *name, const char *file, uint64_t number, const cilk_symbol *s) {
  int d = strcmp(name, here->names + s->name);
  d = d ? d : strcmp(file, here->names + s->file);
  return d ? d : number < s->number ? -1 : number > s->number;
}
static int in_order(const void *a, const void *b) {
  const cilk_symbol *x = *(const cilk_symbol *const *)a, *y = *(const cilk_symbol *const *)b;
  return compare(here->names + x->name, here->names + x->file, x->number, y);
}

static const cilk_symbol *find(const cilk_symbol *old) {
  size_t low = 0, high = here->nsymbols;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int d = compare(it.names + old->name, it.names + old->file, old->number, by_name[middle]);
    if (!d) return by_name[middle];
    if (d > 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

/* Strings have no names, but what they are is all that counts. The old program's string at `linked`, anywhere in this
 * program; 0: it is no text, or is not here. */
static uint64_t find_text(uint64_t linked) {
  const char *at = it.parts, *body;
  uint64_t tag, bytes, address;
  while (next_field(&at, &tag, &body, &bytes)) {
    if (tag != CILK_TAG_CONSTANTS) continue;
    memcpy(&address, body, 8);
    if (linked - address >= bytes - 8) continue;
    const char *text = body + 8 + (linked - address);
    size_t most = bytes - 8 - (linked - address), n = strnlen(text, most);
    if (n == most)                        /* no zero ends it */
      return 0;
    for (size_t i = 0; i < n; i++)
      if ((unsigned char)text[i] < ' ' && (text[i] < '\t' || text[i] > '\r')) return 0;
    for (size_t i = 0; n && i < here->nconstants; i++) {
      const char *found =
          memmem((const void *)(here->bias + here->constants[i].address), here->constants[i].size, text, n + 1);
      if (found) return (uint64_t)(uintptr_t)found;
    }
  }
  return 0;
}

static const char *old_name(const cilk_symbol *s) { return it.names + s->name; }

/* What `word` is here. False: it was an address of the old program for which there is none here. */
static bool translate(uint64_t *word, const char **what) {
  uint64_t w = *word;
  if (w - it.head.low >= it.head.high - it.head.low) return true;
  if (same) {
    *word = w - it.head.bias + here->bias;
    return true;
  }
  const cilk_symbol *old = cilk_symbol_at(it.symbols, it.nsymbols, w - it.head.bias), *s = old ? find(old) : NULL;
  uint64_t text = s ? 0 : find_text(w - it.head.bias);
  if (text) {
    *word = text;
    return true;
  }
  if (!s) {
    *what = old ? old_name(old) : NULL;
    return false;
  }
  *word = here->bias + s->address + (w - it.head.bias - old->address);
  return true;
}

/* Translates that word. False: it has no meaning here. */
static bool translate_word(uint64_t *p, const char **what) {
  for (int i = 0; i < 3; i++)
    if (*p == it.head.streams[i] && *p) {
      *p = (uint64_t)(uintptr_t)(i == 0 ? stdin : i == 1 ? stdout : stderr);
      return true;
    }
  return translate(p, what);
}

/* The first group that does not end before this address. */
static size_t first_words(uint64_t address) {
  size_t low = 0, high = it.nwords;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (it.words[middle].address + 8 * CILK_IMAGE_WORDS <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* ---- signatures ---- */

/* Variables of such types make another layout of the procedure on each processor. Refused is the first of them. */
static void name_of_one_processor(const cilk_symbol *sig, const char *name) {
  static const char *const types[] = {"long double", "va_list"};
  const cilk_procedure_shape *p = cilk_shape_of_procedure(here, sig);
  for (size_t i = 0; p && i < p->nvariables; i++)
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
      if (strstr(p->variables[i].shape->text, types[k]))
        refuse("`%s' of the procedure %s has the type %s, whose form depends on the processor: it was written on %s",
            p->variables[i].name, name, p->variables[i].shape->text, it.head.processor);
}

/* Finds the constants of this program whose symbols are NAME.sig, and which have that name in them. */
static void find_sigs(void) {
  sigs = calloc(it.nsigs, sizeof *sigs);
  if (!sigs) refuse("out of memory");
  for (size_t i = 0; i < it.nsigs; i++) {
    const cilk_image_sig *old = &it.sigs[i];
    const char *name = it.sig_names + old->name;
    const cilk_symbol *was = cilk_symbol_at(it.symbols, it.nsymbols, old->address - it.head.bias),
                      *is = was ? find(was) : NULL;
    if (!is || is->size < sizeof(cilk_sig) || (is->flags & CILK_SYMBOL_CODE) || !strstr(here->names + is->name, ".sig"))
      refuse("this program has no procedure %s of %s", name, was ? it.names + was->file : "that program");
    const cilk_sig *sig = (const cilk_sig *)(uintptr_t)(here->bias + is->address);
    if (sig->abi_version != CILK_ABI_VERSION || strcmp(sig->name, name) != 0)
      refuse("this program has no procedure %s", name);
    bool changed = sig->layout != old->layout || sig->closure_size != old->size || sig->nentries != old->entries;
    if (changed && strcmp(it.head.processor, cilk_processor()) != 0) name_of_one_processor(is, name);
    if (changed)
      refuse(
          "the procedure %s has changed since: its variables, their types, or its spawns differ from those of the checkpoint",
          name);
    sigs[i] = sig;
  }
}

/* The next row of such a table, or NULL. */
static const char *next_layout(const char **at, const char *end, uint64_t *hash) {
  if (end - *at <= 8) return NULL;
  const char *text = *at + 8, *zero = memchr(text, 0, (size_t)(end - text));
  if (!zero) return NULL;
  memcpy(hash, *at, 8);
  *at += (8 + (zero - text) + 8) & ~7;
  return text;
}

/* Several layouts may have one name. A layout that this program lacks is not used here. */
static void check_layouts(void) {
  const char *at = it.layouts, *mine = (const char *)(uintptr_t)(here->bias + here->layouts.address), *text, *other;
  uint64_t was, is;
  while (at && (text = next_layout(&at, it.layouts + it.layouts_bytes, &was))) {
    bool named = false, found = false;
    for (const char *p = mine; !found && (other = next_layout(&p, mine + here->layouts.size, &is));)
      if (strcmp(other, text) == 0) {
        named = true;
        found = was == is;
      }
    if (named && !found)
      refuse("%s has changed since: its type or its members differ from those of the checkpoint%s", text,
          strcmp(it.head.processor, cilk_processor()) == 0
              ? ""
              : ", or have a form that depends on the processor (long double)");
  }
}

/* An optimiser may keep a global in parts, `x.0' and `x.1', or as `x.b'; static variables of procedures have numbers,
 * too. So the length of the name without such an end. */
static size_t base_of(const char *name) {
  size_t n = strlen(name), digits = n;
  while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
  if (digits == n && digits && name[digits - 1] == 'b') digits--;
  return digits > 1 && digits < n && name[digits - 1] == '.' ? digits - 1 : n;
}

static bool in_image(const cilk_symbol *s) {
  for (size_t i = 0; i < it.nsymbols; i++)
    if (compare(old_name(&it.symbols[i]), it.names + it.symbols[i].file, it.symbols[i].number, s) == 0) return true;
  return false;
}

/* What such a variable had is in no variable here, or a part of it here has no value there. */
static void check_parts_of_globals(void) {
  for (size_t i = 0; i < it.nsymbols; i++) {
    const cilk_symbol *old = &it.symbols[i];
    size_t n = base_of(old_name(old));
    if (!(old->flags & CILK_SYMBOL_GLOBAL) || find(old)) continue;
    for (size_t k = 0; k < here->nsymbols; k++) {
      const cilk_symbol *s = &here->symbols[k];
      const char *name = here->names + s->name;
      if (s->flags & CILK_SYMBOL_GLOBAL && strncmp(name, old_name(old), n) == 0 && base_of(name) == n &&
          strcmp(here->names + s->file, it.names + old->file) == 0 && !in_image(s))
        refuse("the global `%.*s' is in other parts here (`%s', `%s'), as at another level of optimisation", (int)n,
            name, old_name(old), name);
    }
  }
}

/* ---- memory ---- */

static void put_globals(const char *body, uint64_t bytes) {
  uint64_t address;
  memcpy(&address, body, 8);
  body += 8;
  bytes -= 8;
  const char *what = NULL;
  for (size_t i = 0; i < it.nsymbols; i++) {
    const cilk_symbol *old = &it.symbols[i];
    if (!(old->flags & CILK_SYMBOL_GLOBAL) || old->address - address >= bytes ||
        old->size > bytes - (old->address - address))
      continue;
    const cilk_symbol *s = find(old);
    if (!s) continue;                           /* nothing here uses it, or a word that points to it is refused */
    DAMAGED(!(s->flags & CILK_SYMBOL_GLOBAL), "a global has the name of what is none");
    if (s->size != old->size)
      refuse("the global `%s' had %llu bytes, and has %llu here", old_name(old), (unsigned long long)old->size,
          (unsigned long long)s->size);
    void *to = (void *)(uintptr_t)(here->bias + s->address);
    memcpy(to, body + (old->address - address), s->size);
    const char *why = foreign ? cilk_foreign_object(here, s) : NULL;
    if (why) refuse("%s", why);
    for (size_t k = first_words(old->address); k < it.nwords && it.words[k].address < old->address + old->size; k++)
      for (uint64_t bits = it.words[k].which; bits; bits &= bits - 1) {
        uint64_t offset = it.words[k].address + 8 * (uint64_t)__builtin_ctzll(bits) - old->address;
        bool inside = offset + 8 <= old->size && offset + 8 > offset;
        if (inside && !translate_word((uint64_t *)(void *)((char *)to + offset), &what))
          refuse("the global `%s' points to %s%s, which this program does not have", old_name(old),
              what ? "" : "something without a name", what ? what : "");
      }
  }
}

static void put_pages(const char *body, uint64_t bytes) {
  uint64_t address;
  memcpy(&address, body, 8);
  DAMAGED(!in_arena(address, bytes - 8), "pages are outside of the heap");
  memcpy((void *)(uintptr_t)address, body + 8, bytes - 8);
}

/* Words of the heap that have no meaning here, by address. */
static struct {
  const uint64_t **at;
  const char **what;
  size_t n, room;
} gone;

static void is_gone(const uint64_t *at, const char *what) {
  if (gone.n == gone.room) {
    gone.room = gone.room ? 2 * gone.room : 64;
    gone.at = realloc(gone.at, gone.room * sizeof *gone.at);
    gone.what = realloc(gone.what, gone.room * sizeof *gone.what);
    if (!gone.at || !gone.what) refuse("out of memory");
  }
  gone.at[gone.n] = at;
  gone.what[gone.n++] = what ? what : "something without a name";
}

static void translate_heap(void) {
  for (size_t k = first_words(CILK_ARENA_BASE); k < it.nwords; k++)
    for (uint64_t bits = it.words[k].which; bits; bits &= bits - 1) {
      uint64_t at = it.words[k].address + 8 * (uint64_t)__builtin_ctzll(bits);
      const char *what = NULL;
      DAMAGED(!in_arena(at, 8), "a word is outside of the heap");
      if (!translate_word((uint64_t *)(uintptr_t)at, &what)) is_gone((const uint64_t *)(uintptr_t)at, what);
    }
}

/* The first of them in there, by binary search. NULL: none. */
static const char *gone_in(uint64_t from, uint64_t to) {
  size_t low = 0, high = gone.n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if ((uint64_t)(uintptr_t)gone.at[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low < gone.n && (uint64_t)(uintptr_t)gone.at[low] < to ? gone.what[low] : NULL;
}

static void check_gone_views(const struct cilk_views *m) {
  const char *what;
  const void *at;
  size_t bytes;
  for (size_t i = 0; !cilk_no_map(m) && cilk_map_words(m, i, &at, &bytes); i++)
    if ((what = gone_in((uint64_t)(uintptr_t)at, (uint64_t)(uintptr_t)at + bytes)))
      refuse("a reducer, or a view of it, points to %s, which this program does not have", what);
}

/* What is alive of closures and links, which were checked. */
static void check_gone(void) {
  const char *what;
  for (size_t i = 0; i < it.nclosures; i++) {
    const cilk_sig *sig = sigs[it.closures[i].sig];
    uint64_t at = it.closures[i].address;
    if ((what = gone_in(at + sizeof(cilk_closure), at + sig->closure_size)))
      refuse("a variable of the procedure %s points to %s, which this program does not have", sig->name, what);
  }
  for (size_t i = 0; i < it.nlinks; i++) {
    const cilk_link *l = (const cilk_link *)(uintptr_t)it.links[i].address;
    if ((what = gone_in(it.links[i].address + CILK_LINK_HEADER, it.links[i].address + l->bytes)))
      refuse("what a spawn keeps for its delivery points to %s, which this program does not have", what);
    check_gone_views(l->views);
    check_gone_views(l->right);
  }
  if (gone.n) refuse("a block of the Cilk heap points to %s, which this program does not have", gone.what[0]);
}

/* ---- the computation goes on ---- */

static void thaw(cilk_worker *w, cilk_root_run *run) {
  cilk_context *ctx = w->ext->ctx;
  ctx->thaw = NULL;
  run->link.child = (cilk_closure *)(uintptr_t)it.closures[0].address;
  run->link.views = (struct cilk_views *)(uintptr_t)it.head.views;
  uint32_t touching = 0;
  for (size_t i = 0; i < it.nlinks; i++) {
    cilk_link *l = (cilk_link *)(uintptr_t)it.links[i].address;
    l->root = run;
    l->worker = w;
    touching += l->future != NULL;
  }
  for (size_t i = 0; i < it.nclosures; i++) {
    cilk_closure *c = (cilk_closure *)(uintptr_t)it.closures[i].address;
    c->sig = sigs[it.closures[i].sig];
    c->worker = w;
    if (!i) c->link = &run->link;
    c->next = NULL;
  }
  for (size_t i = 0; i < it.nlinks; i++) {
    cilk_link *l = (cilk_link *)(uintptr_t)it.links[i].address;
    l->entry = &l->parent->sig->entries[it.links[i].entry];
  }
#ifdef CILK_DEBUG
  __atomic_fetch_add(&cilk_full_closures, (long)it.nclosures, __ATOMIC_RELAXED);
#endif
  store_relaxed(&ctx->touching, touching);
  w->views = CILK_NO_VIEWS;
  /* The root's closure first: the pool gives the youngest first. */
  cilk_closure **ready = malloc(it.nclosures * sizeof *ready);
  size_t n = 0;
  if (!ready) refuse("out of memory");
  for (size_t i = 0; i < it.nclosures; i++) {
    cilk_closure *c = (cilk_closure *)(uintptr_t)it.closures[i].address;
    if (c->state == CILK_READY) ready[n++] = c;
  }
  for (size_t i = 0; i < n; i++)          /* what was given before may run already, and make others ready */
    cilk_ready(w, ready[i], CILK_WHY_ORPHANED);
  free(ready);
  munmap(it.file, (size_t)(it.end - it.file));   /* a disk has no room for old ones */
  cilk_step_end(w);
}

void cilk_image_read(cilk_context *ctx, const cilk_program *program, const char *file, cilk_image_program *known) {
  image_name = file;
  here = program;
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);   /* a pipe has no writer, perhaps never */
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0) refuse("%s", strerror(errno));
  if (!S_ISREG(st.st_mode)) refuse("it is no file");
  size_t bytes = (size_t)st.st_size;
  char *p = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  if (p == MAP_FAILED) refuse("%s", bytes ? strerror(errno) : "it is empty");
  close(fd);
  check_whole(p, bytes);
  it.file = p;
  it.parts = p + sizeof(cilk_image_header);
  it.end = p + bytes;
  check_parts();
  if (it.head.layout != cilk_layout_of_the_runtime())
    refuse("it was written by a program of another version or build of cilkc's runtime");
  if (it.head.spawning != cilk_spawning()) refuse("it was written by a program of the other spawn strategy (--spawn)");
  DAMAGED(it.head.size > CILK_MAX_PROC, "Cilk_active_size");
  if (it.head.size && (uint64_t)ctx->nproc > it.head.size)
    refuse(
        "the program has asked for Cilk_active_size, which was %d, and may have sized arrays by it: it can go on with at most %d workers (a first run with --elastic N can go on with N)",
        (int)it.head.size, (int)it.head.size);
  same = it.head.build == program->build;
  by_name = malloc((program->nsymbols + 1) * sizeof *by_name);
  if (!by_name) refuse("out of memory");
  for (size_t i = 0; i < program->nsymbols; i++) by_name[i] = &program->symbols[i];
  qsort(by_name, program->nsymbols, sizeof *by_name, in_order);
  find_sigs();
  if (!same) {
    check_layouts();
    check_parts_of_globals();
  }

  const char *why = cilk_arena_grow(it.head.top), *at = it.parts, *body;
  if (why) refuse("%s", why);
  uint64_t tag, n;
  while (next_field(&at, &tag, &body, &n))
    if (tag == CILK_TAG_PAGES) put_pages(body, n);
    else if (tag == CILK_TAG_GLOBALS) put_globals(body, n);
  if (foreign) cilk_arena_turn(it.head.top);
  if ((why = cilk_arena_check(it.head.top))) refuse("it is damaged: %s", why);
  const cilk_graph graph = {&it.head, here, it.closures, it.links, it.nclosures, it.nlinks, it.nsigs, bytes / 8, sigs};
  if (foreign && (why = cilk_foreign_memory(&graph))) refuse("%s", why);
  translate_heap();
  DAMAGED(it.head.views > 1, "it has views of reducers");
  if ((why = cilk_graph_check(&graph))) refuse("it is damaged: %s", why);
  check_gone();
  if (ctx->opt.inspect) {
    printf("%s: %zu closures, %zu links, %zu bytes, %s; it can go on here\n", file, it.nclosures, it.nlinks, bytes,
        same ? "of this program" : "of another build");
    cilk_exit_process(fflush(stdout) != 0);
  }
  cilk_closure *bundles[CILK_FREE_CLASSES];
  for (int k = 0; k < CILK_FREE_CLASSES; k++) bundles[k] = (cilk_closure *)(uintptr_t)it.head.bundles[k];
  cilk_pool_bundles(bundles, true);
  *known = it.head;
  ctx->thaw = thaw;
}
