// FLAGS: -fno-math-errno
// Builtins that stand for functions have their addresses; rounding and conversion in one; elements of vectors have addresses; signaling NaNs stay such;
// an alignment among a pointer's attributes is the pointer's.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int v4 __attribute__((vector_size(16)));
static v4 numbers = {1, 2, 3, 4};
static int *element(v4 *v, int i) { return &(*v)[i]; }
static void *(*take)(size_t) = __builtin_malloc;
static int (*const print)(const char *, ...) = &__builtin_printf;
static volatile float f = __builtin_nansf("");
static volatile double d = __builtin_nans("3");
static volatile long double l = __builtin_nansl("");
struct low { int *__attribute__((aligned(2))) p; struct {} none[2]; };
struct high { char c; int *__attribute__((aligned(16))) p; };
struct plain { char c; int *__attribute__((aligned(16))) *p; };
static short *__attribute__((aligned(64))) variable;
#define T10(x) __builtin_tgmath(narrow, narrowl, x)
static float narrow(double x) { return (float)x + 1; }
static float narrowl(long double x) { return (float)x + 2; }

int main(void) {
  volatile double a = 2.5, b = -2.5;
  volatile float c = 3.5f;
  volatile long double e = -1.25L;
  print("%d %d %d %d ", __builtin_iceil(a), __builtin_ifloor(b), __builtin_irint(a), __builtin_iroundf(c));
  print("%ld %ld %lld %lld\n", __builtin_lceill(e), __builtin_lfloor(b), __builtin_llceil(a), __builtin_llfloorl(e));
  print("%d %.4f %d\n", __builtin_iswalpha(L'a') != 0, __builtin_jn(2, 1.5), __builtin_fegetround());
  *element(&numbers, 2) = 9;
  int *p = &numbers[1];
  print("%d %d %d\n", numbers[2], *p, p[2]);
  char *memory = take(10);
  print("%d\n", memory != NULL);
  free(memory);
  unsigned char bytes[16];
  memcpy(bytes, (void *)&f, sizeof f);
  print("%02x%02x%02x%02x ", bytes[3], bytes[2], bytes[1], bytes[0]);
  memcpy(bytes, (void *)&d, sizeof d);
  print("%02x%02x %02x ", bytes[7], bytes[6], bytes[0]);
  memcpy(bytes, (void *)&l, 10);
  print("%02x%02x%02x\n", bytes[9], bytes[8], bytes[7]);
  print("%zu %zu %zu %zu %zu %zu\n", sizeof(struct low), _Alignof(struct low), sizeof(struct high), offsetof(struct high, p), sizeof(struct plain), offsetof(struct plain, p));
  print("%d\n", (int)((size_t)&variable % 64));
  print("%.1f %.1f %.1f\n", T10(1.0f), T10(1.0), T10(1.0L));
  return 0;
}
