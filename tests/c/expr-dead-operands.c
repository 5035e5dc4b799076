/* Operands of && and || that constants before them make dead are not called for: they may name what does not exist. */
#include <stdio.h>
int absent(void);
static int n;
static int yes(void) { n++; return 1; }
int main(void) {
  if (yes() && 0 && absent()) puts("never");
  if (yes() || 1 || absent()) puts("always");
  if ((yes() && 0) || (1 && yes() && n > 2)) puts("third");
  if (yes() && (0 && absent()) && absent()) puts("never");
  while (n < 9 && yes() && !(0 && absent()) && n != 7) ;
  int v = yes() && 0 && absent(), w = yes() || 1 || absent(), u = (0 || yes()) && (1 || absent());
  printf("%d %d %d %d\n", n, v, w, u);
  return 0;
}
