/* abi_tags.c - one value of one group of abi_tags.def. This file defines three things. One is the symbol that objects
 * of that kind refer to. One is the symbol whose second definition is the linker's error. One is the image's
 * cilk_module, which joins the runtime when the image is loaded (module.c). The Makefile compiles this file once for
 * each row, with CILK_GROUP and CILK_VALUE; the linker chooses among the members of the archive. All but the runtime's
 * interface is hidden, so every image has its own. */
#include "base/base.h"

#include <string.h>

#define PASTE_(a, b, c, d) a##b##c##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define SYMBOL PASTE(cilk_, CILK_GROUP, _, CILK_VALUE)
#define DISAGREEMENT PASTE(cilk_error_objects_disagree_on_, CILK_GROUP, , )

static const struct {
  const char *group, *value, *flags;
} rows[] = {
#define CILK_ABI_TAG(group, value, flags, ...) {#group, #value, flags},
#define CILK_FLAVOUR(...)
#include "abi_tags.def"
#undef CILK_ABI_TAG
#undef CILK_FLAVOUR
};

/* `private` variables of the image, between marks that the linker sets. */
extern const cilk_private __start_cilk_private[] __attribute__((weak, visibility("hidden")));
extern const cilk_private __stop_cilk_private[] __attribute__((weak, visibility("hidden")));

/* of the C compiler's start-up: one in each image */
extern const char __dso_handle __attribute__((visibility("hidden")));
extern const char SYMBOL, DISAGREEMENT;
const char SYMBOL = 1;
const char DISAGREEMENT = 1;
static __attribute__((section("cilkrt_data"))) cilk_module module = {CILK_ABI_VERSION, TEXT(CILK_GROUP), NULL, NULL,
    NULL, &__dso_handle, NULL, 0};

__attribute__((constructor(101))) static void join(void) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].group, TEXT(CILK_GROUP)) == 0 && strcmp(rows[i].value, TEXT(CILK_VALUE)) == 0)
      module.flags = rows[i].flags;
  if (strcmp(TEXT(CILK_GROUP), "spawn") == 0) {   /* every image has exactly one of this group */
    module.privates = __start_cilk_private;
    module.privates_end = __stop_cilk_private;
  }
  cilk_rt_join(&module);
}
__attribute__((constructor(102))) static void agree(void) { cilk_rt_agree(&__dso_handle); }
__attribute__((destructor(101))) static void leave(void) { cilk_rt_leave(&module); }
