/* An address fills a bit-field that is a whole word; the linker writes it there. */
#include <stdio.h>
int object = 7;
struct { long before; long whole : 64; char after; } word = {1, (long)&object, 3};
struct { unsigned long whole : 64; } words[3] = {[1] = {(unsigned long)&object + 4}};
int main(void) {
  printf("%d %d %d %ld\n", word.whole == (long)&object, *(int *)word.whole, word.after, (long)(words[1].whole - (unsigned long)&object));
  return 0;
}
