/* Variable length arrays: sizes fixed at the declaration, multi-dimensional, parameters, typedefs, pointers, loops, goto out of scope, sizeof. */
#include <string.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static int trace(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; CHECK(sizeof *m == n * sizeof(int)); return s; }
static int side(int *k, int a[(*k)++]) { return a[0]; }
static long deep(int n) { char buf[n * 16 + 1]; memset(buf, n, sizeof buf); return n ? buf[n] + deep(n - 1) : sizeof buf; }
int main(int argc, char **argv) {
  (void)argv;
  int n = argc + 4; int a[n][n]; n = 100;
  CHECK(sizeof a == 25 * sizeof(int));
  for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) a[i][j] = i * 10 + j;
  CHECK(trace(5, a) == 110); CHECK(*(*(a + 2) + 3) == 23); CHECK(&a[3] - &a[1] == 2); CHECK(a[4] - a[1] == 15);
  int k = 3, one[1] = { 7 }; CHECK(side(&k, one) == 7 && k == 4);
  typedef short row[k]; k = 50; row r; CHECK(sizeof r == 8 && sizeof(row) == 8);
  int (*p)[5] = a; CHECK(p[1][2] == 12); int (*q)[k / 10] = (void *)a; CHECK(q[2][2] == 22 && sizeof *q == 20); q++; CHECK((*q)[0] == 10);
  long total = 0;
  for (int i = 1; i < 2000; i++) { char v[i]; v[i - 1] = 1; total += sizeof v + v[i - 1]; if (i % 3 == 0) continue; if (i == 1999) break; }
  CHECK(total == 1999L * 2000 / 2 + 1999);
  int c = 0;
again:;
  { char z[c * 1000 + 10]; z[0] = c; if (c < 1000) { c += z[0] + 1 - c; if (c < 100) goto again; } }
  CHECK(deep(20) == 1 + 20 * 21 / 2);
  CHECK(sizeof(int[argc + 2]) == 12); CHECK(sizeof(char[k][argc + 1]) == 100);
  switch (argc) { case 1: { int w[argc + 1]; w[1] = 5; CHECK(w[1] == 5); } }
  struct { int x; } s[argc + 1]; s[1].x = 3; CHECK(s[1].x == 3 && sizeof s == 8);
  return fails ? 1 : 0;
}
