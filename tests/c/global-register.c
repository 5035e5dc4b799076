// A register variable at file scope is that register, in every function. (The address that it holds differs, but it is always in the stack.)
#include <stdio.h>
#ifdef __x86_64__
register unsigned long stackPointer __asm__("rsp");
#else
register unsigned long stackPointer __asm__("sp");
#endif
__attribute__((noinline)) static unsigned long below(void) { volatile char space[256]; space[0] = 1; return stackPointer + 0 * space[0]; }
int main(void) {
  char here;
  unsigned long at = (unsigned long)&here;
  printf("%d %d\n", stackPointer != 0, at - stackPointer < 65536 || stackPointer - at < 65536);
  printf("%d\n", below() < stackPointer);
  return 0;
}
