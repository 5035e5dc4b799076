// A quotation mark in the delimiter of a raw string.
#include <stdio.h>
int main(void) {
  puts(R"a"b(text)" "a)a"b");
  printf("%zu\n", sizeof u8R"/^&|~!=,"'(a)/^&|~!=,"'");
  return 0;
}
