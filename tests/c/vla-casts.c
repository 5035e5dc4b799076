// A type name with a VLA in it evaluates its sizes at its place: casts, compound literals, va_arg. A typedef or variable keeps the sizes it was declared with.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static int at(int *p, int n, int i, int j) { return ((int (*)[n])p)[i][j]; }
static int cube(const int *p, int n, int m) { return ((const int (*)[n][m])p)[1][1][1] + (*(__typeof__(int (*)[n]))(p + n))[1]; }
static int sizes(int n, void *p) { int r = 0; for (int i = 1; i < n; i++) r = r * 10 + (int)sizeof(*(1 ? (char (*)[i])p : 0)); return r; }
static int counted;
static void *effects(void *p) { void *q = (int (*)[++counted])p; (void)(char (*)[++counted])p; (short (*)[++counted])q; return (int (*)[++counted]){p}; }
static int kept(int n, int *p) {
  typedef int row[n];
  n = 100;
  const row *r = (const row *)p;
  return r[1][0] + (int)sizeof(row) + ((const row *)p)[1][1] + (int)sizeof(*(const row *)p);
}
static int deduced(int n, int *p) {
  __auto_type r = (int (*)[n])p;
  n = 50;
  return r[1][0] + (*({ int k = 3; (int (*)[2][k])p; }))[1][0];
}
static int listed(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int k = n, r = va_arg(ap, int (*)[++k])[1][0];
  va_end(ap);
  return r * 10 + k;
}
int main(void) {
  int a[24];
  for (int i = 0; i < 24; i++) a[i] = i + 1;
  printf("%d %d %d %d\n", at(a, 3, 1, 2), at(a, 5, 2, 1), cube(a, 3, 2), sizes(6, a));
  effects(a);
  printf("%d\n", counted);
  printf("%d %d %d\n", kept(4, a), deduced(5, a), listed(5, a));
  int n = 7;
  memset((char (*)[n])a, 0, sizeof *(char (*)[n])a);
  printf("%d %d\n", a[0], a[1] != 0);
  return 0;
}
