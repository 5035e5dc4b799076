// Calls of builtin functions that are constant expressions.
#include <math.h>
#define KIND(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
_Static_assert(KIND(1.0) == FP_NORMAL, "");
_Static_assert(KIND(-0.0f) == FP_ZERO, "");
_Static_assert(KIND(1e-310) == FP_SUBNORMAL, "");
_Static_assert(KIND(1e-310L) == FP_NORMAL, "");
_Static_assert(KIND(1e-40f) == FP_SUBNORMAL, "");
_Static_assert(KIND(-__builtin_inf()) == FP_INFINITE, "");
_Static_assert(KIND(__builtin_nanf("")) == FP_NAN, "");
static int of_object = KIND(2.5L);
enum { smallest = KIND(0x1p-1022) };
int compared[] = {
  __builtin_memcmp("ab", "ab", 2) == 0, __builtin_memcmp("ab\0c", "ab\0d", 4) < 0, __builtin_memcmp("b", "a", 2) > 0,
  __builtin_strncmp("abc", "abd", 2) == 0, __builtin_strncmp("abc", "abd", 9) < 0,
  __builtin_strncmp("a\0x", "a\0y", 3) == 0,
  __builtin_memcmp("\xff", "a", 1) > 0, __builtin_strcmp("\xff", "a") > 0,
};
int main(void) {
  for (unsigned i = 0; i < sizeof compared / sizeof *compared; i++)
    if (!compared[i]) return (int)i + 1;
  return of_object == FP_NORMAL && smallest == FP_NORMAL ? 0 : 99;
}
