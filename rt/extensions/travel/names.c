/* names.c - the names and strings that an image needs, of the thousands that the program has.
 *
 * A restart in another build asks for global objects, and for the symbol of each word that points into the program.
 * Where there is no symbol, it asks for the text of a string. So the writer notes the words, and looks each up once, at
 * the end. */
#include "travel/names.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { RECENT = 1024 };
static const cilk_program *program;
static uint64_t *noted, recent[RECENT];   /* recent: most words come again soon */
static size_t n, room;
static bool failed;

void cilk_names_begin(const cilk_program *p) {
  program = p;
  n = 0;
  failed = false;
  memset(recent, 0, sizeof recent);
}

void cilk_names_word(uint64_t word) {
  uint64_t *seen = &recent[(word >> 3) % RECENT];
  if (*seen == word) return;
  *seen = word;
  if (CILK_ROOM_FOR(noted, n, room, RECENT)) noted[n++] = word;
  else failed = true;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void note_text(cilk_names *to, uint64_t linked) {
  for (size_t i = 0; i < program->nconstants; i++) {
    const cilk_section *s = &program->constants[i];
    if (linked - s->address >= s->size) continue;
    const char *text = (const char *)(uintptr_t)(program->bias + linked);
    size_t most = (size_t)(s->size - (linked - s->address)), bytes = strnlen(text, most);
    if (bytes < most && (!to->ntexts || to->texts[to->ntexts - 1].address != linked))
      to->texts[to->ntexts++] = (cilk_text){linked, bytes + 1};
    return;
  }
}

/* The text of names gets one more. 0 is the empty one. */
static uint64_t name(cilk_names *to, uint64_t old) {
  const char *text = program->names + old;
  size_t bytes = strlen(text) + 1;
  if (bytes == 1) return 0;
  memcpy(to->names + to->names_bytes, text, bytes);
  to->names_bytes += bytes;
  return to->names_bytes - bytes;
}

bool cilk_names_end(cilk_names *to) {
  bool *used = calloc(program->nsymbols + 1, sizeof *used);
  *to = (cilk_names){.texts = calloc(n + 1, sizeof *to->texts)};
  size_t bytes = 1;
  for (size_t i = 0; used && to->texts && i < program->nsymbols; i++)
    used[i] = program->symbols[i].flags & CILK_SYMBOL_GLOBAL;
  qsort(noted, n, sizeof *noted, compare);
  for (size_t i = 0; used && to->texts && i < n; i++) {
    const cilk_symbol *s = cilk_symbol_at(program->symbols, program->nsymbols, noted[i] - program->bias);
    if (s) used[s - program->symbols] = true;
    note_text(to, noted[i] - program->bias);
  }
  for (size_t i = 0; used && i < program->nsymbols; i++)
    if (used[i]) {
      to->nsymbols++;
      bytes +=
          strlen(program->names + program->symbols[i].name) + strlen(program->names + program->symbols[i].file) + 2;
    }
  to->symbols = calloc(to->nsymbols + 1, sizeof *to->symbols);
  to->names = calloc(bytes, 1);
  bool good = used && to->texts && to->symbols && to->names && !failed;
  to->nsymbols = 0;
  to->names_bytes = 1;
  for (size_t i = 0; good && i < program->nsymbols; i++)
    if (used[i]) {
      cilk_symbol *s = &to->symbols[to->nsymbols++];
      *s = program->symbols[i];
      s->name = name(to, s->name);
      s->file = name(to, s->file);
    }
  free(used);
  return good;
}

void cilk_names_free(cilk_names *to) {
  free(to->symbols);
  free(to->names);
  free(to->texts);
}
