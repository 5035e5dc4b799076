/* Inline functions that reach the linked function of the same name through an assembler name, as the C library's headers do; unions
   and attributes of function pointers that other suites use; asking for the processor's features. */
#include <wchar.h>
#include <stdio.h>

extern int outer_alias(int) __asm__("toupper");
extern __inline __attribute__((__gnu_inline__)) int toupper(int c) { return __builtin_constant_p(c) && c == 1 ? 5 : outer_alias(c); }

typedef struct { union { struct { int a, b; }; long l; }; } N;
static N n1 = {.b = 8, .a = 7};
static struct { union { struct { int x, y; } p; char c; } u; } d1 = {.u.p.y = 4, .u.p.x = 3}, d2 = {.u.p.x = 1, .u.c = 2};

typedef int Wide __attribute__((aligned(16)));
int _Alignas(Wide) wide;

static int answer(void) { return 42; }

int main(void) {
  volatile int c = 'x';
  if (toupper(c) != 'X') return 1;
  if (btowc('\0') != 0) return 2;
  if (n1.a != 7 || n1.b != 8) return 3;
  if (d1.u.p.x != 3 || d1.u.p.y != 4 || d2.u.c != 2) return 4;
  if (__alignof__(wide) != 16) return 5;
  int (__attribute__((noinline)) *p)(void) = answer;
  if (((int (__attribute__((noinline)) *)(void))p)() != 42) return 6;
#ifdef __x86_64__
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse2")) return 7;
#endif
  puts("ok");
  return 0;
}
