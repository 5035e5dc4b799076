/* GNU: forward declarations of parameters, for sizes that name a parameter after the array. */
#include <stdio.h>
static int sum(int n; int a[n], int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
static int corner(int r, int c; double m[r][c], int r, int c);
static int corner(int r, int c; double m[r][c], int r, int c) { return (int)sizeof m[0] + (int)m[r - 1][c - 1]; }
static int text(long n; const char *s, char (*out)[n], long n) { return snprintf(*out, sizeof *out, "%s", s); }
int main(void) {
  int v[] = {1, 2, 3};
  double m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  char out[4];
  printf("%d %d %d %s\n", sum(v, 3), corner(m, 2, 3), text("forward", &out, 4), out);
  return 0;
}
