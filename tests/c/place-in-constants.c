// __builtin_LINE() and its like are constants.
#include <stdio.h>
const char *const file = __builtin_FILE(), *const function = __builtin_FUNCTION();
static int line = __builtin_LINE();
_Static_assert(__builtin_LINE() == 5, "");
int main(void) {
  static const char *const here = __builtin_FUNCTION();
  char text[__builtin_LINE()];
  printf("%d %s %s %s %zu %s\n", file[0] != 0, function, here, __builtin_FUNCTION(), sizeof text, line == 4 ? "4" : "");
  return 0;
}
