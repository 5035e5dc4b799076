/* a ?: b where a is a logical expression whose value is used; __builtin_constant_p of what only the optimiser knows; odd constants. */
#include <stdio.h>

static int both(int a, int b, int c) { return a && b ?: c; }
static long either(int a, int b, long c) { return (a || b) ?: c; }
static unsigned char narrow(int a, int b) { return a == b ?: 7; }
static int three(int a, int b, int c) { return a && b || b && c ?: a ?: -1; }
static double mixed(int a, double d) { return !a ?: d; }

int x[60];
char *y = (char *)&x[18] - 8;
int between = &"Foobar"[4] - &"Foobar"[1];

int main(void) {
  for (int i = 0; i < 8; i++) {
    int a = i & 1, b = i >> 1 & 1, c = i >> 2;
    printf("%d %ld %d %d %g\n", both(a, b, 5), either(a, b, 6), narrow(a, b), three(a, b, c), mixed(a, 2.5));
  }
  printf("%d %d\n", (int)(y - (char *)x), between);
  printf("%d %d\n", (int)2147483648.0f, (int)(float)2147483647);
  return 0;
}
