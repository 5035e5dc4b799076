/* The object that has an address of a program: of its table of symbols, in which one object may contain another. */
#include "stage.h"
#include "rt/extensions/travel/image.h"

/* Objects with the same address are in the order of their sizes, the larger one first, as in the table of a program. */
static const cilk_symbol symbols[] = {
    {.address = 100, .size = 100},
    {.address = 100, .size = 8},
    {.address = 140, .size = 16},
    {.address = 148},
    {.address = 200, .size = 8},
    {.address = 216, .size = 8},
};
enum { N = sizeof symbols / sizeof *symbols };

static long at(uint64_t address) {
  const cilk_symbol *s = cilk_symbol_at(symbols, N, address);
  return s ? s - symbols : -1;
}

SCENARIO(an_address_in_an_object_that_has_others_inside_is_that_objects) {
  EXPECT(at(104) == 1 && at(150) == 2); /* the innermost one */
  EXPECT(at(120) == 0 && at(160) == 0 && at(199) == 0);
}

SCENARIO(an_address_that_begins_an_object_is_not_the_end_of_the_one_before) {
  EXPECT(at(200) == 4 && at(148) == 3);
  EXPECT(at(208) == 4 && at(224) == 5); /* one past the last element */
  EXPECT(at(99) == -1 && at(209) == -1 && at(215) == -1 && at(225) == -1);
}
