/* image.h - the form of an image, and what its writer and its reader know of the program.
 *
 * A file is a header, then parts: a tag, the number of its bytes, those bytes, up to a multiple of 8. All numbers have
 * 8 bytes, in the order of the processor that writes. The version shows which one that is. */
#ifndef CILK_RT_IMAGE_H
#define CILK_RT_IMAGE_H

#include "base/base.h"

enum { CILK_IMAGE_VERSION = 5 };
#define CILK_IMAGE_MAGIC "CILKIMG\n"

typedef struct cilk_image_header {
  char magic[8];
  uint64_t version, bytes;         /* of the form; of the whole file */
  uint64_t sum;                    /* of all after the header (cilk_sum) */
} cilk_image_header;

/* The parts. */
#define CILK_TAG(a, b, c, d) ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24)
#define CILK_TAG_PROGRAM CILK_TAG('P', 'R', 'O', 'G')    /* cilk_image_program */
#define CILK_TAG_SYMBOLS CILK_TAG('S', 'Y', 'M', 'S')    /* cilk_symbol, then the names, each with a zero after it */
#define CILK_TAG_GLOBALS CILK_TAG('G', 'L', 'O', 'B')    /* address, then bytes: of one section */
#define CILK_TAG_CONSTANTS CILK_TAG('C', 'O', 'N', 'S')  /* the same, of a string that something points to */
#define CILK_TAG_PAGES CILK_TAG('P', 'A', 'G', 'E')      /* address, then bytes: of the arena */
#define CILK_TAG_SIGS CILK_TAG('S', 'I', 'G', 'S')       /* cilk_image_sig, then the names */
/* the section cilk_layouts: a hash, then the text that names a record or an object, with zeros up to a multiple of 8 */
#define CILK_TAG_LAYOUTS CILK_TAG('L', 'A', 'Y', 'S')
#define CILK_TAG_CLOSURES CILK_TAG('C', 'L', 'O', 'S') /* cilk_image_closure, the first is the root's */
#define CILK_TAG_LINKS CILK_TAG('L', 'I', 'N', 'K') /* cilk_image_link */
#define CILK_TAG_WORDS CILK_TAG('W', 'O', 'R', 'D') /* cilk_image_words, by address */

typedef struct cilk_image_program {
  uint64_t build; /* of the program's file (cilk_program.build) */
  char processor[16];
  uint64_t layout; /* of the runtime's own structures */
  uint64_t spawning; /* enum cilk_spawning */
  uint64_t bias, low, high; /* how far it was from where it was linked to; its addresses */
  uint64_t top; /* bytes of the arena */
  uint64_t views; /* of the root's link */
  uint64_t bundles[CILK_FREE_CLASSES];
  uint64_t streams[3]; /* stdin, stdout, stderr */
  uint64_t argc, argv, envp;
  uint64_t size; /* that Cilk_active_size had; 0: the program has not asked */
} cilk_image_program;

/* An object or function with a name. Where several of one file have the same name, the number distinguishes them. */
/* GLOBAL: an object of the program that can be written; SYSTEM: the C library's */
enum { CILK_SYMBOL_CODE = 1, CILK_SYMBOL_GLOBAL = 2, CILK_SYMBOL_LOCAL = 4, CILK_SYMBOL_SYSTEM = 8 };
typedef struct cilk_symbol {
  uint64_t address, size; /* as it was linked */
  uint64_t name, file; /* places in the text of names; file: of a LOCAL one */
  uint64_t flags, number;
} cilk_symbol;

typedef struct cilk_image_sig {
  uint64_t address; /* in that process */
  uint64_t name, layout, size, entries;
} cilk_image_sig;
/* Words of globals and of the arena that a restart translates: of the 64 from this address on, those whose bits are
 * set. Addresses of globals are as they were linked. */
enum { CILK_IMAGE_WORDS = 64 };
typedef struct cilk_image_words {
  uint64_t address, which;
} cilk_image_words;
typedef struct cilk_image_closure {
  uint64_t address, sig;
} cilk_image_closure; /* sig: which one of those */
/* entry: which one of its parent's; the top bit: a future is waited for */
typedef struct cilk_image_link {
  uint64_t address, entry;
} cilk_image_link;

/* ---- the program that runs ---- */

typedef struct cilk_section {
  uint64_t address, size;
  const char *name;
} cilk_section; /* as it was linked */

typedef struct cilk_program {
  uint64_t build, bias, low, high; /* `low` and `high` are real addresses */
  cilk_symbol *symbols; /* by address */
  size_t nsymbols, names_bytes;
  char *names;
  cilk_section *sections; /* of objects of the program that can be written */
  size_t nsections;
  cilk_section constants[4]; /* that cannot be written; strings are there */
  size_t nconstants;
  cilk_section layouts, shapes; /* size 0: no unit has any */
} cilk_program;

const char *cilk_program_read(cilk_program *p); /* NULL, or why not; once */
/* the one that has this address in it; NULL: none */
const cilk_symbol *cilk_symbol_at(const cilk_symbol *symbols, size_t n, uint64_t linked);
uint64_t cilk_sum(uint64_t sum, const void *bytes, size_t n); /* n a multiple of 8 */
uint64_t cilk_layout_of_the_runtime(void);
const char *cilk_processor(void);

struct CilkContext;
/* bytes: of the file; note: what the image cannot promise, or empty */
typedef struct cilk_image_written {
  uint64_t bytes;
  char note[600];
} cilk_image_written;
/* All workers have halted. NULL, or why there is no image. A file of that name is as it was unless a whole new one is
 * there. */
const char *cilk_image_write(struct CilkContext *ctx, const cilk_program *program, const char *file,
    const cilk_image_program *known, cilk_image_written *written);
/* Reads it into this process; ctx->thaw goes on with it. Where it cannot be, says so and ends the process. */
void cilk_image_read(struct CilkContext *ctx, const cilk_program *program, const char *file, cilk_image_program *known);

#endif
