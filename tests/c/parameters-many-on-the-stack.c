/* So many arguments on the stack that they are one block (codegen/core/passing.h): small and aligned types, inlined, old
   style through a pointer without prototype, captured by a nested function; Windows' convention, sizes of other
   parameters, setjmp, recursion, after `...`. */
#include <setjmp.h>
#include <stdio.h>

#define NINE(m, a) m(a##1) m(a##2) m(a##3) m(a##4) m(a##5) m(a##6) m(a##7) m(a##8) m(a##9)
#define EACH(m) NINE(m, 1) NINE(m, 2) NINE(m, 3) NINE(m, 4) NINE(m, 5) NINE(m, 6) NINE(m, 7) NINE(m, 8)
#define PARAMETER(n) int a##n, char b##n,
#define NAME(n) a##n, b##n,
#define DECLARED(n) int a##n; char b##n;
#define GIVEN(n) n, n + k,
#define ADDED(n) s = s * 3 + a##n - b##n;

static inline __attribute__((always_inline)) unsigned inlined(EACH(PARAMETER) volatile int v, _Bool q, __int128 i, _Complex double z, long double l)
{
  unsigned s = v + q + (int)i + (int)__imag__ z + (int)l;
  a88 += 3;
  EACH(ADDED)
  return s;
}
static unsigned old(EACH(NAME) f, c) EACH(DECLARED) float f; short c;
{
  unsigned s = (int)f + c;
  EACH(ADDED)
  return s;
}
static unsigned captured(EACH(PARAMETER) int n)
{
  unsigned inner(void) { a89++; return b77 + a89; }
  unsigned s = inner() + inner() + n;
  int *p = &a55;
  *p += 2;
  EACH(ADDED)
  return s;
}
#ifdef __x86_64__
__attribute__((ms_abi))
#endif
static unsigned windows(EACH(PARAMETER) int n)
{
  unsigned s = n;
  EACH(ADDED)
  return s;
}
static unsigned sized(EACH(PARAMETER) int n, int m[n][n])
{
  unsigned s = sizeof *m;
  s += m[1][1];
  EACH(ADDED)
  return s;
}
static jmp_buf buffer;
static unsigned jumped(EACH(PARAMETER) int n)
{
  volatile int kept = n;
  unsigned s = 0;
  if (setjmp(buffer)) {
    EACH(ADDED)
    return s + kept;
  }
  kept++;
  longjmp(buffer, 1);
}
static unsigned recursive(EACH(PARAMETER) int n)
{
  if (!n) {
    unsigned s = 0;
    EACH(ADDED)
    return s;
  }
  return recursive(EACH(NAME) n - 1) + a11;
}
static int apart(EACH(PARAMETER) int n, const char *f, ...) { return (&a55 == &a56) + n + *f; }

int main(void)
{
  for (int k = 0; k < 3; k++) {
    unsigned (*unprototyped)() = old, (*volatile pointer)(EACH(PARAMETER) int) = recursive;
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%u %u %u\n", inlined(EACH(GIVEN) 1, 2, 3, 4 + 5i, 6.5L), old(EACH(GIVEN) 2.5, 7), unprototyped(EACH(GIVEN) 2.5, 7));
    printf("%u %u %u %u %u %d\n", captured(EACH(GIVEN) 3), windows(EACH(GIVEN) 4), sized(EACH(GIVEN) 3, m), jumped(EACH(GIVEN) 5), pointer(EACH(GIVEN) 6),
           apart(EACH(GIVEN) 1, "x", 2, 3.0));
  }
  return 0;
}
