// A static pointer to a variable length array: the pointer stays, the sizes are those of the call that uses it.
#include <stdio.h>

static int width(int n) { static int (*rows)[n]; return (int)sizeof *rows; }
static int bytes(int n) { static short (*cube)[n][n + 1]; return (int)sizeof *cube; }
static int cell(int n, int (*given)[n], int i, int j) {
  static int (*kept)[n];
  if (given) kept = given;
  return kept[i][j];
}
static int inner(int n) {
  int sum = 0;
  for (int k = 1; k < n; k++) { static long (*p)[k]; sum += (int)sizeof *p; }
  return sum;
}
int main(void) {
  int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  printf("%d %d %d\n", width(3), width(9), bytes(2));
  int first = cell(4, m, 1, 2);                    /* before the others: it sets the pointer */
  printf("%d %d %d\n", first, cell(4, NULL, 2, 0), cell(6, NULL, 1, 1));
  printf("%d\n", inner(5));
  return 0;
}
