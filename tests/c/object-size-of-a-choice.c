// What may be either of two objects has the size of the larger one, or at least that of the smaller one.
#include <stdio.h>

static char row[20];

int main(int argc, char **argv) {
  (void)argv;
  printf("%zu %zu\n", __builtin_object_size(argc > 100 ? row : row + 12, 0),
      __builtin_object_size(argc > 100 ? row : row + 12, 2));
  printf("%zd\n", __builtin_object_size(argc > 100 ? row : argv[0]++, 0));
  return argv[0] == 0;
}
