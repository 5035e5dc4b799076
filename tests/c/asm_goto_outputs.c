// REQUIRES: gcc
// The output of an `asm goto` is there at its labels, as after it.
#include <stdio.h>

static int at_label(int x)
{
  int a = 1;
  __asm__ goto("movl $7, %0\n\ttestl %1, %1\n\tjne %l2" : "=&r"(a) : "r"(x) : "cc" : out);
  return a;
out:
  return a + 10;
}

int main(void)
{
  printf("%d %d\n", at_label(0), at_label(1));
  return 0;
}
