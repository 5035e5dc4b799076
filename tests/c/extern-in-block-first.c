// A global that is declared first in a block of an uncalled function is still defined, for other files and for assembly.
#include <stdio.h>

static inline int unused(int m) {
  extern int first, second[3];
  return first ? m : second[0];
}
extern int first;
int first = 1;
int second[3] = {4, 5, 6};
int third(void) { extern int tentative; return tentative++; }
int tentative;
static inline int unused_too(void) { extern int late; return late; }
int late;

#if defined __x86_64__
#define ADDRESS(p, name) __asm__("leaq " #name "(%%rip), %0" : "=r"(p))
#elif defined __aarch64__
#define ADDRESS(p, name) __asm__("adrp %0, " #name "\n\tadd %0, %0, :lo12:" #name : "=r"(p))
#endif

int main(void) {
  int *a, *b, *c;
  ADDRESS(a, first);
  ADDRESS(b, second);
  ADDRESS(c, late);
  third();
  printf("%d %d %d %d\n", *a, b[2], tentative, *c);
  return 0;
}
