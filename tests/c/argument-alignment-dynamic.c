// An argument of a type aligned far beyond the stack has its type's alignment, also when the caller has moved the stack pointer itself.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef struct { _Alignas(1024) char bytes[1024]; } Page;
static int bad;
static void look(const void *p, const char *what) { if ((uintptr_t)p % 1024) { bad++; printf("%s\n", what); } }
__attribute__((noinline)) static void two(Page a, Page b, char mark) {
  look(&a, "first");
  look(&b, "second");
  if (a.bytes[7] != mark || b.bytes[9] != mark) bad++;
}
__attribute__((noinline)) static void late(int a, int b, int c, int d, int e, int f, int g, Page p, int last) {
  look(&p, "after integers");
  if (a + b + c + d + e + f + g != 28 || last != 5 || p.bytes[3] != 2) bad++;
}
__attribute__((noinline)) static Page back(Page p) { look(&p, "before the result"); return p; }
int main(int argc, char **argv) {
  Page x;
  memset(&x, 2, sizeof x);
  two(x, x, 2);
  volatile char *moved = __builtin_alloca(50 * argc);
  moved[0] = 1;
  two(x, back(x), 2);
  late(1, 2, 3, 4, 5, 6, 7, x, 5);
  for (int i = 1; i < 4; i++) {
    volatile char vla[i * 40];
    vla[0] = 3;
    two(back(x), x, 2);
    late(1, 2, 3, 4, 5, 6, 7, back(x), 5);
  }
  late(1, 2, 3, 4, 5, 6, 7, x, 5);
  printf("%d\n", bad);
  return bad;
}
